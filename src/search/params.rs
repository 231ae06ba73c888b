//! Every constant of the search that is a matter of judgement.

use std::time::Duration;

/// Half the first aspiration window, in centipawns. Untuned: half a seed.
pub const ASPIRATION_WINDOW: i32 = 50;
/// The depth from which aspiration windows are used, in plies; before it
/// scores jump too much.
pub const ASPIRATION_DEPTH: i32 = 4;

/// What a captured seed is worth to the move ordering.
pub const ORDER_CAPTURED_SEED: i32 = 1 << 10;
/// What being a killer of this ply is worth to the move ordering: less than
/// two seeds.
pub const ORDER_KILLER: i32 = 1800;
/// The largest history score; it weighs as much as two captured seeds.
pub const HISTORY_MAX: i32 = 2 << 10;

/// What a cutoff at `depth` adds to the history of its move.
pub const fn history_bonus(depth: i32) -> i32 {
    let bonus = 16 * depth * depth;
    if bonus < HISTORY_MAX / 4 { bonus } else { HISTORY_MAX / 4 }
}

/// Nodes between two looks at the clock and the stop signal: about a tenth
/// of a millisecond.
pub const POLL_NODES: u64 = 1024;

/// Turns that a side is expected to have left in a game, without a better
/// word from the clock: random and searched games last about 20 a side.
pub const TURNS_LEFT: u32 = 18;
/// The share of the increment that a turn may count on, in percent.
pub const INCREMENT_SHARE: u32 = 80;
/// The hard limit of a turn as a multiple of its soft limit.
pub const HARD_FACTOR: u32 = 4;
/// The hard limit never takes more of the clock than one part in this many.
pub const HARD_PART: u32 = 3;
/// The part of the soft limit, in percent, after which no new iteration is
/// begun: the next one takes several times as long as the last.
pub const LAST_START: u32 = 60;

/// The depth after which a turn without alternatives is played on the clock:
/// enough for a turn to ponder on.
pub const FORCED_DEPTH: u32 = 6;
/// Scores that are only bounds are reported from this time on; before it they
/// would flood the manager.
pub const REPORT_BOUNDS_AFTER: Duration = Duration::from_secs(2);

/// Arrangements that are compared for a set-up when only a depth limits the
/// search.
pub const SET_UP_CANDIDATES: u64 = 64;
/// The depth of the searches that compare arrangements, in plies, unless the
/// limits ask for less.
pub const SET_UP_DEPTH: u32 = 6;
/// Replies of the opponent that an arrangement is tried against.
pub const SET_UP_REPLIES: usize = 4;
/// The seed of the arrangements that are tried.
pub const SET_UP_SEED: u64 = 0x6b69_736f_6c6f;
