//! `kisolo tune`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use super::position::ProfileArg;
use super::running::{cores, until_interrupted};
use super::{openings, output};
use crate::rules::{Game, Profile};
use crate::search::Params;
use crate::tune::{Settings, Tuning, iterate};

/// Iterations between two lines of progress.
const LINE_EVERY: u32 = 10;

#[derive(Debug, Args)]
#[command(after_help = "\
The state is written after every iteration, so that a tuning can be stopped at any time (Ctrl-C)
and gone on with by --resume; it then ends as if it had never been stopped. The constants, with
their ranges and steps, stand in src/search/params.rs, and --list prints them. An engine started as
'kisolo --tunables' takes them as options, for matches and for the tuners of others.")]
pub struct Arguments {
    /// The file of the state, JSON
    #[arg(required_unless_present = "list")]
    state: Option<PathBuf>,
    /// Print all constants that can be tuned
    #[arg(long)]
    list: bool,
    /// Go on with the tuning in the file
    #[arg(long, conflicts_with_all = ["profile", "openings", "nodes", "pairs", "iterations", "seed", "only"])]
    resume: bool,
    #[command(flatten)]
    profile: ProfileArg,
    /// Openings to play: start positions or position strings, one a line
    #[arg(long, value_name = "FILE", required_unless_present_any = ["list", "resume"])]
    openings: Option<PathBuf>,
    /// Nodes a move
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Pairs of games of an iteration, each one opening with sides changed
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// Iterations in all
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,
    /// The seed of openings and directions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The constants to tune, by name [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Games played at once [default: cores]
    #[arg(long, short)]
    concurrency: Option<usize>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut out = super::output();
    let Some(path) = arguments.state.as_deref().filter(|_| !arguments.list) else {
        for tunable in Params::ALL {
            let (name, default, step) = (tunable.name, tunable.default, tunable.step);
            writeln!(out, "{name} {default} min {} max {} step {step}", tunable.min, tunable.max)?;
        }
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    };
    let mut tuning = if arguments.resume { load(path)? } else { begin(arguments, path)? };
    let profile: Profile = tuning.settings.profile.parse()?;
    let games = games(profile, Path::new(&tuning.settings.openings))?;
    let threads = arguments.concurrency.unwrap_or_else(cores);
    let signals = until_interrupted()?;
    while !tuning.finished() {
        if iterate(&mut tuning, &games, threads, &signals)?.is_none() {
            writeln!(out, "stopped; go on with: kisolo tune {} --resume", path.display())?;
            break;
        }
        save(path, &tuning)?;
        if tuning.iteration.is_multiple_of(LINE_EVERY) {
            let [won, drawn, lost] = tuning.games;
            let (done, all) = (tuning.iteration, tuning.settings.iterations);
            writeln!(out, "iteration {done} of {all}, {} games", won + drawn + lost)?;
            out.flush()?;
        }
    }
    for value in &tuning.values {
        writeln!(out, "{} {} -> {:.1}", value.name, value.start, value.value)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn begin(arguments: &Arguments, path: &Path) -> anyhow::Result<Tuning> {
    if path.exists() {
        bail!("{}: there is a file already; go on with it by --resume", path.display());
    }
    let openings = arguments.openings.as_deref().unwrap_or(Path::new(""));
    let settings = Settings {
        profile: arguments.profile.profile.to_string(),
        openings: openings.to_str().context("--openings: the path is not UTF-8")?.to_owned(),
        nodes: arguments.nodes,
        pairs: arguments.pairs,
        iterations: arguments.iterations,
        seed: arguments.seed,
    };
    let all = || Params::ALL.iter().map(|tunable| tunable.name.to_owned()).collect();
    let names = if arguments.only.is_empty() { all() } else { arguments.only.clone() };
    Ok(Tuning::new(settings, &names)?)
}

fn load(path: &Path) -> anyhow::Result<Tuning> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("{name}"))?;
    let tuning: Tuning =
        serde_json::from_str(&text).with_context(|| format!("{name}: no state of a tuning"))?;
    tuning.check().with_context(|| format!("{name}"))?;
    Ok(tuning)
}

fn save(path: &Path, tuning: &Tuning) -> anyhow::Result<()> {
    output::write(Some(path), |out| {
        serde_json::to_writer_pretty(&mut *out, tuning)?;
        Ok(writeln!(out)?)
    })
}

fn games(profile: Profile, path: &Path) -> anyhow::Result<Vec<Game>> {
    let openings = openings::read(profile, path)?;
    openings.iter().map(|opening| Ok(opening.game(profile)?)).collect()
}
