//! A toy tree with scores made up.

use super::*;
use crate::rules::Game;
use crate::search::MATE;

fn book() -> Book {
    Book::new(Profile::Kisolo, "startpos").unwrap()
}

/// The position after these moves.
fn leaf(moves: &str) -> Leaf {
    let profile = Profile::Kisolo;
    let mut game = Game::new(profile, profile.start_position());
    for text in moves.split_whitespace() {
        let mv = profile.parse_move(game.position(), text).unwrap();
        game.play(mv).unwrap();
    }
    Leaf { position: *game.position(), ply: game.ply() as u32 }
}

/// Puts the position after `moves` into a book, with these scores.
fn insert(book: &mut Book, moves: &str, scores: &[(&str, i32)]) {
    let leaf = leaf(moves);
    let scored = scores.iter().map(|&(text, score)| {
        match book.profile().parse_move(&leaf.position, text).unwrap() {
            Move::Sow(pit) => Scored { pit, score, depth: 9 },
            Move::SetUp(_) => unreachable!("a book has no set-ups"),
        }
    });
    let scored: Vec<Scored> = scored.collect();
    book.insert(leaf, &scored).unwrap();
    book.back_up();
}

fn scores(book: &Book, moves: &str) -> Vec<i32> {
    book.moves(&leaf(moves).position).iter().map(|known| known.score).collect()
}

#[test]
fn the_leaf_of_least_cost_comes_next() {
    let mut book = book();
    assert_eq!(book.next(9), Some(leaf("")));
    insert(&mut book, "", &[("a1", 100), ("b1", 80), ("c1", -60)]);
    assert_eq!(book.next(9), Some(leaf("a1")));
    // Two plies behind a1 cost 100, one behind b1 70.
    insert(&mut book, "a1", &[("g4", -100), ("f4", -125)]);
    assert_eq!(book.next(9), Some(leaf("b1")));
    // Now those are 100, 125 with f4, and 120 behind b1.
    insert(&mut book, "b1", &[("g4", -80)]);
    assert_eq!(book.next(9), Some(leaf("a1 g4")));
    insert(&mut book, "a1 g4", &[("b1", 100)]);
    assert_eq!(book.next(9), Some(leaf("b1 g4")));
    // A first move that turns out badly loses its place at the front.
    insert(&mut book, "b1 g4", &[("a1", 500)]);
    assert_eq!(book.next(9), Some(leaf("b1 g4 a1")));
}

#[test]
fn no_position_comes_next_behind_the_last_ply() {
    let mut book = book();
    insert(&mut book, "", &[("a1", 0)]);
    assert_eq!(book.next(0), None);
    assert_eq!(book.next(1), Some(leaf("a1")));
}

#[test]
fn scores_are_backed_up_with_the_distance_to_the_end() {
    let mut book = book();
    insert(&mut book, "", &[("a1", 30), ("b1", 20)]);
    insert(&mut book, "a1", &[("g4", -10), ("f4", 40)]);
    assert_eq!(scores(&book, ""), [20, -40]);
    insert(&mut book, "b1", &[("g4", MATE - 3), ("f4", 0)]);
    assert_eq!(scores(&book, ""), [-40, 4 - MATE]);
    insert(&mut book, "a1 f4", &[("c1", MATE - 5)]);
    assert_eq!(scores(&book, "a1"), [-10, 6 - MATE]);
    assert_eq!(scores(&book, ""), [10, 4 - MATE]);
}

#[test]
fn what_is_won_or_lost_is_not_searched() {
    let mut book = book();
    insert(&mut book, "", &[("a1", 30), ("b1", 7 - MATE)]);
    insert(&mut book, "a1", &[("g4", MATE - 7), ("f4", 6 - MATE)]);
    assert_eq!(book.next(9), None);
}

#[test]
fn a_line_does_not_go_back_to_an_earlier_ply() {
    let mut book = book();
    insert(&mut book, "", &[("a1", 30), ("b1", 20)]);
    // As if another way had led there without a move.
    let pit = book.moves(&leaf("").position)[0].pit;
    let known = Scored { pit, score: 900, depth: 9 };
    book.insert(Leaf { ply: 0, ..leaf("a1") }, &[known]).unwrap();
    book.back_up();
    assert_eq!(scores(&book, ""), [30, 20]);
    assert_eq!(book.next(9), Some(leaf("b1")));
}

#[test]
fn ways_that_meet_share_what_lies_behind() {
    let mut book = book();
    let (one, other) = meeting();
    let (one, other) = (one.as_slice(), other.as_slice());
    assert_eq!(leaf(&one.join(" ")), leaf(&other.join(" ")));
    for line in [one, other] {
        for ply in 0..line.len() {
            let before = line[..ply].join(" ");
            if book.find(&leaf(&before).position).is_none() {
                let both = [(one[0].as_str(), 0), (other[0].as_str(), 0)];
                let moves = [(line[ply].as_str(), 0)];
                insert(&mut book, &before, if ply == 0 { &both } else { &moves });
            }
        }
    }
    let meeting = leaf(&one.join(" "));
    assert_eq!(book.next(9), Some(meeting));
    let first = book.profile().legal(&meeting.position).next().unwrap();
    book.insert(meeting, &[Scored { pit: first, score: 70, depth: 9 }]).unwrap();
    book.back_up();
    let sign = if one.len() % 2 == 0 { 1 } else { -1 };
    assert_eq!(scores(&book, ""), [sign * 70, sign * 70]);
    assert_eq!(book.len(), 2 * one.len());
}

/// Two lines of equal length with different first moves that meet.
fn meeting() -> (Vec<String>, Vec<String>) {
    let profile = Profile::Kisolo;
    let mut lines: Vec<(Vec<String>, Position)> = vec![(Vec::new(), profile.start_position())];
    for _ in 0..6 {
        let longer = |(line, position): &(Vec<String>, Position)| {
            let (line, position) = (line.clone(), *position);
            profile.legal(&position).map(move |pit| {
                let mv = Move::Sow(pit);
                let name = profile.move_text(&position, mv);
                let after = profile.play(&position, mv).unwrap().after;
                ([line.clone(), vec![name]].concat(), after)
            })
        };
        lines = lines.iter().flat_map(longer).collect();
        let mut seen: HashMap<Position, &Vec<String>> = HashMap::new();
        for (line, position) in &lines {
            let other = *seen.entry(*position).or_insert(line);
            if other[0] != line[0] {
                return (other.clone(), line.clone());
            }
        }
    }
    panic!("no two lines meet");
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut book = book();
    insert(&mut book, "", &[("a1", 30)]);
    let pit = book.moves(&leaf("").position)[0].pit;
    let scored = Scored { pit, score: 0, depth: 1 };
    let illegal = Scored { pit: Pit(13), ..scored };
    for (leaf, moves, part) in [
        (leaf(""), &[scored][..], "position occurs twice"),
        (leaf("a1"), &[], "no moves"),
        (leaf("a1"), &[scored, scored], "g4 occurs twice"),
        (leaf("a1"), &[illegal], "g3 is not legal"),
    ] {
        let error = book.insert(leaf, moves).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(book.len(), 1);
}

#[test]
fn only_starts_without_set_ups_have_books() {
    let error = |profile, start| Book::new(profile, start).err().unwrap();
    assert!(error(Profile::KisoloFree, "startpos").contains("choose startpos1"));
    assert!(error(Profile::Isolo, "startpos1").contains("isolo, which has: startpos"));
    assert!(Book::new(Profile::KisoloFree, "startpos1").is_ok());
}
