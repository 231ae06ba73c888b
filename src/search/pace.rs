//! Whether a turn deserves more or less than its share of the clock.

use super::params::{PACE_EFFORT, PACE_LIMITS, PACE_SCORE, PACE_SCORE_LIMITS, PACE_STABLE};
use crate::board::Pit;

/// What the iterations so far say about how hard the choice is.
#[derive(Debug, Default)]
pub struct Pace {
    best: Option<Pit>,
    /// Iterations since the best turn last changed.
    stable: usize,
    /// The scores of the last two iterations, the older first: who moves last
    /// in a line has the better of its score, so like is compared with like.
    scores: [Option<i32>; 2],
    percent: u32,
}

impl Pace {
    /// An iteration found this turn best, with this score, and spent this
    /// part of its nodes on it (in percent).
    pub fn iteration(&mut self, best: Pit, score: i32, effort: u32) {
        self.stable = if self.best == Some(best) { self.stable + 1 } else { 0 };
        self.best = Some(best);
        let stable = PACE_STABLE[self.stable.min(PACE_STABLE.len() - 1)];
        let fallen = self.scores[0].map_or(0, |before| before - score);
        let (least, most) = PACE_SCORE_LIMITS;
        let falling = (100 + fallen / PACE_SCORE).clamp(least, most) as u32;
        let effort = PACE_EFFORT.saturating_sub(effort);
        self.scores = [self.scores[1], Some(score)];
        let (least, most) = PACE_LIMITS;
        self.percent = (stable * falling / 100 * effort / 100).clamp(least, most);
    }

    /// The part of the soft limit that the turn should get, in percent.
    pub const fn percent(&self) -> u32 {
        self.percent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(iterations: &[(u8, i32, u32)]) -> u32 {
        let mut pace = Pace::default();
        for &(pit, score, effort) in iterations {
            pace.iteration(Pit(pit), score, effort);
        }
        pace.percent()
    }

    #[test]
    fn a_choice_that_stays_is_played_sooner() {
        let same = [(3, 0, 60); 8];
        let other = [(3, 0, 60), (4, 0, 60), (3, 0, 60), (4, 0, 60)];
        assert!(after(&same) < after(&same[..1]));
        assert!(after(&same) < after(&other));
    }

    #[test]
    fn falling_scores_take_time_and_easy_choices_none() {
        let falls = [(3, 500, 60), (3, 500, 60), (3, -500, 60)];
        let rises = [(3, -500, 60), (3, -500, 60), (3, 500, 60)];
        let easy = [(3, 500, 98), (3, 500, 98), (3, 500, 98)];
        let even = [(3, 500, 60), (3, 500, 60), (3, 500, 60)];
        assert!(after(&falls) > after(&even));
        assert!(after(&rises) <= after(&even));
        assert!(after(&easy) < after(&even));
    }

    #[test]
    fn proven_scores_stay_within_the_limits() {
        let (least, most) = PACE_LIMITS;
        for line in [[(1, 29_990, 0), (1, 0, 0), (2, -29_990, 0)], [(1, -29_990, 100); 3]] {
            assert!((least..=most).contains(&after(&line)));
        }
    }
}
