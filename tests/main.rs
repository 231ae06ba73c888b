//! All integration tests in one binary.

mod games;
mod search;
mod vectors;
