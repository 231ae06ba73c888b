use super::*;
use crate::rules::{Move, Profile};

fn settings(pairs: u32) -> Settings {
    Settings {
        profile: "kisolo".to_owned(),
        seed: 1,
        pairs,
        fewest: 2,
        rounds: 2,
        tolerance: 20.0,
        most_nodes: 1 << 14,
        check: true,
    }
}

/// Every two turns from the start: of a few openings, those that one side wins
/// whoever plays would make all players alike.
fn openings() -> Vec<Game> {
    let profile = Profile::Kisolo;
    let after = |game: &Game| -> Vec<Game> {
        let with = |pit| {
            let mut next = game.clone();
            next.play(Move::Sow(pit)).unwrap();
            next
        };
        profile.legal(game.position()).map(with).collect()
    };
    after(&Game::new(profile, profile.start_position())).iter().flat_map(after).collect()
}

fn level(elo: u32, strength: f64) -> Level {
    Level { elo, strength, measured: None, error: None, games: 0 }
}

/// A calibration of few levels, played to the end of its round.
fn measured(threads: usize) -> Calibration {
    let levels = vec![level(400, 0.0), level(1000, 0.3), level(1600, 0.5)];
    let mut state = Calibration::new(settings(20), levels);
    let save = |_: &Calibration| Ok::<(), OutOfMemory>(());
    assert!(state.play(&openings(), threads, &Signals::default(), save).unwrap());
    state
}

#[test]
fn distant_levels_are_in_order_with_any_number_of_threads() {
    let state = measured(1);
    assert_eq!(state, measured(2));
    let ratings = state.ratings().unwrap();
    let rating = |strength: f64| ratings.player(&name(strength)).unwrap().rating;
    let found = [0.0, 0.3, 0.5].map(rating);
    assert!(found.windows(2).all(|pair| pair[0] + 100.0 < pair[1]), "{found:?}");
    assert_eq!(ratings.player(RANDOM).unwrap().rating, 400.0);
    let tallies = state.tallies();
    assert!(tallies[&name(0.5)].mean_loss() < tallies[&name(0.0)].mean_loss());
}

#[test]
fn a_round_that_was_stopped_goes_on_where_it_was() {
    let whole = measured(1);
    let mut state = Calibration::new(whole.settings.clone(), whole.levels.clone());
    let signals = Signals::default();
    let mut saved = None;
    let stop = |state: &Calibration| {
        saved = Some(serde_json::to_string(state).unwrap());
        signals.stop();
        Ok::<(), OutOfMemory>(())
    };
    assert!(!state.play(&openings(), 1, &signals, stop).unwrap());
    let mut state: Calibration = serde_json::from_str(&saved.unwrap()).unwrap();
    let [played, all] = state.progress();
    assert!(0 < played && played < all);
    let save = |_: &Calibration| Ok::<(), OutOfMemory>(());
    assert!(state.play(&openings(), 1, &Signals::default(), save).unwrap());
    assert_eq!(state, whole);
}

#[test]
fn a_curve_gives_the_levels_it_reaches() {
    let points: Vec<Point> = (0..=20)
        .map(|n| f64::from(n) / 20.0)
        .map(|strength| Point { strength, rating: 400.0 + 850.0 * strength, weight: 1.0 })
        .collect();
    let levels = levels(&Curve::through(400.0, &points), Strength::MOST);
    assert_eq!(
        levels.iter().map(|level| level.elo).collect::<Vec<_>>(),
        (4..=12).map(|n| 100 * n).collect::<Vec<_>>()
    );
    assert!((levels[4].strength - 400.0 / 850.0).abs() < 1e-3);
}

#[test]
fn a_check_changes_no_level() {
    let mut state = measured(1);
    let before = state.levels.clone();
    state.conclude().unwrap();
    assert!(state.finished && state.levels == before && state.round() == 1);
}
