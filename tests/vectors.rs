//! Every test vector of the rules, line by line.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kisolo::board::{Position, parse_position};
use kisolo::rules::{Game, GameResult, Move, Profile};
use serde::Deserialize;

/// A position with all its turns.
#[derive(Deserialize)]
pub struct Line {
    pub profile: Option<String>,
    pub position: String,
    pub moves: Vec<Made>,
}

/// One turn and what it leads to.
#[derive(Deserialize)]
pub struct Made {
    #[serde(rename = "move")]
    pub mv: String,
    pub result: String,
    pub packets: Option<u16>,
    pub after: Option<String>,
}

/// A position with its counts of turn sequences.
#[derive(Deserialize)]
pub struct Perft {
    pub position: String,
    pub perft: Vec<u64>,
}

/// The text of a file of vectors.
pub fn data(file: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/vectors").join(file);
    std::fs::read_to_string(path).unwrap()
}

/// The positions of a profile's vectors in which the game goes on.
pub fn positions(profile: Profile) -> Vec<Position> {
    let lines = data(&format!("{profile}.jsonl"));
    lines
        .lines()
        .map(|text| serde_json::from_str::<Line>(text).unwrap().position)
        .map(|text| profile.parse_position(&text).unwrap())
        .collect()
}

/// The one vector whose position is not valid in its profile: it has 37 seeds.
pub const SHORT_OF_SEEDS: &str = "2,9,0,9,0,0,2/3,0,0,0,0,0,0/1,0,0,0,0,0,0/4,0,5,0,0,2,0 S -";

/// Checks all lines of a file; returns how many there were.
fn check(file: &str, profile: Option<Profile>) -> usize {
    let mut lines = 0;
    for text in data(file).lines() {
        let line: Line = serde_json::from_str(text).unwrap();
        let profile = profile.unwrap_or_else(|| line.profile.unwrap().parse().unwrap());
        let position = parse_position(profile.geometry(), &line.position).unwrap();
        let valid = profile.validate(&position).is_ok();
        assert_eq!(valid, line.position != SHORT_OF_SEEDS, "{}", line.position);
        assert_eq!(profile.position_text(&position), line.position);
        let legal: Vec<String> = profile
            .legal(&position)
            .map(|pit| profile.move_text(&position, Move::Sow(pit)))
            .collect();
        let want: Vec<&str> = line.moves.iter().map(|made| made.mv.as_str()).collect();
        assert_eq!(legal, want, "{}", line.position);
        for made in &line.moves {
            let mv = profile.parse_move(&position, &made.mv).unwrap();
            let mut game = Game::new(profile, position);
            let turn = game.play(mv).unwrap();
            assert_eq!(profile.trace(&position, mv).unwrap().turn, turn, "{}", line.position);
            let place = format!("{profile} {} {}", line.position, made.mv);
            assert_eq!(game.result().word(), made.result, "{place}");
            if game.result() == GameResult::Draw {
                assert_eq!((made.packets, &made.after), (None, &None), "{place}");
            } else {
                assert_eq!(Some(turn.packets), made.packets, "{place}");
                assert_eq!(Some(profile.position_text(&turn.after)), made.after, "{place}");
            }
        }
        lines += 1;
    }
    lines
}

#[test]
fn kisolo() {
    assert_eq!(check("kisolo.jsonl", Some(Profile::Kisolo)), 1500);
}

#[test]
fn kisolo_free() {
    assert_eq!(check("kisolo-free.jsonl", Some(Profile::KisoloFree)), 1500);
}

#[test]
fn kisolo_full() {
    assert_eq!(check("kisolo-full.jsonl", Some(Profile::KisoloFull)), 1500);
}

#[test]
fn isolo() {
    assert_eq!(check("isolo.jsonl", Some(Profile::Isolo)), 1500);
}

#[test]
fn examples() {
    assert_eq!(check("examples.jsonl", None), 12);
}

#[test]
fn perft_counts() {
    let all: BTreeMap<String, Vec<Perft>> = serde_json::from_str(&data("perft.json")).unwrap();
    assert_eq!(all.len(), 4);
    for (profile, cases) in all {
        let profile: Profile = profile.parse().unwrap();
        for case in cases {
            let position = profile.parse_position(&case.position).unwrap();
            for (depth, want) in (1..).zip(case.perft) {
                let got = profile.perft(&position, depth);
                assert_eq!(got, want, "{profile} {} depth {depth}", case.position);
            }
        }
    }
}
