//! Random games to the end.

use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use super::{CpuLevel, Lockstep, Lockstepped, at_level};
use crate::board::{EVERYWHERE, LANES, Position, Row, WIDTH, mask};
use crate::rules::Outcome;

/// How random games ended, for the side to move at their start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayoutCounts {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn by an endless turn.
    pub draws: u64,
    /// Games broken off after the limit of turns.
    pub unfinished: u64,
    /// Turns made in all of them.
    pub turns: u64,
}

impl PlayoutCounts {
    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.wins + self.losses + self.draws + self.unfinished
    }
}

/// Plays `games` games at random, from each of `starts` in turn, each of at
/// most `max_turns` turns. In all of `starts` the game goes on and no set-up
/// is due; there is at least one. The result depends on the arguments but not
/// on the level.
///
/// A turn is chosen with one random byte, so that among `n` legal ones each
/// has a chance of 1/n to within 1/256.
pub fn playouts<R: Lockstep>(
    level: CpuLevel,
    starts: &[Position],
    games: u64,
    max_turns: u16,
    seed: u64,
) -> PlayoutCounts {
    at_level!(
        level,
        R,
        fn(starts: &[Position], games: u64, max_turns: u16, seed: u64) -> PlayoutCounts,
        run::<R>
    )
}

/// Thirty-two random bytes at a time: one xorshift generator (G. Marsaglia,
/// 2003; shifts 13, 7, 17) for every eight lanes.
struct Bytes([u64; WIDTH / 8]);

impl Bytes {
    fn new(seed: u64) -> Self {
        let mut seeds = SplitMix64::seed_from_u64(seed);
        // A generator must not begin at zero.
        Self(std::array::from_fn(|_| seeds.next_u64() | 1))
    }

    #[inline(always)]
    fn next(&mut self) -> Row {
        let mut bytes = Row::ZERO;
        for (word, bytes) in self.0.iter_mut().zip(bytes.0.chunks_exact_mut(8)) {
            *word ^= *word << 13;
            *word ^= *word >> 7;
            *word ^= *word << 17;
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

/// A random legal pit in every lane, and what it holds.
#[inline(always)]
fn choose<R: Lockstep>(legal: &[Row; LANES], own: &[Row; LANES], bytes: &Row) -> (Row, Row) {
    let mut count = Row::ZERO;
    for row in &legal[..R::GEOMETRY.pits()] {
        for lane in 0..WIDTH {
            count.0[lane] = count.0[lane].wrapping_sub(row.0[lane]);
        }
    }
    let mut left = Row::ZERO;
    for lane in 0..WIDTH {
        left.0[lane] = ((u16::from(count.0[lane]) * u16::from(bytes.0[lane])) >> 8) as u8;
    }
    let (mut pits, mut hands) = (Row::ZERO, Row::ZERO);
    for (pit, row) in legal[..R::GEOMETRY.pits()].iter().enumerate() {
        for lane in 0..WIDTH {
            let hit = row.0[lane] & mask(left.0[lane] == 0);
            pits.0[lane] |= EVERYWHERE[pit].0[lane] & hit;
            hands.0[lane] |= own[pit].0[lane] & hit;
            // Counts down at every legal pit; wraps once it is past zero.
            left.0[lane] = left.0[lane].wrapping_add(row.0[lane]);
        }
    }
    (pits, hands)
}

/// The games in the lanes.
struct Games<'a> {
    starts: &'a [Position],
    left: u64,
    next: usize,
    /// Mask: the side to move is not the one that began.
    flipped: Row,
    turns: [u16; WIDTH],
    counts: PlayoutCounts,
}

impl Games<'_> {
    /// Puts the next game into a lane; whether there was one.
    #[inline(always)]
    fn load(&mut self, state: &mut Lockstepped, lane: usize) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        state.load(lane, &self.starts[self.next]);
        self.next = if self.next + 1 == self.starts.len() { 0 } else { self.next + 1 };
        self.flipped.0[lane] = 0;
        self.turns[lane] = 0;
        true
    }

    #[inline(always)]
    fn count(&mut self, lane: usize, outcome: Outcome) {
        let flipped = self.flipped.0[lane] != 0;
        self.counts.turns += u64::from(self.turns[lane]);
        match (outcome, flipped) {
            (Outcome::Win, false) | (Outcome::Loss, true) => self.counts.wins += 1,
            (Outcome::Loss, false) | (Outcome::Win, true) => self.counts.losses += 1,
            (Outcome::Draw, _) => self.counts.draws += 1,
            (Outcome::Ongoing, _) => self.counts.unfinished += 1,
        }
    }
}

#[inline(always)]
fn run<R: Lockstep>(starts: &[Position], games: u64, max_turns: u16, seed: u64) -> PlayoutCounts {
    let mut bytes = Bytes::new(seed);
    let mut state = Lockstepped::IDLE;
    let mut games = Games {
        starts,
        left: games,
        next: 0,
        flipped: Row::ZERO,
        turns: [0; WIDTH],
        counts: PlayoutCounts::default(),
    };
    let mut beginning = Row::from_fn(|lane| mask(games.load(&mut state, lane)));
    loop {
        R::prepare(&mut state, &beginning);
        let (pits, hands) = choose::<R>(&R::legal(&state), &state.batch.own, &bytes.next());
        R::begin(&mut state, &beginning, &pits, &hands);
        if !state.busy.any() {
            return games.counts;
        }
        let ends = R::step(&mut state);
        let mut ended = Row::ZERO;
        for lane in 0..WIDTH {
            games.turns[lane] += u16::from(ends.over.0[lane] & 1);
            let capped = mask(games.turns[lane] >= max_turns);
            let decided = ends.win.0[lane] | ends.loss.0[lane] | ends.draw.0[lane];
            ended.0[lane] = ends.over.0[lane] & (decided | capped);
        }
        let flipping = Row::from_fn(|lane| ends.over.0[lane] & !ended.0[lane]);
        state.flip::<R>(&flipping);
        for lane in 0..WIDTH {
            games.flipped.0[lane] ^= flipping.0[lane];
            beginning.0[lane] = flipping.0[lane];
        }
        if ended.any() {
            let bits = ended.bits();
            for lane in (0..WIDTH).filter(|lane| bits >> lane & 1 != 0) {
                games.count(lane, ends.outcome(lane));
                beginning.0[lane] = mask(games.load(&mut state, lane));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_pits_are_chosen_alike() {
        let legal = [3usize, 5, 9];
        let mut rows = [Row::ZERO; LANES];
        for pit in legal {
            rows[pit] = Row([mask(true); WIDTH]);
        }
        let mut bytes = Bytes::new(1);
        let mut chosen = [0u32; LANES];
        for _ in 0..1000 {
            let pits = choose::<crate::rules::Kisolo>(&rows, &rows, &bytes.next()).0;
            for &pit in &pits.0 {
                chosen[usize::from(pit)] += 1;
            }
        }
        let total: u32 = legal.iter().map(|&pit| chosen[pit]).sum();
        assert_eq!(total, 32_000);
        for pit in legal {
            assert!(chosen[pit].abs_diff(32_000 / 3) < 600, "{chosen:?}");
        }
    }
}
