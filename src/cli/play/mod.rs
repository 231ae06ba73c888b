//! `kisolo play`: a game in the terminal.

mod command;
mod keep;
mod played;
mod screen;
mod session;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::position::{ProfileArg, named_position};
use super::think::limit_text;
use super::values::seconds;
use crate::board::Side;
use crate::engine::{DEFAULT_ELO, Engine, LOWEST_ELO, Limits};
use crate::record::Player;
use session::{Seat, Session, Setting};

/// The nodes behind a hint when a level limits the engine: some tenths of a
/// second, and the same answer each time.
const ADVICE_NODES: u64 = 300_000;

/// Play a game in the terminal
///
/// Draws the board, takes pits by name and tells what happened in every turn.
/// `help` at the board lists the commands: hint, undo, save and so on.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kisolo play                              South against the engine
  kisolo play --side north --level 1800    North against a stronger one
  kisolo play --side both                  two people at one board
  kisolo play --side none --time 1         watch the engine play itself
  kisolo play -p kisolo-free               with a set-up of both sides

The board is coloured on a terminal, unless NO_COLOR is set.")]
pub struct Arguments {
    /// The side you play: south, north, both (two people) or none (watch)
    #[arg(long, short, value_enum, default_value_t, hide_possible_values = true)]
    side: Persons,
    #[command(flatten)]
    profile: ProfileArg,
    /// Start position: startpos, startpos1, startpos2 or a position string
    #[arg(long, value_name = "POSITION", default_value = "startpos")]
    start: String,
    /// How strong the engine plays: a rating from 400 up to the highest level
    /// of the profile [default: 1200, unless --time or --nodes is given]
    #[arg(long, short, conflicts_with_all = ["time", "nodes"])]
    level: Option<u32>,
    /// The engine plays at full strength, so many seconds a turn
    #[arg(long, short, value_parser = seconds, value_name = "SECONDS")]
    time: Option<Duration>,
    /// The engine plays at full strength, so many nodes a turn
    #[arg(long, short, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    nodes: Option<u64>,
}

/// The sides that people play.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Persons {
    #[default]
    South,
    North,
    Both,
    None,
}

impl Persons {
    const fn seats(self) -> [Seat; 2] {
        match self {
            Self::South => [Seat::Person, Seat::Engine],
            Self::North => [Seat::Engine, Seat::Person],
            Self::Both => [Seat::Person, Seat::Person],
            Self::None => [Seat::Engine, Seat::Engine],
        }
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let profile = arguments.profile.profile;
    let start = named_position(profile, &arguments.start)?;
    let seats = arguments.side.seats();
    let full = Limits { move_time: arguments.time, nodes: arguments.nodes, ..Limits::default() };
    let at_full_strength = arguments.time.is_some() || arguments.nodes.is_some();
    let level = arguments.level.unwrap_or(DEFAULT_ELO);
    let mut engine = Engine::new(profile)?;
    let highest = engine.highest_elo();
    if !(LOWEST_ELO..=highest).contains(&level) {
        bail!("--level {level}: the levels of {profile} are {LOWEST_ELO} to {highest}");
    }
    let advice = Limits { nodes: Some(ADVICE_NODES), ..Limits::default() };
    let (limits, advice, strength) = if at_full_strength {
        (full.clone(), full, "full strength".to_owned())
    } else {
        (Limits::default(), advice, format!("level {level}"))
    };
    let setting = Setting {
        profile,
        start,
        seats,
        players: Side::BOTH.map(|side| player(side, seats, &strength, &limits)),
        limits,
        level: (!at_full_strength).then_some(level),
        advice,
        coloured: io::stdout().is_terminal() && !no_colour(),
        prompt: io::stdin().is_terminal() && io::stdout().is_terminal(),
    };
    engine.settings.overhead = Duration::ZERO;
    let mut output = super::output();
    let who = match arguments.side {
        Persons::South => format!("You are South against the engine ({strength})"),
        Persons::North => format!("You are North against the engine ({strength})"),
        Persons::Both => "Two people play".to_owned(),
        Persons::None => format!("The engine ({strength}) plays itself"),
    };
    writeln!(
        output,
        "{who}, rules {profile}. A move is a pit such as {}; help lists the commands.",
        if matches!(arguments.side, Persons::North) { "e3" } else { "e1" }
    )?;
    Session::new(setting, engine, &mut output).run(&mut io::stdin().lock())?;
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Whether the environment asks for no colours (no-color.org).
fn no_colour() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// A player as records name it.
fn player(side: Side, seats: [Seat; 2], strength: &str, limits: &Limits) -> Player {
    let name = if seats[0] == seats[1] { side.name() } else { "person" };
    match seats[side as usize] {
        Seat::Person => Player { name: name.to_owned(), ..Player::default() },
        Seat::Engine => Player {
            name: format!("kisolo, {strength}"),
            engine: Some(concat!("kisolo ", env!("CARGO_PKG_VERSION")).to_owned()),
            limit: limit_text(limits),
            ..Player::default()
        },
    }
}
