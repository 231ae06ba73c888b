//! `kisolo annotate`, run as the real program.

use std::fs;
use std::process::{Command, Output};

use kisolo::record::{FORMAT, GameRecord, MoveRecord, Player, Reason, RecordedResult, pgn};
use kisolo::rules::Profile;
use serde_json::Value;

/// A name that would be markup in a page.
const NAME: &str = "<script>alert(1)</script>&\u{1b}[31m";

fn annotate(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kisolo")).arg("annotate").args(arguments).output().unwrap()
}

fn stdout(output: Output) -> String {
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error.as_str()), (Some(0), ""));
    String::from_utf8(output.stdout).unwrap()
}

/// A game of some moves that South lost on time; the first move is given.
fn record(game: u64, profile: Profile, moves: &[&str]) -> GameRecord {
    let player = |name: &str| Player { name: name.to_owned(), ..Player::default() };
    let mv = |(index, text): (usize, &&str)| MoveRecord {
        text: (*text).to_owned(),
        book: index == 0,
        ..MoveRecord::default()
    };
    GameRecord {
        format: FORMAT,
        event: "test".to_owned(),
        game,
        opening: game,
        seed: 7,
        date: "2026-01-01T00:00:00Z".to_owned(),
        profile: profile.name().to_owned(),
        start: profile.position_text(&profile.start_position()),
        south: player(NAME),
        north: player("b"),
        moves: moves.iter().enumerate().map(mv).collect(),
        result: RecordedResult::North,
        reason: Reason::Time,
        note: None,
    }
}

const MOVES: [&str; 6] = ["b1", "b4", "c1", "d4", "g1", "g4"];

/// A folder with two games, as records and as text.
fn files() -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let set_up = "@3,3,3,3,3,3,0,0,0,0,1,1,1,0";
    let games = [
        record(1, Profile::Kisolo, &MOVES),
        record(2, Profile::KisoloFree, &[set_up, set_up, "d2"]),
    ];
    let (mut lines, mut text) = (String::new(), String::new());
    for game in &games {
        lines += &(serde_json::to_string(game).unwrap() + "\n");
        pgn::write(game, &mut text).unwrap();
    }
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (records, pgn) = (path("games.jsonl"), path("games.pgn"));
    fs::write(&records, lines).unwrap();
    fs::write(&pgn, text).unwrap();
    (folder, records, pgn)
}

#[test]
fn nodes_decide_and_threads_do_not() {
    let (_folder, records, _) = files();
    let of = |threads: &str| {
        let limits = ["--nodes", "3000", "--threads", threads, "--format", "json"];
        stdout(annotate(&[&[records.as_str()], &limits[..]].concat()))
    };
    let one = of("1");
    assert_eq!(of("3"), one);
    assert_eq!(of("1"), one);
}

#[test]
fn every_turn_is_judged() {
    let (_folder, records, _) = files();
    let text = stdout(annotate(&[&records, "--depth", "6", "-f", "json"]));
    let games: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 2);
    let moves = games[0]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), MOVES.len());
    for (index, mv) in moves.iter().enumerate() {
        assert_eq!(mv["side"], ["S", "N"][index % 2]);
        assert_eq!(mv["move"], MOVES[index]);
        assert_eq!(mv["best"], mv["line"][0]);
        let win = |key: &str| mv[key]["win"].as_f64().unwrap();
        let loss = mv["loss"].as_f64().unwrap();
        assert!((loss - (win("before") - win("after")).max(0.0)).abs() < 0.006, "{mv}");
        assert!(mv["best"] != mv["move"] || loss == 0.0, "{mv}");
        let mark = match loss {
            15.0.. => Value::from("blunder"),
            10.0.. => Value::from("mistake"),
            5.0.. => Value::from("inaccuracy"),
            _ => Value::Null,
        };
        assert_eq!(mv["mark"], mark, "{mv}");
    }
    // The move of the opening counts for nobody.
    assert_eq!(games[0]["summaries"][0]["moves"], 2);
    assert_eq!(games[0]["summaries"][1]["moves"], 3);
    // Set-ups are not judged, the turn behind them is.
    let moves = games[1]["moves"].as_array().unwrap();
    assert!(moves[0]["before"].is_null() && moves[1]["before"].is_null());
    assert!(moves[2]["before"]["win"].is_number());
}

#[test]
fn a_text_for_people() {
    let (_folder, records, _) = files();
    let text = stdout(annotate(&[&records, "--game", "1", "--nodes", "3000"]));
    for part in ["   1. South  b1 ", " -> ", "  book", "0-1, time\n", "accuracy ", "blunder "] {
        assert!(text.contains(part), "'{part}' is missing in: {text}");
    }
    assert!(!text.contains('\u{1b}'), "names hold no control characters");
    assert!(!text.contains("kisolo-free"), "only game 1 is wanted");
}

#[test]
fn records_and_text_are_read_alike() {
    let (_folder, records, pgn) = files();
    let of = |path: &str| {
        let text = stdout(annotate(&[path, "--nodes", "1000", "--format", "json"]));
        // Text has no place for control characters.
        text.replace("\\u001b", " ")
    };
    assert_eq!(of(&records), of(&pgn));
}

#[test]
fn a_page_holds_all_it_needs_and_nothing_foreign() {
    let (folder, records, _) = files();
    let page = folder.path().join("games.html");
    let output =
        annotate(&[&records, "--nodes", "3000", "--format", "html", "-o", page.to_str().unwrap()]);
    assert_eq!(stdout(output), "");
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>"), "{html}");
    assert!(html.contains("&lt;script&gt;alert(1)"), "names are escaped");
    assert!(!html.contains("<script>alert"), "names are escaped");
    assert!(!html.contains("http://") && !html.contains("https://"), "nothing is loaded");
    assert_eq!(html.matches("aria-label=\"South's chance of winning").count(), 2);
    assert_eq!(html.matches("<li data-ply=").count(), MOVES.len() + 3);
    // Nothing is left beside the page and the two files of games.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn a_bad_game_is_named_and_the_others_annotated() {
    let (folder, records, _) = files();
    let illegal = record(3, Profile::Kisolo, &["a1", "a1"]);
    let text = fs::read_to_string(&records).unwrap();
    let bad = folder.path().join("bad.jsonl");
    fs::write(&bad, format!("{text}nonsense\n{}\n", serde_json::to_string(&illegal).unwrap()))
        .unwrap();
    let output = annotate(&[bad.to_str().unwrap(), "--nodes", "500", "-f", "json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("bad.jsonl:3: ") && error.contains("game 3 of test: move 2"), "{error}");
}

#[test]
fn bad_input_is_refused() {
    let (folder, records, _) = files();
    let empty = folder.path().join("empty");
    fs::write(&empty, "").unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&[], "FILE"),
        (&["no-such-file"], "no-such-file"),
        (&[empty.to_str().unwrap()], "no game"),
        (&[&records, "--game", "9"], "no game 9"),
        (&[&records, "--format", "pdf"], "text, json, html"),
        (&[&records, "--nodes", "0"], "--nodes"),
        (&[&records, "--nodes", "500", "-o", "no-such-folder/page"], "no-such-folder"),
    ];
    for (arguments, part) in cases {
        let output = annotate(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.starts_with("error: ") && error.lines().count() == 1, "{error}");
        assert!(error.contains(part), "{error}");
    }
}
