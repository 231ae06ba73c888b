//! Play at a level.

use std::collections::HashSet;

use kisolo::levels::built_in;
use kisolo::rules::{Game, GameResult, Profile};

use super::driver::{Process, field};

/// An engine at a level, whose turns are drawn by a seed.
fn leveled(profile: Profile, elo: u32, seed: u64) -> Process {
    let mut engine = Process::with_profile(profile);
    set(&mut engine, "UCI_LimitStrength", "true");
    set(&mut engine, "UCI_Elo", &elo.to_string());
    set(&mut engine, "Seed", &seed.to_string());
    engine
}

fn set(engine: &mut Process, name: &str, value: &str) {
    let answer = engine.ask(&format!("setoption name {name} value {value}"));
    assert_eq!(answer, [""; 0]);
}

fn answer(engine: &mut Process, go: &str) -> String {
    let lines = engine.go(go);
    let best = field(&lines[lines.len() - 1], "bestmove").unwrap().to_owned();
    // There is a score, and its line is that of the move.
    let line = &lines[lines.len() - 2];
    assert!(line.contains(" score "), "{lines:?}");
    best
}

/// The moves of a game of a level against itself.
fn game(profile: Profile, elo: u32, seed: u64) -> Vec<String> {
    let mut engine = leveled(profile, elo, seed);
    let mut game = Game::new(profile, profile.start_position());
    let mut moves: Vec<String> = Vec::new();
    while game.result() == GameResult::Ongoing && moves.len() < 24 {
        let behind =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        engine.send(&format!("position startpos{behind}"));
        let best = answer(&mut engine, "go wtime 1000 btime 1000");
        game.play(profile.parse_move(game.position(), &best).unwrap()).unwrap();
        moves.push(best);
    }
    moves
}

#[test]
fn games_are_legal_and_repeat_with_a_seed() {
    for profile in Profile::ALL {
        for elo in [400, 800, built_in(profile).highest()] {
            let once = game(profile, elo, 3);
            assert_eq!(game(profile, elo, 3), once, "{profile} {elo}");
        }
    }
}

#[test]
fn without_a_seed_games_differ() {
    let mut engine = leveled(Profile::Kisolo, 600, 0);
    let moves: HashSet<String> = (0..40).map(|_| answer(&mut engine, "go nodes 9999")).collect();
    assert!(moves.len() > 1, "always {moves:?}");
}

#[test]
fn neither_time_nor_other_options_change_what_a_level_plays() {
    let moves = |options: &[(&str, &str)], go: &str| -> Vec<String> {
        let mut engine = leveled(Profile::Kisolo, 1300, 5);
        options.iter().for_each(|(name, value)| set(&mut engine, name, value));
        ["", " moves e1", " moves e1 d4", " moves a1 b4 c1"]
            .map(|moves| {
                engine.send(&format!("position startpos{moves}"));
                answer(&mut engine, go)
            })
            .into()
    };
    let want = moves(&[], "go wtime 60000 btime 60000");
    for go in ["go", "go movetime 60000", "go nodes 1000000", "go depth 100"] {
        assert_eq!(moves(&[], go), want, "{go}");
    }
    for option in [
        ("Search", "mcts"),
        ("Search", "uct"),
        ("Evaluation", "seeds"),
        ("Hash", "1"),
        ("Threads", "2"),
        ("MultiPV", "4"),
        ("OwnBook", "true"),
    ] {
        assert_eq!(moves(&[option], "go depth 100"), want, "{option:?}");
    }
}

#[test]
fn the_first_line_is_that_of_the_move() {
    let mut engine = leveled(Profile::Kisolo, 400, 7);
    set(&mut engine, "MultiPV", "3");
    for _ in 0..5 {
        let lines = engine.go("go");
        assert_eq!(lines.len(), 4, "{lines:?}");
        let best = field(&lines[3], "bestmove").unwrap();
        assert_eq!(field(&lines[0], "multipv"), Some("1"));
        assert_eq!(field(&lines[0], "pv"), Some(best));
    }
}

#[test]
fn limits_and_search_moves_count_and_pondering_waits() {
    let mut engine = leveled(Profile::Kisolo, built_in(Profile::Kisolo).highest(), 1);
    assert_eq!(answer(&mut engine, "go searchmoves b1"), "b1");
    for go in ["go nodes 1", "go depth 1", "go movetime 0", "go wtime 0 btime 0"] {
        answer(&mut engine, go);
    }
    engine.send("go ponder wtime 1000 btime 1000");
    engine.assert_searching();
    engine.send("ponderhit");
    engine.until("bestmove");
    // A finished game has no move at any level.
    engine.send("position fen 0,0,0,0,0,0,0/0,0,0,1,0,0,1/3,4,2,5,2,3,5/0,14,0,1,0,1,0 N -");
    assert_eq!(engine.go("go").last().unwrap(), "bestmove (none)");
}

#[test]
fn analysis_is_at_full_strength() {
    let mut engine = leveled(Profile::Kisolo, 400, 1);
    // Full strength reports every depth.
    engine.send("go infinite");
    engine.until("info depth 6 ");
    engine.send("stop");
    engine.until("bestmove");
    assert!(engine.go("go mate 2").len() > 2);
    set(&mut engine, "UCI_AnalyseMode", "true");
    assert!(engine.go("go depth 6").iter().any(|line| line.starts_with("info depth 6 ")));
}

#[test]
fn skill_levels_are_levels_and_the_last_is_full_strength() {
    let mut engine = Process::start();
    let limited = |engine: &mut Process| engine.go("go depth 8").len() == 2;
    assert!(!limited(&mut engine));
    set(&mut engine, "Skill Level", "0");
    assert!(limited(&mut engine));
    set(&mut engine, "Skill Level", "20");
    assert!(!limited(&mut engine));
}

#[test]
fn bad_values_are_refused_and_ranges_follow_the_profile() {
    let mut engine = Process::start();
    for (line, part) in [
        ("setoption name UCI_Elo value 399", "from 400 to"),
        ("setoption name UCI_Elo value 9000", "from 400 to"),
        ("setoption name UCI_Elo value strong", "a whole number"),
        ("setoption name UCI_Elo", "not nothing"),
        ("setoption name UCI_LimitStrength value 1", "true or false"),
        ("setoption name Skill Level value 21", "from 0 to 20"),
        ("setoption name Seed value -1", "from 0 to 4294967295"),
    ] {
        let refused = engine.refused(line);
        assert!(refused.contains(part), "{line}: {refused}");
    }
    for profile in Profile::ALL {
        let mut engine = Process::with_profile(profile);
        let highest = built_in(profile).highest();
        let want = format!("option name UCI_Elo type spin default 1200 min 400 max {highest}");
        engine.send("uci");
        assert!(engine.until("uciok").contains(&want), "{profile}");
        let beyond = engine.refused(&format!("setoption name UCI_Elo value {}", highest + 1));
        assert!(beyond.contains(&highest.to_string()), "{beyond}");
    }
}
