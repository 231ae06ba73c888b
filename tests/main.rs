//! All integration tests in one binary.

mod batch;
mod cli;
mod layering;
mod oracle;
mod properties;
mod search;
mod vectors;
