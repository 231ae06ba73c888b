//! Games to look at: each with its moves and scores, and its positions for the
//! script that draws the board.

use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use super::charts;
use super::data::Data;
use crate::board::Side;
use crate::record::{GameRecord, MoveRecord, RecordedResult};

const SCRIPT: &str = include_str!("replay.js");
/// Scores beyond this, in centipawns, are drawn at the edge of the graph.
const MOST_SCORE: f64 = 2000.0;

/// What the script gets of a game.
#[derive(Serialize)]
pub struct Positions {
    /// The position before each move and after the last, as position strings.
    pub positions: Vec<String>,
}

/// The section of games.
pub fn section(data: &Data) -> Markup {
    let total = data.tally.games();
    let kept = data.kept.len();
    let mut embedded = Vec::new();
    let games: Vec<Markup> = data
        .kept
        .iter()
        .map(|record| {
            let replayed = replay(record);
            let shown = game(record, embedded.len(), replayed.as_ref().err());
            embedded.push(replayed.unwrap_or(Positions { positions: Vec::new() }));
            shown
        })
        .collect();
    html! {
        @if kept as u64 == total {
            p { "All " (total) " games, in the order of the records." }
        } @else {
            p { "The last " (kept) " of " (total) " games, in the order of the records." }
        }
        (viewer())
        @for game in games { (game) }
        (script(&embedded))
    }
}

/// The board that the script moves from game to game.
pub fn viewer() -> Markup {
    html! {
        noscript { p.note { "The board needs scripts, which this browser does not run; moves and scores are below all the same." } }
        div #viewer hidden {
            div.board {}
            p.status aria-live="polite" {}
            div.buttons {
                @for (action, label, title) in [
                    ("first", "|◀", "First position"),
                    ("back", "◀", "Previous move"),
                    ("play", "Play", "Play the moves"),
                    ("next", "▶", "Next move"),
                    ("last", "▶|", "Last position"),
                ] {
                    button type="button" data-action=(action) title=(title) aria-label=(title) { (label) }
                }
            }
            input.slider type="range" min="0" max="0" value="0" aria-label="Move";
        }
    }
}

/// The script of the board, with the positions of the games in their order.
pub fn script(games: &[Positions]) -> Markup {
    html! {
        script type="application/json" id="positions" { (PreEscaped(json(games))) }
        script { (PreEscaped(SCRIPT)) }
    }
}

/// JSON that cannot end the script element it stands in.
fn json(games: &[Positions]) -> String {
    serde_json::to_string(games).unwrap_or_else(|_| "[]".to_owned()).replace('<', "\\u003c")
}

/// The positions by our own rules, or why there are none.
fn replay(record: &GameRecord) -> Result<Positions, String> {
    let mut positions = Vec::with_capacity(record.moves.len() + 1);
    let end = record
        .replay(|game, _| positions.push(game.profile().position_text(game.position())))
        .map_err(|error| error.to_string())?;
    positions.push(end.profile().position_text(end.position()));
    Ok(Positions { positions })
}

fn game(record: &GameRecord, index: usize, error: Option<&String>) -> Markup {
    let result = score(record.result);
    html! {
        details name="game" data-game=(index) open[index == 0] {
            summary {
                bdi { (record.south.name) } " – " bdi { (record.north.name) } " "
                strong { (result) } " "
                span.dim { (record.reason.word()) ", " (record.moves.len()) " moves, opening " (record.opening)
                    ", game " (record.game) }
            }
            @if let Some(note) = &record.note { p { (note) } }
            @if let Some(error) = error { p.note { "Our rules do not accept this game: " (error) } }
            div.game {
                div.slot {}
                div { (score_graph(record)) (moves(record)) }
            }
            p.dim { (record.profile) ", " bdi { (record.event) } ", " (record.date) }
        }
    }
}

/// The points of both sides, South's first.
pub const fn score(result: RecordedResult) -> &'static str {
    match result {
        RecordedResult::South => "1–0",
        RecordedResult::North => "0–1",
        RecordedResult::Draw => "½–½",
    }
}

/// Who makes the move of an index.
fn mover(record: &GameRecord, index: usize) -> Side {
    if record.moves_from_north() == index.is_multiple_of(2) { Side::North } else { Side::South }
}

fn moves(record: &GameRecord) -> Markup {
    html! {
        ol.moves {
            @for (index, mv) in record.moves.iter().enumerate() {
                li data-ply=(index + 1) title=(mover(record, index)) {
                    b { (mv.text) } " " span.dim { (info(mv)) }
                }
            }
        }
    }
}

/// The mover's score and depth, as `+0.30/6`.
fn info(mv: &MoveRecord) -> String {
    let score = match (mv.mate, mv.cp) {
        (Some(mate), _) => format!("#{mate}"),
        (None, Some(cp)) => format!("{:+.2}", f64::from(cp) / 100.0),
        (None, None) if mv.book => "book".to_owned(),
        (None, None) => String::new(),
    };
    match mv.depth {
        Some(depth) => format!("{score}/{depth}"),
        None => score,
    }
}

/// Both players' scores over the moves.
fn score_graph(record: &GameRecord) -> Markup {
    let value = |mv: &MoveRecord| match (mv.mate, mv.cp) {
        (Some(mate), _) => Some(MOST_SCORE.copysign(f64::from(mate))),
        (None, cp) => cp.map(f64::from),
    };
    let of = |side: Side| -> Vec<(f64, f64)> {
        let own =
            record.moves.iter().enumerate().filter(|&(index, _)| mover(record, index) == side);
        let sign = if side == Side::South { 1.0 } else { -1.0 };
        own.filter_map(|(index, mv)| Some((index as f64 + 1.0, sign * value(mv)? / 100.0)))
            .collect()
    };
    let (south, north) = (of(Side::South), of(Side::North));
    let most = south.iter().chain(&north).map(|point| point.1.abs()).fold(1.0, f64::max);
    if south.is_empty() && north.is_empty() {
        return html! { p.dim { "The players told no scores." } };
    }
    charts::scores(record.moves.len(), &south, &north, most.min(MOST_SCORE / 100.0))
}
