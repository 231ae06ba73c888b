//! The leading thread: it watches the limits and reports.

use std::time::Duration;

use super::leaf::Method;
use super::params::{FIRST_REPORT, FORCED_VISITS, MOST_VISITS, POLL_VISITS};
use super::principal::{principal, ranking, score};
use super::tree::{ROOT, Tree};
use super::worker::Worker;
use crate::board::{Pit, PitSet, Position};
use crate::rules::Rules;
use crate::search::{
    Found, Limits, MAX_PLY, Observer, Progress, Report, Request, Signals, Team, Watch, plies_to_end,
};
use crate::tt::Bound;

/// Signs of life come this often.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// What the leading thread keeps of a search.
pub struct Driver<'a> {
    watch: Watch<'a>,
    limits: &'a Limits,
    position: Position,
    ranks: usize,
    /// Whether there is only one turn to look at.
    forced: bool,
    nodes: u64,
    line: Vec<Pit>,
}

impl<'a> Driver<'a> {
    /// The driver of this search, which begins now, with so many turns.
    pub fn new(request: &'a Request<'_>, signals: &'a Signals, turns: usize) -> Self {
        let limits = &request.limits;
        Self {
            watch: Watch::new(limits, signals),
            limits,
            position: request.position,
            ranks: request.multi_pv.clamp(1, turns),
            forced: turns == 1 && !limits.analyse && !limits.infinite,
            nodes: 1,
            line: Vec::with_capacity(MAX_PLY + 1),
        }
    }

    /// Visits the tree, as the worker has done once, until a limit is reached.
    pub fn run<R: Rules, M: Method>(
        mut self,
        mut worker: Worker<'_, R, M>,
        root: (&Tree, PitSet),
        team: &Team,
        observer: &mut impl Observer,
    ) -> Option<Found> {
        let mut visits = 1;
        let mut next_report = FIRST_REPORT;
        let mut next_progress = PROGRESS_INTERVAL;
        loop {
            let polls = visits % POLL_VISITS == 0;
            if polls {
                self.nodes = visits + team.exchange(0, visits);
            }
            if self.watch.out_of_nodes(self.nodes) || (polls && self.finished::<R>(root)) {
                break;
            }
            if self.nodes >= next_report {
                next_report = self.nodes * 2;
                self.report::<R>(root, worker.deepest, observer);
            } else if polls && self.watch.elapsed() >= next_progress {
                next_progress = self.watch.elapsed() + PROGRESS_INTERVAL;
                observer.progress(&self.progress(root.0));
            }
            worker.visit();
            visits += 1;
            self.nodes += 1;
        }
        self.report::<R>(root, worker.deepest, observer)
    }

    /// Whether nothing is gained, or allowed, by another visit.
    fn finished<R: Rules>(&mut self, root: (&Tree, PitSet)) -> bool {
        let (tree, allowed) = root;
        let ranking = ranking(tree, allowed);
        let undecided = |child: &usize| !tree.node(*child).verdict().decided();
        let unsolved = |child: usize| !tree.node(child).verdict().solved;
        let settled = !ranking.clone().take(self.ranks).any(|child| undecided(&child))
            || !ranking.clone().any(unsolved);
        let forced = self.forced && self.nodes >= FORCED_VISITS && self.watch.on_the_clock();
        let found_mate = self.limits.mate_plies.is_some_and(|wanted| {
            let best = ranking.clone().next().map_or(0, |child| score::<R>(tree, child));
            best > 0 && plies_to_end(best).is_some_and(|end| end <= wanted)
        });
        settled
            || forced
            || found_mate
            || self.limits.last_depth().is_some_and(|last| self.deep_enough::<R>(root, last))
            || tree.node(ROOT).visits() >= MOST_VISITS
            || self.watch.past_soft_limit(100)
            || self.watch.out_of_time()
    }

    /// Whether the principal variation is as long as asked for, or will never
    /// be.
    fn deep_enough<R: Rules>(&mut self, root: (&Tree, PitSet), last: u32) -> bool {
        self.best_line::<R>(root);
        self.line.len() >= (last as usize).min(MAX_PLY - 1) || root.0.is_full()
    }

    fn best_line<R: Rules>(&mut self, (tree, allowed): (&Tree, PitSet)) {
        if let Some(best) = ranking(tree, allowed).next() {
            principal::<R>(tree, &self.position, best, &mut self.line);
        }
    }

    fn progress(&self, tree: &Tree) -> Progress {
        Progress {
            nodes: self.nodes,
            time: self.watch.elapsed(),
            permille_full: tree.permille_full(),
        }
    }

    /// Reports the best turns; the best of them.
    fn report<R: Rules>(
        &mut self,
        root: (&Tree, PitSet),
        deepest: usize,
        observer: &mut impl Observer,
    ) -> Option<Found> {
        let (tree, allowed) = root;
        let mut found = None;
        let mut depth = 0;
        for (rank, child) in ranking(tree, allowed).take(self.ranks).enumerate() {
            let score = score::<R>(tree, child);
            principal::<R>(tree, &self.position, child, &mut self.line);
            if rank == 0 {
                depth = self.line.len() as u32;
                found = Some(Found {
                    best: self.line[0],
                    ponder: self.line.get(1).copied(),
                    score,
                    depth,
                    nodes: self.nodes,
                });
            }
            observer.line(&Report {
                depth,
                selective_depth: (deepest as u32).max(depth),
                rank: rank + 1,
                score,
                bound: Bound::Exact,
                set_up: None,
                line: &self.line,
                progress: self.progress(tree),
            });
        }
        found
    }
}
