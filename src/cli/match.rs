//! `kisolo match`: engines against engines.

mod plan;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::{Context, anyhow, bail};
use clap::{ArgMatches, Args, ValueEnum};

use super::display::Display;
use super::position::ProfileArg;
use super::values::{draw_rule, one_line, resign_rule, shard, sprt};
use super::warn;
use crate::arena::{DrawRule, Ending, Event, Match, ResignRule};
use crate::rating::Verdict;
use crate::record::{GameRecord, RecordFile, RecordReader, RecordedResult};

/// Random turns of an opening when nothing else is said.
const RANDOM_PLIES: u32 = 4;
/// Openings at random are even to this score, in centipawns.
const RANDOM_BALANCE: i32 = 150;

/// The form of a match on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatArgument {
    RoundRobin,
    Gauntlet,
    Knockout,
}

#[derive(Debug, Args)]
#[command(after_help = "\
An engine is a list of KEY=VALUE: name, cmd (default: this program), proto (uci or ugi),
tc=[MOVES/]SECONDS[+SECONDS], st=SECONDS, nodes=N, depth=N, option.NAME=VALUE.

Examples:
  kisolo match                             a short match against a weaker setting
  kisolo match --engine name=new cmd=./new --engine name=old cmd=./old --each tc=10+0.1 \\
      --rounds 5000 --sprt elo0=0 elo1=5 --records new-old.jsonl
  kisolo match --elo 400,800,1200,1600,2000 --each tc=2+0.02
  kisolo match --config engines.toml --format knockout --rounds 4")]
pub struct Arguments {
    /// An engine as KEY=VALUE…; give it once for each engine
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    engine: Vec<String>,
    /// Settings for all engines, as KEY=VALUE…
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// An engine of this program at a level, by rating; several are written
    /// 800,1200 or given once each. They need no limit
    #[arg(long, value_name = "RATING", value_delimiter = ',')]
    elo: Vec<u32>,
    /// Engines from a TOML file: [each] and [[engine]] with the same keys
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    profile: ProfileArg,
    /// The form of the match
    #[arg(long, value_enum, default_value = "round-robin")]
    format: FormatArgument,
    /// How many of the first engines play against all others in a gauntlet
    #[arg(long, default_value_t = 1, value_name = "N")]
    challengers: usize,
    /// How often everyone meets [default: 50; 10 without engines]
    #[arg(long, short, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    rounds: Option<u64>,
    /// Games of each meeting; 2 are one opening with sides changed
    #[arg(long, short, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=1000))]
    games: u64,
    /// Openings from a file: start positions or position strings, one a line,
    /// which may go on with `moves …` [default: random turns, judged even]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Take the openings of the file in its order instead of a seeded one
    #[arg(long)]
    in_order: bool,
    /// Start position of random openings [default: startpos]
    #[arg(long, default_value = "startpos", value_name = "NAME", hide_default_value = true)]
    start: String,
    /// Random turns of an opening [default: 4]; 0 begins at the start position
    #[arg(long, default_value_t = RANDOM_PLIES, hide_default_value = true)]
    plies: u32,
    /// Random openings are even to this score in centipawns, by a search
    #[arg(long, default_value_t = RANDOM_BALANCE)]
    balance: i32,
    /// The seed of openings and order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played at once [default: cores less one, at least 1]
    #[arg(long, short)]
    concurrency: Option<usize>,
    /// Keep a record of every game in this file
    #[arg(long, short = 'o', value_name = "FILE")]
    records: Option<PathBuf>,
    /// Go on with the match in the file of records
    #[arg(long, requires = "records")]
    resume: bool,
    /// The name of the match in the records
    #[arg(long, default_value = "match", value_parser = one_line)]
    event: String,
    /// Play part I of N of the schedule, as I/N
    #[arg(long, default_value = "1/1", value_parser = shard, value_name = "I/N")]
    shard: (u64, u64),
    /// Milliseconds that may be overstepped without a loss on time
    #[arg(long, default_value_t = 20, value_name = "MS")]
    margin: u64,
    /// Moves after which a game is a draw; 0 for none
    #[arg(long, default_value_t = 600)]
    turn_limit: usize,
    /// Do not end games at the third occurrence of a position
    #[arg(long)]
    no_repetition: bool,
    /// A draw after MOVES of both in a row within SCORE centipawns, from move
    /// AFTER on, as MOVES,SCORE,AFTER
    #[arg(long, value_parser = draw_rule, value_name = "MOVES,SCORE,AFTER")]
    draw: Option<DrawRule>,
    /// A loss after MOVES in a row at SCORE centipawns below zero, as
    /// MOVES,SCORE
    #[arg(long, value_parser = resign_rule, value_name = "MOVES,SCORE")]
    resign: Option<ResignRule>,
    /// Go on with the match when an engine has crashed or hung
    #[arg(long)]
    recover: bool,
    /// Compare the rules of UGI engines with ours before and after each move
    #[arg(long)]
    verify: bool,
    /// Keep what engines write to their standard error in this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Keep every line of the protocol in the log as well
    #[arg(long, requires = "log")]
    log_traffic: bool,
    /// Stop by a sequential test, as elo0=0 elo1=5 [alpha=0.05 beta=0.05
    /// model=normalized|logistic]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Print the result only
    #[arg(long, conflicts_with = "json")]
    quiet: bool,
    /// Print events as JSON, one a line
    #[arg(long)]
    json: bool,
}

/// Runs the command. `matches` are its raw arguments, in which each `--engine`
/// is still a group of its own.
pub fn run(arguments: &Arguments, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let test = sprt(&arguments.sprt)?;
    let plan = plan::plan(arguments, matches)?;
    if test.is_some() && plan.engines.len() != 2 {
        bail!("--sprt is for matches of two engines");
    }
    let known = match &arguments.records {
        Some(path) => known(path, &plan, arguments.resume)?,
        None => Vec::new(),
    };
    let stop = Arc::new(AtomicBool::new(false));
    let signal = Arc::clone(&stop);
    ctrlc::set_handler(move || signal.store(true, Relaxed)).context("signals")?;
    for (spec, (_, unknown)) in plan.engines.iter().zip(plan.probe(&stop).map_err(|e| anyhow!(e))?)
    {
        if !unknown.is_empty() {
            let unknown = unknown.join(", ");
            warn(&format!("engine {} does not announce option {unknown}", spec.name));
        }
    }
    let mut display = Display::new(&plan, test, arguments.quiet, arguments.json);
    let mut file = None;
    if let Some(path) = &arguments.records {
        let (opened, torn) =
            RecordFile::append(path).with_context(|| format!("records {}", path.display()))?;
        if let Some(torn) = torn {
            let bytes = torn.bytes;
            display
                .note(&format!("{}: a torn last line of {bytes} bytes is dropped", path.display()));
        }
        file = Some(opened);
    }
    known.iter().for_each(|record| display.count(record));
    let results = known.iter().map(|record| (record.game, record.result)).collect();
    play(&plan, results, &stop, &mut display, file)
}

fn play(
    plan: &Match,
    known: HashMap<u64, RecordedResult>,
    stop: &AtomicBool,
    display: &mut Display,
    mut file: Option<RecordFile>,
) -> anyhow::Result<ExitCode> {
    display.begin(plan.schedule(HashMap::new()).total(), known.len() as u64);
    let mut failed: std::io::Result<()> = Ok(());
    let mut accepted = false;
    if display.verdict() != Verdict::Continue {
        stop.store(true, Relaxed);
        accepted = true;
    }
    let ending = plan.run(known, stop, |event| match event {
        Event::Started(game) => display.started(game.game),
        Event::Finished(record) => {
            // A game that ends while a verdict is out is kept all the same.
            if let Some(file) = &mut file
                && let Err(error) = file.write(&record)
            {
                failed = Err(error);
                stop.store(true, Relaxed);
            }
            display.finished(&record);
            if display.verdict() != Verdict::Continue {
                accepted = true;
                stop.store(true, Relaxed);
            }
        }
        Event::Disagreement(found) => display.disagreement(&found),
    });
    // Not even a closed pipe is harmless here.
    failed.map_err(|error| anyhow!("records: {error}"))?;
    display.end(plan, &ending, accepted)?;
    Ok(match ending {
        Ending::Failed(_) => ExitCode::FAILURE,
        Ending::Stopped if !accepted => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    })
}

/// The games of this match that a file has already.
fn known(path: &Path, plan: &Match, resume: bool) -> anyhow::Result<Vec<GameRecord>> {
    let name = path.display();
    if !path.exists() || path.metadata().is_ok_and(|data| data.len() == 0) {
        return Ok(Vec::new());
    }
    if !resume {
        bail!("{name} exists; --resume goes on with the match in it");
    }
    let mut known = HashMap::new();
    for (number, record) in RecordReader::open(path).with_context(|| format!("records {name}"))? {
        match record {
            Ok(record) if record.event == plan.event => {
                known.insert(record.game, record);
            }
            Ok(record) => bail!(
                "{name} line {number} belongs to match {}, not to {}: engines, limits, openings, \
                 seed and rules have to be the same",
                record.event,
                plan.event
            ),
            // The last line may be torn; it is dropped when the file is opened.
            Err(error) if error.starts_with("torn") => {}
            Err(error) => bail!("{name} line {number}: {error}"),
        }
    }
    let mut known: Vec<GameRecord> = known.into_values().collect();
    known.sort_by_key(|record| record.game);
    Ok(known)
}
