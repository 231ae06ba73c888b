//! Elo differences of two players from the results between them.
//!
//! The logistic scale of A. Elo's rating system, in the form all match
//! runners use: a difference of `d` Elo means an expected score of
//! `1 / (1 + 10^(-d/400))`. Normalised Elo is the mean's distance from one
//! half in standard deviations of a game's score, stretched so that it agrees
//! with logistic Elo for near equals who never draw (M. Van den Bergh,
//! "Normalized Elo", 2020). It measures how many games a proof takes.

use serde::Serialize;

use super::normal::{self, Z95};
use super::outcome::Sample;

/// Normalised Elo per standard deviation of a game: 800 / ln 10.
pub(super) const NELO: f64 = 800.0 / std::f64::consts::LN_10;

/// The score (points a game, from 0 to 1) expected at an advantage of `elo`.
pub fn elo_to_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference at which `score` (points a game) is expected: infinite
/// for scores of 0 or less and of 1 or more.
pub fn score_to_elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// What a match says about the difference of two players, seen from one of
/// them. Intervals are central 95% intervals from the normal approximation;
/// infinite values serialise to JSON as `null`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Observations: games, or pairs of games.
    pub size: f64,
    /// Mean score in points a game, from 0 to 1; one half without games.
    pub score: f64,
    /// Variance of the score over the observations (points a game, squared).
    pub variance: f64,
    /// Logistic Elo difference; infinite at scores of 0 and 1.
    pub elo: f64,
    /// Lower end of the interval of `elo`.
    pub elo_low: f64,
    /// Upper end of the interval of `elo`.
    pub elo_high: f64,
    /// Half the width of the interval of `elo`.
    pub elo_error: f64,
    /// Normalised Elo difference.
    pub nelo: f64,
    /// Half the width of the interval of `nelo`, with the variance taken as
    /// known: it depends on the number of games only.
    pub nelo_error: f64,
    /// Likelihood of superiority: the probability, from 0 to 1, that the
    /// player is the stronger.
    pub los: f64,
}

impl Summary {
    /// Sums up a sample.
    ///
    /// The interval of the score is `s ± 1.96·√(v/N)`, and that of the Elo
    /// difference is made of its two ends. The normal approximation says
    /// nothing of a match won (lost) outright, so there the other end is the
    /// exact binomial one, a score of `0.025^(1/N)` (C. Clopper and E.
    /// Pearson, 1934), and the likelihood of superiority is `1 - 2^-(N+1)`,
    /// that of N wins under a uniform prior.
    pub fn of(sample: &Sample) -> Self {
        let size = sample.size();
        if size == 0.0 {
            return Self::empty();
        }
        let shares: Vec<f64> = sample.counts().iter().map(|n| n / size).collect();
        let (score, variance) = sample.moments(&shares);
        let games = f64::from(sample.games_each());
        let half = Z95 * (variance / size).sqrt();
        let sweep = 0.025f64.powf(1.0 / size);
        let (low, high) = match score {
            0.0 => (0.0, 1.0 - sweep),
            1.0 => (sweep, 1.0),
            _ => (score - half, score + half),
        };
        let (elo_low, elo_high) = (score_to_elo(low), score_to_elo(high));
        Summary {
            size,
            score,
            variance,
            elo: score_to_elo(score),
            elo_low,
            elo_high,
            elo_error: (elo_high - elo_low) / 2.0,
            nelo: NELO * ratio(score - 0.5, (games * variance).sqrt()),
            nelo_error: NELO * Z95 / (games * size).sqrt(),
            los: match score {
                0.0 => 0.5f64.powf(size + 1.0),
                1.0 => 1.0 - 0.5f64.powf(size + 1.0),
                _ => normal::cdf(ratio(score - 0.5, (variance / size).sqrt())),
            },
        }
    }

    /// What no games say: nothing.
    const fn empty() -> Self {
        Summary {
            size: 0.0,
            score: 0.5,
            variance: 0.0,
            elo: 0.0,
            elo_low: f64::NEG_INFINITY,
            elo_high: f64::INFINITY,
            elo_error: f64::INFINITY,
            nelo: 0.0,
            nelo_error: f64::INFINITY,
            los: 0.5,
        }
    }
}

/// The quotient, with 0 / 0 = 0.
fn ratio(numerator: f64, denominator: f64) -> f64 {
    if numerator == 0.0 { 0.0 } else { numerator / denominator }
}

#[cfg(test)]
mod tests {
    use super::super::{Games, Pairs};
    use super::*;

    fn of_games(losses: u64, draws: u64, wins: u64) -> Summary {
        Summary::of(&Games { losses, draws, wins }.sample())
    }

    #[track_caller]
    fn close(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
    }

    #[test]
    fn known_answer_for_games() {
        let summary = of_games(96, 111, 136);
        close(summary.elo, 40.702458, 5e-7);
        close(summary.elo_error, 30.427218, 5e-7);
        close(summary.nelo, 49.768415, 5e-7);
        close(summary.los, 0.99601, 5e-6);
    }

    #[test]
    fn known_answer_for_pairs() {
        let summary = Summary::of(&Pairs([34, 54, 63, 64, 75]).sample());
        close(summary.elo, 55.57978, 5e-6);
        close(summary.elo_error, 27.65343, 5e-6);
        close(summary.nelo, 57.9356, 5e-5);
        close(summary.nelo_error, NELO * Z95 / 580f64.sqrt(), 1e-9);
    }

    #[test]
    fn scores_and_elo_are_inverse() {
        for elo in [-1000.0, -400.0, 0.0, 5.0, 190.8, 1000.0] {
            close(score_to_elo(elo_to_score(elo)), elo, 1e-9);
        }
        close(elo_to_score(400.0), 10.0 / 11.0, 1e-15);
        assert_eq!((score_to_elo(-0.1), score_to_elo(1.1)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn the_other_side_sees_the_mirror_image() {
        let (one, other) = (of_games(10, 5, 25), of_games(25, 5, 10));
        close(one.elo, -other.elo, 1e-9);
        close(one.elo_low, -other.elo_high, 1e-9);
        close(one.nelo, -other.nelo, 1e-9);
        close(one.los, 1.0 - other.los, 1e-12);
    }

    #[test]
    fn edges_are_numbers() {
        let none = of_games(0, 0, 0);
        assert_eq!((none.elo, none.los, none.elo_error), (0.0, 0.5, f64::INFINITY));
        let won = of_games(0, 0, 10);
        assert_eq!(
            (won.elo, won.elo_high, won.elo_error),
            (f64::INFINITY, f64::INFINITY, f64::INFINITY)
        );
        close(won.elo_low, score_to_elo(0.025f64.powf(0.1)), 1e-9);
        close(won.los, 1.0 - 0.5f64.powi(11), 1e-15);
        let lost = of_games(10, 0, 0);
        assert_eq!((lost.elo, lost.elo_low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        close(lost.elo_high, -won.elo_low, 1e-9);
        close(lost.los, 1.0 - won.los, 1e-15);
        let drawn = of_games(0, 10, 0);
        assert_eq!((drawn.elo, drawn.elo_error, drawn.nelo, drawn.los), (0.0, 0.0, 0.0, 0.5));
        for summary in [none, won, lost, drawn, of_games(0, 1, 1), of_games(1, 0, 1)] {
            let Summary { elo, elo_low, elo_high, elo_error, nelo, nelo_error, los, .. } = summary;
            let values = [elo, elo_low, elo_high, elo_error, nelo, nelo_error, los];
            assert!(values.iter().all(|x| !x.is_nan()), "{summary:?}");
        }
    }
}
