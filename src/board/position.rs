//! A position: both sides, the side to move, and who is in the first phase.

use std::fmt;

use super::lanes::Lanes;

/// A player. South moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Owns rows 1 and 2; "white" and player 1 of the protocols.
    South,
    /// Owns rows 3 and 4; "black" and player 2 of the protocols.
    North,
}

impl Side {
    /// Both sides, South first.
    pub const BOTH: [Self; 2] = [Self::South, Self::North];

    /// The opponent.
    #[inline(always)]
    pub const fn other(self) -> Self {
        match self {
            Self::South => Self::North,
            Self::North => Self::South,
        }
    }

    /// The name in English.
    pub const fn name(self) -> &'static str {
        match self {
            Self::South => "South",
            Self::North => "North",
        }
    }

    /// The letter of position strings: `S` or `N`.
    pub const fn letter(self) -> char {
        match self {
            Self::South => 'S',
            Self::North => 'N',
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The sides that are still in their first phase: isolo's initial phase, or
/// the set-up of `kisolo-free`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FirstPhase(u8);

impl FirstPhase {
    /// Neither side.
    pub const NONE: Self = Self(0);
    /// Both sides.
    pub const BOTH: Self = Self(3);

    /// Only `side`.
    pub const fn only(side: Side) -> Self {
        Self(1 << side as u8)
    }

    /// Whether `side` is in its first phase.
    #[inline(always)]
    pub const fn contains(self, side: Side) -> bool {
        self.0 >> side as u8 & 1 != 0
    }

    /// The same with `side` in its second phase.
    #[inline(always)]
    pub const fn without(self, side: Side) -> Self {
        Self(self.0 & !(1 << side as u8))
    }

    /// Bit 0 for South, bit 1 for North.
    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self.0
    }
}

/// A position, kept from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The pits of the side to move.
    pub own: Lanes,
    /// The pits of its opponent.
    pub enemy: Lanes,
    /// The side to move.
    pub side: Side,
    /// The sides in their first phase.
    pub first: FirstPhase,
}

impl Position {
    /// The position with these sides, wherever the move is.
    pub const fn new(south: Lanes, north: Lanes, side: Side, first: FirstPhase) -> Self {
        let (own, enemy) = match side {
            Side::South => (south, north),
            Side::North => (north, south),
        };
        Self { own, enemy, side, first }
    }

    /// The pits of `side`.
    pub const fn lanes(&self, side: Side) -> Lanes {
        match (self.side, side) {
            (Side::South, Side::South) | (Side::North, Side::North) => self.own,
            _ => self.enemy,
        }
    }

    /// The same board with the other side to move.
    #[inline(always)]
    pub const fn flipped(self) -> Self {
        Self { own: self.enemy, enemy: self.own, side: self.side.other(), first: self.first }
    }
}
