//! `kisolo rate` and `kisolo report` as their users run them.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

const START: &str = "3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3,3 S -";

/// A record: `south` against `north`, lost on time after two moves.
fn record(game: u64, south: &str, north: &str, result: &str) -> String {
    let player = |name: &str| {
        json!({"name": name, "engine": "mock 1", "limit": "nodes=7",
        "options": {"Hash": "<64>"}})
    };
    let record = json!({
        "format": 1, "event": "test", "game": game, "opening": game.div_ceil(2), "seed": 1,
        "date": "2026-01-01T00:00:00Z", "profile": "kisolo", "start": START,
        "south": player(south), "north": player(north),
        "moves": [
            {"move": "a1", "book": true},
            {"move": "a4", "cp": 31, "depth": 4, "nodes": 7, "ms": 2},
        ],
        "result": result, "reason": if result == "draw" { "turn-limit" } else { "time" },
    });
    format!("{record}\n")
}

/// Games of both seats, of which `wins` in ten are the first player's.
fn meeting(one: &str, other: &str, wins: u64) -> String {
    (0..10).fold(String::new(), |mut text, game| {
        let result = if game < wins { "S" } else { "N" };
        text += &record(2 * game + 1, one, other, result);
        text += &record(2 * game + 2, other, one, if result == "S" { "N" } else { "S" });
        text
    })
}

fn file(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

fn kisolo(arguments: &[&str], files: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kisolo")).args(arguments).args(files).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The output of a command that succeeds, with what it says on the side.
fn good(arguments: &[&str], files: &[&Path]) -> (String, String) {
    let output = kisolo(arguments, files);
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{errors}");
    (text(&output.stdout), errors)
}

/// The one line of a command that fails.
fn bad(arguments: &[&str], files: &[&Path]) -> String {
    let output = kisolo(arguments, files);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let errors = text(&output.stderr);
    assert_eq!(errors.lines().count(), 1, "{errors}");
    errors
}

#[test]
fn ratings_add_up_over_files() {
    let folder = TempDir::new().unwrap();
    let one = file(&folder, "1.jsonl", &meeting("strong", "middle", 7));
    let two = file(&folder, "2.jsonl", &meeting("middle", "weak", 7));
    let (table, errors) = good(&["rate", "--matrix"], &[&one, &two]);
    assert_eq!(errors, "");
    let names: Vec<&str> =
        table.lines().skip(1).take(3).filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(names, ["strong", "middle", "weak"]);
    assert!(table.contains("40 games of 3 players"), "{table}");
    assert!(table.contains("South's advantage"), "{table}");
    assert!(table.contains("likelihood of superiority"), "{table}");

    let (json, _) = good(&["rate", "--format", "json", "--matrix"], &[&one, &two]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["games"], 40);
    assert_eq!(json["players"][1]["name"], "middle");
    assert!(json["los"][0][2].as_f64().unwrap() > 0.99);
    assert!(json["advantage"]["value"].as_f64().unwrap().abs() < 1.0);

    let (csv, _) = good(&["rate", "--format", "csv", "--no-advantage"], &[&one, &two]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "rank,player,rating,error,low,high,games,score,draws");
    assert!(lines[3].starts_with("3,weak,-") && lines[3].ends_with(",20,0.300000,0"), "{csv}");
}

#[test]
fn an_anchor_sets_the_scale() {
    let folder = TempDir::new().unwrap();
    let games = file(&folder, "games.jsonl", &meeting("a=b, \"c\"", "d", 5));
    let (csv, _) = good(&["rate", "--format", "csv", "--anchor", "a=b, \"c\"=400"], &[&games]);
    assert!(csv.contains("\"a=b, \"\"c\"\"\",400.00,0.00,400.00,400.00,20"), "{csv}");
    assert!(csv.contains(",d,400.00,"), "{csv}");
    let error = bad(&["rate", "--anchor", "nobody=400"], &[&games]);
    assert_eq!(error, "error: the anchor 'nobody' has played no game\n");
    assert!(bad(&["rate", "--anchor", "d=high"], &[&games]).contains("NAME=RATING"));
}

#[test]
fn players_without_a_path_are_named() {
    let folder = TempDir::new().unwrap();
    let mut games = meeting("a", "b", 4) + &meeting("c", "d", 6);
    let path = file(&folder, "games.jsonl", &games);
    let (_, errors) = good(&["rate"], &[&path]);
    assert!(errors.contains("no path of games") && errors.contains("a, b | c, d"), "{errors}");
    assert!(!errors.contains("one side"), "{errors}");
    let error = bad(&["rate", "--no-prior"], &[&path]);
    assert!(error.contains("no games connect a, b | c, d"), "{error}");

    games += &record(1, "a", "c", "S");
    let path = file(&folder, "games.jsonl", &games);
    let (_, errors) = good(&["rate"], &[&path]);
    assert!(errors.contains("one side") && errors.contains("a, b | c, d"), "{errors}");
    assert!(!errors.contains("no path"), "{errors}");
}

#[test]
fn bad_lines_are_named_and_counted() {
    let folder = TempDir::new().unwrap();
    let games = meeting("a", "b", 5);
    let future = record(1, "a", "b", "S").replace("\"format\":1", "\"format\":9");
    let torn = &games[..40];
    let path = file(&folder, "games.jsonl", &format!("{games}nonsense\n{future}{torn}"));
    let (table, errors) = good(&["rate"], &[&path]);
    assert!(table.contains("20 games of 2 players, 2 bad lines passed over"), "{table}");
    for part in ["jsonl:21: no game record", "jsonl:22: the record has format 9", "jsonl:23: torn"]
    {
        assert!(errors.contains(part), "{errors}");
    }
    let many = file(&folder, "many.jsonl", &("x\n".repeat(100) + &games));
    let (_, errors) = good(&["rate"], &[&many]);
    assert_eq!(errors.lines().count(), 11, "{errors}");
    assert!(errors.contains("90 more bad lines"), "{errors}");
}

#[test]
fn a_game_that_is_given_twice_counts_once() {
    let folder = TempDir::new().unwrap();
    let games = meeting("a", "b", 5);
    let one = file(&folder, "one.jsonl", &games);
    // The last game of the first file, another number, and other players.
    let more = games.lines().last().unwrap().to_owned()
        + "\n"
        + &record(21, "a", "b", "S")
        + &record(1, "a", "c", "S");
    let two = file(&folder, "two.jsonl", &more);
    let warning = |dropped: u64| {
        format!("warning: games that were given twice count once; dropped: {dropped}\n")
    };
    for (files, counted, dropped) in [([&one, &one], 20, 20), ([&one, &two], 22, 1)] {
        let files: Vec<&Path> = files.iter().map(|path| path.as_path()).collect();
        let page = folder.path().join("report.html");
        for (command, total) in [
            (vec!["rate"], format!("{counted} games of ")),
            (vec!["games", "stats"], format!("{counted} games\n")),
            (vec!["report", "-o", page.to_str().unwrap()], format!("All {counted}")),
        ] {
            let (said, errors) = good(&command, &files);
            assert!(errors.starts_with(&warning(dropped)), "{command:?} {errors}");
            let said =
                if command[0] == "report" { fs::read_to_string(&page).unwrap() } else { said };
            assert!(said.contains(&total), "{command:?} {total}: {said}");
        }
    }
}

/// Games that were imported without the name of an event are numbered anew in
/// each file.
#[test]
fn games_of_no_event_are_told_apart_by_their_moves() {
    let folder = TempDir::new().unwrap();
    let nameless = record(1, "a", "b", "S").replace("\"test\"", "\"?\"");
    let one = file(&folder, "one.jsonl", &nameless);
    let two = file(&folder, "two.jsonl", &nameless.replace("\"a4\"", "\"b4\""));
    let (table, errors) = good(&["rate"], &[&one, &two, &one]);
    assert!(table.contains("2 games of 2 players"), "{table}");
    assert!(errors.contains("dropped: 1\n"), "{errors}");
}

#[test]
fn nothing_to_rate_is_an_error() {
    let folder = TempDir::new().unwrap();
    let empty = file(&folder, "empty.jsonl", "");
    assert_eq!(bad(&["rate"], &[&empty]), "error: there are no games\n");
    let games = file(&folder, "games.jsonl", &meeting("a", "b", 5));
    assert_eq!(bad(&["rate", "--profile", "isolo"], &[&games]), "error: there are no games\n");
    assert!(bad(&["rate"], &[&folder.path().join("missing")]).contains("missing: No such file"));
    assert!(bad(&["rate"], &[]).contains("no FILE of game records is given"));
}

#[test]
fn profiles_are_told_apart() {
    let folder = TempDir::new().unwrap();
    let isolo = meeting("a", "b", 5).replace("\"kisolo\"", "\"isolo\"");
    let games = file(&folder, "games.jsonl", &(meeting("a", "b", 5) + &isolo));
    let (table, errors) = good(&["rate"], &[&games]);
    assert!(table.contains("40 games"), "{table}");
    assert!(errors.contains("20 of isolo, 20 of kisolo"), "{errors}");
    let (table, errors) = good(&["rate", "--profile", "isolo"], &[&games]);
    assert!(table.contains("20 games") && errors.is_empty(), "{table}{errors}");
}

#[test]
fn standard_input_is_read() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kisolo"))
        .args(["rate", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(meeting("a", "b\u{1b}[2J", 5).as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let table = text(&output.stdout);
    assert!(output.status.success() && table.contains("20 games"), "{table}");
    assert!(!table.contains('\u{1b}'), "a name may not steer the terminal");
}

/// A report on some records, with further arguments.
fn report(records: &str, arguments: &[&str]) -> String {
    let folder = TempDir::new().unwrap();
    let games = file(&folder, "games.jsonl", records);
    let page = folder.path().join("report.html");
    let mut all = vec!["report", "--output", page.to_str().unwrap()];
    all.extend(arguments);
    all.push("--");
    good(&all, &[&games]);
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(names.len(), 2, "nothing is left beside the page");
    fs::read_to_string(page).unwrap()
}

#[test]
fn a_report_has_every_section() {
    let games = meeting("a", "b", 7) + &meeting("b", "c", 6) + &record(99, "a", "c", "draw");
    let page = report(&games, &["--title", "Spring & summer", "--anchor", "b=1500"]);
    assert!(page.contains("<title>Spring &amp; summer</title>"));
    for id in [
        "ratings", "cross", "progress", "south", "lengths", "openings", "ends", "engines",
        "effort", "games",
    ] {
        assert!(page.contains(&format!("<section id=\"{id}\">")), "{id}");
        assert!(page.contains(&format!("href=\"#{id}\"")), "{id}");
    }
    for part in ["b is held at 1500", "turn-limit", "mock 1", "nodes=7", "startpos a1", "All 41"] {
        assert!(page.contains(part), "{part}");
    }
    for foreign in ["http:", "https:", "url(", "@import", "src="] {
        assert!(!page.contains(foreign), "{foreign}");
    }
}

#[test]
fn a_report_on_two_players_shows_elo_and_a_test() {
    let page = report(&meeting("a", "b", 7), &["--sprt", "elo0=0", "elo1=50"]);
    assert!(page.contains("Elo of <bdi>a</bdi> over <bdi>b</bdi>"));
    assert!(page.contains("Log-likelihood ratio of the sequential test"));
    let page = report(&meeting("a", "b", 10), &[]);
    assert!(page.contains("One side won all games"));
    assert!(!page.contains("NaN") && !page.contains("sequential test"));
}

#[test]
fn files_may_follow_a_test() {
    let folder = TempDir::new().unwrap();
    let games = meeting("a", "b", 7);
    let (first, second) = games.split_at(games.len() / 2);
    let at = second.find('\n').unwrap() + 1;
    let one = file(&folder, "one.jsonl", &format!("{first}{}", &second[..at]));
    let two = file(&folder, "in=two.jsonl", &second[at..]);
    let path = folder.path().join("report.html");
    let arguments = ["report", "-o", path.to_str().unwrap(), "--sprt", "elo0=0", "elo1=50"];
    assert_eq!(good(&arguments, &[&one, &two]).1, "");
    let page = fs::read_to_string(&path).unwrap();
    assert!(page.contains("All 20") && page.contains("sequential test"));
    let error = bad(&[&arguments[..], &["elo2=9"]].concat(), &[&one]);
    assert_eq!(error, "error: --sprt elo2=9: the keys are elo0, elo1, alpha, beta and model\n");
    assert!(bad(&arguments, &[]).contains("no FILE of game records"));
}

#[test]
fn foreign_text_is_escaped() {
    let evil = "</script><script>alert(1)</script>\"'&";
    let page = report(&meeting(evil, "b", 5), &["--title", evil]);
    assert_eq!(page.matches("<script").count(), 2, "the positions and the replay");
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(!page.contains("\"<64>"));
}

/// The positions that a page holds for the replay.
fn positions(page: &str) -> Value {
    let start = "<script type=\"application/json\" id=\"positions\">";
    let (_, json) = page.split_once(start).unwrap();
    serde_json::from_str(json.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn the_last_games_are_there_to_replay() {
    let mut games = meeting("a", "b", 5);
    let illegal = record(21, "a", "b", "S").replace("\"a4\"", "\"a3\"");
    let _ = write!(games, "{illegal}");
    let page = report(&games, &["--games", "3"]);
    assert!(page.contains("The last 3 of 21 games"));
    assert!(page.contains("Our rules do not accept this game: move 2 'a3'"));
    let games = positions(&page);
    let count = |game: usize| games[game]["positions"].as_array().unwrap().len();
    assert_eq!([count(0), count(1), count(2)], [3, 3, 0]);
    assert_eq!(games[0]["positions"][0], START);
    let none = report(&meeting("a", "b", 5), &["--games", "0"]);
    assert_eq!(positions(&none), json!([]));
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let folder = TempDir::new().unwrap();
    let games = file(&folder, "games.jsonl", &meeting("a", "b", 5));
    let nowhere = folder.path().join("no/report.html");
    let error = bad(&["report", "-o", nowhere.to_str().unwrap()], &[&games]);
    assert!(error.contains("report.html: No such file"), "{error}");
    let error = bad(&["report", "-o", folder.path().to_str().unwrap()], &[&games]);
    assert!(error.contains("directory"), "{error}");
    let page = folder.path().join("report.html");
    let empty = file(&folder, "empty.jsonl", "");
    let error = bad(&["report", "-o", page.to_str().unwrap()], &[&empty]);
    assert_eq!(error, "error: there are no games\n");
    assert!(!page.exists());
}
