//! Choosing an arrangement in the set-up phase of `kisolo-free`.
//!
//! There are 927,983,760 arrangements of 21 seeds. Candidates are judged by
//! short searches of the game that would follow and improved step by step;
//! every round searches deeper, beginning with the best of the round before.
//! North answers the arrangement that South shows. South, who shows its own
//! first, takes the worst of the replies known; every round looks for a better
//! reply to its best arrangement in the same way, and keeps it.

use std::cmp::Reverse;
use std::marker::PhantomData;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::arrange::{even, neighbour, random};
use super::limits::Watch;
use super::params::{
    SET_UP_DEEPER, SET_UP_DEPTH, SET_UP_ELITE, SET_UP_PATIENCE, SET_UP_REFUTATIONS, SET_UP_REPLIES,
    SET_UP_ROUND, SET_UP_SEED,
};
use super::score::{INFINITE, plies_to_end};
use super::{Limits, MAX_PLY, Observer, Params, Progress, Report, Request, Signals, search};
use crate::board::{Lanes, Pit, Position};
use crate::eval::{Evaluation, SEED};
use crate::rules::Rules;
use crate::tt::{Bound, Table};

/// The arrangement that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundSetUp {
    /// The own seeds.
    pub lanes: Lanes,
    /// The score for the side that sets up.
    pub score: i32,
    /// Positions visited.
    pub nodes: u64,
}

/// Chooses an arrangement for the side to move. A limit of depth is the depth
/// of the last round's searches; without one, rounds follow until another
/// limit is reached. Deterministic as [`search`] is.
pub fn set_up<R: Rules>(
    request: &Request<'_>,
    table: &Table,
    signals: &Signals,
    observer: &mut impl Observer,
) -> FoundSetUp {
    let limits = &request.limits;
    let last = limits.last_depth().unwrap_or(MAX_PLY as u32).max(1);
    let mut judge = Judge::<R>::new(request, table, signals);
    let mut elite = vec![Candidate { lanes: even::<R>(), score: -INFINITE }];
    let mut chosen = FoundSetUp { lanes: elite[0].lanes, score: 0, nodes: 0 };
    let first = SET_UP_DEPTH.min(last);
    for depth in (first..=last).step_by(SET_UP_DEEPER) {
        judge.depth = depth;
        let whole = judge.round(&mut elite);
        let best = elite[0];
        // A round that was broken off before it had judged the best of the
        // one before says nothing.
        if best.score > -INFINITE {
            chosen = FoundSetUp { lanes: best.lanes, score: best.score, nodes: judge.nodes };
            judge.report(best, observer);
        }
        // A fixed answer is judged once, unless the search is to go on.
        let limited =
            limits.clock.is_some() || limits.move_time.is_some() || limits.nodes.is_some();
        let fixed = request.params.set_up_search == 0 && limited;
        if !whole || fixed {
            break;
        }
    }
    chosen.nodes = judge.nodes;
    chosen
}

/// An arrangement with its score at the depth of the round.
#[derive(Clone, Copy)]
struct Candidate {
    lanes: Lanes,
    score: i32,
}

/// Judges arrangements for one side.
struct Judge<'a, R> {
    position: Position,
    depth: u32,
    rng: Xoshiro256PlusPlus,
    /// Arrangements of the opponent, if it sets up later.
    replies: Vec<Lanes>,
    params: &'a Params,
    evaluation: Evaluation<'a>,
    table: &'a Table,
    signals: &'a Signals,
    watch: Watch<'a>,
    nodes: u64,
    /// A first arrangement has been judged.
    begun: bool,
    rules: PhantomData<R>,
}

impl<'a, R: Rules> Judge<'a, R> {
    fn new(request: &'a Request<'_>, table: &'a Table, signals: &'a Signals) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(SET_UP_SEED);
        let sampled = (0..SET_UP_REPLIES / 2).map(|_| random::<R>(&mut rng)).collect();
        Self {
            position: request.position,
            depth: 1,
            replies: sampled,
            rng,
            params: &request.params,
            evaluation: request.evaluation,
            table,
            signals,
            watch: Watch::new(&request.limits, signals),
            nodes: 0,
            begun: false,
            rules: PhantomData,
        }
    }

    /// Whether the opponent will answer with an arrangement of its own.
    fn is_first(&self) -> bool {
        self.position.first.contains(self.position.side.other())
    }

    /// Judges the best of the last round anew and improves them. They stay in
    /// the order of their scores. Returns whether the round came to its end.
    fn round(&mut self, elite: &mut Vec<Candidate>) -> bool {
        let known: Vec<Lanes> = elite.drain(..).map(|candidate| candidate.lanes).collect();
        for lanes in known {
            let score = self.judge(lanes, -INFINITE);
            // The best of the last round is the answer until there is more.
            if self.out() && !elite.is_empty() {
                return false;
            }
            // A judgement that was broken off counts only if there is no other.
            let void = self.begun && self.out();
            elite.push(Candidate { lanes, score: if void { -INFINITE } else { score } });
            self.begun = true;
        }
        elite.sort_by_key(|candidate| Reverse(candidate.score));
        if self.params.set_up_search == 0 {
            return true;
        }
        let mut current = elite[0];
        let mut stale = 0;
        for tried in 0..SET_UP_ROUND {
            if self.out() {
                return false;
            }
            let fresh = stale == SET_UP_PATIENCE || (tried < SET_UP_ROUND / 4 && tried % 2 == 0);
            let lanes = if fresh {
                random::<R>(&mut self.rng)
            } else {
                neighbour::<R>(current.lanes, &mut self.rng)
            };
            let floor = if fresh { -INFINITE } else { current.score };
            let score = self.judge(lanes, floor);
            if self.out() {
                return false;
            }
            let better = score > current.score;
            stale = if better || stale == SET_UP_PATIENCE { 0 } else { stale + 1 };
            if better || stale == 0 {
                current = Candidate { lanes, score };
            }
            insert(elite, Candidate { lanes, score });
        }
        !self.is_first() || self.refute(&mut elite[0])
    }

    /// Looks for the best reply to an arrangement, which then has its score,
    /// and keeps it. Returns whether the search for it came to its end.
    fn refute(&mut self, best: &mut Candidate) -> bool {
        let mut worst = (best.score, None);
        let mut current = (INFINITE, self.replies[0]);
        for tried in 0..SET_UP_REFUTATIONS + self.replies.len() {
            let reply = match self.replies.get(tried) {
                Some(&known) => known,
                None => neighbour::<R>(current.1, &mut self.rng),
            };
            let score = self.against(best.lanes, reply);
            if self.out() {
                return false;
            }
            if score <= current.0 {
                current = (score, reply);
            }
            if score < worst.0 {
                worst = (score, Some(reply));
            }
        }
        best.score = worst.0;
        if let Some(reply) = worst.1 {
            self.replies.insert(0, reply);
            self.replies.truncate(SET_UP_REPLIES);
        }
        true
    }

    /// The score of an arrangement for its side; no more than a bound once it
    /// is `floor` or lower.
    fn judge(&mut self, lanes: Lanes, floor: i32) -> i32 {
        if !self.is_first() {
            return -later(self.search(&self.shown(lanes)), 1);
        }
        let mut worst = INFINITE;
        for index in 0..self.replies.len() {
            worst = worst.min(self.against(lanes, self.replies[index]));
            if worst <= floor {
                break;
            }
        }
        // A loss to one reply is a loss, but a win against a few is no proof.
        worst.min(SEED * R::SEEDS as i32)
    }

    /// The position after this arrangement.
    fn shown(&self, lanes: Lanes) -> Position {
        let first = self.position.first.without(self.position.side);
        Position { own: lanes, first, ..self.position }.flipped()
    }

    /// The score of an arrangement if the opponent answers with `reply`.
    fn against(&mut self, lanes: Lanes, reply: Lanes) -> i32 {
        let shown = self.shown(lanes);
        let first = shown.first.without(shown.side);
        later(self.search(&Position { own: reply, first, ..shown }.flipped()), 2)
    }

    /// The score of a position for its side to move.
    fn search(&mut self, position: &Position) -> i32 {
        let move_time = self.watch.remaining();
        let limits = Limits { depth: Some(self.depth), move_time, ..Limits::default() };
        let request = Request {
            params: self.params.clone(),
            evaluation: self.evaluation,
            ..Request::new(*position, limits)
        };
        match search::<R>(&request, self.table, self.signals, &mut ()) {
            Some(found) => {
                self.nodes += found.nodes;
                found.score
            }
            None => -super::MATE,
        }
    }

    fn out(&mut self) -> bool {
        let soft = self.watch.past_soft_limit(100);
        soft || self.watch.out_of_nodes(self.nodes) || self.watch.out_of_time()
    }

    fn report(&self, best: Candidate, observer: &mut impl Observer) {
        let progress = Progress {
            nodes: self.nodes,
            time: self.watch.elapsed(),
            permille_full: self.table.permille_full(),
        };
        let line: &[Pit] = &[];
        observer.line(&Report {
            depth: self.depth,
            selective_depth: self.depth,
            rank: 1,
            score: best.score,
            bound: Bound::Exact,
            set_up: Some(best.lanes),
            line,
            progress,
        });
    }
}

/// Adds a candidate to the best ones, unless it is there or worse than all.
fn insert(elite: &mut Vec<Candidate>, candidate: Candidate) {
    if elite.iter().any(|known| known.lanes == candidate.lanes) {
        return;
    }
    let place = elite.partition_point(|known| known.score >= candidate.score);
    elite.insert(place, candidate);
    elite.truncate(SET_UP_ELITE);
}

/// The score as seen `plies` earlier: the end of the game is that much
/// further away.
const fn later(score: i32, plies: i32) -> i32 {
    match plies_to_end(score) {
        Some(_) => score - score.signum() * plies,
        None => score,
    }
}
