//! `kisolo calibrate`.

mod chart;
mod report;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;

use super::openings::{Maker, Recipe};
use super::output;
use super::position::ProfileArg;
use super::running::{cores, progress, until_interrupted};
use crate::calibrate::{Calibration, Settings, mix};
use crate::eval::{Net, built_in as net};
use crate::levels::{LevelTable, built_in};
use crate::rules::{Game, Profile};
use crate::search::Signals;

/// Random turns of an opening: even, so that South begins.
const OPENING_PLIES: u32 = 4;
/// The depth of the search that judges openings.
const OPENING_DEPTH: u32 = 6;
/// Openings are even to this score, in centipawns.
const OPENING_BALANCE: i32 = 150;
/// The state is written at most so often.
const SAVE_EVERY: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
#[command(after_help = "\
All players are of this process and limited by nodes, so that the games are the same on every
machine. The state is written all the while: the same command goes on where it was stopped (Ctrl-C).
The table is embedded in the program when it is built, from levels/PROFILE.json.

Examples:
  kisolo calibrate state.json -o levels/kisolo.json
  kisolo calibrate check.json --check --seed 1000 -o levels/kisolo.json \\
      --page docs/levels/kisolo.md")]
pub struct Arguments {
    /// The file of the state, JSON
    state: PathBuf,
    #[command(flatten)]
    profile: ProfileArg,
    /// Measure the levels of a table as they are; the seed has to be another
    /// than that of the games which found them
    #[arg(long)]
    check: bool,
    /// The table to measure [default: the built-in one]
    #[arg(long, value_name = "FILE", requires = "check")]
    table: Option<PathBuf>,
    /// Pairs of games between two weak players who meet, in a round; stronger
    /// ones, whose games take longer, play fewer, and the first round has a
    /// quarter of that
    #[arg(long, default_value_t = 250, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pairs: u32,
    /// Pairs of games between any two players who meet, however strong; a
    /// level has at least six others to meet
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    fewest: u32,
    /// The most rounds
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// How far from its rating a level may be, in Elo
    #[arg(long, default_value_t = 10.0)]
    tolerance: f64,
    /// The most nodes of a level: levels that need more are left out
    #[arg(long, default_value_t = 65_536, value_parser = clap::value_parser!(u64).range(1024..=262_144))]
    most_nodes: u64,
    /// How many different openings
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    openings: u32,
    /// The seed of openings and players
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The commit of this program, to be named in the table
    #[arg(long, default_value = "", hide_default_value = true)]
    commit: String,
    /// The table to write
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// A page of the measurement to write, Markdown, and beside it a plot of
    /// measured against nominal ratings, SVG
    #[arg(long, value_name = "FILE", requires = "check")]
    page: Option<PathBuf>,
    /// Games played at once [default: cores]
    #[arg(long, short)]
    concurrency: Option<usize>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let profile = arguments.profile.profile;
    if !(arguments.tolerance > 0.0 && arguments.tolerance.is_finite()) {
        bail!("--tolerance {}: a number of Elo above 0 is accepted", arguments.tolerance);
    }
    let table = table(arguments, profile)?;
    if arguments.check && table.seed == arguments.seed {
        bail!("--seed {}: the levels were found by games of this seed", arguments.seed);
    }
    let mut state = begin(arguments, profile, &table)?;
    let openings = openings(profile, arguments)?;
    let signals = until_interrupted()?;
    let mut out = super::output();
    while !state.finished {
        if !play(arguments, &mut state, &openings, &signals)? {
            writeln!(out, "stopped; the same command goes on")?;
            out.flush()?;
            return Ok(ExitCode::FAILURE);
        }
        let round = state.round();
        let worst = state.conclude()?;
        if worst.is_finite() {
            writeln!(out, "round {round}: the farthest level is {worst:.0} Elo from its rating")?;
        }
        save(&arguments.state, &state)?;
        out.flush()?;
    }
    let found = report::table(arguments, &state, &table, profile)?;
    report::print(&mut out, &state, &found)?;
    if let Some(path) = &arguments.output {
        output::write(Some(path), |out| {
            serde_json::to_writer_pretty(&mut *out, &found)?;
            Ok(writeln!(out)?)
        })?;
    }
    if let Some(path) = &arguments.page {
        let plot = path.with_extension("svg");
        let svg = chart::measured(&found)?;
        output::write(Some(&plot), |out| Ok(out.write_all(svg.as_bytes())?))?;
        let plot = plot.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let page = report::page(&state, &found, &plot)?;
        output::write(Some(path), |out| Ok(out.write_all(page.as_bytes())?))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The table that is measured.
fn table(arguments: &Arguments, profile: Profile) -> anyhow::Result<LevelTable> {
    let Some(path) = &arguments.table else { return Ok(built_in(profile).clone()) };
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("{name}"))?;
    LevelTable::parse(profile, &text).with_context(|| format!("{name}"))
}

/// The state in the file, or a new one.
fn begin(
    arguments: &Arguments,
    profile: Profile,
    table: &LevelTable,
) -> anyhow::Result<Calibration> {
    let settings = Settings {
        profile: profile.to_string(),
        seed: arguments.seed,
        pairs: arguments.pairs,
        fewest: arguments.fewest,
        rounds: arguments.rounds as usize,
        tolerance: arguments.tolerance,
        most_nodes: arguments.most_nodes,
        check: arguments.check,
    };
    let path = &arguments.state;
    let name = path.display();
    let levels = if arguments.check { table.levels.clone() } else { Vec::new() };
    if !path.exists() {
        return Ok(Calibration::new(settings, levels));
    }
    let text = fs::read_to_string(path).with_context(|| format!("{name}"))?;
    let state: Calibration = serde_json::from_str(&text)
        .with_context(|| format!("{name}: no state of a calibration"))?;
    let same = |one: &[_], other: &[_]| {
        let strength = |level: &crate::levels::Level| (level.elo, level.strength);
        one.iter().map(strength).eq(other.iter().map(strength))
    };
    if state.settings != settings || (arguments.check && !same(&state.levels, &levels)) {
        bail!("{name}: the state of a calibration with other settings or levels");
    }
    Ok(state)
}

/// Openings from all start positions in turn.
fn openings(profile: Profile, arguments: &Arguments) -> anyhow::Result<Vec<Game>> {
    let names = profile.start_names();
    let mut openings = Vec::new();
    for (number, name) in (0..).zip(names) {
        let recipe = Recipe {
            profile,
            start: profile.start(name).unwrap_or_else(|| profile.start_position()),
            plies: OPENING_PLIES,
            depth: OPENING_DEPTH,
            balance: OPENING_BALANCE,
        };
        let share = (arguments.openings as usize).div_ceil(names.len());
        for (opening, _, _) in Maker::new(recipe, mix(&[arguments.seed, number]))?.take(share) {
            openings.push(opening.game(profile)?);
        }
    }
    if openings.is_empty() {
        bail!("no even opening was found");
    }
    Ok(openings)
}

/// Plays a round, with progress. Whether it came to its end.
fn play(
    arguments: &Arguments,
    state: &mut Calibration,
    openings: &[Game],
    signals: &Signals,
) -> anyhow::Result<bool> {
    let threads = arguments.concurrency.unwrap_or_else(cores);
    let [played, all] = state.progress();
    let bar = progress(all, "pairs");
    bar.set_position(played);
    bar.reset_eta();
    let mut written = Instant::now();
    let ended = state.play(openings, threads, signals, |state| {
        bar.set_position(state.progress()[0]);
        if written.elapsed() < SAVE_EVERY {
            return Ok(());
        }
        written = Instant::now();
        save(&arguments.state, state)
    });
    bar.finish_and_clear();
    save(&arguments.state, state)?;
    ended
}

fn save(path: &Path, state: &Calibration) -> anyhow::Result<()> {
    output::write(Some(path), |out| {
        serde_json::to_writer(&mut *out, state)?;
        Ok(writeln!(out)?)
    })
}

/// The name of what judges positions in a profile.
fn judge(profile: Profile) -> String {
    net(profile).map_or_else(|| "seeds".to_owned(), Net::name)
}
