//! Reading files of records past what is wrong in them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;

use crate::record::{GameRecord, RecordReader};

/// What was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Lines with a record.
    pub records: u64,
    /// Lines without one, torn last lines not counted.
    pub bad: u64,
}

impl Count {
    /// A failure if anything was bad.
    pub const fn status(self) -> ExitCode {
        if self.bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Hands over each record of some files with its line. Lines that are no
/// records are named on standard error and passed over.
///
/// # Errors
/// When a file cannot be opened, and those of `each`.
pub fn read(
    paths: &[PathBuf],
    mut each: impl FnMut(&Path, u64, GameRecord) -> anyhow::Result<()>,
) -> anyhow::Result<Count> {
    let mut count = Count::default();
    for path in paths {
        let name = path.display();
        for (line, record) in RecordReader::open(path).with_context(|| format!("{name}"))? {
            match record {
                Ok(record) => {
                    count.records += 1;
                    each(path, line, record)?;
                }
                Err(error) => {
                    // A torn line is what a killed writer leaves: no fault.
                    count.bad += u64::from(!error.starts_with("torn"));
                    crate::cli::warn(&format!("{name}:{line}: {error}"));
                }
            }
        }
    }
    Ok(count)
}
