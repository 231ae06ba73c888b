//! The engine's own book.

use std::collections::HashSet;
use std::path::Path;

use kisolo::book::Book;
use kisolo::rules::{Move, Profile};

use super::driver::{Process, field};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/book/kisolo-own.book");

/// An engine that plays from the book.
fn reader() -> Process {
    let mut engine = Process::start();
    engine
        .send(&format!("setoption name BookFile value {FILE}\nsetoption name OwnBook value true"));
    assert_eq!(engine.sync(), [""; 0]);
    engine
}

/// Whether a search was answered from the book.
fn from_book(lines: &[String]) -> bool {
    lines[0].starts_with("info string book: ")
}

#[test]
fn the_best_move_of_the_book_is_played_at_once() {
    let profile = Profile::Kisolo;
    let position = profile.start_position();
    let known = Book::read(Path::new(FILE)).unwrap().moves(&position)[0];
    let best = profile.move_text(&position, Move::Sow(known.pit));
    let mut engine = reader();
    for _ in 0..3 {
        let lines = engine.go("go wtime 60000 btime 60000");
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert_eq!(lines[0], "info string book: 1 move");
        assert_eq!(field(&lines[1], "cp"), Some(known.score.to_string().as_str()));
        assert_eq!(field(&lines[1], "nodes"), Some("0"));
        assert_eq!(field(&lines[2], "bestmove"), Some(best.as_str()));
        // The line is one, and the expected answer stands in it.
        let (_, line) = lines[1].split_once(" pv ").unwrap();
        assert!(line.starts_with(&format!("{best} {}", field(&lines[2], "ponder").unwrap())));
        assert_eq!(engine.ask(&format!("position startpos moves {line}")), [""; 0]);
        engine.send("position startpos");
    }
    engine.send("ugi");
    engine.until("ugiok");
    assert_eq!(engine.go("go").last().unwrap(), &format!("bestmove {best}"));
}

#[test]
fn only_moves_to_be_played_come_from_the_book() {
    let mut engine = reader();
    for go in ["go depth 2 searchmoves a1 b1", "go mate 1 depth 2", "go depth 2"] {
        assert_eq!(from_book(&engine.go(go)), go == "go depth 2", "{go}");
    }
    for (go, end) in [("go infinite", "stop"), ("go ponder depth 2", "ponderhit")] {
        engine.send(go);
        engine.assert_searching();
        engine.send(end);
        assert!(!from_book(&engine.until("bestmove")), "{go}");
    }
    for (name, off, on) in [
        ("UCI_AnalyseMode", "true", "false"),
        ("OwnBook", "false", "true"),
        ("UCI_Variant", "isolo", "kisolo"),
        ("BookFile", "<empty>", FILE),
    ] {
        engine.send(&format!("setoption name {name} value {off}"));
        assert!(!from_book(&engine.go("go depth 2")), "{name}");
        engine.send(&format!("setoption name {name} value {on}"));
        assert!(from_book(&engine.go("go depth 2")), "{name}");
    }
    // Nor does it know what it has not seen, or games that are over.
    engine.send("position fen 0,2,0,8,0,0,3/5,0,0,3,0,0,0/0,0,1,1,0,4,4/0,0,7,0,0,3,1 N -");
    assert!(!from_book(&engine.go("go depth 2")));
    engine.send("ugi\nposition startpos moves a1 a1");
    engine.until("info string error");
    assert_eq!(engine.go("go").last().unwrap(), "bestmove (none)");
}

#[test]
fn variety_makes_games_differ_and_every_session_alike() {
    let play = |variety: u32| -> Vec<String> {
        let mut engine = reader();
        engine.send(&format!("setoption name Book Variety value {variety}"));
        let mut first = || engine.go("go nodes 1").pop().unwrap();
        (0..20).map(|_| first()).collect()
    };
    let distinct = |moves: &[String]| moves.iter().collect::<HashSet<_>>().len();
    let varied = play(1000);
    assert!(distinct(&varied) > 1, "{varied:?}");
    assert_eq!(play(1000), varied);
    assert_eq!(distinct(&play(0)), 1);
}

#[test]
fn a_file_that_is_no_book_changes_nothing() {
    let mut engine = reader();
    let file = tempfile::NamedTempFile::new().unwrap();
    let text = std::fs::read_to_string(FILE).unwrap();
    std::fs::write(file.path(), &text[..text.len() - 9]).unwrap();
    let openings = concat!(env!("CARGO_MANIFEST_DIR"), "/book/isolo-startpos.txt");
    for (path, part) in [
        (file.path().to_str().unwrap(), ": line "),
        (openings, ": line 1: a book begins with '# kisolo book 1'"),
        ("/no/such/file", "book /no/such/file: "),
        ("/dev/zero", ": no regular file"),
        ("", "takes a text or <empty>, not ''"),
    ] {
        let error = engine.refused(&format!("setoption name BookFile value {path}"));
        assert!(error.contains(part), "{error}");
        assert!(from_book(&engine.go("go depth 2")), "{path}");
    }
    engine.refused("setoption name BookFile");
    engine.refused("setoption name OwnBook value maybe");
    engine.refused("setoption name Book Variety value 1001");
}
