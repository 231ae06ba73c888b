//! Proofs: whether the side to move can force a win, has lost, or neither.
//!
//! # What is proved
//!
//! The rules know nothing of positions that repeat: a game that goes round in
//! circles has no result. So there is one question for each side, the
//! *attacker*: can it force a win in finitely many turns, whatever the other
//! side, the *defender*, does? A win of the side to move is a *win*, one of its
//! opponent a *loss*, and where neither side can force one the position is a
//! *draw*. An endless turn ends the game without a winner: a draw, and so a
//! success of the defender. What was played before does not matter.
//!
//! # How
//!
//! By depth-first proof-number search (Nagai 2002), once for each attacker,
//! taking turns. The search goes where the fewest positions have to be decided
//! for a proof or a disproof, with a table of its own of what was found.
//!
//! # Why repetitions do no harm
//!
//! A turn back to a position of the line being searched counts as a failure of
//! the attacker (as does a line too long to be followed).
//!
//! - *Wins* never rest on that: a position is proved by one turn of the
//!   attacker to a proved position, or by proved positions after all turns of
//!   the defender, down to the end of the game. This holds on whatever line the
//!   position is met again, so that the table can be trusted, also after it
//!   has lost entries. And nothing is missed for good by it: a shortest win
//!   repeats no position.
//! - *Disproofs* may rest on it, and then hold only for the line on which they
//!   were found, while the table, which does not know of lines, offers them
//!   everywhere (the graph-history interaction). So no disproof is believed.
//!   The search's word is only where to look for a [`Trap`]: a set of positions
//!   with the one in question in which no turn of the attacker wins or leads
//!   out, and the defender always has one that does not lead out either. Such
//!   a set shows that the attacker cannot win, for play can stay in it for
//!   ever; it does so by itself, wherever it comes from. In it a repetition is
//!   but a turn to a position that belongs to the set already. Collecting it
//!   asks the search about each position on a line of its own; if one is
//!   a win after all, what rested on it is forgotten and decided anew. Each
//!   round of that proves a position more, so that it comes to an end as long
//!   as the table keeps what is proved.
//!
//! What is not proved is *unknown*. That can also happen without a limit, when a
//! trap does not fit into memory.
//!
//! Every claim is checked: a win by its [`Proof`], the strategy of the winner,
//! and the other by its trap, both walked through by the rules alone.

mod budget;
mod proof;
mod prover;
mod table;
mod trap;

use std::io;
use std::thread::Builder;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::board::{Pit, Position, Side};
use crate::rules::{Profile, Rules, with_rules};
use crate::search::{Limits, STACK, Signals, Watch};
use crate::tt::OutOfMemory;

use budget::Budget;
use proof::Missing;
pub use proof::{Flaw, Proof};
use prover::{Answer, Prover};
pub use table::INFINITE;
pub use trap::Trap;

/// Nodes that the first attacker gets before the other has its turn; then the
/// turns grow by a half each time, so that going to and fro costs nothing.
const FIRST_SLICE: u64 = 4096;
/// Bytes that a position of a certificate takes while it is collected: 64 in
/// the map, which is at worst half empty, and as a task.
const STEP_BYTES: usize = 160;
/// Nodes to spare for what the table has lost of a proof that was found.
const REPAIR_NODES: u64 = 1 << 20;

/// What is to be solved.
#[derive(Clone, Debug)]
pub struct Request {
    /// The position, one in which the game goes on and no set-up is due.
    pub position: Position,
    /// What ends the search: of the limits, those of nodes and time.
    pub limits: Limits,
    /// The size of the tables. A certificate may take as much again.
    pub hash_mib: usize,
}

/// The value of a position for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It can force a win.
    Win,
    /// Its opponent can force a win.
    Loss,
    /// Neither can.
    Draw,
    /// Not proved.
    Unknown,
}

impl Verdict {
    /// The word: `win`, `loss`, `draw` or `unknown`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Unknown => "unknown",
        }
    }
}

/// What is known of a side's winning.
#[derive(Debug)]
pub enum Known {
    /// It can force a win; with the proof, unless that was too large or no
    /// longer whole in the table.
    Wins(Option<Proof>),
    /// It cannot.
    Trapped(Trap),
    /// It cannot, since its opponent can.
    Loses,
    /// Nothing yet.
    Open,
}

/// How far the question has come for one side.
#[derive(Debug)]
pub struct Attack {
    /// The side that is to win.
    pub side: Side,
    /// What is known.
    pub known: Known,
    /// The proof number: positions to be decided at least to prove the win.
    pub proof: u32,
    /// The disproof number: the same to refute it.
    pub disproof: u32,
}

/// Why solving ended without a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The limit of nodes.
    Nodes,
    /// The limit of time.
    Time,
    /// It was told to.
    Told,
    /// What would show that a side cannot win is too large.
    Memory,
}

impl Stop {
    /// The word: `nodes`, `time`, `interrupt` or `memory`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Time => "time",
            Self::Told => "interrupt",
            Self::Memory => "memory",
        }
    }
}

/// What was found.
#[derive(Debug)]
pub struct Solution {
    /// The value for the side to move.
    pub verdict: Verdict,
    /// The side to move, and its opponent.
    pub attacks: [Attack; 2],
    /// Positions searched.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
    /// Why it ended, without a verdict.
    pub stop: Option<Stop>,
}

impl Solution {
    /// The proof of the win or loss.
    pub fn proof(&self) -> Option<&Proof> {
        self.attacks.iter().find_map(|attack| match &attack.known {
            Known::Wins(proof) => proof.as_ref(),
            _ => None,
        })
    }
}

/// Why nothing was found at all.
#[derive(Debug, Error)]
pub enum SolveError {
    /// No memory for the tables.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// A certificate failed its check.
    #[error(transparent)]
    Flaw(#[from] Flaw),
    /// No thread for the search.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
}

/// Solves a position of a profile; see [`solve`].
///
/// # Errors
/// Those of [`solve`].
pub fn solve_profile(
    profile: Profile,
    request: &Request,
    signals: &Signals,
) -> Result<Solution, SolveError> {
    with_rules!(profile, R => solve::<R>(request, signals))
}

/// Solves a position, as far as the limits allow. With a limit of nodes alone
/// the result is the same in every run.
///
/// # Errors
/// When there is no memory or no thread, or a certificate fails its check.
pub fn solve<R: Rules>(request: &Request, signals: &Signals) -> Result<Solution, SolveError> {
    std::thread::scope(|scope| {
        let run = || Solver::<R>::new(request, signals)?.run();
        let thread = Builder::new().name("solve".to_owned()).stack_size(STACK);
        let thread = thread.spawn_scoped(scope, run)?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// One side's attack while it runs.
struct Task<R> {
    prover: Prover<R>,
    known: Known,
    /// The trap is too large: nothing more can come of it.
    given_up: bool,
}

struct Solver<'a, R> {
    request: &'a Request,
    signals: &'a Signals,
    budget: Budget<'a>,
    begun: Instant,
    tasks: [Task<R>; 2],
}

impl<'a, R: Rules> Solver<'a, R> {
    fn new(request: &'a Request, signals: &'a Signals) -> Result<Self, OutOfMemory> {
        let task = |attacker| -> Result<_, OutOfMemory> {
            let memory = OutOfMemory(request.hash_mib);
            let bytes = request.hash_mib.checked_mul((1 << 20) / 2).ok_or(memory)?;
            let prover = Prover::<R>::new(attacker, bytes).map_err(|_| memory)?;
            Ok(Task { prover, known: Known::Open, given_up: false })
        };
        let mover = request.position.side;
        Ok(Self {
            request,
            signals,
            budget: Budget::new(Watch::new(&request.limits, signals)),
            begun: Instant::now(),
            tasks: [task(mover)?, task(mover.other())?],
        })
    }

    fn run(mut self) -> Result<Solution, SolveError> {
        let mut slice = FIRST_SLICE;
        while self.verdict() == Verdict::Unknown && self.goes_on() {
            for at in 0..self.tasks.len() {
                if self.tasks[at].goes_on() && self.verdict() == Verdict::Unknown {
                    self.budget.pause_after(slice);
                    self.attack(at)?;
                }
            }
            slice += slice / 2;
        }
        let verdict = self.verdict();
        let stop = (verdict == Verdict::Unknown).then(|| self.why());
        match verdict {
            Verdict::Win => self.tasks[1].known = Known::Loses,
            Verdict::Loss => self.tasks[0].known = Known::Loses,
            Verdict::Draw | Verdict::Unknown => {}
        }
        let root = self.request.position;
        let attacks = self.tasks.map(|task| {
            let (proof, disproof) = match task.known {
                Known::Wins(_) => (0, INFINITE),
                Known::Trapped(_) | Known::Loses => (INFINITE, 0),
                Known::Open => task.prover.numbers(&root),
            };
            Attack { side: task.prover.attacker(), known: task.known, proof, disproof }
        });
        let (nodes, time) = (self.budget.nodes(), self.begun.elapsed());
        Ok(Solution { verdict, attacks, nodes, time, stop })
    }

    fn goes_on(&self) -> bool {
        !self.budget.stopped() && self.tasks.iter().any(Task::goes_on)
    }

    fn verdict(&self) -> Verdict {
        match [&self.tasks[0].known, &self.tasks[1].known] {
            [Known::Wins(_), _] => Verdict::Win,
            [_, Known::Wins(_)] => Verdict::Loss,
            [Known::Trapped(_), Known::Trapped(_)] => Verdict::Draw,
            _ => Verdict::Unknown,
        }
    }

    fn why(&self) -> Stop {
        if self.signals.stopped() {
            Stop::Told
        } else if !self.budget.stopped() {
            Stop::Memory
        } else if self.request.limits.nodes.is_some_and(|nodes| self.budget.nodes() >= nodes) {
            Stop::Nodes
        } else {
            Stop::Time
        }
    }

    /// Goes on with one side's attack, and makes a certificate of its answer.
    fn attack(&mut self, at: usize) -> Result<(), Flaw> {
        let most = self.request.hash_mib.saturating_mul((1 << 20) / STEP_BYTES);
        let root = &self.request.position;
        let task = &mut self.tasks[at];
        let mut answer = task.prover.decide(root, &mut self.budget);
        if answer == Answer::Denied {
            self.budget.pause_after(u64::MAX);
            match Trap::collect(&mut task.prover, root, most, &mut self.budget) {
                Ok(Some(trap)) => {
                    trap.verify::<R>()?;
                    task.known = Known::Trapped(trap);
                }
                Ok(None) => answer = task.prover.decide(root, &mut self.budget),
                Err(Missing::Flaw(flaw)) => return Err(flaw),
                Err(missing) => task.given_up = missing != Missing::Stopped,
            }
        }
        if let Answer::Won(length) = answer {
            let nodes = Some(self.budget.nodes().saturating_add(REPAIR_NODES));
            let limits = Limits { nodes, ..Limits::default() };
            let mut budget = self.budget.under(Watch::new(&limits, self.signals));
            let proof = Proof::collect(&mut task.prover, root, length, most, &mut budget);
            task.known = Known::Wins(match proof {
                Ok(proof) => {
                    proof.verify::<R>()?;
                    Some(proof)
                }
                Err(Missing::Flaw(flaw)) => return Err(flaw),
                Err(_) => None,
            });
        }
        Ok(())
    }
}

impl<R> Task<R> {
    const fn goes_on(&self) -> bool {
        matches!(self.known, Known::Open) && !self.given_up
    }
}

impl Proof {
    /// The proof line of a profile; see [`Proof::line`].
    pub fn line_of(&self, profile: Profile) -> Vec<Pit> {
        with_rules!(profile, R => self.line::<R>())
    }
}
