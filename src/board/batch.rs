//! Many positions at once: one row of bytes for each pit, one column (*lane*)
//! for each position.
//!
//! A [`Lanes`] holds the pits of one position side by side, which is right
//! when one position is looked at. Laid out the other way, the same byte
//! operation serves 32 positions, and what differs between them is a mask
//! instead of a branch.

use super::lanes::{LANES, Lanes, mask_of_flags};

/// Positions in a batch.
pub const WIDTH: usize = 32;

/// One byte of each position of a batch.
pub type Row = [u8; WIDTH];

/// One side of each position of a batch: row `p` holds everyone's pit `p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Rows(pub [Row; LANES]);

impl Rows {
    /// No seeds anywhere.
    pub const EMPTY: Self = Self([[0; WIDTH]; LANES]);

    /// The side of the position in lane `lane` (below [`WIDTH`]).
    #[inline(always)]
    pub fn get(&self, lane: usize) -> Lanes {
        let mut counts = [0; LANES];
        for (count, row) in counts.iter_mut().zip(&self.0) {
            *count = row[lane % WIDTH];
        }
        Lanes::new(counts)
    }

    /// Puts a side into lane `lane` (below [`WIDTH`]).
    #[inline(always)]
    pub fn set(&mut self, lane: usize, side: Lanes) {
        for (row, count) in self.0.iter_mut().zip(side.counts()) {
            row[lane % WIDTH] = count;
        }
    }
}

/// `0xff` for true: the mask that keeps a byte.
#[inline(always)]
pub const fn mask(keep: bool) -> u8 {
    0u8.wrapping_sub(keep as u8)
}

/// `yes` where `mask` is `0xff`, `no` where it is 0.
#[inline(always)]
pub const fn select(mask: u8, yes: u8, no: u8) -> u8 {
    yes & mask | no & !mask
}

/// The lanes whose byte in `masks` (each 0 or `0xff`) is set, bit `l` for lane
/// `l`.
#[inline(always)]
pub fn lanes_of(masks: &Row) -> u32 {
    let [mut low, mut high] = [[0; LANES]; 2];
    low.copy_from_slice(&masks[..LANES]);
    high.copy_from_slice(&masks[LANES..]);
    let bits =
        |half: [u8; LANES]| mask_of_flags(u128::from_le_bytes(half) & (u128::MAX / 255 * 128));
    u32::from(bits(low)) | u32::from(bits(high)) << LANES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_kept_apart() {
        let mut rows = Rows::EMPTY;
        let side = |lane: usize| Lanes::new(std::array::from_fn(|pit| (lane * 3 + pit) as u8));
        for lane in 0..WIDTH {
            rows.set(lane, side(lane));
        }
        for lane in 0..WIDTH {
            assert_eq!(rows.get(lane), side(lane));
        }
        let mut masks = [0; WIDTH];
        masks[3] = mask(true);
        masks[31] = mask(true);
        assert_eq!(lanes_of(&masks), 1 << 3 | 1 << 31);
        assert_eq!((select(0xff, 3, 4), select(0, 3, 4)), (3, 4));
    }
}
