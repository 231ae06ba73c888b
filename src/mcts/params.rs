//! Every constant of the tree search that is a matter of judgement.

// The constants of the guided search come from matches of 80 games against
// neighbouring values, `kisolo match --each nodes=5000`, profile kisolo.

/// The evaluation, in centipawns, that stands for odds of e to 1. (300 and 600
/// are weaker, 2500 is no better.)
pub const SQUASH: f32 = 1500.0;
/// What it is worth to be the side to move, in centipawns. (0 is 200 Elo
/// weaker, 250 is 100; from 400 to 700 all are alike.)
pub const TEMPO: i32 = 500;
/// How much the guided search explores, in units of win probability. (0.4 is
/// weaker, 0.9 is alike.)
pub const EXPLORATION: f32 = 0.6;
/// The weight of the best evaluation below a node against the mean of its
/// visits. (0.65 and 0.8 are 90 Elo weaker, from 0 to 0.5 all are alike.)
pub const MINIMAX_WEIGHT: f32 = 0.3;
/// The evaluation, in centipawns, that makes a turn e times as promising. (150
/// is 100 Elo weaker, 900 is alike.)
pub const PRIOR_SCALE: f32 = 600.0;
/// The same where a network evaluates, as a part of its scale.
pub const NET_PRIOR_SCALE: f32 = 0.6;
/// How much plain UCT explores: the root of 2, the textbook's value.
pub const UCT_EXPLORATION: f32 = std::f32::consts::SQRT_2;
/// Turns after which a random game counts as drawn: they last about 40.
pub const PLAYOUT_TURNS: u32 = 1000;
/// The seed of all random games.
pub const PLAYOUT_SEED: u64 = 0x6b69_736f_6c6f;

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
