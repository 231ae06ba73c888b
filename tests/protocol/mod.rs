//! The protocol, spoken with the real binary.

mod driver;
mod games;
