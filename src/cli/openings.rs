//! Openings: from files, or made at random and judged by a short search.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::arena::Opening;
use crate::board::Position;
use crate::rules::{Game, GameResult, Profile, with_rules};
use crate::search::{Limits, Request, Signals, search};
use crate::tt::Table;

/// The table of the judging search, in MiB.
const JUDGE_HASH_MIB: usize = 8;
/// Random lines that are tried for one opening before giving up.
const TRIES: u32 = 20_000;
/// How much further from even a score may be at half the depth.
const HALFWAY: i32 = 3;

/// How openings are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The rules.
    pub profile: Profile,
    /// The position that they begin with.
    pub start: Position,
    /// Random turns from there, beside set-ups.
    pub plies: u32,
    /// The depth of the judging search, in plies.
    pub depth: u32,
    /// The largest score either way, in centipawns.
    pub balance: i32,
}

/// Makes openings, each another position, for ever or until there seem to be
/// no more.
pub struct Maker {
    recipe: Recipe,
    rng: Xoshiro256PlusPlus,
    table: Table,
    seen: HashSet<u64>,
}

impl Maker {
    /// A maker whose openings depend on the recipe and the seed alone.
    ///
    /// # Errors
    /// When there is no memory for the judging search.
    pub fn new(recipe: Recipe, seed: u64) -> anyhow::Result<Self> {
        Ok(Self {
            recipe,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            table: Table::new(JUDGE_HASH_MIB)?,
            seen: HashSet::new(),
        })
    }

    /// A random line; `None` if it ends the game.
    fn random_line(&mut self) -> Option<(Game, Vec<String>)> {
        let Recipe { profile, start, plies, .. } = self.recipe;
        let mut game = Game::new(profile, start);
        let mut moves = Vec::new();
        game.play_random(plies, &mut self.rng, |position, mv| {
            moves.push(profile.move_text(position, mv));
        })?;
        Some((game, moves))
    }

    /// The score of a position that is even by a search to the full depth,
    /// from an empty table. Half the depth is enough to refuse what is far
    /// from even, which saves most of the time; it is even or odd as the full
    /// depth is, for who moves last in a line has the better of its score.
    fn judge(&mut self, position: &Position) -> Option<i32> {
        let Recipe { depth, balance, .. } = self.recipe;
        self.table.clear();
        let half = depth / 2 + (depth / 2 + depth) % 2;
        self.score(position, half, balance.saturating_mul(HALFWAY))?;
        self.score(position, depth, balance)
    }

    /// The score by a search to a depth, if it is within `balance` either way.
    fn score(&self, position: &Position, depth: u32, balance: i32) -> Option<i32> {
        let limits = Limits { depth: Some(depth.max(1)), ..Limits::default() };
        let request = Request::new(*position, limits);
        let found = with_rules!(self.recipe.profile, R => {
            search::<R>(&request, &self.table, &Signals::default(), &mut ())
        });
        found.map(|found| found.score).filter(|score| score.abs() <= balance)
    }
}

impl Iterator for Maker {
    type Item = (Opening, Position, i32);

    /// The next opening, the position it leads to, and its score for the side
    /// to move.
    fn next(&mut self) -> Option<Self::Item> {
        for _ in 0..TRIES {
            let Some((game, moves)) = self.random_line() else { continue };
            let position = *game.position();
            // What was refused once would be refused again.
            if !self.seen.insert(position.hash()) {
                continue;
            }
            let Some(score) = self.judge(&position) else { continue };
            return Some((Opening { start: self.recipe.start, moves }, position, score));
        }
        None
    }
}

/// Reads a file of openings: a line is a start position by name or a position
/// string, and may go on with `moves` and moves. `#` begins a comment.
///
/// # Errors
/// Names the line that is wrong.
pub fn read(profile: Profile, path: &Path) -> anyhow::Result<Vec<Opening>> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("openings {name}"))?;
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let opening = parse(profile, line).with_context(|| format!("{name} line {number}"))?;
        openings.push(opening);
    }
    if openings.is_empty() {
        bail!("{name}: no opening in it");
    }
    Ok(openings)
}

fn parse(profile: Profile, line: &str) -> anyhow::Result<Opening> {
    let (start, moves) = line.split_once("moves").unwrap_or((line, ""));
    let start = start.trim();
    let start = match profile.start(start) {
        Some(position) => position,
        None => profile.parse_position(start)?,
    };
    let mut game = Game::new(profile, start);
    for (number, text) in (1..).zip(moves.split_ascii_whitespace()) {
        profile
            .parse_move(game.position(), text)
            .and_then(|mv| game.play(mv))
            .with_context(|| format!("move {number}"))?;
    }
    if game.result() != GameResult::Ongoing {
        return Err(anyhow!("the game is over in this position"));
    }
    let moves = moves.split_ascii_whitespace().map(str::to_owned).collect();
    Ok(Opening { start, moves })
}

/// Puts openings into an order that depends on the seed alone.
pub fn shuffle(openings: &mut [Opening], seed: u64) {
    openings.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
}
