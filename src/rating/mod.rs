//! The mathematics of match results: Elo differences with intervals, the
//! sequential test that stops a match, and maximum-likelihood ratings.
//!
//! Pure functions of counts; this module uses nothing else of the crate.
//!
//! ```
//! use kisolo::rating::{Games, Sprt, SprtModel, Summary, Verdict};
//!
//! let games = Games { losses: 96, draws: 111, wins: 136 };
//! let summary = Summary::of(&games.sample());
//! assert_eq!(format!("{:.1} ± {:.1}", summary.elo, summary.elo_error), "40.7 ± 30.4");
//!
//! let test = Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Normalized)?;
//! assert_eq!(test.verdict(test.llr(&games.sample())), Verdict::Continue);
//! # Ok::<(), kisolo::rating::SprtError>(())
//! ```

mod cholesky;
mod davidson;
mod elo;
mod normal;
mod outcome;
mod ratings;
mod sprt;
mod table;

pub use elo::{Summary, elo_to_score, score_to_elo};
pub use outcome::{Games, Outcome, Pairs, Sample, Score};
pub use ratings::{Anchor, Estimate, Player, RatingError, RatingOptions, Ratings};
pub use sprt::{Sprt, SprtError, SprtModel, Verdict};
pub use table::{Connectivity, Crosstable};
