//! `kisolo play`, run as the real program with a pipe for its input.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use kisolo::record::{GameRecord, Reason, RecordReader, RecordedResult};

/// A whole game of two people, which South wins.
const WON: &str = "0,0,0,0,0,0,1/0,0,0,0,0,0,1/1,0,0,0,0,0,1/1,1,1,1,1,1,32 S -";

fn play(arguments: &[&str], input: &str) -> Output {
    run(arguments, input.as_bytes())
}

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kisolo"))
        .arg("play")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // All inputs here fit into the pipe.
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

/// What is said in a sitting that ends well.
fn said(arguments: &[&str], input: &str) -> String {
    let output = play(arguments, input);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn records(path: &str) -> Vec<GameRecord> {
    let bytes = fs::read(path).unwrap();
    RecordReader::new(bytes.as_slice()).map(|(_, record)| record.unwrap()).collect()
}

/// The lines that say what was wrong.
fn errors(said: &str) -> Vec<&str> {
    said.lines().filter(|line| line.starts_with("error: ")).collect()
}

#[test]
fn two_people_play_and_are_told_what_happens() {
    let said = said(&["--side", "both"], "e1\n\nG4\n");
    let boards = said.matches("North outer").count();
    assert_eq!(boards, 3, "{said}");
    for part in ["South plays e1, captures nothing, sows 1 packet, ends in g2.", "North plays g4"] {
        assert!(said.contains(part), "{said}");
    }
    assert!(!said.contains('\u{1b}'), "a pipe has no colours: {said}");
}

#[test]
fn every_profile_is_played_against_the_engine() {
    for (profile, first) in [
        ("kisolo", "a1"),
        ("kisolo-full", "d2"),
        ("isolo", "a1"),
        ("kisolo-free", "@ 3,3,3,3,3,3,0,0,0,0,1,1,1,0"),
    ] {
        let said = said(&["-p", profile, "--level", "400"], &format!("{first}\n"));
        assert!(errors(&said).is_empty(), "{said}");
        for part in ["South ", "North "] {
            assert!(said.lines().any(|line| line.starts_with(part)), "{profile}: {said}");
        }
    }
}

#[test]
fn the_engine_begins_when_the_person_is_north() {
    let said = said(&["--side", "north", "--nodes", "500"], "undo\n");
    assert!(said.contains("\nSouth plays "), "{said}");
    assert_eq!(errors(&said), ["error: there is no turn of yours to take back"]);
}

#[test]
fn a_watched_game_comes_to_its_end_and_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let path = path.to_str().unwrap();
    let said = said(&["--side", "none", "--nodes", "300"], &format!("save {path}\nmoves\n"));
    assert!(said.contains("has won: ") || said.contains("is drawn: "), "{said}");
    assert!(said.contains("none: the game is over"), "{said}");
    let games = records(path);
    assert!(games.len() == 1 && games[0].verify().is_ok());
    assert!(games[0].moves.iter().all(|mv| mv.nodes.is_some()));
}

#[test]
fn bad_lines_get_one_line_that_says_what_is_accepted() {
    let cases: [(&str, &str); 9] = [
        ("foo", "legal: a1 b1 c1 d1 e1 f1 g1; commands: board, moves"),
        ("a2", "a2 is not legal here; legal: a1"),
        ("a4", "not a pit of South"),
        ("@ 1,2,3", "14 counts"),
        ("undo", "no turn of yours"),
        ("redo", "nothing was taken back"),
        ("quit now", "quit takes nothing more"),
        ("save", "save FILE"),
        ("load no-such-file", "no-such-file: "),
    ];
    let input: String = cases.iter().map(|(line, _)| format!("{line}\n")).collect();
    let said = said(&["--side", "both"], &input);
    let errors = errors(&said);
    assert_eq!(errors.len(), cases.len(), "{said}");
    for (error, (line, part)) in errors.iter().zip(cases) {
        assert!(error.contains(part), "{line}: {error}");
    }
    let long = [b"x".repeat(100_000).as_slice(), b"\n\xff\xfe\n\0\nquit\n"].concat();
    let output = run(&["--side", "both"], &long);
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.lines().filter(|line| line.starts_with("error: ")).count(), 3, "{said}");
    assert!(said.contains("longer than 4096") && said.contains("not valid UTF-8"), "{said}");
}

#[test]
fn bad_options_are_refused() {
    let cases: [(&[&str], &str); 6] = [
        (&["--level", "399"], "400"),
        (&["--level", "9000"], "the levels of kisolo are 400 to"),
        (&["--level", "800", "--nodes", "5"], "--nodes"),
        (&["--side", "west"], "south, north, both, none"),
        (&["--start", "startpos9"], "startpos2"),
        (&["--time", "0"], "seconds above 0"),
    ];
    for (arguments, part) in cases {
        let output = Command::new(env!("CARGO_BIN_EXE_kisolo"))
            .arg("play")
            .args(arguments)
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.lines().count() == 1 && error.contains(part), "{error}");
    }
}

#[test]
fn a_turn_is_taken_back_with_the_answer_and_made_again() {
    let said = said(&["--nodes", "500"], "a1\nundo\nredo\nundo\nmoves\n");
    assert!(errors(&said).is_empty(), "{said}");
    let count = |start: &str| said.lines().filter(|line| line.starts_with(start)).count();
    // The moves at the end list a1 once more.
    assert_eq!(count("South plays a1,"), 3, "{said}");
    assert_eq!(count("North plays "), 2, "{said}");
    assert_eq!(count("South is to move again."), 2, "{said}");
}

#[test]
fn hints_and_evaluations_are_the_same_each_time() {
    let said = said(&["--side", "both", "--nodes", "2000"], "hint\nhint\neval\neval\n");
    let lines = |start: &str| -> Vec<&str> {
        said.lines().filter(|line| line.starts_with(start)).collect()
    };
    for start in ["hint: ", "eval: "] {
        let lines = lines(start);
        assert!(lines.len() == 2 && lines[0] == lines[1], "{said}");
    }
    assert!(lines("eval: ")[0].contains("% to win"), "{said}");
}

#[test]
fn a_game_is_saved_and_taken_up_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my games.jsonl");
    let path = path.to_str().unwrap();
    let first = said(&["--side", "both"], &format!("a1\nsave {path}\ng4\nsave {path}\n"));
    assert!(first.contains("1 moves, not finished"), "{first}");
    let games = records(path);
    assert_eq!(games.len(), 1, "the same game is there once");
    assert_eq!((games[0].moves.len(), games[0].reason), (2, Reason::Unfinished));
    let second = said(&["--side", "both"], &format!("load {path}\nb1\nresign\nsave {path}\n"));
    assert!(errors(&second).is_empty(), "{second}");
    let games = records(path);
    assert_eq!((games.len(), games[0].moves.len()), (1, 3));
    assert_eq!((games[0].reason, games[0].result), (Reason::Resignation, RecordedResult::South));
    // A game that has ended is the beginning of another one.
    said(&["--side", "both"], &format!("load {path}\nundo\nsave {path}\n"));
    let games = records(path);
    assert_eq!((games.len(), games[1].reason), (2, Reason::Unfinished));
    let verify =
        Command::new(env!("CARGO_BIN_EXE_kisolo")).args(["games", "verify", path]).output();
    let verify = String::from_utf8(verify.unwrap().stdout).unwrap();
    assert!(verify.starts_with("2 records: 2 hold"), "{verify}");
}

#[test]
fn a_file_of_anything_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    fs::write(&path, "dear diary").unwrap();
    let said = said(&["--side", "both"], &format!("a1\nsave {}\n", path.display()));
    assert!(errors(&said)[0].contains("line 1 is no game record"), "{said}");
    assert_eq!(fs::read_to_string(path).unwrap(), "dear diary");
}

#[test]
fn unfinished_games_count_for_nothing_and_survive_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, text, back) = (path("games.jsonl"), path("games.pgn"), path("back.jsonl"));
    said(&["--side", "both"], &format!("a1\nsave {games}\n"));
    let kisolo = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_kisolo")).args(arguments).output().unwrap()
    };
    let stats = kisolo(&["games", "stats", &games]);
    assert_eq!(stats.status.code(), Some(2));
    let error = String::from_utf8(stats.stderr).unwrap();
    assert!(error.contains("not played to the end are left out: 1"), "{error}");
    assert!(kisolo(&["games", "export", &games, "-o", &text]).status.success());
    assert!(fs::read_to_string(&text).unwrap().contains("[Result \"*\"]"));
    assert!(kisolo(&["games", "import", &text, "-o", &back]).status.success());
    assert_eq!(fs::read(&games).unwrap(), fs::read(&back).unwrap());
    let loaded = said(&["--side", "both"], &format!("load {text}\n"));
    assert!(loaded.contains("kisolo, 1 moves"), "{loaded}");
}

#[test]
fn a_win_is_told_and_a_new_game_begins() {
    let said = said(&["--side", "both", "--start", WON], "moves\na1\nresign\nnew\nboard\n");
    assert!(said.contains("South has won: "), "{said}");
    assert_eq!(errors(&said), ["error: the game is over already"], "{said}");
    assert_eq!(said.matches("  1   1   1   1   1   1  32").count(), 3, "{said}");
}
