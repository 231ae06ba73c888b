//! Turns judged by the engine.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::anyhow;
use serde::Serialize;

use crate::board::{PitSet, Side};
use crate::cli::chance::{recorded, win_percentage};
use crate::cli::think::{limit_text, think};
use crate::engine::{Engine, Limits};
use crate::protocol::Namer;
use crate::record::{GameRecord, MoveRecord, pgn};
use crate::rules::{Game, GameResult, Move, Profile};

// What a turn has to lose of the chance of winning, in percent: the steps
// 0.1, 0.2 and 0.3 of lichess.org, whose scale goes from -1 to 1.
const INACCURACY: f64 = 5.0;
const MISTAKE: f64 = 10.0;
const BLUNDER: f64 = 15.0;

/// How bad a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// Not the best.
    Inaccuracy,
    /// Worse.
    Mistake,
    /// Much worse.
    Blunder,
}

impl Mark {
    /// All of them, the mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The mark of a turn that lost so many percent.
    fn of(loss: f64) -> Option<Self> {
        match loss {
            BLUNDER.. => Some(Self::Blunder),
            MISTAKE.. => Some(Self::Mistake),
            INACCURACY.. => Some(Self::Inaccuracy),
            _ => None,
        }
    }

    /// Its sign, as in comments on chess games.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// A score for the mover: one of both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Score {
    #[serde(skip)]
    pub value: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    /// The chance of winning, in percent.
    pub win: f64,
}

impl Score {
    fn new(profile: Profile, value: i32) -> Self {
        let (cp, mate) = recorded(value);
        Self { value, cp, mate, win: rounded(win_percentage(profile, value)) }
    }
}

/// A turn with what the engine thinks of it.
#[derive(Debug, Serialize)]
pub struct Judged {
    pub ply: usize,
    pub side: char,
    #[serde(rename = "move")]
    pub text: String,
    /// Given by the opening.
    pub book: bool,
    /// The score of the best turn; none for a set-up, as all that follows.
    pub before: Option<Score>,
    /// The score of the turn that was made.
    pub after: Option<Score>,
    pub best: Option<String>,
    /// The best turn and what would follow.
    pub line: Vec<String>,
    /// What the turn lost of the chance of winning, in percent.
    pub loss: Option<f64>,
    /// What it lost in centipawns; none where a win is proven.
    pub loss_cp: Option<i32>,
    pub mark: Option<Mark>,
}

/// A player's turns in a game, those of the opening left out.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Summary {
    pub moves: usize,
    /// The mean loss of a turn in percent, and in centipawns.
    pub mean_loss: Option<f64>,
    pub mean_loss_cp: Option<f64>,
    pub accuracy: Option<f64>,
    /// Inaccuracies, mistakes and blunders.
    pub marks: [usize; 3],
}

/// A game with its turns judged.
#[derive(Debug, Serialize)]
pub struct Annotated {
    pub event: String,
    pub game: u64,
    pub date: String,
    pub profile: String,
    pub start: String,
    /// The names of the players, and their summaries, South first.
    pub players: [String; 2],
    pub result: &'static str,
    pub reason: &'static str,
    /// The engine and what it searched by.
    pub engine: &'static str,
    pub limit: String,
    pub moves: Vec<Judged>,
    pub summaries: [Summary; 2],
    /// The position before each move and after the last.
    #[serde(skip)]
    pub positions: Vec<String>,
    /// South's chance of winning after so many moves.
    #[serde(skip)]
    pub chances: Vec<(f64, f64)>,
}

/// What was found in a position.
struct Seen {
    score: i32,
    line: Vec<String>,
    /// The score of the turn that was made, if one was.
    made: Option<i32>,
}

/// Engines that look at positions side by side.
pub struct Judge {
    engines: Vec<Engine>,
    limits: Limits,
}

impl Judge {
    /// So many engines with tables of so many MiB.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub fn new(threads: usize, hash_mib: usize, limits: &Limits) -> anyhow::Result<Self> {
        let engine = |_| {
            let mut engine = Engine::new(Profile::default())?;
            engine.resize(hash_mib)?;
            engine.settings.analyse = true;
            engine.settings.overhead = Duration::ZERO;
            Ok(engine)
        };
        let engines: anyhow::Result<Vec<Engine>> = (0..threads).map(engine).collect();
        Ok(Self { engines: engines?, limits: limits.clone() })
    }

    /// Judges every turn of a game; `done` hears of every position.
    ///
    /// # Errors
    /// When the rules refuse the game.
    pub fn annotate(
        &mut self,
        record: &GameRecord,
        done: &(impl Fn() + Sync),
    ) -> anyhow::Result<Annotated> {
        let mut games: Vec<Game> = Vec::with_capacity(record.moves.len() + 1);
        let last = record.replay(|game, _| games.push(game.clone()))?;
        games.push(last);
        let seen = self.look(&games, &record.moves, done)?;
        let moves: Vec<Judged> = (0..record.moves.len())
            .map(|index| {
                judged(index + 1, &record.moves[index], &games[index], seen[index].as_ref())
            })
            .collect();
        let summaries = Side::BOTH.map(|side| summary(&moves, side));
        let text = |game: &Game| game.profile().position_text(game.position());
        Ok(Annotated {
            event: record.event.clone(),
            game: record.game,
            date: record.date.clone(),
            profile: record.profile.clone(),
            start: record.start.clone(),
            players: Side::BOTH.map(|side| record.player(side).name.clone()),
            result: pgn::result_word(record),
            reason: record.reason.word(),
            engine: concat!("kisolo ", env!("CARGO_PKG_VERSION")),
            limit: limit_text(&self.limits),
            moves,
            summaries,
            positions: games.iter().map(text).collect(),
            chances: chances(&games, &seen),
        })
    }

    /// What there is to see in each position. Every search begins with an
    /// empty table: what it says does not depend on who searched what before.
    fn look(
        &mut self,
        games: &[Game],
        moves: &[MoveRecord],
        done: &(impl Fn() + Sync),
    ) -> anyhow::Result<Vec<Option<Seen>>> {
        let next = AtomicUsize::new(0);
        let seen: Vec<Mutex<Option<Seen>>> = games.iter().map(|_| Mutex::default()).collect();
        let limits = &self.limits;
        let work = |engine: &mut Engine| -> anyhow::Result<()> {
            while let Some(index) = Some(next.fetch_add(1, Relaxed)).filter(|&i| i < games.len()) {
                let found = search(engine, &games[index], moves.get(index), limits)?;
                *seen[index].lock().unwrap_or_else(PoisonError::into_inner) = found;
                done();
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> =
                self.engines.iter_mut().map(|engine| scope.spawn(|| work(engine))).collect();
            workers
                .into_iter()
                .try_for_each(|worker| worker.join().map_err(|_| anyhow!("a search failed"))?)
        })?;
        let found = |cell: Mutex<_>| cell.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(seen.into_iter().map(found).collect())
    }
}

/// Searches a position and then, to the same depth, the turn that was made:
/// scores of different depths cannot be compared, since a side to move that
/// has the last word sees itself ahead. There is nothing to be seen when the
/// game is over or a set-up is due: of those only a sample can be looked at.
fn search(
    engine: &mut Engine,
    game: &Game,
    made: Option<&MoveRecord>,
    limits: &Limits,
) -> anyhow::Result<Option<Seen>> {
    let (profile, root) = (game.profile(), *game.position());
    if game.result() != GameResult::Ongoing || profile.set_up_due(&root) {
        return Ok(None);
    }
    engine.clear()?;
    let Some(best) = think(engine, game, limits.clone())?.line else { return Ok(None) };
    let namer = Namer { profile, root, chances: None };
    let line: Vec<String> = (0..).zip(&best.moves).map(|(ply, &mv)| namer.name(mv, ply)).collect();
    let made = match made.map(|made| profile.parse_move(&root, &made.text)).transpose()? {
        Some(mv) if best.moves.first() == Some(&mv) => Some(best.score),
        Some(Move::Sow(pit)) => {
            let (search_moves, depth) = (Some(PitSet(1 << pit.index())), Some(best.depth));
            let limits = Limits { search_moves, depth, ..limits.clone() };
            think(engine, game, limits)?.line.map(|line| line.score)
        }
        _ => None,
    };
    Ok(Some(Seen { score: best.score, line, made }))
}

/// Judges a turn made in a game.
fn judged(ply: usize, mv: &MoveRecord, game: &Game, seen: Option<&Seen>) -> Judged {
    let score = |value| Score::new(game.profile(), value);
    let before = seen.map(|seen| score(seen.score));
    let after = seen.and_then(|seen| seen.made).map(score);
    let both = before.zip(after);
    let loss = both.map(|(before, after)| rounded((before.win - after.win).max(0.0)));
    Judged {
        ply,
        side: game.position().side.letter(),
        text: mv.text.clone(),
        book: mv.book,
        before,
        after,
        best: seen.and_then(|seen| seen.line.first().cloned()),
        line: seen.map(|seen| seen.line.clone()).unwrap_or_default(),
        loss,
        loss_cp: both.and_then(|(before, after)| Some((before.cp? - after.cp?).max(0))),
        mark: loss.and_then(Mark::of),
    }
}

/// South's chance of winning after each number of moves, where it is known.
fn chances(games: &[Game], seen: &[Option<Seen>]) -> Vec<(f64, f64)> {
    let chance = |(game, seen): (&Game, &Option<Seen>)| {
        let share = match game.result() {
            GameResult::South => 100.0,
            GameResult::North => 0.0,
            GameResult::Draw => 50.0,
            GameResult::Ongoing => {
                let own = win_percentage(game.profile(), seen.as_ref()?.score);
                if game.position().side == Side::South { own } else { 100.0 - own }
            }
        };
        Some((game.ply() as f64, share))
    };
    games.iter().zip(seen).filter_map(chance).collect()
}

fn summary(moves: &[Judged], side: Side) -> Summary {
    let own: Vec<&Judged> =
        moves.iter().filter(|mv| mv.side == side.letter() && !mv.book).collect();
    let losses: Vec<f64> = own.iter().filter_map(|mv| mv.loss).collect();
    let cp: Vec<f64> = own.iter().filter_map(|mv| mv.loss_cp.map(f64::from)).collect();
    let accuracies: Vec<f64> = losses.iter().map(|&loss| accuracy(loss)).collect();
    Summary {
        moves: losses.len(),
        mean_loss: mean(&losses),
        mean_loss_cp: mean(&cp),
        accuracy: mean(&accuracies),
        marks: Mark::ALL.map(|mark| own.iter().filter(|mv| mv.mark == Some(mark)).count()),
    }
}

/// The accuracy of a turn that lost so many percent, from 0 to 100: the curve
/// of lichess.org/page/accuracy.
fn accuracy(loss: f64) -> f64 {
    const HEIGHT: f64 = 103.1668;
    const DECAY: f64 = 0.04354;
    const BELOW: f64 = 3.1669;
    (HEIGHT * libm::exp(-DECAY * loss) - BELOW).clamp(0.0, 100.0)
}

fn mean(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().sum();
    (!values.is_empty()).then(|| rounded(sum / values.len() as f64))
}

/// To two places.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::MATE;
    use crate::rules::Outcome;

    #[test]
    fn marks_begin_at_their_thresholds() {
        let marks = [0.0, 4.99, 5.0, 10.0, 14.99, 15.0, 100.0].map(Mark::of);
        use Mark::{Blunder, Inaccuracy, Mistake};
        let want = [
            None,
            None,
            Some(Inaccuracy),
            Some(Mistake),
            Some(Mistake),
            Some(Blunder),
            Some(Blunder),
        ];
        assert_eq!(marks, want);
    }

    #[test]
    fn accuracy_falls_from_all_to_nothing() {
        assert!((accuracy(0.0) - 100.0).abs() < 0.001);
        assert!(accuracy(10.0) < accuracy(5.0));
        assert_eq!(accuracy(100.0), 0.0);
    }

    #[test]
    fn what_loses_a_won_game_is_a_blunder() {
        // A turn wins at once; the test finds one that does not win at all.
        let text = "0,0,0,0,0,0,1/0,0,0,0,0,0,1/1,0,0,0,0,0,1/1,1,1,1,1,1,32 S -";
        let profile = Profile::Kisolo;
        let start = profile.parse_position(text).unwrap();
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let mut judge = Judge::new(1, 1, &limits).unwrap();
        for pit in profile.legal(&start) {
            let text = profile.move_text(&start, Move::Sow(pit));
            let made = MoveRecord { text, ..MoveRecord::default() };
            let game = Game::new(profile, start);
            let seen = search(&mut judge.engines[0], &game, Some(&made), &limits).unwrap();
            let judged = judged(1, &made, &game, seen.as_ref());
            let won = profile.play(&start, Move::Sow(pit)).unwrap().outcome == Outcome::Win;
            assert_eq!(judged.after.unwrap().value == MATE - 1, won);
            assert_eq!(
                judged.loss == Some(0.0),
                judged.after.unwrap().win == judged.before.unwrap().win
            );
        }
    }
}
