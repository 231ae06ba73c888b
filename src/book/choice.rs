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
        // Equals without variety: the one that the search liked best.
        let moves = if variety == 0 { 1 } else { good.len() };
        let number = Xoshiro256PlusPlus::seed_from_u64(seed).random_range(0..moves);
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
        Some(Choice { line, score: self.value(node, chosen), depth, moves })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{Leaf, Scored};
    use crate::rules::Profile;
    use crate::search::MATE;

    /// A book of the start position, whose first pits have these scores.
    fn book(scores: &[i32]) -> (Book, Position) {
        let position = Profile::Kisolo.start_position();
        let mut book = Book::new(Profile::Kisolo, "startpos").unwrap();
        let moves =
            (0..).zip(scores).map(|(pit, &score)| Scored { pit: Pit(pit), score, depth: 8 });
        book.insert(Leaf { position, ply: 0 }, &moves.collect::<Vec<_>>()).unwrap();
        book.back_up();
        (book, position)
    }

    #[test]
    fn without_variety_the_best_move_is_chosen() {
        let (book, position) = book(&[10, 30, 29]);
        for seed in 0..20 {
            let choice = book.choose(&position, 0, seed).unwrap();
            let want = Choice { line: vec![Pit(1)], score: 30, depth: 8, moves: 1 };
            assert_eq!(choice, want);
        }
    }

    #[test]
    fn variety_chooses_among_the_good_ones() {
        let (book, position) = book(&[10, 30, 29, 9]);
        let chosen: HashSet<Pit> =
            (0..50).map(|seed| book.choose(&position, 20, seed).unwrap().line[0]).collect();
        assert_eq!(chosen, HashSet::from([Pit(0), Pit(1), Pit(2)]));
        assert_eq!(book.choose(&position, 20, 4), book.choose(&position, 20, 4));
    }

    #[test]
    fn the_line_goes_through_the_book() {
        let (mut book, position) = book(&[10, 5]);
        let after = Profile::Kisolo.play(&position, crate::rules::Move::Sow(Pit(0))).unwrap().after;
        let answers = [(Pit(2), -40), (Pit(3), 2)];
        let answers = answers.map(|(pit, score)| Scored { pit, score, depth: 11 });
        book.insert(Leaf { position: after, ply: 1 }, &answers).unwrap();
        book.back_up();
        let choice = book.choose(&position, 10, 0).unwrap();
        assert_eq!(choice.moves, 2);
        let best = book.choose(&position, 0, 0).unwrap();
        assert_eq!((best.line, best.score, best.depth), (vec![Pit(1)], 5, 8));
        let seen = (0..20).filter_map(|seed| book.choose(&position, 10, seed));
        let other = seen.into_iter().find(|choice| choice.line[0] == Pit(0)).unwrap();
        assert_eq!((other.line, other.score, other.depth), (vec![Pit(0), Pit(3)], -2, 12));
    }

    #[test]
    fn nothing_is_chosen_where_the_book_ends_or_the_winner_is_known() {
        let (empty, position) = (Book::new(Profile::Kisolo, "startpos").unwrap(), book(&[1]).1);
        assert_eq!(empty.choose(&position, 0, 0), None);
        assert_eq!(book(&[MATE - 5, 40]).0.choose(&position, 0, 0), None);
    }
}
