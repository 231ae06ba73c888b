//! The line-based protocol of `PROTOCOL.md`: UCI and UGI in one session.
//!
//! [`run`] is generic over its input and output, so that tests run whole
//! sessions in memory.

mod go;
mod input;
mod lines;
mod options;
mod position;
mod query;
mod report;
mod session;

use std::io::{self, BufRead, Write};

pub use lines::{Line, read_line};
pub use report::{Namer, mate, score};

/// Speaks the protocol until `quit` or the end of the input. Lines are read
/// by a thread of their own, which may outlive the call while it waits for
/// input. With `tunables` the constants of the search are options, too.
///
/// # Errors
/// When the output fails or the engine cannot be made; a closed pipe is no
/// error.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    tunables: bool,
) -> io::Result<()> {
    session::Session::new(output, tunables)?.run(input)
}
