//! One session: commands in, answers out, one job at a time.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::input::{Input, forward};
use super::options::{self, SessionOptions};
use super::report::{Namer, progress};
use super::{go, position, query};
use crate::board::{Side, pit_name, quoted};
use crate::engine::{Engine, Event, MAX_PERFT_DEPTH};
use crate::rules::{GameResult, Profile};

const COMMANDS: &str = "uci ugi debug isready setoption ucinewgame uginewgame position go stop \
                        ponderhit query d eval moves perft bench quit";

/// Commands that would disturb a running job.
const NEEDS_IDLE: [&str; 7] =
    ["setoption", "ucinewgame", "uginewgame", "position", "go", "perft", "bench"];

/// Inputs that may wait to be looked at; then the threads that make them wait.
const ROOM: usize = 256;

/// Whether the session goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Continue,
    Quit,
}

/// The command of a line; empty if there is none.
fn first_word(input: &Input) -> &str {
    match input {
        Input::Line(line) => line.split_ascii_whitespace().next().unwrap_or_default(),
        _ => "",
    }
}

/// The state of a session.
pub struct Session<W> {
    output: W,
    // Dropped before the engine, so that no thread of it waits for room here.
    receiver: Receiver<Input>,
    engine: Engine,
    options: SessionOptions,
    sender: SyncSender<Input>,
    /// What came in while `holding`.
    backlog: VecDeque<Input>,
    /// Commands wait for the end of the running job: it was told to stop, or
    /// is a count that only `stop` breaks off.
    holding: bool,
    /// The last greeting was `ugi`.
    ugi: bool,
    debug: bool,
    /// Who made an illegal move, after `ugi`.
    forfeit: Option<Side>,
}

impl<W: Write> Session<W> {
    /// A session that has not begun; whether the constants of the search are
    /// options in it.
    ///
    /// # Errors
    /// When the engine cannot be made.
    pub fn new(output: W, show_tunables: bool) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(ROOM);
        Ok(Self {
            output,
            engine: Engine::new(Profile::default()).map_err(io::Error::other)?,
            options: SessionOptions { show_tunables, ..SessionOptions::default() },
            sender,
            receiver,
            backlog: VecDeque::new(),
            holding: false,
            ugi: false,
            debug: false,
            forfeit: None,
        })
    }

    /// Runs the session to its end.
    ///
    /// # Errors
    /// When the output fails for another reason than a closed pipe.
    pub fn run(mut self, input: impl BufRead + Send + 'static) -> io::Result<()> {
        let sink = self.sender.clone();
        thread::Builder::new().name("input".to_owned()).spawn(move || forward(input, &sink))?;
        match self.serve() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    fn serve(&mut self) -> io::Result<()> {
        while let Some(input) = self.next_input() {
            let next = match input {
                Input::Event(event) => {
                    self.event(event)?;
                    Next::Continue
                }
                later if self.holding && !self.at_once(&later) => {
                    self.backlog.push_back(later);
                    Next::Continue
                }
                Input::Line(line) => self.command(&line)?,
                Input::Bad(why) => {
                    self.error(&why)?;
                    Next::Continue
                }
                Input::End => Next::Quit,
            };
            if next == Next::Quit {
                break;
            }
        }
        // A search that was asked for is answered, even at the end.
        self.engine.stop();
        while self.engine.busy()
            && let Ok(input) = self.receiver.recv()
        {
            if let Input::Event(event) = input {
                self.event(event)?;
            }
        }
        Ok(())
    }

    fn next_input(&mut self) -> Option<Input> {
        if !self.holding
            && let Some(input) = self.backlog.pop_front()
        {
            return Some(input);
        }
        // The session holds a sender itself, so this waits for ever, but the
        // reader always ends with a last word.
        self.receiver.recv().ok()
    }

    /// Whether a line is acted on even while others wait: `isready` always,
    /// `stop` unless it may be meant for a job that waits.
    fn at_once(&self, input: &Input) -> bool {
        let starts_job = |input: &Input| matches!(first_word(input), "go" | "perft" | "bench");
        match first_word(input) {
            "isready" => true,
            "stop" => !self.backlog.iter().any(starts_job),
            _ => false,
        }
    }

    fn command(&mut self, line: &str) -> io::Result<Next> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return Ok(Next::Continue) };
        if self.engine.busy() && NEEDS_IDLE.contains(&command) {
            self.error(&format!("{command}: a search is running; stop it first"))?;
            return Ok(Next::Continue);
        }
        match command {
            "uci" | "ugi" => self.greet(command)?,
            "debug" => self.set_debug(rest)?,
            "isready" => self.say("readyok")?,
            "setoption" => self.set_option(rest)?,
            "ucinewgame" | "uginewgame" => self.new_game()?,
            "position" => self.position(rest)?,
            "go" => self.go(rest)?,
            "stop" => {
                self.holding = self.engine.busy();
                self.engine.stop();
            }
            "ponderhit" => self.engine.ponder_hit(),
            "query" => match query::answer(self.engine.game(), self.result(), rest) {
                Ok(response) => self.say(&response)?,
                Err(error) => self.error(&error)?,
            },
            "d" => {
                let text = self.engine.game().describe();
                self.say(text.trim_end())?;
            }
            "eval" => self.eval()?,
            "moves" => self.moves()?,
            "perft" => self.perft(rest)?,
            "bench" => {
                let sink = self.sink();
                let started = self.engine.bench(sink);
                self.count(started)?;
            }
            "quit" => return Ok(Next::Quit),
            _ => {
                let message = format!("unknown command '{}'; known: {COMMANDS}", quoted(command));
                self.error(&message)?;
            }
        }
        Ok(Next::Continue)
    }

    fn greet(&mut self, protocol: &str) -> io::Result<()> {
        self.ugi = protocol == "ugi";
        self.say(&format!("id name kisolo {}", env!("CARGO_PKG_VERSION")))?;
        self.say("id author the kisolo authors")?;
        for line in options::announcements(&self.engine, &self.options) {
            self.say(&line)?;
        }
        self.say(&format!("{protocol}ok"))
    }

    fn set_debug(&mut self, words: &[&str]) -> io::Result<()> {
        match words {
            ["on"] => self.debug = true,
            ["off"] => self.debug = false,
            _ => self.error("debug takes on or off")?,
        }
        Ok(())
    }

    fn set_option(&mut self, words: &[&str]) -> io::Result<()> {
        match options::set(&mut self.engine, &mut self.options, words) {
            Ok(reset) => {
                if reset {
                    self.forfeit = None;
                    self.fit_elo()?;
                }
                Ok(())
            }
            Err(error) => self.error(&error),
        }
    }

    /// Brings the rating of levels into the range of another profile.
    fn fit_elo(&mut self) -> io::Result<()> {
        let highest = self.engine.highest_elo();
        if self.engine.settings.elo <= highest {
            return Ok(());
        }
        self.engine.settings.elo = highest;
        let profile = self.engine.game().profile();
        self.say(&format!(
            "info string UCI_Elo is {highest} now: the levels of {profile} end there"
        ))
    }

    fn new_game(&mut self) -> io::Result<()> {
        let cleared = self.engine.clear();
        self.check(cleared)
    }

    fn position(&mut self, words: &[&str]) -> io::Result<()> {
        let placed = match position::parse(self.engine.game().profile(), words) {
            Ok(placed) => placed,
            Err(error) => return self.error(&error),
        };
        let forfeit = match placed.illegal {
            None => None,
            Some((_, message)) if !self.ugi => {
                return self.error(&format!("{message}; the position stays as it was"));
            }
            Some((offender, message)) => {
                self.error(&message)?;
                // After the end no move can change the result any more.
                (placed.game.result() == GameResult::Ongoing).then_some(offender)
            }
        };
        self.forfeit = forfeit;
        let set = self.engine.set_game(placed.game);
        self.check(set)
    }

    /// How the game stands, with all that ends it.
    fn result(&self) -> GameResult {
        let game = self.engine.game();
        let limit = self.options.turn_limit;
        match (self.forfeit, game.result()) {
            (Some(offender), _) => GameResult::won_by(offender.other()),
            (None, GameResult::Ongoing) if limit > 0 && game.ply() >= limit => GameResult::Draw,
            (None, result) => result,
        }
    }

    fn go(&mut self, words: &[&str]) -> io::Result<()> {
        let limits = match go::parse(self.engine.game(), words, self.ugi) {
            Ok(limits) => limits,
            Err(error) => return self.error(&error),
        };
        if self.debug {
            self.say(&format!("info string debug: {limits:?}"))?;
        }
        let sink = self.sink();
        let started = self.engine.go(limits, self.forfeit, sink);
        self.check(started)
    }

    fn perft(&mut self, words: &[&str]) -> io::Result<()> {
        let depth = match words {
            [depth] => depth.parse().ok(),
            _ => None,
        };
        let Some(depth) = depth else {
            return self.error(&format!("perft takes a depth of 0 to {MAX_PERFT_DEPTH} turns"));
        };
        let sink = self.sink();
        let started = self.engine.perft(depth, sink);
        self.count(started)
    }

    /// A count that has started runs to its end before the next command.
    fn count<E: std::fmt::Display>(&mut self, started: Result<(), E>) -> io::Result<()> {
        self.holding = started.is_ok();
        self.check(started)
    }

    fn eval(&mut self) -> io::Result<()> {
        let game = self.engine.game();
        let (side, geometry) = (game.position().side, game.profile().geometry());
        let explained = self.engine.evaluate();
        self.say(&format!("eval seeds {}", explained.seeds.seeds))?;
        self.say(&format!("eval mobility {}", explained.seeds.mobility))?;
        if let Some(net) = &explained.net {
            for (side, pits) in [(side, &net.own), (side.other(), &net.enemy)] {
                for &(pit, count, share) in pits {
                    let name = pit_name(geometry, side, pit);
                    self.say(&format!("eval pit {name} {count} {share:+}"))?;
                }
            }
            self.say(&format!("eval net {}", net.score))?;
        }
        self.say(&format!("eval total {} cp for {side}", explained.total()))
    }

    fn moves(&mut self) -> io::Result<()> {
        let game = self.engine.game();
        // Too many to be listed: what is said then is no list of moves.
        let prefix = if game.profile().set_up_due(game.position()) { "info string " } else { "" };
        let text = game.legal_line();
        self.say(&format!("{prefix}{text}"))
    }

    /// Prints what the engine tells; the last event ends the job.
    fn event(&mut self, event: Event) -> io::Result<()> {
        let game = self.engine.game();
        let chances = self.options.show_wdl.then(|| self.engine.odds_scale());
        let namer = Namer { profile: game.profile(), root: *game.position(), chances };
        match event {
            Event::Line(line) => return self.say(&namer.info(&line)),
            Event::Book(moves) => {
                let ending = if moves == 1 { "" } else { "s" };
                return self.say(&format!("info string book: {moves} move{ending}"));
            }
            Event::Progress(at) => return self.say(&progress(&at)),
            Event::Perft(mv, count) => {
                return self.say(&format!("{} {count}", namer.name(mv, 0)));
            }
            Event::Bench(profile, result) => {
                return self.say(&format!(
                    "{profile} {} nodes {} nps",
                    result.nodes,
                    result.speed()
                ));
            }
            _ => {}
        }
        // Free for the next command before the answer is out.
        self.engine.join();
        self.holding = false;
        let line = match event {
            Event::Best(best) => namer.best(&best, self.ugi),
            Event::PerftDone(Some(total)) => format!("nodes {total}"),
            Event::BenchDone(Some(total)) => {
                format!("{} nodes {} nps", total.nodes, total.speed())
            }
            _ => "info string stopped".to_owned(),
        };
        self.say(&line)
    }

    fn sink(&self) -> impl FnMut(Event) + Send + 'static {
        let sender = self.sender.clone();
        move |event| {
            // A session that is over does not mind.
            let _ = sender.send(Input::Event(event));
        }
    }

    fn check<E: std::fmt::Display>(&mut self, result: Result<(), E>) -> io::Result<()> {
        match result {
            Ok(()) => Ok(()),
            Err(error) => self.error(&error.to_string()),
        }
    }

    fn error(&mut self, message: &str) -> io::Result<()> {
        self.say(&format!("info string error: {message}"))
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }
}
