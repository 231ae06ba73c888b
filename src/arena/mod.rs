//! Matches between engines that are processes of their own.
//!
//! The arena drives processes and judges by [`crate::rules`]; it knows no
//! search, and an engine's word is never trusted.

mod duel;
mod knockout;
mod limit;
mod log;
mod openings;
mod player;
mod process;
mod run;
mod schedule;
mod talk;
mod tally;

pub use duel::{Adjudication, Disagreement, DrawRule, Duel, Fixture, ResignRule};
pub use knockout::MOST_TIE_GAMES;
pub use limit::{Clock, ClockLimit, Limit, LimitError};
pub use log::Log;
pub use openings::{Opening, Openings};
pub use player::{Answer, Dialect, EngineSpec, Fault, Player, Trouble};
pub use process::{Process, Silence};
pub use run::{Ending, Event, Match};
pub use schedule::{Format, Next, Schedule, Scheduled, Size};
pub use talk::{parse_info, position_line};
pub use tally::{Line, Tally, score};
