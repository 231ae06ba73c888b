//! Scores: centipawns, and the distance to a won or lost game.

use super::MAX_PLY;

/// The score of a game won at once; a win in `n` plies scores `MATE - n`.
pub const MATE: i32 = 30_000;
/// Scores beyond this, either way, are proven wins and losses.
pub const MATE_BOUND: i32 = MATE - 2 * MAX_PLY as i32;
/// Larger than any score.
pub const INFINITE: i32 = MATE + 1;
/// The score of a drawn game.
pub const DRAW: i32 = 0;

/// The score of winning with the turn made at `ply`.
#[inline(always)]
pub const fn win_at(ply: usize) -> i32 {
    MATE - (ply as i32 + 1)
}

/// The score of a side whose turn at `ply` loses the game.
#[inline(always)]
pub const fn loss_at(ply: usize) -> i32 {
    -win_at(ply)
}

/// How many plies a proven score is away from the end, or `None`.
pub const fn plies_to_end(score: i32) -> Option<u32> {
    let distance = MATE - score.abs();
    if score.abs() > MATE_BOUND { Some(distance as u32) } else { None }
}

/// A score as seen from the node at `ply`, for the transposition table.
#[inline(always)]
pub const fn to_table(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    (if score > MATE_BOUND {
        score + ply
    } else if score < -MATE_BOUND {
        score - ply
    } else {
        score
    }) as i16
}

/// Undoes [`to_table`] for a node at `ply`.
#[inline(always)]
pub const fn from_table(value: i16, ply: usize) -> i32 {
    let (value, ply) = (value as i32, ply as i32);
    if value > MATE_BOUND {
        value - ply
    } else if value < -MATE_BOUND {
        value + ply
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_survive_the_table() {
        for ply in [0, 1, 40] {
            for score in [0, 250, -250, win_at(ply + 3), loss_at(ply + 8)] {
                assert_eq!(from_table(to_table(score, ply), ply), score);
            }
        }
        assert_eq!(to_table(win_at(7), 7), to_table(win_at(0), 0));
        assert_eq!(plies_to_end(win_at(0)), Some(1));
        assert_eq!(plies_to_end(loss_at(1)), Some(2));
        assert_eq!(plies_to_end(8_400), None);
    }
}
