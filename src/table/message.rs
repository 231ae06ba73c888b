//! The messages of `docs/TABLE.md`, in both directions.

use std::collections::BTreeMap;

use axum::extract::ws::Utf8Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::clock::Control;
use super::show::{MoveView, Score, TraceView};

/// A request of a client over the WebSocket.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "t", rename_all = "lowercase", deny_unknown_fields)]
pub enum Request {
    /// Sit down or watch.
    Join {
        table: String,
        token: Option<String>,
        invite: Option<String>,
        watch: Option<String>,
        name: Option<String>,
    },
    /// Make a move at this ply.
    Move {
        ply: usize,
        #[serde(rename = "move")]
        text: String,
    },
    /// Take back moves.
    Undo {
        ply: usize,
        #[serde(default)]
        answer: Answer,
    },
    /// Give up.
    Resign {},
    /// Agree on a draw.
    Draw { answer: Answer },
    /// Play again with sides changed.
    Rematch {},
    /// Ask for a good move.
    Hint {},
    /// Search a position.
    Analyse { profile: String, position: String, lines: Option<usize> },
    /// End the analysis.
    Stop {},
    /// Tell what is legal in a position.
    Look { profile: String, position: String },
}

/// A part in an agreement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The first word: asking for an undo, offering a draw.
    #[default]
    #[serde(alias = "offer")]
    Ask,
    /// Yes.
    Accept,
    /// No.
    Decline,
}

/// A frame as it was understood.
#[derive(Debug)]
pub struct Understood {
    /// The word that names the request.
    pub kind: Option<String>,
    /// The number that the answer bears.
    pub id: Option<u32>,
    /// The request, or what is wrong with it.
    pub request: Result<Request, String>,
}

impl Understood {
    /// Reads a frame.
    pub fn read(text: &str) -> Self {
        let mut value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => {
                let request = Err(format!("no JSON: {error}"));
                return Self { kind: None, id: None, request };
            }
        };
        let id = value.as_object_mut().and_then(|object| object.remove("id"));
        let id = id.and_then(|id| u32::try_from(id.as_u64()?).ok());
        let kind = value["t"].as_str().map(|kind| kind.chars().take(20).collect());
        let request = serde_json::from_value(value).map_err(|error| error.to_string());
        Self { kind, id, request }
    }
}

/// A new table, as it is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    pub profile: String,
    #[serde(default = "startpos")]
    pub start: String,
    pub south: NewSeat,
    pub north: NewSeat,
    #[serde(default)]
    pub clock: Option<Control>,
    #[serde(default = "yes")]
    pub casual: bool,
}

fn startpos() -> String {
    "startpos".to_owned()
}

const fn yes() -> bool {
    true
}

/// Who is to sit at a new table.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum NewSeat {
    /// Who asks.
    You { name: Option<String> },
    /// Who takes the invitation.
    Friend {},
    /// An engine.
    Engine { engine: String, level: Option<u32>, move_ms: Option<u64> },
}

/// The links to a new table.
#[derive(Debug, Serialize)]
pub struct Opened {
    pub table: String,
    pub token: Option<String>,
    pub invite: Option<String>,
    pub watch: String,
}

/// A message to a client.
#[derive(Debug, Serialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum Reply<'a> {
    Seat {
        side: &'static str,
        token: Option<&'a str>,
    },
    State(Box<State<'a>>),
    Presence {
        seats: BySide<bool>,
        spectators: usize,
    },
    Thinking {
        ply: usize,
        side: &'static str,
        depth: Option<u32>,
        score: Option<Score>,
        pv: Vec<String>,
        nodes: Option<u64>,
    },
    Analysis {
        id: Option<u32>,
        profile: &'static str,
        position: &'a str,
        lines: &'a [Line],
        nodes: u64,
        done: bool,
    },
    Hint {
        id: Option<u32>,
        ply: usize,
        #[serde(rename = "move")]
        text: String,
        score: Option<Score>,
    },
    Looked(Box<Looked>),
    Error {
        to: Option<&'a str>,
        id: Option<u32>,
        message: &'a str,
    },
}

impl Reply<'_> {
    /// The frame.
    pub fn frame(&self) -> Utf8Bytes {
        // Nothing in the types above can fail to be written.
        serde_json::to_string(self).unwrap_or_default().into()
    }
}

/// Something of both sides.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BySide<T> {
    pub south: T,
    pub north: T,
}

/// Everything about a table.
#[derive(Debug, Serialize)]
pub struct State<'a> {
    pub table: &'a str,
    pub game: u64,
    pub profile: &'static str,
    pub pits: usize,
    pub columns: usize,
    pub start: String,
    pub position: String,
    pub ply: usize,
    pub from: usize,
    pub moves: Vec<&'a MoveView>,
    pub turn: Option<&'static str>,
    pub set_up_due: bool,
    pub set_up_seeds: u32,
    pub legal: BTreeMap<String, TraceView>,
    pub clock: Option<ClockView>,
    pub seats: BySide<SeatView<'a>>,
    pub offer: Option<&'static str>,
    pub undo_asked: Option<&'static str>,
    pub rematch: Option<&'static str>,
    pub result: Option<ResultView<'a>>,
    pub spectators: usize,
    pub casual: bool,
    pub watch: String,
    pub invite: Option<String>,
}

/// Both clocks, as they stand when the message is sent.
#[derive(Debug, Serialize)]
pub struct ClockView {
    #[serde(flatten)]
    pub control: Control,
    pub south_ms: u64,
    pub north_ms: u64,
    pub running: Option<&'static str>,
}

/// Who sits where.
#[derive(Debug, Serialize)]
pub struct SeatView<'a> {
    pub name: &'a str,
    pub kind: &'static str,
    pub level: Option<u32>,
    pub present: bool,
}

/// How a game has ended.
#[derive(Debug, Serialize)]
pub struct ResultView<'a> {
    pub winner: &'static str,
    pub reason: &'static str,
    pub note: Option<&'a str>,
}

/// A line of an analysis.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    pub score: Score,
    pub win_percent: f64,
    pub depth: u32,
    pub pv: Vec<String>,
    pub after: Vec<String>,
}

/// What is legal somewhere.
#[derive(Debug, Default, Serialize)]
pub struct Looked {
    pub id: Option<u32>,
    pub profile: String,
    pub pits: usize,
    pub columns: usize,
    pub position: String,
    pub turn: Option<&'static str>,
    pub set_up_due: bool,
    pub set_up_seeds: u32,
    pub legal: BTreeMap<String, TraceView>,
    pub ends: Option<&'static str>,
    pub error: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read() {
        let read = Understood::read(r#"{"t":"move","ply":3,"move":"e2","id":7}"#);
        assert_eq!((read.kind.as_deref(), read.id), (Some("move"), Some(7)));
        assert_eq!(read.request, Ok(Request::Move { ply: 3, text: "e2".to_owned() }));
        let read = Understood::read(r#"{"t":"undo","ply":3}"#);
        assert_eq!(read.request, Ok(Request::Undo { ply: 3, answer: Answer::Ask }));
        let read = Understood::read(r#"{"t":"draw","answer":"offer"}"#);
        assert_eq!(read.request, Ok(Request::Draw { answer: Answer::Ask }));
        assert_eq!(Understood::read(r#"{"t":"resign"}"#).request, Ok(Request::Resign {}));
    }

    #[test]
    fn other_frames_are_refused() {
        for text in [
            "",
            "[]",
            "1",
            "{}",
            r#"{"t":"fly"}"#,
            r#"{"t":"resign","now":true}"#,
            r#"{"t":"move","ply":-1,"move":"e2"}"#,
            r#"{"t":"move","ply":1}"#,
            &"[".repeat(10_000),
        ] {
            assert!(Understood::read(text).request.is_err(), "{text}");
        }
    }
}
