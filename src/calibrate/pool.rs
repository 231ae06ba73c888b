//! Who plays whom, and how often.

use serde::{Deserialize, Serialize};

use super::play::Kind;
use crate::levels::{LOWEST, Level, Strength};

/// The name of the random mover, by which the scale is anchored.
pub const RANDOM: &str = "random";
/// The depths of the anchors.
const DEPTHS: [u32; 4] = [1, 2, 4, 6];
/// How far apart in the order of strength players meet, and how often in
/// relation to each other. Those 300 to 500 Elo apart tell most of the whole
/// scale: nearer ones little of a step, farther ones little by a result that
/// is sure.
const DISTANCES: [(usize, f64); 6] = [(1, 0.6), (2, 0.6), (3, 1.0), (4, 1.2), (5, 1.0), (6, 0.6)];
/// Levels that the random mover meets.
const RANDOM_MEETS: usize = 6;
/// Every so many levels meet an anchor.
const ANCHOR_STRIDE: usize = 3;
/// How often they meet, in relation to neighbours.
const ANCHOR_SHARE: f64 = 0.3;
/// The nodes of a turn from which on players meet less often, since their
/// games take longer: what a game tells is worth its time.
const CHEAP: f64 = 300.0;
/// The most pairs of games that are played in one go.
const UNIT: u32 = 50;

/// A player of the pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contender {
    /// The name.
    pub name: String,
    /// How it plays.
    pub kind: Kind,
}

/// Pairs of games between two players, each pair one opening with sides
/// changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The two players, by their places in the pool.
    pub players: [usize; 2],
    /// How many pairs.
    pub pairs: u32,
}

/// The name of a player of a strength.
pub fn name(strength: f64) -> String {
    format!("x={strength:.6}")
}

/// A pool of players of these strengths, weakest first, the random mover and
/// the anchors.
pub fn pool(strengths: &[f64]) -> Vec<Contender> {
    let level = |&number: &f64| Contender { name: name(number), kind: Kind::Strength(number) };
    let random = Contender { name: RANDOM.to_owned(), kind: Kind::Random };
    let depth =
        |&depth: &u32| Contender { name: format!("depth={depth}"), kind: Kind::Depth(depth) };
    let others = DEPTHS.iter().map(depth);
    strengths.iter().map(level).chain([random]).chain(others).collect()
}

/// The strengths of these levels; players are told apart by them.
pub fn strengths(levels: &[Level]) -> Vec<f64> {
    levels.iter().map(|level| level.strength).collect()
}

/// All games of a pool, `pairs` being those of two weak players, and `fewest`
/// those of any two who meet.
pub fn schedule(pool: &[Contender], pairs: u32, fewest: u32) -> Vec<Unit> {
    let levels = pool.iter().filter(|player| matches!(player.kind, Kind::Strength(_))).count();
    let mut units = Vec::new();
    let mut meet = |one: usize, other: usize, share: f64| {
        let cost = (cost(pool[one].kind) + cost(pool[other].kind)) / 2.0;
        let affordable = (CHEAP / cost.max(CHEAP)).sqrt();
        let wanted = f64::from(pairs) * share * affordable;
        let mut left = wanted.round().max(f64::from(fewest)) as u32;
        while left > 0 {
            let pairs = left.min(UNIT);
            units.push(Unit { players: [one, other], pairs });
            left -= pairs;
        }
    };
    for (distance, share) in DISTANCES {
        (distance..levels).for_each(|upper| meet(upper - distance, upper, share));
    }
    for (index, player) in pool.iter().enumerate().skip(levels) {
        match player.kind {
            Kind::Random => (0..levels.min(RANDOM_MEETS)).for_each(|level| meet(level, index, 1.0)),
            _ => {
                let met = (index % ANCHOR_STRIDE..levels).step_by(ANCHOR_STRIDE);
                met.for_each(|level| meet(level, index, ANCHOR_SHARE));
            }
        }
    }
    units
}

/// About the nodes of a turn.
fn cost(kind: Kind) -> f64 {
    match kind {
        Kind::Random => 1.0,
        Kind::Strength(number) => Strength::new(number).nodes() as f64,
        // Two plies are about five times as many nodes.
        Kind::Depth(depth) => 10.0 * libm::pow(5.0, f64::from(depth) / 2.0),
    }
}

/// The ratings of a table's levels, from the lowest in steps.
pub fn ratings(highest: u32, step: u32) -> impl Iterator<Item = u32> {
    (LOWEST..=highest).step_by(step as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_plays_and_the_cheap_play_more() {
        let pool = pool(&[0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0]);
        let units = schedule(&pool, 100, 5);
        let games = |player: usize| -> u32 {
            units.iter().filter(|unit| unit.players.contains(&player)).map(|unit| unit.pairs).sum()
        };
        assert!((0..pool.len()).all(|player| games(player) >= 20));
        assert!(games(2) > games(6));
        assert!(units.iter().all(|unit| unit.pairs <= UNIT && unit.players[0] != unit.players[1]));
        assert_eq!(pool.iter().filter(|player| player.name == RANDOM).count(), 1);
    }
}
