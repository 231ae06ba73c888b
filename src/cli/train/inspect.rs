//! `kisolo train inspect`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{read, shards};
use crate::rules::Profile;
use crate::train::{Header, Sample};

#[derive(Debug, Args)]
pub struct Arguments {
    /// Files of samples, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Positions of each file to print, evenly spread
    #[arg(long, default_value_t = 0)]
    positions: usize,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut out = crate::cli::output();
    let mut all = Statistics::default();
    let files = shards(&arguments.files)?;
    for path in &files {
        let (header, profile, samples) = read(path)?;
        let statistics = Statistics::of(&header, &samples);
        if files.len() == 1 || arguments.positions > 0 {
            let Header { engine, eval, nodes, seed, shard, .. } = &header;
            writeln!(
                out,
                "{}: {profile}, number {shard} of seed {seed}, {nodes} nodes a turn, {eval}, \
                 version {engine}",
                path.display()
            )?;
            print(&mut out, profile, &samples, arguments.positions)?;
        }
        all.add(&statistics);
    }
    all.print(&mut out, files.len())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Some positions, with score and result for the side to move.
fn print(
    out: &mut impl Write,
    profile: Profile,
    samples: &[Sample],
    count: usize,
) -> std::io::Result<()> {
    let step = samples.len().checked_div(count).unwrap_or(0).max(1);
    for sample in samples.iter().step_by(step).take(count) {
        let result = ["lost", "drawn", "won"][usize::from(sample.result().min(2))];
        let (score, ply, game) = (sample.score(), sample.ply(), sample.game());
        let position = profile.position_text(&sample.position());
        writeln!(out, "  {position}  {score:+} cp, {result}, ply {ply} of game {game}")?;
    }
    Ok(())
}

#[derive(Default)]
struct Statistics {
    games: u64,
    samples: u64,
    /// Lost, drawn and won by the side to move.
    results: [u64; 3],
    plies: u64,
    score: f64,
    distance: f64,
}

impl Statistics {
    fn of(header: &Header, samples: &[Sample]) -> Self {
        let mut statistics = Self { games: header.games.into(), ..Self::default() };
        for sample in samples {
            statistics.samples += 1;
            statistics.results[usize::from(sample.result().min(2))] += 1;
            statistics.plies += u64::from(sample.ply());
            statistics.score += f64::from(sample.score());
            statistics.distance += f64::from(sample.score()).abs();
        }
        statistics
    }

    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.samples += other.samples;
        for (sum, count) in self.results.iter_mut().zip(other.results) {
            *sum += count;
        }
        self.plies += other.plies;
        self.score += other.score;
        self.distance += other.distance;
    }

    fn print(&self, out: &mut impl Write, files: usize) -> std::io::Result<()> {
        let Self { games, samples, results: [lost, drawn, won], .. } = *self;
        let every = samples.max(1) as f64;
        let share = |count: u64| 100.0 * count as f64 / every;
        writeln!(
            out,
            "{files} files, {games} games, {samples} positions ({:.1} a game)\n\
             side to move: won {:.1}%, drawn {:.1}%, lost {:.1}%\n\
             mean ply {:.1}, mean score {:+.0} cp, mean distance from 0 {:.0} cp",
            samples as f64 / games.max(1) as f64,
            share(won),
            share(drawn),
            share(lost),
            self.plies as f64 / every,
            self.score / every,
            self.distance / every
        )
    }
}
