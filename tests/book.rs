//! `kisolo book grow` and `kisolo book show`, run as the real program.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use kisolo::book::Book;
use kisolo::rules::Profile;
use rustix::process::{Pid, Signal, kill_process};

fn book(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kisolo"));
    command.arg("book").args(arguments).output().unwrap()
}

/// Standard output of a run that has to succeed without a word of complaint.
fn good(arguments: &[&str]) -> String {
    let output = book(arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && said.is_empty(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// The one line that a run is refused with.
fn refused(arguments: &[&str]) -> String {
    let output = book(arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(said.starts_with("error: ") && said.lines().count() == 1, "{said}");
    said
}

/// The path of a file in a folder.
fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

/// Grows a small book quickly.
fn grow(file: &str, expansions: usize, more: &[&str]) -> String {
    let count = expansions.to_string();
    let arguments = ["grow", file, "--depth", "5", "--hash", "1", "--expansions", &count];
    good(&[&arguments, more].concat())
}

#[test]
fn a_book_grown_in_parts_is_that_grown_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (parts, once) = (path(&folder, "parts"), path(&folder, "once"));
    for profile in Profile::ALL {
        let start = if profile == Profile::KisoloFree { "startpos1" } else { "startpos" };
        let of = ["--profile", profile.name(), "--start", start];
        for count in [1, 7, 30] {
            let said = grow(&parts, count, &of);
            assert!(said.contains(&format!(": {count} positions, ")), "{said}");
        }
        grow(&once, 30, &of);
        let text = fs::read_to_string(&once).unwrap();
        assert_eq!(fs::read_to_string(&parts).unwrap(), text);
        let command = format!("--profile {profile} --start {start} --depth 5 --moves 4");
        assert!(text.contains(&command), "{text}");
        assert_eq!(Book::parse(text.as_bytes()).unwrap().len(), 30);
        // As many as are wanted are there.
        assert!(grow(&once, 30, &of).contains(" 30 positions, 0 of them new"));
        assert_eq!(fs::read_to_string(&once).unwrap(), text);
        fs::remove_file(&parts).unwrap();
        fs::remove_file(&once).unwrap();
    }
}

#[test]
fn an_interrupted_book_is_whole_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (broken, once) = (path(&folder, "broken"), path(&folder, "once"));
    let mut wait = Duration::from_millis(200);
    // A signal that comes before anything was searched leaves nothing to see.
    let positions = loop {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kisolo"));
        command.args(["book", "grow", &broken, "--depth", "5", "--hash", "1"]);
        command.args(["--expansions", "1000000"]).stdout(Stdio::piped());
        let child = command.spawn().unwrap();
        std::thread::sleep(wait);
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let output = child.wait_with_output().unwrap();
        if let (true, Ok(book)) = (output.status.success(), Book::read(Path::new(&broken))) {
            let said = String::from_utf8(output.stdout).unwrap();
            assert!(said.ends_with("stopped; the same command goes on\n"), "{said}");
            break book.len();
        }
        wait *= 2;
    };
    grow(&broken, positions + 5, &[]);
    grow(&once, positions + 5, &[]);
    assert!(fs::read(&broken).unwrap() == fs::read(&once).unwrap());
    // Nothing is left beside the books.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn other_settings_leave_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "book");
    grow(&file, 5, &[]);
    grow(&file, 9, &["--moves", "2"]);
    grow(&file, 12, &["--moves", "2"]);
    let text = fs::read_to_string(&file).unwrap();
    let ends: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("# command: "))
        .map(|line| line.split_once("--moves ").unwrap().1)
        .collect();
    let rest = "--max-ply 20 --hash 1 --expansions";
    assert_eq!(ends, [format!("4 {rest} 5"), format!("2 {rest} 12")]);
}

#[test]
fn a_book_with_few_plies_comes_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let said = grow(&path(&folder, "book"), 500, &["--max-ply", "1"]);
    // The start and its four best moves.
    assert!(said.contains(": 5 positions, 5 of them new\n"), "{said}");
    assert!(said.ends_with("nothing is left within 1 plies\n"), "{said}");
}

#[test]
fn show_prints_the_moves_of_a_position() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "book");
    grow(&file, 40, &[]);
    let shown = good(&["show", &file]);
    assert_eq!(good(&["show", &file, "startpos"]), shown);
    let lines: Vec<Vec<&str>> =
        shown.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0].join(" "), "book kisolo from startpos, 40 positions");
    assert_eq!(lines[2].join(" "), "move score searched depth positions");
    assert_eq!(lines.len(), 8, "{shown}");
    // `cp N cp N DEPTH POSITIONS` behind the move.
    let moves = &lines[3..7];
    assert!(moves.is_sorted_by_key(|words| -words[2].parse::<i32>().unwrap()), "{shown}");
    assert!(moves.iter().all(|words| words[5] == "5"), "{shown}");
    let best = moves[0][0];
    assert_eq!(lines[7][..2], ["line", best]);
    let next = good(&["show", &file, "--moves", best]);
    let text = next.lines().nth(1).unwrap().strip_prefix("position ").unwrap();
    assert_eq!(good(&["show", &file, text]), next);
    assert!(refused(&["show", &file, "--moves", "a1 g4 g1 a4 c1 b4"]).contains("not in the book"));
    assert!(refused(&["show", &file, "--moves", "a2"]).contains("move 1 of --moves"));
}

#[test]
fn what_is_no_book_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (file, foreign) = (path(&folder, "book"), path(&folder, "foreign"));
    grow(&file, 3, &[]);
    fs::write(&foreign, "# openings of kisolo\n").unwrap();
    let whole = fs::read_to_string(&file).unwrap();
    for command in ["grow", "show"] {
        let said = refused(&[command, &foreign]);
        assert!(said.contains("foreign: line 1: a book begins with"), "{said}");
        assert!(refused(&[command, folder.path().to_str().unwrap()]).contains("no regular file"));
    }
    assert_eq!(fs::read_to_string(&foreign).unwrap(), "# openings of kisolo\n");
    fs::write(&foreign, &whole[..whole.len() / 2]).unwrap();
    assert!(refused(&["grow", &foreign]).contains("foreign: line "));
    let said = refused(&["grow", &file, "--profile", "isolo"]);
    assert!(said.contains("of kisolo from startpos, not of isolo from startpos"), "{said}");
    assert!(refused(&["grow", &file, "--start", "startpos2"]).contains("not of kisolo"));
    assert!(refused(&["grow", &file, "--profile", "kisolo-free"]).contains("choose startpos1"));
    assert!(refused(&["grow", &file, "--start", "x"]).contains("'x' is no start position"));
    assert!(refused(&["grow", &file, "--depth", "0"]).contains("--depth"));
    assert!(refused(&["grow", &file, "--depth", "3", "--nodes", "9"]).contains("--nodes"));
    assert!(refused(&["grow", "-"]).contains("a book is a file"));
    assert!(refused(&["grow"]).contains("<FILE>"));
    assert_eq!(fs::read_to_string(&file).unwrap(), whole);
}

#[test]
fn the_book_that_comes_along_is_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("book");
    let book = Book::read(&folder.join("kisolo-own.book")).unwrap();
    assert_eq!((book.profile(), book.start()), (Profile::Kisolo, "startpos"));
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    assert_eq!(book.commands.len(), 1);
    assert!(readme.contains(&book.commands[0].replace("FILE", "kisolo-own.book")));
}
