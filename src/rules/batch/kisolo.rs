//! `kisolo` in lockstep.

use super::{Ends, Landing, Lockstep, Lockstepped, occupied, reduce, sow};
use crate::board::{EVERYWHERE, LANES, Row, WIDTH, mask};
use crate::rules::{Kisolo, Rules};

const COLUMNS: usize = Kisolo::GEOMETRY.columns;
const PITS: u8 = Kisolo::GEOMETRY.pits() as u8;

/// Captures at each own inner pit, in the lanes where `takes` (of the pit, its
/// row and the lane) is set and the pit faces seeds, which stay on the board.
/// Returns the outer rows of both sides, each folded by OR.
#[inline(always)]
fn capture(state: &mut Lockstepped, takes: impl Fn(usize, u8, usize) -> u8) -> (Row, Row) {
    let geometry = Kisolo::GEOMETRY;
    let (mut own_outer, mut enemy_outer) = (Row::ZERO, Row::ZERO);
    for inner in COLUMNS..2 * COLUMNS {
        let (facing, far, behind) =
            (geometry.facing(inner), geometry.far(inner), geometry.behind(inner));
        for lane in 0..WIDTH {
            let near = state.batch.enemy[facing].0[lane];
            let outer = state.batch.enemy[far].0[lane];
            let taken = takes(inner, state.batch.own[inner].0[lane], lane) & mask(near != 0);
            let stays = outer & !taken;
            let seeds = state.batch.own[behind].0[lane] + ((near + outer) & taken);
            state.batch.enemy[facing].0[lane] = near & !taken;
            state.batch.enemy[far].0[lane] = stays;
            state.batch.own[behind].0[lane] = seeds;
            enemy_outer.0[lane] |= stays;
            own_outer.0[lane] |= seeds;
        }
    }
    (own_outer, enemy_outer)
}

impl Lockstep for Kisolo {
    #[inline(always)]
    fn prepare(state: &mut Lockstepped, lanes: &Row) {
        capture(state, |_, seeds, lane| lanes.0[lane] & mask(seeds != 0));
    }

    #[inline(always)]
    fn legal(state: &Lockstepped) -> [Row; LANES] {
        occupied::<Self>(state)
    }

    #[inline(always)]
    fn begin(state: &mut Lockstepped, lanes: &Row, pits: &Row, hands: &Row) {
        let first = Row::from_fn(|lane| reduce(pits.0[lane].wrapping_add(1), PITS));
        state.take_up(lanes, hands, &first, pits);
        state.set_busy(lanes);
    }

    #[inline(always)]
    fn step(state: &mut Lockstepped) -> Ends {
        let Landing { next, there, .. } = sow::<Self>(state);
        let guard = state.count_packets();
        let busy = state.busy;
        let (own_outer, enemy_outer) = capture(state, |inner, _, lane| {
            busy.0[lane]
                & mask(next.0[lane] == EVERYWHERE[inner].0[lane])
                & mask(there.0[lane] != 0)
        });
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
