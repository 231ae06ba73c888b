//! Moves as values and as text.

use thiserror::Error;

use super::Profile;
use crate::board::{LANES, Lanes, Pit, Position, parse_count, parse_pit, pit_name, quoted};

/// A move of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The turn that this pit names.
    Sow(Pit),
    /// The arrangement of all own seeds (`kisolo-free`).
    SetUp(Lanes),
}

/// Why a move is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// No pit of this board and no set-up.
    #[error("'{0}' is no move: a move is a pit such as {1}")]
    Syntax(String, String),
    /// A set-up that is no set-up.
    #[error(
        "'{0}' is no set-up: a set-up is '@' and {1} counts in sowing order, parted by commas, \
         {2} seeds in all"
    )]
    SetUpSyntax(String, usize, u32),
    /// An enemy pit.
    #[error("{0} is not a pit of {1}, whose move it is")]
    NotYours(String, &'static str),
    /// An own pit that names no legal turn.
    #[error("{0} is not legal here; legal: {1}")]
    NotLegal(String, String),
    /// A pit where a set-up is due.
    #[error("{0} is not legal here: a set-up is due, '@' and 14 counts")]
    SetUpDue(String),
    /// A set-up where none is due.
    #[error("a set-up is not legal here; legal: {0}")]
    NoSetUpDue(String),
    /// A move after the end.
    #[error("the game is over")]
    GameOver,
}

impl Profile {
    /// The text of a move made by `position.side`: `e2`, or `@` and counts.
    pub fn move_text(self, position: &Position, mv: Move) -> String {
        match mv {
            Move::Sow(pit) => pit_name(self.geometry(), position.side, pit),
            Move::SetUp(lanes) => {
                let counts = lanes.counts();
                let counts: Vec<String> =
                    counts[..self.geometry().pits()].iter().map(u8::to_string).collect();
                format!("@{}", counts.join(","))
            }
        }
    }

    /// Reads a move and checks that it is legal in `position`, taken for a
    /// position in which the game goes on.
    ///
    /// # Errors
    /// Says what is wrong with the move and what would be legal.
    pub fn parse_move(self, position: &Position, text: &str) -> Result<Move, MoveError> {
        let mv = if let Some(counts) = text.strip_prefix('@') {
            let error = || {
                MoveError::SetUpSyntax(quoted(text), self.geometry().pits(), self.set_up_seeds())
            };
            Move::SetUp(self.parse_arrangement(counts).ok_or_else(error)?)
        } else {
            let (side, pit) = parse_pit(self.geometry(), text).ok_or_else(|| {
                let sample = pit_name(self.geometry(), position.side, Pit(0));
                MoveError::Syntax(quoted(text), sample)
            })?;
            if side != position.side {
                let mover = position.side.name();
                return Err(MoveError::NotYours(text.to_owned(), mover));
            }
            Move::Sow(pit)
        };
        self.check(position, mv)?;
        Ok(mv)
    }

    /// Checks that a move is legal in `position`.
    ///
    /// # Errors
    /// Says why it is not.
    pub fn check(self, position: &Position, mv: Move) -> Result<(), MoveError> {
        let text = || self.move_text(position, mv);
        match (mv, self.set_up_due(position)) {
            (Move::SetUp(lanes), true) if lanes.sum() == self.set_up_seeds() => Ok(()),
            (Move::SetUp(_), true) => {
                Err(MoveError::SetUpSyntax(text(), self.geometry().pits(), self.set_up_seeds()))
            }
            (Move::SetUp(_), false) => Err(MoveError::NoSetUpDue(self.legal_text(position))),
            (Move::Sow(_), true) => Err(MoveError::SetUpDue(text())),
            (Move::Sow(pit), false) => {
                if self.node(position).legal.contains(pit) {
                    Ok(())
                } else {
                    Err(MoveError::NotLegal(text(), self.legal_text(position)))
                }
            }
        }
    }

    /// The legal turns of `position` on one line, or `none`.
    pub fn legal_text(self, position: &Position) -> String {
        let moves: Vec<String> =
            self.legal(position).map(|pit| self.move_text(position, Move::Sow(pit))).collect();
        if moves.is_empty() { "none".to_owned() } else { moves.join(" ") }
    }

    fn parse_arrangement(self, text: &str) -> Option<Lanes> {
        let pits = self.geometry().pits();
        if text.split(',').count() != pits {
            return None;
        }
        let mut counts = [0; LANES];
        for (count, text) in counts.iter_mut().zip(text.split(',')) {
            *count = parse_count(text)?;
        }
        let lanes = Lanes::new(counts);
        (lanes.sum() == self.set_up_seeds()).then_some(lanes)
    }
}
