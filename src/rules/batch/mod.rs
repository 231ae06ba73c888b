//! Turns of thirty-two positions in lockstep.
//!
//! A step sows one packet in every lane whose turn is not over, without a
//! branch on what is in a lane. A lane that has finished is given something
//! new between two steps, so that all of them are always busy.
//!
//! The same code is compiled for several levels of instructions, and the best
//! one that the machine has is chosen at run time; all levels give the same
//! results to the bit.
#![expect(clippy::needless_range_loop, reason = "a lane indexes several rows at once")]

mod isolo;
mod kisolo;
mod leaves;
mod playout;
mod resow;
mod turns;

use super::{MAX_PACKETS, Outcome, Rules};
use crate::board::{
    Batch, EVERYWHERE, FirstPhase, LANES, Position, Row, Side, WIDTH, mask, select,
};

pub use leaves::{LeafCounts, perft_batched};
pub use playout::{PlayoutCounts, playouts};
pub use turns::play_many;

/// A level of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuLevel {
    /// What the target of the compilation always has.
    Plain,
    /// AVX2, on x86-64.
    Avx2,
}

impl CpuLevel {
    /// The best level that this machine has.
    pub fn best() -> Self {
        *Self::available().last().unwrap_or(&Self::Plain)
    }

    /// All levels that this machine has.
    pub fn available() -> &'static [Self] {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return &[Self::Plain, Self::Avx2];
        }
        &[Self::Plain]
    }
}

/// Runs an expression compiled for a level of instructions. The expression
/// has to consist of calls that are inlined whole.
macro_rules! at_level {
    ($level:expr, $rules:ident, fn($($name:ident: $type:ty),*) -> $out:ty, $body:path) => {{
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn avx2<$rules: $crate::rules::batch::Lockstep>($($name: $type),*) -> $out {
            $body($($name),*)
        }
        match $level {
            #[cfg(target_arch = "x86_64")]
            $crate::rules::batch::CpuLevel::Avx2
                if $crate::rules::batch::CpuLevel::available()
                    .contains(&$crate::rules::batch::CpuLevel::Avx2) =>
            {
                #[expect(unsafe_code, reason = "the level is chosen at run time")]
                // SAFETY: the guard has just seen that this machine has AVX2.
                unsafe {
                    avx2::<$rules>($($name),*)
                }
            }
            _ => $body($($name),*),
        }
    }};
}
use at_level;

/// Where the turns of all lanes are.
#[derive(Clone, Debug)]
pub struct Lockstepped {
    /// The board.
    pub batch: Batch,
    /// Seeds in hand, to be sown in the next step; 0 in idle lanes.
    hand: Row,
    /// The pit that the first of them falls into.
    first: Row,
    /// The pit that they were lifted from, still to be emptied, or `NO_PIT`.
    lift: Row,
    /// The pit where the packet began (isolo).
    origin: Row,
    /// Mask: the packet in hand was captured and wins.
    wins: Row,
    /// Masks: the sides in isolo's initial phase.
    own_initial: Row,
    enemy_initial: Row,
    /// Mask: a turn is going on.
    busy: Row,
    packets: [u16; WIDTH],
}

/// Stands for no pit.
const NO_PIT: u8 = 0xff;

/// What a step decided, as masks. Lanes in none of them go on or are idle.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// The turn is over, whatever it decided.
    pub over: Row,
    /// The mover has won.
    pub win: Row,
    /// The mover has lost.
    pub loss: Row,
    /// The turn is endless.
    pub draw: Row,
}

impl Ends {
    /// What was decided in a lane whose turn is over.
    fn outcome(&self, lane: usize) -> Outcome {
        if self.win.0[lane] != 0 {
            Outcome::Win
        } else if self.loss.0[lane] != 0 {
            Outcome::Loss
        } else if self.draw.0[lane] != 0 {
            Outcome::Draw
        } else {
            Outcome::Ongoing
        }
    }
}

/// Rules that can be played in lockstep. The functions work on all lanes, and
/// change those in `lanes` only.
pub trait Lockstep: Rules {
    /// Does what comes before the choice of a turn.
    fn prepare(state: &mut Lockstepped, lanes: &Row);

    /// Masks of the legal pits, given a board that is prepared.
    fn legal(state: &Lockstepped) -> [Row; LANES];

    /// Begins the turns that `pits` name, which hold `hands`.
    fn begin(state: &mut Lockstepped, lanes: &Row, pits: &Row, hands: &Row);

    /// Sows one packet in all busy lanes and prepares the next ones.
    fn step(state: &mut Lockstepped) -> Ends;
}

impl Lockstepped {
    /// All lanes idle and empty.
    const IDLE: Self = Self {
        batch: Batch::EMPTY,
        hand: Row::ZERO,
        first: Row::ZERO,
        lift: Row([NO_PIT; WIDTH]),
        origin: Row::ZERO,
        wins: Row::ZERO,
        own_initial: Row::ZERO,
        enemy_initial: Row::ZERO,
        busy: Row::ZERO,
        packets: [0; WIDTH],
    };

    /// Puts a position into a lane.
    #[inline(always)]
    fn load(&mut self, lane: usize, position: &Position) {
        self.batch.set(lane, position.own, position.enemy);
        self.own_initial.0[lane] = mask(position.first.contains(position.side));
        self.enemy_initial.0[lane] = mask(position.first.contains(position.side.other()));
    }

    /// The position in a lane, `side` being the one whose pits are own.
    #[inline(always)]
    fn position(&self, lane: usize, side: Side) -> Position {
        let (own, enemy) = self.batch.get(lane);
        let mut first = FirstPhase::BOTH;
        if self.own_initial.0[lane] == 0 {
            first = first.without(side);
        }
        if self.enemy_initial.0[lane] == 0 {
            first = first.without(side.other());
        }
        Position { own, enemy, side, first }
    }

    /// Changes the sides of the lanes in `lanes`.
    #[inline(always)]
    fn flip<R: Rules>(&mut self, lanes: &Row) {
        let Batch { own, enemy } = &mut self.batch;
        for pit in 0..R::GEOMETRY.pits() {
            swap(&mut own[pit], &mut enemy[pit], lanes);
        }
        swap(&mut self.own_initial, &mut self.enemy_initial, lanes);
    }

    /// Counts the packet just sown; the mask of lanes whose turn has reached
    /// the guard.
    #[inline(always)]
    fn count_packets(&mut self) -> Row {
        let mut guard = Row::ZERO;
        for lane in 0..WIDTH {
            // Wraps in lanes that are idle for long; a turn begins at 0.
            self.packets[lane] = self.packets[lane].wrapping_add(1);
            guard.0[lane] = mask(self.packets[lane] >= MAX_PACKETS);
        }
        guard
    }

    /// Takes up `hand` seeds in `lanes`, the first of which falls into pit
    /// `first`; `lift` is the pit to be emptied.
    #[inline(always)]
    fn take_up(&mut self, lanes: &Row, hand: &Row, first: &Row, lift: &Row) {
        for lane in 0..WIDTH {
            let chosen = lanes.0[lane];
            self.hand.0[lane] = select(chosen, hand.0[lane], self.hand.0[lane]);
            self.first.0[lane] = select(chosen, first.0[lane], self.first.0[lane]);
            self.lift.0[lane] = select(chosen, lift.0[lane], self.lift.0[lane]);
        }
    }

    /// The lanes in `lanes` begin a turn.
    #[inline(always)]
    fn set_busy(&mut self, lanes: &Row) {
        for lane in 0..WIDTH {
            self.busy.0[lane] |= lanes.0[lane];
            self.packets[lane] &= !widened(lanes.0[lane]);
        }
    }

    /// Ends turns: the lanes in `over` become idle.
    #[inline(always)]
    fn end(&mut self, over: &Row) {
        for lane in 0..WIDTH {
            let goes_on = !over.0[lane];
            self.busy.0[lane] &= goes_on;
            self.hand.0[lane] &= goes_on;
            self.lift.0[lane] |= over.0[lane];
        }
    }
}

/// A mask widened to sixteen bits.
#[inline(always)]
const fn widened(mask: u8) -> u16 {
    mask as i8 as i16 as u16
}

#[inline(always)]
fn swap(a: &mut Row, b: &mut Row, lanes: &Row) {
    for lane in 0..WIDTH {
        let change = (a.0[lane] ^ b.0[lane]) & lanes.0[lane];
        a.0[lane] ^= change;
        b.0[lane] ^= change;
    }
}

/// `n` reduced to below `modulus`, for `n` below `2 * modulus`.
#[inline(always)]
const fn reduce(n: u8, modulus: u8) -> u8 {
    let less = n.wrapping_sub(modulus);
    // Wraps to a large number where there was nothing to take off.
    if less < n { less } else { n }
}

/// Where the packets of a step ended.
struct Landing {
    /// The pit after the last seed.
    next: Row,
    /// What that pit holds.
    there: Row,
    /// What the pit of the last seed holds.
    here: Row,
}

/// Sows the hands of all lanes around a loop of all pits, lifting first.
#[inline(always)]
fn sow<R: Rules>(state: &mut Lockstepped) -> Landing {
    let pits = R::GEOMETRY.pits() as u8;
    let mut rounds = Row::ZERO;
    let mut rest = Row::ZERO;
    let mut next = Row::ZERO;
    let mut last = Row::ZERO;
    for lane in 0..WIDTH {
        let mut hand = state.hand.0[lane];
        let mut round = 0u8;
        for _ in 0..R::SEEDS as u8 / pits {
            let more = mask(hand >= pits);
            hand -= pits & more;
            round = round.wrapping_sub(more);
        }
        rounds.0[lane] = round;
        rest.0[lane] = hand;
        let end = reduce(state.first.0[lane] + hand, pits);
        next.0[lane] = end;
        last.0[lane] = end.wrapping_sub(1).min(end + pits - 1);
    }
    let mut landing = Landing { next, there: Row::ZERO, here: Row::ZERO };
    for pit in 0..R::GEOMETRY.pits() {
        let row = &mut state.batch.own[pit].0;
        let number = &EVERYWHERE[pit].0;
        for lane in 0..WIDTH {
            let pit = number[lane];
            // How far behind the first pit this one is.
            let ahead = pit.wrapping_sub(state.first.0[lane]);
            let ahead = ahead.min(ahead.wrapping_add(pits));
            let last_round = rest.0[lane].saturating_sub(ahead).min(1);
            let lifted = mask(state.lift.0[lane] == pit);
            let count = (row[lane] & !lifted) + rounds.0[lane] + last_round;
            row[lane] = count;
            landing.there.0[lane] |= count & mask(next.0[lane] == pit);
            landing.here.0[lane] |= count & mask(last.0[lane] == pit);
        }
    }
    landing
}

/// What the own pits that `at` names hold.
#[inline(always)]
fn gather<R: Rules>(state: &Lockstepped, at: &Row) -> Row {
    let mut found = Row::ZERO;
    for pit in 0..R::GEOMETRY.pits() {
        let (row, number) = (&state.batch.own[pit].0, &EVERYWHERE[pit].0);
        for lane in 0..WIDTH {
            found.0[lane] |= row[lane] & mask(at.0[lane] == number[lane]);
        }
    }
    found
}

/// Masks of the occupied own pits.
#[inline(always)]
fn occupied<R: Rules>(state: &Lockstepped) -> [Row; LANES] {
    let mut masks = [Row::ZERO; LANES];
    for pit in 0..R::GEOMETRY.pits() {
        for lane in 0..WIDTH {
            masks[pit].0[lane] = mask(state.batch.own[pit].0[lane] != 0);
        }
    }
    masks
}
