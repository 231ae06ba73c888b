//! The game that is played: its moves, forwards and backwards, and its end.

use crate::board::{Pit, Position, Side};
use crate::record::{
    FORMAT, GameRecord, MoveRecord, Player, Reason, RecordError, RecordedResult, now,
};
use crate::rules::{Game, GameResult, Move, MoveError, Profile};

/// Moves after which a game is a draw, as in a match.
const MOST_MOVES: usize = 600;
/// Earlier occurrences of a position that make a draw, as in a match.
const REPETITIONS: usize = 2;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The result.
    pub result: RecordedResult,
    /// Why.
    pub reason: Reason,
}

/// A game from its start on.
pub struct Played {
    start: Position,
    game: Game,
    moves: Vec<MoveRecord>,
    /// What was taken back, the latest move first.
    undone: Vec<MoveRecord>,
    /// The pit where the last turn ended.
    landing: Option<(Side, Pit)>,
    resigned: Option<Side>,
    /// The head of its record.
    head: GameRecord,
}

impl Played {
    /// A game at its start, number `number` of this sitting.
    pub fn new(profile: Profile, start: Position, number: u64, players: [Player; 2]) -> Self {
        let start_text = profile.position_text(&start);
        Self::begin(profile, start, head(profile, start_text, number, players))
    }

    fn begin(profile: Profile, start: Position, head: GameRecord) -> Self {
        let game = Game::new(profile, start);
        let (moves, undone) = (Vec::new(), Vec::new());
        Self { start, game, moves, undone, landing: None, resigned: None, head }
    }

    /// The game of a record, after its last move. One that was not finished
    /// is played on; any other is the beginning of a new one, number `number`
    /// of this sitting.
    ///
    /// # Errors
    /// When the rules refuse it.
    pub fn from_record(record: GameRecord, number: u64) -> Result<Self, RecordError> {
        record.verify()?;
        let mut start = None;
        let last = record.replay(|game, _| {
            start.get_or_insert(*game.position());
        })?;
        let start = start.unwrap_or(*last.position());
        let players = [record.south.clone(), record.north.clone()];
        let head = if record.reason == Reason::Unfinished {
            record.clone()
        } else {
            head(last.profile(), record.start.clone(), number, players)
        };
        let mut played = Self::begin(last.profile(), start, head);
        if record.reason == Reason::Resignation {
            played.resigned =
                Side::BOTH.into_iter().find(|&side| record.result.half_points(side) == 0);
        }
        played.undone = record.moves.into_iter().rev().collect();
        while played.redo().is_some() {}
        Ok(played)
    }

    /// The game now.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Who is to move.
    pub const fn side(&self) -> Side {
        self.game.position().side
    }

    /// The pit where the last turn ended.
    pub const fn landing(&self) -> Option<(Side, Pit)> {
        self.landing
    }

    /// How it ended, unless it goes on.
    pub fn end(&self) -> Option<End> {
        let drawn = |reason| Some(End { result: RecordedResult::Draw, reason });
        if let Some(result) = RecordedResult::of(self.game.result()) {
            let draw = result == RecordedResult::Draw;
            let reason = if draw { Reason::EndlessTurn } else { Reason::Rules };
            return Some(End { result, reason });
        }
        if let Some(side) = self.resigned {
            let result = RecordedResult::won_by(side.other());
            return Some(End { result, reason: Reason::Resignation });
        }
        if self.game.repetitions() >= REPETITIONS {
            return drawn(Reason::Repetition);
        }
        if self.moves.len() >= MOST_MOVES { drawn(Reason::TurnLimit) } else { None }
    }

    /// Makes a move; what happened in it, in words. What was taken back is
    /// gone.
    ///
    /// # Errors
    /// When it is not legal.
    pub fn play(&mut self, mv: Move, record: MoveRecord) -> Result<String, MoveError> {
        let told = self.make(mv, record)?;
        self.undone.clear();
        Ok(told)
    }

    fn make(&mut self, mv: Move, record: MoveRecord) -> Result<String, MoveError> {
        let (profile, before) = (self.game.profile(), *self.game.position());
        let trace = profile.trace(&before, mv)?;
        self.game.play(mv)?;
        self.landing = trace.last().map(|pit| (before.side, pit));
        self.moves.push(record);
        Ok(profile.tell(&before, mv, &trace))
    }

    /// Takes the last move back, or the resignation before that.
    pub fn undo(&mut self) -> bool {
        if self.resigned.take().is_some() {
            return true;
        }
        let Some(last) = self.moves.pop() else { return false };
        self.undone.push(last);
        // Played anew from the start, so that no state is forgotten.
        let moves = std::mem::take(&mut self.moves);
        self.game = Game::new(self.game.profile(), self.start);
        self.landing = None;
        for record in moves {
            // It was legal before.
            let _ = self.remake(record);
        }
        true
    }

    /// Makes a move again that was taken back; what happened in it.
    pub fn redo(&mut self) -> Option<String> {
        let record = self.undone.pop()?;
        self.remake(record)
    }

    fn remake(&mut self, record: MoveRecord) -> Option<String> {
        let mv = self.game.profile().parse_move(self.game.position(), &record.text).ok()?;
        self.make(mv, record).ok()
    }

    /// Gives the game up for a side.
    pub const fn resign(&mut self, side: Side) {
        self.resigned = Some(side);
    }

    /// The sides that have moved, the last move last.
    pub fn movers(&self) -> impl DoubleEndedIterator<Item = Side> {
        let now = self.side();
        // An endless turn leaves its mover to move.
        let last = if self.game.result() == GameResult::Draw { now } else { now.other() };
        let count = self.moves.len();
        (0..count)
            .map(move |ply| if (count - 1 - ply).is_multiple_of(2) { last } else { last.other() })
    }

    /// The record of the game as it stands.
    pub fn record(&self) -> GameRecord {
        let unfinished = End { result: RecordedResult::Draw, reason: Reason::Unfinished };
        let End { result, reason } = self.end().unwrap_or(unfinished);
        GameRecord { moves: self.moves.clone(), result, reason, ..self.head.clone() }
    }
}

/// The head of the record of a game that begins now.
fn head(profile: Profile, start: String, number: u64, players: [Player; 2]) -> GameRecord {
    let [south, north] = players;
    let date = now();
    GameRecord {
        format: FORMAT,
        event: format!("play {date}"),
        game: number,
        opening: number,
        seed: 0,
        date,
        profile: profile.name().to_owned(),
        start,
        south,
        north,
        moves: Vec::new(),
        result: RecordedResult::Draw,
        reason: Reason::Unfinished,
        note: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(profile: Profile, moves: &[&str]) -> Played {
        let players = [Player::default(), Player::default()];
        let mut played = Played::new(profile, profile.start_position(), 1, players);
        for text in moves {
            let mv = profile.parse_move(played.game().position(), text).unwrap();
            let record = MoveRecord { text: (*text).to_owned(), ..MoveRecord::default() };
            played.play(mv, record).unwrap();
        }
        played
    }

    #[test]
    fn a_turn_is_taken_back_and_made_again() {
        let mut game = played(Profile::Kisolo, &["a1", "g4", "b1"]);
        let after = *game.game().position();
        assert_eq!(game.movers().collect::<Vec<_>>(), [Side::South, Side::North, Side::South]);
        assert!(game.undo() && game.undo());
        assert_eq!(game.movers().collect::<Vec<_>>(), [Side::South]);
        assert!(game.redo().unwrap().starts_with("North plays g4"));
        assert!(game.redo().is_some());
        assert_eq!(game.redo(), None);
        assert_eq!(*game.game().position(), after);
        assert!(game.undo() && game.undo() && game.undo() && !game.undo());
    }

    #[test]
    fn a_record_is_the_game() {
        let mut game = played(Profile::Isolo, &["a1", "h4"]);
        assert_eq!(game.record().reason, Reason::Unfinished);
        assert!(game.record().verify().is_ok());
        game.resign(Side::North);
        let record = game.record();
        assert_eq!((record.result, record.reason), (RecordedResult::South, Reason::Resignation));
        let mut again = Played::from_record(record.clone(), 2).unwrap();
        let loaded = again.record();
        assert_eq!((&loaded.moves, loaded.reason), (&record.moves, record.reason));
        assert_eq!(loaded.game, 2);
        assert!(again.undo());
        assert_eq!(again.end(), None);
        let unfinished = again.record();
        assert_eq!(Played::from_record(unfinished.clone(), 3).unwrap().record(), unfinished);
    }
}
