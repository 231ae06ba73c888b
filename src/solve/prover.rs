//! Depth-first proof-number search for one attacker.

use std::marker::PhantomData;

use super::budget::Budget;
use super::table::{Entry, INFINITE, Table};
use crate::board::{FirstPhase, Lanes, Pit, Position, Side};
use crate::rules::{MAX_TURNS, Outcome, Rules};
use crate::search::Line;
use crate::tt::OutOfMemory;

/// The longest line that is looked at, in turns. It bounds the stack; what
/// lies beyond counts like a repetition.
const MAX_DEPTH: usize = 2_000;
/// A child is left for the second best only when it has become worse than
/// that by one part in so many: the 1 + ε trick, which spares the search
/// going back and forth. Of 1, 2 and 4 parts, 2 solved most positions.
const EPSILON_PART: u32 = 2;

/// How far the question "does the attacker win?" has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The attacker wins within so many turns.
    Won(u16),
    /// It does not, as far as repetitions may be trusted.
    Denied,
    /// Not decided.
    Open,
}

/// What a turn of the position being searched leads to.
#[derive(Clone, Copy)]
struct Child {
    /// The turn.
    pit: Pit,
    /// The position after it; meaningless if the game is over.
    position: Position,
    hash: u64,
    /// What is known of it, for its own side to move.
    entry: Entry,
}

/// What is known of a child once the side that moved to it has reached its
/// aim, or has lost all hope of it.
const fn settled(reached: bool) -> Entry {
    let (phi, delta) = if reached { (INFINITE, 0) } else { (0, INFINITE) };
    Entry { phi, delta, length: 0, pit: None }
}

/// The search for a win of one side.
pub struct Prover<R> {
    attacker: Side,
    table: Table,
    /// The positions that lead to the one being searched.
    line: Line,
    depth: usize,
    rules: PhantomData<R>,
}

impl<R: Rules> Prover<R> {
    /// A search for a win of `attacker` with a table of so many bytes.
    ///
    /// # Errors
    /// When there is no memory for the table.
    pub fn new(attacker: Side, bytes: usize) -> Result<Self, OutOfMemory> {
        let (table, line) = (Table::new(bytes)?, Line::new(&[], MAX_DEPTH));
        Ok(Self { attacker, table, line, depth: 0, rules: PhantomData })
    }

    /// The side that is to win.
    pub const fn attacker(&self) -> Side {
        self.attacker
    }

    /// What is known of a position.
    pub fn known(&self, position: &Position) -> Option<Entry> {
        self.table.probe(position, position.hash())
    }

    /// The proof and the disproof number of a position.
    pub fn numbers(&self, position: &Position) -> (u32, u32) {
        let entry =
            self.known(position).unwrap_or(Entry { phi: 1, delta: 1, length: 0, pit: None });
        if position.side == self.attacker {
            (entry.phi, entry.delta)
        } else {
            (entry.delta, entry.phi)
        }
    }

    /// Forgets what is known of a position.
    pub fn forget(&mut self, position: &Position) {
        self.table.forget(position, position.hash());
    }

    /// Searches a position in which the game goes on until it is decided or
    /// the budget is spent.
    pub fn decide(&mut self, position: &Position, budget: &mut Budget<'_>) -> Answer {
        let hash = position.hash();
        let mut known = self.table.probe(position, hash);
        while !known.is_some_and(Entry::decided) && !budget.spent() {
            known = Some(self.search(position, hash, (INFINITE, INFINITE), budget));
        }
        match known {
            Some(entry) if entry.decided() => {
                if (entry.phi == 0) == (position.side == self.attacker) {
                    Answer::Won(entry.length)
                } else {
                    Answer::Denied
                }
            }
            _ => Answer::Open,
        }
    }

    /// Searches until a number reaches its limit.
    fn search(
        &mut self,
        position: &Position,
        hash: u64,
        limits: (u32, u32),
        budget: &mut Budget<'_>,
    ) -> Entry {
        let begun = budget.nodes();
        budget.visit();
        self.line.push(hash);
        self.depth += 1;
        let (mut children, count) = self.children(position);
        let children = &mut children[..count];
        let entry = loop {
            let entry = self.sum_up(position.side, children);
            if entry.phi >= limits.0 || entry.delta >= limits.1 || budget.spent() {
                break entry;
            }
            let Some((next, child_limits)) = select(children, entry, limits) else { break entry };
            let child = &mut children[next];
            child.entry = self.search(&child.position, child.hash, child_limits, budget);
        };
        self.depth -= 1;
        self.line.pop();
        self.table.store(position, hash, entry, budget.nodes() - begun);
        entry
    }

    /// What the turns of a position lead to, and how many they are. When one
    /// of them reaches the aim, there is no other.
    fn children(&self, position: &Position) -> ([Child; MAX_TURNS], usize) {
        let attacking = position.side == self.attacker;
        let node = R::node(position);
        let mut children = [EMPTY; MAX_TURNS];
        let mut count = 0;
        for pit in node.legal {
            let turn = R::play(&node, pit);
            let mut child = Child { pit, position: turn.after, ..EMPTY };
            match turn.outcome {
                Outcome::Ongoing => {
                    child.hash = turn.after.hash();
                    child.entry = self.first_look(&turn.after, child.hash);
                }
                Outcome::Win => child.entry = settled(true),
                Outcome::Loss => child.entry = settled(false),
                Outcome::Draw => child.entry = settled(!attacking),
            }
            if child.entry.delta == 0 {
                children[0] = child;
                return (children, 1);
            }
            children[count] = child;
            count += 1;
        }
        (children, count)
    }

    /// What is known of a position that a turn leads to.
    fn first_look(&self, position: &Position, hash: u64) -> Entry {
        if self.depth >= MAX_DEPTH || self.line.contains(hash) {
            // The attacker fails, so whoever defends has reached the aim.
            return settled(position.side == self.attacker);
        }
        self.table.probe(position, hash).unwrap_or_else(|| {
            // Few turns to choose from are easily refuted one by one.
            let turns = R::node(position).legal.len() as u32;
            Entry { phi: 1, delta: turns.max(1), length: 0, pit: None }
        })
    }

    /// What follows for a position from what is known of its children. (One
    /// without turns, which no profile knows within a game, would be lost.)
    fn sum_up(&self, side: Side, children: &[Child]) -> Entry {
        let mut entry = Entry { phi: INFINITE, delta: 0, length: 0, pit: None };
        let mut longest = 0;
        for child in children {
            let Entry { phi, delta, length, .. } = child.entry;
            if delta < entry.phi {
                entry.phi = delta;
                entry.pit = (delta == 0).then_some(child.pit);
                entry.length = length;
            }
            longest = longest.max(length);
            // A sum of numbers within reach stays there.
            entry.delta = if phi == INFINITE || entry.delta == INFINITE {
                INFINITE
            } else {
                (entry.delta + phi).min(INFINITE - 1)
            };
        }
        if entry.delta == 0 {
            entry.length = longest;
        }
        let attacking = side == self.attacker;
        let won = if attacking { entry.phi == 0 } else { entry.delta == 0 };
        entry.length = if won { entry.length.saturating_add(1) } else { 0 };
        entry
    }
}

/// A place for a child.
const EMPTY: Child = Child {
    pit: Pit(0),
    position: Position::new(Lanes::EMPTY, Lanes::EMPTY, Side::South, FirstPhase::NONE),
    hash: 0,
    entry: settled(false),
};

/// The child to be searched next, and how far.
fn select(children: &[Child], entry: Entry, limits: (u32, u32)) -> Option<(usize, (u32, u32))> {
    let (mut best, mut second) = (None::<(usize, Entry)>, INFINITE);
    for (at, child) in children.iter().enumerate() {
        let known = child.entry;
        if known.phi == 0 || known.delta == 0 {
            continue;
        }
        let better = |(_, best): (usize, Entry)| (known.delta, known.phi) < (best.delta, best.phi);
        if best.is_none_or(better) {
            second = best.map_or(second, |(_, best)| best.delta);
            best = Some((at, known));
        } else {
            second = second.min(known.delta);
        }
    }
    let (best, known) = best?;
    // What the limit of the sum leaves for this child.
    let spare = limits.1.saturating_sub(entry.delta);
    let phi = known.phi.saturating_add(spare.max(1)).min(INFINITE);
    let delta = second.saturating_add(second / EPSILON_PART + 1).min(limits.0).min(INFINITE);
    Some((best, (phi, delta.max(known.delta + 1))))
}
