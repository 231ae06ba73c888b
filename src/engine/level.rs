//! Searches of a level.

use super::event::{Best, Event, Line};
use crate::levels::{Player, Strength};
use crate::rules::{Move, Rules};
use crate::search::{Progress, Request, Signals};
use crate::tt::Bound;

/// A player of a level, and what it plays by.
pub struct Leveled {
    pub player: Player,
    pub strength: Strength,
    pub seed: u64,
}

impl Leveled {
    /// Chooses a move, and tells of it and of the best others, as many lines
    /// as the request asks for.
    pub fn choose<R: Rules>(
        &mut self,
        request: &Request<'_>,
        signals: &Signals,
        sink: &mut impl FnMut(Event),
    ) -> Best {
        let Self { player, strength, seed } = self;
        if R::set_up_due(&request.position) {
            let (lanes, score) = player.set_up::<R>(request, *strength, *seed, signals);
            let best = Move::SetUp(lanes);
            sink(Event::Line(Line {
                depth: 1,
                selective_depth: 1,
                rank: 1,
                score,
                bound: Bound::Exact,
                moves: vec![best],
                progress: Progress::default(),
            }));
            return Best { best: Some(best), ponder: None };
        }
        let Some(choice) = player.turn::<R>(request, *strength, *seed, signals) else {
            return Best { best: None, ponder: None };
        };
        for (rank, turn) in (1..=request.multi_pv).zip(&choice.turns) {
            sink(Event::Line(Line {
                depth: choice.depth,
                selective_depth: choice.selective_depth,
                rank,
                score: turn.score,
                bound: Bound::Exact,
                moves: turn.line.iter().map(|&pit| Move::Sow(pit)).collect(),
                progress: choice.progress,
            }));
        }
        let line = &choice.turns[0].line;
        Best { best: Some(Move::Sow(line[0])), ponder: line.get(1).map(|&pit| Move::Sow(pit)) }
    }
}
