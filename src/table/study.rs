//! Analyses: one a connection, each a search without end that is called off.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::mpsc::Sender;

use super::engines::{line_moves, number_after};
use super::hall::{Hall, position};
use super::limits::{LINE_MOVES, NEWS};
use super::message::{Line, Looked, Reply};
use super::show::{Score, ends, legal, word};
use crate::arena::{parse_info, position_line};
use crate::board::Position;
use crate::rules::{Game, GameResult, Profile, UnknownProfile};

/// The most lines of an analysis.
pub const MOST_LINES: usize = 5;

/// A position to be analysed.
#[derive(Clone, Debug)]
pub struct Study {
    profile: Profile,
    position: Position,
    text: String,
    lines: usize,
    id: Option<u32>,
}

impl Study {
    /// Reads what is asked for.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn new(
        profile: &str,
        place: &str,
        lines: Option<usize>,
        id: Option<u32>,
    ) -> Result<Self, String> {
        let profile: Profile = profile.parse().map_err(|e: UnknownProfile| e.to_string())?;
        let position = position(profile, place)?;
        let lines = lines.unwrap_or(1);
        if !(1..=MOST_LINES).contains(&lines) {
            return Err(format!("lines is 1 to {MOST_LINES}"));
        }
        Ok(Self { profile, position, text: profile.position_text(&position), lines, id })
    }

    /// Begins the search; returns what calls it off.
    pub fn begin(self, hall: &Arc<Hall>, outbox: Sender<Utf8Bytes>) -> Arc<AtomicBool> {
        let stop = Arc::new(AtomicBool::new(false));
        let (hall, signal) = (Arc::clone(hall), Arc::clone(&stop));
        tokio::spawn(async move {
            if Game::new(self.profile, self.position).result() != GameResult::Ongoing {
                let _ = outbox.try_send(self.frame(&[], 0, true));
                return;
            }
            let Ok(permit) = Arc::clone(&hall.engines.studies).acquire_owned().await else {
                return;
            };
            if signal.load(Relaxed) {
                return;
            }
            let search = tokio::task::spawn_blocking(move || {
                self.search(&hall, &signal, &outbox);
                drop(permit);
            });
            // A search that has failed has nothing more to say.
            let _ = search.await;
        });
        stop
    }

    fn search(&self, hall: &Hall, stop: &AtomicBool, outbox: &Sender<Utf8Bytes>) {
        let mut lines: Vec<Line> = Vec::new();
        let mut nodes = 0;
        let mut told: Option<Instant> = None;
        let place = position_line(self.profile, &self.position);
        let result = hall.engines.analyse(self.profile, &place, self.lines, stop, &mut |text| {
            let rank = number_after(text, "multipv").unwrap_or(1) as usize;
            let Some(line) = self.line(text) else { return };
            nodes = number_after(text, "nodes").unwrap_or(nodes);
            if (1..=lines.len()).contains(&rank) {
                lines[rank - 1] = line;
            } else if rank == lines.len() + 1 && rank <= MOST_LINES {
                lines.push(line);
            } else {
                return;
            }
            let now = Instant::now();
            if told.is_some_and(|told| now - told < NEWS) {
                return;
            }
            told = Some(now);
            // A full outbox may wait for the next message; a closed one is
            // the end.
            if outbox.try_send(self.frame(&lines, nodes, false)).is_err() && outbox.is_closed() {
                stop.store(true, Relaxed);
            }
        });
        let frame = match result {
            Ok(()) => self.frame(&lines, nodes, true),
            Err(_) if stop.load(Relaxed) => return,
            Err(_) => {
                let message = "the engine has ended";
                Reply::Error { to: Some("analyse"), id: self.id, message }.frame()
            }
        };
        let _ = outbox.try_send(frame);
    }

    /// A line of the engine with the positions along it, as far as the rules
    /// go with it.
    fn line(&self, text: &str) -> Option<Line> {
        let record = parse_info(text);
        let score = Score::of(&record)?;
        let mut game = Game::new(self.profile, self.position);
        let (mut pv, mut after) = (Vec::new(), Vec::new());
        for word in line_moves(text).take(LINE_MOVES) {
            let mv = self.profile.parse_move(game.position(), word);
            if mv.and_then(|mv| game.play(mv)).is_err() {
                break;
            }
            pv.push(word.to_owned());
            after.push(self.profile.position_text(game.position()));
        }
        let depth = record.depth.unwrap_or(0);
        Some(Line { score, win_percent: score.win_percent(self.profile), depth, pv, after })
    }

    fn frame(&self, lines: &[Line], nodes: u64, done: bool) -> Utf8Bytes {
        let (profile, position) = (self.profile.name(), self.text.as_str());
        Reply::Analysis { id: self.id, profile, position, lines, nodes, done }.frame()
    }
}

/// What is legal in a position.
pub fn look(profile: &str, place: &str, id: Option<u32>) -> Looked {
    let known: Result<Profile, UnknownProfile> = profile.parse();
    let found = known.map_err(|error| error.to_string());
    let found = found.and_then(|profile| Ok((profile, position(profile, place)?)));
    let (profile, position) = match found {
        Ok(found) => found,
        Err(error) => return Looked { id, error: Some(error), ..Looked::default() },
    };
    let game = Game::new(profile, position);
    let going = game.result() == GameResult::Ongoing;
    let set_up_due = profile.set_up_due(&position);
    Looked {
        id,
        profile: profile.name().to_owned(),
        pits: profile.geometry().pits(),
        columns: profile.geometry().columns,
        position: profile.position_text(&position),
        turn: going.then(|| word(position.side)),
        set_up_due,
        set_up_seeds: if set_up_due { profile.set_up_seeds() } else { 0 },
        legal: legal(&game),
        ends: ends(game.result()),
        error: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_looked_at() {
        let looked = look("kisolo", "startpos", Some(4));
        assert_eq!((looked.id, looked.turn, looked.legal.len()), (Some(4), Some("south"), 7));
        assert!(look("kisolo", "nonsense", None).error.unwrap().contains("three fields"));
        assert!(look("chess", "startpos", None).error.unwrap().contains("no profile"));
        let looked = look("kisolo-free", "startpos", None);
        assert!(looked.set_up_due && looked.set_up_seeds == 21 && looked.legal.is_empty());
    }

    #[test]
    fn lines_are_followed_as_far_as_they_are_legal() {
        let study = Study::new("kisolo", "startpos", None, None).unwrap();
        let line = study.line("info depth 3 score cp 10 nodes 5 pv a1 g4 z9 b1").unwrap();
        assert_eq!((line.pv.len(), line.after.len(), line.depth), (2, 2, 3));
        assert!(Study::new("kisolo", "startpos", Some(9), None).is_err());
    }
}
