//! `kisolo games verify`: every record replayed and checked.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::cli::records::{self, Count, identity};
use crate::cli::warn;
use crate::record::GameRecord;

#[derive(Debug, Args)]
#[command(after_help = "\
The exit status is 1 if a line is no record, a record does not hold, or a game of a match occurs
twice. A torn last line, which a killed match leaves, is named but does no harm.")]
pub struct Arguments {
    /// Files of records; - is standard input
    #[arg(required = true)]
    file: Vec<PathBuf>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (mut wrong, mut twice) = (0_u64, 0_u64);
    let mut seen: HashMap<u64, String> = HashMap::new();
    let count = records::read(&arguments.file, |place, record| {
        if let Err(error) = record.verify() {
            wrong += 1;
            warn(&format!("{place}: {error}"));
        }
        match seen.entry(identity(&record)) {
            Entry::Vacant(entry) => {
                entry.insert(place.to_owned());
            }
            Entry::Occupied(entry) => {
                twice += 1;
                let (GameRecord { event, game, .. }, first) = (record, entry.get());
                warn(&format!("{place}: game {game} of {event} is also at {first}"));
            }
        }
        Ok(())
    })?;
    let Count { records, bad } = count;
    writeln!(
        io::stdout(),
        "{records} records: {} hold, {wrong} do not; {twice} occur twice; {bad} lines are no records",
        records - wrong
    )?;
    let fine = bad + wrong + twice == 0;
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
