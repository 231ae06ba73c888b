//! Annotated games as a page that holds all it needs.

use maud::{Markup, html};

use super::judge::{Annotated, Judged, Mark};
use super::text::summary;
use crate::board::Side;
use crate::cli::chance::score_text;
use crate::cli::report::charts::{self, Spot};
use crate::cli::report::games::{Positions, script, viewer};
use crate::cli::report::page::document;

/// The page.
pub fn html(games: &[Annotated], limit: &str) -> Markup {
    let positions: Vec<Positions> =
        games.iter().map(|game| Positions { positions: game.positions.clone() }).collect();
    document(
        "Annotated games",
        &html! {
            header {
                h1 { "Annotated games" }
                p {
                    "Every turn judged by kisolo " (env!("CARGO_PKG_VERSION")) ", " (limit)
                    " a position. A turn that loses 5% of the chance of winning is an inaccuracy (?!), \
                     10% a mistake (?), 15% a blunder (??)."
                }
            }
            main {
                (viewer())
                @for (index, game) in games.iter().enumerate() { (one(game, index)) }
            }
            (script(&positions))
        },
    )
}

fn one(game: &Annotated, index: usize) -> Markup {
    let [south, north] = &game.players;
    html! {
        details name="game" data-game=(index) open[index == 0] {
            summary {
                bdi { (south) } " – " bdi { (north) } " " strong { (game.result) } " "
                span.dim { (game.reason) ", " (game.moves.len()) " moves, game " (game.game) }
            }
            @for (side, (name, own)) in Side::BOTH.iter().zip(game.players.iter().zip(&game.summaries)) {
                p { (side) ", " bdi { (name) } ": " (summary(own)) }
            }
            div.game {
                div.slot {}
                div { (charts::chances(game.moves.len(), &game.chances, &spots(game))) (moves(game)) }
            }
            p.dim { (game.profile) ", " bdi { (game.event) } ", " (game.date) }
        }
    }
}

/// The marked turns, where they led to.
fn spots(game: &Annotated) -> Vec<Spot> {
    let spot = |mv: &Judged| {
        let mark = mv.mark?;
        let at = game.chances.iter().find(|point| point.0 as usize == mv.ply)?;
        Some(Spot {
            at: *at,
            style: style(mark),
            title: format!("{}. {}{}: {}", mv.ply, mv.text, mark.sign(), mark.word()),
        })
    };
    game.moves.iter().filter_map(spot).collect()
}

/// The colour of a mark, a number of the style sheet: violet, orange, red.
const fn style(mark: Mark) -> usize {
    match mark {
        Mark::Inaccuracy => 4,
        Mark::Mistake => 3,
        Mark::Blunder => 2,
    }
}

fn moves(game: &Annotated) -> Markup {
    html! {
        ol.moves {
            @for mv in &game.moves {
                li data-ply=(mv.ply) title=(if mv.side == 'S' { Side::South } else { Side::North }) {
                    b { (mv.text) } " "
                    @if let Some(mark) = mv.mark { strong.note title=(mark.word()) { (mark.sign()) } " " }
                    span.dim {
                        @if let Some(after) = mv.after { (score_text(after.value)) }
                        @if let Some(best) = mv.best.as_ref().filter(|best| **best != mv.text) { " best " (best) }
                        @if mv.book { " book" }
                    }
                }
            }
        }
    }
}
