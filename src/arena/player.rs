//! A player of a match: an engine process and the talk with it, in UCI or UGI.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::limit::{Clock, Limit};
use super::log::Log;
use super::process::{Process, Silence};
use super::talk::{go_line, parse_info};
use crate::board::Side;
use crate::record::{MoveRecord, Reason};
use crate::rules::Profile;

/// How long an engine may take to answer its greeting or `isready`.
pub const START_PATIENCE: Duration = Duration::from_secs(10);
/// How long an engine may think that no time limits.
pub const THINK_PATIENCE: Duration = Duration::from_secs(120);
/// How long an engine may overstep its time before it counts as hanging.
const LATE_PATIENCE: Duration = Duration::from_secs(2);
/// The longest name or last words, in characters, and the most options of an
/// engine that are kept: a flood of them is no reason to run out of memory.
const LONGEST_NAME: usize = 200;
const MOST_OPTIONS: usize = 1000;
/// How often a waiting arena looks whether the match was called off.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// The protocol that an engine speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Universal Chess Interface.
    #[default]
    Uci,
    /// Universal Game Interface.
    Ugi,
}

impl Dialect {
    /// The greeting: `uci` or `ugi`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Ugi => "ugi",
        }
    }
}

/// An engine as it is set up for a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSpec {
    /// The name in the match, unique.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// What it speaks.
    pub dialect: Dialect,
    /// Options to set, by name.
    pub options: BTreeMap<String, String>,
    /// What it may use.
    pub limit: Limit,
}

/// Why an engine lost a game by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The rule by which it lost.
    pub reason: Reason,
    /// What happened.
    pub note: String,
}

impl Fault {
    /// A fault with its description.
    pub fn new(reason: Reason, note: impl Into<String>) -> Self {
        Self { reason, note: note.into() }
    }
}

/// What can come instead of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The engine is at fault.
    Fault(Fault),
    /// The match was called off.
    Stopped,
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// An answer to `go`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The move and what was said of it.
    pub record: MoveRecord,
    /// The time it took.
    pub used: Duration,
    /// The clock had run out when it came.
    pub late: bool,
}

/// An engine in a match. Its process is started when it is first needed.
#[derive(Debug)]
pub struct Player {
    /// How it is set up.
    pub spec: Arc<EngineSpec>,
    /// What it calls itself, once it has.
    pub identity: Option<String>,
    process: Option<Process>,
    log: Arc<Log>,
    /// The options it has, by name in small letters, each with its type.
    announced: BTreeMap<String, String>,
}

impl Player {
    /// A player whose engine does not run yet.
    pub const fn new(spec: Arc<EngineSpec>, log: Arc<Log>) -> Self {
        Self { spec, identity: None, process: None, log, announced: BTreeMap::new() }
    }

    /// Whether the engine's process is there.
    pub const fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Makes the engine ready for a new game, starting it if need be.
    ///
    /// # Errors
    /// When it cannot be started or does not get ready.
    pub fn new_game(&mut self, profile: Profile, stop: &AtomicBool) -> Result<(), Trouble> {
        if self.process.is_none() {
            self.start(profile, stop)?;
        }
        let word = self.spec.dialect.word();
        self.send(&format!("{word}newgame\nisready\n"));
        self.expect("readyok", Reason::NoAnswer, stop)
    }

    fn start(&mut self, profile: Profile, stop: &AtomicBool) -> Result<(), Trouble> {
        let process = Process::start(&self.spec.name, &self.spec.command, &self.log)
            .map_err(|error| Fault::new(Reason::NoStart, format!("cannot be started: {error}")))?;
        self.process = Some(process);
        let word = self.spec.dialect.word();
        self.send(&format!("{word}\n"));
        self.expect(&format!("{word}ok"), Reason::NoStart, stop)?;
        let mut lines = String::new();
        // First: the range of other options may depend on it.
        if self.announces("UCI_Variant") {
            let _ = writeln!(lines, "setoption name UCI_Variant value {profile}");
        }
        for (name, value) in &self.spec.options {
            let _ = writeln!(lines, "setoption name {name} value {value}");
        }
        lines.push_str("isready\n");
        self.send(&lines);
        self.expect("readyok", Reason::NoStart, stop)
    }

    /// Options that are to be set but that the engine does not know, once it
    /// has been started.
    pub fn unknown_options(&self) -> Vec<&str> {
        self.spec.options.keys().filter(|name| !self.announces(name)).map(String::as_str).collect()
    }

    /// Whether the engine, once started, knows an option.
    pub fn announces(&self, name: &str) -> bool {
        self.announced.contains_key(&name.to_lowercase())
    }

    /// Sets an option if the engine knows it; a number is kept within the
    /// range that it announced.
    pub fn set(&mut self, name: &str, value: &str) {
        let Some(kind) = self.announced.get(&name.to_lowercase()) else { return };
        let bound = |word: &str| -> Option<i64> {
            let mut words = kind.split_ascii_whitespace().skip_while(|&other| other != word);
            words.nth(1)?.parse().ok()
        };
        let value = match (value.parse::<i64>(), bound("min"), bound("max")) {
            (Ok(number), Some(min), Some(max)) if min <= max => number.clamp(min, max).to_string(),
            _ => value.to_owned(),
        };
        self.send(&format!("setoption name {name} value {value}\n"));
    }

    /// Lets the engine search a position until `until` or until it is called
    /// off; `heard` gets its lines.
    ///
    /// # Errors
    /// When the engine does not end its search.
    pub fn analyse(
        &mut self,
        position: &str,
        until: Instant,
        stop: &AtomicBool,
        heard: &mut dyn FnMut(&str),
    ) -> Result<(), Trouble> {
        self.send(&format!("{position}\ngo infinite\n"));
        loop {
            match self.read(until, stop) {
                Ok(line) if line.starts_with("bestmove") => return Ok(()),
                Ok(line) => heard(&line),
                Err(Some(Silence::Ended)) => return Err(self.crash()),
                Err(_) => return self.halt(),
            }
        }
    }

    /// Ends a search whose answer nobody wants any more.
    ///
    /// # Errors
    /// When the engine does not follow.
    pub fn halt(&mut self) -> Result<(), Trouble> {
        self.send("stop\n");
        let answer = |line: &str| line.starts_with("bestmove");
        self.expect_line(answer, Reason::NoAnswer, &AtomicBool::new(false)).map(drop)
    }

    /// Asks for a move. `position` is the line that tells the position, and
    /// `margin` how much time may be overstepped without a loss.
    ///
    /// # Errors
    /// When no move comes in time and no more is to be expected.
    pub fn choose(
        &mut self,
        position: &str,
        side: Side,
        clocks: &[Clock; 2],
        margin: Duration,
        stop: &AtomicBool,
    ) -> Result<Answer, Trouble> {
        self.choose_aloud(position, side, clocks, margin, stop, &mut |_| {})
    }

    /// The same, and `heard` gets what the engine says of its search.
    ///
    /// # Errors
    /// When no move comes in time and no more is to be expected.
    pub fn choose_aloud(
        &mut self,
        position: &str,
        side: Side,
        clocks: &[Clock; 2],
        margin: Duration,
        stop: &AtomicBool,
        heard: &mut dyn FnMut(&str),
    ) -> Result<Answer, Trouble> {
        let own = &clocks[side as usize];
        let allowed = own.allowed().map(|time| time + margin);
        let go = go_line(self.spec.dialect, side, clocks);
        self.send(&format!("{position}\nisready\n{go}\n"));
        let began = Instant::now();
        let deadline = began + allowed.map_or(THINK_PATIENCE, |time| time + LATE_PATIENCE);
        let mut last_info = String::new();
        // What comes before `readyok` was said out of turn, such as the second
        // of two answers to the move before, and counts for nothing.
        let mut in_turn = false;
        loop {
            let line = match self.read(deadline, stop) {
                Ok(line) => line,
                Err(Some(Silence::Timeout)) => return Err(self.hang()),
                Err(Some(Silence::Ended)) => return Err(self.crash()),
                Err(None) => return Err(Trouble::Stopped),
            };
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("readyok") => in_turn = true,
                Some("info") if in_turn && line.contains(" score ") => {
                    heard(&line);
                    last_info = line;
                }
                Some("bestmove") if in_turn => {
                    let used = began.elapsed();
                    let mut record = parse_info(&last_info);
                    record.text = words.next().unwrap_or_default().to_owned();
                    record.ms = Some(used.as_millis() as u64);
                    let late = allowed.is_some_and(|allowed| used > allowed);
                    return Ok(Answer { record, used, late });
                }
                _ => {}
            }
        }
    }

    /// The engine's response to a `query` of UGI.
    ///
    /// # Errors
    /// When it does not come.
    pub fn query(&mut self, query: &str, stop: &AtomicBool) -> Result<String, Trouble> {
        self.send(&format!("query {query}\n"));
        let line = self.expect_line(|line| line.starts_with("response"), Reason::NoAnswer, stop)?;
        Ok(line.trim_start_matches("response").trim().to_owned())
    }

    /// Tells the engine a position without asking for a move.
    pub fn tell(&mut self, position: &str) {
        self.send(&format!("{position}\n"));
    }

    /// Ends the engine, politely or, if it does not follow, for certain.
    pub fn close(&mut self) {
        if let Some(process) = self.process.take() {
            process.quit();
        }
    }

    /// Ends the engine at once.
    pub fn kill(&mut self) {
        self.process = None;
    }

    fn hang(&mut self) -> Trouble {
        self.kill();
        Fault::new(Reason::NoAnswer, "no answer; killed").into()
    }

    fn crash(&mut self) -> Trouble {
        self.kill();
        Fault::new(Reason::Crash, "the process has ended").into()
    }

    fn send(&mut self, lines: &str) {
        if self.log.traffic() {
            for line in lines.lines() {
                self.log.write(&self.spec.name, "<", line);
            }
        }
        if let Some(process) = &mut self.process {
            process.send(lines);
        }
    }

    /// The next line before the deadline; `Err(None)` if the match was
    /// called off.
    fn read(&self, deadline: Instant, stop: &AtomicBool) -> Result<String, Option<Silence>> {
        let process = self.process.as_ref().ok_or(Some(Silence::Ended))?;
        loop {
            if stop.load(Relaxed) {
                return Err(None);
            }
            // An engine that floods its owner meets the deadline all the same.
            if Instant::now() >= deadline {
                return Err(Some(Silence::Timeout));
            }
            match process.read(deadline.min(Instant::now() + STOP_INTERVAL)) {
                Ok(line) => {
                    if self.log.traffic() {
                        self.log.write(&self.spec.name, ">", &line);
                    }
                    return Ok(line);
                }
                Err(Silence::Timeout) => {}
                Err(silence) => return Err(Some(silence)),
            }
        }
    }

    fn expect(&mut self, word: &str, reason: Reason, stop: &AtomicBool) -> Result<(), Trouble> {
        self.expect_line(|line| line == word, reason, stop).map(drop)
    }

    /// Reads until a line is the wanted one; notes what the engine announces.
    fn expect_line(
        &mut self,
        wanted: impl Fn(&str) -> bool,
        reason: Reason,
        stop: &AtomicBool,
    ) -> Result<String, Trouble> {
        let deadline = Instant::now() + START_PATIENCE;
        let mut last_words = String::new();
        loop {
            match self.read(deadline, stop) {
                Ok(line) => {
                    let line = line.trim();
                    if wanted(line) {
                        return Ok(line.to_owned());
                    }
                    self.note_announcement(line);
                    let words = line.chars().filter(|c| !c.is_control());
                    last_words = format!(": {}", words.take(LONGEST_NAME).collect::<String>());
                }
                Err(None) => return Err(Trouble::Stopped),
                Err(Some(Silence::Timeout)) => {
                    self.kill();
                    return Err(Fault::new(reason, "no answer; killed").into());
                }
                Err(Some(Silence::Ended)) => {
                    let crash = self.crash();
                    return Err(match reason {
                        Reason::NoStart => {
                            let note = format!("the process has ended at its greeting{last_words}");
                            Fault::new(reason, note).into()
                        }
                        _ => crash,
                    });
                }
            }
        }
    }

    fn note_announcement(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name ") {
            self.identity = Some(name.trim().chars().take(LONGEST_NAME).collect());
        } else if let Some(rest) = line.strip_prefix("option name ")
            && self.announced.len() < MOST_OPTIONS
        {
            let (name, kind) = rest.split_once(" type ").unwrap_or((rest, ""));
            let kind = kind.chars().take(LONGEST_NAME).collect();
            self.announced.insert(name.trim().to_lowercase(), kind);
        }
    }
}
