//! The sequential probability ratio test that decides whether one player is
//! stronger than another with as few games as possible.
//!
//! The bounds are those of A. Wald, "Sequential Tests of Statistical
//! Hypotheses" (1945). The log-likelihood ratio is the exact generalised one:
//! each hypothesis fixes only one number of the distribution of scores, and
//! the rest is fitted to the games by maximum likelihood (M. Van den Bergh,
//! "A practical introduction to the GSPRT" and "Comments on Normalized Elo",
//! 2020).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::elo::{NELO, elo_to_score};
use super::outcome::Sample;

/// What an outcome that never occurred counts as, so that the hypotheses may
/// give it some probability.
const UNSEEN: f64 = 1e-3;
/// Most rounds of the iteration behind [`SprtModel::Normalized`]; two or
/// three suffice for real matches.
const ROUNDS: usize = 100;
/// The iteration ends when no probability changes by more than this.
const SETTLED: f64 = 1e-12;

/// The scale on which the hypotheses are stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Normalised Elo: how long the test takes does not depend on the share
    /// of draws or on the openings.
    #[default]
    Normalized,
    /// Logistic Elo: the hypotheses are expected scores.
    Logistic,
}

impl fmt::Display for SprtModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SprtModel::Normalized => "normalized",
            SprtModel::Logistic => "logistic",
        })
    }
}

impl FromStr for SprtModel {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        match text {
            "normalized" => Ok(SprtModel::Normalized),
            "logistic" => Ok(SprtModel::Logistic),
            _ => Err(SprtError::Model(text.to_owned())),
        }
    }
}

/// Why a test cannot be set up.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are the same, in the wrong order or no numbers.
    #[error("elo0 must be less than elo1, but they are {0} and {1}")]
    Hypotheses(f64, f64),
    /// An error probability is not one, or both together leave no room.
    #[error("alpha and beta must be positive and together below 1, but they are {0} and {1}")]
    Errors(f64, f64),
    /// The name of no model.
    #[error("unknown SPRT model '{0}': it is 'normalized' or 'logistic'")]
    Model(String),
}

/// What the games so far allow to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Nothing yet: play on.
    Continue,
    /// The difference is at most `elo0`.
    H0,
    /// The difference is at least `elo1`.
    H1,
}

/// A test of H0, the difference is `elo0`, against H1, it is `elo1`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: SprtModel,
}

impl Sprt {
    /// Sets up a test. `elo0` and `elo1` are in Elo of the model; `alpha` is
    /// the probability to accept H1 where H0 holds, `beta` that to accept H0
    /// where H1 holds.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: SprtModel,
    ) -> Result<Self, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Hypotheses(elo0, elo1));
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors(alpha, beta));
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// The two bounds of the log-likelihood ratio (natural logarithm): H0 is
    /// accepted at the first, `ln(β / (1 - α))`, and H1 at the second,
    /// `ln((1 - β) / α)`.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What a log-likelihood ratio means.
    pub fn verdict(&self, llr: f64) -> Verdict {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Verdict::H1
        } else if llr <= lower {
            Verdict::H0
        } else {
            Verdict::Continue
        }
    }

    /// The log-likelihood ratio (natural logarithm) of H1 to H0:
    /// `N · Σ p̂ᵢ ln(p₁ᵢ / p₀ᵢ)`, where p̂ are the observed frequencies and p₀,
    /// p₁ the most likely distributions under the hypotheses. 0 without games.
    pub fn llr(&self, sample: &Sample) -> f64 {
        if sample.size() == 0.0 {
            return 0.0;
        }
        let counts: Vec<f64> =
            sample.counts().iter().map(|&n| if n == 0.0 { UNSEEN } else { n }).collect();
        let size: f64 = counts.iter().sum();
        let observed: Vec<f64> = counts.iter().map(|n| n / size).collect();
        let fit = |elo| match self.model {
            SprtModel::Logistic => fit_mean(sample, &observed, elo_to_score(elo)),
            SprtModel::Normalized => {
                let deviations = elo / NELO * f64::from(sample.games_each()).sqrt();
                fit_deviations(sample, &observed, deviations)
            }
        };
        let (p0, p1) = (fit(self.elo0), fit(self.elo1));
        counts.iter().zip(p0.iter().zip(&p1)).map(|(n, (p0, p1))| n * (p1 / p0).ln()).sum()
    }
}

/// The most likely distribution of the given mean score.
fn fit_mean(sample: &Sample, observed: &[f64], mean: f64) -> Vec<f64> {
    let excess: Vec<f64> = sample.values().map(|a| a - mean).collect();
    tilt(observed, &excess)
}

/// The most likely distribution whose mean is the given number `t` of
/// standard deviations above one half.
///
/// That condition, μ - ½ - tσ = 0, is not linear in the probabilities; it is
/// replaced by its linear expansion about the last distribution until that
/// stops moving. It starts at the uniform one, since the observed one of a
/// one-sided match has next to no deviation to expand about.
fn fit_deviations(sample: &Sample, observed: &[f64], t: f64) -> Vec<f64> {
    let mut fitted = vec![1.0 / observed.len() as f64; observed.len()];
    for _ in 0..ROUNDS {
        let (mean, variance) = sample.moments(&fitted);
        let deviation = variance.sqrt();
        let excess: Vec<f64> = sample
            .values()
            .map(|a| a - 0.5 - 0.5 * t * deviation * (1.0 + ((a - mean) / deviation).powi(2)))
            .collect();
        let next = tilt(observed, &excess);
        let moved = next.iter().zip(&fitted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        fitted = next;
        if moved < SETTLED {
            break;
        }
    }
    fitted
}

/// The distribution `p` that maximises `Σ p̂ᵢ ln pᵢ` under `Σ pᵢ eᵢ = 0`. By
/// Lagrange's method `pᵢ = p̂ᵢ / (1 + θ eᵢ)`; the left side of the condition
/// falls with θ between the poles, so bisection finds it to the last bit.
fn tilt(observed: &[f64], excess: &[f64]) -> Vec<f64> {
    let least = excess.iter().copied().fold(f64::INFINITY, f64::min);
    let most = excess.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return observed.to_vec();
    }
    let at = |theta: f64| observed.iter().zip(excess).map(move |(p, e)| p / (1.0 + theta * e));
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return at(middle).collect();
        }
        let mean: f64 = at(middle).zip(excess).map(|(p, e)| p * e).sum();
        if mean > 0.0 { low = middle } else { high = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Games, Pairs};
    use super::*;
    use SprtModel::{Logistic, Normalized};

    fn games(losses: u64, draws: u64, wins: u64) -> Sample {
        Games { losses, draws, wins }.sample()
    }

    fn sprt(elo0: f64, elo1: f64, model: SprtModel) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    #[test]
    fn known_answers() {
        let big_pairs = Pairs([365, 16618, 36229, 16974, 390]).sample();
        let pairs = Pairs([223, 9863, 21279, 10037, 246]).sample();
        for (sample, model, elo0, elo1, exact, rounded) in [
            (games(36027, 68692, 36433), Normalized, 0.0, 2.0, 0.923293, "0.92"),
            (games(57030, 106593, 57433), Logistic, 0.0, 2.0, -2.593024, "-2.59"),
            (big_pairs, Normalized, 0.0, 2.0, 2.250368, "2.25"),
            (pairs, Logistic, 0.5, 2.5, -3.074126, "-3.07"),
            (games(40, 20, 60), Logistic, 0.0, 10.0, 0.631484, "0.63"),
            (games(40, 20, 60), Normalized, 0.0, 10.0, 0.580907, "0.58"),
        ] {
            let llr = sprt(elo0, elo1, model).llr(&sample);
            assert!((llr - exact).abs() < 5.1e-7, "{llr} is not {exact}");
            assert_eq!(format!("{llr:.2}"), rounded);
        }
    }

    #[test]
    fn bounds_and_verdicts() {
        let test = sprt(0.0, 5.0, Normalized);
        let (lower, upper) = test.bounds();
        assert!((upper - 2.944439).abs() < 5e-7 && (lower + upper).abs() < 1e-12);
        assert_eq!(test.verdict(0.0), Verdict::Continue);
        assert_eq!(test.verdict(lower), Verdict::H0);
        assert_eq!(test.verdict(upper), Verdict::H1);
    }

    #[test]
    fn symmetric_hypotheses_mirror_the_ratio() {
        for model in [Normalized, Logistic] {
            let test = sprt(-4.0, 4.0, model);
            assert!(test.llr(&games(30, 11, 30)).abs() < 1e-9);
            let sum = test.llr(&games(30, 11, 40)) + test.llr(&games(40, 11, 30));
            assert!(sum.abs() < 1e-9, "{model}: {sum}");
        }
    }

    #[test]
    fn one_sided_counts_give_numbers() {
        for model in [Normalized, Logistic] {
            let test = sprt(0.0, 5.0, model);
            assert_eq!(test.llr(&games(0, 0, 0)), 0.0);
            for sample in [
                games(0, 0, 1),
                games(0, 0, 5000),
                games(0, 1, 99),
                Pairs([0, 0, 0, 0, 500]).sample(),
            ] {
                let llr = test.llr(&sample);
                assert!(llr > 0.0 && llr.is_finite(), "{model}, {sample:?}: {llr}");
            }
            for sample in [
                games(1, 0, 0),
                games(5000, 0, 0),
                games(99, 1, 0),
                Pairs([500, 0, 0, 0, 0]).sample(),
            ] {
                let llr = test.llr(&sample);
                assert!(llr < 0.0 && llr.is_finite(), "{model}, {sample:?}: {llr}");
            }
            assert!(test.llr(&games(0, 1000, 0)).is_finite());
        }
    }

    #[test]
    fn fitted_distributions_meet_their_hypotheses() {
        let counts = [0, 1, 7, 400];
        let all = |i: usize| counts[i % 4];
        for i in 1..4usize.pow(3) {
            let sample = games(all(i), all(i / 4), all(i / 16));
            let size: f64 = sample.counts().iter().map(|n| n.max(UNSEEN)).sum();
            let observed: Vec<f64> = sample.counts().iter().map(|n| n.max(UNSEEN) / size).collect();
            for elo in [-40.0, -2.0, 0.0, 3.0, 60.0] {
                let (mean, _) = sample.moments(&fit_mean(&sample, &observed, elo_to_score(elo)));
                assert!((mean - elo_to_score(elo)).abs() < 1e-9, "{sample:?} {elo}: {mean}");
                let fitted = fit_deviations(&sample, &observed, elo / NELO);
                let (mean, variance) = sample.moments(&fitted);
                let found = (mean - 0.5) / variance.sqrt() * NELO;
                assert!((found - elo).abs() < 1e-6, "{sample:?} {elo}: {found}");
            }
        }
    }

    #[test]
    fn nonsense_is_refused() {
        let new = |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta, Logistic);
        assert_eq!(new(5.0, 5.0, 0.05, 0.05), Err(SprtError::Hypotheses(5.0, 5.0)));
        assert!(matches!(new(f64::NAN, 5.0, 0.05, 0.05), Err(SprtError::Hypotheses(..))));
        assert_eq!(new(0.0, 5.0, 0.0, 0.05), Err(SprtError::Errors(0.0, 0.05)));
        assert_eq!(new(0.0, 5.0, 0.5, 0.5), Err(SprtError::Errors(0.5, 0.5)));
        assert_eq!("normalized".parse(), Ok(Normalized));
        assert_eq!("bayesian".parse::<SprtModel>(), Err(SprtError::Model("bayesian".into())));
    }
}
