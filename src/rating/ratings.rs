//! Maximum-likelihood ratings of any number of players.
//!
//! The scale: a difference of ratings is in Elo, stretched so that between
//! near equals it predicts the same score as the logistic Elo formula. That
//! makes it agree with the Elo difference of a match whatever the share of
//! draws (R. Coulom's BayesElo scales alike).

use serde::Serialize;

use super::cholesky::Symmetric;
use super::davidson::{self, Fit, Model};
use super::normal::{self, Z95};
use super::table::{Connectivity, Crosstable, Pairing};

/// Elo per unit of natural logarithm of odds: 400 / ln 10.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// A player whose rating is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor {
    /// The player's name.
    pub name: String,
    /// The player's rating in Elo.
    pub rating: f64,
}

/// How ratings are to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingOptions {
    /// The player whose rating is fixed; without one the mean of all ratings
    /// is 0.
    pub anchor: Option<Anchor>,
    /// Weight of the prior in virtual games; 0 switches it off. Default: 1.
    ///
    /// Each player is given one game, half won and half lost, against a
    /// player in the centre of the pool; and likewise one such observation
    /// goes to the advantage of moving first and to the odds of a draw. It
    /// keeps players finite who won or lost all games, and is soon
    /// outweighed. A half and a half is the prior of H. Jeffreys for a share.
    pub prior: f64,
    /// Whether to fit an advantage of moving first. Default: yes.
    pub advantage: bool,
}

impl Default for RatingOptions {
    fn default() -> Self {
        RatingOptions { anchor: None, prior: 1.0, advantage: true }
    }
}

/// Why there are no ratings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RatingError {
    /// There is nothing to rate.
    #[error("there are no games")]
    NoGames,
    /// The anchor has no games.
    #[error("the anchor '{0}' has played no game")]
    UnknownAnchor(String),
    /// The anchor's rating is infinite or no number, or the prior's weight is
    /// that or negative.
    #[error("{0} is no usable number")]
    Number(f64),
    /// Without a prior, players without a path of games between them cannot
    /// be compared.
    #[error("no games connect {}", list(.0))]
    Disconnected(Vec<Vec<String>>),
    /// Without a prior, players of whom one side won all games have infinite
    /// ratings.
    #[error("one side won every game between {}", list(.0))]
    OneSided(Vec<Vec<String>>),
    /// Without a prior, the advantage of moving first or the odds of a draw
    /// are infinite.
    #[error("the games set no bound to the first-player advantage or to the odds of a draw")]
    Unbounded,
}

/// The groups of names as `a, b | c, d`.
fn list(groups: &[Vec<String>]) -> String {
    groups.iter().map(|names| names.join(", ")).collect::<Vec<_>>().join(" | ")
}

/// An estimated number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// Half the width of the 95% interval.
    pub error: f64,
}

/// One player's rating and results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Player {
    /// The player's name.
    pub name: String,
    /// The rating in Elo.
    pub rating: f64,
    /// Half the width of the rating's 95% interval, in Elo: against the mean
    /// of all players, or against the anchor if there is one.
    pub error: f64,
    /// Games played.
    pub games: u64,
    /// Points a game, from 0 to 1.
    pub score: f64,
    /// Games drawn.
    pub draws: u64,
    /// Place in the covariance.
    #[serde(skip)]
    index: usize,
}

/// Ratings of players, best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// The players, the highest rating first.
    pub players: Vec<Player>,
    /// What moving first is worth, in Elo.
    pub advantage: Estimate,
    /// The probability, from 0 to 1, of a draw between equals neither of whom
    /// has an advantage.
    pub draw_rate: Estimate,
    /// Who can be compared with whom.
    pub connectivity: Connectivity,
    /// Elo per unit of natural logarithm of odds.
    #[serde(skip)]
    scale: f64,
    /// Covariance of the players' ratings, in Elo squared.
    #[serde(skip)]
    covariance: Symmetric,
}

impl Ratings {
    /// Rates the players of a table: maximum likelihood in the model of R.
    /// Davidson (1970, with an order effect 1977), found by Newton's method;
    /// intervals from the Fisher information at the maximum.
    ///
    /// ```
    /// use kisolo::rating::{Crosstable, Outcome, RatingOptions, Ratings};
    ///
    /// let mut table = Crosstable::new();
    /// table.add_many("a", "b", Outcome::First, 60);
    /// table.add_many("a", "b", Outcome::Second, 30);
    /// table.add_many("b", "a", Outcome::First, 45);
    /// table.add_many("b", "a", Outcome::Second, 45);
    /// let ratings = Ratings::of(&table, &RatingOptions::default())?;
    /// assert_eq!(ratings.players[0].name, "a");
    /// assert!(ratings.los(0, 1) > 0.95);
    /// # Ok::<(), kisolo::rating::RatingError>(())
    /// ```
    pub fn of(table: &Crosstable, options: &RatingOptions) -> Result<Self, RatingError> {
        if table.games() == 0 {
            return Err(RatingError::NoGames);
        }
        if !(options.prior >= 0.0 && options.prior.is_finite()) {
            return Err(RatingError::Number(options.prior));
        }
        let anchor = options.anchor.as_ref().map(|anchor| find(table, anchor)).transpose()?;
        let connectivity = table.connectivity();
        if options.prior == 0.0 {
            if !connectivity.is_connected() {
                return Err(RatingError::Disconnected(connectivity.pools));
            }
            if !connectivity.is_two_sided() {
                return Err(RatingError::OneSided(connectivity.groups));
            }
        }
        let model = Model {
            players: table.names().len(),
            pairings: table.pairings(),
            prior: options.prior,
            advantage: options.advantage,
        };
        let fit = model.fit().ok_or(RatingError::Unbounded)?;
        let players = results(table.names(), &model.pairings);
        Ok(Self::assemble(&fit, players, anchor, connectivity))
    }

    /// Puts the fit on the scale of Elo, with its zero where it is to be.
    fn assemble(
        fit: &Fit,
        mut players: Vec<Player>,
        anchor: Option<(usize, f64)>,
        connectivity: Connectivity,
    ) -> Self {
        let count = players.len();
        let draw_rate = fit.draw / (2.0 + fit.draw);
        // The slope of the expected score between equals is that of the
        // logistic curve times the probability that there is no draw.
        let scale = ELO * (1.0 - draw_rate);
        let (zero, at_zero) = match anchor {
            Some((index, rating)) => (fit.ratings[index], rating),
            None => (fit.ratings.iter().sum::<f64>() / count as f64, 0.0),
        };
        let covariance = about(&fit.covariance, count, anchor.map(|(index, _)| index), scale);
        for player in &mut players {
            player.rating = at_zero + (fit.ratings[player.index] - zero) * scale;
            player.error = Z95 * covariance.at(player.index, player.index).max(0.0).sqrt();
        }
        players.sort_by(|a, b| b.rating.total_cmp(&a.rating).then_with(|| a.name.cmp(&b.name)));
        let half = |i: usize| Z95 * fit.covariance.at(i, i).sqrt();
        let draw_error = half(count + 1) * draw_rate * (1.0 - draw_rate);
        Ratings {
            players,
            advantage: Estimate { value: fit.advantage * scale, error: half(count) * scale },
            draw_rate: Estimate { value: draw_rate, error: draw_error },
            connectivity,
            scale,
            covariance,
        }
    }

    /// The player of a name.
    pub fn player(&self, name: &str) -> Option<&Player> {
        self.players.iter().find(|player| player.name == name)
    }

    /// The difference of two players' ratings in Elo, by their places in
    /// [`Self::players`], with its own interval: not the sum of theirs, for
    /// ratings depend on each other.
    pub fn difference(&self, i: usize, j: usize) -> Estimate {
        let (one, other) = (&self.players[i], &self.players[j]);
        let covariance = |a: &Player, b: &Player| self.covariance.at(a.index, b.index);
        let variance =
            covariance(one, one) + covariance(other, other) - 2.0 * covariance(one, other);
        Estimate { value: one.rating - other.rating, error: Z95 * variance.max(0.0).sqrt() }
    }

    /// Likelihood of superiority: the probability, from 0 to 1, that the
    /// first of two players is stronger than the second, by their places in
    /// [`Self::players`]. One half for a player and itself.
    pub fn los(&self, i: usize, j: usize) -> f64 {
        if i == j {
            return 0.5;
        }
        let Estimate { value, error } = self.difference(i, j);
        if value == 0.0 { 0.5 } else { normal::cdf(value / (error / Z95)) }
    }

    /// [`Self::los`] of all players (rows) over all others (columns).
    pub fn los_matrix(&self) -> Vec<Vec<f64>> {
        let count = self.players.len();
        (0..count).map(|i| (0..count).map(|j| self.los(i, j)).collect()).collect()
    }

    /// Probabilities that the first player wins, of a draw, and that the
    /// second one wins, by their ratings in Elo.
    pub fn probabilities(&self, first: f64, second: f64) -> [f64; 3] {
        let x = (first - second + self.advantage.value) / self.scale;
        davidson::probabilities(x, 2.0 * self.draw_rate.value / (1.0 - self.draw_rate.value))
    }

    /// The points, from 0 to 1, that the first player can expect, by the
    /// ratings of both in Elo.
    pub fn expected_score(&self, first: f64, second: f64) -> f64 {
        let [win, draw, _] = self.probabilities(first, second);
        win + draw / 2.0
    }
}

/// The anchor's index and rating.
fn find(table: &Crosstable, anchor: &Anchor) -> Result<(usize, f64), RatingError> {
    if !anchor.rating.is_finite() {
        return Err(RatingError::Number(anchor.rating));
    }
    let index = table.names().iter().position(|name| *name == anchor.name);
    let index = index.ok_or_else(|| RatingError::UnknownAnchor(anchor.name.clone()))?;
    Ok((index, anchor.rating))
}

/// What each player made of the games, still without a rating.
fn results(names: &[String], pairings: &[Pairing]) -> Vec<Player> {
    let mut points = vec![0.0; names.len()];
    let mut games = vec![0; names.len()];
    let mut draws = vec![0; names.len()];
    for &Pairing { first, second, counts: [won, drawn, lost] } in pairings {
        for (player, wins) in [(first, won), (second, lost)] {
            points[player] += wins as f64 + drawn as f64 / 2.0;
            games[player] += won + drawn + lost;
            draws[player] += drawn;
        }
    }
    let player = |(index, name): (usize, &String)| Player {
        name: name.clone(),
        rating: 0.0,
        error: 0.0,
        games: games[index],
        score: points[index] / (games[index].max(1)) as f64,
        draws: draws[index],
        index,
    };
    names.iter().enumerate().map(player).collect()
}

/// The covariance of the first `count` parameters about that of `anchor`, or
/// about their mean without one, in units of `scale`.
fn about(covariance: &Symmetric, count: usize, anchor: Option<usize>, scale: f64) -> Symmetric {
    let with_zero: Vec<f64> = match anchor {
        Some(anchor) => (0..count).map(|i| covariance.at(i, anchor)).collect(),
        None => {
            let row = |i| (0..count).map(|j| covariance.at(i, j)).sum::<f64>() / count as f64;
            (0..count).map(row).collect()
        }
    };
    let of_zero = match anchor {
        Some(anchor) => covariance.at(anchor, anchor),
        None => with_zero.iter().sum::<f64>() / count as f64,
    };
    let mut result = Symmetric::zero(count);
    for i in 0..count {
        for j in 0..=i {
            let centred = covariance.at(i, j) - with_zero[i] - with_zero[j] + of_zero;
            *result.at_mut(i, j) = centred * scale * scale;
        }
    }
    result
}

#[cfg(test)]
mod tests;
