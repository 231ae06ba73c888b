//! The fast rules against the plain interpreter, on positions of all kinds.

use kisolo::board::{FirstPhase, Geometry, LANES, Lanes, Position, Side};
use kisolo::rules::{
    Game, GameResult, Isolo, Kisolo, KisoloFree, KisoloFull, Move, Profile, Rules, make, unmake,
};
use proptest::prelude::*;

use crate::oracle::{Board, Made, flags};
use crate::vectors::positions;

fn oracle(profile: Profile, text: &str) -> Board {
    Board::parse(flags(profile.name()), text)
}

/// All legal turns, as the library makes them.
fn turns(profile: Profile, position: &Position) -> Vec<Made> {
    let made = profile.legal(position).map(|pit| {
        let mv = Move::Sow(pit);
        let turn = profile.play(position, mv).unwrap();
        let result = turn.outcome.for_mover(position.side);
        Made {
            mv: profile.move_text(position, mv),
            result: result.word().to_owned(),
            packets: u32::from(turn.packets),
            after: (result != GameResult::Draw).then(|| profile.position_text(&turn.after)),
        }
    });
    made.collect()
}

fn any_profile() -> impl Strategy<Value = Profile> {
    proptest::sample::select(Profile::ALL.to_vec())
}

/// An arrangement of `seeds` on `pits`: evenly spread, or in few heaps.
fn arrangement(pits: usize, seeds: u32) -> impl Strategy<Value = Vec<u8>> {
    let heaps = prop_oneof![Just(1), Just(2), Just(4), Just(pits)];
    heaps
        .prop_flat_map(move |heaps| {
            let places = proptest::collection::vec(0..pits, heaps);
            (places, proptest::collection::vec(any::<prop::sample::Index>(), seeds as usize))
        })
        .prop_map(move |(places, drops)| {
            let mut counts = vec![0; pits];
            for drop in drops {
                counts[*drop.get(&places)] += 1;
            }
            counts
        })
}

/// Any valid position of a profile after the set-ups, however unlikely.
fn artificial() -> impl Strategy<Value = (Profile, Position)> {
    any_profile()
        .prop_flat_map(|profile| {
            let pits = 2 * profile.geometry().pits();
            (Just(profile), arrangement(pits, profile.seeds()), any::<bool>(), 0..4u8)
        })
        .prop_filter_map("a corner is empty", |(profile, counts, north, first)| {
            let pits = profile.geometry().pits();
            let side = |from: usize| {
                Lanes::new(std::array::from_fn(
                    |pit| if pit < pits { counts[from + pit] } else { 0 },
                ))
            };
            let first = match (profile, first) {
                (Profile::Isolo, 1) => FirstPhase::only(Side::South),
                (Profile::Isolo, 2) => FirstPhase::only(Side::North),
                (Profile::Isolo, 3) => FirstPhase::BOTH,
                _ => FirstPhase::NONE,
            };
            let mover = if north { Side::North } else { Side::South };
            let position = Position::new(side(0), side(pits), mover, first);
            profile.validate(&position).is_ok().then_some((profile, position))
        })
}

/// A game at random from a start position.
fn played() -> impl Strategy<Value = Game> {
    let choices = proptest::collection::vec(any::<prop::sample::Index>(), 0..80);
    let set_ups = (arrangement(14, 21), arrangement(14, 21));
    (any_profile(), any::<prop::sample::Index>(), set_ups, choices).prop_map(
        |(profile, start, (south, north), choices)| {
            let names = profile.start_names();
            let start = profile.start(names[start.index(names.len())]).unwrap();
            let mut game = Game::new(profile, start);
            for counts in [south, north] {
                if profile.set_up_due(game.position()) {
                    let lanes = std::array::from_fn(|pit| counts.get(pit).copied().unwrap_or(0));
                    game.play(Move::SetUp(Lanes::new(lanes))).unwrap();
                }
            }
            for choice in choices {
                let legal: Vec<_> = game.legal().collect();
                if legal.is_empty() {
                    break;
                }
                game.play(Move::Sow(*choice.get(&legal))).unwrap();
            }
            game
        },
    )
}

/// Makes and takes back every turn.
fn unmade<R: Rules>(position: &Position) {
    let mut board = *position;
    for pit in R::node(position).legal {
        let (turn, undo) = make::<R>(&mut board, pit);
        assert_eq!(board, turn.after);
        unmake(&mut board, undo);
        assert_eq!(&board, position);
    }
}

fn holds(profile: Profile, position: &Position) {
    let text = profile.position_text(position);
    assert_eq!(profile.parse_position(&text), Ok(*position));
    let want = oracle(profile, &text).turns();
    assert_eq!(turns(profile, position), want, "{profile} {text}");
    for pit in profile.legal(position) {
        let mv = Move::Sow(pit);
        let name = profile.move_text(position, mv);
        assert_eq!(profile.parse_move(position, &name), Ok(mv));
        let after = profile.play(position, mv).unwrap().after;
        let seeds = after.own.sum() + after.enemy.sum();
        assert_eq!(seeds, profile.seeds(), "{text} {name}");
        for lanes in [after.own, after.enemy] {
            assert!(lanes.counts().iter().all(|&count| u32::from(count) <= seeds));
            assert!(lanes.counts()[profile.geometry().pits()..].iter().all(|&count| count == 0));
        }
    }
    match profile {
        Profile::Kisolo => unmade::<Kisolo>(position),
        Profile::KisoloFree => unmade::<KisoloFree>(position),
        Profile::KisoloFull => unmade::<KisoloFull>(position),
        Profile::Isolo => unmade::<Isolo>(position),
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn artificial_positions_agree((profile, position) in artificial()) {
        holds(profile, &position);
    }

    #[test]
    fn played_positions_agree(game in played()) {
        let profile = game.profile();
        if game.result() == GameResult::Ongoing && !profile.set_up_due(game.position()) {
            holds(profile, game.position());
        }
        // The hash does not depend on the way.
        let text = profile.position_text(game.position());
        let again = profile.parse_position(&text).unwrap();
        prop_assert_eq!(again.hash(), game.position().hash());
        prop_assert_eq!(again.flipped().flipped().hash(), again.hash());
        prop_assert_ne!(again.flipped().hash(), again.hash());
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,80}", counts in "[0-9,/]{0,60} [SNx] [SN-]{1,2}") {
        for profile in Profile::ALL {
            for text in [&text, &counts] {
                if let Ok(position) = profile.parse_position(text) {
                    prop_assert_eq!(profile.validate(&position), Ok(()));
                }
                let _ = profile.parse_move(&profile.start_position(), text);
            }
        }
    }

    #[test]
    fn one_seed_more_or_less_is_refused(
        (profile, position) in artificial(),
        pit in 0..LANES,
        more in any::<bool>(),
    ) {
        let count = position.own.get(pit);
        let changed = if more { count.checked_add(1) } else { count.checked_sub(1) };
        if let Some(changed) = changed {
            let wrong = Position { own: position.own.with(pit, changed), ..position };
            prop_assert!(profile.validate(&wrong).is_err());
        }
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn sequences_agree((profile, position) in artificial()) {
        let text = profile.position_text(&position);
        for depth in 0..=3 {
            prop_assert_eq!(profile.perft(&position, depth), oracle(profile, &text).perft(depth));
        }
    }
}

#[test]
fn the_interpreter_agrees_with_the_vectors() {
    for profile in Profile::ALL {
        for position in positions(profile).into_iter().step_by(3) {
            let text = profile.position_text(&position);
            assert_eq!(turns(profile, &position), oracle(profile, &text).turns(), "{text}");
        }
    }
}

#[test]
fn a_refused_move_leaves_the_game_as_it_was() {
    let profile = Profile::Kisolo;
    let mut game = Game::new(profile, profile.start_position());
    let empty = Move::Sow(kisolo::board::Pit(8));
    assert!(game.play(empty).is_err());
    assert!(game.play(Move::SetUp(Lanes::EMPTY)).is_err());
    assert_eq!(game.position(), &profile.start_position());
    assert_eq!((game.ply(), game.repetitions()), (0, 0));
}

#[test]
fn geometry_is_what_the_board_looks_like() {
    assert_eq!(Geometry::SEVEN.pits(), 14);
    assert_eq!(Geometry::EIGHT.pits(), 16);
}
