//! What a calibration says.

use std::io::Write;

use super::{Arguments, judge};
use crate::calibrate::{Calibration, RANDOM, name};
use crate::levels::{Level, LevelTable, Strength};
use crate::rating::Ratings;
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

/// Prints the levels, and what they gave away; in a check also how well they
/// keep to their ratings.
pub fn print(out: &mut impl Write, state: &Calibration, found: &LevelTable) -> anyhow::Result<()> {
    let ratings = state.ratings()?;
    let tallies = state.tallies();
    writeln!(
        out,
        "level strength  nodes  measured      ±   games   loss spread  missed   against the next lower"
    )?;
    let mut below: Option<&Level> = None;
    for level in &found.levels {
        let nodes = Strength::new(level.strength).nodes();
        write!(out, "{:>5} {:>8.4} {nodes:>6}", level.elo, level.strength)?;
        if let (Some(measured), Some(error)) = (level.measured, level.error) {
            let tally = tallies.get(&name(level.strength)).copied().unwrap_or_default();
            write!(
                out,
                "  {measured:>8.1} {error:>6.1} {:>7}  {:>5.3} {:>6.3}  {:>5.1}%",
                level.games,
                tally.mean_loss(),
                tally.spread(),
                100.0 * tally.missed_share()
            )?;
            if let Some(below) = below {
                let [points, games] = meeting(state, level, below);
                write!(out, "   {:>5.1}% of {games:.0}", 100.0 * points / games.max(1.0))?;
            }
        }
        writeln!(out)?;
        below = Some(level);
    }
    others(out, &ratings)?;
    writeln!(out, "{} games in all", state.table().games())?;
    if state.settings.check { summary(out, found) } else { Ok(()) }
}

/// The points that a level made against another one, and the games.
fn meeting(state: &Calibration, level: &Level, other: &Level) -> [f64; 2] {
    let table = state.table();
    let [one, other] = [level, other].map(|level| name(level.strength));
    let [won, drawn, lost] = table.counts(&one, &other);
    let [other_won, other_drawn, other_lost] = table.counts(&other, &one);
    let points = (won + other_lost) as f64 + (drawn + other_drawn) as f64 / 2.0;
    [points, (won + drawn + lost + other_won + other_drawn + other_lost) as f64]
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
