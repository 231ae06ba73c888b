//! Turns, moves and scores as the page gets them.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::limits::STEPS;
use crate::board::{Pit, Position, Side, pit_name};
use crate::engine::OddsScale;
use crate::record::MoveRecord;
use crate::rules::{Capture, Game, GameResult, Move, MoveError, Outcome, Profile, Step, Trace};

/// The word of a side.
pub const fn word(side: Side) -> &'static str {
    match side {
        Side::South => "south",
        Side::North => "north",
    }
}

/// The word of a result, `None` while the game goes on.
pub const fn ends(result: GameResult) -> Option<&'static str> {
    match result {
        GameResult::Ongoing => None,
        GameResult::South => Some("south"),
        GameResult::North => Some("north"),
        GameResult::Draw => Some("draw"),
    }
}

/// A score for the side that made or is to make the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Own turns to the proven end, negative for a loss.
    Mate(i32),
}

impl Score {
    /// The score of a move, if it has one.
    pub fn of(record: &MoveRecord) -> Option<Self> {
        record.mate.map(Self::Mate).or(record.cp.map(Self::Cp))
    }

    /// The chance to win that it stands for in a profile, in percent.
    pub fn win_percent(self, profile: Profile) -> f64 {
        match self {
            Self::Cp(cp) => (1000.0 * OddsScale::usual(profile).chance(cp)).round() / 10.0,
            Self::Mate(turns) if turns > 0 => 100.0,
            Self::Mate(_) => 0.0,
        }
    }
}

/// See `docs/TABLE.md`, TRACE.
#[derive(Clone, Debug, Serialize)]
pub struct TraceView {
    start_captures: Vec<CaptureView>,
    steps: Vec<StepView>,
    cut: bool,
    packets: u16,
    taken: u32,
    last: Option<String>,
    after: String,
    ends: Option<&'static str>,
}

#[derive(Clone, Debug, Serialize)]
struct StepView {
    from: Option<String>,
    path: Vec<String>,
    capture: Option<CaptureView>,
}

#[derive(Clone, Debug, Serialize)]
struct CaptureView {
    by: String,
    from: Vec<(String, u8)>,
    into: Option<String>,
}

/// The names of pits in a turn of `side`.
struct Names {
    profile: Profile,
    side: Side,
}

impl Names {
    fn own(&self, pit: Pit) -> String {
        pit_name(self.profile.geometry(), self.side, pit)
    }

    fn enemy(&self, pit: Pit) -> String {
        pit_name(self.profile.geometry(), self.side.other(), pit)
    }

    fn capture(&self, capture: &Capture) -> CaptureView {
        CaptureView {
            by: self.own(capture.by),
            from: capture.from.iter().map(|&(pit, seeds)| (self.enemy(pit), seeds)).collect(),
            into: capture.into.map(|pit| self.own(pit)),
        }
    }

    fn step(&self, step: &Step) -> StepView {
        StepView {
            from: step.from.map(|pit| self.own(pit)),
            path: step.path.iter().map(|&pit| self.own(pit)).collect(),
            capture: step.capture.as_ref().map(|capture| self.capture(capture)),
        }
    }
}

impl TraceView {
    /// The view of a move.
    ///
    /// # Errors
    /// When it is not legal.
    pub fn new(profile: Profile, position: &Position, mv: Move) -> Result<Self, MoveError> {
        let trace: Trace = profile.trace(position, mv)?;
        let names = Names { profile, side: position.side };
        let outcome = trace.turn.outcome;
        // An endless turn leaves the board as it was.
        let after = if outcome == Outcome::Draw { position } else { &trace.turn.after };
        Ok(Self {
            start_captures: trace.start.iter().map(|capture| names.capture(capture)).collect(),
            steps: trace.steps.iter().take(STEPS).map(|step| names.step(step)).collect(),
            cut: trace.steps.len() > STEPS,
            packets: trace.turn.packets,
            taken: trace.taken(),
            last: trace.last().map(|pit| names.own(pit)),
            after: profile.position_text(after),
            ends: ends(outcome.for_mover(position.side)),
        })
    }
}

/// The legal turns of a game with their traces; none when a set-up is due.
pub fn legal(game: &Game) -> BTreeMap<String, TraceView> {
    let (profile, position) = (game.profile(), game.position());
    game.legal()
        .filter_map(|pit| {
            let mv = Move::Sow(pit);
            let trace = TraceView::new(profile, position, mv).ok()?;
            Some((profile.move_text(position, mv), trace))
        })
        .collect()
}

/// See `docs/TABLE.md`, MOVE.
#[derive(Clone, Debug, Serialize)]
pub struct MoveView {
    #[serde(rename = "move")]
    text: String,
    /// Who made it.
    #[serde(serialize_with = "by_word")]
    pub side: Side,
    trace: TraceView,
    ms: Option<u64>,
    score: Option<Score>,
    depth: Option<u32>,
}

fn by_word<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(word(*side))
}

impl MoveView {
    /// The view of a recorded move, made in `game`'s position.
    ///
    /// # Errors
    /// When it is not legal.
    pub fn new(game: &Game, record: &MoveRecord) -> Result<Self, MoveError> {
        let (profile, position) = (game.profile(), game.position());
        let mv = profile.parse_move(position, &record.text)?;
        Ok(Self {
            text: record.text.clone(),
            side: position.side,
            trace: TraceView::new(profile, position, mv)?,
            ms: record.ms,
            score: Score::of(record),
            depth: record.depth,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(profile: Profile, position: &str, mv: &str) -> serde_json::Value {
        let position = profile.parse_position(position).unwrap();
        let mv = profile.parse_move(&position, mv).unwrap();
        serde_json::to_value(TraceView::new(profile, &position, mv).unwrap()).unwrap()
    }

    #[test]
    fn a_turn_is_told_by_names() {
        let start = Profile::Kisolo.position_text(&Profile::Kisolo.start_position());
        let view = view(Profile::Kisolo, &start, "a1");
        assert_eq!(view["steps"][0]["from"], "a1");
        assert_eq!(view["steps"][0]["path"], serde_json::json!(["b1", "c1", "d1"]));
        assert_eq!(view["ends"], serde_json::Value::Null);
    }

    #[test]
    fn endless_turns_are_cut() {
        let endless = "0,0,0,0,0,0,75/0,0,0,0,0,0,0/1,2,0,1,0,1,0/1,0,1,0,1,0,1 S -";
        let view = view(Profile::KisoloFull, endless, "a1");
        assert_eq!(view["steps"].as_array().unwrap().len(), STEPS);
        assert_eq!((&view["cut"], &view["packets"]), (&true.into(), &4096.into()));
        assert_eq!((&view["after"], &view["ends"]), (&endless.into(), &"draw".into()));
    }

    #[test]
    fn scores_are_chances() {
        let percent = |score: Score| score.win_percent(Profile::Kisolo);
        assert_eq!(percent(Score::Cp(0)), 50.0);
        assert!(percent(Score::Cp(300)) > 60.0);
        assert_eq!(percent(Score::Mate(-2)), 0.0);
        assert_eq!(serde_json::to_string(&Score::Cp(-5)).unwrap(), r#"{"cp":-5}"#);
    }
}
