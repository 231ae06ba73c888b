//! Counting turn sequences, the standard check of turn generation.

use super::{Outcome, Rules};
use crate::board::{Pit, Position};

/// The number of sequences of exactly `depth` turns from `position`; the last
/// turn of a sequence may end the game. Every turn is made.
pub fn perft<R: Rules>(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let node = R::node(position);
    let mut sequences = 0;
    for pit in node.legal {
        let turn = R::play(&node, pit);
        if depth == 1 {
            sequences += 1;
        } else if turn.outcome == Outcome::Ongoing {
            sequences += perft::<R>(&turn.after, depth - 1);
        }
    }
    sequences
}

/// The sequences behind each turn of `position`, in the order of the pits.
/// `depth` is 1 or more.
pub fn perft_divide<R: Rules>(position: &Position, depth: u32) -> Vec<(Pit, u64)> {
    let node = R::node(position);
    node.legal
        .map(|pit| {
            let turn = R::play(&node, pit);
            let sequences = match turn.outcome {
                _ if depth <= 1 => 1,
                Outcome::Ongoing => perft::<R>(&turn.after, depth - 1),
                _ => 0,
            };
            (pit, sequences)
        })
        .collect()
}
