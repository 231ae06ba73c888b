//! All integration tests in one binary.

mod arena;
mod search;
mod vectors;
