//! `kisolo analyse`: the best turns of a position.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;

use super::position::PositionArgs;
use super::values::seconds;
use crate::engine::{Engine, Event, Limits, MAX_HASH_MIB};
use crate::protocol::Namer;

/// The time that is searched when nothing limits it.
const DEFAULT_SECONDS: f64 = 3.0;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgs,
    /// Search to this depth, in plies
    #[arg(long, short, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Search so many nodes
    #[arg(long, short, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search so many seconds [default: 3, unless something else is given]
    #[arg(long, short, value_parser = seconds)]
    time: Option<Duration>,
    /// Number of best turns to show
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=16))]
    lines: u16,
    /// Size of the transposition table in MiB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=MAX_HASH_MIB as i64))]
    hash: u32,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.position.game()?;
    let unlimited = arguments.depth.is_none() && arguments.nodes.is_none();
    let default = unlimited.then(|| Duration::from_secs_f64(DEFAULT_SECONDS));
    let limits = Limits {
        depth: arguments.depth,
        nodes: arguments.nodes,
        move_time: arguments.time.or(default),
        ..Limits::default()
    };
    let mut engine = Engine::new(game.profile())?;
    engine.resize(arguments.hash as usize)?;
    engine.settings.multi_pv = usize::from(arguments.lines);
    engine.settings.overhead = Duration::ZERO;
    let namer = Namer { profile: game.profile(), root: *game.position(), chances: None };
    let mut output = io::stdout().lock();
    writeln!(output, "{}\n", game.describe())?;
    engine.set_game(game)?;
    let (sender, events) = channel();
    engine.go(limits, None, move |event| {
        // The other end goes only when printing has failed.
        let _ = sender.send(event);
    })?;
    for event in events {
        match event {
            Event::Line(line) => writeln!(output, "{}", namer.line_for_people(&line))?,
            Event::Best(best) => {
                let best = best.best.map_or_else(|| "none".to_owned(), |mv| namer.name(mv, 0));
                writeln!(output, "\nbest {best}")?;
                return Ok(ExitCode::SUCCESS);
            }
            _ => {}
        }
    }
    Err(anyhow!("the search has ended without an answer"))
}
