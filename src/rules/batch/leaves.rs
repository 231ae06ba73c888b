//! All turns of many nodes, made and counted, and perft on top of it.

use std::marker::PhantomData;

use super::level::Kernel;
use super::relay::{Relays, ends_first_phase};
use super::{CpuLevel, Lockstep};
use crate::board::{Position, Row, Rows, WIDTH, lanes_of, mask, select};
use crate::rules::{Node, Outcome};

/// What the turns of many nodes led to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeafCounts {
    /// Turns made.
    pub turns: u64,
    /// Those that won the game for their mover.
    pub wins: u64,
    /// Those that lost it.
    pub losses: u64,
    /// The endless ones.
    pub draws: u64,
}

/// A batch of nodes; each lane goes through all turns of its node, then takes
/// the next node.
pub struct Leaves<R> {
    level: CpuLevel,
    work: Box<Work>,
    /// Lanes without a node.
    free: u32,
    rules: PhantomData<R>,
}

#[repr(C, align(64))]
struct Work {
    relays: Relays,
    /// What a lane is restored to for each turn of its node.
    own: Rows,
    enemy: Rows,
    own_first: Row,
    capture: Row,
    /// The turns still to be made, pits 0 to 7 and 8 to 15.
    todo: [Row; 2],
    /// Masks: the lanes that begin their next turn.
    due: Row,
    counts: LeafCounts,
}

impl<R: Lockstep> Leaves<R> {
    /// An empty batch.
    pub fn new(level: CpuLevel) -> Self {
        let none = [0; WIDTH];
        let work = Work {
            relays: Relays::IDLE,
            own: Rows::EMPTY,
            enemy: Rows::EMPTY,
            own_first: none,
            capture: none,
            todo: [none; 2],
            due: none,
            counts: LeafCounts::default(),
        };
        Self { level, work: Box::new(work), free: u32::MAX, rules: PhantomData }
    }

    /// Has all turns of `node` made, now or later.
    #[inline]
    pub fn push(&mut self, node: &Node) {
        if node.legal.is_empty() {
            return;
        }
        if self.free == 0 {
            self.step();
        }
        let lane = self.free.trailing_zeros() as usize;
        self.free &= self.free - 1;
        self.work.load(lane, node);
    }

    /// Makes what is left and returns the counts of all nodes.
    pub fn finish(mut self) -> LeafCounts {
        while self.free != u32::MAX {
            self.step();
        }
        self.work.counts
    }

    fn step(&mut self) {
        self.free |= self.level.run(UntilOneIsFree::<R>(&mut self.work, PhantomData));
    }
}

impl Work {
    #[inline(always)]
    fn load(&mut self, lane: usize, node: &Node) {
        let Position { own, enemy, side, first } = node.base;
        self.own.set(lane, own);
        self.enemy.set(lane, enemy);
        self.own_first[lane] = mask(first.contains(side));
        self.relays.enemy_first[lane] = mask(first.contains(side.other()));
        self.capture[lane] = mask(node.capture);
        let [low, high] = node.legal.0.to_le_bytes();
        self.todo[0][lane] = low;
        self.todo[1][lane] = high;
        self.due[lane] = mask(true);
    }

    /// Restores the lanes that are due and begins their next turns.
    #[inline(always)]
    fn begin<R: Lockstep>(&mut self) {
        let due = self.due;
        let relays = &mut self.relays;
        let (mut at, mut hand) = ([0; WIDTH], [0; WIDTH]);
        for pit in (0..R::GEOMETRY.pits()).rev() {
            let bit = 1 << (pit % 8);
            for lane in 0..WIDTH {
                let own = self.own.0[pit][lane];
                relays.own.0[pit][lane] = select(due[lane], own, relays.own.0[pit][lane]);
                let enemy = self.enemy.0[pit][lane];
                relays.enemy.0[pit][lane] = select(due[lane], enemy, relays.enemy.0[pit][lane]);
                // Downwards, so that the lowest pit left is the one that stays.
                let left = mask(self.todo[pit / 8][lane] & bit != 0);
                at[lane] = select(left, pit as u8, at[lane]);
                hand[lane] = select(left, own, hand[lane]);
            }
        }
        if R::BEGINS_WITH_CAPTURE {
            let mut captures = [0; WIDTH];
            for lane in 0..WIDTH {
                captures[lane] = due[lane] & self.capture[lane];
            }
            let taken = relays.capture_at::<R>(&at, &captures);
            for lane in 0..WIDTH {
                hand[lane] = select(captures[lane], taken[lane], hand[lane]);
            }
        }
        for lane in 0..WIDTH {
            let due = due[lane];
            relays.live[lane] |= due;
            relays.at[lane] = select(due, at[lane], relays.at[lane]);
            relays.hand[lane] = select(due, hand[lane], relays.hand[lane]);
            relays.onto[lane] = select(due, self.capture[lane], relays.onto[lane]);
            let own_first = self.own_first[lane] & mask(!ends_first_phase::<R>(at[lane]));
            relays.own_first[lane] = select(due, own_first, relays.own_first[lane]);
            let [low, high] = [self.todo[0][lane], self.todo[1][lane]];
            let without_lowest = |set: u8| set & set.wrapping_sub(1);
            let high = select(mask(low == 0), without_lowest(high), high);
            self.todo[0][lane] = select(due, without_lowest(low), low);
            self.todo[1][lane] = select(due, high, self.todo[1][lane]);
        }
        for lane in 0..WIDTH {
            relays.packets[lane] &= !(due[lane] as i8 as u16);
        }
    }
}

/// Turns in all lanes until a node has no more; returns the lanes of such.
struct UntilOneIsFree<'a, R>(&'a mut Work, PhantomData<R>);

impl<R: Lockstep> Kernel for UntilOneIsFree<'_, R> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let work = self.0;
        let count = |masks: &Row| u64::from(lanes_of(masks).count_ones());
        loop {
            work.begin::<R>();
            let ended = work.relays.packet::<R>();
            work.counts.turns += count(&ended.done);
            let mut free = [0; WIDTH];
            let mut over = [0; WIDTH];
            for lane in 0..WIDTH {
                over[lane] = ended.win[lane] | ended.loss[lane] | ended.draw[lane];
                let more = mask((work.todo[0][lane] | work.todo[1][lane]) != 0);
                work.due[lane] = ended.done[lane] & more;
                free[lane] = ended.done[lane] & !more;
            }
            if lanes_of(&over) != 0 {
                work.counts.wins += count(&ended.win);
                work.counts.losses += count(&ended.loss);
                work.counts.draws += count(&ended.draw);
            }
            let free = lanes_of(&free);
            if free != 0 {
                return free;
            }
        }
    }
}

/// The sequences of exactly `depth` turns (1 or more) from a position, by what
/// their last turns led to: [`perft`](crate::rules::perft()) with the last turns
/// made in batches.
pub fn perft_batched<R: Lockstep>(level: CpuLevel, position: &Position, depth: u32) -> LeafCounts {
    let mut leaves = Leaves::<R>::new(level);
    descend(&mut leaves, &R::node(position), depth);
    leaves.finish()
}

fn descend<R: Lockstep>(leaves: &mut Leaves<R>, node: &Node, depth: u32) {
    if depth <= 1 {
        return leaves.push(node);
    }
    for pit in node.legal {
        let turn = R::play(node, pit);
        if turn.outcome == Outcome::Ongoing {
            descend(leaves, &R::node(&turn.after), depth - 1);
        }
    }
}
