//! The const sowing tables: one addition sows a whole packet.

use super::lanes::LANES;

/// The most seeds any profile has on the board, and so in one hand.
pub const MAX_SEEDS: usize = 84;

/// Rows of a table; a power of two above [`MAX_SEEDS`], so that an index can
/// be masked instead of checked.
const ROWS: usize = 128;

/// What sowing `n` seeds beginning with pit `first` adds to each pit, and
/// where it ends, for one loop of pits.
#[derive(Debug)]
pub struct SowTable {
    adds: [[u128; LANES]; ROWS],
    lasts: [[u8; LANES]; ROWS],
    nexts: [[u8; LANES]; ROWS],
    afters: [u8; LANES],
}

impl SowTable {
    /// The table of a loop of `pits` pits that leaves out those in `skipped`
    /// (bit `p` for pit `p`).
    const fn new(pits: usize, skipped: u16) -> Self {
        let mut afters = [0; LANES];
        let mut pit = 0;
        while pit < pits {
            let mut after = (pit + 1) % pits;
            while skipped >> after & 1 != 0 {
                after = (after + 1) % pits;
            }
            afters[pit] = after as u8;
            pit += 1;
        }
        let mut adds = [[0; LANES]; ROWS];
        let mut lasts = [[0; LANES]; ROWS];
        let mut nexts = [[0; LANES]; ROWS];
        let mut first = 0;
        while first < pits {
            // A skipped pit is never sown from; its row stays zero.
            if skipped >> first & 1 == 0 {
                let mut at = first;
                let mut n = 1;
                while n <= MAX_SEEDS {
                    adds[n][first] = adds[n - 1][first] + (1 << (8 * at));
                    lasts[n][first] = at as u8;
                    at = afters[at] as usize;
                    nexts[n][first] = at as u8;
                    n += 1;
                }
            }
            first += 1;
        }
        Self { adds, lasts, nexts, afters }
    }

    /// What `count` seeds (at most [`MAX_SEEDS`]), the first of them into pit
    /// `first`, add to each lane.
    #[inline(always)]
    pub const fn add(&self, first: usize, count: u8) -> u128 {
        self.adds[count as usize & (ROWS - 1)][first & (LANES - 1)]
    }

    /// The pit where the last of `count` seeds falls; `count` is 1 or more.
    #[inline(always)]
    pub const fn last(&self, first: usize, count: u8) -> usize {
        self.lasts[count as usize & (ROWS - 1)][first & (LANES - 1)] as usize
    }

    /// The pit after the one where the last of `count` seeds falls; `count` is
    /// 1 or more.
    #[inline(always)]
    pub const fn next(&self, first: usize, count: u8) -> usize {
        self.nexts[count as usize & (ROWS - 1)][first & (LANES - 1)] as usize
    }

    /// The pit sown after `pit`. For a pit that the loop leaves out, the next
    /// one that it does not.
    #[inline(always)]
    pub const fn after(&self, pit: usize) -> usize {
        self.afters[pit & (LANES - 1)] as usize
    }
}

/// The loop of fourteen pits.
pub static RING14: SowTable = SowTable::new(14, 0);
/// The loop of sixteen pits.
pub static RING16: SowTable = SowTable::new(16, 0);
/// The loop of sixteen pits in isolo's initial phase: pits 7 and 8 are left out.
pub static RING16_INITIAL: SowTable = SowTable::new(16, 1 << 7 | 1 << 8);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Lanes;

    /// Drops the seeds one by one.
    fn sown(pits: usize, skip: &[usize], first: usize, count: usize) -> (Lanes, usize) {
        let mut counts = [0u8; LANES];
        let mut at = first;
        let mut last = first;
        for _ in 0..count {
            counts[at] += 1;
            last = at;
            at = (at + 1) % pits;
            while skip.contains(&at) {
                at = (at + 1) % pits;
            }
        }
        (Lanes::new(counts), last)
    }

    #[test]
    fn tables_agree_with_sowing_seed_by_seed() {
        let rings: [(&SowTable, usize, &[usize]); 3] =
            [(&RING14, 14, &[]), (&RING16, 16, &[]), (&RING16_INITIAL, 16, &[7, 8])];
        for (table, pits, skip) in rings {
            for first in (0..pits).filter(|p| !skip.contains(p)) {
                for count in 1..=MAX_SEEDS {
                    let (lanes, last) = sown(pits, skip, first, count);
                    assert_eq!(Lanes(table.add(first, count as u8)), lanes);
                    assert_eq!(table.last(first, count as u8), last);
                    assert_eq!(table.next(first, count as u8), table.after(last));
                }
                assert_eq!(table.add(first, 0), 0);
            }
        }
        assert_eq!(RING16_INITIAL.after(6), 9);
        assert_eq!(RING16_INITIAL.after(7), 9);
    }
}
