//! Set-ups at a level: a few random arrangements, of which one is drawn as
//! turns are.

use rand::{Rng, RngExt};

use super::Strength;
use super::draw::draw;
use crate::board::{LANES, Lanes, Position};
use crate::rules::Rules;
use crate::search::{DRAW, Limits, Request, Signals, search};
use crate::tt::Table;

/// The arrangements among which the strongest level chooses.
const MOST_CANDIDATES: f64 = 32.0;

/// An arrangement and its score for the side that sets up.
pub fn arrange<R: Rules>(
    request: &Request<'_>,
    strength: Strength,
    rng: &mut impl Rng,
    table: &Table,
    signals: &Signals,
) -> (Lanes, i32) {
    let count = 1 + (strength.number() * (MOST_CANDIDATES - 1.0)).round() as usize;
    let candidates: Vec<Lanes> = (0..count).map(|_| any::<R>(rng)).collect();
    let nodes = request.limits.nodes.map(|nodes| nodes.div_ceil(count as u64));
    let limits = Limits { nodes, ponder: false, search_moves: None, ..request.limits.clone() };
    let judge = |&lanes: &Lanes| {
        let (position, sign) = after::<R>(&request.position, lanes);
        let request = Request::new(position, limits.clone());
        let found = search::<R>(&request, table, signals, &mut ());
        // Of a set-up after which there is no turn nothing is known.
        sign * found.map_or(DRAW, |found| found.score)
    };
    let scores: Vec<i32> = candidates.iter().map(judge).collect();
    let drawn = draw(&scores, strength, rng).unwrap_or(0);
    (candidates[drawn], scores[drawn])
}

/// The position in which turns begin after an arrangement, and whether its
/// score is that of the side that set up (1) or of the other one (-1). If the
/// opponent has to set up as well, it takes the same arrangement.
fn after<R: Rules>(position: &Position, lanes: Lanes) -> (Position, i32) {
    let shown = |position: &Position| {
        let first = position.first.without(position.side);
        Position { own: lanes, first, ..*position }.flipped()
    };
    let next = shown(position);
    if R::set_up_due(&next) { (shown(&next), 1) } else { (next, -1) }
}

/// Any arrangement, each as likely as every other: the seeds in a row with a
/// bar between one pit and the next.
fn any<R: Rules>(rng: &mut impl Rng) -> Lanes {
    let (mut seeds, mut bars) = (R::SEEDS / 2, R::GEOMETRY.pits() as u32 - 1);
    let mut counts = [0u8; LANES];
    let mut pit = 0;
    while seeds + bars > 0 {
        if rng.random_range(0..seeds + bars) < seeds {
            counts[pit] += 1;
            seeds -= 1;
        } else {
            pit += 1;
            bars -= 1;
        }
    }
    Lanes::new(counts)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::rules::{KisoloFree, Profile};

    #[test]
    fn arrangements_are_legal_for_both_sides() {
        let table = Table::new(1).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        for strength in [0.0, 0.3, 1.0].map(Strength::new) {
            let mut position = Profile::KisoloFree.start_position();
            for _ in 0..2 {
                let limits = Limits { nodes: Some(strength.nodes()), ..Limits::default() };
                let request = Request::new(position, limits);
                let signals = Signals::default();
                let (lanes, _) =
                    arrange::<KisoloFree>(&request, strength, &mut rng, &table, &signals);
                let mv = crate::rules::Move::SetUp(lanes);
                position = Profile::KisoloFree.play(&position, mv).unwrap().after;
            }
            assert!(!Profile::KisoloFree.set_up_due(&position));
        }
    }

    #[test]
    fn any_arrangement_is_as_likely_as_any_other() {
        // A pit's share of empty ones: 33 choose 12 of 34 choose 13.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
        let draws = 10_000;
        let empty = (0..draws).filter(|_| any::<KisoloFree>(&mut rng).get(0) == 0).count();
        let share = empty as f64 / f64::from(draws);
        assert!((share - 13.0 / 34.0).abs() < 0.02, "{share}");
    }
}
