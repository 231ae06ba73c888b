//! Games kept in files of records.

use std::path::Path;

use anyhow::{Context, anyhow, bail};

use crate::cli::{output, records};
use crate::record::{GameRecord, RecordFile, RecordReader};

/// Adds a game to a file of records, or replaces it where the file has it
/// already.
///
/// # Errors
/// When the file holds anything else, or cannot be written.
pub fn save(path: &Path, record: &GameRecord) -> anyhow::Result<()> {
    let name = path.display();
    let same = |other: &GameRecord| (&other.event, other.game) == (&record.event, record.game);
    let mut games = Vec::new();
    if path.exists() {
        let reader = RecordReader::open(path).with_context(|| name.to_string())?;
        for (line, game) in reader {
            let Ok(game) = game else {
                bail!("{name}: line {line} is no game record; nothing was written to it");
            };
            games.push(game);
        }
    }
    let Some(place) = games.iter().position(same) else {
        let (mut file, _) = RecordFile::append(path).with_context(|| name.to_string())?;
        return file.write(record).with_context(|| name.to_string());
    };
    games[place] = record.clone();
    output::write(Some(path), |output| {
        for game in &games {
            serde_json::to_writer(&mut *output, game)?;
            output.write_all(b"\n")?;
        }
        Ok(())
    })
}

/// The last game of a file.
///
/// # Errors
/// When there is none, or the file cannot be read.
pub fn load(path: &Path) -> anyhow::Result<GameRecord> {
    if path == Path::new("-") {
        bail!("load takes the name of a file");
    }
    let mut last = None;
    records::read_any(&[path.to_owned()], |_, record| {
        last = Some(record);
        Ok(())
    })?;
    last.ok_or_else(|| anyhow!("{}: no game in it", path.display()))
}
