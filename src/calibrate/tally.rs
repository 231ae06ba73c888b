//! What a player gave away.

use serde::{Deserialize, Serialize};

use crate::board::{Pit, Position};
use crate::rules::{Outcome, Rules};

/// Counts over the turns of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Turns whose loss is known.
    pub turns: u64,
    /// The sum of how much worse they were than the best, as the player saw
    /// it, in units of log odds to win.
    pub loss: f64,
    /// The sum of the squares of that.
    pub squares: f64,
    /// Turns that won at once, or could have.
    pub wins: u64,
    /// Those of them that did not.
    pub missed: u64,
}

impl Tally {
    /// Adds the counts of other turns.
    pub fn add(&mut self, other: &Self) {
        self.turns += other.turns;
        self.loss += other.loss;
        self.squares += other.squares;
        self.wins += other.wins;
        self.missed += other.missed;
    }

    /// The mean loss of a turn.
    pub fn mean_loss(&self) -> f64 {
        self.loss / self.turns.max(1) as f64
    }

    /// The standard deviation of the losses.
    pub fn spread(&self) -> f64 {
        (self.squares / self.turns.max(1) as f64 - self.mean_loss().powi(2)).max(0.0).sqrt()
    }

    /// The share of wins at once that were not taken.
    pub fn missed_share(&self) -> f64 {
        self.missed as f64 / self.wins.max(1) as f64
    }

    pub(super) fn add_loss(&mut self, loss: f64) {
        self.turns += 1;
        self.loss += loss;
        self.squares += loss * loss;
    }

    /// Counts a turn, if one of that position wins at once.
    pub(super) fn look_for_win<R: Rules>(&mut self, position: &Position, made: Pit) {
        let node = R::node(position);
        let wins = |pit| R::play(&node, pit).outcome == Outcome::Win;
        if node.legal.into_iter().any(wins) {
            self.wins += 1;
            self.missed += u64::from(!wins(made));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Kisolo, Profile};

    #[test]
    fn wins_that_are_missed_are_counted() {
        let text = "0,9,5,0,0,4,0/1,4,1,1,1,1,1/1,0,1,0,3,4,0/0,0,0,3,1,0,1 S -";
        let position = Profile::Kisolo.parse_position(text).unwrap();
        let mut tally = Tally::default();
        for pit in Profile::Kisolo.legal(&position) {
            tally.look_for_win::<Kisolo>(&position, pit);
        }
        assert!(tally.wins > tally.missed && tally.missed > 0, "{tally:?}");
        let before = tally;
        tally.look_for_win::<Kisolo>(&Profile::Kisolo.start_position(), Pit(0));
        assert_eq!(tally, before);
    }

    #[test]
    fn losses_have_a_mean_and_a_spread() {
        let mut tally = Tally::default();
        assert_eq!((tally.mean_loss(), tally.spread(), tally.missed_share()), (0.0, 0.0, 0.0));
        for loss in [0.0, 2.0] {
            tally.add_loss(loss);
        }
        let half = tally;
        tally.add(&half);
        assert_eq!((tally.turns, tally.mean_loss(), tally.spread()), (4, 1.0, 1.0));
    }
}
