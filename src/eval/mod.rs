//! Static evaluation of positions.

mod built_in;
mod explain;
mod net;

use crate::board::Position;
use crate::rules::Rules;

pub use built_in::{Evaluation, built_in};
pub use explain::{Explained, NetParts, explain};
pub use net::{BUCKETS, CENTIPAWNS, HIDDEN, Inputs, Net, NetError, OUTPUT_UNIT, UNIT, inputs};

/// What one seed more than the opponent is worth, in centipawns: the unit of
/// the scale.
pub const SEED: i32 = 100;
/// What one occupied pit more than the opponent is worth, in centipawns.
/// Untuned: a tie-break among positions with equal seeds.
const MOBILITY: i32 = 10;

/// The parts of an evaluation, each in centipawns for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Seeds on the own side against those on the enemy's.
    pub seeds: i32,
    /// Occupied own pits against the enemy's.
    pub mobility: i32,
}

impl Parts {
    /// The sum, in centipawns for the side to move.
    #[inline(always)]
    pub const fn total(self) -> i32 {
        self.seeds + self.mobility
    }
}

/// Evaluates a position part by part.
#[inline(always)]
pub fn parts<R: Rules>(position: &Position) -> Parts {
    let seeds = |seeds: u32| SEED * seeds as i32;
    let pits = |pits: u16| MOBILITY * pits.count_ones() as i32;
    Parts {
        seeds: seeds(position.own.sum()) - seeds(position.enemy.sum()),
        mobility: pits(position.own.occupied()) - pits(position.enemy.occupied()),
    }
}

/// Evaluates a position, in centipawns for the side to move. The result is
/// far inside the range of scores that are no wins.
#[inline(always)]
pub fn evaluate<R: Rules>(position: &Position) -> i32 {
    parts::<R>(position).total()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Kisolo, Profile};

    #[test]
    fn seeds_and_mobility_count_for_the_side_to_move() {
        let text = "0,0,0,0,0,0,20/0,0,0,0,0,0,0/0,0,0,0,0,0,1/20,0,0,0,0,0,1 S -";
        let position = Profile::Kisolo.parse_position(text).unwrap();
        let south = parts::<Kisolo>(&position);
        assert_eq!(south, Parts { seeds: 2 * SEED, mobility: 2 * MOBILITY });
        assert_eq!(evaluate::<Kisolo>(&position.flipped()), -south.total());
        assert_eq!(evaluate::<Kisolo>(&Profile::Kisolo.start_position()), 0);
    }
}
