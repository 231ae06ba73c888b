//! All integration tests in one binary.

mod annotate;
mod arena;
mod batch;
mod book;
mod cli;
mod game;
mod games;
mod layering;
mod mcts;
mod oracle;
mod play;
mod properties;
mod protocol;
mod rate;
mod search;
mod solve;
mod stress;
#[cfg(feature = "table")]
mod table;
mod vectors;
