//! The engine's own opening book: a tree of positions, grown by search, in
//! which the engine looks its first moves up.
//!
//! It grows by drop-out expansion (T. R. Lincke, "Strategies for the automatic
//! construction of opening books", 2000): the position that is searched next
//! is the one that is least improbable, see [`Book::next`].

mod choice;
mod file;
mod grow;
mod tree;

pub use choice::{Choice, Known};
pub use file::BookError;
pub use grow::{Effort, Judge};
pub use tree::{Book, Leaf, Scored};
