//! Pit indices, sets of pits, and where a row lies in a side's lanes.

/// A pit of the side to move, as an index in that side's own sowing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pit(pub u8);

impl Pit {
    /// The index, below 16.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }
}

/// A set of pits of one side: bit `p` stands for pit `p`. Iterates upwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PitSet(pub u16);

impl PitSet {
    /// The set without pits.
    pub const EMPTY: Self = Self(0);

    /// Whether `pit` belongs to the set.
    #[inline(always)]
    pub const fn contains(self, pit: Pit) -> bool {
        pit.0 < 16 && self.0 >> pit.0 & 1 != 0
    }

    /// Whether no pit belongs to the set.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of pits in the set.
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }
}

impl Iterator for PitSet {
    type Item = Pit;

    #[inline(always)]
    fn next(&mut self) -> Option<Pit> {
        if self.0 == 0 {
            return None;
        }
        let pit = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Pit(pit))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for PitSet {}

/// How the pits of a board with a given number of columns lie in the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Columns of the board: 7 or 8.
    pub columns: usize,
}

impl Geometry {
    /// Boards of seven columns.
    pub const SEVEN: Self = Self { columns: 7 };
    /// Boards of eight columns.
    pub const EIGHT: Self = Self { columns: 8 };

    /// Pits of one side.
    pub const fn pits(self) -> usize {
        2 * self.columns
    }

    /// `0xff` in the lanes of the outer row.
    pub const fn outer_lanes(self) -> u128 {
        (1 << (8 * self.columns)) - 1
    }

    /// `0xff` in the lanes of the inner row.
    pub const fn inner_lanes(self) -> u128 {
        self.outer_lanes() << (8 * self.columns)
    }

    /// The enemy inner pit that faces own inner pit `inner`.
    #[inline(always)]
    pub const fn facing(self, inner: usize) -> usize {
        3 * self.columns - 1 - inner
    }

    /// The own outer pit behind own inner pit `inner`.
    #[inline(always)]
    pub const fn behind(self, inner: usize) -> usize {
        2 * self.columns - 1 - inner
    }

    /// The enemy outer pit in the column of own inner pit `inner`.
    #[inline(always)]
    pub const fn far(self, inner: usize) -> usize {
        inner - self.columns
    }

    /// Lanes laid out so that lane `i` holds the enemy inner pit that faces
    /// own inner pit `i`. Lanes outside the inner row hold anything.
    #[inline(always)]
    pub const fn faced(self, enemy: u128) -> u128 {
        enemy.swap_bytes() << (8 * (3 * self.columns - 16))
    }

    /// Undoes [`Geometry::faced`] for lanes that are zero outside the inner row.
    #[inline(always)]
    pub const fn unfaced(self, faced: u128) -> u128 {
        (faced >> (8 * (3 * self.columns - 16))).swap_bytes()
    }

    /// Moves lane `i` of the inner row to the lane of the own outer pit
    /// behind it; all other lanes must be zero.
    #[inline(always)]
    pub const fn to_behind(self, inner: u128) -> u128 {
        inner.swap_bytes() >> (8 * (16 - 2 * self.columns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Lanes;

    #[test]
    fn lane_moves_agree_with_the_indices() {
        for geometry in [Geometry::SEVEN, Geometry::EIGHT] {
            let columns = geometry.columns;
            for inner in columns..2 * columns {
                let facing = Lanes::EMPTY.with(geometry.facing(inner), 5).0;
                assert_eq!(Lanes(geometry.faced(facing)).get(inner), 5);
                let faced = Lanes::EMPTY.with(inner, 5).0;
                assert_eq!(geometry.unfaced(faced), facing);
                let behind = Lanes(geometry.to_behind(faced));
                assert_eq!(behind, Lanes::EMPTY.with(geometry.behind(inner), 5));
                let far = Lanes::EMPTY.with(geometry.far(inner), 5).0;
                assert_eq!(far << (8 * columns), faced);
            }
        }
    }

    #[test]
    fn sets_iterate_upwards() {
        let pits: Vec<u8> = PitSet(0b1000_0000_0010_0001).map(|pit| pit.0).collect();
        assert_eq!(pits, [0, 5, 15]);
        assert!(PitSet(0b100).contains(Pit(2)) && !PitSet(0b100).contains(Pit(18)));
    }
}
