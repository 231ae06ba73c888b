//! Finding the strength of every level by games.
//!
//! A pool of players, levels of many strengths, the random mover and searches
//! of fixed depth, plays in this process. All games of all rounds are rated
//! together, with the random mover at [`LOWEST`]; through the ratings goes one
//! curve, and from it the strength of each level is read. The next round
//! plays with these, until every level lies within its tolerance.

mod curve;
mod play;
mod pool;
mod tally;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::levels::{LOWEST, Level, STEP, Strength};
use crate::rating::{Anchor, Crosstable, Outcome, RatingError, RatingOptions, Ratings};
use crate::rules::Game;
use crate::search::{STACK, Signals};
use crate::tt::OutOfMemory;

pub use curve::{Curve, Point};
pub use play::{Kind, Seats, mix};
pub use pool::{Contender, RANDOM, Unit, name, pool, schedule};
pub use tally::Tally;

/// The players of the first round, at even distances.
const PROBES: u32 = 20;
/// The first round has this part of the games of a later one: it only finds out
/// about where the levels are, with more strong players than there will be.
const PROBING: u32 = 4;

/// What a calibration depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The rules.
    pub profile: String,
    /// The seed of openings and players.
    pub seed: u64,
    /// Pairs of games between two weak players who meet, in a round after the
    /// first.
    pub pairs: u32,
    /// Pairs of games between any two players who meet.
    pub fewest: u32,
    /// The most rounds.
    pub rounds: usize,
    /// How far from its rating a level may be, in Elo.
    pub tolerance: f64,
    /// The most nodes of a level: what needs more is left out.
    pub most_nodes: u64,
    /// The levels are measured as they are, not changed.
    pub check: bool,
}

/// The results of a [`Unit`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Done {
    /// Games won by the first player, drawn, won by the second: those that
    /// the one player began, and those that the other did.
    counts: [[u64; 3]; 2],
    tallies: [Tally; 2],
}

/// A round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Round {
    pool: Vec<Contender>,
    /// Pairs of games between two weak players who meet.
    pairs: u32,
    /// Pairs of games between any two players who meet.
    fewest: u32,
    /// What has been played, by place in the schedule.
    done: BTreeMap<usize, Done>,
}

impl Round {
    /// A round with one `part`th of the games that the settings ask for.
    fn new(strengths: &[f64], settings: &Settings, part: u32) -> Self {
        let [pairs, fewest] = [settings.pairs, settings.fewest].map(|all| all.div_ceil(part));
        Self { pool: pool(strengths), pairs, fewest, done: BTreeMap::new() }
    }
}

/// A calibration: what is known so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// What it depends on.
    pub settings: Settings,
    /// The levels as they are now; empty before the first round has ended.
    pub levels: Vec<Level>,
    /// Whether there is nothing more to play.
    pub finished: bool,
    rounds: Vec<Round>,
}

impl Calibration {
    /// A calibration that has not begun; with `levels`, the measurement of
    /// these.
    pub fn new(settings: Settings, levels: Vec<Level>) -> Self {
        let most = Strength::of_nodes(settings.most_nodes).number();
        let probes: Vec<f64> =
            (0..=PROBES).map(|n| most * f64::from(n) / f64::from(PROBES)).collect();
        let first = if settings.check {
            Round::new(&pool::strengths(&levels), &settings, 1)
        } else {
            Round::new(&probes, &settings, PROBING)
        };
        Self { settings, levels, finished: false, rounds: vec![first] }
    }

    /// The number of the round that is played, from 1.
    pub const fn round(&self) -> usize {
        self.rounds.len()
    }

    /// Pairs of games of this round: those that were played, and all.
    pub fn progress(&self) -> [u64; 2] {
        let units = self.schedule();
        let sum = |units: &mut dyn Iterator<Item = &Unit>| -> u64 {
            units.map(|unit| u64::from(unit.pairs)).sum()
        };
        let done = &self.rounds[self.rounds.len() - 1].done;
        let played = &mut done.keys().filter_map(|&index| units.get(index));
        [sum(played), sum(&mut units.iter())]
    }

    fn schedule(&self) -> Vec<Unit> {
        schedule_of(&self.rounds[self.rounds.len() - 1])
    }

    /// Plays what is left of this round with `threads` threads. How the games
    /// go depends on the settings and the openings alone. `save` is called
    /// after every few games. Returns whether the round was played to its end.
    ///
    /// # Errors
    /// When there is no memory for the players, or `save` fails.
    pub fn play<E: From<OutOfMemory> + Send>(
        &mut self,
        openings: &[Game],
        threads: usize,
        signals: &Signals,
        save: impl FnMut(&Self) -> Result<(), E> + Send,
    ) -> Result<bool, E> {
        let units = self.schedule();
        let round = self.rounds.len();
        let left: Vec<usize> = {
            let done = &self.rounds[round - 1].done;
            (0..units.len()).filter(|index| !done.contains_key(index)).collect()
        };
        let pool = self.rounds[round - 1].pool.clone();
        let seed = self.settings.seed;
        let next = AtomicUsize::new(0);
        let shared = Mutex::new((self, save, Ok(())));
        let work = |mut seats: Seats| {
            while let Some(&index) = left.get(next.fetch_add(1, Relaxed)) {
                let seed = mix(&[seed, round as u64, index as u64]);
                let unit = units[index];
                let kinds = unit.players.map(|player| pool[player].kind);
                let Some(done) = played(&mut seats, unit, kinds, seed, openings, signals) else {
                    break;
                };
                let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let (state, save, result) = &mut *shared;
                state.rounds[round - 1].done.insert(index, done);
                if result.is_ok() {
                    *result = save(state);
                }
                if result.is_err() {
                    break;
                }
            }
        };
        let seats = (0..threads.max(1)).map(|_| Seats::new()).collect::<Result<Vec<_>, _>>()?;
        std::thread::scope(|scope| {
            for seats in seats {
                let thread = std::thread::Builder::new().stack_size(STACK);
                // One that the system does not give is done without.
                let _ = thread.spawn_scoped(scope, || work(seats));
            }
        });
        let (state, _, result) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        result?;
        Ok(state.rounds[round - 1].done.len() == units.len())
    }

    /// Every game so far.
    pub fn table(&self) -> Crosstable {
        let mut table = Crosstable::new();
        for round in &self.rounds {
            let units = schedule_of(round);
            for (&index, done) in &round.done {
                let Some(unit) = units.get(index) else { continue };
                let [one, other] = unit.players.map(|player| round.pool[player].name.as_str());
                for ((first, second), counts) in
                    [(one, other), (other, one)].into_iter().zip(done.counts)
                {
                    let outcomes = [Outcome::First, Outcome::Draw, Outcome::Second];
                    for (outcome, games) in outcomes.into_iter().zip(counts) {
                        table.add_many(first, second, outcome, games);
                    }
                }
            }
        }
        table
    }

    /// What each player gave away, by name.
    pub fn tallies(&self) -> BTreeMap<String, Tally> {
        let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
        for round in &self.rounds {
            let units = schedule_of(round);
            for (&index, done) in &round.done {
                let Some(unit) = units.get(index) else { continue };
                for (player, tally) in unit.players.into_iter().zip(&done.tallies) {
                    tallies.entry(round.pool[player].name.clone()).or_default().add(tally);
                }
            }
        }
        tallies
    }

    /// The ratings of all players by every game so far.
    ///
    /// # Errors
    /// When nothing has been played.
    pub fn ratings(&self) -> Result<Ratings, RatingError> {
        let anchor = Anchor { name: RANDOM.to_owned(), rating: f64::from(LOWEST) };
        Ratings::of(&self.table(), &RatingOptions { anchor: Some(anchor), ..Default::default() })
    }

    /// The rating as a function of the strength, by every game so far.
    ///
    /// # Errors
    /// When nothing has been played.
    pub fn curve(&self) -> Result<Curve, RatingError> {
        let ratings = self.ratings()?;
        let players = self.rounds.iter().flat_map(|round| &round.pool);
        let points: BTreeMap<String, Point> = players
            .filter_map(|player| match player.kind {
                Kind::Strength(strength) => {
                    let found = ratings.player(&player.name)?;
                    let weight = found.games as f64;
                    Some((player.name.clone(), Point { strength, rating: found.rating, weight }))
                }
                _ => None,
            })
            .collect();
        let points: Vec<Point> = points.into_values().collect();
        Ok(Curve::through(f64::from(LOWEST), &points))
    }

    /// Draws the conclusion of a round that was played: the levels, whether
    /// that was the last one, and if not, the next one. Returns how far the
    /// farthest level that was played is from its rating.
    ///
    /// # Errors
    /// When nothing has been played.
    pub fn conclude(&mut self) -> Result<f64, RatingError> {
        let curve = self.curve()?;
        let distance = |level: &Level| (curve.rating(level.strength) - f64::from(level.elo)).abs();
        let played = self.levels.iter().map(distance);
        let worst = played.fold(if self.levels.is_empty() { f64::INFINITY } else { 0.0 }, f64::max);
        if !self.settings.check {
            self.levels = levels(&curve, Strength::of_nodes(self.settings.most_nodes));
        }
        let near = worst <= self.settings.tolerance;
        self.finished = self.settings.check || near || self.rounds.len() >= self.settings.rounds;
        if !self.finished {
            self.rounds.push(Round::new(&pool::strengths(&self.levels), &self.settings, 1));
        }
        Ok(worst)
    }
}

fn schedule_of(round: &Round) -> Vec<Unit> {
    schedule(&round.pool, round.pairs, round.fewest)
}

/// The levels of a curve up to a strength.
fn levels(curve: &Curve, most: Strength) -> Vec<Level> {
    let top = curve.rating(most.number()).max(f64::from(LOWEST)) as u32;
    let level = |elo: u32| {
        let strength = if elo == LOWEST { 0.0 } else { curve.strength(f64::from(elo))? };
        // Enough digits to tell any two levels apart.
        let strength = (strength * 1e6).round() / 1e6;
        Some(Level { elo, strength, measured: None, error: None, games: 0 })
    };
    pool::ratings(top, STEP).filter_map(level).collect()
}

/// Plays a unit; `None` if it was stopped.
fn played(
    seats: &mut Seats,
    unit: Unit,
    [one, other]: [Kind; 2],
    seed: u64,
    openings: &[Game],
    signals: &Signals,
) -> Option<Done> {
    let mut done = Done { counts: [[0; 3]; 2], tallies: [Tally::default(); 2] };
    for pair in 0..u64::from(unit.pairs) {
        let opening = &openings[(mix(&[seed, pair]) % openings.len() as u64) as usize];
        for (game, kinds) in [[one, other], [other, one]].into_iter().enumerate() {
            let mut tallies = [Tally::default(); 2];
            let seed = mix(&[seed, pair, game as u64 + 1]);
            let outcome = seats.play(opening.clone(), kinds, seed, &mut tallies, signals)?;
            done.counts[game][outcome as usize] += 1;
            done.tallies[0].add(&tallies[game]);
            done.tallies[1].add(&tallies[1 - game]);
        }
    }
    Some(done)
}

#[cfg(test)]
mod tests;
