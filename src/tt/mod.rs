//! The transposition table, shared by all threads of a search without locks.
//!
//! An entry is two words that are written one after the other. The first is
//! the key combined with the second, so that a reader which meets the halves
//! of two different writes sees a key that fits neither.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use thiserror::Error;
use zerocopy::FromZeros;

/// Slots of a bucket: a bucket fills one cache line.
const BUCKET: usize = 4;
/// The size of a cache line in bytes.
const CACHE_LINE: usize = 64;
/// How much depth one generation of age is worth when an entry is replaced.
const AGE_WEIGHT: i32 = 4;
/// Generations count modulo this.
const GENERATIONS: u8 = 64;

/// How a stored value bounds the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The true value is this or lower.
    Upper = 1,
    /// The true value is this or higher.
    Lower = 2,
    /// The value is true.
    Exact = 3,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value, in the terms of whoever stored it.
    pub value: i16,
    /// The depth of the search behind it, in plies.
    pub depth: u8,
    /// How it bounds the true value.
    pub bound: Bound,
    /// The best move found, if any: a pit index below 16.
    pub pit: Option<u8>,
}

impl Entry {
    fn pack(self, generation: u8, epoch: u16) -> u64 {
        let pit = self.pit.map_or(0, |pit| pit + 1);
        u64::from(self.value as u16)
            | u64::from(self.depth) << 16
            | (self.bound as u64) << 24
            | u64::from(pit) << 32
            | u64::from(generation) << 40
            | u64::from(epoch) << 48
    }

    fn unpack(data: u64) -> Option<Self> {
        let bound = match data >> 24 & 0xff {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let pit = (data >> 32) as u8;
        Some(Self {
            value: data as u16 as i16,
            depth: (data >> 16) as u8,
            bound,
            pit: pit.checked_sub(1),
        })
    }
}

const fn generation_of(data: u64) -> u8 {
    (data >> 40) as u8
}

const fn epoch_of(data: u64) -> u16 {
    (data >> 48) as u16
}

const fn depth_of(data: u64) -> i32 {
    (data >> 16 & 0xff) as i32
}

#[derive(FromZeros)]
#[repr(C)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// There is no memory for a table of the wanted size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no memory for a table of {0} MiB")]
pub struct OutOfMemory(pub usize);

/// The table. Shared references probe and store; whatever changes its size
/// or clears it takes a unique one, so that no search can be running.
pub struct Table {
    slots: Box<[Slot]>,
    /// Slots before the first whole cache line.
    skipped: usize,
    generation: u8,
    /// Slots of another epoch are empty: clearing begins a new one.
    epoch: u16,
}

impl Table {
    /// An empty table of `mib` MiB (at least 1).
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(mib: usize) -> Result<Self, OutOfMemory> {
        let memory = OutOfMemory(mib);
        let slots = mib.max(1).checked_mul((1 << 20) / size_of::<Slot>()).ok_or(memory)?;
        // Zeroed memory without a wish for alignment comes from the system
        // as untouched pages, so even a large table is there at once. Some
        // slots more leave room to begin with a cache line.
        let slots = <[Slot]>::new_box_zeroed_with_elems(slots + BUCKET).map_err(|_| memory)?;
        let offset = slots.as_ptr().align_offset(CACHE_LINE);
        let skipped = if offset < BUCKET { offset } else { 0 };
        Ok(Self { slots, skipped, generation: 0, epoch: 0 })
    }

    /// Replaces the table by an empty one of `mib` MiB.
    ///
    /// # Errors
    /// When there is no memory for it; the old table is kept.
    pub fn resize(&mut self, mib: usize) -> Result<(), OutOfMemory> {
        *self = Self::new(mib)?;
        Ok(())
    }

    /// Forgets everything, at once whatever the size.
    pub fn clear(&mut self) {
        self.generation = 0;
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.slots.fill_with(Slot::new_zeroed);
        }
    }

    /// Begins a new search: what is in the table ages by one.
    pub fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// As many buckets as the size says, wherever in memory they begin: what
    /// a search does must not depend on that.
    #[inline(always)]
    fn buckets(&self) -> &[[Slot; BUCKET]] {
        let spare = BUCKET - self.skipped;
        self.slots[self.skipped..self.slots.len() - spare].as_chunks().0
    }

    /// The bucket of a key, by the high half of a 128-bit product.
    #[inline(always)]
    fn bucket(&self, key: u64) -> &[Slot; BUCKET] {
        let buckets = self.buckets();
        let index = (u128::from(key) * buckets.len() as u128) >> 64;
        &buckets[index as usize]
    }

    /// Whether a slot with this data holds something.
    #[inline(always)]
    const fn is_used(&self, data: u64) -> bool {
        data != 0 && epoch_of(data) == self.epoch
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            let known = slot.check.load(Relaxed) ^ data == key && self.is_used(data);
            known.then(|| Entry::unpack(data))?
        })
    }

    /// Stores what a search found. The entry replaces that of the same key
    /// (whose move it keeps if it has none), or else the one in the bucket
    /// that is the shallowest and oldest.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let mut victim = &self.bucket(key)[0];
        let mut least = i32::MAX;
        for slot in self.bucket(key) {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key && self.is_used(data) {
                entry.pit = entry.pit.or_else(|| Entry::unpack(data)?.pit);
                victim = slot;
                break;
            }
            let age = (GENERATIONS + self.generation - generation_of(data)) % GENERATIONS;
            let worth = if !self.is_used(data) {
                i32::MIN
            } else {
                depth_of(data) - AGE_WEIGHT * i32::from(age)
            };
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        let data = entry.pack(self.generation, self.epoch);
        victim.check.store(key ^ data, Relaxed);
        victim.data.store(data, Relaxed);
    }

    /// How full the table is with entries of this search, in permille of a
    /// sample.
    pub fn permille_full(&self) -> u32 {
        const SAMPLE: usize = 1000 / BUCKET;
        let used = self
            .buckets()
            .iter()
            .take(SAMPLE)
            .flatten()
            .map(|slot| slot.data.load(Relaxed))
            .filter(|&data| self.is_used(data) && generation_of(data) == self.generation)
            .count();
        used as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: i16, depth: u8, pit: Option<u8>) -> Entry {
        Entry { value, depth, bound: Bound::Exact, pit }
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        let table = Table::new(32).unwrap();
        assert_eq!(size_of::<[Slot; BUCKET]>(), CACHE_LINE);
        assert_eq!(table.buckets().as_ptr().align_offset(CACHE_LINE), 0);
        assert_eq!(table.buckets().len(), (32 << 20) / CACHE_LINE);
    }

    #[test]
    fn a_cleared_table_is_empty_however_often() {
        let mut table = Table::new(1).unwrap();
        for _ in 0..70_000 {
            table.store(9, entry(1, 1, None));
            table.clear();
            assert_eq!(table.probe(9), None);
        }
        assert_eq!(table.permille_full(), 0);
    }

    #[test]
    fn what_is_stored_is_found() {
        let mut table = Table::new(1).unwrap();
        let stored = [
            entry(-30_000, 0, None),
            entry(30_000, 255, Some(15)),
            Entry { value: -1, depth: 7, bound: Bound::Upper, pit: Some(0) },
            Entry { value: 0, depth: 1, bound: Bound::Lower, pit: Some(9) },
        ];
        for (key, &entry) in (1u64..).map(|k| k << 50).zip(&stored) {
            assert_eq!(table.probe(key), None);
            table.store(key, entry);
            assert_eq!(table.probe(key), Some(entry));
        }
        table.clear();
        assert_eq!(table.probe(1 << 50), None);
    }

    #[test]
    fn a_known_move_outlives_a_store_without_one() {
        let table = Table::new(1).unwrap();
        table.store(5, entry(10, 4, Some(3)));
        table.store(5, entry(20, 6, None));
        assert_eq!(table.probe(5), Some(entry(20, 6, Some(3))));
    }

    #[test]
    fn shallow_and_old_entries_go_first() {
        let mut table = Table::new(1).unwrap();
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7)] {
            table.store(key, entry(0, depth, None));
        }
        table.store(5, entry(0, 5, None));
        assert!(table.probe(2).is_none() && table.probe(5).is_some());
        for _ in 0..3 {
            table.age();
        }
        assert_eq!(table.permille_full(), 0);
        table.store(6, entry(0, 1, None));
        assert!(table.probe(5).is_none() && table.probe(6).is_some());
        assert_eq!(table.permille_full(), 1);
    }

    #[test]
    fn a_table_too_large_for_memory_is_refused() {
        let mut table = Table::new(1).unwrap();
        table.store(7, entry(1, 1, None));
        let absurd = usize::MAX >> 21;
        assert_eq!(table.resize(absurd), Err(OutOfMemory(absurd)));
        assert!(table.probe(7).is_some());
    }
}
