//! A search that is waited for.

use std::sync::mpsc::channel;

use anyhow::anyhow;

use crate::engine::{Best, Bound, Engine, Event, Limits, Line};
use crate::rules::Game;

/// What a search has found.
pub struct Thought {
    /// The answer.
    pub best: Best,
    /// The best line that was told last, an exact one if there is any.
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
    let mut line: Option<Line> = None;
    let mut best = None;
    for event in events {
        match event {
            Event::Line(new) if new.rank == 1 => {
                let known = line.as_ref().is_some_and(|old| old.bound == Bound::Exact);
                if new.bound == Bound::Exact || !known {
                    line = Some(new);
                }
            }
            Event::Best(answer) => best = Some(answer),
            _ => {}
        }
    }
    engine.join();
    let best = best.ok_or_else(|| anyhow!("the search has ended without an answer"))?;
    // A line that begins with another move than the answer tells nothing of it.
    let line = line.filter(|line| line.moves.first().copied() == best.best);
    Ok(Thought { best, line })
}

/// Limits as records have them.
pub fn limit_text(limits: &Limits) -> String {
    let time = limits.move_time.map(|time| format!("st={}", time.as_secs_f64()));
    let nodes = limits.nodes.map(|nodes| format!("nodes={nodes}"));
    let depth = limits.depth.map(|depth| format!("depth={depth}"));
    time.into_iter().chain(nodes).chain(depth).collect::<Vec<_>>().join(" ")
}
