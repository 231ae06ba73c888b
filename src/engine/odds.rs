//! Scores as chances to win.

use super::Algorithm;
use crate::eval::CENTIPAWNS;
use crate::rules::Profile;
use crate::search::plies_to_end;

/// The score, in centipawns, that stands for odds of e to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OddsScale(f64);

/// All chances together.
const ALL: u32 = 1000;

impl OddsScale {
    /// The scale of the default search in a profile: what people see of scores
    /// where nothing says how they came about.
    pub const fn usual(profile: Profile) -> Self {
        Self::of(profile, false, Algorithm::AlphaBeta)
    }

    /// The scale of searches in a profile, by the difference of seeds or by a
    /// network.
    ///
    /// The numbers fit the results of self-play best by logistic regression:
    /// `kisolo train fit` prints them for its samples, those of nets/HISTORY.md.
    pub const fn of(profile: Profile, seeds: bool, algorithm: Algorithm) -> Self {
        if algorithm.grows_tree() {
            // The scores of trees are made from chances.
            return Self(CENTIPAWNS as f64);
        }
        Self(match (profile, seeds) {
            (Profile::Kisolo, false) => 406.0,
            (Profile::KisoloFree, false) => 496.0,
            (Profile::KisoloFull, false) => 123.0,
            (Profile::Isolo, false) => 395.0,
            (Profile::Kisolo, true) => 609.0,
            (Profile::KisoloFree, true) => 1676.0,
            (Profile::KisoloFull, true) => 4970.0,
            (Profile::Isolo, true) => 1000.0,
        })
    }

    /// The chance to win of a side with this score, from 0 to 1; a proven end is
    /// certain.
    pub fn chance(self, score: i32) -> f64 {
        match plies_to_end(score) {
            Some(_) if score > 0 => 1.0,
            Some(_) => 0.0,
            None => 1.0 / (1.0 + libm::exp(-f64::from(score) / self.0)),
        }
    }

    /// The chances to win, draw and lose of a side with this score, in
    /// thousandths. Games are drawn by repetition alone, too seldom to be
    /// counted.
    pub fn chances(self, score: i32) -> [u32; 3] {
        let won = (self.chance(score) * f64::from(ALL)).round() as u32;
        [won, 0, ALL - won]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::MATE;

    #[test]
    fn chances_add_up_and_mirror() {
        let scale = OddsScale::of(Profile::Kisolo, false, Algorithm::AlphaBeta);
        for score in [0, 1, 100, 406, 3000, MATE - 5] {
            let ([won, drawn, lost], other) = (scale.chances(score), scale.chances(-score));
            assert_eq!(won + drawn + lost, 1000);
            assert_eq!(other, [lost, drawn, won]);
        }
        assert_eq!(scale.chances(0), [500, 0, 500]);
        assert_eq!(scale.chances(406), [731, 0, 269]);
        assert_eq!(scale.chances(MATE - 5), [1000, 0, 0]);
        assert_eq!([MATE - 3, 3 - MATE].map(|score| scale.chance(score)), [1.0, 0.0]);
        assert!(scale.chance(300) > scale.chance(299));
    }
}
