//! The search at random positions, limits and times of `stop`; and that it
//! allocates nothing once it runs.

use std::time::Duration;

use kisolo::board::Position;
use kisolo::rules::{
    Game, GameResult, Isolo, Kisolo, KisoloFree, KisoloFull, Move, Profile, Rules,
};
use kisolo::search::{Clock, Found, Limits, Request, Signals, search};
use kisolo::tt::Table;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A position in which the game goes on, some random turns after a start.
fn random_position(profile: Profile, rng: &mut Xoshiro256PlusPlus) -> Game {
    let starts: Vec<Position> =
        profile.start_names().iter().filter_map(|name| profile.start(name)).collect();
    loop {
        let start = starts[rng.random_range(0..starts.len())];
        if profile.set_up_due(&start) {
            continue;
        }
        let mut game = Game::new(profile, start);
        for _ in 0..rng.random_range(0..40) {
            let legal: Vec<_> = profile.legal(game.position()).into_iter().collect();
            if game.result() != GameResult::Ongoing {
                break;
            }
            game.play(Move::Sow(legal[rng.random_range(0..legal.len())])).unwrap();
        }
        if game.result() == GameResult::Ongoing {
            return game;
        }
    }
}

/// Whether a search with these limits does the same every time.
fn random_limits(rng: &mut Xoshiro256PlusPlus) -> (Limits, bool) {
    let ms =
        |rng: &mut Xoshiro256PlusPlus, most: u64| Duration::from_millis(rng.random_range(0..=most));
    let limits = match rng.random_range(0..5) {
        0 | 1 => Limits { nodes: Some(rng.random_range(0..4000)), ..Limits::default() },
        2 => {
            let limits = Limits { depth: Some(rng.random_range(0..7)), ..Limits::default() };
            Limits { nodes: Some(4000), ..limits }
        }
        3 => Limits { move_time: Some(ms(rng, 2)), ..Limits::default() },
        _ => {
            let turns_to_go = rng.random_bool(0.5).then(|| rng.random_range(0..3));
            let clock = Clock { left: ms(rng, 20), increment: ms(rng, 2), turns_to_go };
            Limits { clock: Some(clock), ..Limits::default() }
        }
    };
    let repeats = limits.nodes.is_some();
    (limits, repeats)
}

fn hold_everywhere<R: Rules>(count: u32) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(20_261_202);
    let mut table = Table::new(1).unwrap();
    for _ in 0..count {
        let game = random_position(R::PROFILE, &mut rng);
        let text = R::PROFILE.position_text(game.position());
        let (limits, repeats) = random_limits(&mut rng);
        let request = Request {
            earlier: game.earlier(),
            threads: if repeats { 1 } else { rng.random_range(1..=2) },
            multi_pv: rng.random_range(1..4),
            ..Request::new(*game.position(), limits)
        };
        let mut run = |stop_after: Option<Duration>| -> Option<Found> {
            table.clear();
            let signals = Signals::default();
            std::thread::scope(|scope| {
                if let Some(time) = stop_after {
                    let signals = &signals;
                    scope.spawn(move || {
                        std::thread::sleep(time);
                        signals.stop();
                    });
                }
                search::<R>(&request, &table, &signals, &mut ())
            })
        };
        let stop_after =
            rng.random_bool(0.3).then(|| Duration::from_micros(rng.random_range(0..1500)));
        let found = run(stop_after);
        let best = found.unwrap_or_else(|| panic!("no answer in {text}")).best;
        assert!(R::node(game.position()).legal.contains(best), "{text}: illegal");
        if repeats && stop_after.is_none() {
            assert_eq!(run(None), found, "{text}: not the same twice");
        }
    }
}

#[test]
fn random_searches_have_one_legal_answer() {
    hold_everywhere::<Kisolo>(300);
    hold_everywhere::<KisoloFree>(300);
    hold_everywhere::<KisoloFull>(300);
    hold_everywhere::<Isolo>(300);
}

/// `cargo test --test main ten_thousand_searches -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn ten_thousand_searches_of_each_profile() {
    hold_everywhere::<Kisolo>(10_000);
    hold_everywhere::<KisoloFree>(10_000);
    hold_everywhere::<KisoloFull>(10_000);
    hold_everywhere::<Isolo>(10_000);
}

/// A deep search allocates as often as a shallow one: before it begins.
fn allocates_nothing<R: Rules>() {
    let start = if R::PROFILE == Profile::KisoloFree { "startpos1" } else { "startpos" };
    let position = R::PROFILE.start(start).unwrap();
    let table = Table::new(1).unwrap();
    let allocations = |nodes: u64| {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let request = Request { multi_pv: 3, ..Request::new(position, limits) };
        let measured = allocation_counter::measure(|| {
            search::<R>(&request, &table, &Signals::default(), &mut ()).unwrap();
        });
        measured.count_total
    };
    let few = allocations(10);
    assert!(few > 0, "nothing is counted");
    assert_eq!(allocations(200_000), few, "{}", R::PROFILE);
}

#[test]
fn no_search_allocates_once_it_runs() {
    allocates_nothing::<Kisolo>();
    allocates_nothing::<KisoloFree>();
    allocates_nothing::<KisoloFull>();
    allocates_nothing::<Isolo>();
}
