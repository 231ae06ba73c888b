//! The log of what engines say on their standard error, and of all lines if
//! asked for.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A log file, or none.
#[derive(Debug, Default)]
pub struct Log {
    file: Option<Mutex<BufWriter<File>>>,
    /// Whether the lines of the protocol belong into it.
    traffic: bool,
}

impl Log {
    /// A log that keeps nothing.
    pub fn none() -> Self {
        Self::default()
    }

    /// A log that is appended to a file; with `traffic`, every line to and
    /// from the engines goes in as well.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn append(path: &Path, traffic: bool) -> io::Result<Self> {
        let file = File::options().append(true).create(true).open(path)?;
        Ok(Self { file: Some(Mutex::new(BufWriter::new(file))), traffic })
    }

    /// Whether the lines of the protocol belong into the log.
    pub const fn traffic(&self) -> bool {
        self.traffic
    }

    /// Writes one line: time, engine, kind (`err`, `<`, `>`, `note`), text.
    pub fn write(&self, engine: &str, kind: &str, text: &str) {
        let Some(file) = &self.file else { return };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        let now = jiff::Timestamp::now();
        // A full disk must not end a match; the records would tell.
        let _ = writeln!(file, "{now:.3} {engine} {kind} {text}");
        let _ = file.flush();
    }
}
