//! One thread of the search: down the tree to a leaf, and back with its value.

use std::marker::PhantomData;
use std::ops::Range;

use super::leaf::Method;
use super::tree::{ONE, ROOT, Tree, Verdict};
use crate::board::{Pit, PitSet, Position};
use crate::eval::Net;
use crate::rules::{MAX_TURNS, Outcome, Rules};
use crate::search::{DRAW, Line, MATE, MAX_PLY};

/// The turns of a new node.
struct Turns {
    turns: [(Pit, Verdict); MAX_TURNS],
    count: usize,
}

impl Turns {
    fn all(&self) -> &[(Pit, Verdict)] {
        &self.turns[..self.count]
    }
}

/// One thread of a search.
pub struct Worker<'a, R, M> {
    tree: &'a Tree,
    root: Position,
    /// The turns at the root that are looked at.
    allowed: PitSet,
    method: M,
    net: Option<&'a Net>,
    line: Line,
    path: Vec<usize>,
    /// The longest path so far, in plies.
    pub deepest: usize,
    rules: PhantomData<R>,
}

impl<'a, R: Rules, M: Method> Worker<'a, R, M> {
    /// The worker with this number. It looks only at `allowed` turns.
    pub fn new(
        tree: &'a Tree,
        (root, earlier): (Position, &[u64]),
        allowed: PitSet,
        net: Option<&'a Net>,
        thread: usize,
    ) -> Self {
        Self {
            tree,
            root,
            allowed,
            method: M::new(thread, net.map(Net::scale)),
            net,
            line: Line::new(earlier, MAX_PLY + 1),
            path: Vec::with_capacity(MAX_PLY + 1),
            deepest: 0,
            rules: PhantomData,
        }
    }

    /// One visit: from the root to a position that is new or solved, whose
    /// value then counts for all nodes on the way.
    pub fn visit(&mut self) {
        let mut position = self.root;
        let mut index = ROOT;
        self.path.clear();
        let value = loop {
            let node = self.tree.node(index);
            self.path.push(index);
            node.enter();
            if index != ROOT
                && let Some(value) = node.verdict().exact()
            {
                break value;
            }
            // What other threads have just solved leaves nothing to choose.
            let Some(child) = node.children().and_then(|children| self.choose(index, children))
            else {
                break self.expand(index, &position);
            };
            self.line.push(position.hash());
            position = R::play(&R::node(&position), self.tree.node(child).pit()).after;
            index = child;
        };
        let plies = self.path.len() - 1;
        for _ in 0..plies {
            self.line.pop();
        }
        self.deepest = self.deepest.max(plies);
        self.back_up(value);
    }

    /// The child to look at next. Won and lost games need no more looking at.
    fn choose(&self, parent: usize, children: Range<usize>) -> Option<usize> {
        let exploration = self.method.exploration(self.tree.node(parent).visits());
        let mut best = None;
        let mut most = f32::NEG_INFINITY;
        for child in children {
            let node = self.tree.node(child);
            if node.verdict().decided() || (parent == ROOT && !self.allowed.contains(node.pit())) {
                continue;
            }
            let urgency = self.method.urgency(node, exploration);
            if urgency > most {
                most = urgency;
                best = Some(child);
            }
        }
        best
    }

    /// Adds the children of a leaf, if there is room; its value.
    fn expand(&mut self, index: usize, position: &Position) -> u32 {
        if self.path.len() > MAX_PLY - 1 {
            let estimate = Verdict::estimate(self.method.estimate::<R>(self.net, position));
            return self.method.value::<R>(position, estimate);
        }
        let turns = self.look(position);
        let verdict = Verdict::over(turns.all().iter().map(|turn| turn.1));
        let node = self.tree.node(index);
        if node.claim() {
            match self.tree.take(turns.count) {
                Some(places) => {
                    self.fill(&turns, places.clone());
                    node.adopt(&places);
                }
                None => node.release(),
            }
        }
        if index != ROOT {
            node.judge(verdict);
        }
        verdict.exact().unwrap_or_else(|| self.method.value::<R>(position, verdict))
    }

    /// The turns of a position and what the positions behind them look like.
    fn look(&mut self, position: &Position) -> Turns {
        let node = R::node(position);
        let mut turns = Turns { turns: [(Pit(0), Verdict::end(DRAW)); MAX_TURNS], count: 0 };
        self.line.push(position.hash());
        for pit in node.legal {
            let turn = R::play(&node, pit);
            let verdict = match turn.outcome {
                Outcome::Win => Verdict::end(-MATE),
                Outcome::Loss => Verdict::end(MATE),
                Outcome::Draw => Verdict::end(DRAW),
                Outcome::Ongoing if self.line.contains(turn.after.hash()) => Verdict::end(DRAW),
                Outcome::Ongoing => {
                    Verdict::estimate(self.method.estimate::<R>(self.net, &turn.after))
                }
            };
            turns.turns[turns.count] = (pit, verdict);
            turns.count += 1;
        }
        self.line.pop();
        turns
    }

    fn fill(&self, turns: &Turns, places: Range<usize>) {
        let promise = |&(_, verdict): &(Pit, Verdict)| self.method.promise(verdict.before());
        let sum: f32 = turns.all().iter().map(promise).sum();
        for (turn, place) in turns.all().iter().zip(places) {
            self.tree.node(place).begin(turn.0, turn.1, promise(turn) / sum);
        }
    }

    /// Brings the value of the last node on the path, for its side to move,
    /// back to the root, and the verdicts up to date.
    fn back_up(&self, mut value: u32) {
        let mut changed = true;
        for (ply, &index) in self.path.iter().enumerate().rev() {
            let node = self.tree.node(index);
            // The root has no verdict: it is one on the allowed turns alone.
            changed &= ply > 0;
            let inner = ply + 1 < self.path.len();
            if changed
                && inner
                && let Some(children) = node.children()
            {
                let verdicts = children.map(|child| self.tree.node(child).verdict());
                let verdict = Verdict::over(verdicts);
                changed = node.judge(verdict);
                value = verdict.exact().unwrap_or(value);
            }
            value = ONE - value;
            node.add(value);
        }
    }
}
