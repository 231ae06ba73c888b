//! Thirty-two positions side by side: one row of bytes for each pit, one lane
//! of every row for each position.
//!
//! What is done to all lanes alike needs no branch, and plain loops over rows
//! become vector instructions by themselves.

use super::lanes::{LANES, Lanes};

/// Positions in a batch.
pub const WIDTH: usize = 32;

/// One byte for each position: a count, a pit, or a mask (`0x00` or `0xff`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Row(pub [u8; WIDTH]);

impl Row {
    /// All lanes zero.
    pub const ZERO: Self = Self([0; WIDTH]);

    /// The row of a function of the lane.
    #[inline(always)]
    pub fn from_fn(mut f: impl FnMut(usize) -> u8) -> Self {
        // A loop becomes vector instructions where `array::from_fn` is taken
        // apart into single lanes.
        let mut row = Self::ZERO;
        for (lane, value) in row.0.iter_mut().enumerate() {
            *value = f(lane);
        }
        row
    }

    /// Whether any lane is not zero.
    #[inline(always)]
    pub fn any(&self) -> bool {
        self.0.iter().fold(0, |any, lane| any | lane) != 0
    }

    /// Bit `l` for every lane `l` of a mask that is set.
    #[inline(always)]
    pub fn bits(&self) -> u32 {
        let mut bits = 0;
        for (lane, &mask) in self.0.iter().enumerate() {
            bits |= u32::from(mask >> 7) << lane;
        }
        bits
    }
}

/// Rows that hold the number of a pit in every lane. Comparing with a row
/// keeps to bytes; comparing with a loop's counter would be done in words.
pub static EVERYWHERE: [Row; LANES] = {
    let mut rows = [Row::ZERO; LANES];
    let mut pit = 0;
    while pit < LANES {
        rows[pit] = Row([pit as u8; WIDTH]);
        pit += 1;
    }
    rows
};

/// `0xff` or `0x00`.
#[inline(always)]
pub const fn mask(condition: bool) -> u8 {
    0u8.wrapping_sub(condition as u8)
}

/// `yes` where `mask` is `0xff`, `no` where it is zero.
#[inline(always)]
pub const fn select(mask: u8, yes: u8, no: u8) -> u8 {
    no ^ ((no ^ yes) & mask)
}

/// Both sides of thirty-two positions, from the view of the side to move.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The pits of the sides to move.
    pub own: [Row; LANES],
    /// The pits of their opponents.
    pub enemy: [Row; LANES],
}

impl Batch {
    /// No seeds anywhere.
    pub const EMPTY: Self = Self { own: [Row::ZERO; LANES], enemy: [Row::ZERO; LANES] };

    /// Puts a position into a lane.
    #[inline]
    pub fn set(&mut self, lane: usize, own: Lanes, enemy: Lanes) {
        let (own, enemy) = (own.counts(), enemy.counts());
        for pit in 0..LANES {
            self.own[pit].0[lane] = own[pit];
            self.enemy[pit].0[lane] = enemy[pit];
        }
    }

    /// The own side and the enemy's of a lane.
    #[inline]
    pub fn get(&self, lane: usize) -> (Lanes, Lanes) {
        let side = |rows: &[Row; LANES]| Lanes::new(std::array::from_fn(|pit| rows[pit].0[lane]));
        (side(&self.own), side(&self.enemy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_kept_apart() {
        let mut batch = Batch::EMPTY;
        let side = |lane: usize| Lanes::new(std::array::from_fn(|pit| (lane + pit) as u8));
        for lane in 0..WIDTH {
            batch.set(lane, side(lane), side(lane + 9));
        }
        for lane in 0..WIDTH {
            assert_eq!(batch.get(lane), (side(lane), side(lane + 9)));
        }
    }

    #[test]
    fn masks_become_bits() {
        let row = Row::from_fn(|lane| mask(lane % 5 == 2));
        let want = (0..WIDTH).filter(|lane| lane % 5 == 2).map(|lane| 1u32 << lane).sum::<u32>();
        assert_eq!(row.bits(), want);
        assert!(row.any() && !Row::ZERO.any());
        assert_eq!((select(0xff, 3, 4), select(0, 3, 4)), (3, 4));
    }
}
