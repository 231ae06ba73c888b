//! Any turns of any positions, in batches.

use super::{CpuLevel, Lockstep, Lockstepped, at_level, gather};
use crate::board::{Pit, Position, Row, Side, WIDTH, mask};
use crate::rules::Turn;

/// Makes many turns, each the legal `pit` of its position, in the order in
/// which they are given.
pub fn play_many<R: Lockstep>(level: CpuLevel, turns: &[(Position, Pit)]) -> Vec<Turn> {
    at_level!(level, R, fn(turns: &[(Position, Pit)]) -> Vec<Turn>, run::<R>)
}

#[inline(always)]
fn run<R: Lockstep>(turns: &[(Position, Pit)]) -> Vec<Turn> {
    let mut made: Vec<Option<Turn>> = vec![None; turns.len()];
    let mut state = Lockstepped::IDLE;
    let mut tasks = [(0, Side::South); WIDTH];
    let mut waiting = turns.iter().enumerate();
    let mut free = u32::MAX;
    loop {
        let mut lanes = Row::ZERO;
        let mut pits = Row::ZERO;
        for lane in (0..WIDTH).filter(|lane| free >> lane & 1 != 0) {
            let Some((index, (position, pit))) = waiting.next() else { break };
            state.load(lane, &R::node(position).base);
            tasks[lane] = (index, position.side);
            lanes.0[lane] = mask(true);
            pits.0[lane] = pit.0;
        }
        if lanes.any() {
            let hands = gather::<R>(&state, &pits);
            R::begin(&mut state, &lanes, &pits, &hands);
        }
        if !state.busy.any() {
            return made.into_iter().flatten().collect();
        }
        let ends = R::step(&mut state);
        free = ends.over.bits();
        for lane in (0..WIDTH).filter(|lane| free >> lane & 1 != 0) {
            let (index, side) = tasks[lane];
            made[index] = Some(Turn {
                after: state.position(lane, side).flipped(),
                outcome: ends.outcome(lane),
                packets: state.packets[lane],
            });
        }
    }
}
