//! Monte Carlo tree search: a tree that grows where it is worth while.
//!
//! Two methods share the tree: [`Guided`] by the evaluation, and [`Plain`] UCT
//! with random games, the baseline. Both prove wins and losses by the rules
//! ("MCTS-solver"). The module is generic over the rules and compiled once
//! per profile and method; what it finds goes to an [`Observer`].

mod driver;
mod leaf;
mod params;
mod principal;
mod reuse;
mod tree;
mod worker;

use std::thread::Builder;

use crate::board::PitSet;
use crate::rules::Rules;
use crate::search::{Found, Limits, Observer, Request, Signals, Team, TimePlan};

use driver::Driver;
pub use leaf::{Guided, Method, Plain};
use params::POLL_VISITS;
use reuse::Root;
pub use tree::Tree;
use worker::Worker;

/// Searches a position in a tree, which is taken over from the move before
/// where that is possible. Returns as soon as a limit is reached, whether or
/// not the limits ask to hold the answer back; `None` when no turn is legal.
///
/// A visit of the tree counts as a node. Nominal depth is the length of the
/// principal variation; a limit of depth also ends a search whose tree is full
/// and cannot grow deeper.
///
/// With one thread, a fixed number of nodes and an empty tree the result is
/// the same in every run. With several, those that the system does not give
/// are done without.
pub fn search<R: Rules, M: Method>(
    request: &Request<'_>,
    tree: &mut Tree,
    signals: &Signals,
    observer: &mut impl Observer,
) -> Option<Found> {
    let allowed = allowed::<R>(request);
    if allowed.is_empty() {
        return None;
    }
    let root = Root {
        profile: R::PROFILE,
        guided: M::GUIDED,
        position: request.position,
        earlier: request.earlier.to_vec(),
    };
    let driver = Driver::new(request, signals, allowed.len());
    tree.begin::<R>(root, TimePlan::new(&request.limits).hard);
    let tree = &*tree;
    let net = request.evaluation.net::<R>();
    let team = Team::new(request.threads);
    let worker = |thread| {
        Worker::<R, M>::new(tree, (request.position, request.earlier), allowed, net, thread)
    };
    // There is an answer before any limit counts, and before others join in.
    let mut leader = worker(0);
    leader.visit();
    std::thread::scope(|scope| {
        for thread in 1..team.size() {
            let (worker, team) = (&worker, &team);
            let follow = move || {
                let mut worker = worker(thread);
                let mut visits = 0;
                while !team.stopped() {
                    for _ in 0..POLL_VISITS {
                        worker.visit();
                    }
                    visits += POLL_VISITS;
                    team.exchange(thread, visits);
                }
            };
            let name = format!("search {thread}");
            if Builder::new().name(name).spawn_scoped(scope, follow).is_err() {
                break;
            }
        }
        let found = driver.run(leader, (tree, allowed), &team, observer);
        team.stop();
        found
    })
}

/// The turns that are looked at.
fn allowed<R: Rules>(request: &Request<'_>) -> PitSet {
    let legal = R::node(&request.position).legal;
    let Limits { search_moves, .. } = request.limits;
    search_moves.map_or(legal, |only| PitSet(legal.0 & only.0))
}
