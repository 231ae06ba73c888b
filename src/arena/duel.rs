//! One game: the rules decide, the clocks are the arena's, and every way to
//! end has a name.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::limit::Clock;
use super::player::{Answer, Dialect, Fault, Player, Trouble};
use super::talk::position_line;
use crate::board::{Position, Side};
use crate::record::{
    FORMAT, GameRecord, MoveRecord, Player as RecordedPlayer, Reason, RecordedResult, now,
};
use crate::rules::{Game, GameResult, Profile};

/// Ends that are not in the rules, and what the clocks allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// Time that may be overstepped without a loss.
    pub margin: Duration,
    /// Whether the third occurrence of a position is a draw.
    pub repetition: bool,
    /// Moves after which a game is a draw, the opening's included; 0 for none.
    pub turn_limit: usize,
    /// A draw when both see an even game.
    pub draw: Option<DrawRule>,
    /// A loss for who sees a lost game.
    pub resign: Option<ResignRule>,
}

impl Default for Adjudication {
    fn default() -> Self {
        Self {
            margin: Duration::from_millis(20),
            repetition: true,
            turn_limit: 600,
            draw: None,
            resign: None,
        }
    }
}

/// A draw by score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// Moves of each side in a row.
    pub moves: u32,
    /// The largest score either way, in centipawns.
    pub score: i32,
    /// Moves of the game before it counts.
    pub after: usize,
}

/// A resignation by score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// Moves of the losing side in a row.
    pub moves: u32,
    /// The score that is that much below zero, in centipawns.
    pub score: i32,
}

/// A game that is to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The match it belongs to.
    pub event: String,
    /// Its number in the schedule, from 1.
    pub game: u64,
    /// The number of its opening, from 1.
    pub opening: u64,
    /// The seed of the match.
    pub seed: u64,
    /// The rules.
    pub profile: Profile,
    /// The position that it begins with.
    pub start: Position,
    /// Moves that are made before the players choose, legal in turn.
    pub moves: Vec<String>,
}

/// Two answers of engines and ours that differ (`--verify`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The engine.
    pub engine: String,
    /// The position.
    pub position: String,
    /// The query.
    pub query: &'static str,
    /// Our answer.
    pub ours: String,
    /// The engine's.
    pub theirs: String,
}

/// A game as it is played.
pub struct Duel<'a> {
    fixture: &'a Fixture,
    rules: &'a Adjudication,
    stop: &'a AtomicBool,
    game: Game,
    clocks: [Clock; 2],
    moves: Vec<MoveRecord>,
    /// The `position` line so far.
    line: String,
    /// Moves in a row in which a side saw an even, and a lost, game.
    even: [u32; 2],
    lost: [u32; 2],
}

/// How a game ended.
struct End {
    result: RecordedResult,
    reason: Reason,
    note: Option<String>,
}

impl<'a> Duel<'a> {
    /// Plays a game between `players`, South first. `None` if the match was
    /// called off. Disagreements over the rules go to `verify`, if that is
    /// wanted.
    pub fn play(
        fixture: &'a Fixture,
        rules: &'a Adjudication,
        players: [&mut Player; 2],
        stop: &'a AtomicBool,
        verify: Option<&mut dyn FnMut(Disagreement)>,
    ) -> Option<GameRecord> {
        let date = now();
        let mut duel = Self {
            fixture,
            rules,
            stop,
            game: Game::new(fixture.profile, fixture.start),
            clocks: [Clock::new(players[0].spec.limit), Clock::new(players[1].spec.limit)],
            moves: Vec::new(),
            line: position_line(fixture.profile, &fixture.start),
            even: [0; 2],
            lost: [0; 2],
        };
        let mut players = players;
        let end = duel.run(&mut players, verify)?;
        let [south, north] = players.map(|player| recorded(player));
        Some(GameRecord {
            format: FORMAT,
            event: fixture.event.clone(),
            game: fixture.game,
            opening: fixture.opening,
            seed: fixture.seed,
            date,
            profile: fixture.profile.to_string(),
            start: fixture.profile.position_text(&fixture.start),
            south,
            north,
            moves: duel.moves,
            result: end.result,
            reason: end.reason,
            note: end.note,
        })
    }

    fn run(
        &mut self,
        players: &mut [&mut Player; 2],
        mut verify: Option<&mut dyn FnMut(Disagreement)>,
    ) -> Option<End> {
        for text in &self.fixture.moves {
            let record = MoveRecord { text: text.clone(), book: true, ..MoveRecord::default() };
            if let Err(note) = self.make(record) {
                // The schedule has checked its openings.
                return Some(End {
                    result: RecordedResult::Draw,
                    reason: Reason::Rules,
                    note: Some(note),
                });
            }
        }
        for side in Side::BOTH {
            match players[side as usize].new_game(self.fixture.profile, self.stop) {
                Ok(()) => {}
                Err(Trouble::Stopped) => return None,
                Err(Trouble::Fault(fault)) => return Some(lost_by(side, fault)),
            }
        }
        loop {
            if let Some(verify) = verify.as_deref_mut() {
                self.compare(players, verify);
            }
            if let Some(end) = self.over() {
                return Some(end);
            }
            if self.stop.load(Relaxed) {
                return None;
            }
            let side = self.game.position().side;
            let player = &mut players[side as usize];
            let answer =
                player.choose(&self.line, side, &self.clocks, self.rules.margin, self.stop);
            match answer {
                Ok(answer) => {
                    if let Some(end) = self.take(side, answer) {
                        return Some(end);
                    }
                }
                Err(Trouble::Stopped) => return None,
                Err(Trouble::Fault(fault)) => return Some(lost_by(side, fault)),
            }
        }
    }

    /// Books an answer; some of them end the game.
    fn take(&mut self, side: Side, answer: Answer) -> Option<End> {
        let Answer { record, used, late } = answer;
        if late {
            let note = format!("{} took {} ms", record.text, used.as_millis());
            return Some(lost_by(side, Fault::new(Reason::Time, note)));
        }
        self.clocks[side as usize].spend(used);
        let (cp, mate) = (record.cp, record.mate);
        if let Err(note) = self.make(record) {
            return Some(lost_by(side, Fault::new(Reason::IllegalMove, note)));
        }
        self.by_score(side, cp, mate)
    }

    /// Makes a move on the board, in the record and in the position line.
    fn make(&mut self, record: MoveRecord) -> Result<(), String> {
        let text = &record.text;
        self.game
            .profile()
            .parse_move(self.game.position(), text)
            .and_then(|mv| self.game.play(mv))
            .map_err(|error| format!("illegal move: {error}"))?;
        if self.game.ply() == 1 {
            self.line.push_str(" moves");
        }
        self.line.push(' ');
        self.line.push_str(text);
        self.moves.push(record);
        Ok(())
    }

    /// The end by the rules or by a rule of the match.
    fn over(&self) -> Option<End> {
        if let Some(result) = RecordedResult::of(self.game.result()) {
            let draw = result == RecordedResult::Draw;
            let reason = if draw { Reason::EndlessTurn } else { Reason::Rules };
            return Some(End { result, reason, note: None });
        }
        let drawn = |reason| Some(End { result: RecordedResult::Draw, reason, note: None });
        if self.rules.repetition && self.game.repetitions() >= 2 {
            return drawn(Reason::Repetition);
        }
        if self.rules.turn_limit > 0 && self.game.ply() >= self.rules.turn_limit {
            return drawn(Reason::TurnLimit);
        }
        None
    }

    /// The end by what the engines see.
    fn by_score(&mut self, side: Side, cp: Option<i32>, mate: Option<i32>) -> Option<End> {
        if self.game.result() != GameResult::Ongoing {
            return None;
        }
        let index = side as usize;
        if let Some(rule) = self.rules.draw {
            let even = mate.is_none() && cp.is_some_and(|cp| cp.abs() <= rule.score);
            self.even[index] = if even { self.even[index] + 1 } else { 0 };
            let long = self.even.iter().all(|&moves| moves >= rule.moves);
            if long && self.game.ply() >= rule.after {
                let (result, reason) = (RecordedResult::Draw, Reason::DrawByScore);
                return Some(End { result, reason, note: None });
            }
        }
        let rule = self.rules.resign?;
        let lost = mate.is_some_and(|mate| mate < 0) || cp.is_some_and(|cp| cp <= -rule.score);
        self.lost[index] = if lost { self.lost[index] + 1 } else { 0 };
        (self.lost[index] >= rule.moves).then(|| End {
            result: RecordedResult::won_by(side.other()),
            reason: Reason::ResignByScore,
            note: None,
        })
    }

    /// Asks the engines that speak UGI how the game stands.
    fn compare(&self, players: &mut [&mut Player; 2], verify: &mut dyn FnMut(Disagreement)) {
        let result = self.game.result();
        let ours = [
            ("p1turn", (self.game.position().side == Side::South).to_string()),
            ("gameover", (result != GameResult::Ongoing).to_string()),
            (
                "result",
                match result {
                    GameResult::Ongoing => "none",
                    GameResult::South => "p1win",
                    GameResult::North => "p2win",
                    GameResult::Draw => "draw",
                }
                .to_owned(),
            ),
        ];
        for player in players.iter_mut().filter(|player| player.spec.dialect == Dialect::Ugi) {
            player.tell(&self.line);
            for (query, ours) in &ours {
                // No position is left by an endless turn.
                if result == GameResult::Draw && *query == "p1turn" {
                    continue;
                }
                let theirs = match player.query(query, self.stop) {
                    Ok(theirs) => theirs,
                    // An engine that does not answer shows so at its next move.
                    Err(_) => break,
                };
                if theirs != *ours {
                    verify(Disagreement {
                        engine: player.spec.name.clone(),
                        position: self.game.profile().position_text(self.game.position()),
                        query,
                        ours: ours.clone(),
                        theirs,
                    });
                }
            }
        }
    }
}

fn lost_by(side: Side, fault: Fault) -> End {
    End {
        result: RecordedResult::won_by(side.other()),
        reason: fault.reason,
        note: Some(format!("{side}: {}", fault.note)),
    }
}

fn recorded(player: &Player) -> RecordedPlayer {
    RecordedPlayer {
        name: player.spec.name.clone(),
        engine: player.identity.clone(),
        options: player.spec.options.clone(),
        limit: player.spec.limit.to_string(),
    }
}
