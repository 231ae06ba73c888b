//! The board: two sides of up to sixteen pits, who is to move, and their text.
//!
//! Nothing here knows whose rules are played. A side is kept in its *own
//! sowing order*, so that South and North share one code path: pits
//! `0..columns` are the outer row and `columns..2 * columns` the inner row,
//! in the order in which the side's seeds travel.

mod batch;
mod draw;
mod hash;
mod lanes;
mod pit;
mod position;
mod sow;
mod text;

pub use batch::{Row, Rows, WIDTH, lanes_of, mask, select};
pub use draw::diagram;
pub use lanes::{LANES, Lanes};
pub use pit::{Geometry, Pit, PitSet};
pub use position::{FirstPhase, Position, Side};
pub use sow::{MAX_SEEDS, RING14, RING16, RING16_INITIAL, SowTable};
pub use text::{PositionTextError, parse_pit, parse_position, pit_name, position_text};
pub(crate) use text::{first_text, parse_count, quoted};
