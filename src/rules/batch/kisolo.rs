//! `kisolo` in lockstep.

use super::{Ends, Lockstep, Lockstepped, gather, occupied, reduce, sow};
use crate::board::{LANES, Row, WIDTH, mask};
use crate::rules::{Kisolo, Rules};

const COLUMNS: usize = Kisolo::GEOMETRY.columns;
const PITS: u8 = Kisolo::GEOMETRY.pits() as u8;

/// Captures in every lane at each own inner pit where `takes` (of that pit's
/// number, the lane, and the seeds facing it) says so; the seeds stay on the
/// board.
#[inline(always)]
fn capture(state: &mut Lockstepped, takes: impl Fn(usize, usize, u8) -> u8) {
    let geometry = Kisolo::GEOMETRY;
    for inner in COLUMNS..2 * COLUMNS {
        let (facing, far, behind) =
            (geometry.facing(inner), geometry.far(inner), geometry.behind(inner));
        for lane in 0..WIDTH {
            let near = state.batch.enemy[facing].0[lane];
            let outer = state.batch.enemy[far].0[lane];
            let taken = takes(inner, lane, near) & mask(near != 0);
            state.batch.enemy[facing].0[lane] = near & !taken;
            state.batch.enemy[far].0[lane] = outer & !taken;
            state.batch.own[behind].0[lane] += (near + outer) & taken;
        }
    }
}

impl Lockstep for Kisolo {
    #[inline(always)]
    fn prepare(state: &mut Lockstepped, lanes: &Row) {
        let own = state.batch.own;
        capture(state, |inner, lane, _| lanes.0[lane] & mask(own[inner].0[lane] != 0));
    }

    #[inline(always)]
    fn legal(state: &Lockstepped) -> [Row; LANES] {
        occupied::<Self>(state)
    }

    #[inline(always)]
    fn begin(state: &mut Lockstepped, lanes: &Row, pits: &Row) {
        let hand = gather::<Self>(state, pits);
        let first = Row::from_fn(|lane| reduce(pits.0[lane].wrapping_add(1), PITS));
        state.take_up(lanes, &hand, &first, pits);
        state.set_busy(lanes);
    }

    #[inline(always)]
    fn step(state: &mut Lockstepped) -> Ends {
        let rest = sow::<Self>(state);
        let guard = state.count_packets();
        let next = Row::from_fn(|lane| reduce(state.first.0[lane] + rest.0[lane], PITS));
        let there = gather::<Self>(state, &next);
        let busy = state.busy;
        capture(state, |inner, lane, _| {
            busy.0[lane] & mask(next.0[lane] == inner as u8) & mask(there.0[lane] != 0)
        });
        let mut own_outer = Row::ZERO;
        let mut enemy_outer = Row::ZERO;
        for pit in 0..COLUMNS {
            for lane in 0..WIDTH {
                own_outer.0[lane] |= state.batch.own[pit].0[lane];
                enemy_outer.0[lane] |= state.batch.enemy[pit].0[lane];
            }
        }
        let mut ends = Ends { over: Row::ZERO, win: Row::ZERO, loss: Row::ZERO, draw: Row::ZERO };
        for lane in 0..WIDTH {
            let busy = busy.0[lane];
            let win = busy & mask(enemy_outer.0[lane] == 0);
            let loss = busy & mask(own_outer.0[lane] == 0) & !win;
            let still = busy & mask(there.0[lane] == 0);
            let decided = win | loss | still;
            let draw = busy & guard.0[lane] & !decided;
            ends.win.0[lane] = win;
            ends.loss.0[lane] = loss;
            ends.draw.0[lane] = draw;
            ends.over.0[lane] = decided | draw;
        }
        for lane in 0..WIDTH {
            state.hand.0[lane] = there.0[lane];
            state.first.0[lane] = reduce(next.0[lane] + 1, PITS);
            state.lift.0[lane] = next.0[lane];
        }
        let idle = Row::from_fn(|lane| ends.over.0[lane] | !busy.0[lane]);
        state.end(&idle);
        ends
    }
}
