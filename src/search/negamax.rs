//! One node of the tree, and what a search carries along.

use std::marker::PhantomData;
use std::time::Duration;

use super::limits::Watch;
use super::line::Line;
use super::order::{History, Picker, TurnBuffer, empty_buffer};
use super::params::{POLL_NODES, history_bonus};
use super::score::{DRAW, INFINITE, from_table, loss_at, to_table, win_at};
use super::{MAX_PLY, Observer, Progress, Request, Signals, Techniques};
use crate::board::{Pit, PitSet, Position};
use crate::eval::evaluate;
use crate::rules::{Outcome, Rules, Turn};
use crate::tt::{Bound, Entry, Table};

/// Signs of life come this often.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// The principal variations of all plies.
pub struct Lines {
    pits: [[Pit; MAX_PLY]; MAX_PLY],
    lengths: [usize; MAX_PLY],
}

impl Lines {
    /// The line that begins at `ply`.
    pub fn from(&self, ply: usize) -> &[Pit] {
        &self.pits[ply][..self.lengths[ply]]
    }

    fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// The line at `ply` becomes `pit` and, if the game goes on, the line
    /// behind it.
    fn extend(&mut self, ply: usize, pit: Pit, goes_on: bool) {
        let behind = if goes_on && ply + 1 < MAX_PLY { self.lengths[ply + 1] } else { 0 };
        let (head, tail) = self.pits.split_at_mut(ply + 1);
        let line = &mut head[ply];
        line[0] = pit;
        if behind > 0 {
            let behind = behind.min(MAX_PLY - 1);
            line[1..=behind].copy_from_slice(&tail[0][..behind]);
        }
        self.lengths[ply] = 1 + behind.min(MAX_PLY - 1);
    }
}

/// The state of one searching thread.
pub struct Worker<'a, R, O> {
    pub table: &'a Table,
    pub watch: Watch<'a>,
    pub observer: &'a mut O,
    pub techniques: Techniques,
    pub nodes: u64,
    pub selective_depth: usize,
    /// The search broke off; what it returns means nothing.
    pub aborted: bool,
    /// Whether it may break off yet: not before there is a first answer.
    pub may_abort: bool,
    pub lines: Box<Lines>,
    history: Box<History>,
    line: Line,
    buffers: Box<[TurnBuffer]>,
    next_poll: u64,
    next_progress: Duration,
    rules: PhantomData<R>,
}

impl<'a, R: Rules, O: Observer> Worker<'a, R, O> {
    /// A worker that knows nothing yet but the game so far.
    pub fn new(
        request: &Request<'a>,
        table: &'a Table,
        signals: &'a Signals,
        observer: &'a mut O,
    ) -> Self {
        Self {
            table,
            watch: Watch::new(&request.limits, signals),
            observer,
            techniques: request.techniques,
            nodes: 0,
            selective_depth: 0,
            aborted: false,
            may_abort: false,
            lines: Box::new(Lines { pits: [[Pit(0); MAX_PLY]; MAX_PLY], lengths: [0; MAX_PLY] }),
            history: Box::new(History::new()),
            line: Line::new(request.earlier, MAX_PLY + 1),
            buffers: vec![empty_buffer(); MAX_PLY].into_boxed_slice(),
            next_poll: POLL_NODES,
            next_progress: PROGRESS_INTERVAL,
            rules: PhantomData,
        }
    }

    /// How far the search has come.
    pub fn progress(&self) -> Progress {
        Progress {
            nodes: self.nodes,
            time: self.watch.elapsed(),
            permille_full: self.table.permille_full(),
        }
    }

    /// Puts a position on the line while its turns are searched.
    pub fn enter(&mut self, hash: u64) {
        self.line.push(hash);
    }

    /// Takes the last position off the line.
    pub fn leave(&mut self) {
        self.line.pop();
    }

    /// Counts a node; says whether the search has to break off.
    #[inline(always)]
    fn visit(&mut self) -> bool {
        self.nodes += 1;
        if self.may_abort {
            if self.watch.out_of_nodes(self.nodes) {
                self.aborted = true;
            } else if self.nodes >= self.next_poll {
                self.poll();
            }
        }
        self.aborted
    }

    #[cold]
    fn poll(&mut self) {
        self.next_poll = self.nodes + POLL_NODES;
        self.aborted |= self.watch.out_of_time();
        if self.watch.elapsed() >= self.next_progress {
            self.next_progress = self.watch.elapsed() + PROGRESS_INTERVAL;
            let progress = self.progress();
            self.observer.progress(&progress);
        }
    }

    /// The score of a turn made at `ply`, for the side that made it. All but
    /// the first turn of a node are first shown to be no better than it.
    #[inline(always)]
    pub fn turn_score(
        &mut self,
        turn: &Turn,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: usize,
        first: bool,
    ) -> i32 {
        match turn.outcome {
            Outcome::Win => win_at(ply),
            Outcome::Loss => loss_at(ply),
            Outcome::Draw => DRAW,
            Outcome::Ongoing => {
                let child = &turn.after;
                if !first && self.techniques.zero_windows {
                    let score = -self.negamax(child, depth - 1, -alpha - 1, -alpha, ply + 1);
                    if score <= alpha || score >= beta || self.aborted {
                        return score;
                    }
                }
                -self.negamax(child, depth - 1, -beta, -alpha, ply + 1)
            }
        }
    }

    /// The value of a position in which the game goes on, for its side to
    /// move: exact inside the window, else a bound (fail-soft).
    pub fn negamax(
        &mut self,
        position: &Position,
        depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: usize,
    ) -> i32 {
        if self.visit() {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return evaluate::<R>(position);
        }
        self.lines.clear(ply);
        if depth <= 0 {
            self.selective_depth = self.selective_depth.max(ply);
            return evaluate::<R>(position);
        }
        let hash = position.hash();
        if self.line.contains(hash) {
            return DRAW;
        }
        if self.techniques.mate_distance {
            // The best that can happen is to win now, the worst to be forced
            // to lose by this very turn.
            alpha = alpha.max(loss_at(ply));
            beta = beta.min(win_at(ply));
            if alpha >= beta {
                return alpha;
            }
        }
        let entry = if self.techniques.table { self.table.probe(hash) } else { None };
        if let Some(entry) = entry
            && let Some(value) = self.table_cutoff(entry, depth, alpha, beta, ply)
        {
            return value;
        }
        self.search_turns(position, hash, entry, depth, (alpha, beta), ply)
    }

    /// The value of a table entry if it settles the node. Nodes with an open
    /// window are searched all the same, so that their lines are whole.
    #[inline(always)]
    fn table_cutoff(
        &self,
        entry: Entry,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> Option<i32> {
        let stored = i32::from(entry.depth);
        let deep = stored == depth || (stored > depth && self.techniques.deeper_entries);
        let value = from_table(entry.value, ply);
        let settles = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        (deep && settles && beta - alpha == 1).then_some(value)
    }

    #[inline(always)]
    fn search_turns(
        &mut self,
        position: &Position,
        hash: u64,
        entry: Option<Entry>,
        depth: i32,
        (mut alpha, beta): (i32, i32),
        ply: usize,
    ) -> i32 {
        let node = R::node(position);
        let suggested = entry.and_then(|entry| entry.pit).map(Pit);
        let mut picker = Picker::new(node, suggested);
        let mut best = -INFINITE;
        let mut best_pit = None;
        let mut bound = Bound::Upper;
        let mut tried = PitSet::EMPTY;
        self.enter(hash);
        while let Some((pit, turn)) =
            picker.next::<R>(&mut self.buffers[ply], &self.history, ply, self.techniques)
        {
            let score = self.turn_score(&turn, depth, (alpha, beta), ply, tried.is_empty());
            if self.aborted {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_pit = Some(pit);
                    bound = Bound::Exact;
                    alpha = score;
                    self.lines.extend(ply, pit, turn.outcome == Outcome::Ongoing);
                }
                if score >= beta {
                    bound = Bound::Lower;
                    self.history.cutoff(&node, ply, pit, tried, history_bonus(depth));
                    break;
                }
            }
            tried.0 |= 1 << pit.0;
        }
        self.leave();
        if !self.aborted && self.techniques.table {
            let entry = Entry {
                value: to_table(best, ply),
                depth: depth as u8,
                bound,
                pit: best_pit.map(|pit| pit.0),
            };
            self.table.store(hash, entry);
        }
        best
    }
}
