//! Files of records: appending so that nothing finished is lost, and reading
//! past a line that was torn when its writer was killed.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};

use super::GameRecord;

/// A file that records are appended to. Each record is written with one call
/// and flushed to the system, so a killed writer tears at most its last line.
#[derive(Debug)]
pub struct RecordFile {
    file: File,
}

/// The torn end of a file that was cut off when it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Torn {
    /// The bytes that were dropped.
    pub bytes: u64,
}

impl RecordFile {
    /// Opens or creates a file for appending, for one writer at a time. A last
    /// line without its end is cut off, which the second value tells.
    ///
    /// # Errors
    /// When the file cannot be opened, read or cut, or has a writer.
    pub fn append(path: &Path) -> io::Result<(Self, Option<Torn>)> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        lock(&file)?;
        let length = file.metadata()?.len();
        let whole = end_of_last_line(&mut file, length)?;
        let torn = (whole < length).then_some(Torn { bytes: length - whole });
        if torn.is_some() {
            file.set_len(whole)?;
        }
        file.seek(SeekFrom::End(0))?;
        Ok((Self { file }, torn))
    }

    /// Appends a record.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, record: &GameRecord) -> io::Result<()> {
        let mut line = serde_json::to_vec(record).map_err(io::Error::other)?;
        line.push(b'\n');
        // One write to the system: what is written survives this process.
        self.file.write_all(&line)
    }
}

/// Makes this process the file's one writer. A child that is just being
/// started holds a copy of the file for a moment, so a lock that is not free
/// is tried again for a while.
fn lock(file: &File) -> io::Result<()> {
    const TRIES: u32 = 20;
    const PAUSE: Duration = Duration::from_millis(25);
    for _ in 1..TRIES {
        if flock(file, FlockOperation::NonBlockingLockExclusive).is_ok() {
            return Ok(());
        }
        std::thread::sleep(PAUSE);
    }
    flock(file, FlockOperation::NonBlockingLockExclusive)
        .map_err(|error| io::Error::new(error.kind(), "another match writes to it"))
}

/// The position behind the last line end, looking backwards block by block.
fn end_of_last_line(file: &mut File, length: u64) -> io::Result<u64> {
    const BLOCK: u64 = 64 << 10;
    let mut end = length;
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        let mut block = vec![0; (end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut block)?;
        if let Some(at) = block.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Reads records one by one.
#[derive(Debug)]
pub struct RecordReader<R> {
    input: R,
    number: u64,
    failed: bool,
}

impl RecordReader<BufReader<File>> {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self::new(BufReader::new(File::open(path)?)))
    }
}

impl<R: BufRead> RecordReader<R> {
    /// Reads from anything.
    pub const fn new(input: R) -> Self {
        Self { input, number: 0, failed: false }
    }
}

/// Yields each line's number with its record or what is wrong with it. Blank
/// lines are passed over.
impl<R: BufRead> Iterator for RecordReader<R> {
    type Item = (u64, Result<GameRecord, String>);

    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed {
            let mut line = Vec::new();
            self.number += 1;
            match self.input.read_until(b'\n', &mut line) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => {
                    self.failed = true;
                    return Some((self.number, Err(error.to_string())));
                }
            }
            let torn = !line.ends_with(b"\n");
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let record = serde_json::from_slice(&line).map_err(|error| {
                let torn = if torn { "torn last line: " } else { "" };
                format!("{torn}no game record: {error}")
            });
            return Some((self.number, record));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FORMAT, MoveRecord, Player, Reason, RecordedResult};
    use super::*;

    fn record(game: u64) -> GameRecord {
        GameRecord {
            format: FORMAT,
            event: "test".to_owned(),
            game,
            opening: game.div_ceil(2),
            seed: 7,
            date: "2026-01-01T00:00:00Z".to_owned(),
            profile: "kisolo".to_owned(),
            start: "3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3,3 S -".to_owned(),
            south: Player { name: "a".to_owned(), ..Player::default() },
            north: Player { name: "b".to_owned(), ..Player::default() },
            moves: vec![MoveRecord { text: "a1".to_owned(), ..MoveRecord::default() }],
            result: RecordedResult::South,
            reason: Reason::Time,
            note: None,
        }
    }

    #[test]
    fn a_torn_line_is_cut_off_and_the_rest_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let (mut file, torn) = RecordFile::append(&path).unwrap();
        assert_eq!(torn, None);
        file.write(&record(1)).unwrap();
        file.write(&record(2)).unwrap();
        assert!(RecordFile::append(&path).is_err(), "a file has one writer");
        drop(file);
        let whole = std::fs::read(&path).unwrap();
        for cut in 1..20 {
            let mut bytes = whole.clone();
            bytes.extend_from_slice(&whole[..cut]);
            std::fs::write(&path, &bytes).unwrap();
            let (mut file, torn) = RecordFile::append(&path).unwrap();
            assert_eq!(torn, Some(Torn { bytes: cut as u64 }));
            file.write(&record(3)).unwrap();
            let records: Vec<GameRecord> =
                RecordReader::open(&path).unwrap().map(|(_, record)| record.unwrap()).collect();
            assert_eq!(records, [record(1), record(2), record(3)]);
        }
    }

    #[test]
    fn bad_lines_are_named_and_passed_over() {
        let good = serde_json::to_string(&record(1)).unwrap();
        let text = format!(
            "{good}

nonsense
{good}
{}",
            &good[..30]
        );
        let read: Vec<(u64, bool)> = RecordReader::new(text.as_bytes())
            .map(|(number, record)| (number, record.is_ok()))
            .collect();
        assert_eq!(read, [(1, true), (3, false), (4, true), (5, false)]);
    }

    #[test]
    fn records_are_held_to_the_rules() {
        assert!(record(1).verify().is_ok());
        let by_rules = GameRecord { reason: Reason::Rules, ..record(1) };
        assert!(by_rules.verify().unwrap_err().to_string().contains("the game goes on"));
        let mut illegal = record(1);
        illegal.moves[0].text = "a2".to_owned();
        assert!(illegal.verify().unwrap_err().to_string().contains("move 1 'a2'"));
    }
}
