//! Growing a book: the search of one position.

use std::sync::Arc;

use super::{Leaf, Scored};
use crate::rules::{Profile, with_rules};
use crate::search::{Limits, Observer, Report, Request, Signals, search};
use crate::tt::{Bound, OutOfMemory, Table};

/// How thoroughly a position is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// So many plies deep.
    Depth(u32),
    /// So many nodes.
    Nodes(u64),
}

/// Searches positions for a book. What it says depends on the position and
/// the settings alone, so that a book grows in the same way however often it
/// is interrupted.
pub struct Judge {
    profile: Profile,
    effort: Effort,
    moves: usize,
    table: Table,
    signals: Arc<Signals>,
}

impl Judge {
    /// A judge of the best so many moves of each position, with a table of
    /// so many MiB, who can be stopped by the signals.
    ///
    /// # Errors
    /// When there is no memory for the table.
    pub fn new(
        profile: Profile,
        effort: Effort,
        moves: usize,
        hash_mib: usize,
        signals: Arc<Signals>,
    ) -> Result<Self, OutOfMemory> {
        Ok(Self { profile, effort, moves, table: Table::new(hash_mib)?, signals })
    }

    /// The best moves of a position, best first; `None` if it was stopped.
    pub fn judge(&mut self, leaf: &Leaf) -> Option<Vec<Scored>> {
        self.table.clear();
        let limits = match self.effort {
            Effort::Depth(depth) => Limits { depth: Some(depth), ..Limits::default() },
            Effort::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        };
        let multi_pv = self.moves.min(self.profile.legal(&leaf.position).len());
        let request = Request { multi_pv, ..Request::new(leaf.position, limits) };
        let mut lines = Lines { wanted: multi_pv, ..Lines::default() };
        with_rules!(self.profile, R => {
            search::<R>(&request, &self.table, &self.signals, &mut lines)
        });
        (!self.signals.stopped()).then_some(lines.complete)
    }
}

/// Keeps the last iteration that reported all moves that are wanted: one that
/// was broken off compares moves at different depths.
#[derive(Default)]
struct Lines {
    wanted: usize,
    current: Vec<Scored>,
    complete: Vec<Scored>,
}

impl Observer for Lines {
    fn line(&mut self, report: &Report<'_>) {
        if report.rank == 1 {
            self.current.clear();
        }
        if let (Bound::Exact, Some(&pit)) = (report.bound, report.line.first()) {
            self.current.push(Scored { pit, score: report.score, depth: report.depth });
        }
        if self.current.len() == self.wanted {
            self.complete.clone_from(&self.current);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judgement_has_the_moves_asked_for_and_is_repeatable() {
        let profile = Profile::Kisolo;
        let leaf = Leaf { position: profile.start_position(), ply: 0 };
        for effort in [Effort::Depth(6), Effort::Nodes(5_000), Effort::Nodes(1)] {
            let mut judge = Judge::new(profile, effort, 3, 1, Arc::default()).unwrap();
            let first = judge.judge(&leaf).unwrap();
            assert_eq!(first.len(), 3);
            assert!(first.is_sorted_by_key(|scored| -scored.score), "{first:?}");
            assert!(first.iter().all(|scored| scored.depth == first[0].depth));
            assert_eq!(judge.judge(&leaf), Some(first));
        }
    }

    #[test]
    fn a_position_with_few_moves_gives_those() {
        let profile = Profile::Kisolo;
        let text = "0,9,5,0,0,4,0/1,4,1,1,1,1,1/1,0,1,0,3,4,0/0,0,0,3,1,0,1 S -";
        let position = profile.parse_position(text).unwrap();
        let legal = profile.legal(&position).len();
        let mut judge = Judge::new(profile, Effort::Depth(3), 16, 1, Arc::default()).unwrap();
        assert_eq!(judge.judge(&Leaf { position, ply: 3 }).unwrap().len(), legal);
    }

    #[test]
    fn a_stopped_search_is_no_judgement() {
        let profile = Profile::Isolo;
        let signals = Arc::new(Signals::default());
        signals.stop();
        let mut judge = Judge::new(profile, Effort::Depth(5), 4, 1, signals).unwrap();
        assert_eq!(judge.judge(&Leaf { position: profile.start_position(), ply: 0 }), None);
    }
}
