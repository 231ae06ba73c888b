//! Every constant of the tree search that is a matter of judgement.

/// The evaluation, in centipawns, that stands for odds of e to 1.
pub const SQUASH: f32 = 600.0;
/// What it is worth to be the side to move, in centipawns: the value that
/// self-play found for the alpha-beta search.
pub const TEMPO: i32 = 250;
/// How much the guided search explores, in units of win probability.
pub const EXPLORATION: f32 = 0.6;
/// The weight of the best evaluation below a node against the mean of its
/// visits.
pub const MINIMAX_WEIGHT: f32 = 0.5;
/// The evaluation, in centipawns, that makes a turn e times as promising.
pub const PRIOR_SCALE: f32 = 300.0;
/// How much plain UCT explores: the root of 2, the textbook's value.
pub const UCT_EXPLORATION: f32 = std::f32::consts::SQRT_2;
/// Turns after which a random game counts as drawn: they last about 40.
pub const PLAYOUT_TURNS: u32 = 1000;
/// The seed of all random games.
pub const SEED: u64 = 0x6b69_736f_6c6f;

/// Visits between two looks at the clock and the stop signal: some tens of
/// microseconds, with random games a few hundred.
pub const POLL_VISITS: u64 = 16;
/// The visits after which the first line is reported; the next comes after
/// twice as many.
pub const FIRST_REPORT: u64 = 1024;
/// The visits after which a turn without alternatives is played on the clock:
/// enough for a turn to ponder on.
pub const FORCED_VISITS: u64 = 256;
/// The visits of the root after which a search ends: counters hold twice as
/// many.
pub const MOST_VISITS: u32 = 1 << 31;
/// A tree is only cut down for reuse if that takes less than one part in this
/// many of the time for the turn.
pub const REUSE_PART: u32 = 16;
/// Nodes of a tree that are cut down in a microsecond: a careful estimate.
pub const REUSE_SPEED: u32 = 100;
