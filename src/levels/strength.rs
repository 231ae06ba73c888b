//! From one number to a way of playing.

use crate::rules::MAX_TURNS;

/// How strong a level plays, from 0, which is a random turn, to 1.
///
/// Nodes and sharpness grow with it, and fewer turns are compared. The shapes
/// were chosen so that the rating grows about evenly, too.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Strength(f64);

/// The nodes of the weakest level, as a power of 2: a turn and its answer.
const LEAST_DOUBLINGS: f64 = 5.0;
/// The nodes of the strongest level, as a power of 2.
const MOST_DOUBLINGS: f64 = 18.0;
/// How fast sharpness grows at first.
const FIRST_SHARPNESS: f64 = 1.6;
/// What is added to that at the end: then, of two turns whose chances differ
/// by odds of 1.05 to 1, the better one is drawn fifty times as often.
const LAST_SHARPNESS: f64 = 80.0;
/// How late most of that comes, as a power.
const LATE: f64 = 5.0;
/// How many turns the strongest compare.
const FEWEST_CANDIDATES: f64 = 2.0;
/// How soon fewer turns are compared than there are, as a power.
const SOON: f64 = 2.5;

impl Strength {
    /// A uniformly random turn.
    pub const RANDOM: Self = Self(0.0);
    /// The strongest.
    pub const MOST: Self = Self(1.0);

    /// The strength of a number, or the nearest one there is.
    pub const fn new(number: f64) -> Self {
        // Not a number is no strength at all.
        if number > 0.0 { Self(number.min(1.0)) } else { Self::RANDOM }
    }

    /// The number, from 0 to 1.
    pub const fn number(self) -> f64 {
        self.0
    }

    /// The nodes of a search.
    pub fn nodes(self) -> u64 {
        let doublings = LEAST_DOUBLINGS + (MOST_DOUBLINGS - LEAST_DOUBLINGS) * self.0;
        libm::exp2(doublings).round() as u64
    }

    /// The greatest strength whose searches have at most so many nodes.
    pub fn of_nodes(nodes: u64) -> Self {
        let doublings = libm::log2(nodes.max(1) as f64);
        Self::new((doublings - LEAST_DOUBLINGS) / (MOST_DOUBLINGS - LEAST_DOUBLINGS))
    }

    /// The sharpness of the choice, an inverse temperature: of two turns whose
    /// values differ by `d` (in units of log odds to win) the better one is
    /// e to the `sharpness * d` times as likely. 0 takes any turn.
    pub fn sharpness(self) -> f64 {
        FIRST_SHARPNESS * self.0 + LAST_SHARPNESS * libm::pow(self.0, LATE)
    }

    /// How many of the best turns are compared, on the average: all at first,
    /// few at last, since the exact score of a turn takes nodes that are then
    /// missing in depth, and bad turns would not be drawn anyway.
    pub fn candidates(self) -> f64 {
        let most = MAX_TURNS as f64;
        FEWEST_CANDIDATES + (most - FEWEST_CANDIDATES) * libm::pow(1.0 - self.0, SOON)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_strength_is_more_of_everything() {
        assert_eq!(Strength::RANDOM.sharpness(), 0.0);
        assert_eq!(Strength::RANDOM.candidates(), MAX_TURNS as f64);
        assert_eq!(Strength::MOST.candidates(), FEWEST_CANDIDATES);
        for step in 0..100 {
            let (less, more) = [step, step + 1].map(|n| Strength::new(f64::from(n) / 100.0)).into();
            assert!(less.nodes() <= more.nodes() && less.sharpness() < more.sharpness());
            assert!(less.candidates() > more.candidates());
        }
    }

    #[test]
    fn all_numbers_are_strengths() {
        for number in [-1.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(Strength::new(number), Strength::RANDOM);
        }
        assert_eq!(Strength::of_nodes(0), Strength::RANDOM);
        assert_eq!(Strength::of_nodes(1 << 40), Strength::MOST);
        assert_eq!(Strength::of_nodes(4096).nodes(), 4096);
        assert_eq!(Strength::new(f64::INFINITY), Strength::MOST);
    }
}
