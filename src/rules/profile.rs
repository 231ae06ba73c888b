//! The choice of a profile at run time.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::batch::{CpuLevel, perft_batched};
use super::{GameResult, Isolo, Move, MoveError, Node, Outcome, Rules, Turn, perft_divide};
use crate::board::{
    FirstPhase, Geometry, LANES, Lanes, Pit, PitSet, Position, PositionTextError, Side,
    parse_position, position_text, quoted,
};

/// One of the four rules profiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Captures stay on the board (the default).
    #[default]
    Kisolo,
    /// Free set-up, captured seeds are sown.
    KisoloFree,
    /// Three seeds in every pit, captured seeds are sown.
    KisoloFull,
    /// Sukuma Isolo on four rows of eight.
    Isolo,
}

/// A name that belongs to no profile.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is no profile; the profiles are kisolo, kisolo-free, kisolo-full and isolo")]
pub struct UnknownProfile(String);

/// Why a text is no position of a profile.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// It is no position of its board.
    #[error(transparent)]
    Text(#[from] PositionTextError),
    /// The wrong number of seeds.
    #[error("{found} seeds are on the board, but {profile} has {want}")]
    Seeds {
        /// Seeds counted.
        found: u32,
        /// Seeds that the profile has, less those in hand.
        want: u32,
        /// The profile.
        profile: Profile,
    },
    /// A first-phase field that the profile does not have.
    #[error("the first-phase field of {0} is always -")]
    NoFirstPhase(Profile),
    /// A side that has not set up but has seeds on the board, or the wrong
    /// side to move.
    #[error(
        "a set-up is due: SN has South to move and an empty board, N has North to move and \
         South's 21 seeds on the board"
    )]
    SetUp,
    /// A side in isolo's initial phase without a seed in its corner.
    #[error("{0} is in its first phase, so it has a seed in {1}")]
    Corner(Side, &'static str),
}

/// Calls `$body` with `$rules` naming the type of the rules of `$profile`:
/// the one place where a run-time profile becomes compiled code.
macro_rules! with_rules {
    ($profile:expr, $rules:ident => $body:expr) => {
        match $profile {
            $crate::rules::Profile::Kisolo => {
                type $rules = $crate::rules::Kisolo;
                $body
            }
            $crate::rules::Profile::KisoloFree => {
                type $rules = $crate::rules::KisoloFree;
                $body
            }
            $crate::rules::Profile::KisoloFull => {
                type $rules = $crate::rules::KisoloFull;
                $body
            }
            $crate::rules::Profile::Isolo => {
                type $rules = $crate::rules::Isolo;
                $body
            }
        }
    };
}
pub(crate) use with_rules;

impl Profile {
    /// The profiles, the default first.
    pub const ALL: [Self; 4] = [Self::Kisolo, Self::KisoloFree, Self::KisoloFull, Self::Isolo];

    /// The name: `kisolo`, `kisolo-free`, `kisolo-full` or `isolo`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kisolo => "kisolo",
            Self::KisoloFree => "kisolo-free",
            Self::KisoloFull => "kisolo-full",
            Self::Isolo => "isolo",
        }
    }

    /// The shape of the board.
    pub const fn geometry(self) -> Geometry {
        with_rules!(self, R => R::GEOMETRY)
    }

    /// The seeds of a game.
    pub const fn seeds(self) -> u32 {
        with_rules!(self, R => R::SEEDS)
    }

    /// The seeds that each side sets up in `kisolo-free`.
    pub const fn set_up_seeds(self) -> u32 {
        self.seeds() / 2
    }

    /// The names of the start positions, `startpos` first.
    pub const fn start_names(self) -> &'static [&'static str] {
        match self {
            Self::Kisolo => &["startpos", "startpos1", "startpos2"],
            Self::KisoloFree => &["startpos", "startpos1"],
            Self::KisoloFull | Self::Isolo => &["startpos"],
        }
    }

    /// The start position with this name, one of [`Profile::start_names`].
    pub fn start(self, name: &str) -> Option<Position> {
        let outer_row = || Lanes::new(std::array::from_fn(|pit| if pit < 7 { 3 } else { 0 }));
        let side = match (self, name) {
            (Self::Kisolo, "startpos") | (Self::KisoloFree, "startpos1") => outer_row(),
            // Townshend's two further starts, as Ludii places them.
            (Self::Kisolo, "startpos1") => {
                Lanes::new([1, 0, 1, 0, 1, 0, 15, 0, 1, 0, 1, 0, 1, 0, 0, 0])
            }
            (Self::Kisolo, "startpos2") => {
                Lanes::new([9, 0, 0, 0, 0, 0, 9, 0, 1, 0, 1, 0, 1, 0, 0, 0])
            }
            (Self::KisoloFree, "startpos") => Lanes::EMPTY,
            (Self::KisoloFull, "startpos") => {
                Lanes::new(std::array::from_fn(|pit| if pit < LANES - 2 { 3 } else { 0 }))
            }
            (Self::Isolo, "startpos") => Isolo::opening(),
            _ => return None,
        };
        let first = match (self, name) {
            (Self::Isolo, _) | (Self::KisoloFree, "startpos") => FirstPhase::BOTH,
            _ => FirstPhase::NONE,
        };
        Some(Position::new(side, side, Side::South, first))
    }

    /// The position `startpos`.
    pub fn start_position(self) -> Position {
        // Every profile has one; the table in `start` is tested for it.
        self.start("startpos").unwrap_or_else(|| unreachable!("{self} has no startpos"))
    }

    /// Reads a position string and checks that it is valid in this profile.
    ///
    /// # Errors
    /// Names what is wrong and what is accepted.
    pub fn parse_position(self, text: &str) -> Result<Position, PositionError> {
        let position = parse_position(self.geometry(), text)?;
        self.validate(&position)?;
        Ok(position)
    }

    /// The position string of a position.
    pub fn position_text(self, position: &Position) -> String {
        position_text(self.geometry(), position)
    }

    /// Checks that a position is valid in this profile.
    ///
    /// # Errors
    /// Names what is wrong.
    pub fn validate(self, position: &Position) -> Result<(), PositionError> {
        let [south, north] = Side::BOTH.map(|side| position.lanes(side));
        let first = position.first;
        let mut want = self.seeds();
        match self {
            Self::Kisolo | Self::KisoloFull if first != FirstPhase::NONE => {
                return Err(PositionError::NoFirstPhase(self));
            }
            Self::KisoloFree if first != FirstPhase::NONE => {
                let south_due = first.contains(Side::South);
                let mover = if south_due { Side::South } else { Side::North };
                let in_order = first.contains(Side::North) && position.side == mover;
                let in_hand = north == Lanes::EMPTY && (!south_due || south == Lanes::EMPTY);
                if !in_order || !in_hand {
                    return Err(PositionError::SetUp);
                }
                want = if south_due { 0 } else { self.set_up_seeds() };
            }
            Self::Isolo => {
                for (side, corner) in [(Side::South, "h1"), (Side::North, "a4")] {
                    if first.contains(side) && position.lanes(side).get(7) == 0 {
                        return Err(PositionError::Corner(side, corner));
                    }
                }
            }
            _ => {}
        }
        let found = south.sum() + north.sum();
        if found != want {
            return Err(PositionError::Seeds { found, want, profile: self });
        }
        Ok(())
    }

    /// The position made ready for its turns.
    pub fn node(self, position: &Position) -> Node {
        with_rules!(self, R => R::node(position))
    }

    /// The pits that name a legal turn: none when the game is over or a
    /// set-up is due.
    pub fn legal(self, position: &Position) -> PitSet {
        self.node(position).legal
    }

    /// Whether the side to move still has to set up its seeds. The legal
    /// moves are then all 927,983,760 arrangements.
    pub fn set_up_due(self, position: &Position) -> bool {
        with_rules!(self, R => R::set_up_due(position))
    }

    /// Makes a move.
    ///
    /// # Errors
    /// When it is not legal.
    pub fn play(self, position: &Position, mv: Move) -> Result<Turn, MoveError> {
        self.check(position, mv)?;
        Ok(match mv {
            Move::Sow(pit) => with_rules!(self, R => R::play(&R::node(position), pit)),
            Move::SetUp(own) => {
                let first = position.first.without(position.side);
                let after = Position { own, first, ..*position }.flipped();
                Turn { after, outcome: Outcome::Ongoing, packets: 0 }
            }
        })
    }

    /// The number of sequences of exactly `depth` turns from `position`, in
    /// which no set-up is due, the last turns made in batches; see
    /// [`perft_batched`].
    pub fn perft(self, position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        with_rules!(self, R => perft_batched::<R>(CpuLevel::best(), position, depth).turns)
    }

    /// The sequences behind each turn of `position`; see [`perft_divide`].
    pub fn perft_divide(self, position: &Position, depth: u32) -> Vec<(Pit, u64)> {
        with_rules!(self, R => perft_divide::<R>(position, depth))
    }

    /// How a game stands as far as a position alone tells.
    pub fn result(self, position: &Position) -> GameResult {
        if !self.set_up_due(position) && self.legal(position).is_empty() {
            let outcome = with_rules!(self, R => R::outcome_without_turns(position));
            outcome.for_mover(position.side)
        } else {
            GameResult::Ongoing
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(text: &str) -> Result<Self, UnknownProfile> {
        Self::ALL
            .into_iter()
            .find(|profile| profile.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownProfile(quoted(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_start_position_is_valid_and_going_on() {
        for profile in Profile::ALL {
            for name in profile.start_names() {
                let position = profile.start(name).unwrap();
                assert_eq!(profile.validate(&position), Ok(()), "{profile} {name}");
                assert_eq!(profile.result(&position), GameResult::Ongoing);
                let text = profile.position_text(&position);
                assert_eq!(profile.parse_position(&text), Ok(position));
            }
            assert_eq!(profile.start("startpos9"), None);
            assert_eq!(profile.name().to_uppercase().parse(), Ok(profile));
        }
    }

    #[test]
    fn positions_that_do_not_fit_are_refused() {
        let zero7 = "0,0,0,0,0,0,0";
        let cases = [
            (Profile::Kisolo, format!("{zero7}/{zero7}/{zero7}/41,0,0,0,0,0,0 S -"), "41 seeds"),
            (Profile::Kisolo, format!("{zero7}/{zero7}/{zero7}/42,0,0,0,0,0,0 S S"), "always -"),
            (Profile::KisoloFull, format!("{zero7}/{zero7}/{zero7}/84,0,0,0,0,0,0 S N"), "always"),
            (Profile::KisoloFree, format!("{zero7}/{zero7}/{zero7}/{zero7} N SN"), "set-up is due"),
            (Profile::KisoloFree, format!("{zero7}/{zero7}/{zero7}/21,0,0,0,0,0,0 S N"), "set-up"),
            (
                Profile::KisoloFree,
                format!("{zero7}/{zero7}/{zero7}/20,0,0,0,0,0,0 N N"),
                "20 seeds",
            ),
            (Profile::KisoloFree, format!("21,0,0,0,0,0,0/{zero7}/{zero7}/{zero7} S S"), "set-up"),
            (
                Profile::Isolo,
                format!("64,0,0,0,0,0,0,0/0,{zero7}/0,{zero7}/{zero7},0 S S"),
                "South is in its first phase",
            ),
        ];
        for (profile, text, part) in cases {
            let error = profile.parse_position(&text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
