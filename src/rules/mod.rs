//! The rules of the four profiles: one zero-sized type each behind [`Rules`],
//! and [`Profile`] for the choice at run time.

pub mod batch;
mod describe;
mod game;
mod isolo;
mod kisolo;
mod moves;
mod perft;
mod profile;
mod random;
mod resow;
mod trace;

use crate::board::{Geometry, Pit, PitSet, Position, Side};

pub use game::{Game, GameResult};
pub use isolo::Isolo;
pub use kisolo::Kisolo;
pub use moves::{Move, MoveError};
pub use perft::{perft, perft_divide};
pub use profile::{PositionError, Profile, UnknownProfile};
pub use resow::{KisoloFree, KisoloFull, Resow};
pub use trace::{Capture, Step, Trace};

pub(crate) use profile::with_rules;

/// A turn that is not over after this many packets ends the game as a draw.
pub const MAX_PACKETS: u16 = 4096;

/// The most legal turns of any position but a set-up.
pub const MAX_TURNS: usize = 16;

/// The ways to arrange 21 seeds on 14 pits, all of them legal set-ups: too
/// many to be listed.
pub const SET_UPS: &str = "927,983,760";

/// How a turn ends, for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The game goes on.
    Ongoing,
    /// The mover has won.
    Win,
    /// The mover has lost.
    Loss,
    /// The turn is endless: a draw.
    Draw,
}

impl Outcome {
    /// The result of the game for a turn made by `mover`.
    pub const fn for_mover(self, mover: Side) -> GameResult {
        match self {
            Self::Ongoing => GameResult::Ongoing,
            Self::Win => GameResult::won_by(mover),
            Self::Loss => GameResult::won_by(mover.other()),
            Self::Draw => GameResult::Draw,
        }
    }
}

/// A turn that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The position after it, its opponent to move. After a draw it is the
    /// position at the guard and belongs to no game.
    pub after: Position,
    /// What it decided.
    pub outcome: Outcome,
    /// The packets sown: 1 to [`MAX_PACKETS`], 0 for a set-up.
    pub packets: u16,
}

/// A position made ready for its turns: what they all share is computed once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The position that turns start from: in `kisolo`, the one after the
    /// forced captures; elsewhere the position itself.
    pub base: Position,
    /// The pits that name a legal turn; empty when the game is over (or a
    /// set-up is due).
    pub legal: PitSet,
    /// Whether the turns begin with a capture that is sown.
    pub capture: bool,
}

/// The rules of one profile.
///
/// Implementations are zero-sized and everything generic over them is
/// compiled once per profile, so that no rule is looked up at run time.
pub trait Rules: Copy + Default + Send + Sync + 'static {
    /// The profile that these rules belong to.
    const PROFILE: Profile;
    /// The shape of its board.
    const GEOMETRY: Geometry;
    /// The seeds on the board, those in hand before a set-up included.
    const SEEDS: u32;

    /// Makes a position ready for its turns.
    fn node(position: &Position) -> Node;

    /// Makes the turn that `pit`, one of `node.legal`, names.
    fn play(node: &Node, pit: Pit) -> Turn;

    /// What a position without legal turns means for the side to move.
    #[inline]
    fn outcome_without_turns(position: &Position) -> Outcome {
        let _ = position;
        Outcome::Loss
    }

    /// Whether the side to move still has to set up its seeds.
    #[inline(always)]
    fn set_up_due(position: &Position) -> bool {
        let _ = position;
        false
    }
}

/// What [`unmake`] needs to take a turn back: a turn changes about nine pits,
/// so a copy of the position is smaller than a log.
#[derive(Clone, Copy, Debug)]
pub struct Undo(Position);

/// Makes the legal turn `pit` on `position`. Returns the turn and what
/// [`unmake`] needs.
pub fn make<R: Rules>(position: &mut Position, pit: Pit) -> (Turn, Undo) {
    let undo = Undo(*position);
    let turn = R::play(&R::node(position), pit);
    *position = turn.after;
    (turn, undo)
}

/// Takes back the turn that returned `undo`.
pub fn unmake(position: &mut Position, undo: Undo) {
    *position = undo.0;
}
