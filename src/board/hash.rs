//! The 64-bit hash of a position, computed afresh.
//!
//! A turn changes about nine pits, so updating a hash pit by pit would cost
//! more than folding the 32 bytes anew with four multiplications.

use super::position::{Position, Side};

/// Odd constants without structure: the fractional digits of pi, in
/// hexadecimal, as used by the Blowfish cipher.
const KEYS: [u64; 5] = [
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7345,
    0xa409_3822_299f_31d1,
    0x082e_fa98_ec4e_6c89,
    0x4528_21e6_38d0_1377,
];

/// The 128-bit product, its halves folded together.
#[inline(always)]
const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

impl Position {
    /// A 64-bit hash of the whole position: both sides, the side to move and
    /// the first-phase flags. Equal positions have equal hashes, however they
    /// arose, in every run and on every machine.
    #[inline]
    pub const fn hash(&self) -> u64 {
        let (south, north) = match self.side {
            Side::South => (self.own.0, self.enemy.0),
            Side::North => (self.enemy.0, self.own.0),
        };
        let flags = (self.side as u64) << 2 | self.first.bits() as u64;
        let s = fold(south as u64 ^ KEYS[0], (south >> 64) as u64 ^ KEYS[1]);
        let n = fold(north as u64 ^ KEYS[2], (north >> 64) as u64 ^ KEYS[3]);
        let sides = fold(s ^ KEYS[4], n.rotate_left(32) ^ KEYS[0]);
        fold(sides ^ KEYS[1], (flags + 1).wrapping_mul(KEYS[2]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{FirstPhase, Lanes};
    use std::collections::HashSet;

    #[test]
    fn every_part_of_a_position_counts() {
        let mut seen = HashSet::new();
        let mut positions = 0;
        for side in Side::BOTH {
            for first in [FirstPhase::NONE, FirstPhase::only(side), FirstPhase::BOTH] {
                for pit in 0..16 {
                    for count in 0..=84u8 {
                        let one = Lanes::EMPTY.with(pit, count);
                        let other = Lanes::EMPTY.with(3, 1);
                        for (south, north) in [(one, other), (other, one)] {
                            let position = Position::new(south, north, side, first);
                            if seen.insert((position.own, position.enemy, side, first)) {
                                positions += 1;
                            }
                        }
                    }
                }
            }
        }
        let hashes: HashSet<u64> = seen
            .iter()
            .map(|&(own, enemy, side, first)| Position { own, enemy, side, first }.hash())
            .collect();
        assert_eq!(hashes.len(), positions);
    }
}
