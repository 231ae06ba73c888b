//! What a search knows of positions: proof numbers in a table of fixed size.
//!
//! An entry holds its whole position, so that no collision of hashes can
//! spoil a proof.

use zerocopy::FromZeros;

use crate::board::{Pit, Position};
use crate::tt::OutOfMemory;

/// Slots among which an entry has the choice.
const BUCKET: usize = 4;

/// The number of something that is impossible.
pub const INFINITE: u32 = 1 << 30;

/// What is known of a position, for its side to move.
///
/// The attacker aims at a win, the defender at anything else. `phi` tells how
/// far the side to move is from its aim, `delta` how far its opponent is from
/// the other: 0 is reached, [`INFINITE`] out of reach. Where the attacker
/// moves they are the proof and the disproof number, else the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The least number of positions that have to be decided for the aim.
    pub phi: u32,
    /// The same for the opponent's aim.
    pub delta: u32,
    /// Where the attacker is known to win: within so many turns.
    pub length: u16,
    /// The turn that reaches the aim, where `phi` is 0.
    pub pit: Option<Pit>,
}

impl Entry {
    /// Whether one of the two aims is reached.
    pub const fn decided(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// One entry with its position; all zero when empty.
#[derive(Clone, Copy, FromZeros)]
#[repr(C)]
struct Slot {
    own: u128,
    enemy: u128,
    phi: u32,
    delta: u32,
    /// The nodes searched for it, which is what losing it would cost.
    work: u32,
    length: u16,
    /// One more than the pit, 0 for none.
    pit: u8,
    /// [`state`] of the position; never 0 in use.
    state: u8,
}

/// What a position is beside its pits.
const fn state(position: &Position) -> u8 {
    1 | position.first.bits() << 1 | (position.side as u8) << 3
}

impl Slot {
    fn holds(&self, position: &Position) -> bool {
        self.own == position.own.0
            && self.enemy == position.enemy.0
            && self.state == state(position)
    }
}

/// The table.
pub struct Table(Box<[Slot]>);

impl Table {
    /// An empty table of so many bytes (or of one bucket).
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(bytes: usize) -> Result<Self, OutOfMemory> {
        let buckets = (bytes / size_of::<[Slot; BUCKET]>()).max(1);
        let slots = <[Slot]>::new_box_zeroed_with_elems(buckets * BUCKET);
        Ok(Self(slots.map_err(|_| OutOfMemory(bytes >> 20))?))
    }

    /// Where the bucket of a hash begins, by the high half of a product.
    fn start(&self, hash: u64) -> usize {
        let buckets = self.0.len() / BUCKET;
        ((u128::from(hash) * buckets as u128) >> 64) as usize * BUCKET
    }

    /// What is known of the position with this hash.
    #[inline]
    pub fn probe(&self, position: &Position, hash: u64) -> Option<Entry> {
        let start = self.start(hash);
        let slot = self.0[start..start + BUCKET].iter().find(|slot| slot.holds(position))?;
        Some(Entry {
            phi: slot.phi,
            delta: slot.delta,
            length: slot.length,
            pit: slot.pit.checked_sub(1).map(Pit),
        })
    }

    /// Keeps what was found with `work` nodes, in the place of what was known
    /// of the position, or else of what cost least.
    pub fn store(&mut self, position: &Position, hash: u64, entry: Entry, work: u64) {
        let start = self.start(hash);
        let bucket = &mut self.0[start..start + BUCKET];
        let same = bucket.iter().position(|slot| slot.holds(position));
        let earlier = same.map_or(0, |at| bucket[at].work);
        let cheapest = || (0..BUCKET).min_by_key(|&at| bucket[at].work).unwrap_or(0);
        bucket[same.unwrap_or_else(cheapest)] = Slot {
            own: position.own.0,
            enemy: position.enemy.0,
            phi: entry.phi,
            delta: entry.delta,
            work: earlier.saturating_add(u32::try_from(work).unwrap_or(u32::MAX)),
            length: entry.length,
            pit: entry.pit.map_or(0, |pit| pit.0 + 1),
            state: state(position),
        };
    }

    /// Forgets a position.
    pub fn forget(&mut self, position: &Position, hash: u64) {
        let start = self.start(hash);
        for slot in &mut self.0[start..start + BUCKET] {
            if slot.holds(position) {
                slot.zero();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{FirstPhase, Lanes, Side};

    fn position(seeds: u8) -> Position {
        let side = Lanes::EMPTY.with(0, seeds);
        Position::new(side, side, Side::North, FirstPhase::only(Side::South))
    }

    const ENTRY: Entry = Entry { phi: 0, delta: INFINITE, length: 7, pit: Some(Pit(0)) };

    #[test]
    fn what_is_stored_is_found_and_forgotten() {
        assert_eq!(size_of::<Slot>(), 48);
        let mut table = Table::new(1 << 16).unwrap();
        for seeds in 1..50 {
            let position = position(seeds);
            assert_eq!(table.probe(&position, position.hash()), None);
            table.store(&position, position.hash(), ENTRY, 1);
            assert_eq!(table.probe(&position, position.hash()), Some(ENTRY));
            assert_eq!(table.probe(&position.flipped(), position.hash()), None);
        }
        let gone = position(9);
        table.forget(&gone, gone.hash());
        assert_eq!(table.probe(&gone, gone.hash()), None);
        let kept = position(10);
        assert_eq!(table.probe(&kept, kept.hash()), Some(ENTRY));
    }

    #[test]
    fn what_cost_least_goes_first() {
        let mut table = Table::new(0).unwrap();
        for (seeds, work) in [(1, 5), (2, 3), (3, 9), (4, 4), (2, 3), (5, 1)] {
            table.store(&position(seeds), 0, ENTRY, work);
        }
        let kept = |seeds| table.probe(&position(seeds), 0).is_some();
        assert_eq!([1, 2, 3, 4, 5].map(kept), [true, true, true, false, true]);
    }

    #[test]
    fn a_table_too_large_for_memory_is_refused() {
        assert!(Table::new(usize::MAX / 4).is_err());
    }
}
