//! The engine as one object: a game, options, and one job at a time in a
//! thread of its own, which reports through events.
//!
//! This is the one place where a [`Profile`] becomes a monomorphised search.

mod algorithm;
mod bench;
mod event;
mod job;
mod level;
mod odds;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use thiserror::Error;

use crate::board::Side;
use crate::book::{Book, Choice};
use crate::eval::{self, Evaluation, Explained, Net};
use crate::levels;
use crate::mcts::Tree;
use crate::rules::{Game, GameResult, Profile, with_rules};
use crate::search::{STACK, Signals, Techniques};
use crate::tt::{OutOfMemory, Table};

pub use crate::book::BookError;
pub use crate::eval::NetError;
pub use crate::levels::LOWEST as LOWEST_ELO;
pub use crate::search::{Clock, Limits, MATE, Params, Progress, Tunable, plies_to_end};
pub use crate::tt::Bound;
pub use algorithm::{Algorithm, UnknownAlgorithm};
pub use bench::{BenchResult, bench, bench_depth, bench_threads};
pub use event::{Best, Event, Line};
use level::Leveled;
pub use odds::OddsScale;

/// The largest table, in MiB.
pub const MAX_HASH_MIB: usize = 65_536;
/// The size of the table when nothing else is said, in MiB.
pub const DEFAULT_HASH_MIB: usize = 64;
/// What is taken off every limit of time when nothing else is said: the way
/// through two pipes and a scheduler.
pub const DEFAULT_OVERHEAD: Duration = Duration::from_millis(10);
/// The size of the table beside a tree, in MiB: it serves set-ups alone.
const SET_UP_HASH_MIB: usize = 1;
/// The longest sequences that are counted: the recursion goes as deep.
pub const MAX_PERFT_DEPTH: u32 = 100;
/// The most threads of a search.
pub const MAX_THREADS: usize = 512;

/// The largest variety of book moves, in centipawns.
pub const MAX_BOOK_VARIETY: u32 = 1_000;

/// Why the engine does not do what it is asked to.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineError {
    /// A job is running.
    #[error("a search is running; stop it first")]
    Busy,
    /// A table of this size cannot be had.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// A file is no network.
    #[error(transparent)]
    Net(#[from] NetError),
    /// Set-up moves cannot be counted through.
    #[error("a set-up is due: its 927983760 arrangements are not enumerated")]
    SetUpDue,
    /// A count that could go as deep as the stack.
    #[error("perft takes a depth of 0 to {MAX_PERFT_DEPTH} turns")]
    TooDeep,
    /// The system gave no thread.
    #[error("the system gives no thread for the search")]
    NoThread,
}

/// The rating that is played at when nothing else is said.
pub const DEFAULT_ELO: u32 = 1200;
/// The skill that is full strength; those below are levels.
pub const MAX_SKILL: u32 = 20;
/// The largest seed.
pub const MAX_SEED: u64 = u32::MAX as u64;

/// Settings that outlive a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Lines to report.
    pub multi_pv: usize,
    /// Taken off every limit of time.
    pub overhead: Duration,
    /// Analysis: forced turns are searched as long as others.
    pub analyse: bool,
    /// How strongly the search selects.
    pub params: Params,
    /// Threads that search together.
    pub threads: usize,
    /// Whether positions are judged by the difference of seeds, not by a
    /// network.
    pub seeds: bool,
    /// Whether moves are taken from the book.
    pub own_book: bool,
    /// How much worse than the best a book move may be, in centipawns.
    pub book_variety: u32,
    /// Whether it plays at the level of `elo`.
    pub limit_strength: bool,
    /// The rating of that level; see [`Engine::highest_elo`].
    pub elo: u32,
    /// Without `limit_strength`: the range of levels in [`MAX_SKILL`] steps,
    /// the last of which is full strength.
    pub skill: u32,
    /// What the turns of a level are drawn by; 0 for other ones each time.
    pub seed: u64,
}

struct Running {
    signals: Arc<Signals>,
    thread: JoinHandle<()>,
}

/// The engine.
pub struct Engine {
    game: Game,
    algorithm: Algorithm,
    /// What table or tree may take, in MiB.
    hash_mib: usize,
    table: Arc<Table>,
    /// Present when the algorithm grows one; the table is small then.
    tree: Option<Arc<Mutex<Tree>>>,
    /// Settings; changes count from the next search on.
    pub settings: Settings,
    book: Option<Book>,
    /// A network from a file.
    net: Option<Arc<Net>>,
    /// Moves taken from the book so far: games from one position differ.
    book_moves: u64,
    running: Option<Running>,
}

impl Engine {
    /// An engine at the start of a game of `profile`.
    ///
    /// # Errors
    /// When there is no memory for its table.
    pub fn new(profile: Profile) -> Result<Self, OutOfMemory> {
        Ok(Self {
            game: Game::new(profile, profile.start_position()),
            algorithm: Algorithm::default(),
            hash_mib: DEFAULT_HASH_MIB,
            table: Arc::new(Table::new(DEFAULT_HASH_MIB)?),
            tree: None,
            settings: Settings {
                multi_pv: 1,
                overhead: DEFAULT_OVERHEAD,
                analyse: false,
                params: Params::DEFAULT,
                threads: 1,
                seeds: false,
                own_book: false,
                book_variety: 0,
                limit_strength: false,
                elo: DEFAULT_ELO,
                skill: MAX_SKILL,
                seed: 0,
            },
            book: None,
            net: None,
            book_moves: 0,
            running: None,
        })
    }

    /// The game on the board.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Whether a job is running.
    pub const fn busy(&self) -> bool {
        self.running.is_some()
    }

    /// Puts another game on the board.
    ///
    /// # Errors
    /// While a job is running.
    pub fn set_game(&mut self, game: Game) -> Result<(), EngineError> {
        self.idle()?;
        self.game = game;
        Ok(())
    }

    /// Forgets what was learned in earlier searches.
    ///
    /// # Errors
    /// While a job is running.
    pub fn clear(&mut self) -> Result<(), EngineError> {
        self.table_mut()?.clear();
        if let Some(tree) = &self.tree {
            tree.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        Ok(())
    }

    /// Changes the size of the table or tree, which empties it.
    ///
    /// # Errors
    /// While a job is running, or without memory; the old one is kept.
    pub fn resize(&mut self, mib: usize) -> Result<(), EngineError> {
        self.provide(self.algorithm, mib)
    }

    /// Chooses the algorithm of searches; another one than before begins
    /// knowing nothing.
    ///
    /// # Errors
    /// While a job is running, or without memory; the old one is kept.
    pub fn set_algorithm(&mut self, algorithm: Algorithm) -> Result<(), EngineError> {
        if algorithm == self.algorithm {
            return Ok(());
        }
        self.provide(algorithm, self.hash_mib)
    }

    /// Gives an algorithm its memory.
    fn provide(&mut self, algorithm: Algorithm, mib: usize) -> Result<(), EngineError> {
        let tree = algorithm.grows_tree().then(|| Tree::new(mib)).transpose()?;
        let table = if tree.is_some() { SET_UP_HASH_MIB } else { mib };
        self.table_mut()?.resize(table)?;
        self.tree = tree.map(|tree| Arc::new(Mutex::new(tree)));
        self.algorithm = algorithm;
        self.hash_mib = mib;
        Ok(())
    }

    /// Reads the book to take moves from; without a path there is none.
    ///
    /// # Errors
    /// When the file is no book; the old one is kept.
    pub fn open_book(&mut self, path: Option<&Path>) -> Result<(), BookError> {
        self.book = path.map(Book::read).transpose()?;
        Ok(())
    }

    /// Reads the network to judge positions of its profile by; without a path
    /// it is the one that is part of the program. What was learned before is
    /// forgotten.
    ///
    /// # Errors
    /// While a job is running, or when the file is no network; the old one is
    /// kept.
    pub fn open_net(&mut self, path: Option<&Path>) -> Result<(), EngineError> {
        self.idle()?;
        self.net = path.map(Net::read).transpose()?.map(Arc::new);
        self.clear()
    }

    /// Chooses between the difference of seeds and a network as the judge of
    /// positions; another one than before begins knowing nothing.
    ///
    /// # Errors
    /// While a job is running.
    pub fn judge_by_seeds(&mut self, seeds: bool) -> Result<(), EngineError> {
        if seeds != self.settings.seeds {
            self.clear()?;
            self.settings.seeds = seeds;
        }
        Ok(())
    }

    /// The rating of the strongest level of this profile.
    pub fn highest_elo(&self) -> u32 {
        levels::built_in(self.game.profile()).highest()
    }

    /// The rating that it plays at, unless that is its full strength.
    pub fn level(&self) -> Option<u32> {
        let Settings { limit_strength, elo, skill, .. } = self.settings;
        let highest = self.highest_elo();
        match (limit_strength, skill) {
            (true, _) => Some(elo.clamp(LOWEST_ELO, highest)),
            (false, MAX_SKILL..) => None,
            (false, skill) => Some(LOWEST_ELO + (highest - LOWEST_ELO) * skill / MAX_SKILL),
        }
    }

    /// Who plays at the level, if one is set and the search is for a move to
    /// be played.
    fn leveled(&self, limits: &Limits) -> Result<Option<Leveled>, OutOfMemory> {
        let analysis = self.settings.analyse || limits.infinite || limits.mate_plies.is_some();
        let Some(elo) = self.level().filter(|_| !analysis) else { return Ok(None) };
        Ok(Some(Leveled {
            player: levels::Player::new()?,
            strength: levels::built_in(self.game.profile()).strength(elo),
            seed: if self.settings.seed == 0 { rand::random() } else { self.settings.seed },
        }))
    }

    /// The book's move in the game on the board, unless the search was asked
    /// for more than a move to be played.
    fn book_move(&mut self, limits: &Limits) -> Option<Choice> {
        let analysis = self.settings.analyse
            || limits.infinite
            || limits.ponder
            || limits.mate_plies.is_some()
            || limits.search_moves.is_some();
        let position = self.game.position();
        let book = self.book.as_ref().filter(|book| book.profile() == self.game.profile())?;
        // A level is measured without one.
        if self.level().is_some() {
            return None;
        }
        // A book knows no games: where one comes back to a position, the same
        // moves would lead there again.
        if !self.settings.own_book || analysis || self.game.repetitions() > 0 {
            return None;
        }
        let seed = position.hash().wrapping_add(self.book_moves);
        let choice = book.choose(position, self.settings.book_variety, seed)?;
        self.book_moves += 1;
        Some(choice)
    }

    /// The parts of the static evaluation of the position on the board, for
    /// the side to move.
    pub fn evaluate(&self) -> Explained {
        let evaluation = evaluation(self.settings.seeds, self.net.as_deref());
        with_rules!(self.game.profile(), R => {
            eval::explain::<R>(self.game.position(), evaluation.net::<R>())
        })
    }

    /// How scores are read as chances.
    pub const fn odds_scale(&self) -> OddsScale {
        OddsScale::of(self.game.profile(), self.settings.seeds, self.algorithm)
    }

    /// Starts a search of the position on the board. Events go to `sink`, the
    /// last one being [`Event::Best`]; call [`Engine::join`] after it. In a
    /// game that is over by the rules, or that `loser` has lost for another
    /// reason, the answer is that there is no move.
    ///
    /// # Errors
    /// While a job is running, or without memory for a level.
    pub fn go(
        &mut self,
        limits: Limits,
        loser: Option<Side>,
        sink: impl FnMut(Event) + Send + 'static,
    ) -> Result<(), EngineError> {
        self.table_mut()?.age();
        let ponder = limits.ponder;
        let result = loser.map_or(self.game.result(), |side| GameResult::won_by(side.other()));
        let level = self.leveled(&limits)?;
        let book = if result == GameResult::Ongoing { self.book_move(&limits) } else { None };
        let search = job::Search {
            game: self.game.clone(),
            result,
            book,
            level,
            algorithm: self.algorithm,
            table: Arc::clone(&self.table),
            tree: self.tree.clone(),
            limits: Limits {
                overhead: self.settings.overhead,
                analyse: self.settings.analyse,
                ..limits
            },
            multi_pv: self.settings.multi_pv,
            techniques: Techniques::ALL,
            params: self.settings.params.clone(),
            threads: self.settings.threads,
            seeds: self.settings.seeds,
            net: self.net.clone(),
        };
        self.start(ponder, move |signals| search.run(signals, sink))
    }

    /// Starts counting turn sequences from the position on the board. The
    /// last event is [`Event::PerftDone`].
    ///
    /// # Errors
    /// While a job is running, when a set-up is due, or when `depth` is
    /// larger than [`MAX_PERFT_DEPTH`].
    pub fn perft(
        &mut self,
        depth: u32,
        sink: impl FnMut(Event) + Send + 'static,
    ) -> Result<(), EngineError> {
        self.idle()?;
        if self.game.profile().set_up_due(self.game.position()) {
            return Err(EngineError::SetUpDue);
        }
        if depth > MAX_PERFT_DEPTH {
            return Err(EngineError::TooDeep);
        }
        let game = self.game.clone();
        self.start(false, move |signals| job::perft(&game, depth, signals, sink))
    }

    /// Starts the benchmark. The last event is [`Event::BenchDone`].
    ///
    /// # Errors
    /// While a job is running.
    pub fn bench(
        &mut self,
        mut sink: impl FnMut(Event) + Send + 'static,
    ) -> Result<(), EngineError> {
        self.idle()?;
        self.start(false, move |signals| {
            let total = bench(signals, |profile, result| sink(Event::Bench(profile, result)));
            sink(Event::BenchDone(total));
        })
    }

    /// Tells the running job to end soon.
    pub fn stop(&self) {
        if let Some(running) = &self.running {
            running.signals.stop();
        }
    }

    /// Tells the running search that the expected turn was made.
    pub fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.signals.ponder_hit();
        }
    }

    /// Waits for the end of the job, after its last event.
    pub fn join(&mut self) {
        if let Some(running) = self.running.take() {
            // A panic in the thread has been printed there.
            let _ = running.thread.join();
        }
    }

    fn start(
        &mut self,
        ponder: bool,
        job: impl FnOnce(&Signals) + Send + 'static,
    ) -> Result<(), EngineError> {
        self.idle()?;
        let signals = Arc::new(Signals::new(ponder));
        let theirs = Arc::clone(&signals);
        let thread = std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK)
            .spawn(move || job(&theirs))
            .map_err(|_| EngineError::NoThread)?;
        self.running = Some(Running { signals, thread });
        Ok(())
    }

    const fn idle(&self) -> Result<(), EngineError> {
        if self.busy() { Err(EngineError::Busy) } else { Ok(()) }
    }

    fn table_mut(&mut self) -> Result<&mut Table, EngineError> {
        self.idle()?;
        // No job is running, so nobody else holds the table.
        Arc::get_mut(&mut self.table).ok_or(EngineError::Busy)
    }
}

/// What judges positions: the difference of seeds, this network or a built-in
/// one.
const fn evaluation(seeds: bool, net: Option<&Net>) -> Evaluation<'_> {
    match net {
        _ if seeds => Evaluation::Seeds,
        Some(net) => Evaluation::Net(net),
        None => Evaluation::BuiltIn,
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.join();
    }
}
