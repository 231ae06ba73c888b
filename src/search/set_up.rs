//! Choosing an arrangement in the set-up phase of `kisolo-free`.
//!
//! There are 927,983,760 arrangements of 21 seeds, so they are sampled: each
//! candidate is judged by a short search of the game that would follow. South,
//! who shows its arrangement first, takes the worst of a few replies.

use std::marker::PhantomData;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::limits::Watch;
use super::params::{SET_UP_CANDIDATES, SET_UP_DEPTH, SET_UP_REPLIES, SET_UP_SEED};
use super::score::INFINITE;
use super::{Limits, Observer, Progress, Report, Request, Signals, search};
use crate::board::{LANES, Lanes, Pit, Position};
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

/// Chooses an arrangement for the side to move. A limit of depth sets the
/// depth of the comparing searches; the number of candidates follows from the
/// other limits. Deterministic as [`search`] is.
pub fn set_up<R: Rules>(
    request: &Request<'_>,
    table: &Table,
    signals: &Signals,
    observer: &mut impl Observer,
) -> FoundSetUp {
    let limits = &request.limits;
    let mut judge = Judge::<R> {
        position: request.position,
        depth: limits.depth.map_or(SET_UP_DEPTH, |depth| depth.clamp(1, SET_UP_DEPTH)),
        rng: Xoshiro256PlusPlus::seed_from_u64(SET_UP_SEED),
        replies: Vec::new(),
        table,
        signals,
        nodes: 0,
        rules: PhantomData,
    };
    judge.replies = (0..SET_UP_REPLIES).map(|_| judge.random()).collect();
    let mut watch = Watch::new(limits, signals);
    let open_ended = limits.infinite
        || limits.ponder
        || limits.nodes.is_some()
        || limits.move_time.is_some()
        || limits.clock.is_some();
    let mut best = FoundSetUp { lanes: even::<R>(), score: -INFINITE, nodes: 0 };
    let mut candidate = best.lanes;
    for tried in 1.. {
        let (score, line) = judge.score(candidate, &mut watch);
        // A judgement that was broken off counts only if there is no other.
        let whole = tried == 1 || !watch.out_of_time();
        if whole && score > best.score {
            best = FoundSetUp { lanes: candidate, score, nodes: judge.nodes };
            let progress = Progress {
                nodes: judge.nodes,
                time: watch.elapsed(),
                permille_full: table.permille_full(),
            };
            observer.line(&Report {
                depth: judge.depth,
                selective_depth: judge.depth,
                rank: 1,
                score,
                bound: Bound::Exact,
                set_up: Some(candidate),
                line: &line,
                progress,
            });
        }
        let enough = !open_ended && tried >= SET_UP_CANDIDATES;
        let out = watch.out_of_nodes(judge.nodes) || watch.past_soft_limit();
        if enough || out || watch.out_of_time() {
            break;
        }
        candidate = judge.random();
    }
    best.nodes = judge.nodes;
    best
}

/// Three seeds in every outer pit: a known good start, and the first
/// candidate.
fn even<R: Rules>() -> Lanes {
    let columns = R::GEOMETRY.columns;
    let share = (R::SEEDS / 2) as usize / columns;
    Lanes::new(std::array::from_fn(|pit| if pit < columns { share as u8 } else { 0 }))
}

/// Judges arrangements for one side.
struct Judge<'a, R> {
    position: Position,
    depth: u32,
    rng: Xoshiro256PlusPlus,
    /// Arrangements of the opponent, if it sets up later.
    replies: Vec<Lanes>,
    table: &'a Table,
    signals: &'a Signals,
    nodes: u64,
    rules: PhantomData<R>,
}

impl<R: Rules> Judge<'_, R> {
    /// All seeds dropped into pits at random, over a random part of the pits:
    /// heaps and even rows both occur.
    fn random(&mut self) -> Lanes {
        let pits = R::GEOMETRY.pits();
        let width = self.rng.random_range(3..=pits);
        let first = self.rng.random_range(0..pits);
        let mut counts = [0u8; LANES];
        for _ in 0..R::SEEDS / 2 {
            counts[(first + self.rng.random_range(0..width)) % pits] += 1;
        }
        Lanes::new(counts)
    }

    /// The score of an arrangement for its side, and the line behind it.
    fn score(&mut self, lanes: Lanes, watch: &mut Watch<'_>) -> (i32, Vec<Pit>) {
        let side = self.position.side;
        let first = self.position.first.without(side);
        let shown = Position { own: lanes, first, ..self.position }.flipped();
        if !first.contains(side.other()) {
            let (score, line) = self.search(&shown, watch);
            return (-score, line);
        }
        let mut worst = (INFINITE, Vec::new());
        for reply in self.replies.clone() {
            let first = first.without(side.other());
            let answered = Position { own: reply, first, ..shown }.flipped();
            let (score, _) = self.search(&answered, watch);
            // The reply is not part of the line: it is a sample, not a threat.
            worst.0 = worst.0.min(score);
        }
        worst
    }

    fn search(&mut self, position: &Position, watch: &mut Watch<'_>) -> (i32, Vec<Pit>) {
        let limits =
            Limits { depth: Some(self.depth), move_time: watch.remaining(), ..Limits::default() };
        let mut line = LastLine::default();
        let request = Request::new(*position, limits);
        let found = search::<R>(&request, self.table, self.signals, &mut line);
        match found {
            Some(found) => {
                self.nodes += found.nodes;
                (found.score, line.0)
            }
            None => (-super::MATE, Vec::new()),
        }
    }
}

/// Keeps the last line that was reported.
#[derive(Default)]
struct LastLine(Vec<Pit>);

impl Observer for LastLine {
    fn line(&mut self, report: &Report<'_>) {
        self.0.clear();
        self.0.extend_from_slice(report.line);
    }
}
