//! Kisolo: an engine for the four-row mancala games of the Congo basin and
//! Tanzania. `PROTOCOL.md` describes what the binary speaks; `README.md` is
//! the place to begin.
//!
//! Dependencies point one way: [`board`] ← [`rules`] ← [`eval`] ← [`tt`] ←
//! [`search`] ← [`mcts`], [`book`], [`levels`] ← [`engine`] ← [`protocol`] ←
//! [`cli`]. [`solve`] stands beside `engine`, on [`search`], and [`calibrate`] on
//! [`levels`]. [`rating`] stands apart: mathematics on results.

pub mod arena;
pub mod board;
pub mod book;
pub mod calibrate;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod levels;
pub mod mcts;
pub mod protocol;
pub mod rating;
pub mod record;
pub mod rules;
pub mod search;
pub mod solve;
#[cfg(feature = "table")]
pub mod table;
pub mod train;
pub mod tt;
pub mod tune;
