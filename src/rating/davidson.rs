//! The model behind the ratings, and its most likely parameters.
//!
//! R. Davidson, "On extending the Bradley-Terry model to accommodate ties in
//! paired comparison experiments" (1970), with the advantage of moving first
//! of R. Davidson and R. Beaver (1977). With `x` the first player's rating
//! less the second's plus the advantage,
//!
//! ```text
//! first wins : draw : second wins  =  exp(x/2) : ν : exp(-x/2).
//! ```
//!
//! It was preferred to the model of P. Rao and L. Kupper (1967), whose draws
//! are a threshold, for it is an exponential family: the points made are all
//! that counts, at the maximum each player's expected points are the points
//! made (as Elo's system has it), the likelihood is concave in all parameters
//! at once, and observed and expected Fisher information agree.

use super::cholesky::{Cholesky, Symmetric};
use super::table::Pairing;

/// Most steps of Newton's method; fewer than ten suffice where there is a
/// maximum, and where there is none the steps never end.
const STEPS: usize = 50;
/// The largest change of a parameter (natural logarithm of odds) that counts
/// as none: far below a thousandth of an Elo.
const SETTLED: f64 = 1e-9;

/// Games and what is to be fitted to them. A point in the space of parameters
/// is a vector of the players' ratings, then the advantage of moving first,
/// then ln ν, all natural logarithms of odds.
pub(super) struct Model {
    pub(super) players: usize,
    pub(super) pairings: Vec<Pairing>,
    /// Weight of the prior in games; 0 for none.
    pub(super) prior: f64,
    /// Whether there is an advantage of moving first to fit.
    pub(super) advantage: bool,
}

/// The most likely parameters.
pub(super) struct Fit {
    pub(super) ratings: Vec<f64>,
    pub(super) advantage: f64,
    /// ν, the odds of a draw between equals against a win of one of them.
    pub(super) draw: f64,
    /// Covariance of the ratings, the advantage and ln ν, in this order. Only
    /// differences of ratings have a meaning.
    pub(super) covariance: Symmetric,
}

/// Probabilities that the first player wins, of a draw, that the second one
/// wins, and the logarithm of the sum of their weights.
fn outcomes(x: f64, ln_draw: f64) -> ([f64; 3], f64) {
    let logs = [x / 2.0, ln_draw, -x / 2.0];
    let most = logs.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let weights = logs.map(|log| (log - most).exp());
    let sum: f64 = weights.iter().sum();
    (weights.map(|weight| weight / sum), most + sum.ln())
}

/// Probabilities that the first player wins, of a draw, and that the second
/// one wins, at the difference `x` and the draw parameter `draw`.
pub(super) fn probabilities(x: f64, draw: f64) -> [f64; 3] {
    outcomes(x, draw.ln()).0
}

/// Logarithm, first and (negative) second derivative of the prior in one
/// parameter: a game half won and half lost at these odds.
fn prior(odds: f64) -> (f64, f64, f64) {
    let share = 1.0 / (1.0 + (-odds).exp());
    let log = -odds.abs() / 2.0 - (-odds.abs()).exp().ln_1p();
    (log, 0.5 - share, share * (1.0 - share))
}

impl Model {
    /// Finds the maximum by Newton's method with halved steps where a whole
    /// one leads down. Nothing if there is no maximum, or no single one.
    pub(super) fn fit(&self) -> Option<Fit> {
        let mut point = self.start();
        let mut value = self.value(&point);
        for _ in 0..STEPS {
            let (gradient, information) = self.derivatives(&point);
            let factor = Cholesky::new(information)?;
            let mut step = factor.solve(&gradient);
            let (next, reached) = loop {
                let next: Vec<f64> = point.iter().zip(&step).map(|(p, s)| p + s).collect();
                let reached = self.value(&next);
                if reached >= value - 1e-12 * value.abs() || largest(&step) < SETTLED {
                    break (next, reached);
                }
                step.iter_mut().for_each(|s| *s /= 2.0);
            };
            (point, value) = (next, reached);
            if largest(&step) < SETTLED {
                return Some(Fit {
                    ratings: point[..self.players].to_vec(),
                    advantage: point[self.players],
                    draw: point[self.players + 1].exp(),
                    covariance: self.mask(factor.inverse()),
                });
            }
        }
        None
    }

    /// Where all players are equal.
    fn start(&self) -> Vec<f64> {
        let sum = |k: usize| self.pairings.iter().map(|pairing| pairing.counts[k]).sum::<u64>();
        let [wins, draws, losses] = [0, 1, 2].map(|k| sum(k) as f64 + 0.5);
        let mut point = vec![0.0; self.players + 2];
        if self.advantage {
            point[self.players] = (wins / losses).ln();
        }
        point[self.players + 1] = if self.fits_draws() {
            (2.0 * draws / (wins + losses)).ln()
        } else {
            f64::NEG_INFINITY
        };
        point
    }

    /// Without a prior, games without draws have ν = 0 as their most likely
    /// value, whose logarithm is not to be looked for.
    fn fits_draws(&self) -> bool {
        self.prior > 0.0 || self.pairings.iter().any(|pairing| pairing.counts[1] > 0)
    }

    /// The odds on which the prior acts at a point: each player's against one
    /// at the centre, the advantage, and the odds of a draw between equals.
    fn prior_odds(&self, point: &[f64]) -> Vec<f64> {
        let mut odds = point.to_vec();
        odds[self.players + 1] -= std::f64::consts::LN_2;
        odds
    }

    /// The logarithm of the likelihood and of the prior.
    fn value(&self, point: &[f64]) -> f64 {
        let ln_draw = point[self.players + 1];
        let of_pairing = |pairing: &Pairing| {
            let [wins, draws, losses] = pairing.counts.map(|n| n as f64);
            let x = self.difference(pairing, point);
            let (_, log_sum) = outcomes(x, ln_draw);
            let drawn = if draws > 0.0 { draws * ln_draw } else { 0.0 };
            (wins - losses) / 2.0 * x + drawn - (wins + draws + losses) * log_sum
        };
        let games: f64 = self.pairings.iter().map(of_pairing).sum();
        if self.prior == 0.0 {
            return games;
        }
        games
            + self.prior_odds(point).into_iter().map(|odds| self.prior * prior(odds).0).sum::<f64>()
    }

    /// First player's rating less the second's, plus the advantage.
    fn difference(&self, pairing: &Pairing, point: &[f64]) -> f64 {
        point[pairing.first] - point[pairing.second] + point[self.players]
    }

    /// The gradient of the value, and the Fisher information: the negative
    /// matrix of its second derivatives.
    fn derivatives(&self, point: &[f64]) -> (Vec<f64>, Symmetric) {
        let (a, d) = (self.players, self.players + 1);
        let mut gradient = vec![0.0; point.len()];
        let mut information = Symmetric::zero(point.len());
        for pairing in &self.pairings {
            let [wins, draws, losses] = pairing.counts.map(|n| n as f64);
            let games = wins + draws + losses;
            let ([win, draw, loss], _) = outcomes(self.difference(pairing, point), point[d]);
            // Moments of the half difference of the points and of the draws.
            let mean = (win - loss) / 2.0;
            let variance = games * ((win + loss) / 4.0 - mean * mean);
            let (i, j) = (pairing.first, pairing.second);
            let excess = (wins - losses) / 2.0 - games * mean;
            gradient[a] += excess;
            gradient[d] += draws - games * draw;
            *information.at_mut(a, a) += variance;
            *information.at_mut(d, a) -= games * mean * draw;
            *information.at_mut(d, d) += games * draw * (1.0 - draw);
            if i == j {
                continue;
            }
            *information.at_mut(i, j) -= variance;
            for (player, sign) in [(i, 1.0), (j, -1.0)] {
                gradient[player] += sign * excess;
                *information.at_mut(player, player) += variance;
                *information.at_mut(a, player) += sign * variance;
                *information.at_mut(d, player) -= sign * games * mean * draw;
            }
        }
        self.add_prior(point, &mut gradient, &mut information);
        self.hold_fixed(&mut gradient, &mut information);
        (gradient, information)
    }

    /// Adds the prior's derivatives. Without a prior, ratings have no zero;
    /// then a term that sees only their sum keeps it where it is.
    fn add_prior(&self, point: &[f64], gradient: &mut [f64], information: &mut Symmetric) {
        if self.prior == 0.0 {
            let trace: f64 = (0..self.players).map(|i| information.at(i, i)).sum();
            let hold = if trace > 0.0 { trace / (self.players as f64).powi(2) } else { 1.0 };
            for i in 0..self.players {
                (0..=i).for_each(|j| *information.at_mut(i, j) += hold);
            }
            return;
        }
        for (i, odds) in self.prior_odds(point).into_iter().enumerate() {
            let (_, slope, curvature) = prior(odds);
            gradient[i] += self.prior * slope;
            *information.at_mut(i, i) += self.prior * curvature;
        }
    }

    /// The parameters that are not fitted, by index.
    fn fixed(&self) -> impl Iterator<Item = usize> + use<> {
        let advantage = (!self.advantage).then_some(self.players);
        let draws = (!self.fits_draws()).then_some(self.players + 1);
        advantage.into_iter().chain(draws)
    }

    /// Takes the parameters that are not fitted out of the equations.
    fn hold_fixed(&self, gradient: &mut [f64], information: &mut Symmetric) {
        for i in self.fixed() {
            gradient[i] = 0.0;
            (0..gradient.len()).for_each(|j| *information.at_mut(i, j) = 0.0);
            *information.at_mut(i, i) = 1.0;
        }
    }

    /// What is not fitted has no variance.
    fn mask(&self, mut covariance: Symmetric) -> Symmetric {
        self.fixed().for_each(|i| *covariance.at_mut(i, i) = 0.0);
        covariance
    }
}

/// The largest absolute value.
fn largest(step: &[f64]) -> f64 {
    step.iter().fold(0.0, |most, s| s.abs().max(most))
}
