//! What a score of the engine means for people.

use crate::engine::OddsScale;
use crate::protocol::mate;
use crate::record::{MoveRecord, pgn};
use crate::rules::Profile;

/// The chance of winning, in percent, of the side with this score; a draw
/// counts half.
pub fn win_percentage(profile: Profile, score: i32) -> f64 {
    100.0 * OddsScale::usual(profile).chance(score)
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
    fn scores_are_seeds_or_turns_to_the_end() {
        let texts = [20, -135, MATE - 5, 4 - MATE].map(score_text);
        assert_eq!(texts, ["+0.20", "-1.35", "M3", "-M2"]);
    }

    #[test]
    fn an_even_score_is_an_even_chance() {
        for profile in Profile::ALL {
            assert_eq!(win_percentage(profile, 0), 50.0);
            assert!((win_percentage(profile, 300) - 50.0).abs() > 1.0);
        }
    }
}
