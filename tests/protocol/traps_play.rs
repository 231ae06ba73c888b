//! The known traps of managers and engines, one test each or more, named by
//! the number they have on our list. Here: play (14 to 23; 17 is among the
//! searches).

use std::time::{Duration, Instant};

use kisolo::rules::{GameResult, Outcome, Profile};

use super::driver::{PROMPT, Process, field};
use super::traps_session::{OVER, one_move, solved, wins_now};
use crate::vectors::positions;

#[test]
fn trap_14_go_leaves_the_position_alone() {
    for profile in Profile::ALL {
        let mut engine = Process::with_profile(profile);
        for position in positions(profile).into_iter().step_by(400) {
            let text = profile.position_text(&position);
            engine.send(&format!("position fen {text}"));
            for go in ["go depth 4", "go nodes 500", "go movetime 20", "go ponder\nponderhit\nstop"]
            {
                engine.go(go);
                assert_eq!(engine.position(), text);
            }
        }
    }
}

#[test]
fn trap_15_time_is_kept() {
    let mut engine = Process::start();
    for (overhead, go, most) in [
        (10, "go movetime 100", 100),
        (0, "go movetime 50", 50),
        (500, "go movetime 600", 600),
        (100, "go movetime 50", 50),
        (10, "go movetime 0", 0),
        (10, "go wtime 300 btime 300 winc 10 binc 10", 300),
        (10, "go wtime 0 btime 0", 0),
        (10, "go wtime -50 btime 9", 0),
        (10, "go wtime 400 btime 400 movestogo 1", 400),
        (10, "go p1time 200 p2time 10 p1inc 0 p2inc 0", 200),
    ] {
        assert_eq!(engine.ask(&format!("setoption name Move Overhead value {overhead}")), [""; 0]);
        let since = Instant::now();
        engine.go(go);
        let limit = Duration::from_millis(most) + PROMPT;
        assert!(since.elapsed() < limit, "{go}: {:?}", since.elapsed());
    }
}

#[test]
fn trap_16_a_new_game_is_quick_with_a_large_table() {
    let mut engine = Process::start();
    engine.send("setoption name Hash value 2048");
    engine.send("isready");
    engine.until_within("readyok", PROMPT);
    engine.go("go movetime 200");
    for command in ["ucinewgame", "uginewgame", "setoption name Clear Hash"] {
        engine.send(command);
        engine.send("isready");
        engine.until_within("readyok", PROMPT);
        let since = Instant::now();
        engine.go("go movetime 20");
        assert!(since.elapsed() < PROMPT, "{:?}", since.elapsed());
    }
}

#[test]
fn trap_18_one_node_or_ply_is_enough() {
    for profile in Profile::ALL {
        let mut engine = Process::with_profile(profile);
        for name in profile.start_names() {
            engine.send(&format!("position {name}"));
            let position = profile.start(name).unwrap();
            for go in ["go nodes 1", "go depth 1", "go nodes 1 depth 1", "go mate 1"] {
                let lines = engine.go(go);
                assert!(lines.len() > 1);
                let best = field(&lines[lines.len() - 1], "bestmove").unwrap();
                assert!(profile.parse_move(&position, best).is_ok(), "{profile} {best}");
            }
        }
    }
}

#[test]
fn trap_19_there_is_a_move_before_the_first_look_at_the_clock() {
    for profile in Profile::ALL {
        let mut engine = Process::with_profile(profile);
        for go in ["go movetime 0", "go wtime 0 btime 0", "go infinite\nstop", "go ponder\nstop"] {
            let lines = engine.go(go);
            let best = field(&lines[lines.len() - 1], "bestmove").unwrap();
            assert!(profile.parse_move(&profile.start_position(), best).is_ok());
        }
    }
}

#[test]
fn trap_20_info_lines_are_few() {
    let mut engine = Process::start();
    for position in [solved(), one_move(), "startpos".to_owned()] {
        let fen = if position == "startpos" { "" } else { "fen " };
        engine.send(&format!("position {fen}{position}"));
        let lines = engine.go("go movetime 2500");
        // One a depth at most, and some a second.
        assert!(lines.len() < 127 + 20, "{}", lines.len());
    }
}

#[test]
fn trap_21_ugi_moves_are_one_token() {
    let mut engine = Process::start();
    engine.send("ugi");
    engine.until("ugiok");
    for position in ["startpos", "startpos moves a1", "startpos moves a1 g4"] {
        engine.send(&format!("position {position}"));
        let lines = engine.go("go depth 6");
        assert_eq!(lines[lines.len() - 1].split(' ').count(), 2, "{lines:?}");
    }
    engine.send("setoption name UCI_Variant value kisolo-free\nposition startpos");
    let lines = engine.go("go depth 2");
    assert_eq!(lines[lines.len() - 1].split(' ').count(), 2, "{lines:?}");
    // Whose turn it is does not follow from the number of moves.
    let north = "3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3,3 N -";
    engine.send(&format!("setoption name UCI_Variant value kisolo\nposition fen {north}"));
    assert_eq!(engine.ask("query p1turn"), ["response false"]);
    engine.send(&format!("position fen {north} moves g4"));
    assert_eq!(engine.ask("query p1turn"), ["response true"]);
    // After uci the expected answer comes again.
    engine.send("uci\nposition startpos\ngo depth 6");
    let lines = engine.until("bestmove");
    assert!(lines[lines.len() - 1].contains(" ponder "), "{lines:?}");
}

#[test]
fn trap_22_illegal_moves_lose_after_ugi() {
    let mut engine = Process::start();
    engine.send("ugi");
    engine.until("ugiok");
    for (moves, result) in [
        ("zz", "p2win"),
        ("a2", "p2win"),
        ("a1 a1", "p1win"),
        ("a1 g4 g4", "p2win"),
        ("a1 ponder g4", "p1win"),
    ] {
        let lines = engine.ask(&format!("position startpos moves {moves}"));
        assert!(lines.len() == 1 && lines[0].starts_with("info string error: illegal move"));
        assert_eq!(engine.ask("query gameover"), ["response true"]);
        assert_eq!(engine.ask("query result"), [format!("response {result}")]);
        assert_eq!(engine.ask("query islegal b1"), ["response false"]);
        // The loser is to move, and a score of 0 would be taken for a draw.
        let lines = engine.go("go depth 3");
        assert!(lines[0].contains(" score mate 0 "), "{lines:?}");
        assert_eq!(lines[1], "bestmove (none)");
    }
    assert_eq!(engine.ask("position startpos moves a1"), [""; 0]);
    assert_eq!(engine.ask("query gameover\nquery result"), ["response false", "response none"]);
    // A game that is over stays as it is, whatever comes behind.
    let lines = engine.ask(&format!("position fen {OVER} moves a1"));
    assert!(lines[0].contains("the game is over"), "{lines:?}");
    assert_eq!(engine.ask("query result"), ["response p2win"]);
}

#[test]
fn trap_22_a_turn_limit_ends_games() {
    let mut engine = Process::start();
    engine.send("ugi");
    engine.until("ugiok");
    engine.send("position startpos moves a1 g4");
    assert_eq!(engine.ask("query gameover"), ["response false"]);
    engine.send("setoption name Turn Limit value 2");
    assert_eq!(engine.ask("query gameover\nquery result"), ["response true", "response draw"]);
    assert_eq!(engine.ask("query islegal b1"), ["response false"]);
    engine.send("position startpos moves a1");
    assert_eq!(engine.ask("query gameover\nquery result"), ["response false", "response none"]);
    engine.send("setoption name Turn Limit value 0\nposition startpos moves a1 g4");
    assert_eq!(engine.ask("query result"), ["response none"]);
    // A game that the rules have ended before stays as it is.
    engine.send(&format!("setoption name Turn Limit value 1\nposition fen {OVER}"));
    assert_eq!(engine.ask("query result"), ["response p2win"]);
}

#[test]
fn trap_23_a_true_score_comes_before_every_bestmove() {
    for profile in Profile::ALL {
        let mut engine = Process::with_profile(profile);
        let mut wins = 0;
        for position in positions(profile).into_iter().step_by(10) {
            engine.send(&format!("position fen {}", profile.position_text(&position)));
            for go in ["go nodes 1", "go nodes 300", "go depth 3"] {
                let lines = engine.go(go);
                let best = field(&lines[lines.len() - 1], "bestmove").unwrap();
                let last = lines.iter().rfind(|line| line.contains(" score ")).unwrap();
                if profile.result(&position) != GameResult::Ongoing {
                    continue;
                }
                assert_eq!(field(last, "pv"), Some(best), "{lines:?}");
                let claim = last.contains(" score mate 1 ");
                let mv = profile.parse_move(&position, best).unwrap();
                let won = profile.play(&position, mv).unwrap().outcome == Outcome::Win;
                assert_eq!(claim, won, "{}: {lines:?}", profile.position_text(&position));
                // One ply is enough to see it.
                assert_eq!(claim, wins_now(profile, &position), "{lines:?}");
                wins += u32::from(claim);
            }
        }
        assert!(wins > 0);
    }
}

#[test]
fn trap_23_set_ups_claim_no_wins() {
    let mut engine = Process::with_profile("kisolo-free");
    engine.send("go movetime 1500");
    let lines = engine.until("bestmove");
    assert!(!lines.iter().any(|line| line.contains(" mate ") && !line.contains(" mate -")));
    assert!(lines.len() > 1);
}
