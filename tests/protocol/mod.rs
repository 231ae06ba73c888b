//! The protocol, spoken with the real binary.

mod book;
mod commands;
mod driver;
mod games;
mod hostile;
mod levels;
mod matches;
mod searches;
mod transcripts;
mod traps_play;
mod traps_session;
