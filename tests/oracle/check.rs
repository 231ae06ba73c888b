//! The interpreter against every vector, so that neither leans on the fast code.

use std::collections::BTreeMap;

use super::{Board, Made, flags, is_valid};
use crate::vectors::{Line, Perft, SHORT_OF_SEEDS, data};

/// Checks all lines of a file; returns how many turns in it are endless.
fn endless(file: &str, profile: Option<&str>) -> usize {
    let mut endless = 0;
    for text in data(file).lines() {
        let line: Line = serde_json::from_str(text).unwrap();
        let flags = flags(profile.unwrap_or_else(|| line.profile.as_deref().unwrap()));
        assert_eq!(is_valid(flags, &line.position), line.position != SHORT_OF_SEEDS);
        let turns = Board::parse(flags, &line.position).turns();
        assert_eq!(turns.len(), line.moves.len(), "{}", line.position);
        for (turn, want) in turns.into_iter().zip(line.moves) {
            let draw = want.result == "draw";
            let packets = if draw { 4096 } else { u32::from(want.packets.unwrap()) };
            let want = Made { mv: want.mv, result: want.result, packets, after: want.after };
            assert_eq!(turn, want, "{}", line.position);
            endless += usize::from(draw);
        }
    }
    endless
}

#[test]
fn agrees_with_every_vector() {
    let files = ["kisolo", "kisolo-free", "kisolo-full", "isolo"];
    let found = files.map(|profile| endless(&format!("{profile}.jsonl"), Some(profile)));
    assert!(found.iter().sum::<usize>() >= 15, "too few endless turns: {found:?}");
    assert!(endless("examples.jsonl", None) >= 1);
}

#[test]
fn agrees_with_the_counts_of_sequences() {
    let all: BTreeMap<String, Vec<Perft>> = serde_json::from_str(&data("perft.json")).unwrap();
    for (profile, cases) in all {
        for case in cases {
            let board = Board::parse(flags(&profile), &case.position);
            // Deeper counts are for the fast code.
            for (depth, want) in (1..=3).zip(case.perft) {
                assert_eq!(board.perft(depth), want, "{profile} {}", case.position);
            }
        }
    }
}
