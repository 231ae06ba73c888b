//! The batch board against the single one, at every level of instructions.

use kisolo::board::{FirstPhase, Lanes, Pit, Position, Side};
use kisolo::rules::batch::{
    CpuLevel, LeafCounts, Leaves, Lockstep, PlayoutCounts, perft_batched, play_many, playouts,
};
use kisolo::rules::{Isolo, Kisolo, KisoloFree, KisoloFull, Outcome, Profile, perft};
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::vectors::positions;

/// Valid positions that need not come from a game: the seeds fall into some of
/// the pits at random.
fn artificial<R: Lockstep>() -> Vec<Position> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let pits = R::GEOMETRY.pits();
    let mut found = Vec::new();
    while found.len() < 1500 {
        let heaps = rng.random_range(1..=2 * pits);
        let places = (0..2 * pits).sample(&mut rng, heaps);
        let mut counts = [[0; 16]; 2];
        for _ in 0..R::SEEDS {
            let place = places[rng.random_range(0..heaps)];
            counts[place / pits][place % pits] += 1;
        }
        let initial = [FirstPhase::BOTH, FirstPhase::only(Side::South), FirstPhase::NONE];
        let first = if R::PROFILE == Profile::Isolo {
            initial[rng.random_range(0..3)]
        } else {
            FirstPhase::NONE
        };
        let [south, north] = counts.map(Lanes::new);
        let position = Position::new(south, north, Side::BOTH[rng.random_range(0..2)], first);
        if R::PROFILE.validate(&position).is_ok() {
            found.push(position);
        }
    }
    found
}

/// All legal turns of all test vectors of a profile, and of artificial
/// positions: some are endless.
fn turns<R: Lockstep>() -> Vec<(Position, Pit)> {
    let positions = [positions(R::PROFILE), artificial::<R>()].concat();
    positions.iter().flat_map(|&p| R::node(&p).legal.map(move |pit| (p, pit))).collect()
}

fn turns_agree<R: Lockstep>() {
    let turns = turns::<R>();
    assert!(turns.len() > 5000);
    let singly: Vec<_> =
        turns.iter().map(|(position, pit)| R::play(&R::node(position), *pit)).collect();
    for &level in CpuLevel::available() {
        let together = play_many::<R>(level, &turns);
        assert_eq!(together.len(), turns.len());
        for ((task, one), other) in turns.iter().zip(&singly).zip(&together) {
            let text = R::PROFILE.position_text(&task.0);
            assert_eq!(one, other, "{level:?} {} {text} {:?}", R::PROFILE, task.1);
        }
    }
}

#[test]
fn turns_in_batches_equal_single_ones() {
    turns_agree::<Kisolo>();
    turns_agree::<KisoloFree>();
    turns_agree::<KisoloFull>();
    turns_agree::<Isolo>();
}

#[test]
fn endless_and_long_turns_agree() {
    let long = "0,0,0,0,0,0,15/0,0,0,0,0,0,0/3,2,1,2,1,2,1/6,3,0,1,0,1,4 S -";
    let position = Profile::Kisolo.parse_position(long).unwrap();
    let node = <Kisolo as kisolo::rules::Rules>::node(&position);
    let turns: Vec<_> = node.legal.map(|pit| (position, pit)).collect();
    let packets: Vec<u16> =
        play_many::<Kisolo>(CpuLevel::best(), &turns).iter().map(|turn| turn.packets).collect();
    assert_eq!(packets, [1020, 22, 6, 6, 4096, 6, 11, 6, 4096, 6, 4096, 6]);
}

fn leaves_agree<R: Lockstep>() {
    let mut want = LeafCounts::default();
    for (position, pit) in turns::<R>() {
        want.turns += 1;
        match R::play(&R::node(&position), pit).outcome {
            Outcome::Ongoing => {}
            Outcome::Win => want.wins += 1,
            Outcome::Loss => want.losses += 1,
            Outcome::Draw => want.draws += 1,
        }
    }
    assert!(want.wins > 0);
    for &level in CpuLevel::available() {
        let mut leaves = Leaves::<R>::new(level);
        for position in [positions(R::PROFILE), artificial::<R>()].concat() {
            leaves.push(&R::node(&position));
        }
        assert_eq!(leaves.finish(), want, "{level:?} {}", R::PROFILE);
    }
}

#[test]
fn leaves_are_counted_by_their_outcomes() {
    leaves_agree::<Kisolo>();
    leaves_agree::<KisoloFree>();
    leaves_agree::<KisoloFull>();
    leaves_agree::<Isolo>();
}

fn perft_agrees<R: Lockstep>(depth: u32) {
    for position in positions(R::PROFILE).into_iter().step_by(100) {
        for depth in 1..=depth {
            for &level in CpuLevel::available() {
                let counts = perft_batched::<R>(level, &position, depth);
                assert_eq!(counts.turns, perft::<R>(&position, depth));
            }
        }
    }
}

#[test]
fn perft_in_batches_counts_the_same() {
    perft_agrees::<Kisolo>(4);
    perft_agrees::<KisoloFree>(5);
    perft_agrees::<KisoloFull>(5);
    perft_agrees::<Isolo>(3);
}

/// A random game on the single board, for the statistics.
fn random_win<R: Lockstep>(start: Position, rng: &mut impl rand::Rng) -> bool {
    let mut position = start;
    for _ in 0..500 {
        let node = R::node(&position);
        let choice = rng.random_range(0..node.legal.len());
        let turn = R::play(&node, node.legal.into_iter().nth(choice).unwrap());
        let own = position.side == start.side;
        match turn.outcome {
            Outcome::Win => return own,
            Outcome::Loss => return !own,
            Outcome::Draw => return false,
            Outcome::Ongoing => position = turn.after,
        }
    }
    false
}

fn playouts_hold<R: Lockstep>(start: Position) {
    const GAMES: u64 = 4000;
    let run = |level| playouts::<R>(level, &[start], GAMES, 500, 11);
    let counts = run(CpuLevel::Plain);
    assert_eq!(counts.games(), GAMES);
    for &level in CpuLevel::available() {
        assert_eq!(run(level), counts);
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let singly = (0..GAMES).filter(|_| random_win::<R>(start, &mut rng)).count() as f64;
    // Five standard deviations of the difference of two such counts.
    let bound = 5.0 * (2.0 * GAMES as f64 * 0.25).sqrt();
    assert!((counts.wins as f64 - singly).abs() < bound, "{} {counts:?} {singly}", R::PROFILE);
}

#[test]
fn random_games_repeat_and_are_fair() {
    playouts_hold::<Kisolo>(Profile::Kisolo.start_position());
    playouts_hold::<KisoloFree>(Profile::KisoloFree.start("startpos1").unwrap());
    playouts_hold::<KisoloFull>(Profile::KisoloFull.start_position());
    playouts_hold::<Isolo>(Profile::Isolo.start_position());
}

#[test]
fn games_that_are_over_or_cut_short_are_counted() {
    let lost = "0,0,0,0,0,0,1/0,0,0,0,0,0,41/0,0,0,0,0,0,0/0,0,0,0,0,0,0 S -";
    let lost = Profile::Kisolo.parse_position(lost).unwrap();
    let start = Profile::Kisolo.start_position();
    let run = |games, max_turns| {
        playouts::<Kisolo>(CpuLevel::best(), &[lost, start], games, max_turns, 1)
    };
    let want = PlayoutCounts { losses: 50, unfinished: 50, turns: 150, ..Default::default() };
    assert_eq!(run(100, 3), want);
    assert_eq!(run(0, 3), PlayoutCounts::default());
}
