//! Levels: play at a measured strength, weaker than the engine can.
//!
//! A level is one number, its [`Strength`], from which follow how many nodes
//! it looks at and how sharply it tells better turns from worse. It scores all
//! turns by a small search and draws one of them, worse turns the more seldom
//! the worse they are. So mistakes are graded: a little one is common, a great
//! one rare, and both become rarer from level to level. Nothing depends on
//! time, on the speed of the machine, or on the options of the engine.
//!
//! What strength a rating needs stands in the tables of `levels/`, which
//! `kisolo calibrate` measures; the scale is explained in `docs/LEVELS.md`.

mod draw;
mod player;
mod set_up;
mod strength;
mod table;

pub use player::{Choice, Player, Scored};
pub use strength::Strength;
pub use table::{LOWEST, Level, LevelTable, STEP, TableError, built_in};
