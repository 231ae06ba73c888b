//! Each fault of an engine: how the game is scored, that the match goes on
//! with `--recover` or ends with its games kept, and that nothing is left.

use std::time::{Duration, Instant};

use kisolo::board::Side;
use kisolo::record::{GameRecord, Reason, RecordedResult};

use super::{Arena, Outcome};

fn winner(record: &GameRecord) -> Option<&str> {
    match record.result {
        RecordedResult::South => Some(&record.player(Side::South).name),
        RecordedResult::North => Some(&record.player(Side::North).name),
        RecordedResult::Draw => None,
    }
}

/// Two games, one after the other.
fn play(arena: &Arena, bad: &str, more: &[&str]) -> Outcome {
    let mut arguments = arena.against(bad);
    arguments.extend(["--rounds", "1", "--concurrency", "1"].map(Into::into));
    arguments.extend(more.iter().map(|&word| word.to_owned()));
    arena.play(&arguments)
}

/// Plays with and without `--recover` against an engine that loses every game
/// by `reason`.
fn loses_by(bad: &str, reason: Reason) {
    let arena = Arena::new();
    let outcome = play(&arena, bad, &["--recover"]);
    assert!(outcome.status.success(), "{}", outcome.text());
    assert_eq!(outcome.games(), [1, 2]);
    for record in &outcome.records {
        assert_eq!((record.reason, winner(record)), (reason, Some("good")), "{record:?}");
        assert!(record.note.is_some());
    }
    if matches!(reason, Reason::Crash | Reason::NoAnswer) {
        ends_after(1, bad);
    } else {
        // An engine that still runs is no reason to end.
        assert_eq!(play(&Arena::new(), bad, &[]).games(), [1, 2]);
    }
}

/// Without `--recover` a match ends after the game in which an engine died.
fn ends_after(game: u64, bad: &str) {
    let arena = Arena::new();
    let outcome = play(&arena, bad, &["--games", "4"]);
    assert_eq!(outcome.status.code(), Some(1), "{}", outcome.text());
    assert_eq!(outcome.games(), (1..=game).collect::<Vec<u64>>());
    assert!(outcome.stdout.contains("--recover goes on"), "{}", outcome.text());
}

/// An engine whose strange ways change no game.
fn does_no_harm(bad: &str) -> Outcome {
    let arena = Arena::new();
    let outcome = play(&arena, bad, &[]);
    assert!(outcome.status.success(), "{}", outcome.text());
    assert_eq!(outcome.games(), [1, 2]);
    assert!(outcome.records.iter().all(|record| !record.reason.is_fault()), "{}", outcome.text());
    outcome
}

#[test]
fn a_crash_loses() {
    loses_by("mode=crash at=2", Reason::Crash);
}

#[test]
fn a_closed_output_loses() {
    loses_by("mode=close-output at=1", Reason::Crash);
}

#[test]
fn a_crash_shows_even_if_a_grandchild_holds_the_pipes() {
    let arena = Arena::new();
    let mut arguments = arena.against("mode=grandchild-orphan at=1");
    // Nothing limits the time: only the end of the process tells.
    arguments.extend(
        ["--each", "st=3600", "nodes=1", "--rounds", "1", "-c", "1", "--recover"].map(Into::into),
    );
    let began = Instant::now();
    let outcome = arena.play(&arguments);
    assert!(began.elapsed() < Duration::from_secs(60));
    assert!(outcome.records.iter().all(|record| record.reason == Reason::Crash));
    assert_eq!(outcome.records.len(), 2);
}

#[test]
fn a_grandchild_is_not_left_behind() {
    does_no_harm("mode=grandchild at=1");
}

#[test]
fn hanging_loses() {
    loses_by("mode=hang at=2", Reason::NoAnswer);
}

#[test]
fn a_flood_of_lines_loses() {
    loses_by("mode=flood at=2", Reason::NoAnswer);
}

#[test]
fn a_line_without_end_loses() {
    loses_by("mode=flood-without-end at=1", Reason::NoAnswer);
}

#[test]
fn a_flood_of_answers_loses() {
    // The first of them is taken; then the engine does not read any more.
    loses_by("mode=answer-flood at=2", Reason::NoAnswer);
}

#[test]
fn an_illegal_move_loses() {
    loses_by("mode=illegal at=2", Reason::IllegalMove);
}

#[test]
fn no_move_loses() {
    loses_by("mode=empty-move at=1", Reason::IllegalMove);
}

#[test]
fn a_late_answer_loses() {
    loses_by("mode=late ms=1800 at=1", Reason::Time);
}

#[test]
fn a_late_answer_within_the_margin_does_not() {
    let arena = Arena::new();
    let outcome = play(&arena, "mode=late ms=600 at=1", &[]);
    assert!(outcome.records.iter().all(|record| !record.reason.is_fault()), "{}", outcome.text());
}

#[test]
fn two_answers_count_once() {
    let outcome = does_no_harm("mode=twice");
    // The very same games as with one answer each.
    let tidy = does_no_harm("mode=none");
    let moves = |outcome: &Outcome| -> Vec<Vec<String>> {
        let texts = |record: &GameRecord| record.moves.iter().map(|mv| mv.text.clone()).collect();
        outcome.records.iter().map(texts).collect()
    };
    assert_eq!(moves(&outcome), moves(&tidy));
}

#[test]
fn garbage_is_passed_over() {
    does_no_harm("mode=garbage");
}

#[test]
fn megabytes_in_a_line_are_passed_over() {
    does_no_harm("mode=long-line at=1");
}

#[test]
fn invalid_text_is_passed_over() {
    does_no_harm("mode=bad-utf8");
}

#[test]
fn who_ignores_quit_is_killed() {
    does_no_harm("mode=ignore-quit");
}

#[test]
fn who_ignores_the_signal_to_end_is_killed() {
    let arena = Arena::new();
    let mut arguments = arena.engine("good", "seed=1");
    let command = arena.cmd("mode=ignore-quit").replace('\'', "");
    let script = format!("cmd=sh -c 'trap \"\" TERM INT HUP; exec {command}'");
    arguments.extend(["--engine".to_owned(), "name=bad".to_owned(), script]);
    arguments.extend(["--each", "st=2", "--rounds", "1", "--plies", "0"].map(Into::into));
    let outcome = arena.play(&arguments);
    assert!(outcome.status.success(), "{}", outcome.text());
}

#[test]
fn dying_between_games_loses_the_next() {
    let arena = Arena::new();
    let outcome = play(&arena, "mode=dies-between-games", &["--games", "4", "--recover"]);
    assert!(outcome.status.success(), "{}", outcome.text());
    let crashed: Vec<u64> = outcome
        .records
        .iter()
        .filter(|record| record.reason == Reason::Crash && winner(record) == Some("good"))
        .map(|record| record.game)
        .collect();
    assert_eq!((crashed, outcome.games()), (vec![2, 4], vec![1, 2, 3, 4]));
    ends_after(2, "mode=dies-between-games");
}

/// An engine that cannot play is found before the first game.
fn does_not_start(bad: &str, why: &str) {
    let arena = Arena::new();
    let outcome = play(&arena, bad, &["--recover"]);
    assert_eq!(outcome.status.code(), Some(2), "{}", outcome.text());
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.text());
    assert!(outcome.stderr.starts_with("error: engine bad: "), "{}", outcome.text());
    assert!(outcome.stderr.contains(why), "{}", outcome.text());
    assert!(outcome.records.is_empty());
}

#[test]
fn who_ends_at_the_start_is_named() {
    does_not_start("mode=exit-at-start", "ended at its greeting");
}

#[test]
fn who_never_greets_is_named() {
    does_not_start("mode=never-greets", "no answer");
}

#[test]
fn who_never_gets_ready_is_named() {
    does_not_start("mode=hang-at-ready", "no answer");
}

#[test]
fn a_missing_program_is_named() {
    let arena = Arena::new();
    let mut arguments = arena.engine("good", "seed=1");
    let missing = ["--engine", "name=bad", "cmd=/nonexistent/engine", "--each", "nodes=1"];
    arguments.extend(missing.map(Into::into));
    let outcome = arena.play(&arguments);
    assert_eq!(outcome.status.code(), Some(2));
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.text());
    assert!(
        outcome.stderr.contains("/nonexistent/engine cannot be started: No such file"),
        "{}",
        outcome.text()
    );
}

#[test]
fn the_standard_error_is_kept_in_the_log() {
    let arena = Arena::new();
    let log = arena.path("log").display().to_string();
    let outcome = play(&arena, "mode=stderr at=1", &["--log", &log]);
    assert!(outcome.status.success(), "{}", outcome.text());
    let log = std::fs::read_to_string(log).unwrap();
    let complaints: Vec<&str> = log.lines().filter(|line| line.contains(" bad err ")).collect();
    assert_eq!(complaints.len(), 2 * 2000);
    for line in [complaints[0], complaints[3999]] {
        let time = line.split(' ').next().unwrap();
        assert!(time.ends_with('Z') && time.contains('T'), "{line}");
    }
}

#[test]
fn a_liar_is_reported_with_the_position() {
    let arena = Arena::new();
    let outcome = play(&arena, "mode=lies", &["--verify", "--each", "st=5", "proto=ugi"]);
    assert!(outcome.status.success(), "{}", outcome.text());
    let expected = "bad answers query gameover with 'true', the rules say 'false': 3,3";
    assert!(outcome.stderr.contains(expected), "{}", outcome.text());
    assert!(!outcome.stderr.contains("good answers"), "{}", outcome.text());
}

/// All faults at once, at random; the soak in small.
#[test]
fn a_mixture_of_faults_loses_no_game() {
    let arena = Arena::new();
    let mut arguments = arena.against("mode=mix rate=0.02");
    arguments.extend(["--rounds", "50", "-c", "2", "--recover"].map(Into::into));
    let outcome = arena.play(&arguments);
    assert!(outcome.status.success(), "{}", outcome.text());
    assert_eq!(outcome.games(), (1..=100).collect::<Vec<u64>>());
    let blamed = |record: &&GameRecord| record.reason.is_fault() && winner(record) == Some("bad");
    assert_eq!(outcome.records.iter().find(blamed), None);
}
