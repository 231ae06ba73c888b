//! Drawing one of several turns by their scores.

use rand::{Rng, RngExt};

use super::Strength;
use crate::eval::CENTIPAWNS;
use crate::search::plies_to_end;

/// The value of a win at once, in units of log odds to win.
const WIN: f64 = 10.0;
/// What each ply takes from the value of a win: it is finished, not put off.
const WIN_PLY: f64 = 0.25;
/// The least value of a proven win.
const LAST_WIN: f64 = 6.5;
/// Scores that prove nothing are worth at most this, either way.
const UNPROVEN: f64 = 6.0;

/// What a score is worth, in units of log odds to win.
pub fn value(score: i32) -> f64 {
    let Some(plies) = plies_to_end(score) else {
        return (f64::from(score) / CENTIPAWNS as f64).clamp(-UNPROVEN, UNPROVEN);
    };
    let win = (WIN - WIN_PLY * f64::from(plies)).max(LAST_WIN);
    if score > 0 { win } else { -win }
}

/// The index of one of these scores, drawn at random: the more sharply by
/// their values, the stronger. `None` if there are none.
pub fn draw(scores: &[i32], strength: Strength, rng: &mut impl Rng) -> Option<usize> {
    let best = *scores.iter().max()?;
    let weight = |score: i32| libm::exp(strength.sharpness() * (value(score) - value(best)));
    let weights: Vec<f64> = scores.iter().map(|&score| weight(score)).collect();
    let mut at = rng.random::<f64>() * weights.iter().sum::<f64>();
    for (index, weight) in weights.iter().enumerate() {
        at -= weight;
        if at < 0.0 {
            return Some(index);
        }
    }
    // Rounding alone leads here; the best turn is never out of place.
    scores.iter().position(|&score| score == best)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::search::MATE;

    fn shares(scores: &[i32], strength: f64) -> Vec<f64> {
        const DRAWS: u32 = 20_000;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut counts = vec![0.0; scores.len()];
        for _ in 0..DRAWS {
            let drawn = draw(scores, Strength::new(strength), &mut rng).unwrap();
            counts[drawn] += 1.0 / f64::from(DRAWS);
        }
        counts
    }

    #[test]
    fn no_strength_draws_evenly_whatever_the_scores() {
        for share in shares(&[MATE - 1, 50, -700, 2 - MATE], 0.0) {
            assert!((share - 0.25).abs() < 0.02, "{share}");
        }
    }

    #[test]
    fn worse_turns_are_drawn_less_often_and_less_with_strength() {
        let scores = [MATE - 1, 400, 0, -400, 2 - MATE];
        for strength in [0.1, 0.3, 0.6] {
            let shares = shares(&scores, strength);
            assert!(shares.is_sorted_by(|better, worse| better >= worse), "{shares:?}");
        }
        assert!(shares(&scores, 0.2)[0] < shares(&scores, 0.4)[0]);
        assert!(shares(&scores, 1.0)[0] > 0.999);
    }

    #[test]
    fn values_grow_with_scores() {
        let scores = [2 - MATE, 40 - MATE, -9_000, -300, 0, 300, 9_000, MATE - 41, MATE - 1];
        assert!(scores.map(value).is_sorted());
        assert!(value(MATE - 1) > value(MATE - 3) && value(2 - MATE) < value(4 - MATE));
    }

    #[test]
    fn there_may_be_nothing_to_draw() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        assert_eq!(draw(&[], Strength::MOST, &mut rng), None);
    }
}
