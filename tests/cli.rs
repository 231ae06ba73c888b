//! The binary, from outside: output, errors and exit status.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, from_str};

use crate::vectors::{SHORT_OF_SEEDS, data};

const START: &str = "3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3,3 S -";
const SET_UP: &str = "@3,3,3,3,3,3,0,0,0,0,1,1,1,0";

fn kisolo(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kisolo"));
    command.args(args);
    command
}

/// Runs the binary with `input` on standard input.
fn run(args: &[&str], input: &[u8]) -> Output {
    let mut child = kisolo(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // A program that stops early is free not to read it all.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().unwrap()
    })
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// Standard output of a run that has to succeed without a word of complaint.
fn good(args: &[&str]) -> String {
    let output = run(args, b"");
    assert_eq!(text(output.stderr), "", "{args:?}");
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    text(output.stdout)
}

/// Holds a run to exit status 2 and a single line on standard error.
fn refused(args: &[&str], parts: &[&str]) {
    let output = run(args, b"");
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    assert_eq!(text(output.stdout), "", "{args:?}");
    let error = text(output.stderr);
    assert!(error.starts_with("error: ") && error.ends_with('\n'), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    for part in parts {
        assert!(error.contains(part), "'{part}' is missing in: {error}");
    }
}

#[test]
fn help_and_version() {
    let help = good(&["--help"]);
    for part in ["four-row mancala", "show", "perft", "turns", "Examples:", "Exit status:"] {
        assert!(help.contains(part), "'{part}' is missing in: {help}");
    }
    assert_eq!(good(&["--version"]), format!("kisolo {}\n", env!("CARGO_PKG_VERSION")));
    for command in ["show", "perft", "turns"] {
        assert!(good(&[command, "--help"]).contains("kisolo-full"), "{command}");
    }
}

#[test]
fn usage_errors() {
    refused(&["shwo"], &["shwo"]);
    refused(&["show", "--nothing"], &["--nothing"]);
    refused(&["show", "--profile", "chess"], &["chess", "kisolo-free", "isolo"]);
    refused(&["perft"], &["--depth"]);
    for depth in ["0", "101", "-1", "x", "", "99999999999999999999"] {
        refused(&["perft", "--depth", depth], &["--depth"]);
    }
    refused(&["turns", "one", "two"], &["two"]);
}

#[test]
fn show_draws_and_describes() {
    let shown = good(&["show"]);
    let want = "        a   b   c   d   e   f   g
   4    3   3   3   3   3   3   3    North outer   sown  <-
   3    .   .   .   .   .   .   .    North inner   sown  ->
   2    .   .   .   .   .   .   .    South inner   sown  <-
   1    3   3   3   3   3   3   3    South outer   sown  ->
profile kisolo
side S
first -
hash ";
    assert!(shown.starts_with(want), "{shown}");
    let want = format!("\nlegal a1 b1 c1 d1 e1 f1 g1\nresult -\nposition {START}\n");
    assert!(shown.ends_with(&want), "{shown}");
}

#[test]
fn show_takes_positions_in_every_form() {
    let shown = good(&["show", "startpos"]);
    assert_eq!(good(&["show", START]), shown);
    let fields: Vec<&str> = START.split(' ').collect();
    assert_eq!(good(&[&["show"], &fields[..]].concat()), shown);
    assert_eq!(good(&["show", "-p", "KISOLO", "-m", ""]), shown);
    for (profile, name, board) in [
        ("kisolo", "startpos1", "15,0,1,0,1,0,1/0,1,0,1,0,1,0/0,1,0,1,0,1,0/1,0,1,0,1,0,15 S -"),
        ("kisolo", "startpos2", "9,0,0,0,0,0,9/0,1,0,1,0,1,0/0,1,0,1,0,1,0/9,0,0,0,0,0,9 S -"),
        ("kisolo-free", "startpos1", START),
        ("kisolo-full", "startpos", "3,3,3,3,3,3,3/3,3,3,3,3,3,3/3,3,3,3,3,3,3/3,3,3,3,3,3,3 S -"),
    ] {
        let shown = good(&["show", name, "--profile", profile]);
        assert!(shown.ends_with(&format!("\nposition {board}\n")), "{profile} {name}: {shown}");
    }
}

#[test]
fn show_makes_moves() {
    let shown = good(&["show", "--moves", "a1  g4"]);
    assert!(shown.contains("\nside S\n"), "{shown}");
    let shown = good(&["show", "-p", "kisolo-free", "--moves", SET_UP]);
    assert!(shown.contains("\nfirst N\nseeds in hand N 21\n"), "{shown}");
    assert!(shown.contains("\nlegal a set-up is due: @ and 14 counts"), "{shown}");
    let endless = "0,0,0,0,0,0,75/0,0,0,0,0,0,0/1,2,0,1,0,1,0/1,0,1,0,1,0,1 S -";
    let shown = good(&["show", endless, "-p", "kisolo-full", "--moves", "a1"]);
    assert!(shown.contains("\nlegal none\nresult draw\n"), "{shown}");
}

#[test]
fn bad_positions_and_moves_are_named() {
    refused(&["show", "startpos9"], &["startpos9", "startpos1, startpos2"]);
    refused(&["show", "-p", "isolo", "startpos1"], &["startpos1", "isolo, which has: startpos"]);
    refused(&["show", ""], &["three fields"]);
    refused(&["show", "1,2/3", "S", "-"], &["'1,2/3 S -'", "four rows"]);
    refused(&["show", "-p", "isolo", START], &["row 4", "7 counts instead of 8"]);
    refused(&["show", SHORT_OF_SEEDS], &["37 seeds", "42"]);
    refused(&["show", &"é\u{1b}\n".repeat(9999)], &["three fields"]);
    refused(&["show", "--moves", "a1 a1"], &["move 2", "not a pit of North"]);
    refused(&["show", "--moves", "a2"], &["move 1", "a2 is not legal", "a1 b1 c1"]);
    refused(&["show", "--moves", "z9"], &["move 1", "'z9' is no move"]);
    refused(&["show", "--moves", SET_UP], &["set-up is not legal"]);
    refused(&["show", "-p", "kisolo-free", "-m", "a1"], &["a set-up is due"]);
    refused(&["show", "-p", "kisolo-free", "-m", "@1,2"], &["14 counts", "21 seeds"]);
    let won = "0,0,0,0,0,0,0/0,21,0,0,0,0,0/0,0,0,0,0,0,0/21,0,0,0,0,0,0 N -";
    refused(&["show", won, "--moves", "b3"], &["move 1", "not legal", "none"]);
}

#[test]
fn perft_counts_every_depth() {
    let counted = good(&["perft", "--depth", "5"]);
    let lines: Vec<&str> = counted.lines().collect();
    let want = ["perft 1 7", "perft 2 49", "perft 3 357", "perft 4 2601", "perft 5 19773"];
    assert_eq!(lines[..5], want);
    assert_eq!(lines.len(), 6);
    assert!(lines[5].starts_with("time ") && lines[5].ends_with(" turns/s"), "{counted}");
}

#[test]
fn perft_divides() {
    let divided = good(&["perft", "--depth", "3", "--divide"]);
    let want = "a1 42\nb1 49\nc1 56\nd1 42\ne1 49\nf1 56\ng1 63\nnodes 357\n";
    assert_eq!(divided, want);
    let divided = good(&["perft", "-d", "1", "--divide", "--moves", "a1"]);
    assert_eq!(divided.lines().last(), Some("nodes 7"));
}

#[test]
fn perft_of_a_game_that_is_over_counts_nothing() {
    let endless = "0,0,0,0,0,0,75/0,0,0,0,0,0,0/1,2,0,1,0,1,0/1,0,1,0,1,0,1 S -";
    let args = ["perft", endless, "-p", "kisolo-full", "--moves", "a1", "--depth", "2"];
    assert!(good(&args).starts_with("perft 1 0\nperft 2 0\n"));
    assert_eq!(good(&[&args[..], &["--divide"]].concat()), "nodes 0\n");
}

#[test]
fn perft_does_not_enumerate_set_ups() {
    let parts = ["set-ups are not enumerated (927,983,760 a side)", "startpos1", "--moves"];
    refused(&["perft", "-p", "kisolo-free", "-d", "1"], &parts);
    refused(&["perft", "-p", "kisolo-free", "-d", "1", "-m", SET_UP], &parts);
    let both = format!("{SET_UP} {SET_UP}");
    let counted = good(&["perft", "-p", "kisolo-free", "-d", "1", "-m", &both]);
    assert!(counted.starts_with("perft 1 "), "{counted}");
}

const WON: &str = "1,0,0,12,1,0,0/6,0,0,0,0,0,0/0,2,1,0,4,1,3/0,4,4,0,3,0,0 N -";

#[test]
fn solve_proves_and_prints() {
    let solved = good(&["solve", WON]);
    assert!(solved.contains("\nline d4\n"), "{solved}");
    assert!(solved.ends_with("\nresult win\n"), "{solved}");
    let json: Value = from_str(&good(&["solve", WON, "--json"])).unwrap();
    assert_eq!((&json["result"], &json["side"]), (&"win".into(), &"N".into()));
    assert_eq!(json["line"], serde_json::json!(["d4"]));
    assert_eq!(json["proof"], serde_json::json!({"positions": 1, "tree": 1}));
    assert_eq!(json["sides"][0]["known"], "wins");
    assert_eq!(json["sides"][1]["known"], "cannot win");
}

#[test]
fn solve_tells_what_is_known_when_it_is_stopped() {
    let args = ["solve", "--nodes", "1000", "--hash", "1"];
    let solved = good(&args);
    assert!(solved.contains("\nSouth open: proof number "), "{solved}");
    assert!(solved.ends_with("\nstopped by nodes\nresult unknown\n"), "{solved}");
    let json: Value = from_str(&good(&[&args[..], &["--json"]].concat())).unwrap();
    assert_eq!((&json["result"], &json["stopped"]), (&"unknown".into(), &"nodes".into()));
    assert!(json["sides"][1]["proof"].as_u64().unwrap() > 0, "{json}");
    let json: Value = from_str(&good(&["solve", "--time", "0.01", "--json"])).unwrap();
    assert_eq!(json["stopped"], "time");
}

#[test]
fn solve_knows_games_that_are_over() {
    let over = "0,0,0,0,0,0,0/0,21,0,0,0,0,0/0,0,0,0,0,0,0/21,0,0,0,0,0,0 N -";
    assert!(good(&["solve", over]).ends_with("\n\nresult loss\n"));
    let endless = "0,0,0,0,0,0,75/0,0,0,0,0,0,0/1,2,0,1,0,1,0/1,0,1,0,1,0,1 S -";
    let args = ["solve", endless, "-p", "kisolo-full", "--moves", "a1", "--json"];
    let json: Value = from_str(&good(&args)).unwrap();
    assert_eq!(json["result"], "draw");
}

#[test]
fn solve_refuses_what_it_cannot_take() {
    let parts = ["set-ups are not enumerated (927,983,760 a side)", "startpos1", "--moves"];
    refused(&["solve", "-p", "kisolo-free"], &parts);
    refused(&["solve", "startpos9"], &["startpos9", "startpos1, startpos2"]);
    refused(&["solve", "--moves", "a2"], &["move 1", "a2 is not legal"]);
    for (option, value) in [
        ("--nodes", "0"),
        ("--nodes", "-1"),
        ("--time", "0"),
        ("--time", "nan"),
        ("--time", "1e99"),
        ("--hash", "0"),
        ("--hash", "65537"),
        ("--hash", "é"),
    ] {
        refused(&["solve", option, value], &[option]);
    }
}

/// The answers of `kisolo turns` to the positions of some vectors.
fn turns(profile: &str, lines: &[&str]) -> Output {
    let positions: Vec<String> = lines
        .iter()
        .map(|line| from_str::<Value>(line).unwrap()["position"].as_str().unwrap().to_owned())
        .collect();
    run(&["turns", "--profile", profile], (positions.join("\n") + "\n").as_bytes())
}

#[test]
fn turns_gives_the_vectors_back_byte_for_byte() {
    for profile in ["kisolo", "kisolo-free", "kisolo-full", "isolo"] {
        let vectors = data(&format!("{profile}.jsonl"));
        let output = turns(profile, &vectors.lines().collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(0), "{profile}");
        assert!(text(output.stdout) == vectors, "{profile}");
    }
}

#[test]
fn turns_gives_the_examples_back() {
    for line in data("examples.jsonl").lines() {
        let example: Value = from_str(line).unwrap();
        let output = turns(example["profile"].as_str().unwrap(), &[line]);
        let answer: Value = from_str(&text(output.stdout)).unwrap();
        assert_eq!(answer["position"], example["position"]);
        if example["position"] == SHORT_OF_SEEDS {
            assert_eq!(output.status.code(), Some(1));
            assert!(answer["error"].as_str().unwrap().contains("37 seeds"), "{answer}");
        } else {
            assert_eq!(output.status.code(), Some(0));
            assert_eq!(answer["moves"], example["moves"]);
        }
    }
}

#[test]
fn turns_answers_bad_lines_and_goes_on() {
    let over = "0,0,0,0,0,0,0/0,21,0,0,0,0,0/0,0,0,0,0,0,0/21,0,0,0,0,0,0 N -";
    let mut input = format!("{START}\r\n\r\n \t\nno \"position\"\n{over}\n").into_bytes();
    input.extend(b"\xff\xfe\x00 S -\n");
    input.extend(vec![b'7'; 5_000_000]);
    input.extend(format!("\n{START}").as_bytes());
    let output = run(&["turns"], &input);
    assert_eq!((output.status.code(), text(output.stderr)), (Some(1), String::new()));
    let stdout = text(output.stdout);
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines.len(), 6, "blank lines are skipped: {stdout}");
    assert!(lines[0].starts_with(&format!("{{\"position\":\"{START}\",\"moves\":[{{\"move\":")));
    assert_eq!(lines[0], lines[5]);
    let fields = "a position has three fields, ROWS SIDE FIRST, not 2";
    let want = format!(r#"{{"position":"no \"position\"","error":"{fields}"}}"#);
    assert_eq!(lines[1], want);
    assert_eq!(lines[2], format!(r#"{{"position":"{over}","moves":[]}}"#));
    let answer: Value = from_str(lines[3]).unwrap();
    assert_eq!(answer["position"], "\u{fffd}\u{fffd}\0 S -");
    let answer: Value = from_str(lines[4]).unwrap();
    assert_eq!(answer["error"], "the line has more than 4096 bytes");
    assert!(lines[4].len() < 200, "a long line is not quoted in full");
}

#[test]
fn turns_does_not_enumerate_set_ups() {
    let empty = ["0,0,0,0,0,0,0"; 4].join("/");
    let output = run(&["turns", "-p", "kisolo-free"], format!("{empty} S SN\n").as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let want = "a set-up is due, and set-ups are not enumerated (927,983,760 a side)";
    let want = format!("{{\"position\":\"{empty} S SN\",\"error\":\"{want}\"}}\n");
    assert_eq!(text(output.stdout), want);
}

#[test]
fn turns_reads_files() {
    let file = std::env::temp_dir().join(format!("kisolo-turns-{}", std::process::id()));
    std::fs::write(&file, START).unwrap();
    let from_file = good(&["turns", file.to_str().unwrap()]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(from_file, text(run(&["turns", "-"], START.as_bytes()).stdout));
    assert_eq!(good(&["turns"]), "");
    refused(&["turns", "no/such/file"], &["cannot read", "no/such/file"]);
    refused(&["turns", env!("CARGO_MANIFEST_DIR")], &["cannot read", "directory"]);
}

#[test]
fn turns_answers_at_once() {
    use std::io::{BufRead, BufReader};
    let mut child =
        kisolo(&["turns"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..3 {
        writeln!(stdin, "{START}").unwrap();
        let answer = answers.next().unwrap().unwrap();
        assert!(answer.contains("\"moves\":[{"), "{answer}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for args in [&["show"][..], &["perft", "--depth", "3"], &["turns"]] {
        let mut child = kisolo(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        // Breaks off as soon as the program has noticed.
        for _ in 0..10_000 {
            if writeln!(stdin, "{START}").is_err() {
                break;
            }
        }
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(output.stderr), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = kisolo(&["show"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(output.stderr).starts_with("error: "));
}
