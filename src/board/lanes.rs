//! One side's pits as sixteen byte lanes of a `u128`.

use std::hint::select_unpredictable;

/// The number of byte lanes of a side; profiles with fewer pits leave the
/// last lanes at zero.
pub const LANES: usize = 16;

/// Every lane's lowest bit.
const ONES: u128 = u128::from_le_bytes([1; LANES]);
/// All bits of every lane but the highest.
const LOW7: u128 = ONES * 0x7f;

/// One side: lane `p` (bits `8p..8p + 8`) holds the seeds in its pit `p`.
///
/// No profile has more than 84 seeds, so additions never carry into the next
/// lane, and a lane's highest bit is always free for tests on all lanes at
/// once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lanes(pub u128);

impl Lanes {
    /// A side with no seeds.
    pub const EMPTY: Self = Self(0);

    /// The side with these counts.
    pub const fn new(counts: [u8; LANES]) -> Self {
        Self(u128::from_le_bytes(counts))
    }

    /// The counts, pit by pit.
    pub const fn counts(self) -> [u8; LANES] {
        self.0.to_le_bytes()
    }

    /// The seeds in pit `pit` (below 16).
    #[inline(always)]
    pub fn get(self, pit: usize) -> u8 {
        // A shift of the right half is quicker than one of 128 bits, and which
        // half it is cannot be predicted.
        let half = select_unpredictable(pit & 8 != 0, (self.0 >> 64) as u64, self.0 as u64);
        (half >> (8 * (pit & 7))) as u8
    }

    /// This side with pit `pit` holding `count`.
    pub const fn with(self, pit: usize, count: u8) -> Self {
        let cleared = self.without(pit);
        Self(cleared.0 | (count as u128) << (8 * (pit & 15)))
    }

    /// This side with pit `pit` empty.
    #[inline(always)]
    pub const fn without(self, pit: usize) -> Self {
        Self(self.0 & !(0xff << (8 * (pit & 15))))
    }

    /// This side with `count` more seeds in pit `pit`.
    #[inline(always)]
    pub const fn plus(self, pit: usize, count: u8) -> Self {
        Self(self.0 + ((count as u128) << (8 * (pit & 15))))
    }

    /// The number of seeds on this side.
    #[inline(always)]
    pub const fn sum(self) -> u32 {
        const PAIRS: u128 = u128::MAX / 0xffff * 0x00ff;
        let pairs = (self.0 & PAIRS) + ((self.0 >> 8) & PAIRS);
        let folded = (pairs as u64).wrapping_add((pairs >> 64) as u64);
        (folded.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
    }

    /// `0xff` in each lane that is not zero, in each that is, zero.
    #[inline(always)]
    pub const fn occupied_lanes(self) -> u128 {
        let high = ((self.0 + LOW7) & !LOW7) >> 7;
        (high << 8).wrapping_sub(high)
    }

    /// The set of occupied pits, bit `p` for pit `p`.
    #[inline(always)]
    pub const fn occupied(self) -> u16 {
        mask_of_flags((self.0 + LOW7) & !LOW7)
    }
}

/// Gathers the highest bit of each lane into a 16-bit mask.
#[inline(always)]
pub(crate) const fn mask_of_flags(flags: u128) -> u16 {
    // Each multiplication moves bit 8k + 7 to bit 56 + k.
    const GATHER: u64 = 0x0002_0408_1020_4081;
    let low = (flags as u64).wrapping_mul(GATHER) >> 56;
    let high = ((flags >> 64) as u64).wrapping_mul(GATHER) >> 56;
    (low | high << 8) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: [u8; LANES] = [0, 3, 0, 84, 1, 0, 0, 2, 0, 0, 7, 0, 1, 0, 0, 5];

    #[test]
    fn masks_and_sums_agree_with_a_loop() {
        let lanes = Lanes::new(SAMPLE);
        assert_eq!(lanes.sum(), SAMPLE.iter().map(|&n| u32::from(n)).sum::<u32>());
        let mut mask = 0u16;
        let mut bytes = [0u8; LANES];
        for (pit, &count) in SAMPLE.iter().enumerate() {
            assert_eq!(lanes.get(pit), count);
            if count != 0 {
                mask |= 1 << pit;
                bytes[pit] = 0xff;
            }
        }
        assert_eq!(lanes.occupied(), mask);
        assert_eq!(lanes.occupied_lanes(), u128::from_le_bytes(bytes));
    }

    #[test]
    fn single_lanes_change_alone() {
        let lanes = Lanes::new(SAMPLE);
        for pit in 0..LANES {
            let mut want = SAMPLE;
            want[pit] = 9;
            assert_eq!(lanes.with(pit, 9).counts(), want);
            want[pit] = 0;
            assert_eq!(lanes.without(pit).counts(), want);
            want[pit] = SAMPLE[pit] + 4;
            assert_eq!(lanes.plus(pit, 4).counts(), want);
        }
    }

    #[test]
    fn every_single_flag_is_gathered() {
        for pit in 0..LANES {
            assert_eq!(mask_of_flags(0x80 << (8 * pit)), 1 << pit);
        }
        assert_eq!(mask_of_flags(!LOW7), u16::MAX);
    }
}
