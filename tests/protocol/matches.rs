//! Whole games between two processes, held to the rules and to the clock.

use std::time::{Duration, Instant};

use kisolo::rules::{Game, GameResult, Profile};

use super::driver::{PROMPT, Process, field};
use super::games::{any_set_up, choose, rng};

/// A game that is longer is a draw.
const MOST_TURNS: usize = 400;
/// The default of the option `Move Overhead`.
const OVERHEAD: Duration = Duration::from_millis(10);

/// How a series went.
#[derive(Debug, Default)]
struct Tally {
    /// Wins of South, draws, wins of North.
    results: [usize; 3],
    turns: usize,
    /// The longest answer to a `go`.
    slowest: Duration,
    /// Answers later than the time allowed and the overhead.
    late: usize,
}

/// A first part of a game by chance: one pair of games has one opening. In
/// `kisolo-free`, every other pair leaves the set-ups to the engines.
fn opening(profile: Profile, pair: usize) -> Game {
    let mut rng = rng(pair as u64);
    let mut game = Game::new(profile, profile.start_position());
    if profile == Profile::KisoloFree && pair.is_multiple_of(2) {
        return game;
    }
    let turns = 2 + pair % 4;
    while game.ply() < turns || profile.set_up_due(game.position()) {
        let before = game.clone();
        let mv = if profile.set_up_due(game.position()) {
            any_set_up(&mut rng)
        } else {
            choose(profile.legal(game.position()), &mut rng)
        };
        game.play(mv).unwrap();
        if game.result() != GameResult::Ongoing {
            game = before;
        }
    }
    game
}

/// Plays `games` games, `time` a move; every answer has to come within
/// `slack` of it.
fn play(profile: Profile, games: usize, time: Duration, slack: Duration) -> Tally {
    let mut players = [Process::with_profile(profile), Process::with_profile(profile)];
    let mut tally = Tally::default();
    for number in 0..games {
        let mut game = opening(profile, number / 2);
        let start = profile.position_text(game.position());
        let mut moves = Vec::new();
        for player in &mut players {
            player.send("ucinewgame");
            player.sync();
        }
        let drawn = |game: &Game| game.ply() >= MOST_TURNS || game.repetitions() >= 2;
        while game.result() == GameResult::Ongoing && !drawn(&game) {
            let player = &mut players[(number + moves.len()) % 2];
            let moves_text = if moves.is_empty() {
                String::new()
            } else {
                format!(" moves {}", moves.join(" "))
            };
            player.send(&format!("position fen {start}{moves_text}"));
            let since = Instant::now();
            let lines = player.go(&format!("go movetime {}", time.as_millis()));
            let taken = since.elapsed();
            tally.slowest = tally.slowest.max(taken);
            if taken > time + OVERHEAD {
                tally.late += 1;
                println!("{profile}: {taken:?} after {} moves", moves.len());
            }
            let after = moves.len();
            assert!(taken <= time + OVERHEAD + slack, "{profile} after {after} moves: {taken:?}");
            let text = field(&lines[lines.len() - 1], "bestmove").unwrap().to_owned();
            let mv = profile.parse_move(game.position(), &text);
            game.play(mv.unwrap_or_else(|error| panic!("{profile}: {error}"))).unwrap();
            moves.push(text);
        }
        tally.turns += moves.len();
        tally.results[match game.result() {
            GameResult::South => 0,
            GameResult::North => 2,
            GameResult::Draw | GameResult::Ongoing => 1,
        }] += 1;
    }
    println!("{profile}: {tally:?}");
    assert_eq!(tally.results.iter().sum::<usize>(), games);
    tally
}

fn short_games(profile: Profile) {
    // The second pair of kisolo-free begins with set-ups by chance.
    let games = if profile == Profile::KisoloFree { 3 } else { 2 };
    play(profile, games, Duration::from_millis(20), PROMPT);
}

#[test]
fn kisolo_games_come_to_a_result() {
    short_games(Profile::Kisolo);
}

#[test]
fn kisolo_free_games_come_to_a_result() {
    short_games(Profile::KisoloFree);
}

#[test]
fn kisolo_full_games_come_to_a_result() {
    short_games(Profile::KisoloFull);
}

#[test]
fn isolo_games_come_to_a_result() {
    short_games(Profile::Isolo);
}

/// The full length, for an idle machine, some minutes in all; see `late` in
/// what is printed:
/// `cargo test --test main twenty_games -- --ignored --nocapture --test-threads 1`
fn twenty_games(profile: Profile) {
    let tally = play(profile, 20, Duration::from_millis(50), PROMPT);
    // Other processes may take the processor away now and then.
    assert!(tally.late * 100 <= tally.turns, "{tally:?}");
}

#[test]
#[ignore = "takes minutes and wants an idle machine"]
fn twenty_games_of_kisolo() {
    twenty_games(Profile::Kisolo);
}

#[test]
#[ignore = "takes minutes and wants an idle machine"]
fn twenty_games_of_kisolo_free() {
    twenty_games(Profile::KisoloFree);
}

#[test]
#[ignore = "takes minutes and wants an idle machine"]
fn twenty_games_of_kisolo_full() {
    twenty_games(Profile::KisoloFull);
}

#[test]
#[ignore = "takes minutes and wants an idle machine"]
fn twenty_games_of_isolo() {
    twenty_games(Profile::Isolo);
}
