//! Proofs against exhaustive solving of small positions.

use std::collections::HashMap;

use kisolo::board::{FirstPhase, Lanes, Position, Side};
use kisolo::rules::{
    Game, GameResult, Isolo, Kisolo, KisoloFree, KisoloFull, Move, Outcome, Rules,
};
use kisolo::search::{Limits, Signals};
use kisolo::solve::{Known, Request, Solution, Stop, Verdict, solve};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::vectors::positions;

/// The most positions that are solved exhaustively.
const SMALL: usize = 20_000;

/// What a turn leads to: an end, or the position with this number.
#[derive(Clone, Copy)]
enum Next {
    Won,
    Lost,
    Drawn,
    To(usize),
}

/// All positions that can be reached, each with its side to move and turns;
/// `None` when there are too many.
fn reachable<R: Rules>(root: &Position) -> Option<Vec<(Side, Vec<Next>)>> {
    let mut numbers = HashMap::from([(*root, 0)]);
    let mut found = vec![*root];
    let mut graph = Vec::new();
    while let Some(position) = found.get(graph.len()).copied() {
        if found.len() > SMALL {
            return None;
        }
        let node = R::node(&position);
        let turns = node.legal.map(|pit| {
            let turn = R::play(&node, pit);
            match turn.outcome {
                Outcome::Win => Next::Won,
                Outcome::Loss => Next::Lost,
                Outcome::Draw => Next::Drawn,
                Outcome::Ongoing => Next::To(*numbers.entry(turn.after).or_insert_with(|| {
                    found.push(turn.after);
                    found.len() - 1
                })),
            }
        });
        graph.push((position.side, turns.collect()));
    }
    Some(graph)
}

/// Whether `attacker` can force a win from the first position: the positions
/// that are won, found from the ends of the game upwards.
fn can_win(graph: &[(Side, Vec<Next>)], attacker: Side) -> bool {
    let mut won = vec![false; graph.len()];
    loop {
        let mut more = false;
        for (number, (side, turns)) in graph.iter().enumerate() {
            let good = |next: &Next| match *next {
                Next::Won => *side == attacker,
                Next::Lost => *side != attacker,
                Next::Drawn => false,
                Next::To(child) => won[child],
            };
            let now =
                if *side == attacker { turns.iter().any(good) } else { turns.iter().all(good) };
            more |= now && !won[number];
            won[number] |= now;
        }
        if !more {
            return won[0];
        }
    }
}

fn exhaustive(graph: &[(Side, Vec<Next>)]) -> Verdict {
    let (mover, _) = graph[0];
    if can_win(graph, mover) {
        Verdict::Win
    } else if can_win(graph, mover.other()) {
        Verdict::Loss
    } else {
        Verdict::Draw
    }
}

/// A position with few seeds on each side, in which the game goes on.
fn few_seeds<R: Rules>(random: &mut Xoshiro256PlusPlus) -> Position {
    loop {
        let pits = R::GEOMETRY.pits();
        let mut side = || {
            let mut lanes = Lanes::EMPTY;
            for _ in 0..random.random_range(1..=5) {
                let pit = random.random_range(0..pits);
                lanes = lanes.with(pit, lanes.get(pit) + 1);
            }
            lanes
        };
        let (own, enemy) = (side(), side());
        let mover = Side::BOTH[random.random_range(0..2)];
        let position = Position::new(own, enemy, mover, FirstPhase::NONE);
        if R::PROFILE.result(&position) == GameResult::Ongoing {
            return position;
        }
    }
}

fn solved<R: Rules>(position: Position, limits: Limits) -> Solution {
    solve::<R>(&Request { position, limits, hash_mib: 1 }, &Signals::default()).unwrap()
}

/// Every claim comes with what shows it, and its line ends the game.
fn claims_hold<R: Rules>(position: &Position, solution: &Solution) {
    for attack in &solution.attacks {
        match &attack.known {
            Known::Wins(proof) => {
                let proof = proof.as_ref().expect("the proof is whole");
                assert_eq!(proof.verify::<R>(), Ok(()));
                assert!(proof.positions() as u64 <= proof.tree());
                let mut game = Game::new(R::PROFILE, *position);
                let line = proof.line::<R>();
                for &pit in &line {
                    game.play(Move::Sow(pit)).unwrap();
                }
                assert_eq!(game.result(), GameResult::won_by(attack.side));
                assert_eq!((attack.proof, line.len()), (0, proof.length()));
            }
            Known::Trapped(trap) => {
                assert_eq!(trap.verify::<R>(), Ok(()));
                assert_eq!(attack.disproof, 0);
            }
            Known::Loses => {
                assert_eq!((attack.disproof, solution.proof().is_some()), (0, true));
            }
            Known::Open => assert!(attack.proof > 0 && attack.disproof > 0),
        }
    }
}

fn agrees_with_exhaustive_solving<R: Rules>(count: usize, draws: bool) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut verdicts: HashMap<&str, usize> = HashMap::new();
    while verdicts.values().sum::<usize>() < count {
        let position = few_seeds::<R>(&mut random);
        let Some(graph) = reachable::<R>(&position) else { continue };
        let solution = solved::<R>(position, Limits::default());
        let text = R::PROFILE.position_text(&position);
        assert_eq!(solution.verdict, exhaustive(&graph), "{}: {text}", R::PROFILE);
        claims_hold::<R>(&position, &solution);
        *verdicts.entry(solution.verdict.word()).or_default() += 1;
    }
    for (word, expected) in [("win", true), ("loss", true), ("draw", draws)] {
        assert_eq!(verdicts.get(word).is_some_and(|&n| n > 5), expected, "{verdicts:?}");
    }
}

#[test]
fn kisolo_agrees_with_exhaustive_solving() {
    agrees_with_exhaustive_solving::<Kisolo>(100, false);
}

#[test]
fn kisolo_free_agrees_with_exhaustive_solving() {
    agrees_with_exhaustive_solving::<KisoloFree>(100, false);
}

#[test]
fn kisolo_full_agrees_with_exhaustive_solving() {
    agrees_with_exhaustive_solving::<KisoloFull>(100, false);
}

#[test]
fn isolo_agrees_with_exhaustive_solving() {
    agrees_with_exhaustive_solving::<Isolo>(100, true);
}

/// Whether some turn wins at once.
fn wins_at_once<R: Rules>(position: &Position) -> bool {
    let node = R::node(position);
    node.legal.into_iter().any(|pit| R::play(&node, pit).outcome == Outcome::Win)
}

/// Whole games' positions: wins in one turn, limits of nodes, and what is
/// claimed meanwhile.
fn midgame_claims_hold<R: Rules>() {
    let (mut at_once, mut decided, mut open) = (0, 0, 0);
    for position in positions(R::PROFILE).into_iter().step_by(25) {
        if R::PROFILE.result(&position) != GameResult::Ongoing {
            continue;
        }
        let limits = Limits { nodes: Some(4_000), ..Limits::default() };
        let solution = solved::<R>(position, limits.clone());
        claims_hold::<R>(&position, &solution);
        assert!(solution.nodes <= 4_000 + 1);
        if wins_at_once::<R>(&position) {
            assert_eq!((solution.verdict, solution.nodes), (Verdict::Win, 1));
            assert_eq!(solution.proof().unwrap().line::<R>().len(), 1);
            at_once += 1;
        } else if solution.verdict == Verdict::Unknown {
            assert_eq!(solution.stop, Some(Stop::Nodes));
            open += 1;
        } else {
            assert_eq!(solution.stop, None);
            decided += 1;
        }
        let again = solved::<R>(position, limits);
        assert_eq!((again.verdict, again.nodes), (solution.verdict, solution.nodes));
    }
    assert!(at_once > 0 && decided > 0 && open > 0, "{at_once} {decided} {open}");
}

#[test]
fn midgame_claims_hold_in_every_profile() {
    midgame_claims_hold::<Kisolo>();
    midgame_claims_hold::<KisoloFree>();
    midgame_claims_hold::<KisoloFull>();
    midgame_claims_hold::<Isolo>();
}

#[test]
fn a_signal_stops_it() {
    let signals = Signals::default();
    signals.stop();
    let position = Kisolo::PROFILE.start_position();
    let request = Request { position, limits: Limits::default(), hash_mib: 1 };
    let solution = solve::<Kisolo>(&request, &signals).unwrap();
    assert_eq!((solution.verdict, solution.stop), (Verdict::Unknown, Some(Stop::Told)));
}
