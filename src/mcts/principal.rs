//! What a tree says: the best turns, their scores and the expected lines.

use std::cmp::Ordering;
use std::ops::Range;

use super::leaf::score_of;
use super::tree::{ROOT, Tree, Verdict};
use crate::board::{Pit, PitSet, Position};
use crate::rules::{MAX_TURNS, Outcome, Rules};
use crate::search::MAX_PLY;

/// The turns at the root, the best first.
pub fn ranking(tree: &Tree, allowed: PitSet) -> impl Iterator<Item = usize> + Clone {
    let mut ranks = [ROOT; MAX_TURNS];
    let mut count = 0;
    for child in tree.node(ROOT).children().unwrap_or(0..0) {
        if allowed.contains(tree.node(child).pit()) {
            ranks[count] = child;
            count += 1;
        }
    }
    // Stable, so that equal turns stay in the order of the board.
    ranks[..count].sort_by(|&a, &b| compare(tree, a, b).reverse());
    ranks.into_iter().take(count)
}

/// Compares nodes for the side that moves there: won games by their length,
/// then all others by their visits, then lost ones.
fn compare(tree: &Tree, a: usize, b: usize) -> Ordering {
    let (a, b) = (tree.node(a), tree.node(b));
    let decided = |verdict: Verdict| if verdict.decided() { verdict.before() } else { 0 };
    let by_mean = || a.mean().unwrap_or(0.0).total_cmp(&b.mean().unwrap_or(0.0));
    let by_score = || a.verdict().before().cmp(&b.verdict().before());
    decided(a.verdict())
        .cmp(&decided(b.verdict()))
        .then_with(|| a.visits().cmp(&b.visits()))
        .then_with(by_mean)
        .then_with(by_score)
}

/// The score of the turn that leads to a node, for the side that makes it.
pub fn score<R: Rules>(tree: &Tree, child: usize) -> i32 {
    let node = tree.node(child);
    let verdict = node.verdict();
    if verdict.solved {
        return verdict.before();
    }
    node.mean().map_or_else(|| verdict.before(), score_of::<R>)
}

/// The line that begins with the turn to `child`, into `line`.
pub fn principal<R: Rules>(tree: &Tree, root: &Position, child: usize, line: &mut Vec<Pit>) {
    line.clear();
    let mut position = *root;
    let mut next = Some(child);
    while let Some(index) = next.filter(|_| line.len() < MAX_PLY) {
        let node = tree.node(index);
        let turn = R::play(&R::node(&position), node.pit());
        line.push(node.pit());
        if turn.outcome != Outcome::Ongoing {
            break;
        }
        position = turn.after;
        next = match node.children() {
            Some(children) => best(tree, node.verdict(), children),
            None => {
                line.extend(last_turn::<R>(&position, node.verdict()));
                None
            }
        };
    }
}

/// The child that the line goes on with, behind a node with this verdict.
fn best(tree: &Tree, verdict: Verdict, mut children: Range<usize>) -> Option<usize> {
    if verdict.solved {
        // The turn that the proof rests on.
        return children.find(|&child| {
            let child = tree.node(child).verdict();
            child.solved && child.before() == verdict.score
        });
    }
    let best = children.reduce(|a, b| if compare(tree, b, a).is_gt() { b } else { a })?;
    (tree.node(best).visits() > 0).then_some(best)
}

/// The turn that ends a game whose end was seen from a full tree.
fn last_turn<R: Rules>(position: &Position, verdict: Verdict) -> Option<Pit> {
    let node = R::node(position);
    let wanted = if verdict.score > 0 { Outcome::Win } else { Outcome::Loss };
    let decided = verdict.decided();
    node.legal.into_iter().find(|&pit| decided && R::play(&node, pit).outcome == wanted)
}
