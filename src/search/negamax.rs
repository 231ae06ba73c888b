//! One node of the tree, and what a search carries along.

use std::marker::PhantomData;
use std::time::Duration;

use super::limits::Watch;
use super::line::Line;
use super::order::{History, Picker, TurnBuffer, empty_buffer};
use super::params::{POLL_NODES, Params};
use super::reduction::Reductions;
use super::score::{DRAW, INFINITE, MATE_BOUND, from_table, loss_at, to_table, win_at};
use super::team::Team;
use super::{Limits, MAX_PLY, Observer, Progress, Request, Signals, Techniques};
use crate::board::{Pit, PitSet, Position};
use crate::eval::{Net, evaluate};
use crate::rules::{Outcome, Rules, Turn};
use crate::tt::{Bound, Entry, Table};

/// Signs of life come this often.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// Keeps the table entries of searches for a win within so many plies apart
/// from those of selective searches, which may have missed one. Any number
/// without structure: the next fractional digits of pi after those of the hash.
const MATE_SALT: u64 = 0xbe54_66cf_34e9_0c6c;

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
    team: &'a Team,
    /// Which of the team this is; 0 leads it.
    pub thread: usize,
    /// Nodes of the others, as far as is known.
    others: u64,
    pub observer: &'a mut O,
    pub techniques: Techniques,
    /// Goes into all keys of the table.
    salt: u64,
    pub nodes: u64,
    pub selective_depth: usize,
    /// The search broke off; what it returns means nothing.
    pub aborted: bool,
    /// Whether it may break off yet: not before there is a first answer.
    pub may_abort: bool,
    pub lines: Box<Lines>,
    pub params: Params,
    /// What judges positions; without one it is the difference of seeds.
    net: Option<&'a Net>,
    reductions: Reductions,
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
        (team, thread): (&'a Team, usize),
        observer: &'a mut O,
    ) -> Self {
        // The limits are the leader's to watch.
        let limits = if thread == 0 { &request.limits } else { &Limits::default() };
        let mates = request.limits.mate_plies.is_some();
        Self {
            table,
            watch: Watch::new(limits, signals),
            team,
            thread,
            others: 0,
            observer,
            techniques: if mates { request.techniques.exact() } else { request.techniques },
            salt: if mates { MATE_SALT } else { 0 },
            nodes: 0,
            selective_depth: 0,
            aborted: false,
            may_abort: false,
            lines: Box::new(Lines { pits: [[Pit(0); MAX_PLY]; MAX_PLY], lengths: [0; MAX_PLY] }),
            reductions: Reductions::new(&request.params),
            params: request.params.clone(),
            net: request.evaluation.net::<R>(),
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
            nodes: self.total_nodes(),
            time: self.watch.elapsed(),
            permille_full: self.table.permille_full(),
        }
    }

    /// Nodes of all threads, as far as is known.
    pub const fn total_nodes(&self) -> u64 {
        self.nodes + self.others
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
            if self.watch.out_of_nodes(self.total_nodes()) {
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
        self.others = self.team.exchange(self.thread, self.nodes);
        self.aborted |= self.team.stopped() || self.watch.out_of_time();
        if self.watch.elapsed() >= self.next_progress {
            self.next_progress = self.watch.elapsed() + PROGRESS_INTERVAL;
            let progress = self.progress();
            self.observer.progress(&progress);
        }
    }

    /// The score of a turn made at `ply`, for the side that made it. All but
    /// the first turn of a node are first shown to be no better than it, and
    /// that `reduction` plies less deep.
    #[inline(always)]
    pub fn turn_score(
        &mut self,
        turn: &Turn,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: usize,
        first: bool,
        reduction: i32,
    ) -> i32 {
        match turn.outcome {
            Outcome::Win => win_at(ply),
            Outcome::Loss => loss_at(ply),
            Outcome::Draw => DRAW,
            Outcome::Ongoing => {
                let child = &turn.after;
                if !first && self.techniques.zero_windows {
                    let mut score =
                        -self.negamax(child, depth - 1 - reduction, -alpha - 1, -alpha, ply + 1);
                    if reduction > 0 && score > alpha && !self.aborted {
                        score = -self.negamax(child, depth - 1, -alpha - 1, -alpha, ply + 1);
                    }
                    // The line of a win goes to the end of the game, which only
                    // a search with an open window sees to.
                    let won = beta - alpha > 1 && score > MATE_BOUND;
                    if score <= alpha || (score >= beta && !won) || self.aborted {
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
        mut depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: usize,
    ) -> i32 {
        if self.visit() {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return self.estimate(position);
        }
        self.lines.clear(ply);
        if depth <= 0 {
            self.selective_depth = self.selective_depth.max(ply);
            return self.estimate(position);
        }
        let open = beta - alpha > 1;
        if depth == 1 && !open {
            return self.frontier(position, beta, ply);
        }
        let hash = position.hash();
        if self.techniques.repetitions && self.line.contains(hash) {
            return DRAW;
        }
        if self.techniques.mate_distance {
            // The best that can happen is to win now, the worst to be forced
            // to lose by this very turn (which still belongs into the line).
            alpha = alpha.max(loss_at(ply) - 1);
            beta = beta.min(win_at(ply));
            if alpha >= beta {
                return alpha;
            }
        }
        let entry = if self.techniques.table { self.table.probe(hash ^ self.salt) } else { None };
        if let Some(entry) = entry
            && !open
            && let Some(value) = self.table_cutoff(entry, depth, alpha, beta, ply)
        {
            return value;
        }
        if self.techniques.selective && !open && beta.abs() < MATE_BOUND {
            let estimate = self.estimate(position);
            if depth <= self.params.futility_depth
                && estimate - self.params.futility_margin_at(depth) >= beta
            {
                return estimate;
            }
        }
        if self.techniques.selective
            && depth >= self.params.internal_depth
            && entry.is_none_or(|entry| entry.pit.is_none())
        {
            depth -= 1;
        }
        self.search_turns(position, hash, entry, depth, (alpha, beta), ply)
    }

    /// What a position is worth without any search.
    #[inline(always)]
    fn estimate(&self, position: &Position) -> i32 {
        if let Some(net) = self.net {
            return net.evaluate::<R>(position);
        }
        let tempo = if self.techniques.selective { self.params.tempo } else { 0 };
        evaluate::<R>(position) + tempo
    }

    /// The last ply before the evaluation: [`Self::negamax`] at depth 1 with a
    /// zero window below `beta`, by far the most frequent case. It asks no
    /// table and keeps no line but a last turn.
    fn frontier(&mut self, position: &Position, beta: i32, ply: usize) -> i32 {
        if self.techniques.selective && self.params.futility_depth > 0 {
            let estimate = self.estimate(position);
            if estimate - self.params.futility_margin_at(1) >= beta {
                return estimate;
            }
        }
        let node = R::node(position);
        self.selective_depth = self.selective_depth.max(ply + 1);
        let mut best = -INFINITE;
        let mut rest = node.legal;
        let killer = self.history.killer(ply).filter(|&pit| rest.contains(pit));
        let mut next = killer.or_else(|| rest.next());
        while let Some(pit) = next {
            rest.0 &= !(1 << pit.0);
            let turn = R::play(&node, pit);
            let score = match turn.outcome {
                Outcome::Win => win_at(ply),
                Outcome::Loss => loss_at(ply),
                Outcome::Draw => DRAW,
                Outcome::Ongoing => {
                    if self.visit() {
                        return DRAW;
                    }
                    -self.estimate(&turn.after)
                }
            };
            if turn.outcome != Outcome::Ongoing && score > best {
                // Lines go to the end of the game where it is proven.
                self.lines.extend(ply, pit, false);
            }
            best = best.max(score);
            if best >= beta {
                self.history.killed(ply, pit);
                break;
            }
            next = rest.next();
        }
        best
    }

    /// The value of a table entry if it settles the node. It is not asked with
    /// an open window: such nodes are searched, so that their lines are whole.
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
        (deep && settles).then_some(value)
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
        let mut count = 0;
        let selective = self.techniques.selective;
        while let Some((pit, turn, order)) = picker.next::<R>(
            &mut self.buffers[ply],
            &self.history,
            ply,
            self.techniques,
            &self.params,
        ) {
            let first = count == 0;
            count += 1;
            let open = beta - alpha > 1;
            if selective
                && !open
                && depth <= self.params.late_depth
                && count > self.params.late_moves + depth * depth
                && best > -MATE_BOUND
            {
                break;
            }
            let reduction = if selective && !first && depth >= self.params.reduction_depth {
                let mut hundredths = self.reductions.at(depth, count as usize);
                hundredths -= order * 100 / self.params.reduction_order;
                if open {
                    hundredths -= self.params.reduction_open;
                }
                (hundredths / 100).clamp(0, depth - 1)
            } else {
                0
            };
            let score = self.turn_score(&turn, depth, (alpha, beta), ply, first, reduction);
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
                    let bonus = self.params.history_bonus_at(depth);
                    self.history.cutoff(&node, ply, pit, tried, bonus);
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
            self.table.store(hash ^ self.salt, entry);
        }
        best
    }
}
