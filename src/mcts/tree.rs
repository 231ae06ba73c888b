//! The tree: nodes in one block of memory, shared by all threads of a search
//! without locks.
//!
//! The children of a node lie side by side and behind it in memory, and are
//! there all at once or not at all.

use std::ops::Range;
use std::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use zerocopy::FromZeros;

use super::reuse::Root;
use crate::board::Pit;
use crate::rules::MAX_TURNS;
use crate::search::{MATE, MATE_BOUND};
use crate::tt::OutOfMemory;

/// The node of the position that is searched.
pub const ROOT: usize = 0;
/// A value of 1: a game that is won for certain.
pub const ONE: u32 = 1 << 16;

/// No children yet. (The root is nobody's child.)
const NONE: u32 = 0;
/// A thread is about to add the children.
const CLAIMED: u32 = u32::MAX;

/// What is known of a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The best evaluation that can be reached, as a score of the search; the
    /// distance of a won or lost game counts from the position itself.
    pub score: i32,
    /// Whether the score is that of the game, and not an estimate.
    pub solved: bool,
}

impl Verdict {
    /// An estimate.
    pub const fn estimate(score: i32) -> Self {
        Self { score, solved: false }
    }

    /// The end of the game, or a forced one.
    pub const fn end(score: i32) -> Self {
        Self { score, solved: true }
    }

    /// A game that is won or lost.
    pub const fn decided(self) -> bool {
        self.solved && self.score.abs() > MATE_BOUND
    }

    /// The value to the side to move if the score is that of the game.
    pub fn exact(self) -> Option<u32> {
        self.solved.then_some(match self.score {
            score if score > MATE_BOUND => ONE,
            score if score < -MATE_BOUND => 0,
            _ => ONE / 2,
        })
    }

    /// The score for the side that moved here, before that turn: the end is
    /// one ply further away.
    pub const fn before(self) -> i32 {
        match -self.score {
            score if score > MATE_BOUND => score - 1,
            score if score < -MATE_BOUND => score + 1,
            score => score,
        }
    }

    /// The verdict on a position whose turns lead to these: a win is one,
    /// whatever the others are, all else is solved when every turn is.
    pub fn over(children: impl Iterator<Item = Self>) -> Self {
        let mut best = -MATE;
        let mut solved = true;
        for child in children {
            best = best.max(child.before());
            solved &= child.solved;
        }
        // Estimates are never so high.
        Self { score: best, solved: solved || best > MATE_BOUND }
    }

    const fn pack(self) -> u32 {
        self.score as i16 as u16 as u32 | (self.solved as u32) << 16
    }

    const fn unpack(data: u32) -> Self {
        Self { score: data as u16 as i16 as i32, solved: data >> 16 != 0 }
    }
}

/// One node: a turn and the position after it.
#[derive(Debug, FromZeros)]
#[repr(C)]
pub struct Node {
    /// Visits that have begun. Their values follow later: until then a visit
    /// counts as lost, which keeps other threads away.
    visits: AtomicU32,
    /// The first child.
    first: AtomicU32,
    /// The sum of values for the side that moved here.
    sum: AtomicU64,
    verdict: AtomicU32,
    /// How promising the turn looked, an `f32`; those of a node sum up to 1.
    prior: AtomicU32,
    /// The pit, and above its eight bits the number of children.
    turn: AtomicU32,
    /// For cutting the tree down.
    pub(super) mark: AtomicU32,
}

impl Node {
    /// Makes a new node of this one.
    pub fn begin(&self, pit: Pit, verdict: Verdict, prior: f32) {
        self.visits.store(0, Relaxed);
        self.first.store(NONE, Relaxed);
        self.sum.store(0, Relaxed);
        self.verdict.store(verdict.pack(), Relaxed);
        self.prior.store(prior.to_bits(), Relaxed);
        self.turn.store(pit.0.into(), Relaxed);
        self.mark.store(0, Relaxed);
    }

    /// Takes all that another node holds.
    pub(super) fn become_copy_of(&self, other: &Self) {
        let copy = |to: &AtomicU32, from: &AtomicU32| to.store(from.load(Relaxed), Relaxed);
        copy(&self.visits, &other.visits);
        copy(&self.first, &other.first);
        self.sum.store(other.sum.load(Relaxed), Relaxed);
        copy(&self.verdict, &other.verdict);
        copy(&self.prior, &other.prior);
        copy(&self.turn, &other.turn);
        self.mark.store(0, Relaxed);
    }

    /// The visits so far.
    #[inline(always)]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// The mean value for the side that moved here, from 0 to 1.
    #[inline(always)]
    pub fn mean(&self) -> Option<f32> {
        let visits = self.visits();
        let sum = self.sum.load(Relaxed);
        (visits > 0).then(|| sum as f32 / (visits as f32 * ONE as f32))
    }

    /// The turn that leads here.
    #[inline(always)]
    pub fn pit(&self) -> Pit {
        Pit(self.turn.load(Relaxed) as u8)
    }

    /// How promising that turn looked at first.
    #[inline(always)]
    pub fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Relaxed))
    }

    /// What is known of the position.
    #[inline(always)]
    pub fn verdict(&self) -> Verdict {
        Verdict::unpack(self.verdict.load(Relaxed))
    }

    /// Changes the verdict, unless the position is solved already. Returns
    /// whether it is another one now.
    pub fn judge(&self, verdict: Verdict) -> bool {
        let new = verdict.pack();
        let mut old = self.verdict.load(Relaxed);
        while old != new && !Verdict::unpack(old).solved {
            match self.verdict.compare_exchange_weak(old, new, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(now) => old = now,
            }
        }
        false
    }

    /// Begins a visit.
    #[inline(always)]
    pub fn enter(&self) {
        self.visits.fetch_add(1, Relaxed);
    }

    /// Adds what a visit was worth to the side that moved here.
    #[inline(always)]
    pub fn add(&self, value: u32) {
        self.sum.fetch_add(value.into(), Relaxed);
    }

    /// The children, if they are there.
    #[inline(always)]
    pub fn children(&self) -> Option<Range<usize>> {
        match self.first.load(Acquire) {
            NONE | CLAIMED => None,
            first => {
                let count = self.turn.load(Relaxed) >> 8;
                Some(first as usize..(first + count) as usize)
            }
        }
    }

    /// Whether it falls to the caller to add the children.
    pub fn claim(&self) -> bool {
        self.first.compare_exchange(NONE, CLAIMED, Relaxed, Relaxed).is_ok()
    }

    /// Gives a claim back.
    pub fn release(&self) {
        self.first.store(NONE, Relaxed);
    }

    /// Adds the children that were made ready.
    pub fn adopt(&self, children: &Range<usize>) {
        self.turn.fetch_or((children.len() as u32) << 8, Relaxed);
        self.first.store(children.start as u32, Release);
    }

    /// The children lie elsewhere now.
    pub(super) fn moved(&self, first: usize) {
        self.first.store(first as u32, Relaxed);
    }
}

/// A tree of bounded size. Whoever searches in it has it for himself.
pub struct Tree {
    pub(super) nodes: Box<[Node]>,
    /// The nodes in use.
    pub(super) used: AtomicU32,
    /// The search that filled it.
    pub(super) root: Option<Root>,
}

impl Tree {
    /// An empty tree of `mib` MiB (at least 1).
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(mib: usize) -> Result<Self, OutOfMemory> {
        let memory = OutOfMemory(mib);
        let nodes = mib.max(1).checked_mul((1 << 20) / size_of::<Node>()).ok_or(memory)?;
        Self::with_nodes(nodes).ok_or(memory)
    }

    /// An empty tree of so many nodes.
    fn with_nodes(nodes: usize) -> Option<Self> {
        // Indices have 32 bits, the last of which is taken.
        let nodes = nodes.clamp(1, CLAIMED as usize);
        let nodes = <[Node]>::new_box_zeroed_with_elems(nodes).ok()?;
        Some(Self { nodes, used: AtomicU32::new(0), root: None })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.root = None;
        *self.used.get_mut() = 0;
    }

    /// The node with this index.
    #[inline(always)]
    pub fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    /// Room for so many nodes, if there is any left.
    pub fn take(&self, count: usize) -> Option<Range<usize>> {
        let end = |used: u32| {
            let end = used as usize + count;
            (end <= self.nodes.len()).then_some(end as u32)
        };
        let start = self.used.fetch_update(Relaxed, Relaxed, end).ok()? as usize;
        Some(start..start + count)
    }

    /// Whether there may be no room for the children of a node.
    pub fn is_full(&self) -> bool {
        self.used.load(Relaxed) as usize + MAX_TURNS > self.nodes.len()
    }

    /// How full it is, in permille.
    pub fn permille_full(&self) -> u32 {
        (u64::from(self.used.load(Relaxed)) * 1000 / self.nodes.len() as u64) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_survive_packing() {
        for score in [0, 250, -250, MATE, -MATE, MATE - 7] {
            for verdict in [Verdict::estimate(score), Verdict::end(score)] {
                assert_eq!(Verdict::unpack(verdict.pack()), verdict);
            }
        }
    }

    #[test]
    fn the_shortest_win_and_the_longest_loss_count() {
        let over = |children: &[Verdict]| Verdict::over(children.iter().copied());
        let (lost, drawn, unknown) =
            (Verdict::end(-MATE), Verdict::end(0), Verdict::estimate(-300));
        let lost_later = Verdict::end(2 - MATE);
        assert_eq!(over(&[unknown, lost_later, lost]), Verdict::end(MATE - 1));
        assert_eq!(over(&[unknown, lost_later]), Verdict::end(MATE - 3));
        let (won, won_later) = (Verdict::end(MATE - 1), Verdict::end(MATE - 3));
        assert_eq!(over(&[won, won_later]), Verdict::end(4 - MATE));
        assert_eq!(over(&[won, drawn]), drawn);
        assert_eq!(over(&[won, unknown]), Verdict::estimate(300));
    }

    #[test]
    fn a_full_tree_gives_no_more() {
        let tree = Tree::with_nodes(10).unwrap();
        assert_eq!(tree.take(4), Some(0..4));
        assert_eq!(tree.take(7), None);
        assert_eq!(tree.take(6), Some(4..10));
        assert_eq!(tree.take(1), None);
        assert_eq!(tree.permille_full(), 1000);
    }

    #[test]
    fn a_node_takes_its_children_once() {
        let tree = Tree::with_nodes(10).unwrap();
        let node = tree.node(ROOT);
        node.begin(Pit(3), Verdict::estimate(0), 1.0);
        assert!(node.claim() && !node.claim());
        assert_eq!(node.children(), None);
        node.release();
        assert!(node.claim());
        node.adopt(&(1..5));
        assert_eq!((node.children(), node.pit()), (Some(1..5), Pit(3)));
        assert!(!node.claim());
    }
}
