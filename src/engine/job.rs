//! What runs in the engine's thread.

use std::sync::{Arc, Mutex, PoisonError};

use super::event::{Best, Event, Line};
use super::level::Leveled;
use super::{Algorithm, evaluation};
use crate::board::{Position, Side};
use crate::book::Choice;
use crate::eval::Net;
use crate::mcts::{self, Guided, Plain, Tree};
use crate::rules::{Game, GameResult, Move, Outcome, Rules, perft as count, with_rules};
use crate::search::{
    DRAW, Found, Limits, MATE, Observer, Params, Progress, Report, Request, Signals, Techniques,
};
use crate::search::{search, set_up};
use crate::tt::{Bound, Table};

/// Below this depth perft does not look at the stop signal: a few
/// milliseconds.
const UNSTOPPABLE_DEPTH: u32 = 5;

/// A search that is about to run.
pub struct Search {
    pub game: Game,
    /// How the game stands; unless it goes on there is nothing to search.
    pub result: GameResult,
    /// The answer, if the book has one.
    pub book: Option<Choice>,
    /// Who answers instead of the search, if that is to be weaker.
    pub level: Option<Leveled>,
    pub algorithm: Algorithm,
    pub table: Arc<Table>,
    /// For the algorithms that grow a tree.
    pub tree: Option<Arc<Mutex<Tree>>>,
    pub limits: Limits,
    pub multi_pv: usize,
    pub techniques: Techniques,
    pub params: Params,
    pub threads: usize,
    /// The difference of seeds judges positions, not a network.
    pub seeds: bool,
    /// A network beside those that are part of the program.
    pub net: Option<Arc<Net>>,
}

impl Search {
    /// Searches, and answers when the signals allow it.
    pub fn run(mut self, signals: &Signals, mut sink: impl FnMut(Event)) {
        let best = if self.result != GameResult::Ongoing {
            sink(Event::Line(final_line(self.result, self.game.position().side)));
            Best { best: None, ponder: None }
        } else if let Some(choice) = &self.book {
            from_book(choice, &mut sink)
        } else {
            with_rules!(self.game.profile(), R => self.search::<R>(signals, &mut sink))
        };
        signals.wait_to_answer(self.limits.infinite);
        // Table and tree have to be free before the answer is out: the next
        // command may want to change them.
        drop(self.table);
        drop(self.tree);
        sink(Event::Best(best));
    }

    fn search<R: Rules>(&mut self, signals: &Signals, sink: &mut impl FnMut(Event)) -> Best {
        let mut level = self.level.take();
        let request = Request {
            position: *self.game.position(),
            earlier: self.game.earlier(),
            limits: self.limits.clone(),
            multi_pv: self.multi_pv,
            techniques: self.techniques,
            params: self.params.clone(),
            threads: self.threads,
            evaluation: evaluation(self.seeds, self.net.as_deref()),
        };
        if let Some(level) = &mut level {
            return level.choose::<R>(&request, signals, sink);
        }
        let mut observer = Forward(sink);
        if R::set_up_due(&request.position) {
            let found = set_up::<R>(&request, &self.table, signals, &mut observer);
            return Best { best: Some(Move::SetUp(found.lanes)), ponder: None };
        }
        let found = self.find::<R>(&request, signals, &mut observer);
        Best {
            best: found.map(|found| Move::Sow(found.best)),
            ponder: found.and_then(|found| found.ponder).map(Move::Sow),
        }
    }

    /// The one place where the algorithm is chosen.
    fn find<R: Rules>(
        &self,
        request: &Request<'_>,
        signals: &Signals,
        observer: &mut impl Observer,
    ) -> Option<Found> {
        let tree = self.tree.as_ref().map(|tree| tree.lock());
        let tree = tree.map(|lock| lock.unwrap_or_else(PoisonError::into_inner));
        match (self.algorithm, tree) {
            (Algorithm::Mcts, Some(mut tree)) => {
                mcts::search::<R, Guided>(request, &mut tree, signals, observer)
            }
            (Algorithm::Uct, Some(mut tree)) => {
                mcts::search::<R, Plain>(request, &mut tree, signals, observer)
            }
            _ => search::<R>(request, &self.table, signals, observer),
        }
    }
}

/// Tells a move of the book; the answer.
fn from_book(choice: &Choice, sink: &mut impl FnMut(Event)) -> Best {
    let moves: Vec<Move> = choice.line.iter().map(|&pit| Move::Sow(pit)).collect();
    let best = Best { best: moves.first().copied(), ponder: moves.get(1).copied() };
    sink(Event::Book(choice.moves));
    sink(Event::Line(Line {
        depth: choice.depth,
        selective_depth: choice.depth,
        rank: 1,
        score: choice.score,
        bound: Bound::Exact,
        moves,
        progress: Progress::default(),
    }));
    best
}

/// Turns reports into events.
struct Forward<'a, F>(&'a mut F);

impl<F: FnMut(Event)> Observer for Forward<'_, F> {
    fn line(&mut self, report: &Report<'_>) {
        (self.0)(Event::Line(report.into()));
    }

    fn progress(&mut self, progress: &Progress) {
        (self.0)(Event::Progress(*progress));
    }
}

/// The line of a game that ended with `result` when it was `side`'s move.
fn final_line(result: GameResult, side: Side) -> Line {
    let score = match result {
        GameResult::Ongoing | GameResult::Draw => DRAW,
        result if result == GameResult::won_by(side) => MATE,
        _ => -MATE,
    };
    Line {
        depth: 0,
        selective_depth: 0,
        rank: 1,
        score,
        bound: Bound::Exact,
        moves: Vec::new(),
        progress: Progress::default(),
    }
}

/// Counts the sequences of `depth` turns behind each turn of a game.
pub fn perft(game: &Game, depth: u32, signals: &Signals, mut sink: impl FnMut(Event)) {
    if depth == 0 || game.result() != GameResult::Ongoing {
        return sink(Event::PerftDone(Some(u64::from(depth == 0))));
    }
    let total = with_rules!(game.profile(), R => {
        let node = R::node(game.position());
        node.legal.map(|pit| {
            let turn = R::play(&node, pit);
            let sequences = behind::<R>(turn.outcome, &turn.after, depth - 1, signals)?;
            sink(Event::Perft(Move::Sow(pit), sequences));
            Some(sequences)
        })
        .sum()
    });
    sink(Event::PerftDone(total));
}

/// The sequences of `depth` turns behind a turn; `None` if it was stopped.
fn behind<R: Rules>(
    outcome: Outcome,
    after: &Position,
    depth: u32,
    signals: &Signals,
) -> Option<u64> {
    if signals.stopped() {
        return None;
    }
    if depth > 0 && outcome != Outcome::Ongoing {
        return Some(0);
    }
    if depth <= UNSTOPPABLE_DEPTH {
        return Some(count::<R>(after, depth));
    }
    let node = R::node(after);
    node.legal
        .map(|pit| {
            let turn = R::play(&node, pit);
            behind::<R>(turn.outcome, &turn.after, depth - 1, signals)
        })
        .sum()
}
