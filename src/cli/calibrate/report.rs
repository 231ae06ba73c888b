//! What a calibration says.

use std::io::Write;

use super::{Arguments, judge};
use crate::calibrate::{Calibration, RANDOM, Tally, name};
use crate::levels::{Level, LevelTable, Strength};
use crate::rating::{Crosstable, Ratings};
use crate::rules::Profile;

/// The table as it is known now.
pub fn table(
    arguments: &Arguments,
    state: &Calibration,
    before: &LevelTable,
    profile: Profile,
) -> anyhow::Result<LevelTable> {
    if !state.settings.check {
        return Ok(LevelTable {
            profile: profile.to_string(),
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            commit: arguments.commit.clone(),
            net: judge(profile),
            seed: state.settings.seed,
            games: state.table().games(),
            check_seed: None,
            levels: state.levels.clone(),
        });
    }
    let ratings = state.ratings()?;
    let measure = |level: &Level| {
        let player = ratings.player(&name(level.strength));
        Level {
            measured: player.map(|player| tenth(player.rating)),
            error: player.map(|player| tenth(player.error)),
            games: player.map_or(0, |player| player.games),
            ..*level
        }
    };
    let levels = before.levels.iter().map(measure).collect();
    Ok(LevelTable { check_seed: Some(state.settings.seed), levels, ..before.clone() })
}

fn tenth(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// A level with all that was counted.
struct Row {
    level: Level,
    nodes: u64,
    tally: Tally,
    /// The points against the next lower level, and the games.
    below: Option<[f64; 2]>,
}

impl Row {
    /// The words after the level: nodes, what was measured, what was given
    /// away, the share of points against the next lower one.
    fn cells(&self) -> [String; 8] {
        if self.level.games == 0 {
            // Nothing but what it is has been measured.
            let mut cells = [const { String::new() }; 8];
            cells[0] = self.nodes.to_string();
            return cells;
        }
        let number = |value: Option<f64>| value.map_or_else(String::new, |v| format!("{v:.1}"));
        let share = |[points, games]: [f64; 2]| format!("{:.1}%", 100.0 * points / games.max(1.0));
        [
            self.nodes.to_string(),
            number(self.level.measured),
            number(self.level.error),
            self.level.games.to_string(),
            format!("{:.3}", self.tally.mean_loss()),
            format!("{:.3}", self.tally.spread()),
            format!("{:.1}%", 100.0 * self.tally.missed_share()),
            self.below.map_or_else(String::new, share),
        ]
    }
}

/// The headings of [`Row::cells`].
const HEADINGS: [&str; 8] =
    ["nodes", "measured", "±", "games", "loss", "spread", "missed", "below"];

fn rows(state: &Calibration, found: &LevelTable) -> Vec<Row> {
    let tallies = state.tallies();
    let table = state.table();
    let row = |(index, level): (usize, &Level)| Row {
        level: *level,
        nodes: Strength::new(level.strength).nodes(),
        tally: tallies.get(&name(level.strength)).copied().unwrap_or_default(),
        below: index.checked_sub(1).map(|below| meeting(&table, level, &found.levels[below])),
    };
    found.levels.iter().enumerate().map(row).collect()
}

/// The points that a level made against another one, and the games.
fn meeting(table: &Crosstable, level: &Level, other: &Level) -> [f64; 2] {
    let [one, other] = [level, other].map(|level| name(level.strength));
    let [won, drawn, lost] = table.counts(&one, &other);
    let [other_won, other_drawn, other_lost] = table.counts(&other, &one);
    let points = (won + other_lost) as f64 + (drawn + other_drawn) as f64 / 2.0;
    [points, (won + drawn + lost + other_won + other_drawn + other_lost) as f64]
}

/// Prints the levels, and what they gave away; in a check also how well they
/// keep to their ratings.
pub fn print(out: &mut impl Write, state: &Calibration, found: &LevelTable) -> anyhow::Result<()> {
    write!(out, "level strength")?;
    HEADINGS.iter().try_for_each(|heading| write!(out, " {heading:>8}"))?;
    writeln!(out)?;
    for row in rows(state, found) {
        write!(out, "{:>5} {:>8.4}", row.level.elo, row.level.strength)?;
        row.cells().iter().try_for_each(|cell| write!(out, " {cell:>8}"))?;
        writeln!(out)?;
    }
    others(out, &state.ratings()?)?;
    writeln!(out, "{} games in all", state.table().games())?;
    if state.settings.check { summary(out, found) } else { Ok(()) }
}

/// The measurement as a page of Markdown, beside the picture of that name.
pub fn page(state: &Calibration, found: &LevelTable, plot: &str) -> anyhow::Result<String> {
    let mut text = Vec::new();
    let profile = &found.profile;
    writeln!(text, "# Levels of {profile}\n")?;
    writeln!(
        text,
        "Strengths from {} games of seed {} (version {}, commit {}, {}); measured by {} other \
         games of seed {}. What the columns mean: [LEVELS.md](../LEVELS.md).\n",
        found.games,
        found.seed,
        found.engine,
        if found.commit.is_empty() { "not told" } else { &found.commit },
        found.net,
        state.table().games(),
        state.settings.seed
    )?;
    writeln!(text, "![measured against nominal]({plot})\n\n```")?;
    print(&mut text, state, found)?;
    writeln!(text, "```")?;
    Ok(String::from_utf8(text)?)
}

/// The players that are no levels.
fn others(out: &mut impl Write, ratings: &Ratings) -> anyhow::Result<()> {
    for player in ratings.players.iter().rev() {
        if player.name == RANDOM || player.name.starts_with("depth=") {
            let (name, rating, error) = (&player.name, player.rating, player.error);
            writeln!(out, "{name:<8} {rating:>7.1} ± {error:.1}, {} games", player.games)?;
        }
    }
    Ok(())
}

/// How far measured and nominal ratings are apart.
fn summary(out: &mut impl Write, found: &LevelTable) -> anyhow::Result<()> {
    let apart = |level: &Level| Some((level.measured? - f64::from(level.elo)).abs());
    let all: Vec<f64> = found.levels.iter().filter_map(apart).collect();
    let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
    let worst = all.iter().copied().fold(0.0, f64::max);
    let fewest = found.levels.iter().map(|level| level.games).min().unwrap_or(0);
    writeln!(
        out,
        "measured against nominal: mean difference {mean:.1}, worst {worst:.1} Elo; \
         at least {fewest} games a level"
    )?;
    Ok(())
}
