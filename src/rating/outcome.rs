//! Results of games, and how often each occurred.

use serde::{Deserialize, Serialize};

/// How a game ended, by seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The player who moved first won.
    First,
    /// Nobody won.
    Draw,
    /// The player who moved second won.
    Second,
}

impl Outcome {
    /// What the first player made of the game.
    pub const fn for_first(self) -> Score {
        match self {
            Outcome::First => Score::Win,
            Outcome::Draw => Score::Draw,
            Outcome::Second => Score::Loss,
        }
    }

    /// What the second player made of the game.
    pub const fn for_second(self) -> Score {
        match self {
            Outcome::First => Score::Loss,
            Outcome::Draw => Score::Draw,
            Outcome::Second => Score::Win,
        }
    }
}

/// How a game ended for one of the players. The discriminant is the number of
/// half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// One point.
    Win,
}

/// Numbers of games by what one player made of them (the trinomial counts).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Games {
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games won.
    pub wins: u64,
}

impl Games {
    /// Counts one more game.
    pub fn add(&mut self, score: Score) {
        match score {
            Score::Loss => self.losses += 1,
            Score::Draw => self.draws += 1,
            Score::Win => self.wins += 1,
        }
    }

    /// The number of games.
    pub const fn total(&self) -> u64 {
        self.losses + self.draws + self.wins
    }

    /// The share of drawn games, from 0 to 1; 0 without games.
    pub fn draw_rate(&self) -> f64 {
        self.draws as f64 / self.total().max(1) as f64
    }

    /// The counts as a sample of scores.
    pub fn sample(&self) -> Sample {
        Sample::new(&[self.losses, self.draws, self.wins], 1)
    }
}

/// Numbers of pairs of games by what one player made of them (the pentanomial
/// counts): `[LL, LD, DD + WL, WD, WW]`, so that the index is the number of
/// half points. The two games of a pair share their opening, with the sides
/// changed; that they depend on each other is why pairs are counted whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Counts one more pair, given the same player's score in both games.
    pub fn add(&mut self, one: Score, other: Score) {
        self.0[one as usize + other as usize] += 1;
    }

    /// The number of pairs.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The counts as a sample of scores.
    pub fn sample(&self) -> Sample {
        Sample::new(&self.0, 2)
    }
}

/// Observed scores of single games or of pairs, as the statistics want them:
/// outcome `i` of `k` is worth `i / (k - 1)` points a game and was seen
/// `counts[i]` times. Made by [`Games::sample`] and [`Pairs::sample`].
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    counts: Vec<f64>,
    games_each: u32,
}

impl Sample {
    fn new(counts: &[u64], games_each: u32) -> Self {
        Sample { counts: counts.iter().map(|&n| n as f64).collect(), games_each }
    }

    /// How often each outcome occurred, the worst first.
    pub fn counts(&self) -> &[f64] {
        &self.counts
    }

    /// The number of observations: of games, or of pairs.
    pub fn size(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Games in one observation: 1, or 2 for pairs.
    pub const fn games_each(&self) -> u32 {
        self.games_each
    }

    /// The points a game, from 0 to 1, that each outcome is worth, the worst
    /// first.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        let best = (self.counts.len() - 1) as f64;
        (0..self.counts.len()).map(move |i| i as f64 / best)
    }

    /// Mean and variance of the score, in points a game and their square, of
    /// a distribution over these outcomes (weights that sum to 1).
    pub(super) fn moments(&self, weights: &[f64]) -> (f64, f64) {
        let mean: f64 = self.values().zip(weights).map(|(a, p)| a * p).sum();
        let variance = self.values().zip(weights).map(|(a, p)| p * (a - mean).powi(2)).sum();
        (mean, variance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_seats_share_one_point() {
        for outcome in [Outcome::First, Outcome::Draw, Outcome::Second] {
            assert_eq!(outcome.for_first() as u8 + outcome.for_second() as u8, 2);
        }
    }

    #[test]
    fn games_and_pairs_are_counted() {
        let (mut games, mut pairs) = (Games::default(), Pairs::default());
        let all = [Score::Loss, Score::Draw, Score::Win];
        for one in all {
            games.add(one);
            all.iter().for_each(|&other| pairs.add(one, other));
        }
        assert_eq!(games, Games { losses: 1, draws: 1, wins: 1 });
        assert_eq!(pairs, Pairs([1, 2, 3, 2, 1]));
        assert_eq!((games.total(), pairs.total()), (3, 9));
        assert_eq!(games.draw_rate(), 1.0 / 3.0);
        assert_eq!(Games::default().draw_rate(), 0.0);
        assert_eq!(pairs.sample().values().collect::<Vec<_>>(), [0.0, 0.25, 0.5, 0.75, 1.0]);
    }
}
