//! An engine for tests that speaks UCI and UGI, plays legal moves, and fails
//! on demand. Its arguments are KEY=VALUE:
//!
//! - `mode=` the fault, a name of [`Fault`] in small letters with hyphens, or
//!   `mix` for all of them at random;
//! - `at=N` the own move of each game at which it happens (default 3);
//! - `rate=P` how often `mix` fails at each occasion (default 0.01);
//! - `seed=N` what it plays: 0 the first legal move, else a legal move that
//!   depends on the position and the seed alone;
//! - `prefer=PIT,PIT,…` the first of these pits that is legal, before all others;
//! - `cp=N` the score that it tells; `ms=N` how late it is;
//! - `tag=…` and anything else is there to find the process by.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufRead, Write};
use std::process::{Command, Stdio, exit};
use std::thread::sleep;
use std::time::Duration;

use kisolo::board::{LANES, Lanes};
use kisolo::rules::{Game, GameResult, Move, Profile};

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    ExitAtStart,
    NeverGreets,
    HangAtReady,
    DiesBetweenGames,
    Crash,
    Hang,
    Garbage,
    LongLine,
    BadUtf8,
    Flood,
    FloodWithoutEnd,
    AnswerFlood,
    Illegal,
    EmptyMove,
    Late,
    Twice,
    CloseOutput,
    IgnoreQuit,
    IgnoreEnd,
    Grandchild,
    GrandchildOrphan,
    Stderr,
    Lies,
}

impl Fault {
    const ALL: [(Self, &'static str); 23] = [
        (Self::ExitAtStart, "exit-at-start"),
        (Self::NeverGreets, "never-greets"),
        (Self::HangAtReady, "hang-at-ready"),
        (Self::DiesBetweenGames, "dies-between-games"),
        (Self::Crash, "crash"),
        (Self::Hang, "hang"),
        (Self::Garbage, "garbage"),
        (Self::LongLine, "long-line"),
        (Self::BadUtf8, "bad-utf8"),
        (Self::Flood, "flood"),
        (Self::FloodWithoutEnd, "flood-without-end"),
        (Self::AnswerFlood, "answer-flood"),
        (Self::Illegal, "illegal"),
        (Self::EmptyMove, "empty-move"),
        (Self::Late, "late"),
        (Self::Twice, "twice"),
        (Self::CloseOutput, "close-output"),
        (Self::IgnoreQuit, "ignore-quit"),
        (Self::IgnoreEnd, "ignore-end"),
        (Self::Grandchild, "grandchild"),
        (Self::GrandchildOrphan, "grandchild-orphan"),
        (Self::Stderr, "stderr"),
        (Self::Lies, "lies"),
    ];

    /// How often it happens in a mixture: what costs seconds is rare.
    const fn weight(self) -> f64 {
        match self {
            Self::NeverGreets | Self::HangAtReady => 0.01,
            Self::Hang | Self::Flood | Self::FloodWithoutEnd | Self::AnswerFlood => 0.02,
            Self::IgnoreQuit | Self::IgnoreEnd | Self::ExitAtStart | Self::Late => 0.2,
            _ => 1.0,
        }
    }
}

/// When and how to fail.
struct Plan {
    only: Option<Fault>,
    rate: f64,
    at: u32,
    seed: u64,
    prefer: Vec<String>,
    random: u64,
    cp: Option<i32>,
    late: Duration,
    arguments: Vec<String>,
}

impl Plan {
    fn read() -> Self {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let pairs: HashMap<&str, &str> =
            arguments.iter().filter_map(|word| word.split_once('=')).collect();
        let number = |key: &str| pairs.get(key).and_then(|value| value.parse::<f64>().ok());
        let mode = pairs.get("mode").copied().unwrap_or("");
        let seed = number("seed").unwrap_or(1.0) as u64;
        Self {
            only: Fault::ALL.iter().find(|(_, name)| *name == mode).map(|&(fault, _)| fault),
            rate: if mode == "mix" { number("rate").unwrap_or(0.01) } else { 0.0 },
            at: number("at").unwrap_or(3.0) as u32,
            seed,
            prefer: pairs
                .get("prefer")
                .map_or_else(Vec::new, |pits| pits.split(',').map(str::to_owned).collect()),
            // A process that is started again must not fail in the same way.
            random: hash(&[seed, u64::from(std::process::id())]),
            cp: number("cp").map(|cp| cp as i32),
            late: Duration::from_millis(number("ms").unwrap_or(300.0) as u64),
            arguments: arguments.clone(),
        }
    }

    /// Whether a fault happens at this occasion.
    fn has(&mut self, fault: Fault) -> bool {
        self.random = hash(&[self.random, 1]);
        let chance = (self.random >> 11) as f64 / (1u64 << 53) as f64;
        self.only == Some(fault) || chance < self.rate * fault.weight()
    }

    /// The same for a fault that waits for a certain move.
    fn has_at(&mut self, fault: Fault, own_move: u32) -> bool {
        let only = self.only == Some(fault);
        self.has(fault) && (!only || own_move == self.at)
    }

    /// A process that sleeps and holds the standard output and error open.
    #[expect(clippy::zombie_processes, reason = "it is to be left behind")]
    fn leave_grandchild(&self) {
        let own = std::env::current_exe().expect("the own path");
        let arguments = self.arguments.iter().filter(|word| !word.starts_with("mode="));
        let grandchild =
            Command::new(own).arg("sleep").args(arguments).stdin(Stdio::null()).spawn();
        grandchild.expect("a grandchild");
    }
}

fn hash(parts: &[u64]) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.iter().for_each(|&part| hasher.write_u64(part));
    hasher.finish()
}

fn say(text: impl AsRef<[u8]>) {
    // Whoever does not listen any more ends the input as well.
    let mut output = io::stdout().lock();
    let _ = output.write_all(text.as_ref()).and_then(|()| output.flush());
}

fn wait_for_ever() -> ! {
    loop {
        sleep(Duration::from_secs(3600));
    }
}

/// Writes until nobody reads any more, then waits.
fn flood(text: &str) -> ! {
    let mut output = io::stdout().lock();
    while output.write_all(text.as_bytes()).is_ok() {}
    wait_for_ever()
}

/// A game by the words behind `position`.
fn placed(profile: Profile, line: &str) -> Option<Game> {
    let (start, moves) = line.split_once("moves").unwrap_or((line, ""));
    let start = match start.trim().strip_prefix("fen ") {
        Some(text) => profile.parse_position(text).ok()?,
        None => profile.start(start.trim())?,
    };
    let mut game = Game::new(profile, start);
    for text in moves.split_ascii_whitespace() {
        let mv = profile.parse_move(game.position(), text).ok()?;
        game.play(mv).ok()?;
    }
    Some(game)
}

/// The move in a position: a preferred pit, or one by the seed.
fn choice(game: &Game, prefer: &[String], seed: u64) -> Option<String> {
    let (profile, position) = (game.profile(), game.position());
    if game.result() != GameResult::Ongoing {
        return None;
    }
    if profile.set_up_due(position) {
        let mut counts = [0; LANES];
        for seed in 0..profile.seeds() as usize / 2 {
            counts[seed % profile.geometry().pits()] += 1;
        }
        return Some(profile.move_text(position, Move::SetUp(Lanes::new(counts))));
    }
    let is_legal = |pit: &&String| profile.parse_move(position, pit).is_ok();
    if let Some(pit) = prefer.iter().find(is_legal) {
        return Some(pit.clone());
    }
    let legal = profile.legal(position);
    let index = if seed == 0 { 0 } else { hash(&[position.hash(), seed]) as usize % legal.len() };
    legal.into_iter().nth(index).map(|pit| profile.move_text(position, Move::Sow(pit)))
}

fn query(game: &Game, lies: bool, what: &str) -> String {
    let result = game.result();
    match what {
        "gameover" => ((result != GameResult::Ongoing) != lies).to_string(),
        "p1turn" => (game.position().side == kisolo::board::Side::South).to_string(),
        _ => match result {
            GameResult::Ongoing => "none",
            GameResult::South => "p1win",
            GameResult::North => "p2win",
            GameResult::Draw => "draw",
        }
        .to_owned(),
    }
}

fn answer(plan: &mut Plan, game: &Game, own_move: u32) {
    let mv = choice(game, &plan.prefer, plan.seed).unwrap_or_else(|| "none".to_owned());
    let score = plan.cp.map(|cp| format!(" score cp {cp}")).unwrap_or_default();
    let mut text = format!("info depth 1 nodes 1{score}\nbestmove {mv}\n");
    for &(fault, _) in &Fault::ALL {
        if !plan.has_at(fault, own_move) {
            continue;
        }
        match fault {
            Fault::Crash => exit(3),
            Fault::GrandchildOrphan => {
                plan.leave_grandchild();
                exit(3);
            }
            Fault::Grandchild => plan.leave_grandchild(),
            Fault::Hang => wait_for_ever(),
            Fault::Garbage => say("bestmov a1\n\u{1b}[2Jx\0y\ninfo score\nbestmovea1\n\n  \n"),
            Fault::LongLine => say(format!("info string {}\n", "x".repeat(3 << 20))),
            Fault::BadUtf8 => say(b"info string \xff\xfe\nbestmove \xc3\x28\n"),
            Fault::Flood => flood("info depth 1 score cp 1 nodes 1\n"),
            Fault::FloodWithoutEnd => flood("info "),
            Fault::AnswerFlood => flood(&text),
            Fault::Illegal => text = "bestmove z9\n".to_owned(),
            Fault::EmptyMove => text = "bestmove\n".to_owned(),
            Fault::Late => sleep(plan.late),
            Fault::CloseOutput => {
                let null = std::fs::File::create("/dev/null").expect("the null device");
                rustix::stdio::dup2_stdout(null).expect("another output");
                wait_for_ever();
            }
            Fault::Stderr => {
                for number in 0..2000 {
                    eprintln!("complaint {number} \u{1b}[31m of the mock");
                }
            }
            _ => {}
        }
    }
    say(&text);
    if plan.has(Fault::Twice) {
        say(&text);
    }
}

fn main() {
    let mut plan = Plan::read();
    if plan.arguments.first().is_some_and(|word| word == "sleep") {
        wait_for_ever();
    }
    if plan.has(Fault::ExitAtStart) {
        exit(3);
    }
    if plan.has(Fault::NeverGreets) {
        wait_for_ever();
    }
    let mut profile = Profile::default();
    let mut game = Game::new(profile, profile.start_position());
    let (mut games, mut own_moves) = (0, 0);
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let (word, rest) = line.split_once(' ').unwrap_or((line.as_str(), ""));
        match word {
            "uci" | "ugi" => {
                say(format!("id name mock\noption name UCI_Variant type string\n{word}ok\n"));
            }
            "setoption" => {
                if let Some(value) = rest.strip_prefix("name UCI_Variant value ") {
                    profile = value.parse().expect("a profile");
                }
            }
            "ucinewgame" | "uginewgame" => {
                if games > 0 && plan.has(Fault::DiesBetweenGames) {
                    exit(3);
                }
                games += 1;
                own_moves = 0;
            }
            "isready" if own_moves == 0 && plan.has(Fault::HangAtReady) => wait_for_ever(),
            "isready" => say("readyok\n"),
            "position" => game = placed(profile, rest).expect("a position"),
            "go" => {
                own_moves += 1;
                answer(&mut plan, &game, own_moves);
            }
            "query" => {
                let lies = plan.has(Fault::Lies);
                say(format!("response {}\n", query(&game, lies, rest)));
            }
            "quit" if plan.has(Fault::IgnoreQuit) => wait_for_ever(),
            "quit" => return,
            _ => {}
        }
    }
    if plan.has(Fault::IgnoreEnd) {
        wait_for_ever();
    }
}
