//! What a search says: its lines, its limits, and that it repeats.

use kisolo::rules::{Game, GameResult, Profile};

use super::driver::{PROMPT, Process, field, timeless};
use super::games::{any_set_up, choose, rng};
use crate::vectors::positions;

/// Plays the line of an info line; the game after it.
fn replay(profile: Profile, game: &Game, info: &str) -> Game {
    let mut game = game.clone();
    let (_, line) = info.split_once(" pv ").unwrap();
    for text in line.split(' ') {
        let mv = profile.parse_move(game.position(), text);
        let mv = mv.unwrap_or_else(|error| panic!("{error}: {info}"));
        // Fails behind the end of the game.
        game.play(mv).unwrap_or_else(|error| panic!("{error}: {info}"));
    }
    game
}

/// Checks all lines of a search: legal to their end, the last ones begun by
/// the bestmove, and a proven score ends where its line ends. Returns how
/// many scores were proven.
fn check_lines(profile: Profile, game: &Game, lines: &[String]) -> usize {
    let (best, infos) = lines.split_last().unwrap();
    let mut proven = 0;
    for info in infos.iter().filter(|line| line.contains(" score ")) {
        let end = replay(profile, game, info);
        let whole = !info.contains("lowerbound") && !info.contains("upperbound");
        if let (Some(mate), true) = (field(info, "mate"), whole) {
            proven += 1;
            let mover = game.position().side;
            let winner = if mate.starts_with('-') { mover.other() } else { mover };
            assert_eq!(end.result(), GameResult::won_by(winner), "{info}");
        }
    }
    let first = infos.iter().rfind(|line| line.contains(" multipv 1 ")).unwrap();
    let bestmove = field(best, "bestmove").unwrap();
    assert_eq!(field(first, "pv"), Some(bestmove), "{lines:?}");
    if let Some(answer) = field(best, "ponder") {
        let mut game = game.clone();
        game.play(profile.parse_move(game.position(), bestmove).unwrap()).unwrap();
        assert!(profile.parse_move(game.position(), answer).is_ok(), "{lines:?}");
        assert_eq!(game.result(), GameResult::Ongoing);
    }
    proven
}

#[test]
fn trap_17_lines_are_legal_and_end_with_the_game() {
    for profile in Profile::ALL {
        let mut engine = Process::with_profile(profile);
        let mut proven = 0;
        for (index, position) in positions(profile).into_iter().step_by(15).enumerate() {
            let game = Game::new(profile, position);
            if game.result() != GameResult::Ongoing {
                continue;
            }
            let lines = [1, 3, 16][index % 3];
            engine.send(&format!("setoption name MultiPV value {lines}"));
            engine.send(&format!("position fen {}", profile.position_text(&position)));
            let go = ["go depth 8", "go nodes 3000", "go movetime 15"][index / 3 % 3];
            let lines = engine.go(go);
            proven += check_lines(profile, &game, &lines);
        }
        assert!(proven > 5, "{profile}: {proven} proven scores are too few to tell");
    }
}

#[test]
fn trap_17_lines_hold_within_games_and_set_ups() {
    for profile in Profile::ALL {
        let mut engine = Process::with_profile(profile);
        for seed in 0..4 {
            let mut rng = rng(seed);
            let mut game = Game::new(profile, profile.start_position());
            let mut line = "position startpos moves".to_owned();
            while game.result() == GameResult::Ongoing && game.ply() < 40 {
                engine.send(&line);
                check_lines(profile, &game, &engine.go("go nodes 400"));
                let mv = if profile.set_up_due(game.position()) {
                    any_set_up(&mut rng)
                } else {
                    choose(profile.legal(game.position()), &mut rng)
                };
                line = format!("{line} {}", profile.move_text(game.position(), mv));
                game.play(mv).unwrap();
            }
        }
    }
}

#[test]
fn several_lines_are_as_many_as_there_are_moves() {
    for profile in Profile::ALL {
        let mut engine = Process::with_profile(profile);
        engine.send("setoption name MultiPV value 16");
        for position in positions(profile).into_iter().step_by(250) {
            let legal = profile.legal(&position).len();
            if legal == 0 {
                continue;
            }
            engine.send(&format!("position fen {}", profile.position_text(&position)));
            let lines = engine.go("go depth 3");
            let ranks: Vec<usize> = lines
                .iter()
                .filter(|line| field(line, "depth") == Some("1"))
                .map(|line| field(line, "multipv").unwrap().parse().unwrap())
                .collect();
            assert_eq!(ranks, (1..=legal).collect::<Vec<_>>());
            let moves: std::collections::BTreeSet<_> = lines
                .iter()
                .filter(|line| field(line, "depth") == Some("1"))
                .map(|line| field(line, "pv").unwrap())
                .collect();
            assert_eq!(moves.len(), legal);
        }
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut engine = Process::start();
    for (go, allowed) in [
        ("go depth 5 searchmoves b1", &["b1"][..]),
        ("go searchmoves c1 f1 depth 5", &["c1", "f1"]),
        ("go searchmoves g1 nodes 500", &["g1"]),
    ] {
        let lines = engine.go(go);
        let best = field(&lines[lines.len() - 1], "bestmove").unwrap();
        assert!(allowed.contains(&best), "{best}");
        let tried = lines.iter().filter_map(|line| field(line, "pv"));
        assert!(tried.into_iter().all(|mv| allowed.contains(&mv)));
    }
    for go in ["go searchmoves", "go searchmoves a2", "go searchmoves depth 4", "go searchmoves x"]
    {
        engine.refused(go);
    }
}

#[test]
fn bad_limits_are_refused_and_answered_by_no_bestmove() {
    let mut engine = Process::start();
    for go in [
        "go depth",
        "go depth x",
        "go depth 0",
        "go depth -1",
        "go depth 99999999999",
        "go nodes 0",
        "go nodes 99999999999999999999999",
        "go movetime",
        "go movetime fast",
        "go wtime 1e3",
        "go mate 0",
        "go movestogo -1",
        "go infinity",
        "go 5",
    ] {
        engine.refused(go);
    }
    // The largest numbers that are numbers.
    for go in [
        "go depth 1 wtime 9223372036854775807 btime 9223372036854775807 winc 9223372036854775807",
        "go depth 1 movetime 9223372036854775807 movestogo 4294967295",
        "go depth 1 nodes 18446744073709551615 mate 4294967295",
        "go depth 4294967295 nodes 1",
    ] {
        assert!(engine.go(go).len() > 1);
    }
}

#[test]
fn pondering_becomes_playing() {
    let mut engine = Process::start();
    engine.send("position startpos moves a1\ngo ponder wtime 400 btime 400");
    engine.assert_searching();
    engine.send("ponderhit");
    engine.until_within("bestmove", PROMPT);
    // A ponderhit lifts the limits, but does not end an infinite search.
    engine.send("go ponder infinite\nponderhit");
    engine.assert_searching();
    engine.send("stop");
    engine.until_within("bestmove", PROMPT);
    // Another move was made: stop, and search anew.
    engine.send("go ponder movetime 50\nstop\nposition startpos\ngo movetime 50");
    engine.until_within("bestmove", PROMPT);
    engine.until_within("bestmove", PROMPT);
    engine.assert_silent();
}

#[test]
fn go_alone_goes_on_until_stop() {
    for profile in Profile::ALL {
        let mut engine = Process::with_profile(profile);
        engine.send("go");
        engine.assert_searching();
        engine.send("stop");
        engine.until_within("bestmove", PROMPT);
    }
}

#[test]
fn a_mate_search_ends_when_there_is_no_mate() {
    let mut engine = Process::start();
    assert!(engine.go("go mate 2").iter().all(|line| !line.contains(" mate ")));
    engine.send("ugi");
    engine.until("ugiok");
    // In plies now.
    let lines = engine.go("go mate 4");
    assert!(lines.iter().any(|line| field(line, "depth") == Some("4")));
    assert!(!lines.iter().any(|line| field(line, "depth") == Some("5")));
}

#[test]
fn fixed_limits_repeat() {
    for profile in Profile::ALL {
        let mut outputs = Vec::new();
        for run in 0..2 {
            let mut engine = Process::with_profile(profile);
            // Twice in a process, with another past each time.
            for other in ["position startpos", "go depth 5", "go nodes 777"] {
                if other.starts_with("go") {
                    engine.go(other);
                } else {
                    engine.send(other);
                }
                engine.send("ucinewgame");
                let mut lines = Vec::new();
                for go in ["go depth 7", "go nodes 5000", "go depth 3"] {
                    for position in positions(profile).into_iter().step_by(501) {
                        let text = profile.position_text(&position);
                        engine.send(&format!("position fen {text}"));
                        lines.extend(timeless(&engine.go(go)));
                    }
                    engine.send("position startpos");
                    lines.extend(timeless(&engine.go(go)));
                }
                outputs.push((run, lines));
            }
        }
        let (_, first) = &outputs[0];
        for (run, lines) in &outputs {
            assert_eq!(lines, first, "{profile}, process {run}");
        }
    }
}

#[test]
fn every_algorithm_plays_by_every_limit() {
    for profile in Profile::ALL {
        let mut engine = Process::with_profile(profile);
        let start = *profile.start_names().last().unwrap();
        let game = Game::new(profile, profile.start(start).unwrap());
        for algorithm in ["mcts", "uct", "alphabeta"] {
            engine.send(&format!("setoption name Search value {algorithm}\nposition {start}"));
            for limit in ["nodes 500", "movetime 5", "wtime 200 btime 200", "depth 4", "mate 1"] {
                check_lines(profile, &game, &engine.go(&format!("go {limit}")));
            }
            for endless in ["infinite", "ponder movetime 1"] {
                engine.send(&format!("go {endless}"));
                engine.assert_searching();
                engine.send("stop");
                let lines = engine.until("bestmove");
                let best = field(&lines[lines.len() - 1], "bestmove").unwrap();
                assert!(profile.parse_move(game.position(), best).is_ok(), "{lines:?}");
            }
        }
        engine.refused("setoption name Search value");
        engine.refused("setoption name Search value minimax");
    }
}

#[test]
fn a_tree_search_repeats_after_a_new_game() {
    let mut engine = Process::start();
    engine.send("setoption name Search value MCTS");
    let mut run = || {
        engine.send("ucinewgame\nposition startpos");
        let mut lines = engine.go("go nodes 3000");
        engine.send("position startpos moves a1 a4");
        lines.extend(engine.go("go nodes 3000"));
        timeless(&lines)
    };
    let first = run();
    assert_eq!(run(), first);
}

#[test]
fn a_set_up_is_made_before_a_tree_search() {
    let mut engine = Process::with_profile("kisolo-free");
    engine.send("setoption name Search value mcts");
    let lines = engine.go("go depth 1");
    assert!(lines.last().unwrap().starts_with("bestmove @"), "{lines:?}");
}
