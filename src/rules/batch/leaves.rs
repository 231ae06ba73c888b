//! Perft with its last turns in batches.

use super::{CpuLevel, Lockstep, Lockstepped, NO_PIT, at_level};
use crate::board::{Batch, EVERYWHERE, LANES, Position, Row, WIDTH, mask, select};
use crate::rules::{Node, Outcome};

/// Nodes that are gathered before their turns are made.
const QUEUE: usize = 1024;

/// What the last turns of all sequences decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeafCounts {
    /// All of them: the number of sequences.
    pub turns: u64,
    /// Those that won for their mover.
    pub wins: u64,
    /// Those that lost for their mover.
    pub losses: u64,
    /// Those that were endless.
    pub draws: u64,
}

/// Counts the sequences of exactly `depth` turns (1 or more) like
/// [`super::super::perft`]. Every turn is made, the last ones in batches.
pub fn perft_batched<R: Lockstep>(level: CpuLevel, position: &Position, depth: u32) -> LeafCounts {
    let mut counts = LeafCounts::default();
    let mut queue = Vec::with_capacity(QUEUE);
    gather::<R>(level, R::node(position), depth.max(1), &mut queue, &mut counts);
    make::<R>(level, &queue, &mut counts);
    counts
}

/// Collects the nodes of the last ply; makes their turns when the queue is full.
fn gather<R: Lockstep>(
    level: CpuLevel,
    node: Node,
    depth: u32,
    queue: &mut Vec<Node>,
    counts: &mut LeafCounts,
) {
    if depth == 1 {
        if !node.legal.is_empty() {
            queue.push(node);
        }
        if queue.len() == QUEUE {
            make::<R>(level, queue, counts);
            queue.clear();
        }
        return;
    }
    for pit in node.legal {
        let turn = R::play(&node, pit);
        if turn.outcome == Outcome::Ongoing {
            gather::<R>(level, R::node(&turn.after), depth - 1, queue, counts);
        }
    }
}

/// Makes all turns of all nodes.
fn make<R: Lockstep>(level: CpuLevel, nodes: &[Node], counts: &mut LeafCounts) {
    at_level!(level, R, fn(nodes: &[Node], counts: &mut LeafCounts) -> (), run::<R>);
}

/// Counters of one byte a lane, emptied before they overflow.
struct Counters {
    rows: [Row; 4],
    steps: u32,
}

impl Counters {
    #[inline(always)]
    fn add(&mut self, masks: [&Row; 4], counts: &mut LeafCounts) {
        for (row, mask) in self.rows.iter_mut().zip(masks) {
            for lane in 0..WIDTH {
                row.0[lane] = row.0[lane].wrapping_sub(mask.0[lane]);
            }
        }
        self.steps += 1;
        if self.steps == u32::from(u8::MAX) {
            self.empty(counts);
        }
    }

    #[inline(always)]
    fn empty(&mut self, counts: &mut LeafCounts) {
        let sum = |row: &Row| row.0.iter().map(|&count| u64::from(count)).sum::<u64>();
        counts.turns += sum(&self.rows[0]);
        counts.wins += sum(&self.rows[1]);
        counts.losses += sum(&self.rows[2]);
        counts.draws += sum(&self.rows[3]);
        *self = Self { rows: [Row::ZERO; 4], steps: 0 };
    }
}

/// The node in each lane, and which of its turns are still to be made.
struct Bases {
    batch: Batch,
    own_initial: Row,
    enemy_initial: Row,
    legal: [Row; LANES],
}

impl Bases {
    #[inline(always)]
    fn load(&mut self, lane: usize, node: &Node) {
        let base = &node.base;
        self.batch.set(lane, base.own, base.enemy);
        self.own_initial.0[lane] = mask(base.first.contains(base.side));
        self.enemy_initial.0[lane] = mask(base.first.contains(base.side.other()));
        for pit in 0..LANES {
            self.legal[pit].0[lane] = mask(node.legal.0 >> pit & 1 != 0);
        }
    }

    /// Takes the next legal pit of each lane in `lanes`, `NO_PIT` if there is
    /// none.
    #[inline(always)]
    fn take_pits<R: Lockstep>(&mut self, lanes: &Row) -> Row {
        let mut pits = Row([NO_PIT; WIDTH]);
        for pit in 0..R::GEOMETRY.pits() {
            let legal = &mut self.legal[pit].0;
            for lane in 0..WIDTH {
                let free = lanes.0[lane] & mask(pits.0[lane] == NO_PIT);
                let taken = legal[lane] & free;
                pits.0[lane] = select(taken, EVERYWHERE[pit].0[lane], pits.0[lane]);
                legal[lane] &= !taken;
            }
        }
        pits
    }

    /// Puts the nodes in `lanes` on the board again.
    #[inline(always)]
    fn restore<R: Lockstep>(&self, state: &mut Lockstepped, lanes: &Row) {
        for pit in 0..R::GEOMETRY.pits() {
            copy(&mut state.batch.own[pit], &self.batch.own[pit], lanes);
            copy(&mut state.batch.enemy[pit], &self.batch.enemy[pit], lanes);
        }
        copy(&mut state.own_initial, &self.own_initial, lanes);
        copy(&mut state.enemy_initial, &self.enemy_initial, lanes);
    }
}

#[inline(always)]
fn copy(to: &mut Row, from: &Row, lanes: &Row) {
    for lane in 0..WIDTH {
        to.0[lane] = select(lanes.0[lane], from.0[lane], to.0[lane]);
    }
}

#[inline(always)]
fn run<R: Lockstep>(nodes: &[Node], counts: &mut LeafCounts) {
    let mut state = Lockstepped::IDLE;
    let mut bases = Bases {
        batch: Batch::EMPTY,
        own_initial: Row::ZERO,
        enemy_initial: Row::ZERO,
        legal: [Row::ZERO; LANES],
    };
    let mut counters = Counters { rows: [Row::ZERO; 4], steps: 0 };
    let mut waiting = nodes.iter();
    loop {
        let mut lanes = Row::from_fn(|lane| !state.busy.0[lane]);
        let mut pits = bases.take_pits::<R>(&lanes);
        let done = Row::from_fn(|lane| lanes.0[lane] & mask(pits.0[lane] == NO_PIT));
        if done.any() {
            let done = done.bits();
            for lane in (0..WIDTH).filter(|lane| done >> lane & 1 != 0) {
                match waiting.next() {
                    Some(node) => {
                        bases.load(lane, node);
                        let pit = node.legal.0.trailing_zeros() as usize;
                        bases.legal[pit].0[lane] = 0;
                        pits.0[lane] = pit as u8;
                    }
                    None => lanes.0[lane] = 0,
                }
            }
        }
        bases.restore::<R>(&mut state, &lanes);
        let hands = super::gather::<R>(&state, &pits);
        R::begin(&mut state, &lanes, &pits, &hands);
        if !state.busy.any() {
            break;
        }
        let ends = R::step(&mut state);
        counters.add([&ends.over, &ends.win, &ends.loss, &ends.draw], counts);
    }
    counters.empty(counts);
}
