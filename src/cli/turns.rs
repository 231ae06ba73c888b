//! `kisolo turns`.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use super::position::ProfileArg;
use crate::board::{Position, quoted};
use crate::protocol::read_line;
use crate::rules::{Game, GameResult, Move, Profile, SET_UPS};

/// The longest line that is taken, in bytes. No position string of any
/// profile is a tenth as long.
const LONGEST: usize = 4096;

/// List every legal turn of many positions as JSON lines
///
/// Reads position strings, one a line, and writes one JSON object a line:
/// `{"position":…,"moves":[{"move":…,"result":…,"packets":…,"after":…},…]}`.
/// The result is `-` when the game goes on, S or N for the winner, or draw;
/// a draw has neither packets nor a position after it.
///
/// A line that is no position of the profile gives
/// `{"position":…,"error":…}`, and the exit status is then 1. Blank lines are
/// skipped.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct TurnsArgs {
    #[command(flatten)]
    profile: ProfileArg,
    /// File with one position string a line; standard input if absent or -
    file: Option<PathBuf>,
}

/// A position with all its legal turns, as in the test vectors.
#[derive(Serialize)]
struct Turns {
    position: String,
    moves: Vec<Made>,
}

/// A turn and what it led to.
#[derive(Serialize)]
struct Made {
    #[serde(rename = "move")]
    mv: String,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    packets: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
}

/// A line that has no turns to list.
#[derive(Serialize)]
struct Refused {
    position: String,
    error: String,
}

/// Lists the turns of each position of the input.
pub fn run(args: &TurnsArgs) -> anyhow::Result<ExitCode> {
    let profile = args.profile.profile;
    let mut out = super::output();
    let all_good = match &args.file {
        Some(path) if path.as_os_str() != "-" => {
            let name = format!("{path:?}");
            let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
            list(profile, BufReader::new(file), &name, &mut out)?
        }
        _ => list(profile, BufReader::new(io::stdin().lock()), "standard input", &mut out)?,
    };
    Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Answers line after line; returns whether all were positions.
fn list(
    profile: Profile,
    mut input: BufReader<impl Read>,
    name: &str,
    out: &mut impl Write,
) -> anyhow::Result<bool> {
    let mut all_good = true;
    while let Some(line) =
        read_line(&mut input, LONGEST).with_context(|| format!("cannot read {name}"))?
    {
        let text = String::from_utf8_lossy(&line.bytes);
        let text = text.strip_suffix('\r').unwrap_or(&text);
        if text.trim().is_empty() && !line.too_long {
            continue;
        }
        let answer = if line.too_long {
            Err((quoted(text), format!("the line has more than {LONGEST} bytes")))
        } else {
            turns(profile, text).map_err(|error| (text.to_owned(), error))
        };
        let json = match answer {
            Ok(turns) => serde_json::to_string(&turns)?,
            Err((position, error)) => {
                all_good = false;
                serde_json::to_string(&Refused { position, error })?
            }
        };
        writeln!(out, "{json}")?;
        // A program that asks line by line gets its answers at once; a file
        // is answered in large pieces.
        if !input.buffer().contains(&b'\n') {
            out.flush()?;
        }
    }
    out.flush()?;
    Ok(all_good)
}

/// The turns of the position that a line holds, or why it has none to list.
fn turns(profile: Profile, text: &str) -> Result<Turns, String> {
    let position = profile.parse_position(text).map_err(|error| error.to_string())?;
    if profile.set_up_due(&position) {
        return Err(format!("a set-up is due, and set-ups are not enumerated ({SET_UPS} a side)"));
    }
    let made = |pit| made(profile, &position, Move::Sow(pit));
    let moves = profile.legal(&position).map(made).collect::<Result<_, _>>();
    Ok(Turns { position: profile.position_text(&position), moves: moves? })
}

fn made(profile: Profile, position: &Position, mv: Move) -> Result<Made, String> {
    let mut game = Game::new(profile, *position);
    let turn = game.play(mv).map_err(|error| error.to_string())?;
    let counts = game.result() != GameResult::Draw;
    Ok(Made {
        mv: profile.move_text(position, mv),
        result: game.result().word(),
        packets: counts.then_some(turn.packets),
        after: counts.then(|| profile.position_text(&turn.after)),
    })
}
