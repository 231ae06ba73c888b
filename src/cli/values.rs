//! Values on the command line.

use std::time::Duration;

use anyhow::{Context, bail};

use crate::arena::{DrawRule, ResignRule};
use crate::rating::{Sprt, SprtModel};

/// Parts of a schedule.
const MOST_SHARDS: u64 = 1_000_000;

/// A time above 0 in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .filter(|seconds: &f64| *seconds > 0.0)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "a number of seconds above 0 is needed".to_owned())
}

/// A part of a schedule, as I/N.
pub fn shard(text: &str) -> Result<(u64, u64), String> {
    text.split_once('/')
        .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)))
        .filter(|(i, n)| (1..=*n).contains(i) && *n <= MOST_SHARDS)
        .ok_or_else(|| format!("a part is I/N with I from 1 to N, N at most {MOST_SHARDS}"))
}

/// A name without control characters.
pub fn one_line(text: &str) -> Result<String, String> {
    if text.contains(char::is_control) {
        return Err("a name is one line".to_owned());
    }
    Ok(text.to_owned())
}

fn numbers<const N: usize>(text: &str) -> Option<[i32; N]> {
    let numbers: Option<Vec<i32>> =
        text.split(',').map(|number| number.parse().ok().filter(|&n| n >= 0)).collect();
    numbers?.try_into().ok()
}

/// A rule for draws, as MOVES,SCORE,AFTER.
pub fn draw_rule(text: &str) -> Result<DrawRule, String> {
    let [moves, score, after] = numbers(text).ok_or("three numbers, MOVES,SCORE,AFTER")?;
    Ok(DrawRule { moves: moves.unsigned_abs().max(1), score, after: after.unsigned_abs() as usize })
}

/// A rule for losses, as MOVES,SCORE.
pub fn resign_rule(text: &str) -> Result<ResignRule, String> {
    let [moves, score] = numbers(text).ok_or("two numbers, MOVES,SCORE")?;
    Ok(ResignRule { moves: moves.unsigned_abs().max(1), score })
}

/// A test from `KEY=VALUE` words.
///
/// # Errors
/// Names the word that is wrong.
pub fn sprt(words: &[String]) -> anyhow::Result<Option<Sprt>> {
    if words.is_empty() {
        return Ok(None);
    }
    let (mut elo0, mut elo1, mut alpha, mut beta) = (0.0, 5.0, 0.05, 0.05);
    let mut model = SprtModel::default();
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let number = || value.parse().with_context(|| format!("--sprt {word}: no number"));
        match key {
            "elo0" => elo0 = number()?,
            "elo1" => elo1 = number()?,
            "alpha" => alpha = number()?,
            "beta" => beta = number()?,
            "model" => model = value.parse()?,
            _ => bail!("--sprt {word}: the keys are elo0, elo1, alpha, beta and model"),
        }
    }
    Ok(Some(Sprt::new(elo0, elo1, alpha, beta, model)?))
}
