//! Forms of matches, where engines come from, limits, shards, and what is
//! printed.

use std::collections::BTreeMap;

use kisolo::record::{GameRecord, Reason, RecordedResult};
use serde_json::Value;

use super::{Arena, Outcome};

/// Plays mocks of these names, each playing by a seed of its own.
fn play(arena: &Arena, names: &[&str], more: &str) -> Outcome {
    let mut arguments = Vec::new();
    for (seed, name) in (1..).zip(names) {
        arguments.extend(arena.engine(name, &format!("seed={seed}")));
    }
    arguments.extend(["--each", "nodes=1", "--records"].map(str::to_owned));
    arguments.push(arena.path("games.jsonl").display().to_string());
    arguments.extend(more.split_whitespace().map(str::to_owned));
    let outcome = arena.play(&arguments);
    assert!(outcome.status.success(), "{}", outcome.text());
    outcome
}

/// Games of each two players, whoever is South.
fn meetings(records: &[GameRecord]) -> BTreeMap<(String, String), u32> {
    let mut meetings = BTreeMap::new();
    for record in records {
        let mut names = [record.south.name.clone(), record.north.name.clone()];
        names.sort();
        *meetings.entry(names.into()).or_default() += 1;
    }
    meetings
}

#[test]
fn a_round_robin_has_all_meetings() {
    let arena = Arena::new();
    let outcome = play(&arena, &["a", "b", "c", "d"], "--rounds 2");
    let meetings = meetings(&outcome.records);
    assert_eq!((meetings.len(), outcome.records.len()), (6, 24));
    assert!(meetings.values().all(|&games| games == 4));
    for pair in outcome.games().chunks(2) {
        let by_number = |game| outcome.records.iter().find(|record| record.game == game).unwrap();
        let [first, second] = [by_number(pair[0]), by_number(pair[1])];
        assert_eq!(
            (&first.south.name, &first.north.name),
            (&second.north.name, &second.south.name)
        );
        let book = |record: &GameRecord| -> Vec<String> {
            record.moves.iter().filter(|mv| mv.book).map(|mv| mv.text.clone()).collect()
        };
        assert_eq!(book(first), book(second));
        assert_eq!(book(first).len(), 4);
    }
}

#[test]
fn a_gauntlet_has_the_challengers_games() {
    let arena = Arena::new();
    let outcome =
        play(&arena, &["a", "b", "c", "d"], "--rounds 1 --format gauntlet --challengers 2");
    let expected = [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")];
    let expected = expected.map(|(a, b)| ((a.to_owned(), b.to_owned()), 2));
    assert_eq!(meetings(&outcome.records), BTreeMap::from(expected));
}

#[test]
fn a_knockout_names_its_winner() {
    let arena = Arena::new();
    let outcome = play(&arena, &["a", "b", "c", "d", "e"], "--rounds 1 --format knockout -c 2");
    assert!(outcome.stdout.contains("complete; the winner is "), "{}", outcome.text());
    assert_eq!(meetings(&outcome.records).len(), 4);
}

#[test]
fn what_a_knockout_cannot_do_is_said() {
    for (more, why) in [("--shard 1/2", "depend on each other"), ("--rounds 9000", "at most")] {
        let arena = Arena::new();
        let words: Vec<&str> = "--format knockout".split(' ').chain(more.split(' ')).collect();
        let outcome = arena.play(&words);
        assert_eq!(outcome.status.code(), Some(2));
        assert!(outcome.stderr.contains(why), "{}", outcome.text());
    }
}

#[test]
fn a_huge_match_begins_at_once() {
    let arena = Arena::new();
    let more = "--rounds 10000000 --games 1000 --plies 0 --sprt elo0=0 elo1=300 --seed 3";
    let mut arguments = arena.engine("strong", "seed=1");
    arguments.extend(arena.engine("weak", "mode=illegal at=1"));
    arguments.extend(["--each".to_owned(), "nodes=1".to_owned()]);
    arguments.extend(more.split(' ').map(str::to_owned));
    let outcome = arena.play(&arguments);
    assert!(outcome.status.success(), "{}", outcome.text());
    assert!(outcome.stdout.contains("H1 is accepted"), "{}", outcome.text());
}

#[test]
fn engines_come_from_a_file_too() {
    let arena = Arena::new();
    let path = arena.path("engines.toml");
    let text = format!(
        "[each]\nnodes = 1\n[each.option]\n\"Two Words\" = true\n\
         [[engine]]\nname = \"Ünï \\\"q\\\" <b>\"\ncmd = \"\"\"{}\"\"\"\nproto = \"ugi\"\n\
         [[engine]]\nname = \"own\"\nnodes = 50\n[engine.option]\nHash = 1\n",
        arena.cmd("seed=1")
    );
    std::fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    let records = arena.path("games.jsonl").display().to_string();
    let outcome = arena.play(&["--config", &path, "--rounds", "1", "--records", &records]);
    assert!(outcome.status.success(), "{}", outcome.text());
    let own = outcome.records.iter().map(|record| &record.south).find(|p| p.name == "own").unwrap();
    assert_eq!((own.limit.as_str(), own.options["Hash"].as_str()), ("nodes=50", "1"));
    assert_eq!(own.options["Two Words"], "true");
    assert!(own.engine.as_ref().unwrap().starts_with("kisolo "));
    assert!(outcome.stdout.contains("Ünï \"q\" <b>"));
    assert!(outcome.stderr.contains("own does not announce option Two Words"));
}

#[test]
fn limits_are_told_to_each_engine() {
    let arena = Arena::new();
    let log = arena.path("log").display().to_string();
    let mut arguments = arena.engine("handicapped", "seed=1");
    arguments.extend(["st=5".to_owned(), "nodes=7".to_owned()]);
    arguments.extend(arena.engine("clock", "seed=2"));
    arguments.extend(["tc=40/600+0.25", "proto=ugi"].map(str::to_owned));
    arguments.extend(["--rounds", "1", "--plies", "0", "--turn-limit", "6"].map(str::to_owned));
    arguments.extend(["--log", &log, "--log-traffic"].map(str::to_owned));
    let outcome = arena.play(&arguments);
    assert!(outcome.status.success(), "{}", outcome.text());
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains(" handicapped < go movetime 5000 nodes 7\n"), "{log}");
    assert!(log.contains(" clock < go p1time 600000 p2time 600000"), "{log}");
    assert!(log.contains(" movestogo 39\n"), "{log}");
}

#[test]
fn a_clock_that_runs_out_loses() {
    let arena = Arena::new();
    let mut arguments = arena.against("mode=late ms=2600 at=2");
    // The margin of a second counts anew for each move.
    arguments.extend(["--each", "tc=1", "st=60", "--rounds", "1"].map(str::to_owned));
    let outcome = arena.play(&arguments);
    assert_eq!(outcome.records.len(), 2, "{}", outcome.text());
    assert!(outcome.records.iter().all(|record| record.reason == Reason::Time));
}

#[test]
fn shards_add_up_to_the_whole() {
    let games = |shard: &str| {
        let arena = Arena::new();
        let mut records =
            play(&arena, &["a", "b", "c"], &format!("--rounds 3 --shard {shard}")).records;
        for record in &mut records {
            record.date.clear();
            record.event.clear();
            record.moves.iter_mut().for_each(|mv| mv.ms = None);
        }
        records
    };
    let mut parts: Vec<GameRecord> = (1..=4).flat_map(|i| games(&format!("{i}/4"))).collect();
    let mut whole = games("1/1");
    parts.sort_by_key(|record| record.game);
    whole.sort_by_key(|record| record.game);
    assert_eq!(parts, whole);
}

#[test]
fn the_test_stops_the_match() {
    let arena = Arena::new();
    let mut arguments = vec!["--engine".to_owned(), "name=kisolo".into(), "nodes=3000".into()];
    arguments.extend(arena.engine("random", "seed=1"));
    let more = "--each nodes=1 option.Hash=1 --rounds 5000 -c 2 --sprt elo0=0 elo1=50";
    // What is for all comes first, whatever the order of the arguments.
    arguments.extend(more.split(' ').map(str::to_owned));
    let outcome = arena.play(&arguments);
    assert!(outcome.status.success(), "{}", outcome.text());
    assert!(outcome.stdout.contains("stopped by the test"), "{}", outcome.text());
    assert!(outcome.stdout.contains("SPRT: H1 is accepted"), "{}", outcome.text());
}

#[test]
fn events_are_json_a_line() {
    let arena = Arena::new();
    let outcome = play(&arena, &["a", "b"], "--rounds 2 --json");
    let events: Vec<Value> =
        outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let count = |name| events.iter().filter(|event| event["event"] == name).count();
    assert_eq!((count("started"), count("finished"), count("ended")), (4, 4, 1));
    let last = events.last().unwrap();
    assert_eq!((&last["how"], &last["games"]), (&Value::from("complete"), &Value::from(4)));
    let record: GameRecord = serde_json::from_value(
        events.iter().find(|event| event["event"] == "finished").unwrap()["record"].clone(),
    )
    .unwrap();
    assert!(outcome.records.contains(&record));
}

#[test]
fn quiet_prints_the_result_only() {
    let arena = Arena::new();
    let outcome = play(&arena, &["a", "b"], "--rounds 2 --quiet");
    assert!(outcome.stderr.is_empty(), "{}", outcome.text());
    assert!(outcome.stdout.starts_with("match-"), "{}", outcome.text());
}

/// Two mocks that tell these scores, in games that go on for long.
fn adjudicated(scores: [&str; 2], more: &str) -> Vec<GameRecord> {
    let arena = Arena::new();
    let mut arguments = arena.engine("a", scores[0]);
    arguments.extend(arena.engine("b", scores[1]));
    arguments.extend(["--each", "nodes=1", "--rounds", "1", "--records"].map(str::to_owned));
    arguments.push(arena.path("games.jsonl").display().to_string());
    arguments.extend(more.split_whitespace().map(str::to_owned));
    let outcome = arena.play(&arguments);
    assert!(outcome.status.success(), "{}", outcome.text());
    assert_eq!(outcome.records.len(), 2);
    outcome.records
}

#[test]
fn ends_by_other_rules_are_named() {
    for record in adjudicated(["seed=1", "seed=2"], "--plies 0 --turn-limit 8") {
        assert_eq!((record.reason, record.result), (Reason::TurnLimit, RecordedResult::Draw));
        assert_eq!(record.moves.len(), 8);
    }
    for record in
        adjudicated(["seed=1 cp=10", "seed=2 cp=-9"], "--plies 2 --balance 1000 --draw 2,10,7")
    {
        assert_eq!((record.reason, record.result), (Reason::DrawByScore, RecordedResult::Draw));
        assert_eq!(record.moves.len(), 7);
    }
    for record in adjudicated(["seed=1 cp=500", "seed=2 cp=-500"], "--plies 0 --resign 3,400") {
        assert_eq!(record.reason, Reason::ResignByScore);
        let b_is_south = record.south.name == "b";
        assert_eq!(record.result == RecordedResult::North, b_is_south);
        assert_eq!(record.moves.len(), if b_is_south { 5 } else { 6 });
    }
}
