//! All integration tests in one binary.

mod cli;
mod protocol;
mod search;
mod vectors;
