//! `kisolo games` and `kisolo book`, run as the real program.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kisolo::record::{
    FORMAT, GameRecord, MoveRecord, Player, Reason, RecordFile, RecordReader, RecordedResult,
};
use kisolo::rules::{GameResult, Profile};

fn kisolo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kisolo")).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A game of three moves that South lost on time.
fn record(game: u64) -> GameRecord {
    let player = |name: &str| Player { name: name.to_owned(), ..Player::default() };
    let moves = [("a1", Some(20)), ("g4", Some(-35)), ("b1", None)];
    let told = |(text, cp): (&str, Option<i32>)| MoveRecord {
        text: text.to_owned(),
        cp,
        depth: cp.map(|_| 9),
        ms: Some(50),
        ..MoveRecord::default()
    };
    GameRecord {
        format: FORMAT,
        event: "test".to_owned(),
        game,
        opening: game.div_ceil(2),
        seed: 7,
        date: "2026-01-01T00:00:00Z".to_owned(),
        profile: "kisolo".to_owned(),
        start: Profile::Kisolo.position_text(&Profile::Kisolo.start_position()),
        south: player(if game % 2 == 1 { "a" } else { "b" }),
        north: player(if game % 2 == 1 { "b" } else { "a" }),
        moves: moves.map(told).to_vec(),
        result: RecordedResult::North,
        reason: Reason::Time,
        note: None,
    }
}

/// A folder with a file of records and its path.
fn records(games: &[GameRecord]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let (mut file, _) = RecordFile::append(&path).unwrap();
    for game in games {
        file.write(game).unwrap();
    }
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

fn append(path: &str, text: &str) {
    let whole = fs::read_to_string(path).unwrap() + text;
    fs::write(path, whole).unwrap();
}

#[test]
fn an_export_is_imported_unchanged() {
    let (folder, path) = records(&[record(1), record(2)]);
    let text = folder.path().join("games.pgn");
    let back = folder.path().join("back.jsonl");
    let (text, back) = (text.to_str().unwrap(), back.to_str().unwrap());
    assert!(kisolo(&["games", "export", &path, "-o", text]).status.success());
    let exported = fs::read_to_string(text).unwrap();
    assert!(exported.contains("[White \"a\"]\n[Black \"b\"]\n[Result \"0-1\"]\n"), "{exported}");
    assert_eq!(stdout(&kisolo(&["games", "export", &path])), exported);
    assert!(kisolo(&["games", "import", text, "-o", back]).status.success());
    assert_eq!(fs::read(&path).unwrap(), fs::read(back).unwrap());
    // Nothing else is left in the folder.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn a_wrong_game_is_named_and_the_others_imported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    fs::write(&path, "[White \"x\"]\n\n1. a1 1-0\n\n[White \"y\"]\n\n1. a1 a2 1-0\n").unwrap();
    let output = kisolo(&["games", "import", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output).lines().count(), 1);
    assert!(stderr(&output).contains("games.pgn: game 2, line 7: move 2 'a2'"));
    let reader = RecordReader::new(output.stdout.as_slice());
    for (_, record) in reader {
        assert_eq!(record.unwrap().reason, Reason::ResignByScore);
    }
}

#[test]
fn records_are_verified_one_by_one() {
    let (_folder, path) = records(&[record(1), record(2)]);
    let output = kisolo(&["games", "verify", &path]);
    assert!(output.status.success());
    assert!(stdout(&output).starts_with("2 records: 2 hold, 0 do not; 0 occur twice"));
    append(&path, "{\"torn");
    let output = kisolo(&["games", "verify", &path]);
    assert!(output.status.success());
    assert!(stderr(&output).contains("games.jsonl:3: torn last line"));

    let wrong = GameRecord { reason: Reason::Rules, ..record(3) };
    let (_folder, path) = records(&[record(1), wrong, record(1)]);
    append(&path, "nonsense\n");
    let output = kisolo(&["games", "verify", &path]);
    assert_eq!(output.status.code(), Some(1));
    let (said, errors) = (stdout(&output), stderr(&output));
    assert!(said.starts_with("3 records: 2 hold, 1 do not; 1 occur twice; 1 lines"), "{said}");
    assert!(errors.contains("games.jsonl:2: the record says"), "{errors}");
    assert!(errors.contains("games.jsonl:3: game 1 of test is also at"), "{errors}");
    assert!(errors.contains("games.jsonl:4: no game record"), "{errors}");
}

#[test]
fn games_are_counted_and_shown() {
    let (_folder, path) = records(&[record(1), record(2)]);
    let said = stdout(&kisolo(&["games", "stats", &path]));
    for part in ["2 games\n", "ends: time 2", "a against b: +1 =0 -1", "DD or WL 1"] {
        assert!(said.contains(part), "{said}");
    }
    let shown = stdout(&kisolo(&["games", "show", &path, "--game", "2"]));
    for part in ["test, game 2", "South: b\n", "   2. North  g4    -0.35/9 0.050s\n", "0-1, time\n"]
    {
        assert!(shown.contains(part), "{shown}");
    }
    let boards = |arguments: &[&str]| stdout(&kisolo(arguments)).matches("North outer").count();
    assert_eq!(boards(&["games", "show", &path]), 1);
    assert_eq!(boards(&["games", "show", &path, "--all"]), 3);
    let start = stdout(&kisolo(&["games", "show", &path, "--ply", "0"]));
    assert!(start.ends_with(&format!("position {}\n", record(1).start)), "{start}");
}

#[test]
fn what_cannot_be_done_is_one_line_and_status_2() {
    let (_folder, path) = records(&[record(1)]);
    let cases: [&[&str]; 7] = [
        &["games", "show", &path, "--game", "9"],
        &["games", "show", &path, "--ply", "4"],
        &["games", "export", "no-such-file"],
        &["games", "export", &path, "-o", "no-such-folder/file"],
        &["games", "stats", "/dev/null"],
        &["book", "--start", "startpos9"],
        &["book", "--count", "0"],
    ];
    for arguments in cases {
        let output = kisolo(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = stderr(&output);
        assert!(said.starts_with("error: ") && said.lines().count() == 1, "{said}");
    }
}

/// The position strings of a book.
fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with('#')).collect()
}

#[test]
fn a_recipe_makes_one_book() {
    for profile in Profile::ALL {
        let arguments = ["book", "--profile", profile.name(), "--plies", "6", "--count", "5"];
        let rest = ["--depth", "4", "--balance", "300", "--seed", "3"];
        let arguments = [arguments.as_slice(), rest.as_slice()].concat();
        let (first, second) = (stdout(&kisolo(&arguments)), stdout(&kisolo(&arguments)));
        assert_eq!(first, second);
        assert_eq!(lines(&first).len(), 5, "{first}");
        assert!(first.contains(&format!("# profile: {profile}\n")));
        valid(profile, &first);
    }
}

fn valid(profile: Profile, text: &str) {
    let mut seen = HashSet::new();
    for line in lines(text) {
        let position = profile.parse_position(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        assert_eq!(profile.result(&position), GameResult::Ongoing, "{line}");
        assert!(!profile.set_up_due(&position), "{line}");
        assert_eq!(profile.position_text(&position), line);
        assert!(seen.insert(position), "{line} occurs twice");
    }
}

#[test]
fn every_line_of_the_books_is_an_opening() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("book");
    for (name, least) in [
        ("kisolo-startpos", 1000),
        ("kisolo-startpos1", 500),
        ("kisolo-startpos2", 500),
        ("kisolo-free-startpos", 500),
        ("kisolo-free-startpos1", 500),
        ("kisolo-full-startpos", 500),
        ("isolo-startpos", 250),
    ] {
        let path: PathBuf = folder.join(format!("{name}.txt"));
        let text = fs::read_to_string(&path).unwrap();
        let profile: Profile = name.rsplit_once('-').unwrap().0.parse().unwrap();
        assert!(text.contains(&format!("# profile: {profile}\n")));
        assert!(lines(&text).len() >= least, "{name}");
        valid(profile, &text);
    }
}
