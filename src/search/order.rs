//! Which turn to look at first.

use super::params::{HISTORY_MAX, Params};
use super::{MAX_PLY, Techniques};
use crate::board::{FirstPhase, Lanes, Pit, PitSet, Position, Side};
use crate::rules::{MAX_TURNS, Node, Outcome, Rules, Turn};

/// Hands of this many seeds and more share one history.
const LARGEST_HAND: usize = 15;

/// The rank of a turn that wins at once, or that the table suggests: above
/// what captures and history can reach, and small enough to be scaled.
const BEST_RANK: i32 = 1 << 20;

/// What earlier cutoffs say about turns.
#[derive(Debug)]
pub struct History {
    killers: [[Option<Pit>; 2]; MAX_PLY],
    /// By pit and by the seeds in it. Both sides sow alike, so they share it.
    scores: [[i32; LARGEST_HAND + 1]; MAX_TURNS],
}

fn hand(node: &Node, pit: Pit) -> usize {
    usize::from(node.base.own.get(pit.index())).min(LARGEST_HAND)
}

impl History {
    /// Nothing known yet.
    pub const fn new() -> Self {
        Self { killers: [[None; 2]; MAX_PLY], scores: [[0; LARGEST_HAND + 1]; MAX_TURNS] }
    }

    /// Moves a score towards one end; the nearer it is, the less it moves.
    fn update(&mut self, node: &Node, pit: Pit, bonus: i32) {
        let score = &mut self.scores[pit.index()][hand(node, pit)];
        *score += bonus - *score * bonus.abs() / HISTORY_MAX;
    }

    /// `pit` cut the node off after the turns in `tried` had not.
    pub fn cutoff(&mut self, node: &Node, ply: usize, pit: Pit, tried: PitSet, bonus: i32) {
        self.killed(ply, pit);
        self.update(node, pit, bonus);
        for other in tried {
            self.update(node, other, -bonus);
        }
    }

    /// `pit` cut a node at `ply` off.
    pub const fn killed(&mut self, ply: usize, pit: Pit) {
        let killers = &mut self.killers[ply];
        match killers[0] {
            Some(known) if known.0 == pit.0 => {}
            _ => killers[1] = killers[0].replace(pit),
        }
    }

    /// The first killer of a ply.
    pub const fn killer(&self, ply: usize) -> Option<Pit> {
        self.killers[ply][0]
    }

    fn order(&self, node: &Node, ply: usize, pit: Pit, params: &Params) -> i32 {
        let killer = if self.killers[ply].contains(&Some(pit)) { params.order_killer } else { 0 };
        self.scores[pit.index()][hand(node, pit)] + killer
    }
}

/// Room for the turns of one node, each with its rank.
pub type TurnBuffer = [(Pit, Turn, i32); MAX_TURNS];

/// An unused buffer.
pub const fn empty_buffer() -> TurnBuffer {
    let nobody = Position::new(Lanes::EMPTY, Lanes::EMPTY, Side::South, FirstPhase::NONE);
    [(Pit(0), Turn { after: nobody, outcome: Outcome::Ongoing, packets: 0 }, 0); MAX_TURNS]
}

/// Yields the turns of a node, made, the most promising first: the one that
/// the table suggests before any other is even made.
pub struct Picker {
    node: Node,
    suggested: Option<Pit>,
    made: bool,
    next: usize,
    count: usize,
}

impl Picker {
    /// The turns of `node`; a suggestion that is not legal is ignored.
    #[inline]
    pub fn new(node: Node, suggested: Option<Pit>) -> Self {
        let suggested = suggested.filter(|&pit| node.legal.contains(pit));
        Self { node, suggested, made: false, next: 0, count: 0 }
    }

    /// The next turn and its rank. `buffer` is the same at every call for this picker;
    /// `history` and `ply` rank the turns that were not suggested.
    #[inline]
    pub fn next<R: Rules>(
        &mut self,
        buffer: &mut TurnBuffer,
        history: &History,
        ply: usize,
        techniques: Techniques,
        params: &Params,
    ) -> Option<(Pit, Turn, i32)> {
        if !self.made {
            if let Some(pit) = self.suggested.take() {
                self.node.legal.0 &= !(1 << pit.0);
                return Some((pit, R::play(&self.node, pit), BEST_RANK));
            }
            self.make_all::<R>(buffer, history, ply, techniques, params);
        }
        let rest = &mut buffer[self.next..self.count];
        let mut best = 0;
        for candidate in 1..rest.len() {
            if rest[candidate].2 > rest[best].2 {
                best = candidate;
            }
        }
        if rest.is_empty() {
            return None;
        }
        rest.swap(0, best);
        self.next += 1;
        Some(rest[0])
    }

    fn make_all<R: Rules>(
        &mut self,
        buffer: &mut TurnBuffer,
        history: &History,
        ply: usize,
        techniques: Techniques,
        params: &Params,
    ) {
        self.made = true;
        let before = self.node.base.own.sum() as i32;
        for pit in self.node.legal {
            let turn = R::play(&self.node, pit);
            let order = match turn.outcome {
                _ if !techniques.ordering => 0,
                Outcome::Win => BEST_RANK,
                Outcome::Loss => -BEST_RANK,
                Outcome::Ongoing | Outcome::Draw => {
                    let captured = turn.after.enemy.sum() as i32 - before;
                    params.order_seed * captured + history.order(&self.node, ply, pit, params)
                }
            };
            buffer[self.count] = (pit, turn, order);
            self.count += 1;
        }
    }
}
