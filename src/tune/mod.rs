//! Tuning the constants of the search by self-play.
//!
//! SPSA (J. C. Spall, "Multivariate stochastic approximation using a
//! simultaneous perturbation gradient approximation", 1992): in every
//! iteration all constants are moved a little at once, each up or down at
//! random; some games are played between the two ends of that line, and all
//! constants move towards the end that won more.

mod play;
mod spsa;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::rules::Game;
use crate::search::{Params, Signals};
use crate::tt::OutOfMemory;

use play::Players;
pub use spsa::{Settings, StateError, Tuning, Value};

/// Plays the games of the next iteration with `threads` threads and moves the
/// constants. Which openings are taken and how the games go depends on the
/// state alone. Returns the games won, drawn and lost by the upper end, or
/// `None` if it was stopped: the state is then as before.
///
/// # Errors
/// When there is no memory for the tables of the players.
pub fn iterate(
    tuning: &mut Tuning,
    openings: &[Game],
    threads: usize,
    signals: &Signals,
) -> Result<Option<[u32; 3]>, OutOfMemory> {
    let step = tuning.next_step(openings.len());
    let next = AtomicUsize::new(0);
    let counts = Mutex::new([0u32; 3]);
    let nodes = tuning.settings.nodes;
    let work = |mut players: Players| {
        loop {
            let number = next.fetch_add(1, Relaxed);
            let Some(&opening) = step.openings.get(number / 2) else { break };
            let upper_begins = number.is_multiple_of(2);
            let pair: [&Params; 2] =
                if upper_begins { [&step.upper, &step.lower] } else { [&step.lower, &step.upper] };
            let Some(points) = players.play(openings[opening].clone(), pair, nodes, signals) else {
                break;
            };
            let points = if upper_begins { points } else { 2 - points };
            // What a thread that panicked has counted is still true.
            counts.lock().unwrap_or_else(std::sync::PoisonError::into_inner)[2 - points] += 1;
        }
    };
    let players = (0..threads.max(1)).map(|_| Players::new()).collect::<Result<Vec<_>, _>>()?;
    std::thread::scope(|scope| {
        for players in players {
            scope.spawn(|| work(players));
        }
    });
    if signals.stopped() {
        return Ok(None);
    }
    let counts = counts.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    tuning.learn(&step, counts);
    Ok(Some(counts))
}
