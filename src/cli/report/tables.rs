//! The tables of the report.

use maud::{Markup, html};

use super::data::{Data, Opening, OpeningGames, mean};
use crate::cli::standings;
use crate::rating::{Games, Player, Ratings, Summary};
use crate::record::Reason;
use crate::rules::Profile;

/// Players in the cross table; more make it unreadable.
pub const MOST_CROSSED: usize = 40;
/// Openings that are listed.
const MOST_OPENINGS: usize = 100;

pub fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// Points over games, as `34.5`.
fn points(games: &Games) -> String {
    format!("{}", games.wins as f64 + games.draws as f64 / 2.0)
}

/// A table that scrolls on its own where it is wider than the page.
fn scrolling(label: &str, table: &Markup) -> Markup {
    html! { div.scroll role="region" aria-label=(label) tabindex="0" { (table) } }
}

/// The rating list.
pub fn ratings(ratings: &Ratings) -> Markup {
    let table = html! {
        table {
            thead { tr {
                th { "Rank" } th.left { "Player" } th { "Rating" } th { "± 95%" } th { "Games" }
                th { "Score" } th { "Drawn" } th title="Likelihood of superiority" { "Above the next" }
            } }
            tbody { @for (index, player) in ratings.players.iter().enumerate() {
                tr {
                    td { (index + 1) } th.left scope="row" { bdi { (player.name) } }
                    td { (format!("{:.1}", player.rating)) } td { (format!("{:.1}", player.error)) }
                    td { (player.games) } td { (percent(player.score)) }
                    td { (percent(player.draws as f64 / player.games.max(1) as f64)) }
                    td { @if index + 1 < ratings.players.len() { (percent(ratings.los(index, index + 1))) } }
                }
            } }
        }
    };
    scrolling("Rating list", &table)
}

/// Everyone's points against everyone.
pub fn cross(data: &Data, ratings: &Ratings) -> Markup {
    let players = &ratings.players[..ratings.players.len().min(MOST_CROSSED)];
    let table = html! {
        table.cross {
            thead { tr {
                th { "" } th.left { "Player" }
                @for rank in 1..=players.len() { th { (rank) } }
                th { "Points" } th { "Games" }
            } }
            tbody { @for (index, player) in players.iter().enumerate() {
                tr {
                    td { (index + 1) } th.left scope="row" { bdi { (player.name) } }
                    @for opponent in players { (cell(data, player, opponent)) }
                    @let line = &data.tally.players[&player.name];
                    td { strong { (points(&line.games)) } } td { (line.games.total()) }
                }
            } }
        }
    };
    html! {
        p.dim { "Points of the row's player against the column's, by rank; beneath, games won, drawn and lost." }
        (scrolling("Cross table", &table))
        @if ratings.players.len() > MOST_CROSSED {
            p.note { "The first " (MOST_CROSSED) " of " (ratings.players.len()) " players." }
        }
    }
}

fn cell(data: &Data, player: &Player, opponent: &Player) -> Markup {
    if player.name == opponent.name {
        return html! { td.self { "–" } };
    }
    let (games, _) = data.tally.meeting(&player.name, &opponent.name);
    html! {
        td {
            @if games.total() > 0 {
                (points(&games)) "/" (games.total())
                br; span.dim { "+" (games.wins) " =" (games.draws) " −" (games.losses) }
            }
        }
    }
}

/// Games by how they began.
pub fn openings(data: &Data) -> Markup {
    let mut openings: Vec<(&Opening, &OpeningGames)> = data.openings.iter().collect();
    openings.sort_by(|a, b| {
        let order = |(opening, games): &(&Opening, &OpeningGames)| {
            (std::cmp::Reverse(games.games.total()), games.number, (*opening).clone())
        };
        order(a).cmp(&order(b))
    });
    let total = openings.len();
    let lopsided = openings
        .iter()
        .filter(|(_, games)| games.games.wins.max(games.games.losses) == games.games.total())
        .count();
    openings.truncate(MOST_OPENINGS);
    let table = html! {
        table {
            thead { tr {
                th { "No." } th.left { "Begins with" } th { "Games" } th { "South won" } th { "Drawn" }
                th { "North won" } th { "South's score" }
            } }
            tbody { @for (opening, OpeningGames { number, games }) in openings {
                tr {
                    td { (number) } td.left.long { (start_name(opening)) " " (opening.moves) }
                    td { (games.total()) } td { (games.wins) } td { (games.draws) } td { (games.losses) }
                    td { (percent(Summary::of(&games.sample()).score)) }
                }
            } }
        }
    };
    html! {
        p { (total) " openings; in " (lopsided) " of them the same side won every game." }
        (scrolling("Openings", &table))
        @if total > MOST_OPENINGS {
            p.note { "The " (MOST_OPENINGS) " with the most games; the other " (total - MOST_OPENINGS) " are left out." }
        }
    }
}

/// The name of a start position, or the position string.
fn start_name(opening: &Opening) -> String {
    let named = opening.profile.parse().ok().and_then(|profile: Profile| {
        profile.start_names().iter().find(|name| {
            let start = profile.start(name).map(|start| profile.position_text(&start));
            start.as_deref() == Some(opening.start.as_str())
        })
    });
    named.map_or_else(|| opening.start.clone(), |&name| name.to_owned())
}

/// Why games ended, and who ended them by a fault.
pub fn terminations(data: &Data) -> Markup {
    let total = data.tally.games().max(1) as f64;
    let faulty: Vec<_> =
        data.tally.players.iter().filter(|(_, line)| line.times + line.faults > 0).collect();
    let table = html! {
        table {
            thead { tr { th.left { "End" } th.left { "Meaning" } th { "Games" } th { "Share" } } }
            tbody { @for (&reason, &count) in &data.tally.reasons {
                tr {
                    th.left scope="row" { (reason.word()) } td.left.long { (meaning(reason)) }
                    td { (count) } td { (percent(count as f64 / total)) }
                }
            } }
        }
    };
    let faults = html! {
        table {
            thead { tr { th.left { "Player" } th { "Lost on time" } th { "Lost by other faults" } th { "Games" } } }
            tbody { @for (name, line) in &faulty {
                tr {
                    th.left scope="row" { bdi { (name) } } td { (line.times) } td { (line.faults) }
                    td { (line.games.total()) }
                }
            } }
        }
    };
    html! {
        (scrolling("Ends of games", &table))
        @if faulty.is_empty() {
            p { "No game was lost on time or by a fault of an engine." }
        } @else {
            (scrolling("Faults", &faults))
        }
    }
}

const fn meaning(reason: Reason) -> &'static str {
    match reason {
        Reason::Rules => "decided by the rules",
        Reason::EndlessTurn => "an endless turn, a draw by the rules",
        Reason::Repetition => "adjudicated: a position for the third time",
        Reason::TurnLimit => "adjudicated: the limit of moves",
        Reason::DrawByScore => "adjudicated: both saw an even game for long",
        Reason::ResignByScore => "adjudicated: the loser saw a lost game for long",
        Reason::Resignation => "the loser resigned",
        Reason::Unfinished => "not played to the end",
        Reason::DrawAgreed => "the players agreed on a draw",
        Reason::IllegalMove => "the loser made an illegal move",
        Reason::Time => "the loser's time ran out",
        Reason::Crash => "the loser's engine ended",
        Reason::NoAnswer => "the loser's engine did not answer",
        Reason::NoStart => "the loser's engine did not start",
    }
}

/// Who played, with which settings.
pub fn engines(data: &Data) -> Markup {
    let table = html! {
        table {
            thead { tr {
                th.left { "Player" } th.left { "Engine" } th.left { "Limit" } th.left { "Options" } th { "Games" }
            } }
            tbody { @for (setting, count) in &data.settings {
                tr {
                    th.left scope="row" { bdi { (setting.player) } } td.left { (setting.engine) }
                    td.left { (setting.limit) }
                    td.left.long { @for (name, value) in &setting.options { code { (name) "=" (value) } " " } }
                    td { (count) }
                }
            } }
        }
    };
    scrolling("Engines", &table)
}

/// What the players' moves took.
pub fn effort(data: &Data, ratings: &Ratings) -> Markup {
    let shown = |value: Option<f64>, digits: usize| {
        value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
    };
    let table = html! {
        table {
            thead { tr {
                th.left { "Player" } th { "Moves" } th { "ms a move" } th { "Nodes a move" } th { "Depth" }
                th { "Mnodes/s" }
            } }
            tbody { @for player in &ratings.players {
                @let effort = data.effort.get(&player.name).copied().unwrap_or_default();
                @let speed = (effort.nodes.1 > 0 && effort.ms.0 > 0)
                    .then(|| effort.nodes.0 as f64 / effort.ms.0 as f64 / 1e3);
                tr {
                    th.left scope="row" { bdi { (player.name) } } td { (effort.moves) }
                    td { (shown(mean(effort.ms), 1)) } td { (shown(mean(effort.nodes), 0)) }
                    td { (shown(mean(effort.depth), 1)) } td { (shown(speed, 2)) }
                }
            } }
        }
    };
    html! {
        p.dim { "Averages over the moves that players chose, as far as they told: depth in plies, time by the arena's clock." }
        (scrolling("Time, nodes and depth", &table))
    }
}

/// What moving first was worth, by profile of all games.
pub fn first_player(data: &Data, ratings: &Ratings) -> Markup {
    let first = &data.tally.first;
    let summary = Summary::of(&first.sample());
    let advantage = ratings.advantage;
    html! {
        p {
            "South, who begins, scored " strong { (percent(summary.score)) } " in " (first.total())
            " games, which is " (standings::elo(&summary)) " Elo. With the strength of the players taken into \
             account its advantage is " strong { (format!("{:+.1} ± {:.1} Elo", advantage.value, advantage.error)) }
            ". Games drawn: " (percent(first.draw_rate())) "."
        }
        (super::charts::shares(
            "Games won by South, drawn, and won by North",
            &[("South won", first.wins), ("drawn", first.draws), ("North won", first.losses)],
        ))
    }
}
