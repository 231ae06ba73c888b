//! The state of a match in words and figures.

use std::fmt::Write;

use crate::arena::Tally;
use crate::rating::{Games, Pairs, Sprt, Summary, Verdict};

/// `12.3 ± 4.5`, with the ends of the interval where it is lopsided.
pub fn elo(summary: &Summary) -> String {
    if summary.elo_error.is_finite() && summary.elo.is_finite() {
        format!("{:+.1} ± {:.1}", summary.elo, summary.elo_error)
    } else {
        format!("{:+.0} ({:+.0} to {:+.0})", summary.elo, summary.elo_low, summary.elo_high)
    }
}

/// The sample that a verdict rests on: pairs where all games are paired.
pub fn summary(games: &Games, pairs: &Pairs) -> Summary {
    if pairs.total() > 0 && games.total() == 2 * pairs.total() {
        Summary::of(&pairs.sample())
    } else {
        Summary::of(&games.sample())
    }
}

/// The log-likelihood ratio of a test and what it says. Pairs are counted
/// whole; a game without its partner waits.
pub fn sprt(test: &Sprt, games: &Games, pairs: &Pairs, paired: bool) -> (f64, Verdict) {
    let llr = test.llr(&if paired { pairs.sample() } else { games.sample() });
    (llr, test.verdict(llr))
}

/// One line for a match of two: the first against the second.
pub fn head_to_head(tally: &Tally, a: &str, b: &str, test: Option<&Sprt>, paired: bool) -> String {
    let (games, pairs) = tally.meeting(a, b);
    let summary = summary(&games, &pairs);
    let mut text = format!(
        "{a} against {b}: +{} ={} -{}  Elo {}  LOS {:.1}%",
        games.wins,
        games.draws,
        games.losses,
        elo(&summary),
        100.0 * summary.los
    );
    if let Some(test) = test {
        let (llr, _) = sprt(test, &games, &pairs, paired);
        let (low, high) = test.bounds();
        let _ = write!(text, "  LLR {llr:.2} ({low:.2} to {high:.2})");
    }
    text
}

/// The whole state: a line for each player, then what the games have in
/// common.
pub fn table(tally: &Tally, names: &[String]) -> String {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut rows: Vec<(f64, String)> = names
        .iter()
        .filter_map(|name| {
            let line = tally.players.get(name)?;
            let games = &line.games;
            let points = games.wins as f64 + games.draws as f64 / 2.0;
            let summary = Summary::of(&games.sample());
            let speed = line.nodes as f64 / (line.ms.max(1) as f64) / 1e3;
            let depth = line.ms as f64 / line.moves.max(1) as f64;
            let row = format!(
                "{name:width$} {:>6} {:>6} {:>6} {:>6} {points:>8.1} {:>6.1}%  {:>18} {speed:>8.2} \
                 {depth:>8.1} {:>5} {:>6}",
                games.total(),
                games.wins,
                games.draws,
                games.losses,
                100.0 * points / games.total().max(1) as f64,
                elo(&summary),
                line.times,
                line.faults
            );
            Some((summary.score, row))
        })
        .collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut text = format!(
        "{:width$} {:>6} {:>6} {:>6} {:>6} {:>8} {:>7}  {:>18} {:>8} {:>8} {:>5} {:>6}",
        "player",
        "games",
        "won",
        "drawn",
        "lost",
        "points",
        "score",
        "Elo, 95%",
        "Mnps",
        "ms/move",
        "time",
        "faults"
    );
    for (_, row) in rows {
        let _ = write!(text, "\n{row}");
    }
    let games = tally.games().max(1) as f64;
    let south = Summary::of(&tally.first.sample());
    let ends: Vec<String> =
        tally.reasons.iter().map(|(reason, count)| format!("{} {count}", reason.word())).collect();
    let _ = write!(
        text,
        "\nSouth, who begins: +{} ={} -{}, {:.1}%, Elo {}\nmoves a game {:.1}, drawn {:.1}%; ends: {}",
        tally.first.wins,
        tally.first.draws,
        tally.first.losses,
        100.0 * south.score,
        elo(&south),
        tally.plies as f64 / games,
        100.0 * tally.first.draw_rate(),
        ends.join(", ")
    );
    text
}

/// What the pairs of a match of two say.
pub fn pairs_line(pairs: &Pairs) -> String {
    let [ll, ld, dd, wd, ww] = pairs.0;
    let summary = Summary::of(&pairs.sample());
    format!(
        "pairs LL {ll}, LD {ld}, DD or WL {dd}, WD {wd}, WW {ww}; normalised Elo {:+.1} ± {:.1}",
        summary.nelo, summary.nelo_error
    )
}
