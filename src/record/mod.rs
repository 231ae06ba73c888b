//! Records of games: one JSON object a line, appended as games end.
//!
//! `PROTOCOL.md` describes the format for other programs. Nothing here knows
//! engines; a record is what the arena saw.

mod file;
pub mod pgn;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::Side;
use crate::rules::{Game, GameResult, Profile};

pub use file::{RecordFile, RecordReader, Torn};

/// The version of the format that is written.
pub const FORMAT: u32 = 1;

/// One finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The version of this format.
    pub format: u32,
    /// The match that the game belongs to: a name or a seed of its own.
    pub event: String,
    /// The number of the game in the schedule of its event, from 1.
    pub game: u64,
    /// The number of the opening that the game shares with its reverse game,
    /// from 1; games with the same opening and the same two players in
    /// changed seats are a pair.
    pub opening: u64,
    /// The seed of the event.
    pub seed: u64,
    /// When the game began, in UTC.
    pub date: String,
    /// The rules profile.
    pub profile: String,
    /// The position string that the game began with.
    pub start: String,
    /// Who played South.
    pub south: Player,
    /// Who played North.
    pub north: Player,
    /// All moves from the start on, set-ups and opening moves included.
    pub moves: Vec<MoveRecord>,
    /// `S`, `N` or `draw`.
    pub result: RecordedResult,
    /// Why the game ended.
    pub reason: Reason,
    /// What more there is to say, such as the illegal move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A player of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Player {
    /// The name in the match.
    pub name: String,
    /// What the engine calls itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The options that were set.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// The time control, as `kisolo match` takes it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub limit: String,
}

/// One move of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move as text.
    #[serde(rename = "move")]
    pub text: String,
    /// Given by the opening, not chosen by the player.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub book: bool,
    /// The mover's score in centipawns, if it gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// The mover's proven distance in its own turns, if it gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// The depth behind it, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The nodes behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The time it took by the arena's clock, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RecordedResult {
    /// South has won.
    #[serde(rename = "S")]
    South,
    /// North has won.
    #[serde(rename = "N")]
    North,
    /// Nobody has won.
    #[serde(rename = "draw")]
    Draw,
}

impl RecordedResult {
    /// The win of `side`.
    pub const fn won_by(side: Side) -> Self {
        match side {
            Side::South => Self::South,
            Side::North => Self::North,
        }
    }

    /// The result of a game that is over, else `None`.
    pub const fn of(result: GameResult) -> Option<Self> {
        match result {
            GameResult::Ongoing => None,
            GameResult::South => Some(Self::South),
            GameResult::North => Some(Self::North),
            GameResult::Draw => Some(Self::Draw),
        }
    }

    /// Points of a side: 2 for a win, 1 for a draw, 0 for a loss.
    pub const fn half_points(self, side: Side) -> u32 {
        match (self, side) {
            (Self::Draw, _) => 1,
            (Self::South, Side::South) | (Self::North, Side::North) => 2,
            _ => 0,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The rules decided it.
    Rules,
    /// An endless turn, a draw by the rules.
    EndlessTurn,
    /// Adjudicated: the same position for the third time.
    Repetition,
    /// Adjudicated: the limit of moves was reached.
    TurnLimit,
    /// Adjudicated: both engines saw an even game for long enough.
    DrawByScore,
    /// Adjudicated: the loser saw a lost game for long enough.
    ResignByScore,
    /// The players agreed on it.
    DrawAgreed,
    /// The loser resigned.
    Resignation,
    /// The game was saved before its end. It is written as a draw and counts
    /// for nothing.
    Unfinished,
    /// The loser answered a move that is not legal.
    IllegalMove,
    /// The loser's clock ran out.
    Time,
    /// The loser's process ended or closed its pipes.
    Crash,
    /// The loser did not answer at all.
    NoAnswer,
    /// The loser could not be started, or did not finish its greeting.
    NoStart,
}

impl Reason {
    /// Whether a fault of an engine ended the game.
    pub const fn is_fault(self) -> bool {
        matches!(
            self,
            Self::IllegalMove | Self::Time | Self::Crash | Self::NoAnswer | Self::NoStart
        )
    }

    /// The word of the format.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::EndlessTurn => "endless-turn",
            Self::Repetition => "repetition",
            Self::TurnLimit => "turn-limit",
            Self::DrawByScore => "draw-by-score",
            Self::ResignByScore => "resign-by-score",
            Self::DrawAgreed => "draw-agreed",
            Self::Resignation => "resignation",
            Self::Unfinished => "unfinished",
            Self::IllegalMove => "illegal-move",
            Self::Time => "time",
            Self::Crash => "crash",
            Self::NoAnswer => "no-answer",
            Self::NoStart => "no-start",
        }
    }
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// A format from the future.
    #[error("the record has format {0}; this program knows format {FORMAT}")]
    Format(u32),
    /// A profile, start position or move that the rules refuse.
    #[error("{0}")]
    Rules(String),
    /// A result that is not the one of the rules.
    #[error("the record says {recorded} by {reason}, but {actual}")]
    Result {
        /// The recorded result.
        recorded: String,
        /// The recorded reason.
        reason: &'static str,
        /// What the moves say.
        actual: String,
    },
}

impl GameRecord {
    /// The player of a side.
    pub const fn player(&self, side: Side) -> &Player {
        match side {
            Side::South => &self.south,
            Side::North => &self.north,
        }
    }

    /// Whether North made the first move, as far as the start position's text
    /// tells.
    pub fn moves_from_north(&self) -> bool {
        self.start.split_ascii_whitespace().nth(1) == Some("N")
    }

    /// Replays the game move by move; `each` sees the game before every move
    /// and the move's record. Returns the game after all moves.
    ///
    /// # Errors
    /// When profile, start or a move is not what the rules accept.
    pub fn replay(&self, mut each: impl FnMut(&Game, &MoveRecord)) -> Result<Game, RecordError> {
        if self.format != FORMAT {
            return Err(RecordError::Format(self.format));
        }
        let rules = |error: String| RecordError::Rules(error);
        let profile: Profile = self
            .profile
            .parse()
            .map_err(|error: crate::rules::UnknownProfile| rules(error.to_string()))?;
        let start = profile.parse_position(&self.start).map_err(|e| rules(e.to_string()))?;
        let mut game = Game::new(profile, start);
        for (number, mv) in (1..).zip(&self.moves) {
            each(&game, mv);
            profile
                .parse_move(game.position(), &mv.text)
                .and_then(|legal| game.play(legal))
                .map_err(|error| rules(format!("move {number} '{}': {error}", mv.text)))?;
        }
        Ok(game)
    }

    /// Replays the game and checks that the recorded result is possible: that
    /// of the rules where they decide, and none of theirs where they do not.
    ///
    /// # Errors
    /// Says what does not fit.
    pub fn verify(&self) -> Result<Game, RecordError> {
        let game = self.replay(|_, _| {})?;
        let decided = RecordedResult::of(game.result());
        let by_rules = matches!(self.reason, Reason::Rules | Reason::EndlessTurn);
        let fits = match self.reason {
            Reason::Rules => decided == Some(self.result) && self.result != RecordedResult::Draw,
            Reason::EndlessTurn => {
                decided == Some(RecordedResult::Draw) && self.result == RecordedResult::Draw
            }
            Reason::Repetition => game.repetitions() >= 2 && self.result == RecordedResult::Draw,
            Reason::TurnLimit | Reason::DrawByScore | Reason::DrawAgreed | Reason::Unfinished => {
                self.result == RecordedResult::Draw
            }
            _ => self.result != RecordedResult::Draw,
        };
        if fits && (by_rules || decided.is_none()) {
            return Ok(game);
        }
        let actual = match game.result() {
            GameResult::Ongoing if by_rules => "the game goes on".to_owned(),
            GameResult::Ongoing => "its moves do not show that".to_owned(),
            result => format!("the rules say {}", result.word()),
        };
        Err(RecordError::Result {
            recorded: format!("{:?}", self.result),
            reason: self.reason.word(),
            actual,
        })
    }
}

/// The time now in UTC, for [`GameRecord::date`].
pub fn now() -> String {
    let now = jiff::Timestamp::now();
    now.round(jiff::Unit::Second).unwrap_or(now).to_string()
}
