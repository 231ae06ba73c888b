//! `kisolo turns`: our rules for other programs.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use super::position::ProfileArgument;
use crate::protocol::read_line;
use crate::rules::{GameResult, Move, Outcome, Profile, SET_UP_DUE};

/// The longest line that is taken, in bytes; no position needs a hundredth.
const LONGEST_LINE: usize = 64 << 10;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    profile: ProfileArgument,
    /// Position strings, one a line [default: standard input]
    file: Option<PathBuf>,
}

/// One position with all its turns, as the test vectors have it.
#[derive(Serialize)]
struct Turns<'a> {
    position: &'a str,
    moves: Vec<Made>,
}

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

/// A line that is no position.
#[derive(Serialize)]
struct Bad<'a> {
    position: &'a str,
    error: String,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let output = BufWriter::new(io::stdout().lock());
    let profile = arguments.profile.profile;
    match &arguments.file {
        Some(path) => {
            let file = File::open(path).with_context(|| format!("{}", path.display()))?;
            convert(profile, BufReader::new(file), output)
                .with_context(|| format!("{}", path.display()))
        }
        None => convert(profile, io::stdin().lock(), output),
    }
}

/// Answers line by line. Blank lines have no answer.
fn convert(
    profile: Profile,
    mut input: impl BufRead,
    mut output: impl Write,
) -> anyhow::Result<ExitCode> {
    let mut status = ExitCode::SUCCESS;
    while let Some(line) = read_line(&mut input, LONGEST_LINE)? {
        let text = line.as_ref().map_or("", |line| line.trim());
        if text.is_empty() && line.is_ok() {
            continue;
        }
        let turns = match &line {
            Ok(_) => turns(profile, text),
            Err(why) => Err((*why).to_owned()),
        };
        match turns {
            Ok(moves) => serde_json::to_writer(&mut output, &Turns { position: text, moves })?,
            Err(error) => {
                status = ExitCode::FAILURE;
                serde_json::to_writer(&mut output, &Bad { position: text, error })?;
            }
        }
        output.write_all(b"\n")?;
    }
    output.flush()?;
    Ok(status)
}

/// Every turn of a position with its result.
fn turns(profile: Profile, text: &str) -> Result<Vec<Made>, String> {
    let position = profile.parse_position(text).map_err(|error| error.to_string())?;
    if profile.set_up_due(&position) {
        return Err(format!("{SET_UP_DUE}; they are not enumerated"));
    }
    let turns = profile.legal(&position).map(|pit| {
        let mv = Move::Sow(pit);
        let turn = profile.play(&position, mv).map_err(|error| error.to_string())?;
        let result: GameResult = turn.outcome.for_mover(position.side);
        let whole = turn.outcome != Outcome::Draw;
        Ok(Made {
            mv: profile.move_text(&position, mv),
            result: result.word(),
            packets: whole.then_some(turn.packets),
            after: whole.then(|| profile.position_text(&turn.after)),
        })
    });
    turns.collect()
}
