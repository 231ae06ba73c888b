//! What an evaluation is made of, for people.

use super::{Net, Parts, parts};
use crate::board::{Lanes, Pit, Position};
use crate::rules::Rules;

/// An evaluation in parts, in centipawns for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// By the difference of seeds.
    pub seeds: Parts,
    /// By the network, if one judges.
    pub net: Option<NetParts>,
}

/// What a network says, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetParts {
    /// The score of the position.
    pub score: i32,
    /// The own pits that hold seeds, each with its count and what the score
    /// would lose if the pit were empty.
    pub own: Vec<(Pit, u8, i32)>,
    /// The same for the pits of the opponent.
    pub enemy: Vec<(Pit, u8, i32)>,
}

impl Explained {
    /// The score by what judges.
    pub fn total(&self) -> i32 {
        self.net.as_ref().map_or(self.seeds.total(), |net| net.score)
    }
}

/// Explains the evaluation of a position by a network, or by the seeds.
pub fn explain<R: Rules>(position: &Position, net: Option<&Net>) -> Explained {
    let net = net.map(|net| {
        let score = net.evaluate::<R>(position);
        let without = |side: Lanes, changed: &dyn Fn(Lanes) -> Position| {
            let counts = side.counts();
            let filled = (0..R::GEOMETRY.pits()).filter(|&pit| counts[pit] > 0);
            let share = |pit: usize| {
                let mut counts = counts;
                counts[pit] = 0;
                let rest = net.evaluate::<R>(&changed(Lanes::new(counts)));
                (Pit(pit as u8), side.counts()[pit], score - rest)
            };
            filled.map(share).collect()
        };
        NetParts {
            score,
            own: without(position.own, &|own| Position { own, ..*position }),
            enemy: without(position.enemy, &|enemy| Position { enemy, ..*position }),
        }
    });
    Explained { seeds: parts::<R>(position), net }
}
