//! The batch board against the single one, at every level of instructions.

use kisolo::board::{Pit, Position};
use kisolo::rules::batch::{CpuLevel, Lockstep, perft_batched, play_many, playouts};
use kisolo::rules::{Isolo, Kisolo, KisoloFree, KisoloFull, Profile, perft};

use crate::vectors::positions;

/// All legal turns of all test vectors of a profile.
fn turns<R: Lockstep>() -> Vec<(Position, Pit)> {
    let positions = positions(R::PROFILE);
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
    use kisolo::rules::Outcome;
    use rand::RngExt;
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
    use rand::SeedableRng;
    const GAMES: u64 = 4000;
    let run = |level| playouts::<R>(level, &[start], GAMES, 500, 11);
    let counts = run(CpuLevel::Plain);
    assert_eq!(counts.games(), GAMES);
    for &level in CpuLevel::available() {
        assert_eq!(run(level), counts);
    }
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(5);
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
