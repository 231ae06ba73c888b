//! Files of records as the commands that read them take them.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::warn;
use crate::rating::{Anchor, Connectivity, Outcome};
use crate::record::{FORMAT, GameRecord, RecordReader, RecordedResult};
use crate::rules::Profile;

/// Bad lines of one file that are named; more are only counted.
const MOST_NAMED: u64 = 10;

/// Which records to read.
#[derive(Debug, Args)]
pub struct RecordArguments {
    /// Files of game records, one JSON object a line; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only games by these rules: kisolo, kisolo-free, kisolo-full or isolo
    #[arg(long, short, value_name = "PROFILE")]
    profile: Option<Profile>,
}

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Games by the name of their profile.
    pub profiles: BTreeMap<String, u64>,
    /// Lines that hold no record.
    pub bad: u64,
}

impl RecordArguments {
    /// Hands over all records, file by file. Bad lines are named on standard
    /// error and passed over.
    ///
    /// # Errors
    /// Names the file that cannot be opened.
    pub fn read(&self, mut each: impl FnMut(GameRecord)) -> anyhow::Result<Found> {
        let mut found = Found::default();
        for path in &self.files {
            if path == Path::new("-") {
                let input = RecordReader::new(io::stdin().lock());
                self.read_one("standard input", input, &mut found, &mut each);
            } else {
                let name = path.display().to_string();
                let input = RecordReader::open(path).with_context(|| name.clone())?;
                self.read_one(&name, input, &mut found, &mut each);
            }
        }
        if found.profiles.len() > 1 {
            let counts: Vec<String> =
                found.profiles.iter().map(|(name, games)| format!("{games} of {name}")).collect();
            warn(&format!(
                "the games are by different rules ({}); --profile takes those of one",
                counts.join(", ")
            ));
        }
        Ok(found)
    }

    fn read_one<R: BufRead>(
        &self,
        name: &str,
        input: RecordReader<R>,
        found: &mut Found,
        each: &mut impl FnMut(GameRecord),
    ) {
        let mut bad = 0;
        for (number, record) in input {
            match record.and_then(known_format) {
                Ok(record) if self.profile.is_none_or(|wanted| wanted.name() == record.profile) => {
                    *found.profiles.entry(record.profile.clone()).or_default() += 1;
                    each(record);
                }
                Ok(_) => {}
                Err(error) => {
                    bad += 1;
                    if bad <= MOST_NAMED {
                        warn(&format!("{name}, line {number}: {error}"));
                    }
                }
            }
        }
        if bad > MOST_NAMED {
            warn(&format!("{name}: {} more bad lines", bad - MOST_NAMED));
        }
        found.bad += bad;
    }
}

fn known_format(record: GameRecord) -> Result<GameRecord, String> {
    if record.format == FORMAT {
        return Ok(record);
    }
    Err(format!("the record has format {}; this program knows format {FORMAT}", record.format))
}

/// The result of a game as ratings take it: South is the first player.
pub const fn outcome(record: &GameRecord) -> Outcome {
    match record.result {
        RecordedResult::South => Outcome::First,
        RecordedResult::Draw => Outcome::Draw,
        RecordedResult::North => Outcome::Second,
    }
}

/// Reads `NAME=RATING`; the name may hold further signs of equality.
pub fn anchor(text: &str) -> Result<Anchor, String> {
    text.rsplit_once('=')
        .and_then(|(name, rating)| {
            Some(Anchor { name: name.to_owned(), rating: rating.parse().ok()? })
        })
        .filter(|anchor| anchor.rating.is_finite())
        .ok_or_else(|| "an anchor is NAME=RATING, such as old=400".to_owned())
}

/// What makes ratings hard to compare, a sentence each.
pub fn warnings(connectivity: &Connectivity) -> Vec<String> {
    let list = |groups: &[Vec<String>]| {
        let groups: Vec<String> = groups.iter().map(|names| names.join(", ")).collect();
        groups.join(" | ")
    };
    let mut warnings = Vec::new();
    if !connectivity.is_connected() {
        warnings.push(format!(
            "no path of games leads from one of these pools to another, so that ratings compare \
             only within each: {}",
            list(&connectivity.pools)
        ));
    }
    if connectivity.groups.len() > connectivity.pools.len() {
        warnings.push(format!(
            "one side won every game between some of these groups, so that only the prior bounds \
             their distance: {}",
            list(&connectivity.groups)
        ));
    }
    warnings
}

/// A name from a file without control characters, fit for a terminal.
pub fn printable(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
