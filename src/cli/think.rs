//! A search that is waited for.

use std::sync::mpsc::channel;

use anyhow::anyhow;

use crate::engine::{Best, Bound, Engine, Event, Limits, Line};
use crate::rules::Game;

/// What a search has found.
pub struct Thought {
    /// The answer.
    pub best: Best,
    /// The line that was told of it last, an exact one if there is any.
    pub line: Option<Line>,
}

/// Searches the position of a game.
///
/// # Errors
/// When the engine cannot search.
pub fn think(engine: &mut Engine, game: &Game, limits: Limits) -> anyhow::Result<Thought> {
    engine.set_game(game.clone())?;
    let (sender, events) = channel();
    engine.go(limits, None, move |event| {
        // The other end goes only with the thread that waits below.
        let _ = sender.send(event);
    })?;
    let (mut last, mut exact): (Option<Line>, Option<Line>) = (None, None);
    let mut best = None;
    for event in events {
        match event {
            Event::Line(line) if line.rank == 1 => {
                if line.bound == Bound::Exact {
                    exact = Some(line.clone());
                }
                last = Some(line);
            }
            Event::Best(answer) => best = Some(answer),
            _ => {}
        }
    }
    engine.join();
    let best = best.ok_or_else(|| anyhow!("the search has ended without an answer"))?;
    // A search that is broken off may have turned to another move since.
    let tells = |line: &Line| line.moves.first().copied() == best.best;
    let line = exact.filter(tells).or_else(|| last.filter(tells));
    Ok(Thought { best, line })
}

/// Limits as records have them.
pub fn limit_text(limits: &Limits) -> String {
    let time = limits.move_time.map(|time| format!("st={}", time.as_secs_f64()));
    let nodes = limits.nodes.map(|nodes| format!("nodes={nodes}"));
    let depth = limits.depth.map(|depth| format!("depth={depth}"));
    time.into_iter().chain(nodes).chain(depth).collect::<Vec<_>>().join(" ")
}
