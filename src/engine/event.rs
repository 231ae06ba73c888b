//! What a job tells.

use super::bench::BenchResult;
use crate::rules::{Move, Profile};
use crate::search::{Progress, Report};
use crate::tt::Bound;

/// A word from the running job.
#[derive(Clone, Debug)]
pub enum Event {
    /// One line of the search.
    Line(Line),
    /// The answer comes from the book, which had so many moves to choose from.
    Book(usize),
    /// A sign of life between lines.
    Progress(Progress),
    /// The end of a search.
    Best(Best),
    /// The sequences behind one turn.
    Perft(Move, u64),
    /// The end of perft: the total, or `None` if it was stopped.
    PerftDone(Option<u64>),
    /// The benchmark of one profile.
    Bench(Profile, BenchResult),
    /// The end of the benchmark: the total, or `None` if it was stopped.
    BenchDone(Option<BenchResult>),
}

/// What a search says of one line: see [`Report`], whose owned copy it is.
#[derive(Clone, Debug)]
pub struct Line {
    /// Nominal depth in plies; 0 for a position without turns.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub selective_depth: u32,
    /// The rank of the line, 1 for the best.
    pub rank: usize,
    /// The score for the side to move.
    pub score: i32,
    /// How it bounds the true one.
    pub bound: Bound,
    /// The moves, sides alternating.
    pub moves: Vec<Move>,
    /// How far the search has come.
    pub progress: Progress,
}

impl From<&Report<'_>> for Line {
    fn from(report: &Report<'_>) -> Self {
        let set_up = report.set_up.map(Move::SetUp);
        Self {
            depth: report.depth,
            selective_depth: report.selective_depth,
            rank: report.rank,
            score: report.score,
            bound: report.bound,
            moves: set_up
                .into_iter()
                .chain(report.line.iter().map(|&pit| Move::Sow(pit)))
                .collect(),
            progress: report.progress,
        }
    }
}

/// The answer of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best {
    /// The best move; `None` when there is no legal one.
    pub best: Option<Move>,
    /// The expected answer.
    pub ponder: Option<Move>,
}
