//! The tree search: what it proves is true, and its limits hold.

use kisolo::board::{Pit, PitSet, Position};
use kisolo::mcts::{Guided, Method, Plain, Tree, search};
use kisolo::rules::{
    Game, GameResult, Isolo, Kisolo, KisoloFree, KisoloFull, Move, Outcome, Profile, Rules,
};
use kisolo::search::{DRAW, Found, Limits, Observer, Report, Request, Signals, plies_to_end};

use crate::search::{loses, wins};
use crate::vectors::positions;

fn to_nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Keeps the reported lines: depth, rank, score, turns and nodes.
#[derive(Default, PartialEq, Debug)]
struct Lines(Vec<(u32, usize, i32, Vec<Pit>, u64)>);

impl Observer for Lines {
    fn line(&mut self, report: &Report<'_>) {
        let Report { depth, rank, score, progress, .. } = *report;
        self.0.push((depth, rank, score, report.line.to_vec(), progress.nodes));
    }
}

fn run<R: Rules, M: Method>(request: &Request<'_>, tree: &mut Tree) -> (Option<Found>, Lines) {
    let mut lines = Lines::default();
    let found = search::<R, M>(request, tree, &Signals::default(), &mut lines);
    (found, lines)
}

/// Positions in which the game goes on, one in `step`.
fn live<R: Rules>(step: usize) -> impl Iterator<Item = Position> {
    let goes_on = |position: &Position| !R::node(position).legal.is_empty();
    positions(R::PROFILE).into_iter().step_by(step).filter(goes_on)
}

/// Every line can be played, a proven one to its end, and the last one of
/// rank 1 says what was found. Returns whether the score is proven.
fn lines_hold<R: Rules>(position: Position, found: Found, lines: &Lines) -> bool {
    let text = R::PROFILE.position_text(&position);
    let last = lines.0.iter().rev().find(|line| line.1 == 1).unwrap();
    assert_eq!((last.3[0], last.2), (found.best, found.score), "{text}");
    for (_, _, score, line, _) in &lines.0 {
        let mut game = Game::new(R::PROFILE, position);
        for &pit in line {
            game.play(Move::Sow(pit)).unwrap_or_else(|error| panic!("{error}: {text} {line:?}"));
        }
        if let Some(plies) = plies_to_end(*score) {
            assert_eq!(line.len(), plies as usize, "{text}");
            let side = position.side;
            let winner = if *score > 0 { side } else { side.other() };
            assert_eq!(game.result(), GameResult::won_by(winner), "{text}");
        }
    }
    plies_to_end(found.score).is_some()
}

/// Random positions of a profile, by both methods and several threads, with
/// the smallest tree: it fills up, and the search goes on.
fn searches_hold<R: Rules>() {
    let mut tree = Tree::new(1).unwrap();
    let mut proven = 0;
    for (index, position) in live::<R>(25).enumerate() {
        let request = Request {
            multi_pv: [1, 3, 16][index % 3],
            threads: 1 + index / 3 % 2,
            ..Request::new(position, to_nodes([300, 12_000][index % 2]))
        };
        let (found, lines) = run::<R, Guided>(&request, &mut tree);
        proven += usize::from(lines_hold::<R>(position, found.unwrap(), &lines));
        let request = Request { limits: to_nodes(300), ..request };
        let (found, lines) = run::<R, Plain>(&request, &mut tree);
        lines_hold::<R>(position, found.unwrap(), &lines);
    }
    assert!(proven > 5, "{}: {proven} proven scores are too few to tell", R::PROFILE);
}

#[test]
fn searches_hold_in_every_profile() {
    searches_hold::<Kisolo>();
    searches_hold::<KisoloFree>();
    searches_hold::<KisoloFull>();
    searches_hold::<Isolo>();
}

/// A turn that wins at once is played, and short proofs are true.
fn proofs_are_true<R: Rules, M: Method>() {
    let mut tree = Tree::new(4).unwrap();
    let (mut at_once, mut proven) = (0, 0);
    for position in live::<R>(7) {
        let text = R::PROFILE.position_text(&position);
        let request = Request::new(position, to_nodes(400));
        let found = run::<R, M>(&request, &mut tree).0.unwrap();
        let node = R::node(&position);
        if node.legal.into_iter().any(|pit| R::play(&node, pit).outcome == Outcome::Win) {
            at_once += 1;
            assert_eq!(R::play(&node, found.best).outcome, Outcome::Win, "{text}");
            assert_eq!(plies_to_end(found.score), Some(1), "{text}");
        }
        let Some(plies) = plies_to_end(found.score).filter(|&plies| plies <= 6) else { continue };
        proven += 1;
        let claim = if found.score > 0 { wins::<R> } else { loses::<R> };
        assert!(claim(&position, plies), "{text}: {plies}");
    }
    assert!(at_once > 3 && proven > at_once, "{at_once} and {proven} proofs are too few to tell");
}

#[test]
fn proofs_are_true_in_every_profile() {
    proofs_are_true::<Kisolo, Guided>();
    proofs_are_true::<KisoloFree, Guided>();
    proofs_are_true::<KisoloFull, Guided>();
    proofs_are_true::<Isolo, Guided>();
    proofs_are_true::<Kisolo, Plain>();
}

#[test]
fn a_fixed_number_of_nodes_repeats() {
    let position = Profile::Isolo.start_position();
    for nodes in [1, 2, 5000] {
        let request = Request { multi_pv: 3, ..Request::new(position, to_nodes(nodes)) };
        let guided = || run::<Isolo, Guided>(&request, &mut Tree::new(1).unwrap());
        let plain = || run::<Isolo, Plain>(&request, &mut Tree::new(1).unwrap());
        assert_eq!(guided(), guided());
        assert_eq!(plain(), plain());
        assert_eq!(guided().0.unwrap().nodes, nodes);
        // A tree that was cleared knows nothing.
        let mut tree = Tree::new(1).unwrap();
        let first = run::<Isolo, Guided>(&request, &mut tree);
        tree.clear();
        assert_eq!(run::<Isolo, Guided>(&request, &mut tree), first);
    }
}

#[test]
fn the_last_depth_ends_a_search_even_in_a_full_tree() {
    let position = Profile::KisoloFull.start_position();
    let mut tree = Tree::new(1).unwrap();
    for depth in [1, 5, 127, u32::MAX] {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let found = run::<KisoloFull, Guided>(&Request::new(position, limits), &mut tree).0;
        let full = tree.permille_full() > 990;
        assert!(full || found.unwrap().depth >= depth, "{depth}");
    }
    assert!(tree.permille_full() > 990);
}

#[test]
fn a_stopped_search_has_an_answer() {
    let position = Profile::Kisolo.start_position();
    let request = Request { threads: 2, ..Request::new(position, Limits::default()) };
    let signals = Signals::default();
    signals.stop();
    let mut tree = Tree::new(1).unwrap();
    let found = search::<Kisolo, Guided>(&request, &mut tree, &signals, &mut ()).unwrap();
    assert!(Profile::Kisolo.legal(&position).contains(found.best));
}

#[test]
fn only_the_turns_asked_for_are_searched() {
    let position = Profile::Isolo.start_position();
    let mut tree = Tree::new(1).unwrap();
    for pit in Profile::Isolo.legal(&position) {
        let only = Some(PitSet(1 << pit.0));
        let request = Request::new(position, Limits { search_moves: only, ..to_nodes(500) });
        let (found, lines) = run::<Isolo, Guided>(&request, &mut tree);
        assert_eq!(found.unwrap().best, pit);
        assert!(lines.0.iter().all(|line| line.3[0] == pit));
    }
    let none = Limits { search_moves: Some(PitSet::EMPTY), ..to_nodes(1) };
    assert_eq!(run::<Isolo, Guided>(&Request::new(position, none), &mut tree).0, None);
}

#[test]
fn a_repetition_is_worth_a_draw() {
    // Whatever South does has been on the board before.
    let position = Profile::Kisolo.start_position();
    let node = Kisolo::node(&position);
    let earlier: Vec<u64> = node.legal.map(|pit| Kisolo::play(&node, pit).after.hash()).collect();
    let request = Request { earlier: &earlier, ..Request::new(position, Limits::default()) };
    let found = run::<Kisolo, Guided>(&request, &mut Tree::new(1).unwrap()).0.unwrap();
    assert_eq!(found.score, DRAW);
}

#[test]
fn a_tree_is_taken_over_within_a_game_and_only_there() {
    let profile = Profile::Kisolo;
    let mut tree = Tree::new(16).unwrap();
    let mut game = Game::new(profile, profile.start_position());
    let request = Request::new(*game.position(), to_nodes(8000));
    let (found, _) = run::<Kisolo, Guided>(&request, &mut tree);
    let found = found.unwrap();
    for pit in [found.best, found.ponder.unwrap()] {
        game.play(Move::Sow(pit)).unwrap();
    }
    let before = tree.permille_full();
    let of_game =
        Request { earlier: game.earlier(), ..Request::new(*game.position(), to_nodes(1)) };
    let (after, lines) = run::<Kisolo, Guided>(&of_game, &mut tree);
    // One visit of a new tree would see one turn.
    assert!(after.unwrap().depth > 2, "{lines:?}");
    lines_hold::<Kisolo>(*game.position(), after.unwrap(), &lines);
    assert!(tree.permille_full() < before);
    // The other method, or the same position without its past, begins anew.
    let alone = Request { earlier: &[], ..of_game.clone() };
    assert_eq!(run::<Kisolo, Guided>(&alone, &mut tree).0.unwrap().depth, 1);
    run::<Kisolo, Guided>(&of_game, &mut tree);
    assert_eq!(run::<Kisolo, Plain>(&of_game, &mut tree).0.unwrap().depth, 1);
}

/// Whole games from a tree that is cut down at every move.
fn games_hold<R: Rules>(start: Position) {
    let mut tree = Tree::new(1).unwrap();
    let mut game = Game::new(R::PROFILE, start);
    while game.result() == GameResult::Ongoing && game.ply() < 60 {
        let request =
            Request { earlier: game.earlier(), ..Request::new(*game.position(), to_nodes(1500)) };
        let (found, lines) = run::<R, Guided>(&request, &mut tree);
        lines_hold::<R>(*game.position(), found.unwrap(), &lines);
        game.play(Move::Sow(found.unwrap().best)).unwrap();
    }
}

#[test]
fn games_hold_in_every_profile() {
    games_hold::<Kisolo>(Profile::Kisolo.start_position());
    games_hold::<KisoloFree>(Profile::KisoloFree.start("startpos1").unwrap());
    games_hold::<KisoloFull>(Profile::KisoloFull.start_position());
    games_hold::<Isolo>(Profile::Isolo.start_position());
}
