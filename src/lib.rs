//! Kisolo: an engine for the four-row mancala games of the Congo basin and
//! Tanzania. `PROTOCOL.md` describes what the binary speaks; `README.md` is
//! the place to begin.
//!
//! Dependencies point one way: [`board`] ← [`rules`] ← `eval` ← `tt` ← `search`
//! ← `engine` ← `protocol` ← [`cli`].

pub mod board;
pub mod cli;
pub mod rules;
