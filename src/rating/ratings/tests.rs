use std::time::Instant;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::elo::{elo_to_score, score_to_elo};
use super::super::outcome::Outcome;
use super::*;

type Rng = Xoshiro256PlusPlus;

/// No prior: plain maximum likelihood.
fn plain() -> RatingOptions {
    RatingOptions { prior: 0.0, ..RatingOptions::default() }
}

/// A made-up world: ratings in Elo, with mean 0, and the model's parameters.
struct World {
    names: Vec<String>,
    ratings: Vec<f64>,
    advantage: f64,
    draw_rate: f64,
}

impl World {
    fn new(players: usize, advantage: f64, draw_rate: f64, rng: &mut Rng) -> Self {
        let mut ratings: Vec<f64> = (0..players).map(|_| rng.random_range(-300.0..300.0)).collect();
        let mean = ratings.iter().sum::<f64>() / players as f64;
        ratings.iter_mut().for_each(|rating| *rating -= mean);
        let names = (0..players).map(|i| format!("p{i}")).collect();
        World { names, ratings, advantage, draw_rate }
    }

    fn rating(&self, name: &str) -> f64 {
        let index = self.names.iter().position(|other| other == name);
        self.ratings[index.unwrap()]
    }

    /// Plays games between players drawn at random.
    fn play(&self, games: usize, rng: &mut Rng) -> Crosstable {
        let mut table = Crosstable::new();
        let count = self.names.len();
        let scale = ELO * (1.0 - self.draw_rate);
        for _ in 0..games {
            let first = rng.random_range(0..count);
            let second = (first + rng.random_range(1..count)) % count;
            let x = (self.ratings[first] - self.ratings[second] + self.advantage) / scale;
            let draw = 2.0 * self.draw_rate / (1.0 - self.draw_rate);
            let [win, drawn, _] = davidson::probabilities(x, draw);
            let dice = rng.random::<f64>();
            let outcome = if dice < win {
                Outcome::First
            } else if dice < win + drawn {
                Outcome::Draw
            } else {
                Outcome::Second
            };
            table.add(&self.names[first], &self.names[second], outcome);
        }
        table
    }
}

#[track_caller]
fn close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
}

#[test]
fn known_parameters_lie_within_their_intervals() {
    const RUNS: usize = 100;
    let mut rng = Rng::seed_from_u64(1);
    let (mut players, mut pairs, mut inside, mut pairs_inside) = (0, 0, 0, 0);
    let (mut advantages, mut draw_rates) = (0, 0);
    for _ in 0..RUNS {
        let world = World::new(12, 80.0, 0.2, &mut rng);
        let ratings = Ratings::of(&world.play(1200, &mut rng), &RatingOptions::default()).unwrap();
        let truth = |i: usize| world.rating(&ratings.players[i].name);
        for (i, player) in ratings.players.iter().enumerate() {
            players += 1;
            inside += usize::from((player.rating - truth(i)).abs() < player.error);
            for j in 0..i {
                let Estimate { value, error } = ratings.difference(i, j);
                pairs += 1;
                pairs_inside += usize::from((value - truth(i) + truth(j)).abs() < error);
            }
        }
        let holds = |e: Estimate, truth: f64| usize::from((e.value - truth).abs() < e.error);
        advantages += holds(ratings.advantage, world.advantage);
        draw_rates += holds(ratings.draw_rate, world.draw_rate);
    }
    let share = |inside: usize, of: usize| inside as f64 / of as f64;
    close(share(inside, players), 0.95, 0.02);
    close(share(pairs_inside, pairs), 0.95, 0.02);
    close(share(advantages, RUNS), 0.95, 0.05);
    close(share(draw_rates, RUNS), 0.95, 0.05);
}

#[test]
fn many_games_recover_all_parameters() {
    let mut rng = Rng::seed_from_u64(2);
    let world = World::new(8, 120.0, 0.05, &mut rng);
    let table = world.play(400_000, &mut rng);
    for options in [RatingOptions::default(), plain()] {
        let ratings = Ratings::of(&table, &options).unwrap();
        for player in &ratings.players {
            close(player.rating, world.rating(&player.name), 5.0);
            assert!(player.error < 3.0);
        }
        close(ratings.advantage.value, 120.0, 3.0);
        close(ratings.draw_rate.value, 0.05, 0.002);
    }
}

#[test]
fn expected_points_are_the_points_made() {
    let mut rng = Rng::seed_from_u64(3);
    let table = World::new(6, 50.0, 0.3, &mut rng).play(600, &mut rng);
    let ratings = Ratings::of(&table, &plain()).unwrap();
    for player in &ratings.players {
        let mut expected = 0.0;
        for other in ratings.players.iter().filter(|other| other.name != player.name) {
            let games =
                |a: &Player, b: &Player| table.counts(&a.name, &b.name).iter().sum::<u64>() as f64;
            let score = |a: &Player, b: &Player| ratings.expected_score(a.rating, b.rating);
            expected += games(player, other) * score(player, other);
            expected += games(other, player) * (1.0 - score(other, player));
        }
        close(expected, player.score * player.games as f64, 1e-6);
    }
}

#[test]
fn two_players_without_draws_have_the_logistic_difference() {
    let mut table = Crosstable::new();
    for (first, second, wins, losses) in [("a", "b", 30, 10), ("b", "a", 10, 30)] {
        table.add_many(first, second, Outcome::First, wins);
        table.add_many(first, second, Outcome::Second, losses);
    }
    let ratings = Ratings::of(&table, &plain()).unwrap();
    let difference = ratings.difference(0, 1);
    close(difference.value, score_to_elo(0.75), 1e-9);
    // The delta method: 1.96 / √(N s (1 - s)) in natural logarithm of odds.
    close(difference.error, Z95 * ELO / (80.0 * 0.75 * 0.25f64).sqrt(), 1e-9);
    close(ratings.players[0].error, difference.error / 2.0, 1e-9);
    close(ratings.advantage.value, 0.0, 1e-9);
    assert_eq!(ratings.draw_rate, Estimate { value: 0.0, error: 0.0 });
    close(ratings.expected_score(100.0, 0.0), elo_to_score(100.0), 1e-12);
    let z = difference.value / (difference.error / Z95);
    close(ratings.los(0, 1), normal::cdf(z), 1e-15);
    close(ratings.los(0, 1) + ratings.los(1, 0), 1.0, 1e-15);
}

#[test]
fn ratings_of_near_equals_are_elo_whatever_the_draws() {
    let mut table = Crosstable::new();
    for (first, second, wins, losses) in [("a", "b", 260, 240), ("b", "a", 240, 260)] {
        table.add_many(first, second, Outcome::First, wins);
        table.add_many(first, second, Outcome::Second, losses);
        table.add_many(first, second, Outcome::Draw, 500);
    }
    let ratings = Ratings::of(&table, &plain()).unwrap();
    close(ratings.difference(0, 1).value, score_to_elo(0.51), 0.01);
    close(ratings.draw_rate.value, 0.5, 1e-3);
}

#[test]
fn symmetric_results_give_equal_ratings() {
    let mut table = Crosstable::new();
    // Each beats the next: a circle, with draws.
    for (first, second) in [("a", "b"), ("b", "c"), ("c", "a")] {
        table.add_many(first, second, Outcome::First, 5);
        table.add_many(first, second, Outcome::Draw, 3);
        table.add_many(second, first, Outcome::Second, 5);
        table.add_many(second, first, Outcome::Draw, 3);
    }
    for options in [RatingOptions::default(), plain()] {
        let ratings = Ratings::of(&table, &options).unwrap();
        for (i, player) in ratings.players.iter().enumerate() {
            close(player.rating, 0.0, 1e-9);
            close(player.error, ratings.players[0].error, 1e-9);
            assert_eq!((player.games, player.score, player.draws), (32, 0.5, 12));
            (0..3).for_each(|j| close(ratings.los(i, j), 0.5, 1e-9));
        }
        close(ratings.advantage.value, 0.0, 1e-9);
        assert_eq!(ratings.los_matrix().len(), 3);
    }
}

#[test]
fn an_anchor_moves_all_and_has_no_error() {
    let mut rng = Rng::seed_from_u64(4);
    let table = World::new(5, 50.0, 0.1, &mut rng).play(500, &mut rng);
    let free = Ratings::of(&table, &RatingOptions::default()).unwrap();
    close(free.players.iter().map(|player| player.rating).sum(), 0.0, 1e-9);
    let anchor = Some(Anchor { name: "p3".into(), rating: 400.0 });
    let held = Ratings::of(&table, &RatingOptions { anchor, ..RatingOptions::default() }).unwrap();
    let (fixed, before) = (held.player("p3").unwrap(), free.player("p3").unwrap());
    close(fixed.rating, 400.0, 1e-9);
    close(fixed.error, 0.0, 1e-6);
    for (i, (a, b)) in held.players.iter().zip(&free.players).enumerate() {
        assert_eq!(a.name, b.name);
        close(a.rating - 400.0, b.rating - before.rating, 1e-9);
        close(held.los(0, i), free.los(0, i), 1e-9);
    }
    let anchor = Some(Anchor { name: "nobody".into(), rating: 0.0 });
    let unknown = Ratings::of(&table, &RatingOptions { anchor, ..RatingOptions::default() });
    assert_eq!(unknown, Err(RatingError::UnknownAnchor("nobody".into())));
}

#[test]
fn the_prior_keeps_one_sided_players_finite() {
    let mut table = Crosstable::new();
    table.add_many("winner", "b", Outcome::First, 10);
    table.add_many("b", "winner", Outcome::Second, 10);
    table.add_many("b", "c", Outcome::Draw, 4);
    let groups = vec![vec!["b".to_owned(), "c".to_owned()], vec!["winner".to_owned()]];
    assert_eq!(Ratings::of(&table, &plain()), Err(RatingError::OneSided(groups.clone())));
    let ratings = Ratings::of(&table, &RatingOptions::default()).unwrap();
    assert_eq!(ratings.connectivity.groups, groups);
    assert!(ratings.connectivity.is_connected());
    assert_eq!(ratings.players[0].name, "winner");
    assert!((300.0..1500.0).contains(&ratings.difference(0, 2).value));
    assert!(ratings.players.iter().all(|p| p.rating.is_finite() && p.error.is_finite()));
    assert!(ratings.los(0, 2) > 0.95);
}

#[test]
fn disconnected_pools_are_named() {
    let mut table = Crosstable::new();
    for (first, second) in [("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")] {
        table.add_many(first, second, Outcome::First, 200);
        table.add_many(first, second, Outcome::Second, 200);
    }
    let error = Ratings::of(&table, &plain()).unwrap_err();
    assert_eq!(error.to_string(), "no games connect a, b | c, d");
    let ratings = Ratings::of(&table, &RatingOptions::default()).unwrap();
    assert_eq!(ratings.connectivity.pools, [["a", "b"], ["c", "d"]]);
    // Hundreds of Elo of doubt between the pools, few within.
    assert!(ratings.difference(0, 1).error < 40.0);
    assert!(ratings.difference(0, 2).error > 300.0);
}

#[test]
fn what_cannot_be_rated_is_said() {
    let mut table = Crosstable::new();
    assert_eq!(Ratings::of(&table, &plain()), Err(RatingError::NoGames));
    // The first player always wins: equals, and an infinite advantage.
    table.add_many("a", "b", Outcome::First, 9);
    table.add_many("b", "a", Outcome::First, 9);
    assert_eq!(Ratings::of(&table, &plain()), Err(RatingError::Unbounded));
    let without = RatingOptions { advantage: false, ..plain() };
    let ratings = Ratings::of(&table, &without).unwrap();
    close(ratings.difference(0, 1).value, 0.0, 1e-9);
    assert_eq!(ratings.advantage, Estimate { value: 0.0, error: 0.0 });
    let ratings = Ratings::of(&table, &RatingOptions::default()).unwrap();
    assert!((300.0..1000.0).contains(&ratings.advantage.value));
    let negative = RatingOptions { prior: -1.0, ..plain() };
    assert_eq!(Ratings::of(&table, &negative), Err(RatingError::Number(-1.0)));

    let mut drawn = Crosstable::new();
    drawn.add_many("a", "b", Outcome::Draw, 9);
    assert_eq!(Ratings::of(&drawn, &plain()), Err(RatingError::Unbounded));
    let ratings = Ratings::of(&drawn, &RatingOptions::default()).unwrap();
    close(ratings.difference(0, 1).value, 0.0, 1e-9);
    assert!(ratings.draw_rate.value > 0.9);
}

#[test]
fn games_with_oneself_tell_of_the_advantage_only() {
    let mut table = Crosstable::new();
    table.add_many("a", "a", Outcome::First, 75);
    table.add_many("a", "a", Outcome::Second, 25);
    let ratings = Ratings::of(&table, &plain()).unwrap();
    close(ratings.advantage.value, score_to_elo(0.75), 1e-9);
    close(ratings.players[0].rating, 0.0, 1e-9);
    assert_eq!(ratings.players[0].score, 0.5);
}

/// Run with `cargo test --release --lib -- --ignored --nocapture million`.
#[test]
#[ignore = "a measurement"]
fn a_thousand_players_and_a_million_games() {
    let mut rng = Rng::seed_from_u64(5);
    let world = World::new(1000, 80.0, 0.02, &mut rng);
    let begin = Instant::now();
    let table = world.play(1_000_000, &mut rng);
    println!("played and added up: {:?}", begin.elapsed());
    let begin = Instant::now();
    let ratings = Ratings::of(&table, &RatingOptions::default()).unwrap();
    println!("rated: {:?}", begin.elapsed());
    let begin = Instant::now();
    let matrix = ratings.los_matrix();
    println!("{} likelihoods of superiority: {:?}", matrix.len().pow(2), begin.elapsed());
    let best = &ratings.players[0];
    println!("{} {:.1} ± {:.1}, {:?}", best.name, best.rating, best.error, ratings.advantage);
}

/// Baseball in the American League, 1987: home and away wins of each team
/// (rows: at home) against each (A. Agresti, "Categorical Data Analysis"),
/// and the log odds with standard errors that H. Turner and D. Firth give,
/// "Bradley-Terry Models in R: The BradleyTerry2 Package" (2012).
#[test]
fn a_published_fit_with_home_advantage() {
    const TEAMS: [&str; 7] =
        ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"];
    const HOME_WINS: [[u64; 7]; 7] = [
        [0, 4, 4, 4, 6, 4, 6],
        [3, 0, 4, 4, 6, 6, 4],
        [2, 4, 0, 2, 4, 4, 6],
        [3, 5, 2, 0, 4, 4, 6],
        [5, 2, 3, 4, 0, 5, 6],
        [2, 3, 3, 4, 4, 0, 2],
        [2, 1, 1, 2, 1, 3, 0],
    ];
    const AWAY_WINS: [[u64; 7]; 7] = [
        [0, 3, 2, 3, 1, 2, 0],
        [3, 0, 2, 3, 0, 1, 3],
        [5, 3, 0, 4, 3, 2, 0],
        [3, 1, 5, 0, 3, 2, 1],
        [1, 5, 3, 2, 0, 2, 0],
        [5, 3, 4, 3, 2, 0, 4],
        [5, 5, 6, 4, 6, 4, 0],
    ];
    const WITHOUT_ADVANTAGE: [(f64, f64); 7] = [
        (1.5814, 0.3433),
        (1.4364, 0.3396),
        (1.2945, 0.3367),
        (1.2476, 0.3359),
        (1.1077, 0.3339),
        (0.6839, 0.3319),
        (0.0, 0.0),
    ];
    const WITH_ADVANTAGE: [(f64, f64); 7] = [
        (1.6196, 0.3474),
        (1.4754, 0.3446),
        (1.3271, 0.3403),
        (1.2813, 0.3404),
        (1.1438, 0.3378),
        (0.7047, 0.3350),
        (0.0, 0.0),
    ];
    let mut table = Crosstable::new();
    for (i, home) in TEAMS.iter().enumerate() {
        for (j, away) in TEAMS.iter().enumerate() {
            table.add_many(home, away, Outcome::First, HOME_WINS[i][j]);
            table.add_many(home, away, Outcome::Second, AWAY_WINS[i][j]);
        }
    }
    let fit = |advantage| {
        let anchor = Some(Anchor { name: "Baltimore".into(), rating: 0.0 });
        Ratings::of(&table, &RatingOptions { anchor, advantage, ..plain() }).unwrap()
    };
    for (ratings, published) in [(fit(false), WITHOUT_ADVANTAGE), (fit(true), WITH_ADVANTAGE)] {
        for (player, (name, (value, error))) in
            ratings.players.iter().zip(TEAMS.iter().zip(published))
        {
            assert_eq!(player.name, *name);
            close(player.rating / ELO, value, 5.1e-5);
            close(player.error / Z95 / ELO, error, 5.1e-5);
        }
    }
    let advantage = fit(true).advantage;
    close(advantage.value / ELO, 0.3023, 5.1e-5);
    close(advantage.error / Z95 / ELO, 0.1309, 5.1e-5);
}
