//! Output that is there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

/// Writes a file, or standard output without a path or for `-`. The file is written
/// under another name in the same folder and renamed when it is whole, so
/// that no reader ever finds half of it. Pipes and devices are written to as
/// they are.
///
/// # Errors
/// Those of `write`, and when the file cannot be written; an earlier file of
/// that name is then still there.
pub fn write(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let Some(path) = path.filter(|path| *path != Path::new("-")) else {
        let mut output = BufWriter::new(io::stdout().lock());
        write(&mut output)?;
        return Ok(output.flush()?);
    };
    let failed = || format!("{}", path.display());
    if path.metadata().is_ok_and(|data| !data.is_file()) {
        let mut output = File::options().write(true).open(path).with_context(failed)?;
        write(&mut output)?;
        return output.flush().with_context(failed);
    }
    // A link stays one: what it leads to is replaced.
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let temporary = Temporary::beside(path)?;
    let mut output = BufWriter::new(File::create(&temporary.0).with_context(failed)?);
    write(&mut output)?;
    let file = output.into_inner().map_err(|error| error.into_error()).with_context(failed)?;
    file.sync_all().with_context(failed)?;
    fs::rename(&temporary.0, path).with_context(failed)
}

/// A file that goes away unless it was renamed.
struct Temporary(PathBuf);

impl Temporary {
    fn beside(path: &Path) -> anyhow::Result<Self> {
        let name = path.file_name().ok_or_else(|| anyhow!("{}: no file name", path.display()))?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.tmp", std::process::id()));
        Ok(Self(path.with_file_name(hidden)))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After the renaming there is nothing left to remove.
        let _ = fs::remove_file(&self.0);
    }
}
