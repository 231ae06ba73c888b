//! `isolo` in lockstep.

use super::{Ends, Lockstep, Lockstepped, NO_PIT, occupied};
use crate::board::{EVERYWHERE, LANES, Row, WIDTH, mask, select};
use crate::rules::{Isolo, Rules};

const COLUMNS: usize = Isolo::GEOMETRY.columns;
const PITS: u8 = Isolo::GEOMETRY.pits() as u8;
/// The corner pits, out of play during a side's initial phase.
const CORNERS: [u8; 2] = [7, 8];
/// Pits in play during the initial phase.
const INITIAL_PITS: u8 = PITS - 2;

/// The place of a pit in its lane's loop, which may leave out the corners.
#[inline(always)]
const fn place(pit: u8, initial: u8) -> u8 {
    pit - (2 & initial & mask(pit > CORNERS[1]))
}

/// The pit at a place of its lane's loop.
#[inline(always)]
const fn pit_at(place: u8, initial: u8) -> u8 {
    place + (2 & initial & mask(place >= CORNERS[0]))
}

/// The length of a lane's loop.
#[inline(always)]
const fn length(initial: u8) -> u8 {
    select(initial, INITIAL_PITS, PITS)
}

/// The pit after `pit` in its lane's loop.
#[inline(always)]
const fn after(pit: u8, initial: u8) -> u8 {
    let next = pit.wrapping_add(1) & (PITS - 1);
    next + (2 & initial & mask(next == CORNERS[0])) + (1 & initial & mask(next == CORNERS[1]))
}

/// Sows the hands of all lanes, lifting first. Returns the pits where the
/// last seeds fell, and what they hold.
#[inline(always)]
fn sow(state: &mut Lockstepped) -> (Row, Row) {
    let mut rounds = Row::ZERO;
    let mut rest = Row::ZERO;
    let mut from = Row::ZERO;
    let mut last = Row::ZERO;
    for lane in 0..WIDTH {
        let initial = state.own_initial.0[lane];
        let length = length(initial);
        let mut hand = state.hand.0[lane];
        let mut round = 0u8;
        for _ in 0..Isolo::SEEDS as u8 / INITIAL_PITS {
            let more = mask(hand >= length);
            hand -= length & more;
            round = round.wrapping_sub(more);
        }
        rounds.0[lane] = round;
        rest.0[lane] = hand;
        let first = place(state.first.0[lane], initial);
        from.0[lane] = first;
        // One before the place after the last seed.
        let end = first + hand + length - 1;
        let end = end - (length & mask(end >= length));
        last.0[lane] = pit_at(end - (length & mask(end >= length)), initial);
    }
    let mut here = Row::ZERO;
    for pit in 0..PITS as usize {
        let row = &mut state.batch.own[pit].0;
        let number = &EVERYWHERE[pit].0;
        for lane in 0..WIDTH {
            let pit = number[lane];
            let initial = state.own_initial.0[lane];
            let ahead = place(pit, initial).wrapping_sub(from.0[lane]);
            let ahead = ahead.min(ahead.wrapping_add(length(initial)));
            let last_round = rest.0[lane].saturating_sub(ahead).min(1);
            let lifted = mask(state.lift.0[lane] == pit);
            let out = initial & mask(CORNERS[0] == pit || CORNERS[1] == pit);
            let count = (row[lane] & !lifted) + ((rounds.0[lane] + last_round) & !out);
            row[lane] = count;
            here.0[lane] |= count & mask(last.0[lane] == pit);
        }
    }
    (last, here)
}

/// Removes what own inner pits `at` capture in `lanes`. Returns the seeds
/// taken, and all enemy seeds that are left, folded by OR.
#[inline(always)]
fn capture(state: &mut Lockstepped, lanes: &Row, at: &Row) -> (Row, Row) {
    let geometry = Isolo::GEOMETRY;
    let mut taken = Row::ZERO;
    let mut left = Row::ZERO;
    for inner in COLUMNS..2 * COLUMNS {
        let (facing, far) = (geometry.facing(inner), geometry.far(inner));
        for lane in 0..WIDTH {
            // The column of the enemy's corners is out of play at first.
            let held = state.enemy_initial.0[lane] & mask(facing == CORNERS[1] as usize);
            let takes = lanes.0[lane] & mask(at.0[lane] == EVERYWHERE[inner].0[lane]) & !held;
            let near = state.batch.enemy[facing].0[lane];
            let outer = state.batch.enemy[far].0[lane];
            taken.0[lane] |= (near + outer) & takes;
            state.batch.enemy[facing].0[lane] = near & !takes;
            state.batch.enemy[far].0[lane] = outer & !takes;
            left.0[lane] |= (near | outer) & !takes;
        }
    }
    (taken, left)
}

impl Lockstep for Isolo {
    #[inline(always)]
    fn prepare(_: &mut Lockstepped, _: &Row) {}

    #[inline(always)]
    fn legal(state: &Lockstepped) -> [Row; LANES] {
        let mut masks = occupied::<Self>(state);
        for lane in 0..WIDTH {
            masks[CORNERS[1] as usize].0[lane] &= !state.own_initial.0[lane];
        }
        masks
    }

    #[inline(always)]
    fn begin(state: &mut Lockstepped, lanes: &Row, pits: &Row, hands: &Row) {
        for lane in 0..WIDTH {
            let opens = lanes.0[lane] & mask(pits.0[lane] == CORNERS[0]);
            state.own_initial.0[lane] &= !opens;
        }
        let first = Row::from_fn(|lane| after(pits.0[lane] & 15, state.own_initial.0[lane]));
        state.take_up(lanes, hands, &first, pits);
        for lane in 0..WIDTH {
            state.origin.0[lane] = select(lanes.0[lane], pits.0[lane], state.origin.0[lane]);
            state.wins.0[lane] &= !lanes.0[lane];
        }
        state.set_busy(lanes);
    }

    #[inline(always)]
    fn step(state: &mut Lockstepped) -> Ends {
        let (last, here) = sow(state);
        let guard = state.count_packets();
        let busy = state.busy;
        let mut ends = Ends { over: Row::ZERO, win: Row::ZERO, loss: Row::ZERO, draw: Row::ZERO };
        let mut goes_on = Row::ZERO;
        let mut still = Row::ZERO;
        for lane in 0..WIDTH {
            still.0[lane] = mask(here.0[lane] == 1);
            let over = busy.0[lane] & (state.wins.0[lane] | still.0[lane] | guard.0[lane]);
            ends.over.0[lane] = over;
            goes_on.0[lane] = busy.0[lane] & !over;
        }
        let (taken, left) = capture(state, &goes_on, &last);
        for lane in 0..WIDTH {
            let wins = state.wins.0[lane];
            let nobody = mask(left.0[lane] == 0);
            ends.win.0[lane] = ends.over.0[lane] & (wins | (still.0[lane] & nobody));
            ends.draw.0[lane] = ends.over.0[lane] & !(wins | still.0[lane]);
            let captures = goes_on.0[lane] & mask(taken.0[lane] != 0);
            state.wins.0[lane] = captures & nobody;
            // Captured seeds begin where the packet did; others behind the
            // pit that they were lifted from.
            let origin = select(captures, state.origin.0[lane], last.0[lane]);
            let behind = after(last.0[lane], state.own_initial.0[lane]);
            state.origin.0[lane] = origin;
            state.hand.0[lane] = select(captures, taken.0[lane], here.0[lane]);
            state.first.0[lane] = select(captures, origin, behind);
            state.lift.0[lane] = select(captures, NO_PIT, last.0[lane]);
        }
        let idle = Row::from_fn(|lane| !goes_on.0[lane]);
        state.end(&idle);
        ends
    }
}
