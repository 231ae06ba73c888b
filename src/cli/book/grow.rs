//! `kisolo book grow`: the engine's own book, extended by search.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::Args;

use crate::book::{Book, Effort, Judge};
use crate::cli::output;
use crate::cli::position::ProfileArg;
use crate::cli::running::{progress, until_interrupted};
use crate::engine::MAX_HASH_MIB;
use crate::rules::MAX_TURNS;

/// Time between two writings of the file: what a crash can cost.
const SAVE_EVERY: Duration = Duration::from_secs(5);
/// The depth of the searches when nothing else is said, in plies.
const DEFAULT_DEPTH: u32 = 14;

#[derive(Debug, Args)]
#[command(after_help = "\
The file is the state: it is written every few seconds, at the end and at Ctrl-C, and the same
command on the same file goes on. A larger --expansions grows a book further. However often it was
interrupted, the same settings make the same book. The engine plays from it with the options
OwnBook and BookFile.")]
pub struct Arguments {
    /// The book; made if it is not there, else extended
    file: PathBuf,
    #[command(flatten)]
    profile: ProfileArg,
    /// Start position
    #[arg(long, default_value = "startpos", value_name = "NAME")]
    start: String,
    /// Positions that the book has in the end, those of earlier runs included
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    expansions: u32,
    /// Depth of the search of a position, in plies [default: 14]
    #[arg(long, value_name = "D", conflicts_with = "nodes", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Nodes of the search of a position, instead of a depth
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The best so many moves of a position that come into the book
    #[arg(long, default_value_t = 4, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=MAX_TURNS as i64))]
    moves: u32,
    /// The most moves before a position of the book
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=500))]
    max_ply: u32,
    /// Size of the transposition table in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=MAX_HASH_MIB as i64))]
    hash: u32,
}

impl Arguments {
    fn effort(&self) -> Effort {
        match self.nodes {
            Some(nodes) => Effort::Nodes(nodes),
            None => Effort::Depth(self.depth.unwrap_or(DEFAULT_DEPTH)),
        }
    }

    /// The command with all that the result depends on, but for the number of
    /// positions.
    fn command(&self) -> String {
        let Self { start, moves, max_ply, hash, .. } = self;
        let profile = self.profile.profile;
        let effort = match self.effort() {
            Effort::Depth(depth) => format!("--depth {depth}"),
            Effort::Nodes(nodes) => format!("--nodes {nodes}"),
        };
        format!(
            "kisolo book grow FILE --profile {profile} --start {start} {effort} --moves {moves} \
             --max-ply {max_ply} --hash {hash} --expansions "
        )
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let path = &arguments.file;
    let mut book = open(arguments)?;
    let signals = until_interrupted()?;
    let mut judge = Judge::new(
        book.profile(),
        arguments.effort(),
        arguments.moves as usize,
        arguments.hash as usize,
        Arc::clone(&signals),
    )?;
    let (before, wanted) = (book.len(), arguments.expansions as usize);
    let bar = progress(wanted as u64, "positions");
    bar.set_position(before as u64);
    bar.reset_eta();
    let mut saved = Instant::now();
    let mut complete = false;
    while book.len() < wanted {
        let Some(leaf) = book.next(arguments.max_ply) else {
            complete = true;
            break;
        };
        let Some(moves) = judge.judge(&leaf) else { break };
        book.insert(leaf, &moves).map_err(|why| anyhow!("growing the book: {why}"))?;
        book.back_up();
        bar.inc(1);
        if saved.elapsed() >= SAVE_EVERY {
            save(path, &mut book, arguments)?;
            saved = Instant::now();
        }
    }
    bar.finish_and_clear();
    let added = book.len() - before;
    if added > 0 {
        save(path, &mut book, arguments)?;
    }
    let mut out = crate::cli::output();
    writeln!(out, "{}: {} positions, {added} of them new", path.display(), book.len())?;
    if complete {
        writeln!(out, "nothing is left within {} plies", arguments.max_ply)?;
    } else if book.len() < wanted {
        writeln!(out, "stopped; the same command goes on")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The book in the file, or an empty one if there is none.
fn open(arguments: &Arguments) -> anyhow::Result<Book> {
    let (path, profile) = (&arguments.file, arguments.profile.profile);
    let new = Book::new(profile, &arguments.start).map_err(|why| anyhow!("--start: {why}"))?;
    let name = path.display();
    if path == Path::new("-") {
        bail!("-: a book is a file, which is read and written again and again");
    }
    if !path.try_exists().with_context(|| format!("{name}"))? {
        return Ok(new);
    }
    let book = Book::read(path).with_context(|| format!("{name}"))?;
    let (has, start) = (book.profile(), book.start());
    if has != profile || start != new.start() {
        let wanted = new.start();
        bail!("{name}: this is a book of {has} from {start}, not of {profile} from {wanted}");
    }
    Ok(book)
}

/// Writes the book, with the commands that make it again: that of this run
/// takes the place of the same with fewer positions.
fn save(path: &Path, book: &mut Book, arguments: &Arguments) -> anyhow::Result<()> {
    let command = arguments.command();
    let same = |last: &String| {
        let count = last.strip_prefix(&command);
        count.is_some_and(|count| count.parse::<usize>().is_ok())
    };
    if book.commands.last().is_some_and(same) {
        book.commands.pop();
    }
    book.commands.push(format!("{command}{}", book.len()));
    output::write(Some(path), |out| Ok(book.write(out)?))
}
