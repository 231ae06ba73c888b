//! `kisolo train generate`.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail};
use clap::Args;
use indicatif::ProgressBar;

use super::{EXTENSION, read, read_net};
use crate::cli::output;
use crate::cli::position::ProfileArg;
use crate::cli::running::{cores, progress, until_interrupted};
use crate::eval::{Evaluation, Net, built_in};
use crate::rules::Profile;
use crate::search::Signals;
use crate::train::{self, Generator, Header};

/// What the seeds of two files of one run differ by: a number without
/// structure (2 to the 64th divided by the golden ratio).
const SHARD_SEED: u64 = 0x9e37_79b9_7f4a_7c15;

#[derive(Debug, Args)]
#[command(after_help = "\
Games begin with 0 to 10 random turns from one of the start positions (after random set-ups where
they are due); those that are decided then are not played. One turn in twenty of the first forty is
random, too. A game ends as the rules say, when its score is proven, or after 1000 turns or three
times the same position as drawn. Kept is every position that was searched and whose score is not
proven; none comes twice in a file, and `fit` passes over those that are in another.

A file is written when it is whole. Files that are there already are kept, so that the same command
goes on where it was stopped. What a file holds depends on the settings and its number alone.")]
pub struct Arguments {
    /// The folder of the files; made if it is not there
    folder: PathBuf,
    #[command(flatten)]
    profile: ProfileArg,
    /// Games in all
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    games: u32,
    /// Games of a file
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    shard_games: u32,
    /// Nodes of the search of a turn
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The seed of all random turns
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The network that plays [default: the built-in one, if the profile has one]
    #[arg(long, value_name = "FILE", conflicts_with = "seeds")]
    net: Option<PathBuf>,
    /// The difference of seeds plays, not a network
    #[arg(long)]
    seeds: bool,
    /// Games played at once [default: cores]
    #[arg(long, short)]
    concurrency: Option<usize>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let folder = &arguments.folder;
    let profile = arguments.profile.profile;
    let net = net(arguments)?;
    let evaluation = net.as_ref().map_or(Evaluation::Seeds, Evaluation::Net);
    fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    let run = Run {
        arguments,
        profile,
        evaluation,
        name: net.as_ref().map_or_else(|| "seeds".to_owned(), Net::name),
        next: AtomicU32::new(0),
        bar: progress(arguments.games.into(), "games"),
        signals: until_interrupted()?,
        total: Mutex::default(),
    };
    let threads = arguments.concurrency.unwrap_or_else(cores);
    let results: Vec<anyhow::Result<()>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(|| run.work())).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, anyhow::Result<()>>| {
            worker.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a thread has failed")))
        };
        workers.into_iter().map(join).collect()
    });
    run.bar.finish_and_clear();
    results.into_iter().collect::<anyhow::Result<()>>()?;
    let mut out = crate::cli::output();
    let (files, samples) = *run.total.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = folder.display();
    writeln!(out, "{folder}: {files} files of {profile}, {samples} positions")?;
    if run.signals.stopped() {
        writeln!(out, "stopped; the same command goes on")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The network that plays.
fn net(arguments: &Arguments) -> anyhow::Result<Option<Net>> {
    let profile = arguments.profile.profile;
    match &arguments.net {
        Some(path) => read_net(path, profile).map(Some),
        None => Ok(built_in(profile).filter(|_| !arguments.seeds).cloned()),
    }
}

/// What the threads share.
struct Run<'a> {
    arguments: &'a Arguments,
    profile: Profile,
    evaluation: Evaluation<'a>,
    name: String,
    /// The next file that nobody works at.
    next: AtomicU32,
    bar: ProgressBar,
    signals: Arc<Signals>,
    /// Files and samples there are.
    total: Mutex<(usize, usize)>,
}

impl Run<'_> {
    /// Makes files until there are enough.
    fn work(&self) -> anyhow::Result<()> {
        let Arguments { games, shard_games, .. } = *self.arguments;
        loop {
            let shard = self.next.fetch_add(1, Relaxed);
            let first = shard.saturating_mul(shard_games);
            if first >= games || self.signals.stopped() {
                return Ok(());
            }
            let header = self.header(shard, shard_games.min(games - first));
            let path = self.arguments.folder.join(format!("{shard:06}.{EXTENSION}"));
            let done = if path.exists() {
                Some(self.check(&path, &header)?)
            } else {
                self.make(&path, &header, first)?
            };
            let Some(samples) = done else { return Ok(()) };
            let mut total = self.total.lock().unwrap_or_else(PoisonError::into_inner);
            total.0 += 1;
            total.1 += samples;
        }
    }

    fn header(&self, shard: u32, games: u32) -> Header {
        Header {
            format: train::MAGIC.to_owned(),
            version: train::VERSION,
            profile: self.profile.to_string(),
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            eval: self.name.clone(),
            nodes: self.arguments.nodes,
            seed: self.arguments.seed,
            shard,
            games,
        }
    }

    /// Whether a file that is there is the one that would be made.
    fn check(&self, path: &Path, wanted: &Header) -> anyhow::Result<usize> {
        let (header, _, samples) = read(path)?;
        if header != *wanted {
            bail!("{}: made with other settings; use another folder", path.display());
        }
        self.bar.inc(header.games.into());
        self.bar.reset_eta();
        Ok(samples.len())
    }

    /// Plays the games of a file and writes it; `None` if it was stopped.
    fn make(&self, path: &Path, header: &Header, first: u32) -> anyhow::Result<Option<usize>> {
        let seed = header.seed ^ u64::from(header.shard + 1).wrapping_mul(SHARD_SEED);
        let mut generator = Generator::new(self.profile, self.evaluation, header.nodes, seed)?;
        let mut seen = HashSet::new();
        let mut samples = Vec::new();
        for game in first..first + header.games {
            let Some(mut played) = generator.game(game, &mut seen, &self.signals) else {
                return Ok(None);
            };
            samples.append(&mut played);
            self.bar.inc(1);
        }
        output::write(Some(path), |out| Ok(train::write(out, header, &samples)?))?;
        Ok(Some(samples.len()))
    }
}
