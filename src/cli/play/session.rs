//! A sitting at the board: lines in, words out.

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Instant;

use super::command::{self, COMMANDS, Command};
use super::played::Played;
use super::{keep, screen};
use crate::board::{Position, Side, parse_pit, quoted};
use crate::cli::chance::{recorded, score_text, win_percentage};
use crate::cli::think::{Thought, think};
use crate::engine::{Engine, Limits};
use crate::protocol::{Namer, read_line};
use crate::record::{MoveRecord, Player, Reason, RecordedResult};
use crate::rules::{Move, Profile};

/// The longest line that is taken, in bytes: names of files are shorter.
const LONGEST: usize = 4096;
/// The moves of a line that a hint or an evaluation shows.
const MOST_SHOWN: usize = 8;

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// Whoever types.
    Person,
    /// The engine.
    Engine,
}

/// What a sitting is about.
pub struct Setting {
    /// The rules.
    pub profile: Profile,
    /// Where games begin.
    pub start: Position,
    /// Who plays South and North.
    pub seats: [Seat; 2],
    /// The players as records name them.
    pub players: [Player; 2],
    /// What the engine may use for its turns.
    pub limits: Limits,
    /// The level that it plays at, unless that is full strength.
    pub level: Option<u32>,
    /// What it may use for hints and evaluations.
    pub advice: Limits,
    /// Whether the board is coloured.
    pub coloured: bool,
    /// Whether lines are asked for.
    pub prompt: bool,
}

/// Whether the sitting goes on.
#[derive(PartialEq, Eq)]
enum Next {
    Go,
    Leave,
}

/// A sitting.
pub struct Session<W> {
    setting: Setting,
    engine: Engine,
    played: Played,
    /// Games begun or loaded.
    games: u64,
    output: W,
    /// The board on the screen is the one of the game.
    drawn: bool,
    /// The end of the game has been told.
    ended: bool,
}

impl<W: Write> Session<W> {
    /// A sitting at its first game.
    pub fn new(setting: Setting, engine: Engine, output: W) -> Self {
        let played = Played::new(setting.profile, setting.start, 1, setting.players.clone());
        Self { setting, engine, played, games: 1, output, drawn: false, ended: false }
    }

    /// Plays until `quit` or the end of the input.
    ///
    /// # Errors
    /// When nothing can be read or written any more.
    pub fn run(&mut self, input: &mut impl BufRead) -> anyhow::Result<()> {
        loop {
            self.tell_end()?;
            if !self.ended && self.seat() == Seat::Engine {
                self.engine_turn()?;
                continue;
            }
            self.draw()?;
            self.ask()?;
            let Some(line) = read_line(input, LONGEST)? else {
                if self.setting.prompt {
                    writeln!(self.output)?;
                }
                return Ok(());
            };
            let done = match line.text().and_then(|line| command::parse(&line)) {
                Ok(None) => Ok(Next::Go),
                Ok(Some(command)) => self.execute(command)?,
                Err(wrong) => Err(wrong),
            };
            match done {
                Ok(Next::Leave) => return Ok(()),
                Ok(Next::Go) => {}
                Err(wrong) => writeln!(self.output, "error: {wrong}")?,
            }
        }
    }

    fn seat(&self) -> Seat {
        self.setting.seats[self.played.side() as usize]
    }

    fn is_person(&self, side: Side) -> bool {
        self.setting.seats[side as usize] == Seat::Person
    }

    fn namer(&self) -> Namer {
        let game = self.played.game();
        Namer { profile: game.profile(), root: *game.position(), chances: None }
    }

    /// Draws the board, unless it is there already.
    fn draw(&mut self) -> anyhow::Result<()> {
        if !std::mem::replace(&mut self.drawn, true) {
            let played = &self.played;
            let board = screen::board(played.game(), played.landing(), self.setting.coloured);
            write!(self.output, "\n{board}")?;
        }
        Ok(())
    }

    fn ask(&mut self) -> anyhow::Result<()> {
        if self.setting.prompt {
            let side = self.played.side();
            let prompt = if self.ended { "> ".to_owned() } else { format!("{side}> ") };
            write!(self.output, "{prompt}")?;
        }
        Ok(self.output.flush()?)
    }

    /// Tells once how the game ended.
    fn tell_end(&mut self) -> anyhow::Result<()> {
        let Some(end) = self.played.end() else {
            self.ended = false;
            return Ok(());
        };
        if std::mem::replace(&mut self.ended, true) {
            return Ok(());
        }
        self.draw()?;
        let result = match end.result {
            RecordedResult::South => "South has won",
            RecordedResult::North => "North has won",
            RecordedResult::Draw => "The game is drawn",
        };
        let why = match end.reason {
            Reason::Resignation => "the other side resigned",
            Reason::Repetition => "the same position for the third time",
            Reason::TurnLimit => "the limit of moves is reached",
            Reason::EndlessTurn => "the last turn would never end",
            _ => "by the rules",
        };
        let next = "new begins another game, undo takes back, save FILE keeps it, quit leaves";
        Ok(writeln!(self.output, "{result}: {why}.\n{next}")?)
    }

    /// Makes a move and tells of it.
    fn make(&mut self, mv: Move, record: MoveRecord) -> anyhow::Result<Result<Next, String>> {
        match self.played.play(mv, record) {
            Ok(told) => {
                writeln!(self.output, "{told}")?;
                self.drawn = false;
                Ok(Ok(Next::Go))
            }
            Err(wrong) => Ok(Err(wrong.to_string())),
        }
    }

    fn engine_turn(&mut self) -> anyhow::Result<()> {
        // Whoever watches sees every board.
        if self.setting.seats == [Seat::Engine; 2] {
            self.draw()?;
        }
        // What is known is seen before the engine thinks.
        self.output.flush()?;
        let game = self.played.game().clone();
        let begun = Instant::now();
        if let Some(level) = self.setting.level {
            self.engine.settings.limit_strength = true;
            self.engine.settings.elo = level;
        }
        let thought = think(&mut self.engine, &game, self.setting.limits.clone());
        // Hints are at full strength.
        self.engine.settings.limit_strength = false;
        let Thought { best, line } = thought?;
        let best = best.best.ok_or_else(|| anyhow::anyhow!("the engine finds no move"))?;
        let (cp, mate) = line.as_ref().map_or((None, None), |line| recorded(line.score));
        let record = MoveRecord {
            text: game.profile().move_text(game.position(), best),
            book: false,
            cp,
            mate,
            depth: line.as_ref().map(|line| line.depth),
            nodes: line.as_ref().map(|line| line.progress.nodes),
            ms: u64::try_from(begun.elapsed().as_millis()).ok(),
        };
        match self.make(best, record)? {
            Ok(_) => Ok(()),
            Err(wrong) => anyhow::bail!("the engine's move is refused: {wrong}"),
        }
    }

    /// Does what a line says; the inner error is the person's.
    fn execute(&mut self, command: Command) -> anyhow::Result<Result<Next, String>> {
        match command {
            Command::Board => {
                self.drawn = false;
                Ok(Ok(Next::Go))
            }
            Command::Moves => self.moves(),
            Command::Hint => self.advise(true),
            Command::Eval => self.advise(false),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Resign => Ok(self.resign()),
            Command::New => {
                self.games += 1;
                let Setting { profile, start, players, .. } = &self.setting;
                let new = Played::new(*profile, *start, self.games, players.clone());
                self.begin(new)
            }
            Command::Save(path) => self.save(&path),
            Command::Load(path) => self.load(&path),
            Command::Help => self.help(),
            Command::Quit => Ok(Ok(Next::Leave)),
            Command::Move(text) => self.turn(text),
        }
    }

    /// A move that was typed.
    fn turn(&mut self, text: String) -> anyhow::Result<Result<Next, String>> {
        if self.ended {
            return Ok(Err(format!(
                "the game is over, so '{}' is none of its moves; the commands are {}",
                quoted(&text),
                command::names()
            )));
        }
        let game = self.played.game();
        let profile = game.profile();
        // A word that looks like a move is judged by the rules.
        let looks = text.starts_with('@') || parse_pit(profile.geometry(), &text).is_some();
        match profile.parse_move(game.position(), &text) {
            Ok(mv) => self.make(mv, MoveRecord { text, ..MoveRecord::default() }),
            Err(wrong) if looks => Ok(Err(wrong.to_string())),
            Err(_) => Ok(Err(format!(
                "'{}' is neither a move nor a command; legal: {}; commands: {}",
                quoted(&text),
                game.legal_line(),
                command::names()
            ))),
        }
    }

    fn moves(&mut self) -> anyhow::Result<Result<Next, String>> {
        let game = self.played.game();
        let (profile, position) = (game.profile(), *game.position());
        if self.ended || profile.set_up_due(&position) {
            let what = if self.ended { "none: the game is over" } else { &game.legal_line() };
            writeln!(self.output, "{what}")?;
            return Ok(Ok(Next::Go));
        }
        for pit in game.legal() {
            let mv = Move::Sow(pit);
            if let Ok(trace) = profile.trace(&position, mv) {
                writeln!(self.output, "{}", profile.tell(&position, mv, &trace))?;
            }
        }
        Ok(Ok(Next::Go))
    }

    /// What the engine would play, or only what it thinks.
    fn advise(&mut self, hint: bool) -> anyhow::Result<Result<Next, String>> {
        if self.ended {
            return Ok(Err("the game is over; undo takes back a turn".to_owned()));
        }
        let (namer, game) = (self.namer(), self.played.game().clone());
        // Advice neither knows what the engine plans nor helps it.
        self.engine.clear()?;
        let Thought { best, line } = think(&mut self.engine, &game, self.setting.advice.clone())?;
        self.engine.clear()?;
        let best = best.best.map_or_else(|| "none".to_owned(), |mv| namer.name(mv, 0));
        let Some(line) = line else {
            writeln!(self.output, "hint: {best}")?;
            return Ok(Ok(Next::Go));
        };
        let score = score_text(line.score);
        let chance = win_percentage(game.profile(), line.score);
        let moves: Vec<String> = (0..)
            .zip(line.moves.iter().take(MOST_SHOWN))
            .map(|(ply, &mv)| namer.name(mv, ply))
            .collect();
        let side = self.played.side();
        if hint {
            writeln!(self.output, "hint: {best}, {score} for {side}; then {}", moves.join(" "))?;
        } else {
            writeln!(
                self.output,
                "eval: {score} for {side}, {chance:.0}% to win, depth {}; {}",
                line.depth,
                moves.join(" ")
            )?;
        }
        Ok(Ok(Next::Go))
    }

    /// Goes back to before the last turn of a person.
    fn undo(&mut self) -> anyhow::Result<Result<Next, String>> {
        let movers: Vec<Side> = self.played.movers().collect();
        let resigned = self.played.end().is_some_and(|end| end.reason == Reason::Resignation);
        if resigned {
            self.played.undo();
        } else {
            let Some(last) = movers.iter().rposition(|&side| self.is_person(side)) else {
                return Ok(Err("there is no turn of yours to take back".to_owned()));
            };
            for _ in last..movers.len() {
                self.played.undo();
            }
        }
        self.drawn = false;
        writeln!(self.output, "{} is to move again.", self.played.side())?;
        Ok(Ok(Next::Go))
    }

    /// Makes what was taken back, up to the next turn of a person.
    fn redo(&mut self) -> anyhow::Result<Result<Next, String>> {
        let mut any = false;
        while let Some(told) = self.played.redo() {
            writeln!(self.output, "{told}")?;
            any = true;
            if self.is_person(self.played.side()) {
                break;
            }
        }
        if !any {
            return Ok(Err("nothing was taken back".to_owned()));
        }
        self.drawn = false;
        Ok(Ok(Next::Go))
    }

    fn resign(&mut self) -> Result<Next, String> {
        if self.ended {
            return Err("the game is over already".to_owned());
        }
        // The engine has moved before anyone is asked.
        self.played.resign(self.played.side());
        Ok(Next::Go)
    }

    fn begin(&mut self, played: Played) -> anyhow::Result<Result<Next, String>> {
        self.played = played;
        self.engine.clear()?;
        (self.drawn, self.ended) = (false, false);
        Ok(Ok(Next::Go))
    }

    fn save(&mut self, path: &Path) -> anyhow::Result<Result<Next, String>> {
        let record = self.played.record();
        if let Err(wrong) = keep::save(path, &record) {
            return Ok(Err(format!("{wrong:#}")));
        }
        let count = record.moves.len();
        let state = if record.reason == Reason::Unfinished { ", not finished" } else { "" };
        writeln!(self.output, "saved to {}: {count} moves{state}", path.display())?;
        Ok(Ok(Next::Go))
    }

    fn load(&mut self, path: &Path) -> anyhow::Result<Result<Next, String>> {
        let loaded = keep::load(path).and_then(|record| {
            let count = record.moves.len();
            let played = Played::from_record(record, self.games + 1)?;
            Ok((played, count))
        });
        let (played, count) = match loaded {
            Ok(loaded) => loaded,
            Err(wrong) => return Ok(Err(format!("{wrong:#}"))),
        };
        self.games += 1;
        let profile = played.game().profile();
        writeln!(self.output, "loaded from {}: {profile}, {count} moves", path.display())?;
        self.begin(played)
    }

    fn help(&mut self) -> anyhow::Result<Result<Next, String>> {
        writeln!(
            self.output,
            "A move is the pit that is sown from, or that captures, such as e2. A set-up (kisolo-free)\n\
             is @ and 14 counts in your own sowing order, such as @ 3,3,3,3,3,3,0,0,0,0,1,1,1,0:\n\
             a1 to g1, then g2 to a2 for South; g4 to a4, then a3 to g3 for North."
        )?;
        for (name, what, does) in COMMANDS {
            writeln!(self.output, "  {:<12} {does}", format!("{name} {what}"))?;
        }
        Ok(Ok(Next::Go))
    }
}
