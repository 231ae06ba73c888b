//! One game at a table: what is played, agreed and decided. Nothing here knows
//! who is connected; the rules alone say what is legal.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::clock::{Clocks, Control};
use super::limits::TURN_LIMIT;
use super::show::MoveView;
use crate::board::{Position, Side};
use crate::record::{MoveRecord, Reason, RecordedResult, now};
use crate::rules::{Game, Profile};

/// A game from its start on.
#[derive(Debug)]
pub struct Play {
    /// The board.
    pub game: Game,
    /// Where it began.
    pub start: Position,
    /// What was played.
    pub moves: Vec<Made>,
    /// The clocks, if there are any.
    pub clocks: Option<Clocks>,
    /// Whether moves may be taken back.
    pub casual: bool,
    /// How it ended, once it has.
    pub end: Option<End>,
    /// Who offers a draw.
    pub offer: Option<Side>,
    /// Who asks for a move back.
    pub undo_asked: Option<Side>,
    /// The ply of each side's last offer: one a turn is enough.
    offered: [Option<usize>; 2],
    /// When the side to move got its turn.
    turned: Instant,
    /// When it began, in UTC.
    pub began: String,
}

/// A move that was made.
#[derive(Debug)]
pub struct Made {
    /// As it is recorded.
    pub record: MoveRecord,
    /// As it is shown.
    pub view: MoveView,
}

impl Made {
    /// Who made it.
    pub const fn side(&self) -> Side {
        self.view.side
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Who has won.
    pub result: RecordedResult,
    /// Why.
    pub reason: Reason,
    /// What more there is to say.
    #[serde(default)]
    pub note: Option<String>,
}

/// A game as it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub struct Saved {
    profile: String,
    start: String,
    moves: Vec<MoveRecord>,
    clocks: Option<Clocks>,
    casual: bool,
    end: Option<End>,
    began: String,
}

impl Play {
    /// A new game.
    pub fn new(profile: Profile, start: Position, control: Option<Control>, casual: bool) -> Self {
        let mut play = Self {
            game: Game::new(profile, start),
            start,
            moves: Vec::new(),
            clocks: control.map(Clocks::new),
            casual,
            end: None,
            offer: None,
            undo_asked: None,
            offered: [None; 2],
            turned: Instant::now(),
            began: now(),
        };
        play.judge();
        play
    }

    /// The game once more from its start.
    pub fn anew(&self) -> Self {
        let control = self.clocks.as_ref().map(|clocks| clocks.control);
        Self::new(self.game.profile(), self.start, control, self.casual)
    }

    /// The side to move, while the game goes on.
    pub fn turn(&self) -> Option<Side> {
        self.end.is_none().then_some(self.game.position().side)
    }

    /// A move of a person.
    ///
    /// # Errors
    /// Says why it is refused.
    pub fn choose(
        &mut self,
        side: Side,
        ply: usize,
        text: &str,
        now: Instant,
    ) -> Result<(), String> {
        self.expect(side, ply)?;
        let position = self.game.position();
        self.game.profile().parse_move(position, text).map_err(|error| error.to_string())?;
        // Time is looked at last: a bad message costs no game.
        if self.flag(now) {
            return Ok(());
        }
        self.make(MoveRecord { text: text.to_owned(), ..MoveRecord::default() }, None, now)
    }

    /// Makes a move of the side to move, which `used` so much time by a
    /// better clock than this one.
    ///
    /// # Errors
    /// When it is not legal.
    pub fn make(
        &mut self,
        mut record: MoveRecord,
        used: Option<Duration>,
        now: Instant,
    ) -> Result<(), String> {
        let side = self.game.position().side;
        let passed = now.saturating_duration_since(self.turned);
        record.ms = record.ms.or_else(|| u64::try_from(passed.as_millis()).ok());
        let view = MoveView::new(&self.game, &record).map_err(|error| error.to_string())?;
        let profile = self.game.profile();
        let mv = profile.parse_move(self.game.position(), &record.text);
        mv.and_then(|mv| self.game.play(mv)).map_err(|error| error.to_string())?;
        if let Some(clocks) = &mut self.clocks {
            clocks.stop(side, used, now);
            clocks.add(side);
        }
        self.turned = now;
        self.moves.push(Made { record, view });
        // An offer stands until the other side has moved.
        if self.offer == Some(side.other()) {
            self.offer = None;
        }
        self.undo_asked = None;
        self.judge();
        self.wind(now);
        Ok(())
    }

    /// Lets the clock of the side to move run, from the second move on.
    pub fn wind(&mut self, now: Instant) {
        let running = self.end.is_none() && !self.moves.is_empty();
        if let Some(clocks) = &mut self.clocks
            && running
        {
            clocks.run(now);
        }
    }

    /// Whether the clock of a game in progress stands still, as after a
    /// restart.
    pub fn clock_waits(&self) -> bool {
        let running = self.clocks.as_ref().is_none_or(Clocks::is_running);
        self.end.is_none() && !self.moves.is_empty() && !running
    }

    /// Stops the clock of the side to move, as when the server ends.
    pub fn pause(&mut self, now: Instant) {
        let side = self.game.position().side;
        if let Some(clocks) = &mut self.clocks {
            clocks.stop(side, None, now);
        }
    }

    /// Ends the game if the time of the side to move is over; tells whether.
    pub fn flag(&mut self, now: Instant) -> bool {
        let (Some(side), Some(clocks)) = (self.turn(), &self.clocks) else { return false };
        let over = clocks.is_running() && clocks.left(side, true, now).is_zero();
        if over {
            self.lose(side, Reason::Time, None, now);
        }
        over
    }

    /// Ends the game by a loss of `side`.
    pub fn lose(&mut self, side: Side, reason: Reason, note: Option<String>, now: Instant) {
        self.finish(End { result: RecordedResult::won_by(side.other()), reason, note }, now);
    }

    fn finish(&mut self, end: End, now: Instant) {
        self.pause(now);
        self.offer = None;
        self.undo_asked = None;
        self.end.get_or_insert(end);
    }

    /// A player gives up.
    ///
    /// # Errors
    /// When the game is over.
    pub fn resign(&mut self, side: Side, now: Instant) -> Result<(), String> {
        self.turn().ok_or("the game is over")?;
        self.lose(side, Reason::Resignation, None, now);
        Ok(())
    }

    /// A draw is offered.
    ///
    /// # Errors
    /// When the game is over, or this side has offered in this turn already.
    pub fn offer(&mut self, side: Side) -> Result<(), String> {
        self.turn().ok_or("the game is over")?;
        let offered = &mut self.offered[side as usize];
        if offered.is_some_and(|ply| self.moves.len() < ply + 2) {
            return Err("a draw may be offered once in two moves".to_owned());
        }
        *offered = Some(self.moves.len());
        self.offer = Some(side);
        Ok(())
    }

    /// A draw is agreed on.
    pub fn agree(&mut self, now: Instant) {
        let (result, reason) = (RecordedResult::Draw, Reason::DrawAgreed);
        self.finish(End { result, reason, note: None }, now);
    }

    /// The ply that `side` goes back to by taking back its last move.
    ///
    /// # Errors
    /// When moves are not taken back here, or `side` has made none.
    pub fn way_back(&self, side: Side, ply: usize) -> Result<usize, String> {
        if !self.casual {
            return Err("moves are taken back at casual tables only".to_owned());
        }
        if self.end.is_some() {
            return Err("the game is over".to_owned());
        }
        if ply != self.moves.len() {
            return Err(format!("ply {ply} has passed; the game is at {}", self.moves.len()));
        }
        // Sides alternate, so the own last move is the last one or the one
        // before it.
        let back = if self.game.position().side == side { 2 } else { 1 };
        ply.checked_sub(back).ok_or_else(|| "there is no move to take back".to_owned())
    }

    /// Takes back all moves from `ply` on.
    ///
    /// # Errors
    /// Never, as all moves were legal.
    pub fn back_to(&mut self, ply: usize, now: Instant) -> Result<(), String> {
        self.pause(now);
        let mut game = Game::new(self.game.profile(), self.start);
        for made in &self.moves[..ply.min(self.moves.len())] {
            let mv = game.profile().parse_move(game.position(), &made.record.text);
            mv.and_then(|mv| game.play(mv)).map_err(|error| error.to_string())?;
        }
        self.game = game;
        self.moves.truncate(ply);
        self.offer = None;
        self.undo_asked = None;
        self.offered = [None; 2];
        self.turned = now;
        self.wind(now);
        Ok(())
    }

    fn expect(&self, side: Side, ply: usize) -> Result<(), String> {
        match self.turn() {
            None => Err("the game is over".to_owned()),
            Some(_) if ply != self.moves.len() => {
                Err(format!("ply {ply} has passed; the game is at {}", self.moves.len()))
            }
            Some(turn) if turn != side => Err(format!("it is {turn}'s turn")),
            Some(_) => Ok(()),
        }
    }

    /// Ends the game where the rules, or the rules of all matches, do.
    fn judge(&mut self) {
        let draw = |reason| Some(End { result: RecordedResult::Draw, reason, note: None });
        let end = match RecordedResult::of(self.game.result()) {
            Some(RecordedResult::Draw) => draw(Reason::EndlessTurn),
            Some(result) => Some(End { result, reason: Reason::Rules, note: None }),
            None if self.game.repetitions() >= 2 => draw(Reason::Repetition),
            None if self.game.ply() >= TURN_LIMIT => draw(Reason::TurnLimit),
            None => None,
        };
        if let Some(end) = end {
            self.offer = None;
            self.end.get_or_insert(end);
        }
    }

    /// The game as it is stored; a running clock is stopped in it.
    pub fn save(&self, now: Instant) -> Saved {
        let mut clocks = self.clocks.clone();
        if let Some(clocks) = &mut clocks {
            clocks.stop(self.game.position().side, None, now);
        }
        let profile = self.game.profile();
        Saved {
            profile: profile.name().to_owned(),
            start: profile.position_text(&self.start),
            moves: self.moves.iter().map(|made| made.record.clone()).collect(),
            clocks,
            casual: self.casual,
            end: self.end.clone(),
            began: self.began.clone(),
        }
    }

    /// A stored game, its clocks standing still.
    ///
    /// # Errors
    /// When it is not what the rules accept.
    pub fn restore(saved: Saved) -> Result<Self, String> {
        let profile: Profile =
            saved.profile.parse().map_err(|e: crate::rules::UnknownProfile| e.to_string())?;
        let start = profile.parse_position(&saved.start).map_err(|error| error.to_string())?;
        let mut play = Self::new(profile, start, None, saved.casual);
        let now = Instant::now();
        for record in saved.moves {
            play.make(record, None, now)?;
        }
        Ok(Self {
            clocks: saved.clocks,
            end: saved.end.or(play.end.take()),
            began: saved.began,
            ..play
        })
    }
}
