//! What a game keeps, whatever it is asked to play.

use kisolo::board::{Lanes, Pit};
use kisolo::rules::{Game, GameResult, Move, MoveError, Profile};

/// Tries every move that is not legal; the game has to stay as it was.
fn refuses_the_rest(game: &Game) {
    let (profile, position) = (game.profile(), *game.position());
    let over = game.result() != GameResult::Ongoing;
    let legal = profile.legal(&position);
    let mut wrong: Vec<Move> =
        (0..=u8::MAX).map(Pit).filter(|&pit| over || !legal.contains(pit)).map(Move::Sow).collect();
    wrong.push(Move::SetUp(Lanes::EMPTY));
    for mv in wrong {
        let mut after = game.clone();
        let error = after.play(mv).unwrap_err();
        assert_eq!(error == MoveError::GameOver, over, "{profile} {mv:?}: {error}");
        assert_eq!(after.position(), &position);
        assert_eq!(after.result(), game.result());
        assert_eq!(after.earlier(), game.earlier());
    }
}

#[test]
fn refused_moves_change_nothing_up_to_the_end() {
    for profile in Profile::ALL {
        for name in profile.start_names() {
            let mut game = Game::new(profile, profile.start(name).unwrap());
            let set_up = Lanes::new(std::array::from_fn(|pit| if pit < 7 { 3 } else { 0 }));
            refuses_the_rest(&game);
            for ply in 0..200 {
                let mv = if profile.set_up_due(game.position()) {
                    Move::SetUp(set_up)
                } else {
                    let legal: Vec<Pit> = game.legal().collect();
                    let Some(&pit) = legal.get(ply % legal.len().max(1)) else { break };
                    Move::Sow(pit)
                };
                let before = game.clone();
                game.play(mv).unwrap();
                assert_eq!(game.ply(), before.ply() + 1);
                assert_eq!(game.earlier().last(), Some(&before.position().hash()));
                refuses_the_rest(&game);
            }
        }
    }
}

#[test]
fn nothing_is_played_after_a_win_or_a_draw() {
    let cases = [
        // North's outer row is empty after a1.
        (
            Profile::Kisolo,
            "0,0,0,0,0,0,0/0,0,0,0,0,0,1/0,0,0,0,0,0,0/41,0,0,0,0,0,0 S -",
            None,
            GameResult::South,
        ),
        // f2 takes the last seeds of North's inner row, and North could still move.
        (
            Profile::KisoloFree,
            "7,5,0,0,0,4,0/0,0,0,0,0,5,0/2,3,0,0,4,2,2/0,0,0,0,6,2,0 S -",
            Some("f2"),
            GameResult::South,
        ),
        // The smallest endless turn.
        (
            Profile::KisoloFull,
            "0,0,0,0,0,0,75/0,0,0,0,0,0,0/1,2,0,1,0,1,0/1,0,1,0,1,0,1 S -",
            Some("a1"),
            GameResult::Draw,
        ),
        // North has no seed.
        (
            Profile::Isolo,
            "0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0/64,0,0,0,0,0,0,0 N -",
            None,
            GameResult::South,
        ),
    ];
    for (profile, text, mv, result) in cases {
        let mut game = Game::new(profile, profile.parse_position(text).unwrap());
        if let Some(mv) = mv {
            game.play(profile.parse_move(game.position(), mv).unwrap()).unwrap();
        }
        assert_eq!(game.result(), result, "{profile}");
        assert!(game.legal().is_empty());
        assert_eq!(game.repetitions(), 0, "{profile}");
        refuses_the_rest(&game);
    }
}
