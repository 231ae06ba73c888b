//! Random games to the end.

use std::iter::Cycle;
use std::marker::PhantomData;
use std::slice::Iter;

use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use super::level::Kernel;
use super::relay::{Ended, Relays, ends_first_phase};
use super::{CpuLevel, Lockstep};
use crate::board::{Position, Row, Rows, WIDTH, lanes_of, mask, select};
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

    fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.wins += 1,
            Outcome::Loss => self.losses += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Ongoing => self.unfinished += 1,
        }
    }
}

/// Plays `games` games of uniformly random turns, from each of `starts` in
/// turn, each of at most `max_turns` turns. No set-up is due in `starts`, and
/// there is at least one. The result depends on the arguments but not on the
/// level.
pub fn playouts<R: Lockstep>(
    level: CpuLevel,
    starts: &[Position],
    games: u64,
    max_turns: u16,
    seed: u64,
) -> PlayoutCounts {
    let mut rng = SplitMix64::seed_from_u64(seed);
    let mut lanes = Games::<R> {
        relays: Relays::IDLE,
        due: [0; WIDTH],
        replies: [0; WIDTH],
        turns: [0; WIDTH],
        // A xorshift generator must not begin with 0.
        random: std::array::from_fn(|_| rng.next_u32() | 1),
        waiting: starts.iter().cycle(),
        left: games,
        max_turns,
        counts: PlayoutCounts::default(),
        rules: PhantomData,
    };
    for lane in 0..WIDTH {
        lanes.refill(lane);
    }
    level.run(lanes)
}

#[repr(C, align(64))]
struct Games<'a, R> {
    relays: Relays,
    /// Masks: the lanes that begin a turn.
    due: Row,
    /// Masks: the opponent of the side that began the game is to move.
    replies: Row,
    /// The turns made in each game.
    turns: [u16; WIDTH],
    /// The state of each lane's 32-bit xorshift generator (Marsaglia's 13,
    /// 17, 5), the quickest that vectorises.
    random: [u32; WIDTH],
    /// The positions of the games still to be begun.
    waiting: Cycle<Iter<'a, Position>>,
    left: u64,
    max_turns: u16,
    counts: PlayoutCounts,
    rules: PhantomData<R>,
}

impl<R: Lockstep> Kernel for Games<'_, R> {
    type Output = PlayoutCounts;

    #[inline(always)]
    fn run(mut self) -> PlayoutCounts {
        while lanes_of(&self.due) | lanes_of(&self.relays.live) != 0 {
            let stuck = self.begin();
            let mut ended = self.relays.packet::<R>();
            let mut over = [0; WIDTH];
            for lane in 0..WIDTH {
                // A side that cannot move has lost.
                ended.done[lane] |= stuck[lane];
                ended.loss[lane] |= stuck[lane];
                over[lane] = ended.win[lane] | ended.loss[lane] | ended.draw[lane];
            }
            for lane in 0..WIDTH {
                let ends = ended.done[lane] as i8 as u16;
                self.turns[lane] = self.turns[lane].wrapping_add(ends & 1);
                let capped = self.turns[lane] >= self.max_turns;
                over[lane] |= ended.done[lane] & mask(capped);
            }
            self.due = ended.done;
            let mut over = lanes_of(&over);
            while over != 0 {
                let lane = over.trailing_zeros() as usize;
                over &= over - 1;
                self.record(lane, &ended);
                self.refill(lane);
            }
        }
        self.counts
    }
}

impl<R: Lockstep> Games<'_, R> {
    fn record(&mut self, lane: usize, ended: &Ended) {
        let outcome = match ended.outcome(lane) {
            Outcome::Win if self.replies[lane] != 0 => Outcome::Loss,
            Outcome::Loss if self.replies[lane] != 0 => Outcome::Win,
            outcome => outcome,
        };
        self.counts.turns += u64::from(self.turns[lane]);
        self.counts.add(outcome);
    }

    /// Begins a game in a lane, or leaves it idle when there are no more.
    fn refill(&mut self, lane: usize) {
        self.due[lane] = 0;
        while self.left > 0 {
            let Some(position) = self.waiting.next() else { break };
            self.left -= 1;
            if R::node(position).legal.is_empty() {
                self.counts.add(R::outcome_without_turns(position));
                continue;
            }
            // The lane is about to change sides, as after any turn.
            self.relays.set(lane, &position.flipped());
            self.due[lane] = mask(true);
            self.replies[lane] = mask(true);
            self.turns[lane] = 0;
            return;
        }
    }

    /// In the lanes that are due, changes sides and begins a random turn.
    /// Returns those that have none.
    #[inline(always)]
    fn begin(&mut self) -> Row {
        self.change_sides();
        let mut legal = Rows::EMPTY;
        let mut capture = [0; WIDTH];
        if R::CAPTURES_STAY {
            self.start_captures();
        }
        if R::BEGINS_WITH_CAPTURE {
            capture = self.offered_captures(&mut legal);
        }
        let mut count: Row = [0; WIDTH];
        for pit in 0..R::GEOMETRY.pits() {
            let held = mask(R::HOLDS && pit == 8);
            for lane in 0..WIDTH {
                let out = self.relays.own_first[lane] & held;
                let occupied = mask(self.relays.own.0[pit][lane] != 0) & !out;
                let one = legal.0[pit][lane] | occupied & !capture[lane];
                legal.0[pit][lane] = one;
                count[lane] = count[lane].wrapping_sub(one);
            }
        }
        let nth = self.random_below(&count);
        self.begin_turns(&legal, &capture, &nth);
        let mut stuck = [0; WIDTH];
        for lane in 0..WIDTH {
            stuck[lane] = self.due[lane] & mask(count[lane] == 0);
            self.relays.live[lane] |= self.due[lane] & !stuck[lane];
        }
        stuck
    }

    #[inline(always)]
    fn change_sides(&mut self) {
        let Self { relays, due, replies, .. } = self;
        for pit in 0..R::GEOMETRY.pits() {
            for lane in 0..WIDTH {
                let (own, enemy) = (relays.own.0[pit][lane], relays.enemy.0[pit][lane]);
                let change = (own ^ enemy) & due[lane];
                relays.own.0[pit][lane] = own ^ change;
                relays.enemy.0[pit][lane] = enemy ^ change;
            }
        }
        for lane in 0..WIDTH {
            let change = (relays.own_first[lane] ^ relays.enemy_first[lane]) & due[lane];
            relays.own_first[lane] ^= change;
            relays.enemy_first[lane] ^= change;
            replies[lane] ^= due[lane];
        }
    }

    /// Makes every available capture of the lanes that are due.
    #[inline(always)]
    fn start_captures(&mut self) {
        let Self { relays, due, .. } = self;
        for inner in R::GEOMETRY.columns..R::GEOMETRY.pits() {
            let (facing, far) = (R::GEOMETRY.facing(inner), R::GEOMETRY.far(inner));
            let behind = R::GEOMETRY.behind(inner);
            for lane in 0..WIDTH {
                let (near, outer) = (relays.enemy.0[facing][lane], relays.enemy.0[far][lane]);
                let takes = due[lane] & mask(relays.own.0[inner][lane] != 0) & mask(near != 0);
                let own = relays.own.0[behind][lane];
                relays.own.0[behind][lane] = own.wrapping_add(near.wrapping_add(outer) & takes);
                relays.enemy.0[facing][lane] = near & !takes;
                relays.enemy.0[far][lane] = outer & !takes;
            }
        }
    }

    /// Enters the pits that can capture into `legal`; returns masks of the
    /// lanes that have some.
    #[inline(always)]
    fn offered_captures(&self, legal: &mut Rows) -> Row {
        let mut capture = [0; WIDTH];
        for inner in R::GEOMETRY.columns..R::GEOMETRY.pits() {
            let facing = R::GEOMETRY.facing(inner);
            for lane in 0..WIDTH {
                let takes = mask(self.relays.own.0[inner][lane] != 0)
                    & mask(self.relays.enemy.0[facing][lane] != 0);
                legal.0[inner][lane] = takes;
                capture[lane] |= takes;
            }
        }
        capture
    }

    /// A random number below `count` in each lane.
    #[inline(always)]
    fn random_below(&mut self, count: &Row) -> Row {
        let mut high = [0u16; WIDTH];
        for lane in 0..WIDTH {
            let mut x = self.random[lane];
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            self.random[lane] = x;
            high[lane] = (x >> 16) as u16;
        }
        let mut below = [0; WIDTH];
        for lane in 0..WIDTH {
            // Sixteen bits shared among at most sixteen: no turn is favoured
            // by more than one part in four thousand.
            below[lane] = ((u32::from(high[lane]) * u32::from(count[lane])) >> 16) as u8;
        }
        below
    }

    /// Begins the `nth` legal turn in the lanes that are due.
    #[inline(always)]
    fn begin_turns(&mut self, legal: &Rows, capture: &Row, nth: &Row) {
        let Self { relays, due, .. } = self;
        let (mut at, mut hand, mut left) = ([0; WIDTH], [0; WIDTH], *nth);
        for pit in 0..R::GEOMETRY.pits() {
            for lane in 0..WIDTH {
                let one = legal.0[pit][lane];
                let chosen = one & mask(left[lane] == 0);
                at[lane] |= pit as u8 & chosen;
                hand[lane] |= relays.own.0[pit][lane] & chosen;
                // Wraps after the chosen one, to a number never reached.
                left[lane] = left[lane].wrapping_add(one);
            }
        }
        if R::BEGINS_WITH_CAPTURE {
            let mut captures = [0; WIDTH];
            for lane in 0..WIDTH {
                captures[lane] = due[lane] & capture[lane];
            }
            let taken = relays.capture_at::<R>(&at, &captures);
            for lane in 0..WIDTH {
                hand[lane] = hand[lane] & !captures[lane] | taken[lane];
            }
        }
        for lane in 0..WIDTH {
            let due = due[lane];
            relays.at[lane] = select(due, at[lane], relays.at[lane]);
            relays.hand[lane] = select(due, hand[lane], relays.hand[lane]);
            relays.onto[lane] = select(due, capture[lane], relays.onto[lane]);
            relays.own_first[lane] &= !(due & mask(ends_first_phase::<R>(at[lane])));
        }
        for lane in 0..WIDTH {
            relays.packets[lane] &= !(due[lane] as i8 as u16);
        }
    }
}
