//! All integration tests in one binary.

mod arena;
mod batch;
mod book;
mod cli;
mod game;
mod games;
mod layering;
mod mcts;
mod oracle;
mod properties;
mod protocol;
mod rate;
mod search;
mod solve;
mod stress;
#[cfg(feature = "table")]
mod table;
mod vectors;
