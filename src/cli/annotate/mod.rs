//! `kisolo annotate`: what the engine thinks of every turn of whole games.

mod judge;
mod page;
mod text;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};

use super::running::{cores, progress};
use super::think::limit_text;
use super::values::seconds;
use super::{output, records, warn};
use crate::engine::{Limits, MAX_HASH_MIB, MAX_THREADS};
use crate::record::GameRecord;
use judge::{Annotated, Judge};

/// The nodes for each position when nothing limits the search: some tenths of
/// a second.
const DEFAULT_NODES: u64 = 200_000;

/// Judge every turn of whole games: score before and after, best turn, loss
///
/// Reads records as `kisolo match` and `save` of `kisolo play` write them, and
/// PGN-like text.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kisolo annotate games.jsonl --game 3
  kisolo annotate games.pgn --format html -o games.html --nodes 1000000

A turn that loses 5% of the chance of winning is an inaccuracy (?!), 10% a mistake (?), 15% a
blunder (??). Every position is searched on its own, so that with --nodes or --depth the answer is
always the same, whatever --threads is. Turns given by an opening are judged, but count for nobody;
set-ups of kisolo-free are not judged.")]
pub struct Arguments {
    /// Files of games; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only the games with this number
    #[arg(long, short, value_name = "N")]
    game: Option<u64>,
    /// The form: text, json (one object a game, one a line) or html
    #[arg(long, short, value_enum, default_value_t, hide_possible_values = true)]
    format: Format,
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Search so many nodes each position [default: 200000, unless something
    /// else is given]
    #[arg(long, short, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    nodes: Option<u64>,
    /// Search each position so many seconds
    #[arg(long, short, value_parser = seconds, value_name = "SECONDS")]
    time: Option<Duration>,
    /// Search each position to this depth, in plies
    #[arg(long, short, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    depth: Option<u32>,
    /// Positions searched at once [default: cores]
    #[arg(long, value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// Size of the transposition table of each thread in MiB
    #[arg(long, default_value_t = 16, value_name = "MIB",
        value_parser = clap::value_parser!(u32).range(1..=MAX_HASH_MIB as i64))]
    hash: u32,
}

/// The forms of an annotation.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
    Html,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut games: Vec<GameRecord> = Vec::new();
    let count = records::read_any(&arguments.files, |_, record| {
        if arguments.game.is_none_or(|game| game == record.game) {
            games.push(record);
        }
        Ok(())
    })?;
    if games.is_empty() {
        bail!(match arguments.game {
            Some(game) => anyhow!("no game {game} in the files; they hold {}", count.records),
            None => anyhow!("no game in the files"),
        });
    }
    let limits = arguments.limits();
    let threads = arguments.threads.map_or_else(cores, usize::from);
    let mut judge = Judge::new(threads, arguments.hash as usize, &limits)?;
    let positions: usize = games.iter().map(|record| record.moves.len() + 1).sum();
    let bar = progress(positions as u64, "positions");
    let mut status = count.status();
    let mut annotated = Vec::new();
    for record in &games {
        match judge.annotate(record, &|| bar.inc(1)) {
            Ok(game) => annotated.push(game),
            Err(error) => {
                status = ExitCode::FAILURE;
                bar.suspend(|| {
                    warn(&format!("game {} of {}: {error:#}", record.game, record.event));
                });
            }
        }
    }
    bar.finish_and_clear();
    if annotated.is_empty() {
        bail!("no game could be annotated");
    }
    write(arguments, &annotated, &limit_text(&limits))?;
    Ok(status)
}

impl Arguments {
    fn limits(&self) -> Limits {
        let unlimited = self.nodes.is_none() && self.time.is_none() && self.depth.is_none();
        Limits {
            nodes: self.nodes.or(unlimited.then_some(DEFAULT_NODES)),
            move_time: self.time,
            depth: self.depth,
            ..Limits::default()
        }
    }
}

fn write(arguments: &Arguments, games: &[Annotated], limit: &str) -> anyhow::Result<()> {
    output::write(arguments.output.as_deref(), |output| match arguments.format {
        Format::Text => {
            games.iter().try_for_each(|game| Ok(output.write_all(text::text(game).as_bytes())?))
        }
        Format::Json => games.iter().try_for_each(|game| {
            serde_json::to_writer(&mut *output, game)?;
            Ok(output.write_all(b"\n")?)
        }),
        Format::Html => Ok(output.write_all(page::html(games, limit).into_string().as_bytes())?),
    })
}
