//! The two ways to judge a position that is new to the tree, and to choose
//! among turns.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::params::{
    EXPLORATION, MINIMAX_WEIGHT, NET_PRIOR_SCALE, PLAYOUT_SEED, PLAYOUT_TURNS, PRIOR_SCALE, SQUASH,
    TEMPO, UCT_EXPLORATION,
};
use super::tree::{Node, ONE, Verdict};
use crate::board::Position;
use crate::eval::{CENTIPAWNS, Net, SEED, evaluate};
use crate::rules::{Outcome, Rules};

/// A way to judge leaves and to choose among turns.
pub trait Method: Send {
    /// Whether values come from the evaluation.
    const GUIDED: bool;

    /// The method as the thread with this number of a search uses it, with
    /// estimates of a network of this scale or of the seeds.
    fn new(thread: usize, scale: Option<u16>) -> Self;

    /// An estimate of a new position, in centipawns for the side to move.
    fn estimate<R: Rules>(&self, net: Option<&Net>, position: &Position) -> i32;

    /// The value of a new position to its side to move, from 0 to `ONE`.
    /// `verdict` is that on the position, by the estimates behind its turns.
    fn value<R: Rules>(&mut self, position: &Position, verdict: Verdict) -> u32;

    /// How promising a turn looks beside others, from its score.
    fn promise(&self, score: i32) -> f32;

    /// How much turns are worth a visit that have been seen less often than
    /// others, in a node with so many visits.
    fn exploration(&self, visits: u32) -> f32;

    /// How much a turn is worth a visit.
    fn urgency(&self, child: &Node, exploration: f32) -> f32;
}

/// Evaluations, squashed to a probability of winning, as values of the tree
/// and to say which turns are tried first (PUCT). A node is judged by the
/// mean of its visits and by the best evaluation below it ("implicit minimax
/// backups", Lanctot and others, 2014).
pub struct Guided {
    /// The evaluation that makes a turn e times as promising.
    prior_scale: f32,
    squash: Box<[f32; SQUASHED]>,
}

/// Centipawns that share an entry of the squashing table.
const SQUASH_STEP: i32 = 8;
/// The largest score that is looked up in it.
const SQUASH_LAST: i32 = 4096;
const SQUASHED: usize = (2 * SQUASH_LAST / SQUASH_STEP) as usize + 1;

impl Guided {
    #[inline(always)]
    fn squashed(&self, score: i32) -> f32 {
        let score = score.clamp(-SQUASH_LAST, SQUASH_LAST);
        self.squash[((score + SQUASH_LAST) / SQUASH_STEP) as usize]
    }
}

impl Method for Guided {
    const GUIDED: bool = true;

    fn new(_: usize, scale: Option<u16>) -> Self {
        let (squash, prior_scale) = scale.map_or((SQUASH, PRIOR_SCALE), |scale| {
            let scale = f32::from(scale);
            (scale, scale * NET_PRIOR_SCALE)
        });
        let entry = |index| {
            let score = index as i32 * SQUASH_STEP - SQUASH_LAST;
            1.0 / (1.0 + libm::expf(-score as f32 / squash))
        };
        Self { prior_scale, squash: Box::new(std::array::from_fn(entry)) }
    }

    #[inline(always)]
    fn estimate<R: Rules>(&self, net: Option<&Net>, position: &Position) -> i32 {
        net.map_or_else(|| evaluate::<R>(position) + TEMPO, |net| net.evaluate::<R>(position))
    }

    #[inline(always)]
    fn value<R: Rules>(&mut self, _: &Position, verdict: Verdict) -> u32 {
        (self.squashed(verdict.score) * ONE as f32) as u32
    }

    #[inline(always)]
    fn promise(&self, score: i32) -> f32 {
        libm::expf(score.clamp(-SQUASH_LAST, SQUASH_LAST) as f32 / self.prior_scale)
    }

    #[inline(always)]
    fn exploration(&self, visits: u32) -> f32 {
        EXPLORATION * (visits as f32).sqrt()
    }

    #[inline(always)]
    fn urgency(&self, child: &Node, exploration: f32) -> f32 {
        let best = self.squashed(-child.verdict().score);
        let mean = child.mean().unwrap_or(best);
        let worth = mean + MINIMAX_WEIGHT * (best - mean);
        worth + exploration * child.prior() / (1 + child.visits()) as f32
    }
}

/// Random games to the end, and the upper confidence bound of their results
/// (UCT): the plain baseline.
pub struct Plain {
    rng: Xoshiro256PlusPlus,
}

impl Plain {
    /// The result of a random game, in [`ONE`]s for the side to move.
    fn playout<R: Rules>(&mut self, position: &Position) -> u32 {
        let mut position = *position;
        for ply in 0..PLAYOUT_TURNS {
            let node = R::node(&position);
            let mut legal = node.legal;
            let chosen = self.rng.random_range(0..legal.len());
            let Some(pit) = legal.nth(chosen) else { break };
            let turn = R::play(&node, pit);
            let mover_is_first = ply % 2 == 0;
            match turn.outcome {
                Outcome::Ongoing => position = turn.after,
                Outcome::Draw => break,
                Outcome::Win => return if mover_is_first { ONE } else { 0 },
                Outcome::Loss => return if mover_is_first { 0 } else { ONE },
            }
        }
        ONE / 2
    }
}

impl Method for Plain {
    const GUIDED: bool = false;

    fn new(thread: usize, _: Option<u16>) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(PLAYOUT_SEED + thread as u64) }
    }

    fn estimate<R: Rules>(&self, _: Option<&Net>, _: &Position) -> i32 {
        0
    }

    fn value<R: Rules>(&mut self, position: &Position, _: Verdict) -> u32 {
        self.playout::<R>(position)
    }

    fn promise(&self, _: i32) -> f32 {
        1.0
    }

    fn exploration(&self, visits: u32) -> f32 {
        UCT_EXPLORATION * libm::logf(visits as f32).max(0.0).sqrt()
    }

    #[inline(always)]
    fn urgency(&self, child: &Node, exploration: f32) -> f32 {
        let visits = child.visits() as f32;
        child.mean().map_or(f32::INFINITY, |mean| mean + exploration / visits.sqrt())
    }
}

/// The score in centipawns that stands for a probability of winning, on the
/// scale of the networks.
pub fn score_of<R: Rules>(probability: f32) -> i32 {
    let most = SEED * R::SEEDS as i32;
    let odds = probability / (1.0 - probability).max(f32::MIN_POSITIVE);
    let score = (libm::logf(odds.max(f32::MIN_POSITIVE)) * f32::from(CENTIPAWNS)) as i32;
    score.clamp(-most, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Kisolo, Profile};

    #[test]
    fn scores_come_back_from_probabilities() {
        let guided = Guided::new(0, Some(CENTIPAWNS));
        for score in [-900, -200, 0, 40, 800] {
            let back = score_of::<Kisolo>(guided.squashed(score));
            assert!((back - score).abs() < 2 * SQUASH_STEP, "{score}: {back}");
        }
        assert_eq!(score_of::<Kisolo>(1.0), 4200);
        assert_eq!(score_of::<Kisolo>(0.0), -4200);
        assert_eq!(guided.squashed(30_000), guided.squashed(SQUASH_LAST));
    }

    #[test]
    fn random_games_are_won_and_lost() {
        let mut plain = Plain::new(0, None);
        let start = Profile::Kisolo.start_position();
        let results: Vec<u32> = (0..200).map(|_| plain.playout::<Kisolo>(&start)).collect();
        for result in [0, ONE] {
            assert!(results.iter().filter(|&&r| r == result).count() > 50);
        }
    }
}
