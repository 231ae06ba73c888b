//! Arrangements of the seeds of one side, and steps from one to another.

use rand::{Rng, RngExt};

use crate::board::{LANES, Lanes};
use crate::rules::Rules;

/// Of so many steps one moves several seeds at once, and one exchanges two
/// pits.
const STEP_KINDS: u32 = 4;

/// As many seeds in every outer pit: a fixed answer, and where a search for a
/// better one begins.
pub fn even<R: Rules>() -> Lanes {
    let columns = R::GEOMETRY.columns;
    let share = (R::SEEDS / 2) as usize / columns;
    Lanes::new(std::array::from_fn(|pit| if pit < columns { share as u8 } else { 0 }))
}

/// All seeds dropped into pits at random, over a random part of the pits:
/// heaps and even rows both occur.
pub fn random<R: Rules>(rng: &mut impl Rng) -> Lanes {
    let pits = R::GEOMETRY.pits();
    let width = rng.random_range(3..=pits);
    let first = rng.random_range(0..pits);
    let mut counts = [0u8; LANES];
    for _ in 0..R::SEEDS / 2 {
        counts[(first + rng.random_range(0..width)) % pits] += 1;
    }
    Lanes::new(counts)
}

/// An arrangement near another one: a few seeds of one pit are in another, or
/// two pits have changed places.
pub fn neighbour<R: Rules>(lanes: Lanes, rng: &mut impl Rng) -> Lanes {
    let mut counts = lanes.counts();
    let occupied: Vec<usize> = (0..LANES).filter(|&pit| counts[pit] > 0).collect();
    let from = occupied[rng.random_range(0..occupied.len())];
    // Any other pit.
    let pits = R::GEOMETRY.pits();
    let to = (from + rng.random_range(1..pits)) % pits;
    match rng.random_range(0..STEP_KINDS) {
        0 => counts.swap(from, to),
        1 => move_seeds(&mut counts, from, to, rng.random_range(1..=lanes.get(from))),
        _ => move_seeds(&mut counts, from, to, 1),
    }
    Lanes::new(counts)
}

fn move_seeds(counts: &mut [u8; LANES], from: usize, to: usize, seeds: u8) {
    counts[from] -= seeds;
    counts[to] += seeds;
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::rules::KisoloFree;

    #[test]
    fn all_arrangements_have_all_seeds_within_the_board() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let complete = |lanes: Lanes| lanes.sum() == 21 && lanes.counts()[14..] == [0, 0];
        let mut lanes = even::<KisoloFree>();
        for _ in 0..1000 {
            assert!(complete(lanes));
            let next = neighbour::<KisoloFree>(lanes, &mut rng);
            let (now, before) = (next.counts(), lanes.counts());
            let changed = now.iter().zip(&before).filter(|(now, before)| now != before);
            assert!(changed.count() <= 2);
            lanes = next;
            assert!(complete(random::<KisoloFree>(&mut rng)));
        }
    }
}
