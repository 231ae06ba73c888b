//! Matches that are interrupted, killed, torn and taken up again.

use std::io::Write;
use std::time::Duration;

use kisolo::record::{GameRecord, RecordFile};
use rustix::process::{Pid, Signal, kill_process};

use super::{Arena, Outcome, wait, wait_until};

/// A match of two mocks that play at random but always the same.
fn arguments(arena: &Arena, rounds: u64) -> Vec<String> {
    let records = arena.path("games.jsonl").display().to_string();
    let fixed = ["--each", "nodes=1", "--seed", "5", "--rounds"].map(str::to_owned);
    let mut arguments = [arena.engine("a", "seed=1"), arena.engine("b", "seed=2")].concat();
    arguments.extend(fixed);
    arguments.extend([rounds.to_string(), "--records".to_owned(), records]);
    arguments
}

fn with(arguments: &[String], more: &[&str]) -> Vec<String> {
    arguments.iter().cloned().chain(more.iter().map(|&word| word.to_owned())).collect()
}

/// What has to be the same however often a match was broken off.
fn essence(mut records: Vec<GameRecord>) -> Vec<GameRecord> {
    records.sort_by_key(|record| record.game);
    for record in &mut records {
        record.date.clear();
        // The commands of the mocks carry the tag of their test.
        record.event.clear();
        for mv in &mut record.moves {
            mv.ms = None;
        }
    }
    records
}

fn lines(arena: &Arena) -> usize {
    std::fs::read(arena.path("games.jsonl"))
        .map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count())
}

fn undisturbed(rounds: u64) -> Vec<GameRecord> {
    let arena = Arena::new();
    let outcome = arena.play(&arguments(&arena, rounds));
    assert!(outcome.status.success(), "{}", outcome.text());
    essence(outcome.records)
}

fn signal(child: &std::process::Child, signal: Signal) {
    let pid = Pid::from_raw(child.id().try_into().unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

#[test]
fn an_interrupted_match_ends_cleanly_and_goes_on() {
    let arena = Arena::new();
    let arguments = arguments(&arena, 200);
    let mut before = 0;
    // Ctrl-C, the end of a batch job, and a terminal that was closed.
    for end in [Signal::INT, Signal::TERM, Signal::HUP] {
        let mut child = arena.command(&with(&arguments, &["--resume"])).spawn().unwrap();
        wait_until("five games more", || lines(&arena) >= before + 5);
        signal(&child, end);
        let outcome = arena.outcome(wait(&mut child, Duration::from_secs(30)));
        assert_eq!(outcome.status.code(), Some(1), "{}", outcome.text());
        assert!(outcome.stdout.contains("interrupted; --resume goes on"), "{}", outcome.text());
        before = outcome.records.len();
    }
    assert!((15..400).contains(&before));
    let outcome = arena.play(&with(&arguments, &["--resume"]));
    assert!(outcome.status.success(), "{}", outcome.text());
    assert_eq!(essence(outcome.records), undisturbed(200));
}

#[test]
fn an_interruption_while_engines_start_leaves_nothing() {
    let arena = Arena::new();
    let mut child = arena.command(&arena.against("mode=never-greets")).spawn().unwrap();
    wait_until("an engine", || !super::processes_with("mode=never-greets").is_empty());
    signal(&child, Signal::INT);
    let outcome = arena.outcome(wait(&mut child, Duration::from_secs(9)));
    assert_eq!(outcome.stderr, "error: interrupted\n");
}

/// Not even an engine that takes no notice of the end of its input.
#[test]
#[cfg(target_os = "linux")]
fn no_engine_outlives_a_killed_arena() {
    let arena = Arena::new();
    let arguments = with(&arena.against("mode=ignore-end"), &["--rounds", "10000"]);
    let mut child = arena.command(&arguments).spawn().unwrap();
    wait_until("a game", || lines(&arena) > 0);
    signal(&child, Signal::KILL);
    let outcome = arena.outcome(child.wait().unwrap());
    assert_eq!(outcome.status.code(), None, "the match was over before its kill");
}

/// Kills the arena `kills` times at moments spread over the match. They go by
/// the games that are finished, so that a quick machine does not end the match
/// before the last of them.
fn survives(kills: u32, rounds: u64) {
    let arena = Arena::new();
    let arguments = with(&arguments(&arena, rounds), &["--resume", "--concurrency", "2"]);
    let games = 2 * rounds as usize;
    // All kills together leave half of the match to be played at the end.
    let most = games / (2 * kills as usize);
    let mut random = 0x9E37_79B9_u64;
    for _ in 0..kills {
        let before = lines(&arena);
        let mut child = arena.command(&arguments).spawn().unwrap();
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // Some moments are within the start, others after some games.
        if random >> 61 != 0 {
            let more = 1 + (random >> 33) as usize % most;
            wait_until("some games more", || lines(&arena) >= before + more);
        }
        std::thread::sleep(Duration::from_micros((random >> 13) % 5_000));
        child.kill().unwrap();
        let status = child.wait().unwrap();
        assert!(status.code().is_none(), "the match was over before its kill: {status}");
    }
    assert!(lines(&arena) < games);
    let outcome = arena.play(&arguments);
    assert!(outcome.status.success(), "{}", outcome.text());
    let all: Vec<u64> = (1..=2 * rounds).collect();
    assert_eq!(outcome.games(), all);
    assert_eq!(essence(outcome.records), undisturbed(rounds));
}

#[test]
fn kills_lose_no_finished_game() {
    survives(5, 300);
}

/// `cargo test twenty_kills -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn twenty_kills_lose_no_finished_game() {
    survives(20, 2000);
}

#[test]
fn a_torn_line_is_dropped_with_a_message() {
    let arena = Arena::new();
    let arguments = arguments(&arena, 3);
    let whole = essence(arena.play(&arguments).records);
    let path = arena.path("games.jsonl");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 20]).unwrap();
    let outcome = arena.play(&with(&arguments, &["--resume"]));
    assert!(outcome.stderr.contains("a torn last line of"), "{}", outcome.text());
    assert_eq!(essence(outcome.records), whole);
    // A match that is complete plays nothing.
    let outcome = arena.play(&with(&arguments, &["--resume"]));
    assert!(outcome.status.success() && outcome.stderr.is_empty(), "{}", outcome.text());
    assert_eq!(essence(outcome.records), whole);
}

#[test]
fn a_match_grows_by_rounds() {
    let arena = Arena::new();
    arena.play(&arguments(&arena, 2));
    let outcome = arena.play(&with(&arguments(&arena, 5), &["--resume"]));
    assert_eq!(essence(outcome.records), undisturbed(5));
}

fn refused(outcome: &Outcome, why: &str) {
    assert_eq!(outcome.status.code(), Some(2), "{}", outcome.text());
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.text());
    assert!(outcome.stderr.contains(why), "{}", outcome.text());
}

#[test]
fn a_file_of_something_else_is_refused() {
    let arena = Arena::new();
    let arguments = arguments(&arena, 1);
    arena.play(&arguments);
    let kept = lines(&arena);
    refused(&arena.play(&arguments), "--resume goes on");
    for other in [["--each", "nodes=2"], ["--games", "4"], ["--turn-limit", "9"], ["--plies", "6"]]
    {
        let other = with(&arguments, &[&["--resume"], other.as_slice()].concat());
        refused(&arena.play(&other), "belongs to match");
    }
    assert_eq!(lines(&arena), kept);
    let mut file = std::fs::File::options().append(true).open(arena.path("games.jsonl")).unwrap();
    writeln!(file, "nonsense").unwrap();
    let outcome = arena.command(&with(&arguments, &["--resume"])).status().unwrap();
    assert_eq!(outcome.code(), Some(2));
}

#[test]
fn records_that_cannot_be_written_end_the_match() {
    let arena = Arena::new();
    let both = [arena.engine("a", "seed=1"), arena.engine("b", "seed=2")].concat();
    let limits = with(&both, &["--each", "nodes=1", "--rounds", "1000", "--plies", "0"]);
    refused(&arena.play(&with(&limits, &["--records", "/nonexistent/games"])), "records /nonexist");
    let outcome = arena.play(&with(&limits, &["--records", "/dev/full"]));
    assert_eq!(outcome.status.code(), Some(2), "{}", outcome.text());
    assert!(outcome.stderr.contains("records: No space left"), "{}", outcome.text());
}

#[test]
fn a_file_has_one_writer() {
    let arena = Arena::new();
    let writer = RecordFile::append(&arena.path("games.jsonl")).unwrap();
    refused(&arena.play(&arguments(&arena, 1)), "another match writes to it");
    drop(writer);
    assert!(arena.play(&arguments(&arena, 1)).status.success());
}

#[test]
fn nobody_listening_is_no_reason_to_stop() {
    let arena = Arena::new();
    let mut command = arena.command(&arguments(&arena, 70));
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    let outcome = arena.outcome(wait(&mut child, Duration::from_secs(120)));
    assert_eq!(outcome.games().len(), 140);
}
