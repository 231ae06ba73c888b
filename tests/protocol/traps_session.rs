//! The known traps of managers and engines, one test each or more, named by
//! the number they have on our list. Here: the session (1 to 13).

use kisolo::board::Position;
use kisolo::rules::{Game, Move, Outcome, Profile};

use super::driver::{PROMPT, Process, SOON, field};
use super::games::long_game;
use crate::vectors::positions;

/// A game that is over: South is to move and has no outer row any more.
pub const OVER: &str = "42,0,0,0,0,0,0/0,0,0,0,0,0,0/0,0,0,0,0,0,0/0,0,0,0,0,0,0 S -";

/// A position of `kisolo` with one legal turn, which does not end the game.
pub fn one_move() -> String {
    let profile = Profile::Kisolo;
    let one = |position: &_| {
        let legal = profile.legal(position);
        legal.len() == 1 && {
            let node = profile.node(position);
            let mv = Move::Sow(legal.clone().next().unwrap());
            !node.capture && profile.play(position, mv).unwrap().outcome == Outcome::Ongoing
        }
    };
    profile.position_text(&positions(profile).into_iter().find(one).unwrap())
}

/// A position of `kisolo` with a winning turn.
pub fn solved() -> String {
    let profile = Profile::Kisolo;
    profile.position_text(&positions(profile).into_iter().find(|p| wins_now(profile, p)).unwrap())
}

/// Whether some turn wins at once.
pub fn wins_now(profile: Profile, position: &Position) -> bool {
    profile.legal(position).any(|pit| {
        let turn = profile.play(position, Move::Sow(pit)).unwrap();
        turn.outcome == Outcome::Win
    })
}

#[test]
fn trap_01_the_greeting_is_prompt() {
    for protocol in ["uci", "ugi"] {
        let mut engine = Process::start();
        engine.send(protocol);
        let lines = engine.until_within(&format!("{protocol}ok"), SOON);
        assert!(lines[0].starts_with("id name kisolo ") && lines[1].starts_with("id author "));
        assert!(lines[2..lines.len() - 1].iter().all(|line| line.starts_with("option name ")));
    }
}

#[test]
fn trap_02_the_process_ends_with_its_input() {
    for busy in ["", "go infinite", "go ponder", "go ponder infinite", "go wtime 900000"] {
        for quit in [true, false] {
            let mut engine = Process::start();
            assert!(engine.ask(busy).iter().all(|line| line.starts_with("info ")));
            if quit {
                engine.send("quit");
            } else {
                engine.close_input();
            }
            let rest = engine.assert_exit(SOON);
            let best = rest.iter().filter(|line| line.starts_with("bestmove")).count();
            assert_eq!(best, usize::from(!busy.is_empty()), "{busy}: {rest:?}");
        }
    }
    // Also in the middle of a line.
    let mut engine = Process::start();
    engine.send_bytes(b"position start");
    engine.close_input();
    engine.assert_exit(SOON);
}

#[test]
fn trap_02_a_set_up_search_ends_too() {
    let mut engine = Process::with_profile("kisolo-free");
    engine.send("go infinite");
    engine.sync();
    engine.close_input();
    engine.assert_exit(SOON);
}

#[test]
fn trap_03_isready_is_answered_in_a_search() {
    let mut engine = Process::start();
    engine.send("go infinite");
    for _ in 0..20 {
        engine.send("isready");
        let lines = engine.until_within("readyok", PROMPT);
        assert_eq!(lines[lines.len() - 1], "readyok");
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    }
    engine.assert_searching();
    engine.send("stop");
    engine.until_within("bestmove", PROMPT);
}

#[test]
fn trap_04_no_bestmove_before_its_time() {
    for position in [solved(), one_move(), OVER.to_owned()] {
        let mut engine = Process::start();
        assert_eq!(engine.ask(&format!("position fen {position}")), [""; 0]);
        for (go, end) in [
            ("go infinite", "stop"),
            ("go infinite wtime 100 btime 100 depth 2", "stop"),
            ("go infinite nodes 1", "stop"),
            ("go ponder wtime 100 btime 100", "stop"),
            ("go ponder wtime 100 btime 100", "ponderhit"),
            ("go ponder depth 3", "ponderhit"),
            ("go ponder movetime 1", "ponderhit"),
        ] {
            engine.send(go);
            engine.assert_searching();
            engine.send(end);
            let lines = engine.until_within("bestmove", SOON);
            let none = lines[lines.len() - 1] == "bestmove (none)";
            assert_eq!(none, position == OVER, "{position}: {lines:?}");
            engine.assert_silent();
        }
    }
}

#[test]
fn trap_05_an_idle_stop_is_silent() {
    let mut engine = Process::start();
    assert_eq!(engine.ask("stop\nstop\nponderhit"), [""; 0]);
    engine.send("go infinite\nstop\nstop\nstop");
    let lines = engine.until("bestmove");
    assert!(lines.iter().filter(|line| line.starts_with("bestmove")).count() == 1);
    engine.assert_silent();
    assert_eq!(engine.ask("stop"), [""; 0]);
}

#[test]
fn trap_06_a_finished_game_has_no_bestmove() {
    let mut engine = Process::start();
    engine.send(&format!("position fen {OVER}"));
    for go in ["go", "go depth 5", "go movetime 1000", "go wtime 60000 btime 60000", "go nodes 9"] {
        engine.send(go);
        let lines = engine.until_within("bestmove", PROMPT);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].contains(" score mate 0 "), "{lines:?}");
        assert_eq!(lines[1], "bestmove (none)");
    }
    engine.assert_silent();
}

#[test]
fn trap_06_a_game_won_for_the_side_to_move() {
    // South empties its own outer row and has lost.
    let mut found = 0;
    for position in positions(Profile::Kisolo) {
        for pit in Profile::Kisolo.legal(&position) {
            let mut game = Game::new(Profile::Kisolo, position);
            let mv = Move::Sow(pit);
            if game.play(mv).unwrap().outcome != Outcome::Loss {
                continue;
            }
            found += 1;
            let mut engine = Process::start();
            let text = Profile::Kisolo.position_text(&position);
            let name = Profile::Kisolo.move_text(&position, mv);
            engine.send(&format!("position fen {text} moves {name}"));
            let lines = engine.go("go");
            assert!(lines[0].contains(" score cp 30000 "), "{lines:?}");
            assert_eq!(lines[1], "bestmove (none)");
            break;
        }
        if found == 3 {
            return;
        }
    }
    assert!(found > 0);
}

#[test]
fn trap_07_bad_positions_and_moves_change_nothing() {
    let mut engine = Process::start();
    engine.send("position startpos moves a1 g4");
    let before = engine.position();
    for line in [
        "position",
        "position middle",
        "position startpos9",
        "position fen",
        "position fen moves a1",
        "position fen 3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3,3 S",
        "position fen 3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3,4 S -",
        "position fen 3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3,3 S SN",
        "position fen 3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3 S -",
        "position fen 999999999999,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3,3 S -",
        "position startpos moves a1 a1",
        "position startpos moves a1 g4 a5",
        "position startpos moves A1",
        "position startpos moves a2",
        "position startpos moves @3,3,3,3,3,3,3,0,0,0,0,0,0,0",
        "position startpos move a1",
        "position startpos a1",
    ] {
        engine.refused(line);
        assert_eq!(engine.position(), before, "{line}");
    }
    let error = engine.refused("position startpos moves a1 g4 zz");
    assert!(error.contains("illegal move 3 'zz'"), "{error}");
    assert_eq!(engine.ask("position startpos moves b1"), [""; 0]);
    assert_ne!(engine.position(), before);
    assert!(engine.go("go depth 2").len() > 1);
}

#[test]
fn trap_08_moves_may_be_none() {
    let mut engine = Process::start();
    let start = engine.position();
    engine.send("position startpos moves a1");
    assert_eq!(engine.ask("position startpos moves"), [""; 0]);
    assert_eq!(engine.position(), start);
    assert_eq!(engine.ask(&format!("position fen {start} moves")), [""; 0]);
    assert_eq!(engine.position(), start);
}

#[test]
fn trap_09_long_games_and_long_lines() {
    for (profile, name) in [
        (Profile::Kisolo, "startpos"),
        (Profile::KisoloFree, "startpos1"),
        (Profile::Isolo, "startpos"),
    ] {
        let start = profile.start(name).unwrap();
        // 40,000 turns are a line of 120 kB.
        let moves = long_game(profile, start, 40_000).unwrap();
        let mut engine = Process::with_profile(profile);
        for turns in [2_000, 5_000, 40_000] {
            let mut game = Game::new(profile, start);
            for text in &moves[..turns] {
                game.play(profile.parse_move(game.position(), text).unwrap()).unwrap();
            }
            let line = format!("position {name} moves {}", moves[..turns].join(" "));
            assert!(turns < 40_000 || line.len() > 100_000);
            assert_eq!(engine.ask(&line), [""; 0]);
            assert_eq!(engine.position(), profile.position_text(game.position()));
            let lines = engine.go("go movetime 50");
            let best = field(&lines[lines.len() - 1], "bestmove").unwrap();
            assert!(profile.parse_move(game.position(), best).is_ok());
        }
    }
}

#[test]
fn trap_10_commands_that_need_an_idle_engine_are_refused_by_name() {
    let mut engine = Process::start();
    let before = engine.position();
    engine.send("go infinite");
    for line in [
        "position startpos moves a1",
        "go depth 1",
        "ucinewgame",
        "uginewgame",
        "setoption name Hash value 1",
        "setoption name UCI_Variant value isolo",
        "perft 1",
        "bench",
    ] {
        engine.send(line);
        let lines = engine.until("info string error");
        let command = line.split(' ').next().unwrap();
        let error = format!("info string error: {command}: a search is running; stop it first");
        assert_eq!(lines[lines.len() - 1], error);
    }
    engine.send("query fen");
    let lines = engine.until("response");
    assert_eq!(lines[lines.len() - 1], format!("response {before}"));
    engine.send("stop\nposition startpos moves a1\ngo depth 2");
    engine.until("bestmove");
    // The second search is of the second position.
    let lines = engine.until("bestmove");
    let best = field(&lines[lines.len() - 1], "bestmove").unwrap();
    assert!(best.ends_with('3') || best.ends_with('4'), "{best}");
    engine.assert_silent();
}

#[test]
fn trap_11_options_are_read_kindly() {
    let mut engine = Process::start();
    for line in [
        "setoption name HASH value 8",
        "setoption name move overhead value 20",
        "setoption name   Move \t Overhead   value   20",
        "setoption name clear hash",
        "setoption name uci_variant value ISOLO",
        "setoption name Ponder value True",
    ] {
        assert_eq!(engine.ask(line), [""; 0], "{line}");
    }
    for line in [
        "setoption",
        "setoption name",
        "setoption name value 3",
        "setoption Hash 3",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value 0",
        "setoption name Hash value -1",
        "setoption name Hash value 65537",
        "setoption name Hash value 99999999999999999999999",
        "setoption name Hash value 1 2",
        "setoption name Hash value 1.5",
        "setoption name Threads value 0",
        "setoption name Threads value 513",
        "setoption name MultiPV value 0",
        "setoption name MultiPV value 17",
        "setoption name Move Overhead value 5001",
        "setoption name Turn Limit value x",
        "setoption name Ponder value yes",
        "setoption name UCI_AnalyseMode",
        "setoption name UCI_Variant value chess",
        "setoption name UCI_Variant",
        "setoption name Move  Overheads value 3",
        "setoption name No Such Option value a b c",
    ] {
        engine.refused(line);
    }
    assert!(engine.go("go depth 1").len() > 1);
}

#[test]
fn trap_12_blanks_and_line_ends() {
    let mut engine = Process::start();
    engine.send_bytes(b"\r\n\n  \t \n\t uci \t\r\n");
    let mut lines = engine.until("uciok");
    engine.send_bytes(b"position\tstartpos   moves\ta1  g4\r\n\r\nd\r\nmoves\r\neval\r\n");
    engine.send_bytes(b"perft 2\r\n go\tdepth  4\r\nquit\r\n");
    lines.extend(engine.assert_exit(SOON));
    assert!(lines.iter().any(|line| line.starts_with("nodes ")));
    for line in lines {
        assert!(!line.is_empty() && line.trim_end() == line, "'{line}'");
        assert!(!line.contains(['\r', '\t']), "'{line}'");
    }
}

#[test]
fn trap_13_nothing_is_said_unasked() {
    let mut engine = Process::start();
    engine.assert_silent();
    engine.send("uci");
    assert!(engine.line().starts_with("id name "));
    engine.until("uciok");
    assert_eq!(engine.ask("debug on\nucinewgame\nposition startpos"), [""; 0]);
    let lines = engine.go("go depth 3");
    let (last, rest) = lines.split_last().unwrap();
    assert!(last.starts_with("bestmove "));
    assert!(rest.iter().all(|line| line.starts_with("info ")));
}
