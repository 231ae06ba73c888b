//! The root: iterative deepening, aspiration windows, several best lines.

use std::cmp::Reverse;

use super::negamax::Worker;
use super::pace::Pace;
use super::params::{ASPIRATION_DEPTH, FORCED_DEPTH, REPORT_BOUNDS_AFTER};
use super::score::{INFINITE, MATE_BOUND, plies_to_end};
use super::team::Team;
use super::{Found, Limits, MAX_PLY, Observer, Report, Request, Signals};
use crate::board::{Pit, Position};
use crate::rules::{Outcome, Rules, Turn};
use crate::tt::{Bound, Table};

/// The deepest iteration, in plies.
const DEEPEST: u32 = MAX_PLY as u32 - 1;

/// A turn at the root.
struct RootTurn {
    pit: Pit,
    turn: Turn,
    /// Its score in this iteration; lowest if it was not shown to be best.
    score: i32,
    /// How that bounds the true one: exact, once an iteration is complete.
    bound: Bound,
    /// Its score in the iteration before.
    previous: i32,
    /// The nodes that it took in this iteration.
    nodes: u64,
    line: Vec<Pit>,
}

/// One search of a root position.
pub struct Driver<'a, R, O> {
    worker: Worker<'a, R, O>,
    position: Position,
    limits: Limits,
    ranks: usize,
    turns: Vec<RootTurn>,
    pace: Pace,
    /// The best turn and score that were last reported.
    reported: Option<(Pit, i32)>,
}

impl<'a, R: Rules, O: Observer> Driver<'a, R, O> {
    /// A search for this request, or `None` if no turn is legal.
    pub fn new(
        request: &Request<'a>,
        table: &'a Table,
        signals: &'a Signals,
        member: (&'a Team, usize),
        observer: &'a mut O,
    ) -> Option<Self> {
        let node = R::node(&request.position);
        let mut legal = node.legal;
        if let Some(only) = request.limits.search_moves {
            legal.0 &= only.0;
        }
        let turns: Vec<RootTurn> = legal
            .map(|pit| RootTurn {
                pit,
                turn: R::play(&node, pit),
                score: -INFINITE,
                bound: Bound::Exact,
                previous: -INFINITE,
                nodes: 0,
                line: Vec::with_capacity(MAX_PLY),
            })
            .collect();
        (!turns.is_empty()).then(|| Self {
            worker: Worker::new(request, table, signals, member, observer),
            position: request.position,
            limits: request.limits.clone(),
            ranks: request.multi_pv.clamp(1, turns.len()),
            turns,
            pace: Pace::default(),
            reported: None,
        })
    }

    /// Deepens until a limit is reached.
    pub fn run(mut self) -> Option<Found> {
        let hash = self.position.hash();
        self.worker.enter(hash);
        let last = self.limits.last_depth().map_or(DEEPEST, |depth| depth.clamp(1, DEEPEST));
        // Half of the threads begin one ply deeper: they run ahead of the
        // others, who find their work in the table.
        let mut depth = (1 + self.worker.thread as u32 % 2).min(last);
        loop {
            self.iteration(depth);
            // There is an answer now, so limits count from here on.
            self.worker.may_abort = true;
            if self.worker.aborted || depth == last || self.finished(depth) {
                break;
            }
            depth += 1;
        }
        let best = &self.turns[0];
        let found = Found {
            best: best.pit,
            ponder: best.line.get(1).copied(),
            score: best.score,
            depth,
            nodes: self.worker.total_nodes(),
        };
        if self.reported != Some((found.best, found.score)) {
            self.report(depth, 0);
        }
        Some(found)
    }

    /// One iteration: as many best turns as asked for, one after the other.
    fn iteration(&mut self, depth: u32) {
        self.worker.selective_depth = 0;
        for turn in &mut self.turns {
            turn.previous = turn.score;
            turn.nodes = 0;
        }
        for rank in 0..self.ranks {
            for turn in &mut self.turns[rank..] {
                turn.score = -INFINITE;
            }
            self.aspirate(depth, rank);
            if self.worker.aborted {
                break;
            }
        }
        self.turns[..self.ranks].sort_by_key(|turn| Reverse(turn.score));
        if self.worker.aborted {
            self.settle_aborted();
        } else {
            let all: u64 = self.turns.iter().map(|turn| turn.nodes).sum();
            let best = &self.turns[0];
            let effort = best.nodes * 100 / all.max(1);
            self.pace.iteration(best.pit, best.score, effort as u32);
            for rank in 0..self.ranks {
                self.report(depth, rank);
            }
        }
    }

    /// After a break, a turn that was not finished counts as it did before.
    fn settle_aborted(&mut self) {
        self.turns.sort_by_key(|turn| Reverse((turn.score, turn.previous)));
        for turn in &mut self.turns {
            if turn.score == -INFINITE {
                turn.score = turn.previous;
                turn.bound = Bound::Exact;
            }
        }
    }

    /// Finds the best of the turns from `rank` on, within a window around
    /// its last score that is widened as long as the score falls outside.
    fn aspirate(&mut self, depth: u32, rank: usize) {
        let guess = self.turns[rank].previous;
        let narrow = self.worker.techniques.aspiration
            && depth as i32 >= ASPIRATION_DEPTH
            && plies_to_end(guess).is_none();
        let mut window = self.worker.params.aspiration_window;
        let (mut alpha, mut beta) =
            if narrow { (guess - window, guess + window) } else { (-INFINITE, INFINITE) };
        loop {
            let score = self.root(depth as i32, alpha, beta, rank);
            self.turns[rank..].sort_by_key(|turn| Reverse((turn.score, turn.previous)));
            if self.worker.aborted {
                return;
            }
            let bound = if score <= alpha && alpha > -INFINITE {
                Bound::Upper
            } else if score >= beta && beta < INFINITE {
                Bound::Lower
            } else {
                return;
            };
            if self.worker.watch.elapsed() >= REPORT_BOUNDS_AFTER {
                self.report(depth, rank);
            }
            window *= 4;
            let reach = if window > MATE_BOUND { 2 * INFINITE } else { window };
            match bound {
                Bound::Upper => alpha = (score - reach).max(-INFINITE),
                _ => beta = (score + reach).min(INFINITE),
            }
        }
    }

    /// Searches the turns from `rank` on; the best score, fail-soft.
    fn root(&mut self, depth: i32, floor: i32, beta: i32, rank: usize) -> i32 {
        let mut alpha = floor;
        let mut best = -INFINITE;
        for index in rank..self.turns.len() {
            let first = index == rank;
            let turn = self.turns[index].turn;
            let before = self.worker.nodes;
            let score = self.worker.turn_score(&turn, depth, (alpha, beta), 0, first, 0);
            let root = &mut self.turns[index];
            root.nodes += self.worker.nodes - before;
            if self.worker.aborted {
                return best;
            }
            if first || score > alpha {
                root.score = score;
                root.bound = match score {
                    _ if score <= floor => Bound::Upper,
                    _ if score >= beta => Bound::Lower,
                    _ => Bound::Exact,
                };
                root.line.clear();
                root.line.push(root.pit);
                if turn.outcome == Outcome::Ongoing {
                    root.line.extend_from_slice(self.worker.lines.from(1));
                }
            } else {
                root.score = -INFINITE;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Whether nothing is gained, or allowed, by another iteration.
    fn finished(&mut self, depth: u32) -> bool {
        let solved = |turn: &RootTurn| plies_to_end(turn.score).is_some_and(|end| end <= depth);
        let score = self.turns[0].score;
        let mate_found = self.limits.mate_plies.is_some_and(|wanted| {
            score > 0 && plies_to_end(score).is_some_and(|end| end <= wanted)
        });
        let forced = self.turns.len() == 1
            && depth >= FORCED_DEPTH
            && !self.limits.analyse
            && !self.limits.infinite
            && self.worker.watch.on_the_clock();
        mate_found
            || forced
            || self.turns[..self.ranks].iter().all(solved)
            || self.worker.watch.out_of_nodes(self.worker.total_nodes())
            || self.worker.watch.past_soft_limit(self.pace.percent())
            || self.worker.watch.out_of_time()
    }

    fn report(&mut self, depth: u32, rank: usize) {
        let turn = &self.turns[rank];
        if rank == 0 {
            self.reported = Some((turn.pit, turn.score));
        }
        let report = Report {
            depth,
            selective_depth: (self.worker.selective_depth as u32).max(1),
            rank: rank + 1,
            score: turn.score,
            bound: turn.bound,
            set_up: None,
            line: &turn.line,
            progress: self.worker.progress(),
        };
        self.worker.observer.line(&report);
    }
}
