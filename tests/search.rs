//! The search against plain minimax, and what its results promise.

use kisolo::board::{Pit, Position};
use kisolo::eval::{Evaluation, evaluate};
use kisolo::rules::{
    Game, GameResult, Isolo, Kisolo, KisoloFree, KisoloFull, Move, Outcome, Profile, Rules,
};
use kisolo::search::{
    DRAW, Limits, MATE, Observer, Report, Request, Signals, Techniques, plies_to_end, search,
    set_up,
};
use kisolo::tt::Table;

use crate::vectors::positions;

/// The value of a position at fixed depth, by trying everything.
fn minimax<R: Rules>(position: &Position, depth: u32, ply: i32) -> i32 {
    if depth == 0 {
        return evaluate::<R>(position);
    }
    let node = R::node(position);
    node.legal
        .map(|pit| {
            let turn = R::play(&node, pit);
            match turn.outcome {
                Outcome::Win => MATE - (ply + 1),
                Outcome::Loss => ply + 1 - MATE,
                Outcome::Draw => DRAW,
                Outcome::Ongoing => -minimax::<R>(&turn.after, depth - 1, ply + 1),
            }
        })
        .max()
        .unwrap()
}

fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// The same value, whatever is switched on.
fn same_value_as_minimax<R: Rules>(depth: u32, count: usize) {
    let off = Techniques::NONE;
    let exact = Techniques { deeper_entries: false, selective: false, ..Techniques::ALL };
    let settings = [
        ("none", off),
        ("ordering", Techniques { ordering: true, ..off }),
        ("zero windows", Techniques { zero_windows: true, ..off }),
        ("aspiration", Techniques { aspiration: true, ..off }),
        ("mate distance", Techniques { mate_distance: true, ..off }),
        ("table", Techniques { table: true, zero_windows: true, ..off }),
        ("all", exact),
    ];
    let step = 1500 / count;
    let live: Vec<Position> = positions(R::PROFILE)
        .into_iter()
        .step_by(step)
        .filter(|position| !R::node(position).legal.is_empty())
        .collect();
    assert!(live.len() > count / 2);
    for position in live {
        // Found wins end the deepening, so that the depth that found them
        // is the one to compare with.
        for (name, techniques) in settings {
            let table = Table::new(1).unwrap();
            let request = Request {
                techniques,
                evaluation: Evaluation::Seeds,
                ..Request::new(position, to_depth(depth))
            };
            let found = search::<R>(&request, &table, &Signals::default(), &mut ()).unwrap();
            let want = minimax::<R>(&position, found.depth, 0);
            let text = R::PROFILE.position_text(&position);
            assert_eq!(found.score, want, "{} with {name}: {text}", R::PROFILE);
        }
    }
}

#[test]
fn kisolo_values_equal_minimax() {
    same_value_as_minimax::<Kisolo>(5, 60);
}

#[test]
fn kisolo_free_values_equal_minimax() {
    same_value_as_minimax::<KisoloFree>(6, 60);
}

#[test]
fn kisolo_full_values_equal_minimax() {
    same_value_as_minimax::<KisoloFull>(6, 60);
}

#[test]
fn isolo_values_equal_minimax() {
    same_value_as_minimax::<Isolo>(4, 60);
}

/// Whether the side to move wins by force within `plies` turns.
pub fn wins<R: Rules>(position: &Position, plies: u32) -> bool {
    let node = R::node(position);
    plies > 0
        && node.legal.into_iter().any(|pit| {
            let turn = R::play(&node, pit);
            match turn.outcome {
                Outcome::Win => true,
                Outcome::Ongoing => loses::<R>(&turn.after, plies - 1),
                _ => false,
            }
        })
}

pub fn loses<R: Rules>(position: &Position, plies: u32) -> bool {
    let node = R::node(position);
    plies > 0
        && node.legal.into_iter().all(|pit| {
            let turn = R::play(&node, pit);
            match turn.outcome {
                Outcome::Loss => true,
                Outcome::Ongoing => wins::<R>(&turn.after, plies - 1),
                _ => false,
            }
        })
}

/// Proven scores are true, and the shortest there are.
fn proven_scores_are_true<R: Rules>() {
    let mut proven = 0;
    let table = Table::new(4).unwrap();
    for position in positions(R::PROFILE).into_iter().step_by(5) {
        let request = Request::new(position, to_depth(4));
        let Some(found) = search::<R>(&request, &table, &Signals::default(), &mut ()) else {
            continue;
        };
        let Some(plies) = plies_to_end(found.score) else { continue };
        // What a table entry of another position proved may lie deeper than
        // can be tried here.
        if plies > 5 {
            continue;
        }
        proven += 1;
        let claim: fn(&Position, u32) -> bool =
            if found.score > 0 { wins::<R> } else { loses::<R> };
        let text = R::PROFILE.position_text(&position);
        assert!(claim(&position, plies), "{text}: {plies}");
        assert!(!claim(&position, plies - 1), "{text}: {plies}");
    }
    assert!(proven > 5, "{proven} proven scores are too few to tell");
}

#[test]
fn proven_scores_are_true_in_every_profile() {
    proven_scores_are_true::<Kisolo>();
    proven_scores_are_true::<KisoloFree>();
    proven_scores_are_true::<KisoloFull>();
    proven_scores_are_true::<Isolo>();
}

/// A search for a win within some plies finds one exactly if there is one, also
/// with a table full of what a selective search has left.
fn mates_are_found_or_not_there<R: Rules>(plies: u32, step: usize) {
    let mut there = [0, 0];
    let table = Table::new(4).unwrap();
    for position in positions(R::PROFILE).into_iter().step_by(step) {
        if R::node(&position).legal.is_empty() {
            continue;
        }
        let nodes = Limits { nodes: Some(5_000), ..Limits::default() };
        search::<R>(&Request::new(position, nodes), &table, &Signals::default(), &mut ());
        let limits = Limits { mate_plies: Some(plies), ..Limits::default() };
        let request = Request::new(position, limits);
        let found = search::<R>(&request, &table, &Signals::default(), &mut ()).unwrap();
        let within = plies_to_end(found.score).is_some_and(|end| end <= plies);
        let want = wins::<R>(&position, plies);
        let text = R::PROFILE.position_text(&position);
        assert_eq!(found.score > 0 && within, want, "{}: {text}", R::PROFILE);
        there[usize::from(want)] += 1;
    }
    assert!(there.iter().all(|&count| count > 5), "{} {there:?}", R::PROFILE);
}

#[test]
fn mates_are_found_or_not_there_in_every_profile() {
    mates_are_found_or_not_there::<Kisolo>(3, 3);
    mates_are_found_or_not_there::<Kisolo>(5, 20);
    mates_are_found_or_not_there::<KisoloFree>(3, 3);
    mates_are_found_or_not_there::<KisoloFree>(5, 10);
    mates_are_found_or_not_there::<KisoloFull>(3, 3);
    mates_are_found_or_not_there::<Isolo>(3, 10);
}

/// Keeps the reported lines.
#[derive(Default, PartialEq, Debug)]
struct Lines(Vec<(u32, usize, i32, Vec<Pit>, u64)>);

impl Observer for Lines {
    fn line(&mut self, report: &Report<'_>) {
        let Report { depth, rank, score, progress, .. } = *report;
        self.0.push((depth, rank, score, report.line.to_vec(), progress.nodes));
    }
}

/// Lines can be played and end where the game ends; fixed limits repeat.
fn lines_hold<R: Rules>(limits: &Limits, multi_pv: usize) {
    for position in positions(R::PROFILE).into_iter().step_by(50) {
        let request = Request { multi_pv, ..Request::new(position, limits.clone()) };
        let run = || {
            let mut lines = Lines::default();
            let table = Table::new(1).unwrap();
            let found = search::<R>(&request, &table, &Signals::default(), &mut lines);
            (found, lines)
        };
        let (found, lines) = run();
        assert_eq!((found, &lines), (run().0, &run().1));
        let Some(found) = found else { continue };
        let last = lines.0.iter().rev().find(|line| line.1 == 1).unwrap();
        assert_eq!(last.3[0], found.best);
        assert_eq!(last.2, found.score);
        for (_, rank, _, line, _) in &lines.0 {
            assert!((1..=multi_pv).contains(rank) && !line.is_empty());
            let mut game = Game::new(R::PROFILE, position);
            for &pit in line {
                game.play(Move::Sow(pit)).unwrap();
            }
        }
    }
}

#[test]
fn lines_can_be_played_and_repeat() {
    let nodes = Limits { nodes: Some(3000), ..Limits::default() };
    lines_hold::<Kisolo>(&to_depth(6), 1);
    lines_hold::<Kisolo>(&nodes, 3);
    lines_hold::<KisoloFree>(&nodes, 1);
    lines_hold::<KisoloFull>(&nodes, 2);
    lines_hold::<Isolo>(&nodes, 20);
}

#[test]
fn a_single_node_is_enough_for_a_turn() {
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    let position = Profile::Kisolo.start_position();
    let table = Table::new(1).unwrap();
    let request = Request::new(position, limits);
    let found = search::<Kisolo>(&request, &table, &Signals::default(), &mut ()).unwrap();
    assert!(Profile::Kisolo.legal(&position).contains(found.best));
    assert_eq!(found.depth, 1);
}

#[test]
fn a_repetition_is_worth_a_draw() {
    // Whatever South does has been on the board before.
    let position = Profile::Kisolo.start_position();
    let node = Kisolo::node(&position);
    let earlier: Vec<u64> = node.legal.map(|pit| Kisolo::play(&node, pit).after.hash()).collect();
    let request = Request { earlier: &earlier, ..Request::new(position, to_depth(3)) };
    let table = Table::new(1).unwrap();
    let found = search::<Kisolo>(&request, &table, &Signals::default(), &mut ()).unwrap();
    assert_eq!(found.score, DRAW);
}

#[test]
fn both_set_ups_are_legal_and_repeat() {
    let profile = Profile::KisoloFree;
    let mut game = Game::new(profile, profile.start_position());
    for _ in 0..2 {
        let request = Request::new(*game.position(), to_depth(2));
        let choose = || {
            let table = Table::new(1).unwrap();
            set_up::<KisoloFree>(&request, &table, &Signals::default(), &mut ())
        };
        let found = choose();
        assert_eq!(found, choose());
        game.play(Move::SetUp(found.lanes)).unwrap();
    }
    assert!(!profile.set_up_due(game.position()));
    assert_eq!(game.result(), GameResult::Ongoing);
}

#[test]
fn only_the_turns_asked_for_are_searched() {
    let position = Profile::Isolo.start_position();
    let legal = Profile::Isolo.legal(&position);
    let table = Table::new(1).unwrap();
    for pit in legal {
        let only = kisolo::board::PitSet(1 << pit.0);
        let limits = Limits { search_moves: Some(only), ..to_depth(4) };
        let request = Request::new(position, limits);
        let found = search::<Isolo>(&request, &table, &Signals::default(), &mut ()).unwrap();
        assert_eq!(found.best, pit);
    }
}
