//! `kisolo games show`: a game move by move.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::Args;

use crate::board::{Side, diagram};
use crate::cli::records;
use crate::record::{GameRecord, Player, pgn};
use crate::rules::Game;

#[derive(Debug, Args)]
pub struct Arguments {
    /// A file of records; - is standard input
    file: PathBuf,
    /// The game by its number in the match [default: the first of the file]
    #[arg(long, short, value_name = "N")]
    game: Option<u64>,
    /// Draw the board after this many moves [default: after the last]
    #[arg(long, value_name = "K", conflicts_with = "all")]
    ply: Option<usize>,
    /// Draw the board after every move
    #[arg(long)]
    all: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut found = None;
    records::read(std::slice::from_ref(&arguments.file), |_, record| {
        if found.is_none() && arguments.game.is_none_or(|game| game == record.game) {
            found = Some(record);
        }
        Ok(())
    })?;
    let name = arguments.file.display();
    let record = found.ok_or_else(|| match arguments.game {
        Some(game) => anyhow!("{name}: no game {game} in it"),
        None => anyhow!("{name}: no game in it"),
    })?;
    let last = record.moves.len();
    let ply = arguments.ply.unwrap_or(last);
    if ply > last {
        bail!("--ply {ply}: the game has {last} moves");
    }
    let mut output = io::stdout().lock();
    write!(output, "{}", head(&record))?;
    let mut games = Vec::new();
    let after = record.replay(|game, _| games.push(game.clone()))?;
    games.push(after);
    for (number, (mv, pair)) in (1..).zip(record.moves.iter().zip(games.windows(2))) {
        let side = pair[0].position().side;
        let line = format!("{number:>4}. {side:<5}  {:<4}  {}", mv.text, pgn::comment(mv));
        writeln!(output, "{}", line.trim_end())?;
        if arguments.all && number < last {
            writeln!(output, "{}\n", board(&pair[1]))?;
        }
    }
    writeln!(output, "{}\n", end(&record))?;
    write!(output, "{}", games[ply].describe())?;
    Ok(ExitCode::SUCCESS)
}

fn board(game: &Game) -> String {
    diagram(game.profile().geometry(), game.position())
}

fn head(record: &GameRecord) -> String {
    let GameRecord { event, game, opening, date, profile, start, .. } = record;
    let mut text = format!("{event}, game {game}, opening {opening}, {date}\n");
    for side in Side::BOTH {
        let Player { name, engine, options, limit } = record.player(side);
        text += &format!("{side}: {name}");
        if let Some(engine) = engine {
            text += &format!(" ({engine})");
        }
        if !limit.is_empty() {
            text += &format!(", {limit}");
        }
        for (option, value) in options {
            text += &format!(", {option}={value}");
        }
        text.push('\n');
    }
    text + &format!("{profile} from {start}\n\n")
}

fn end(record: &GameRecord) -> String {
    let result = pgn::result_word(record);
    let note = record.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
    format!("{result}, {}{note}", record.reason.word())
}
