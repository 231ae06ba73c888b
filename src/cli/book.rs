//! `kisolo book`: files of even openings, and the engine's own book.

mod grow;
mod show;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::{Args, Subcommand};

use super::openings::{Maker, Recipe};
use super::output;
use super::position::ProfileArg;
use super::running::progress;

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Without a command a file of even openings is made. The same settings make the same file. `kisolo
match --openings FILE` plays it, and so does any other manager that reads position strings, one a
line, and passes over lines that begin with #."
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    openings: Openings,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Grow the engine's own opening book by search
    Grow(grow::Arguments),
    /// Print what a grown book knows of a position
    Show(show::Arguments),
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        Some(Command::Grow(arguments)) => grow::run(arguments),
        Some(Command::Show(arguments)) => show::run(arguments),
        None => openings(&arguments.openings),
    }
}

/// What makes a file of even openings.
#[derive(Debug, Args)]
struct Openings {
    #[command(flatten)]
    profile: ProfileArg,
    /// Start position
    #[arg(long, default_value = "startpos", value_name = "NAME")]
    start: String,
    /// Random turns from there, after random set-ups where they are due
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(..=500))]
    plies: u32,
    /// Openings that are wanted, each another position
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// Depth of the search that judges, in plies
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// The largest score either way, in centipawns
    #[arg(long, default_value_t = 100, value_name = "CP", value_parser = clap::value_parser!(i32).range(0..))]
    balance: i32,
    /// The seed of the random turns
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn openings(arguments: &Openings) -> anyhow::Result<ExitCode> {
    let profile = arguments.profile.profile;
    let start = profile.start(&arguments.start).ok_or_else(|| {
        let names = profile.start_names().join(", ");
        anyhow!("--start {}: {profile} has {names}", arguments.start)
    })?;
    let Openings { plies, depth, balance, .. } = *arguments;
    let recipe = Recipe { profile, start, plies, depth, balance };
    let bar = progress(arguments.count.into(), "openings");
    let mut positions = Vec::new();
    for (_, position, _) in Maker::new(recipe, arguments.seed)?.take(arguments.count as usize) {
        positions.push(profile.position_text(&position));
        bar.inc(1);
    }
    bar.finish_and_clear();
    if positions.is_empty() {
        bail!("no opening of {plies} turns is even to {balance} cp at depth {depth}");
    }
    let found = positions.len();
    output::write(arguments.output.as_deref(), |output| {
        output.write_all(header(arguments, found).as_bytes())?;
        for position in &positions {
            writeln!(output, "{position}")?;
        }
        Ok(())
    })?;
    if found < arguments.count as usize {
        crate::cli::warn(&format!("only {found} of {} openings were found", arguments.count));
    }
    Ok(ExitCode::SUCCESS)
}

/// What the book is and how to make it again.
fn header(arguments: &Openings, found: usize) -> String {
    let Openings { start, plies, count, depth, balance, seed, .. } = arguments;
    let profile = arguments.profile.profile;
    let mut text = format!("# openings of {profile}\n");
    let fields: [(&str, &dyn std::fmt::Display); 9] = [
        ("profile", &profile),
        ("start", start),
        ("plies", plies),
        ("count", &found),
        ("depth", depth),
        ("balance", &format_args!("{balance} cp")),
        ("seed", seed),
        ("engine", &concat!("kisolo ", env!("CARGO_PKG_VERSION"))),
        (
            "command",
            &format_args!(
                "kisolo book --profile {profile} --start {start} --plies {plies} --count {count} \
                 --depth {depth} --balance {balance} --seed {seed}"
            ),
        ),
    ];
    for (name, value) in fields {
        let _ = writeln!(text, "# {name}: {value}");
    }
    text
}
