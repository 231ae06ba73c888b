//! `kisolo-free` and `kisolo-full` in lockstep.

use super::{Ends, Landing, Lockstep, Lockstepped, NO_PIT, occupied, reduce, sow};
use crate::board::{EVERYWHERE, LANES, Row, WIDTH, mask, select};
use crate::rules::{KisoloFree, Resow, Rules};

const COLUMNS: usize = KisoloFree::GEOMETRY.columns;
const PITS: u8 = KisoloFree::GEOMETRY.pits() as u8;

/// Removes what own inner pits `at` capture in `lanes`. Returns the seeds
/// taken, and the mask of enemy inner rows that are empty now.
#[inline(always)]
fn capture(state: &mut Lockstepped, lanes: &Row, at: &Row) -> (Row, Row) {
    let geometry = KisoloFree::GEOMETRY;
    let mut taken = Row::ZERO;
    let mut left = Row::ZERO;
    for inner in COLUMNS..2 * COLUMNS {
        let (facing, far) = (geometry.facing(inner), geometry.far(inner));
        for lane in 0..WIDTH {
            let takes = lanes.0[lane] & mask(at.0[lane] == EVERYWHERE[inner].0[lane]);
            let near = state.batch.enemy[facing].0[lane];
            let outer = state.batch.enemy[far].0[lane];
            taken.0[lane] |= (near + outer) & takes;
            state.batch.enemy[facing].0[lane] = near & !takes;
            state.batch.enemy[far].0[lane] = outer & !takes;
            left.0[lane] |= near & !takes;
        }
    }
    (taken, Row::from_fn(|lane| mask(left.0[lane] == 0)))
}

/// Mask of the lanes whose own inner pit `at` faces an occupied enemy pit.
#[inline(always)]
fn faces(state: &Lockstepped, at: &Row) -> Row {
    let mut found = Row::ZERO;
    for inner in COLUMNS..2 * COLUMNS {
        let facing = &state.batch.enemy[KisoloFree::GEOMETRY.facing(inner)].0;
        for lane in 0..WIDTH {
            found.0[lane] |=
                mask(at.0[lane] == EVERYWHERE[inner].0[lane]) & mask(facing[lane] != 0);
        }
    }
    found
}

/// Goes on in `lanes` from pit `at`, which holds `there`: by a capture where
/// `captures`, else by lifting.
#[inline(always)]
fn go_on(state: &mut Lockstepped, lanes: &Row, at: &Row, there: &Row, captures: &Row) {
    let capturing = Row::from_fn(|lane| lanes.0[lane] & captures.0[lane]);
    let (taken, emptied) = capture(state, &capturing, at);
    let hand = Row::from_fn(|lane| select(capturing.0[lane], taken.0[lane], there.0[lane]));
    let first = Row::from_fn(|lane| {
        let after = reduce(at.0[lane].wrapping_add(1), PITS);
        select(capturing.0[lane], at.0[lane], after)
    });
    let lift = Row::from_fn(|lane| select(capturing.0[lane], NO_PIT, at.0[lane]));
    state.take_up(lanes, &hand, &first, &lift);
    for lane in 0..WIDTH {
        let wins = capturing.0[lane] & emptied.0[lane];
        state.wins.0[lane] = select(lanes.0[lane], wins, state.wins.0[lane]);
    }
}

impl<const FULL: bool> Lockstep for Resow<FULL> {
    #[inline(always)]
    fn prepare(_: &mut Lockstepped, _: &Row) {}

    #[inline(always)]
    fn legal(state: &Lockstepped) -> [Row; LANES] {
        let mut masks = occupied::<Self>(state);
        let mut captures = [Row::ZERO; LANES];
        let mut any = Row::ZERO;
        for inner in COLUMNS..2 * COLUMNS {
            let facing = &state.batch.enemy[Self::GEOMETRY.facing(inner)].0;
            for lane in 0..WIDTH {
                let takes = masks[inner].0[lane] & mask(facing[lane] != 0);
                captures[inner].0[lane] = takes;
                any.0[lane] |= takes;
            }
        }
        for pit in 0..PITS as usize {
            for lane in 0..WIDTH {
                masks[pit].0[lane] = select(any.0[lane], captures[pit].0[lane], masks[pit].0[lane]);
            }
        }
        masks
    }

    #[inline(always)]
    fn begin(state: &mut Lockstepped, lanes: &Row, pits: &Row, hands: &Row) {
        // A legal pit that faces an enemy pit captures: nothing else is legal
        // as soon as there is a capture.
        let captures = faces(state, pits);
        go_on(state, lanes, pits, hands, &captures);
        state.set_busy(lanes);
    }

    #[inline(always)]
    fn step(state: &mut Lockstepped) -> Ends {
        let Landing { next, there, here } = sow::<Self>(state);
        let guard = state.count_packets();
        let mut enemy = Row::ZERO;
        for pit in 0..PITS as usize {
            for lane in 0..WIDTH {
                enemy.0[lane] |= state.batch.enemy[pit].0[lane];
            }
        }
        let busy = state.busy;
        let mut ends = Ends { over: Row::ZERO, win: Row::ZERO, loss: Row::ZERO, draw: Row::ZERO };
        let mut goes_on = Row::ZERO;
        let mut may_capture = faces(state, &next);
        for lane in 0..WIDTH {
            let busy = busy.0[lane];
            let was_empty = mask(here.0[lane] == 1);
            let still = mask(there.0[lane] == 0) | if FULL { 0 } else { was_empty };
            let wins = state.wins.0[lane];
            let win = busy & (wins | (still & mask(enemy.0[lane] == 0)));
            let draw = busy & guard.0[lane] & !(wins | still);
            ends.win.0[lane] = win;
            ends.draw.0[lane] = draw;
            ends.over.0[lane] = busy & (wins | still | guard.0[lane]);
            goes_on.0[lane] = busy & !ends.over.0[lane];
            may_capture.0[lane] &= !was_empty;
        }
        go_on(state, &goes_on, &next, &there, &may_capture);
        let idle = Row::from_fn(|lane| !goes_on.0[lane]);
        state.end(&idle);
        ends
    }
}
