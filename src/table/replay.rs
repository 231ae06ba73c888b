//! Records that a page looks at: each game move by move.

use std::io::BufReader;

use serde::Serialize;

use super::limits::{ERRORS, GAMES};
use super::show::MoveView;
use crate::record::{GameRecord, RecordReader, RecordedResult, pgn};
use crate::rules::Profile;

/// The answer to `POST /api/records`.
#[derive(Debug, Default, Serialize)]
pub struct Replay {
    games: Vec<GameView>,
    left_off: usize,
    errors: Vec<String>,
}

#[derive(Debug, Serialize)]
struct GameView {
    profile: String,
    pits: usize,
    start: String,
    south: String,
    north: String,
    event: String,
    date: String,
    result: ResultView,
    note: Option<String>,
    moves: Vec<MoveView>,
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct ResultView {
    winner: &'static str,
    reason: &'static str,
}

impl Replay {
    /// Reads a file of records, or the PGN-like text of one.
    pub fn read(text: &[u8]) -> Self {
        let mut replay = Self::default();
        if text.trim_ascii_start().starts_with(b"[") {
            let text = String::from_utf8_lossy(text);
            for game in pgn::read(&text) {
                replay.add(game.map_err(|error| error.to_string()));
            }
        } else {
            for (number, record) in RecordReader::new(BufReader::new(text)) {
                replay.add(record.map_err(|error| format!("line {number}: {error}")));
            }
        }
        replay
    }

    fn add(&mut self, record: Result<GameRecord, String>) {
        match record {
            Ok(_) if self.games.len() >= GAMES => self.left_off += 1,
            Ok(record) => self.games.push(view(record)),
            Err(error) if self.errors.len() < ERRORS => self.errors.push(error),
            Err(_) => {}
        }
    }
}

fn view(record: GameRecord) -> GameView {
    let mut moves = Vec::with_capacity(record.moves.len());
    let replayed = record.replay(|game, mv| {
        // An illegal move ends the replay just after this, with its error.
        moves.extend(MoveView::new(game, mv).ok());
    });
    let profile: Option<Profile> = record.profile.parse().ok();
    GameView {
        pits: profile.map_or(0, |profile| profile.geometry().pits()),
        profile: record.profile,
        start: record.start,
        south: record.south.name,
        north: record.north.name,
        event: record.event,
        date: record.date,
        result: ResultView {
            winner: match record.result {
                RecordedResult::South => "south",
                RecordedResult::North => "north",
                RecordedResult::Draw => "draw",
            },
            reason: record.reason.word(),
        },
        note: record.note,
        moves,
        error: replayed.err().map(|error| error.to_string()),
    }
}
