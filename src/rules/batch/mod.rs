//! The rules for 32 positions at a time.
//!
//! One turn costs a scalar processor mostly the branches that it cannot
//! predict: how many packets there are, whether they capture. Here every lane
//! of a batch is at its own packet of its own turn, each step is the same for
//! all of them, and a lane whose turn is over is given the next one. The loops
//! over lanes are plain; the compiler turns them into vector instructions, and
//! [`CpuLevel`] says which. The results are those of [`Rules::play`], always.
//!
//! - [`playouts`]: random games to the end.
//! - [`perft_batched`] and [`Leaves`]: all turns of many nodes, only counted.
//! - [`play_many`]: any turns, with the positions after them. Loading and
//!   unloading a lane costs more than a short turn: one by one is quicker.
#![expect(clippy::needless_range_loop, reason = "a lane indexes several rows at once")]

mod leaves;
mod level;
mod many;
mod playout;
mod relay;

pub use leaves::{LeafCounts, Leaves, perft_batched};
pub use level::CpuLevel;
pub use many::play_many;
pub use playout::{PlayoutCounts, playouts};

use super::{Isolo, Kisolo, Resow, Rules};

/// The rules of a profile as the batch kernels need them: constants, so that
/// each kernel is compiled for one profile without tests at run time.
pub trait Lockstep: Rules {
    /// Captured seeds stay on the board, in the own outer row; otherwise they
    /// are the next packet.
    const CAPTURES_STAY: bool;
    /// A turn goes on, captures or ends at the pit where the last seed fell;
    /// otherwise at the one after it.
    const AT_LAST: bool;
    /// A last seed that falls into an empty pit ends the turn.
    const ALONE_ENDS: bool;
    /// Pits 7 and 8 are out of play in a side's first phase.
    const HOLDS: bool;
    /// Turns begin with a capture where there is one, and it is sown.
    const BEGINS_WITH_CAPTURE: bool = !Self::CAPTURES_STAY && !Self::AT_LAST;
}

impl Lockstep for Kisolo {
    const CAPTURES_STAY: bool = true;
    const AT_LAST: bool = false;
    const ALONE_ENDS: bool = false;
    const HOLDS: bool = false;
}

impl<const FULL: bool> Lockstep for Resow<FULL> {
    const CAPTURES_STAY: bool = false;
    const AT_LAST: bool = false;
    const ALONE_ENDS: bool = !FULL;
    const HOLDS: bool = false;
}

impl Lockstep for Isolo {
    const CAPTURES_STAY: bool = false;
    const AT_LAST: bool = true;
    const ALONE_ENDS: bool = true;
    const HOLDS: bool = true;
}
