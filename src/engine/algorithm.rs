//! The algorithms that can search.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// How a search looks for the best turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Alpha-beta with iterative deepening (the default).
    #[default]
    AlphaBeta,
    /// Monte Carlo tree search guided by the evaluation.
    Mcts,
    /// Monte Carlo tree search by random games (plain UCT), a baseline.
    Uct,
}

/// A name that belongs to no algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the searches are alphabeta, mcts and uct")]
pub struct UnknownAlgorithm;

impl Algorithm {
    /// All of them, the default first.
    pub const ALL: [Self; 3] = [Self::AlphaBeta, Self::Mcts, Self::Uct];

    /// The name: `alphabeta`, `mcts` or `uct`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AlphaBeta => "alphabeta",
            Self::Mcts => "mcts",
            Self::Uct => "uct",
        }
    }

    /// Whether its memory is a tree, not a table.
    pub(super) const fn grows_tree(self) -> bool {
        matches!(self, Self::Mcts | Self::Uct)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(text: &str) -> Result<Self, UnknownAlgorithm> {
        let named = |algorithm: &Self| algorithm.name().eq_ignore_ascii_case(text);
        Self::ALL.into_iter().find(named).ok_or(UnknownAlgorithm)
    }
}
