//! Files of records as the commands that read them take them.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use super::warn;
use crate::rating::{Anchor, Connectivity, Outcome};
use crate::record::{FORMAT, GameRecord, Reason, RecordReader, RecordedResult, pgn};
use crate::rules::Profile;

/// Bad lines of one file that are named; more are only counted.
const MOST_NAMED: u64 = 10;

/// The event of imported games whose text names none.
const NO_EVENT: &str = "?";

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

/// Hands over each record of some files with its place, `FILE:LINE`. Lines
/// that are no records are named on standard error and passed over.
///
/// # Errors
/// Names the file that cannot be opened, and those of `each`.
pub fn read(
    paths: &[PathBuf],
    mut each: impl FnMut(&str, GameRecord) -> anyhow::Result<()>,
) -> anyhow::Result<Count> {
    let mut count = Count::default();
    for path in paths {
        let (name, input) = open(path)?;
        read_one(&name, input, &mut count, &mut each)?;
    }
    Ok(count)
}

/// A file or standard input, with its name.
fn open(path: &Path) -> anyhow::Result<(String, Box<dyn BufRead>)> {
    if path == Path::new("-") {
        return Ok(("standard input".to_owned(), Box::new(io::stdin().lock())));
    }
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| name.clone())?;
    Ok((name, Box::new(BufReader::new(file))))
}

/// Hands over the records of one file.
fn read_one(
    name: &str,
    input: impl BufRead,
    count: &mut Count,
    each: &mut impl FnMut(&str, GameRecord) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut bad = 0;
    for (line, record) in RecordReader::new(input) {
        let place = format!("{name}:{line}");
        match record.and_then(known_format) {
            Ok(record) => {
                count.records += 1;
                each(&place, record)?;
            }
            // A torn line is what a killed writer leaves: no fault.
            Err(error) if error.starts_with("torn") => warn(&format!("{place}: {error}")),
            Err(error) => {
                bad += 1;
                if bad <= MOST_NAMED {
                    warn(&format!("{place}: {error}"));
                }
            }
        }
    }
    if bad > MOST_NAMED {
        warn(&format!("{name}: {} more bad lines", bad - MOST_NAMED));
    }
    count.bad += bad;
    Ok(())
}

/// Hands over each game of some files, which hold records or PGN-like text,
/// as [`read`] does.
///
/// # Errors
/// Names the file that cannot be read, and those of `each`.
pub fn read_any(
    paths: &[PathBuf],
    mut each: impl FnMut(&str, GameRecord) -> anyhow::Result<()>,
) -> anyhow::Result<Count> {
    let mut count = Count::default();
    for path in paths {
        let (name, mut input) = open(path)?;
        // A record begins with a brace, which no tag or move does.
        if first_byte(&mut input).with_context(|| name.clone())? != Some(b'{') {
            let mut bytes = Vec::new();
            input.read_to_end(&mut bytes).with_context(|| name.clone())?;
            // Older files are in other encodings; only names suffer.
            for game in pgn::read(&String::from_utf8_lossy(&bytes)) {
                match game {
                    Ok(record) => {
                        count.records += 1;
                        each(&name, record)?;
                    }
                    Err(error) => {
                        count.bad += 1;
                        warn(&format!("{name}: {error}"));
                    }
                }
            }
        } else {
            read_one(&name, input, &mut count, &mut each)?;
        }
    }
    Ok(count)
}

/// The first byte that is no blank, which stays to be read.
fn first_byte(input: &mut dyn BufRead) -> io::Result<Option<u8>> {
    loop {
        let buffer = input.fill_buf()?;
        let blanks = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if buffer.is_empty() || blanks < buffer.len() {
            return Ok(buffer.get(blanks).copied());
        }
        input.consume(blanks);
    }
}

fn known_format(record: GameRecord) -> Result<GameRecord, String> {
    if record.format == FORMAT {
        return Ok(record);
    }
    Err(format!("the record has format {}; this program knows format {FORMAT}", record.format))
}

/// What a game has to itself: its number in its event, with the players and
/// the rules, since events of other programs may share a name; where the event
/// has no name, the moves, too. A hash of so many bits tells apart as many
/// games as anyone has.
pub fn identity(record: &GameRecord) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&record.event, record.game, &record.profile).hash(&mut hasher);
    (&record.south.name, &record.north.name).hash(&mut hasher);
    if record.event == NO_EVENT {
        (&record.date, &record.start).hash(&mut hasher);
        record.moves.iter().for_each(|mv| mv.text.hash(&mut hasher));
    }
    hasher.finish()
}

/// Which games to count.
#[derive(Clone, Debug, Args)]
pub struct RecordArguments {
    /// Files of game records, one JSON object a line; - is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Only games by these rules: kisolo, kisolo-free, kisolo-full or isolo
    #[arg(long, short, value_name = "PROFILE")]
    profile: Option<Profile>,
}

impl RecordArguments {
    /// Hands over every game once, file by file. What is passed over, and that
    /// rules are mixed, is said on standard error.
    ///
    /// # Errors
    /// Names the file that cannot be opened.
    pub fn read(&self, mut each: impl FnMut(GameRecord)) -> anyhow::Result<Count> {
        if self.files.is_empty() {
            bail!("no FILE of game records is given; - is standard input");
        }
        let mut profiles: BTreeMap<String, u64> = BTreeMap::new();
        let mut seen = HashSet::new();
        let (mut again, mut unfinished) = (0_u64, 0_u64);
        let count = read(&self.files, |_, record| {
            if self.profile.is_some_and(|wanted| wanted.name() != record.profile) {
                return Ok(());
            }
            if record.reason == Reason::Unfinished {
                unfinished += 1;
                return Ok(());
            }
            if seen.insert(identity(&record)) {
                *profiles.entry(record.profile.clone()).or_default() += 1;
                each(record);
            } else {
                again += 1;
            }
            Ok(())
        })?;
        if again > 0 {
            warn(&format!("games that were given twice count once; dropped: {again}"));
        }
        if unfinished > 0 {
            warn(&format!("games that were not played to the end are left out: {unfinished}"));
        }
        if profiles.len() > 1 {
            let counts: Vec<String> =
                profiles.iter().map(|(name, games)| format!("{games} of {name}")).collect();
            warn(&format!(
                "the games are by different rules ({}); --profile takes those of one",
                counts.join(", ")
            ));
        }
        Ok(count)
    }
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
