//! The search: iterative deepening, aspiration windows and principal
//! variation search over a shared transposition table.
//!
//! It is generic over the rules and compiled once per profile. It knows no
//! text: what it finds goes to an [`Observer`].

mod arrange;
mod iterate;
mod limits;
mod line;
mod negamax;
mod order;
mod pace;
pub mod params;
mod reduction;
mod score;
mod set_up;
mod team;

use std::thread::Builder;
use std::time::Duration;

use crate::board::{Lanes, Pit, Position};
use crate::eval::Evaluation;
use crate::rules::Rules;
use crate::tt::{Bound, Table};

use iterate::Driver;
pub use params::{Params, Tunable};
pub(crate) use team::Team;

pub use limits::{Clock, Limits, Signals, TimePlan, Watch};
pub use line::Line;
pub(crate) use score::MATE_BOUND;
pub use score::{DRAW, MATE, plies_to_end};
pub use set_up::set_up;

/// The longest line that is searched, in plies.
pub const MAX_PLY: usize = 128;

/// The stack of a searching thread, in bytes: ten times what the deepest line
/// was seen to need.
pub const STACK: usize = 16 << 20;

/// The techniques of the search that lose nothing: with any of them on or
/// off, a search of fixed depth finds the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// Values and moves from the transposition table.
    pub table: bool,
    /// Zero windows for all turns but the first.
    pub zero_windows: bool,
    /// Aspiration windows at the root.
    pub aspiration: bool,
    /// Looking at promising turns first.
    pub ordering: bool,
    /// No search for wins longer than one that is known.
    pub mate_distance: bool,
    /// Deeper table entries than asked for serve as well. (This one changes
    /// values, to better founded ones.)
    pub deeper_entries: bool,
    /// Pruning and reductions. (These change values, too.)
    pub selective: bool,
    /// Positions that repeat are draws. (What a value then is depends on the
    /// line that led to it.)
    pub repetitions: bool,
}

impl Techniques {
    /// All of them.
    pub const ALL: Self = Self {
        table: true,
        zero_windows: true,
        aspiration: true,
        ordering: true,
        mate_distance: true,
        deeper_entries: true,
        selective: true,
        repetitions: true,
    };
    /// None: plain alpha-beta.
    pub const NONE: Self = Self {
        table: false,
        zero_windows: false,
        aspiration: false,
        ordering: false,
        mate_distance: false,
        deeper_entries: false,
        selective: false,
        repetitions: false,
    };

    /// Those of a search for a win within so many plies, whose word that there
    /// is none has to be true: nothing is pruned, and nothing depends on the
    /// line. (A shortest win repeats no position.)
    pub const fn exact(self) -> Self {
        Self { selective: false, repetitions: false, ..self }
    }
}

/// What is to be searched.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The position, one with legal turns.
    pub position: Position,
    /// Hashes of the earlier positions of the game, oldest first.
    pub earlier: &'a [u64],
    /// What ends the search.
    pub limits: Limits,
    /// How many of the best turns are wanted with their lines (1 or more).
    pub multi_pv: usize,
    /// What the search may use.
    pub techniques: Techniques,
    /// How strongly it selects.
    pub params: Params,
    /// Threads that search together (1 or more).
    pub threads: usize,
    /// What positions are judged by.
    pub evaluation: Evaluation<'a>,
}

impl<'a> Request<'a> {
    /// The search of a position without a past, with all techniques.
    pub const fn new(position: Position, limits: Limits) -> Self {
        Self {
            position,
            earlier: &[],
            limits,
            multi_pv: 1,
            techniques: Techniques::ALL,
            params: Params::DEFAULT,
            threads: 1,
            evaluation: Evaluation::BuiltIn,
        }
    }
}

/// What a search says of one line while it runs.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// Nominal depth in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub selective_depth: u32,
    /// The rank of the line, 1 for the best.
    pub rank: usize,
    /// The score for the side to move: see [`plies_to_end`].
    pub score: i32,
    /// How the score bounds the true one.
    pub bound: Bound,
    /// The arrangement that the line begins with, if a set-up was asked for.
    pub set_up: Option<Lanes>,
    /// The principal variation, sides alternating.
    pub line: &'a [Pit],
    /// How far the search has come.
    pub progress: Progress,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Positions visited.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Fill of the transposition table in permille.
    pub permille_full: u32,
}

/// Takes what a search reports.
pub trait Observer {
    /// One line of an iteration.
    fn line(&mut self, report: &Report<'_>);

    /// A sign of life between lines, about once a second.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }
}

/// Ignores all reports.
impl Observer for () {
    fn line(&mut self, _: &Report<'_>) {}
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The best turn.
    pub best: Pit,
    /// The expected answer to it.
    pub ponder: Option<Pit>,
    /// The score for the side to move.
    pub score: i32,
    /// The last depth that was begun, in plies.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
}

/// Searches a position. Returns as soon as a limit is reached, whether or not
/// the limits ask to hold the answer back; `None` when no turn is legal.
///
/// With one thread, fixed limits of depth or nodes and the same table the
/// result is the same in every run. With several, those that the system does
/// not give are done without.
pub fn search<R: Rules>(
    request: &Request<'_>,
    table: &Table,
    signals: &Signals,
    observer: &mut impl Observer,
) -> Option<Found> {
    let team = Team::new(request.threads);
    let leader = Driver::<R, _>::new(request, table, signals, (&team, 0), observer)?;
    std::thread::scope(|scope| {
        for thread in 1..team.size() {
            let team = &team;
            let follow = move || {
                let mut silent = ();
                Driver::<R, ()>::new(request, table, signals, (team, thread), &mut silent)?.run()
            };
            let name = format!("search {thread}");
            let started = Builder::new().name(name).stack_size(STACK).spawn_scoped(scope, follow);
            if started.is_err() {
                break;
            }
        }
        let found = leader.run();
        team.stop();
        found
    })
}
