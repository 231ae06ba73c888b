//! All integration tests in one binary.

mod rate;
mod search;
mod vectors;
