//! Legal games of a wanted length.

use kisolo::board::{PitSet, Position};
use kisolo::rules::{Game, GameResult, Move, Profile};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A source of chance that repeats.
pub fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// One of the pits, by chance.
pub fn choose(pits: PitSet, rng: &mut Xoshiro256PlusPlus) -> Move {
    let pits: Vec<_> = pits.collect();
    Move::Sow(pits[rng.random_range(0..pits.len())])
}

/// Any arrangement of 21 seeds.
pub fn any_set_up(rng: &mut Xoshiro256PlusPlus) -> Move {
    let mut counts = [0; 16];
    for _ in 0..21 {
        counts[rng.random_range(0..14)] += 1;
    }
    Move::SetUp(kisolo::board::Lanes::new(counts))
}

/// The text of a legal game of `turns` turns from a position that does not
/// end: turns by chance, taken back where they lead to an end.
pub fn long_game(profile: Profile, start: Position, turns: usize) -> Option<Vec<String>> {
    let mut rng = rng(1);
    let mut games = vec![Game::new(profile, start)];
    let mut moves = Vec::new();
    let mut patience = 100 * turns + 100_000;
    while moves.len() < turns {
        patience = patience.checked_sub(1)?;
        let mut game = games[games.len() - 1].clone();
        let mv = choose(profile.legal(game.position()), &mut rng);
        let text = profile.move_text(game.position(), mv);
        game.play(mv).unwrap();
        if game.result() != GameResult::Ongoing {
            // Some turns back, but never to before the start.
            let kept = moves.len().saturating_sub(rng.random_range(1..20));
            moves.truncate(kept);
            games.truncate(kept + 1);
            continue;
        }
        // The past is of no use here and would be copied each time.
        games.push(Game::new(profile, *game.position()));
        moves.push(text);
    }
    Some(moves)
}

#[test]
fn long_games_exist_in_every_profile() {
    for profile in Profile::ALL {
        let start = match profile {
            Profile::KisoloFree => profile.start("startpos1").unwrap(),
            _ => profile.start_position(),
        };
        let found = long_game(profile, start, 300).map(|moves| moves.len());
        println!("{profile} {found:?}");
        assert_eq!(found, Some(300));
    }
}
