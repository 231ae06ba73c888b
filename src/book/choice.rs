//! Looking moves up.

use std::cmp::Reverse;
use std::collections::HashSet;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Book;
use super::tree::Edge;
use crate::board::{Pit, Position};
use crate::search::plies_to_end;

/// What a book knows of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The move.
    pub pit: Pit,
    /// Its score for the side that makes it, backed up.
    pub score: i32,
    /// Its score by the search of the position itself.
    pub searched: i32,
    /// The depth of that search, in plies.
    pub depth: u32,
    /// Searched positions behind it.
    pub positions: usize,
}

/// A move to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move, and the best line behind it.
    pub line: Vec<Pit>,
    /// The backed-up score.
    pub score: i32,
    /// The plies from the position to the last one that the score looks at.
    pub depth: u32,
    /// The moves that could have been chosen.
    pub moves: usize,
}

impl Book {
    /// The moves of a position, best first; none if it was not searched.
    pub fn moves(&self, position: &Position) -> Vec<Known> {
        let Some(node) = self.find(position) else { return Vec::new() };
        let edges = self.nodes[node].edges.iter();
        let known = edges.map(|edge| Known {
            pit: edge.scored.pit,
            score: self.value(node, edge),
            searched: edge.scored.score,
            depth: edge.scored.depth,
            positions: self.below(node, edge).map_or(0, |child| self.behind(child)),
        });
        let mut known: Vec<Known> = known.collect();
        known.sort_by_key(|known| Reverse(known.score));
        known
    }

    /// A move for a position: the best one, or any that is at most `variety`
    /// centipawns worse, the seed deciding. None where the book knows nothing
    /// or knows the winner: there a search finds the whole way to the end.
    pub fn choose(&self, position: &Position, variety: u32, seed: u64) -> Option<Choice> {
        let node = self.find(position)?;
        let best = self.nodes[node].score;
        if plies_to_end(best).is_some() {
            return None;
        }
        let good = |edge: &&Edge| best.abs_diff(self.value(node, edge)) <= variety;
        let good: Vec<&Edge> = self.nodes[node].edges.iter().filter(good).collect();
        let number = if variety == 0 {
            0
        } else {
            Xoshiro256PlusPlus::seed_from_u64(seed).random_range(0..good.len())
        };
        let chosen = *good.get(number)?;
        let mut line = vec![chosen.scored.pit];
        let (mut here, mut last) = (node, chosen);
        while let Some(child) = self.below(here, last) {
            let edges = &self.nodes[child].edges;
            last = edges.iter().find(|edge| self.value(child, edge) == self.nodes[child].score)?;
            line.push(last.scored.pit);
            here = child;
        }
        let depth = line.len() as u32 - 1 + last.scored.depth;
        Some(Choice { line, score: self.value(node, chosen), depth, moves: good.len() })
    }

    /// The searched positions from one on.
    fn behind(&self, node: usize) -> usize {
        let mut seen = HashSet::from([node]);
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            for edge in &self.nodes[node].edges {
                if let Some(child) = self.below(node, edge)
                    && seen.insert(child)
                {
                    open.push(child);
                }
            }
        }
        seen.len()
    }
}
