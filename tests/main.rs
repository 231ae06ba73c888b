//! All integration tests in one binary.

mod batch;
mod cli;
mod search;
mod vectors;
