//! Every constant of the search that is a matter of judgement.
//!
//! Those of [`Params`] decide how strongly the search selects; they can be
//! changed at run time, so that self-play can tune them. The others are fixed.

use std::time::Duration;

/// A constant of the search that can be tuned.
pub struct Tunable {
    /// Its name: that of its field in [`Params`].
    pub name: &'static str,
    /// The value in use.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
    /// A change that is likely to be felt.
    pub step: i32,
    read: fn(&Params) -> i32,
    write: fn(&mut Params, i32),
}

macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident: $default:literal in $min:literal..=$max:literal by $step:literal;)*) => {
        /// The constants that can be tuned, each with a value of its own.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// The values in use.
            pub const DEFAULT: Self = Self { $($name: $default,)* };
            /// All of them, in the order of the fields.
            pub const ALL: &[Tunable] = &[
                $(Tunable {
                    name: stringify!($name),
                    default: $default,
                    min: $min,
                    max: $max,
                    step: $step,
                    read: |params| params.$name,
                    write: |params, value| params.$name = value,
                },)*
            ];
        }
    };
}

impl Tunable {
    /// The value in `params`.
    pub fn get(&self, params: &Params) -> i32 {
        (self.read)(params)
    }

    /// Puts a value into `params`, or the nearest one that makes sense.
    pub fn set(&self, params: &mut Params, value: i32) {
        (self.write)(params, value.clamp(self.min, self.max));
    }
}

impl Default for Params {
    fn default() -> Self {
        Self::DEFAULT
    }
}

// Scores are in centipawns (a seed is 100), depths in plies. The values come from
// `kisolo tune STATE --openings book/kisolo-startpos.txt --nodes 10000 --pairs 12
// --iterations 700`.
tunables! {
    /// Half the first aspiration window.
    aspiration_window: 28 in 10..=400 by 20;

    /// What a captured seed is worth to the move ordering.
    order_seed: 1024 in 100..=4000 by 150;
    /// What being a killer of this ply is worth to the move ordering.
    order_killer: 1460 in 0..=8000 by 300;
    /// What a cutoff adds to the history of its move, for each ply of depth
    /// squared.
    history_bonus: 17 in 1..=200 by 6;

    /// What it is worth to be the side to move.
    tempo: 250 in 0..=600 by 30;
    /// The last depth of reverse futility pruning; 0 for none.
    futility_depth: 9 in 0..=16 by 1;
    /// How far above the window a position is at depth 0 for that ...
    futility_base: 27 in -200..=1000 by 40;
    /// ... and how much further for every ply of depth.
    futility_margin: 106 in 0..=1000 by 40;
    /// The first depth of late-move reductions.
    reduction_depth: 2 in 2..=8 by 1;
    /// A late move is reduced by this, in hundredths of a ply ...
    reduction_base: -25 in -200..=300 by 15;
    /// ... and by the product of the logarithms of its depth and number, in
    /// hundredths of a ply.
    reduction_factor: 90 in 0..=300 by 10;
    /// The order (captures and history) that spares a move one ply of
    /// reduction.
    reduction_order: 3280 in 500..=20000 by 400;
    /// What a reduction is less with an open window, in hundredths of a ply.
    reduction_open: 50 in 0..=300 by 20;
    /// Late moves are left out up to this depth; 0 for none.
    late_depth: 2 in 0..=12 by 1;
    /// The moves that are always looked at.
    late_moves: 2 in 1..=16 by 1;
    /// The depth from which a node without a move from the table is searched
    /// one ply less.
    internal_depth: 6 in 2..=30 by 1;
    /// Whether a set-up is searched for; if not, it is a fixed one.
    set_up_search: 1 in 0..=1 by 1;
}

/// The depth from which aspiration windows are used, in plies; before it
/// scores jump too much.
pub const ASPIRATION_DEPTH: i32 = 4;

/// The largest history score; it weighs as much as two captured seeds.
pub const HISTORY_MAX: i32 = 2 << 10;

impl Params {
    /// How far above the window a position is that needs no search to `depth`.
    #[inline(always)]
    pub const fn futility_margin_at(&self, depth: i32) -> i32 {
        self.futility_base + self.futility_margin * depth
    }

    /// What a cutoff at `depth` adds to the history of its move.
    pub fn history_bonus_at(&self, depth: i32) -> i32 {
        (self.history_bonus * depth * depth).min(HISTORY_MAX / 4)
    }
}

/// Nodes between two looks at the clock and the stop signal: about a tenth
/// of a millisecond.
pub const POLL_NODES: u64 = 1024;

/// Turns that a side is expected to have left in a game, without a better
/// word from the clock. Games last about 30 a side and the first turns decide
/// most.
pub const TURNS_LEFT: u32 = 12;
/// The share of the increment that a turn may count on, in percent.
pub const INCREMENT_SHARE: u32 = 80;
/// The hard limit of a turn as a multiple of its soft limit.
pub const HARD_FACTOR: u32 = 4;
/// The hard limit never takes more of the clock than one part in this many.
pub const HARD_PART: u32 = 3;
/// The part of the soft limit, in percent, after which no new iteration is
/// begun: the next one takes several times as long as the last.
pub const LAST_START: u32 = 60;

/// The part of the soft limit, in percent, for a best turn that has not
/// changed for so many iterations. (This, the next four and [`TURNS_LEFT`] won a
/// match on the clock together.)
pub const PACE_STABLE: [u32; 6] = [170, 130, 110, 95, 85, 80];
/// A score that has fallen by so many centipawns within two iterations adds a
/// hundredth to the soft limit ...
pub const PACE_SCORE: i32 = 10;
/// ... within these limits, in percent.
pub const PACE_SCORE_LIMITS: (i32, i32) = (85, 160);
/// The soft limit, in percent, less the nodes that the best turn took, in
/// percent of all.
pub const PACE_EFFORT: u32 = 160;
/// All three together move the soft limit within this, in percent.
pub const PACE_LIMITS: (u32, u32) = (40, 300);

/// The depth after which a turn without alternatives is played on the clock:
/// enough for a turn to ponder on.
pub const FORCED_DEPTH: u32 = 6;
/// Scores that are only bounds are reported from this time on; before it they
/// would flood the manager.
pub const REPORT_BOUNDS_AFTER: Duration = Duration::from_secs(2);

/// The first depth at which arrangements are compared for a set-up, in plies.
pub const SET_UP_DEPTH: u32 = 4;
/// How much deeper every following round is, in plies.
pub const SET_UP_DEEPER: usize = 2;
/// Arrangements that a round tries.
pub const SET_UP_ROUND: usize = 128;
/// Steps without success after which a search for arrangements begins anew.
pub const SET_UP_PATIENCE: usize = 24;
/// The best arrangements of a round, which the next one begins with.
pub const SET_UP_ELITE: usize = 8;
/// Replies of the opponent that an arrangement is tried against, at most.
pub const SET_UP_REPLIES: usize = 6;
/// Replies that a round tries against its best arrangement.
pub const SET_UP_REFUTATIONS: usize = 64;
/// The seed of the arrangements that are tried.
pub const SET_UP_SEED: u64 = 0x6b69_736f_6c6f;
