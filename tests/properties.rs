//! The fast rules against the plain interpreter, on positions of all kinds.

use std::collections::{HashMap, HashSet};

use kisolo::board::{FirstPhase, Geometry, LANES, Lanes, Position, Side};
use kisolo::rules::{
    Game, GameResult, Isolo, Kisolo, KisoloFree, KisoloFull, Move, Profile, Rules, make, unmake,
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::oracle::{Board, Made, flags, is_valid};

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

/// Changes one character: put in, left out or replaced.
fn mutated(text: &str, at: prop::sample::Index, with: char, how: u8) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let place = at.index(chars.len());
    match how {
        0 => chars[place] = with,
        1 => chars.insert(place, with),
        _ => {
            chars.remove(place);
        }
    }
    chars.into_iter().collect()
}

/// Positions of `kisolo-free` before a set-up: `SN`, or `N` with South's seeds.
fn before_set_up() -> impl Strategy<Value = Position> {
    proptest::option::of(arrangement(14, 21)).prop_map(|south| {
        let profile = Profile::KisoloFree;
        let start = profile.start_position();
        let set_up = |south: Vec<u8>| Move::SetUp(side_of(&south));
        south.map_or(start, |south| profile.play(&start, set_up(south)).unwrap().after)
    })
}

fn side_of(counts: &[u8]) -> Lanes {
    Lanes::new(std::array::from_fn(|pit| counts.get(pit).copied().unwrap_or(0)))
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
    fn exactly_the_valid_texts_are_read(
        (profile, position) in artificial(),
        set_up in before_set_up(),
        other in any_profile(),
        changes in proptest::collection::vec(
            (any::<prop::sample::Index>(), proptest::char::range(' ', '~'), 0..3u8),
            0..3,
        ),
        plain in proptest::sample::select("0123456789,/ SN-".chars().collect::<Vec<_>>()),
    ) {
        let texts = [(profile, position), (Profile::KisoloFree, set_up)];
        for text in texts.map(|(profile, position)| profile.position_text(&position)) {
            let wild = changes
                .iter()
                .fold(text.clone(), |text, &(at, with, how)| mutated(&text, at, with, how));
            let tame = changes
                .iter()
                .fold(text, |text, &(at, _, how)| mutated(&text, at, plain, how));
            for text in [wild, tame] {
                for profile in [profile, other, Profile::KisoloFree] {
                    let read = profile.parse_position(&text).is_ok();
                    prop_assert_eq!(read, is_valid(flags(profile.name()), &text), "{}", text);
                }
            }
        }
    }

    #[test]
    fn set_ups_agree(position in before_set_up(), counts in arrangement(14, 21), pit in 0..14usize) {
        let profile = Profile::KisoloFree;
        let board = oracle(profile, &profile.position_text(&position));
        let mv = Move::SetUp(side_of(&counts));
        let text = profile.move_text(&position, mv);
        prop_assert_eq!(profile.parse_move(&position, &text), Ok(mv));
        let turn = profile.play(&position, mv).unwrap();
        prop_assert_eq!(Some(profile.position_text(&turn.after)), board.set_up(&text));
        prop_assert_eq!(profile.validate(&turn.after), Ok(()));
        let mut more = counts;
        more[pit] += 1;
        let text = profile.move_text(&position, Move::SetUp(side_of(&more)));
        prop_assert!(profile.parse_move(&position, &text).is_err());
        prop_assert_eq!(board.set_up(&text), None);
    }

    #[test]
    fn lanes_agree_with_their_counts((_, position) in artificial()) {
        for lanes in [position.own, position.enemy] {
            let counts = lanes.counts();
            let occupied = (0..LANES).filter(|&pit| counts[pit] > 0).map(|pit| 1u16 << pit);
            prop_assert_eq!(lanes.occupied(), occupied.sum::<u16>());
            prop_assert_eq!(lanes.sum(), counts.iter().map(|&count| u32::from(count)).sum::<u32>());
        }
    }

    #[test]
    fn side_and_first_phase_change_the_hash((_, position) in artificial()) {
        let [south, north] = Side::BOTH.map(|side| position.lanes(side));
        let firsts = [
            FirstPhase::NONE,
            FirstPhase::only(Side::South),
            FirstPhase::only(Side::North),
            FirstPhase::BOTH,
        ];
        let all = Side::BOTH.into_iter().flat_map(|side| {
            firsts.map(|first| Position::new(south, north, side, first).hash())
        });
        prop_assert_eq!(all.collect::<HashSet<u64>>().len(), 8);
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

/// A thin side against one that is out of reach: where endless turns are found.
fn quiet(profile: Profile, rng: &mut Xoshiro256PlusPlus) -> Position {
    let pits = profile.geometry().pits();
    let thin = rng.random_range(8..24);
    let mut counts = [[0; LANES]; 2];
    for seed in 0..profile.seeds() {
        // Seeds of the enemy in its outer row only: `kisolo` captures none of them.
        let (side, pits) = if seed < thin { (0, pits) } else { (1, pits / 2) };
        counts[side][rng.random_range(0..pits)] += 1;
    }
    let [own, enemy] = counts.map(Lanes::new);
    Position { own, enemy, side: Side::South, first: FirstPhase::NONE }
}

/// Turns near the guard are too rare for the strategies above, so the fast code looks for them.
#[test]
fn long_and_endless_turns_agree() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4096);
    let (mut long, mut endless) = (0, 0);
    for profile in Profile::ALL {
        for _ in 0..20_000 {
            let position = quiet(profile, &mut rng);
            let got = turns(profile, &position);
            if got.iter().all(|made| made.packets < 200) {
                continue;
            }
            let text = profile.position_text(&position);
            assert_eq!(got, oracle(profile, &text).turns(), "{profile} {text}");
            long += 1;
            endless += got.iter().filter(|made| made.result == "draw").count();
        }
    }
    assert!(long >= 50 && endless >= 10, "{long} long, {endless} endless");
}

/// The hash belongs to the position, not to the turns that led to it.
#[test]
fn two_orders_of_play_meet_in_one_hash() {
    let mut meetings = 0;
    for profile in Profile::ALL {
        for name in profile.start_names() {
            let start = profile.start(name).unwrap();
            let mut level = vec![start];
            let mut hashes = HashMap::new();
            for _ in 0..3 {
                level = level
                    .iter()
                    .flat_map(|position| {
                        profile.legal(position).map(|pit| profile.play(position, Move::Sow(pit)))
                    })
                    .map(|turn| turn.unwrap().after)
                    .collect();
                for position in &level {
                    let text = profile.position_text(position);
                    let hash = position.hash();
                    if let Some(before) = hashes.insert(text, hash) {
                        meetings += 1;
                        assert_eq!(before, hash);
                    }
                }
            }
        }
    }
    assert!(meetings > 0);
}

#[test]
fn geometry_is_what_the_board_looks_like() {
    assert_eq!(Geometry::SEVEN.pits(), 14);
    assert_eq!(Geometry::EIGHT.pits(), 16);
}
