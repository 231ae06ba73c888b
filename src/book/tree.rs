//! The tree: positions with the best of their moves, scores backed up, and
//! the choice of what is searched next.

use std::collections::HashMap;

use crate::board::{Pit, Position};
use crate::rules::{GameResult, Move, Profile};
use crate::search::plies_to_end;

/// What a ply of depth costs, in centipawns: a line that falls half a seed
/// behind is looked at one ply less deep than the best one.
const PLY_COST: u64 = 50;
/// The cost of what is never searched.
const CLOSED: u64 = u64::MAX;
/// The score of a position that nobody has searched: it is never read.
const UNKNOWN: i32 = 0;

/// A move and what a search said of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The move.
    pub pit: Pit,
    /// Its score for the side that makes it.
    pub score: i32,
    /// The depth of the search, in plies.
    pub depth: u32,
}

/// A position that a book could take in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The position.
    pub position: Position,
    /// Moves since the start.
    pub ply: u32,
}

/// A move of a position.
pub(super) struct Edge {
    pub(super) scored: Scored,
    /// The position behind it; `None` if it ends the game.
    pub(super) child: Option<usize>,
}

/// A position: a leaf as long as it has no moves.
pub(super) struct Node {
    pub(super) position: Position,
    /// Moves since the start, on the way by which it came in.
    pub(super) ply: u32,
    /// The best moves, best first by the search.
    pub(super) edges: Vec<Edge>,
    /// The backed-up score for the side to move.
    pub(super) score: i32,
}

/// An opening book.
pub struct Book {
    profile: Profile,
    start: &'static str,
    pub(super) nodes: Vec<Node>,
    index: HashMap<Position, usize>,
    /// The positions that are no leaves, by their ply.
    pub(super) layers: Vec<Vec<usize>>,
    /// The commands that made it, oldest first.
    pub commands: Vec<String>,
}

/// The start position is the first node.
const ROOT: usize = 0;

impl Book {
    /// A book without positions for games from the start position of this
    /// name.
    ///
    /// # Errors
    /// Says what is wrong with the name.
    pub fn new(profile: Profile, start: &str) -> Result<Self, String> {
        let names = profile.start_names();
        let known = names.iter().find(|&&name| name == start);
        let (Some(&start), Some(position)) = (known, profile.start(start)) else {
            let start = crate::board::quoted(start);
            return Err(format!(
                "'{start}' is no start position of {profile}, which has: {}",
                names.join(", ")
            ));
        };
        if profile.set_up_due(&position) {
            return Err(format!(
                "{start} of {profile} begins with set-ups, which no book lists: choose startpos1"
            ));
        }
        let mut book = Self {
            profile,
            start,
            nodes: Vec::new(),
            index: HashMap::new(),
            layers: Vec::new(),
            commands: Vec::new(),
        };
        book.node_of(position);
        Ok(book)
    }

    /// The rules.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// The name of the start position.
    pub const fn start(&self) -> &'static str {
        self.start
    }

    /// The positions that were searched.
    pub fn len(&self) -> usize {
        self.layers.iter().map(Vec::len).sum()
    }

    /// Whether nothing was searched yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes in a position with what a search said of the best of its moves.
    /// [`Book::back_up`] has to follow before scores are read.
    ///
    /// # Errors
    /// When the position is there already, or a move is not legal or occurs
    /// twice; the book is then as before.
    pub fn insert(&mut self, leaf: Leaf, moves: &[Scored]) -> Result<(), String> {
        let Leaf { position, ply } = leaf;
        if self.find(&position).is_some() {
            return Err("the position occurs twice".to_owned());
        }
        if moves.is_empty() {
            return Err("the position has no moves".to_owned());
        }
        let mut behind = Vec::with_capacity(moves.len());
        for (number, scored) in moves.iter().enumerate() {
            let mv = Move::Sow(scored.pit);
            if moves[..number].iter().any(|other| other.pit == scored.pit) {
                let name = self.profile.move_text(&position, mv);
                return Err(format!("the move {name} occurs twice"));
            }
            let turn = self.profile.play(&position, mv).map_err(|error| error.to_string())?;
            let over = turn.outcome.for_mover(position.side) != GameResult::Ongoing
                || self.profile.result(&turn.after) != GameResult::Ongoing;
            behind.push((!over).then_some(turn.after));
        }
        let edges = behind.into_iter().zip(moves).map(|(after, &scored)| Edge {
            scored,
            child: after.map(|position| self.node_of(position)),
        });
        let edges = edges.collect();
        let node = self.node_of(position);
        self.nodes[node] = Node { edges, ply, ..self.nodes[node] };
        let layer = ply as usize;
        if self.layers.len() <= layer {
            self.layers.resize_with(layer + 1, Vec::new);
        }
        self.layers[layer].push(node);
        Ok(())
    }

    /// Backs all scores up, from the last ply to the first.
    pub fn back_up(&mut self) {
        for layer in self.layers.iter().rev() {
            for &node in layer {
                let edges = self.nodes[node].edges.iter();
                let best = edges.map(|edge| self.value(node, edge)).max();
                self.nodes[node].score = best.unwrap_or(UNKNOWN);
            }
        }
    }

    /// The position to be searched next, if there is one with at most
    /// `max_ply` moves behind it.
    ///
    /// It is the leaf of least cost. A move costs a ply, and what it falls
    /// behind the best of its position; a leaf costs the moves on the way to
    /// it. So the best lines are followed deeply, and others the less deeply
    /// the worse they are. What is won or lost for sure costs no search.
    pub fn next(&self, max_ply: u32) -> Option<Leaf> {
        if self.is_empty() {
            return Some(Leaf { position: self.nodes[ROOT].position, ply: 0 });
        }
        // Leaves cost nothing.
        let mut costs = vec![0; self.nodes.len()];
        for layer in self.layers.iter().rev() {
            for &node in layer {
                let edges = self.nodes[node].edges.iter();
                costs[node] = edges
                    .map(|edge| self.cost(node, edge, &costs, max_ply))
                    .min()
                    .unwrap_or(CLOSED);
            }
        }
        let mut node = ROOT;
        while !self.nodes[node].edges.is_empty() {
            if costs[node] == CLOSED {
                return None;
            }
            // The first of equals: the one that the search liked best.
            let edges = self.nodes[node].edges.iter();
            let cheapest = edges.min_by_key(|edge| self.cost(node, edge, &costs, max_ply))?;
            let ply = self.nodes[node].ply + 1;
            node = cheapest.child?;
            if self.nodes[node].edges.is_empty() {
                return Some(Leaf { position: self.nodes[node].position, ply });
            }
        }
        None
    }

    /// The cost of the cheapest leaf behind a move.
    fn cost(&self, node: usize, edge: &Edge, costs: &[u64], max_ply: u32) -> u64 {
        let value = self.value(node, edge);
        let Some(child) = edge.child.filter(|_| plies_to_end(value).is_none()) else {
            return CLOSED;
        };
        let leaf = self.nodes[child].edges.is_empty();
        if leaf && self.nodes[node].ply >= max_ply || !leaf && self.below(node, edge).is_none() {
            return CLOSED;
        }
        let behind = self.nodes[node].score.abs_diff(value);
        costs[child].saturating_add(PLY_COST + u64::from(behind))
    }

    /// The score of a move: backed up where its position was searched.
    pub(super) fn value(&self, node: usize, edge: &Edge) -> i32 {
        match self.below(node, edge) {
            Some(child) => one_ply_earlier(self.nodes[child].score),
            None => edge.scored.score,
        }
    }

    /// The position behind a move, if it was searched and is further from the
    /// start, as it is not when a line comes back to an earlier position.
    pub(super) fn below(&self, node: usize, edge: &Edge) -> Option<usize> {
        let (here, child) = (&self.nodes[node], edge.child?);
        let there = &self.nodes[child];
        (!there.edges.is_empty() && there.ply > here.ply).then_some(child)
    }

    /// The node of a position that was searched.
    pub(super) fn find(&self, position: &Position) -> Option<usize> {
        self.index.get(position).copied().filter(|&node| !self.nodes[node].edges.is_empty())
    }

    /// The node of a position, a new leaf if there is none.
    fn node_of(&mut self, position: Position) -> usize {
        *self.index.entry(position).or_insert_with(|| {
            self.nodes.push(Node { position, ply: 0, edges: Vec::new(), score: UNKNOWN });
            self.nodes.len() - 1
        })
    }
}

/// The score of a position for the side that moved to it: the end of the game
/// is a ply further away.
const fn one_ply_earlier(score: i32) -> i32 {
    let plies = if plies_to_end(score).is_some() { score.signum() } else { 0 };
    plies - score
}

#[cfg(test)]
mod tests;
