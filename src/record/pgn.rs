//! Games as text in the manner of PGN: for people, and for the rating tools
//! that read chess games. `docs/RECORDS.md` describes the form.
//!
//! South is `White`. What [`write()`] writes, [`read`] reads back unchanged,
//! but for control characters, which become blanks, and a centipawn score
//! beside a proven distance, which is left out.

mod comment;
mod lexer;
mod reader;
mod writer;

use thiserror::Error;

use super::{GameRecord, Reason, RecordedResult};

pub use comment::comment;
pub use reader::{Reader, read};
pub use writer::write;

/// What is wrong with a game of a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {game}, line {line}: {what}")]
pub struct PgnError {
    /// The number of the game in the text, from 1.
    pub game: u64,
    /// The line, from 1.
    pub line: u64,
    /// What is wrong there.
    pub what: String,
}

/// The word for the result of a game, South's points first; `*` for a game
/// without an end.
pub fn result_word(record: &GameRecord) -> &'static str {
    if record.reason == Reason::Unfinished { UNFINISHED } else { word(record.result) }
}

/// The word for the result of a game that has none yet.
const UNFINISHED: &str = "*";

const fn word(result: RecordedResult) -> &'static str {
    match result {
        RecordedResult::South => "1-0",
        RecordedResult::North => "0-1",
        RecordedResult::Draw => "1/2-1/2",
    }
}

/// The result with this word.
fn parse_result(text: &str) -> Option<RecordedResult> {
    [RecordedResult::South, RecordedResult::North, RecordedResult::Draw]
        .into_iter()
        .find(|&result| word(result) == text)
}

#[cfg(test)]
mod tests;
