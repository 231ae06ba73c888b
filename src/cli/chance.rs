//! What a score of the engine means for people.

use crate::engine::plies_to_end;
use crate::protocol::mate;
use crate::record::{MoveRecord, pgn};
use crate::rules::Profile;

/// The score, in centipawns, that stands for odds of e to 1 of winning.
///
/// Fitted by maximum likelihood to the scores and results of games of this
/// engine against itself: `kisolo match --engine name=a --engine name=b --each
/// nodes=20000 option.Hash=16 --rounds 30`, 30 different games a profile. Of
/// `kisolo-full` too few were different; it has the value of its sibling.
const fn scale(profile: Profile) -> f64 {
    match profile {
        Profile::Kisolo => 350.0,
        Profile::KisoloFree | Profile::KisoloFull => 700.0,
        Profile::Isolo => 550.0,
    }
}

/// The chance of winning, in percent, of the side with this score; a draw
/// counts half.
pub fn win_percentage(profile: Profile, score: i32) -> f64 {
    match plies_to_end(score) {
        Some(_) if score > 0 => 100.0,
        Some(_) => 0.0,
        None => 100.0 / (1.0 + libm::exp(-f64::from(score) / scale(profile))),
    }
}

/// A score as the record of a move has it: centipawns, or turns to the end.
pub const fn recorded(score: i32) -> (Option<i32>, Option<i32>) {
    match mate(score) {
        Some(turns) => (None, Some(turns)),
        None => (Some(score), None),
    }
}

/// A score as text: `+0.20` in seeds, `M3` for a win in three own turns, `-M2`
/// for a loss in two.
pub fn score_text(score: i32) -> String {
    let (cp, mate) = recorded(score);
    pgn::comment(&MoveRecord { cp, mate, ..MoveRecord::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::MATE;

    #[test]
    fn chances_add_up_and_grow() {
        for profile in Profile::ALL {
            let chance = |score| win_percentage(profile, score);
            assert!((chance(0) - 50.0).abs() < 1e-9);
            assert!((chance(300) + chance(-300) - 100.0).abs() < 1e-9);
            assert!(chance(300) > chance(299));
            assert_eq!([chance(MATE - 3), chance(3 - MATE)], [100.0, 0.0]);
        }
        let texts = [20, -135, MATE - 5, 4 - MATE].map(score_text);
        assert_eq!(texts, ["+0.20", "-1.35", "M3", "-M2"]);
    }
}
