//! The const sowing tables: one addition sows a whole packet.

use super::lanes::{LANES, Lanes};

/// The most seeds any profile has on the board, and so in one hand.
pub const MAX_SEEDS: usize = 84;

/// Rows of a table; a power of two above [`MAX_SEEDS`], so that an index can
/// be masked instead of checked.
const ROWS: usize = 128;

/// Columns of a table: two ways to begin with each pit.
const STARTS: usize = 2 * LANES;

/// What sowing `n` seeds changes in each pit, and where it ends, for one loop
/// of pits.
///
/// A packet begins in one of two ways, and its *start* names which: `p` lifts
/// pit `p` and sows from the next pit on, [`SowTable::onto`]`(p)` drops the
/// first seed into pit `p` itself. Having one table for both spares the
/// callers a branch that no predictor can learn.
#[derive(Debug)]
pub struct SowTable {
    changes: [[u128; STARTS]; ROWS],
    lasts: [[u8; STARTS]; ROWS],
    nexts: [[u8; STARTS]; ROWS],
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
            afters[pit] = after;
            pit += 1;
        }
        let mut changes = [[0; STARTS]; ROWS];
        let mut lasts = [[0; STARTS]; ROWS];
        let mut nexts = [[0; STARTS]; ROWS];
        let mut start = 0;
        while start < STARTS {
            let pit = start % LANES;
            let lifted = start < LANES;
            let mut at = if lifted { afters[pit] } else { pit };
            let mut sown: u128 = 0;
            let mut n = 0;
            // A skipped pit is never sown from; its row stays zero.
            while n <= MAX_SEEDS && pit < pits && skipped >> pit & 1 == 0 {
                if n == 0 {
                    lasts[n][start] = pit as u8;
                    nexts[n][start] = pit as u8;
                } else {
                    sown += 1 << (8 * at);
                    lasts[n][start] = at as u8;
                    at = afters[at];
                    nexts[n][start] = at as u8;
                }
                let gone = if lifted { (n as u128) << (8 * pit) } else { 0 };
                changes[n][start] = sown.wrapping_sub(gone);
                n += 1;
            }
            start += 1;
        }
        Self { changes, lasts, nexts }
    }

    /// The start of a packet whose first seed falls into `pit` itself.
    #[inline(always)]
    pub const fn onto(pit: usize) -> usize {
        LANES | pit
    }

    /// The side `own` after a packet of `count` seeds (at most [`MAX_SEEDS`]);
    /// if the packet lifts a pit, that pit holds `count`. Without seeds
    /// nothing changes.
    #[inline(always)]
    pub const fn sow(&self, own: Lanes, start: usize, count: u8) -> Lanes {
        // The lifted seeds make some changes negative as numbers, but no lane
        // of the sum is.
        let change = self.changes[count as usize & (ROWS - 1)][start & (STARTS - 1)];
        Lanes(own.0.wrapping_add(change))
    }

    /// The pit where the last of `count` seeds falls; without seeds, the pit
    /// of the start.
    #[inline(always)]
    pub const fn last(&self, start: usize, count: u8) -> usize {
        self.lasts[count as usize & (ROWS - 1)][start & (STARTS - 1)] as usize
    }

    /// The pit after the one where the last of `count` seeds falls; without
    /// seeds, the pit of the start.
    #[inline(always)]
    pub const fn next(&self, start: usize, count: u8) -> usize {
        self.nexts[count as usize & (ROWS - 1)][start & (STARTS - 1)] as usize
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
            for pit in (0..pits).filter(|p| !skip.contains(p)) {
                let after = (1..).map(|n| (pit + n) % pits).find(|p| !skip.contains(p)).unwrap();
                for count in 1..=MAX_SEEDS {
                    for (start, first, held) in
                        [(pit, after, count as u8), (SowTable::onto(pit), pit, 0)]
                    {
                        let (lanes, last) = sown(pits, skip, first, count);
                        let before = Lanes::EMPTY.with(pit, held);
                        assert_eq!(table.sow(before, start, count as u8), Lanes(lanes.0));
                        assert_eq!(table.last(start, count as u8), last);
                        let (_, next) = sown(pits, skip, first, count + 1);
                        assert_eq!(table.next(start, count as u8), next);
                    }
                }
                assert_eq!(table.sow(Lanes::EMPTY, pit, 0), Lanes::EMPTY);
                assert_eq!(table.next(pit, 0), pit);
            }
        }
    }
}
