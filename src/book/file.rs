//! The file of a book: text, a position a line. `book/README.md` describes it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::str::Lines;

use thiserror::Error;

use super::{Book, Leaf, Scored};
use crate::board::quoted;
use crate::rules::{Move, Profile};
use crate::search::{MATE, MAX_PLY};

/// The first line of every book; the number is that of the format.
const TITLE: &str = "# kisolo book 1";
/// What separates the parts of a move.
const SEPARATOR: char = ':';
/// The most moves before a position: far more than any game has.
const LAST_PLY: u32 = 1_000;
/// The largest file that is read, in bytes: ten times what a day of growing
/// makes.
const MAX_BYTES: u64 = 256 << 20;

/// Why a file is no book.
#[derive(Debug, Error)]
pub enum BookError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A folder, a device, a pipe.
    #[error("no regular file")]
    NoFile,
    /// Too large for a book.
    #[error("larger than {MAX_BYTES} bytes")]
    TooLarge,
    /// A line that does not belong there.
    #[error("line {line}: {why}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}

impl Book {
    /// Reads a book from a file.
    ///
    /// # Errors
    /// When it cannot be read or is no whole book; the line is named.
    pub fn read(path: &Path) -> Result<Self, BookError> {
        // Opening a pipe would wait for somebody to write into it.
        let data = path.metadata()?;
        if !data.is_file() {
            return Err(BookError::NoFile);
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(BookError::TooLarge);
        }
        Self::parse(&bytes)
    }

    /// Reads a book from the bytes of a file.
    ///
    /// # Errors
    /// When it is no whole book; the line is named.
    pub fn parse(bytes: &[u8]) -> Result<Self, BookError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
            BookError::Line { line, why: "this is not UTF-8".to_owned() }
        })?;
        let mut reader = Reader { lines: text.lines(), number: 0 };
        let book = reader.book().map_err(|why| BookError::Line { line: reader.number, why })?;
        if !text.ends_with('\n') {
            let why = "the end of the line is missing".to_owned();
            return Err(BookError::Line { line: reader.number, why });
        }
        Ok(book)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        let profile = self.profile();
        writeln!(output, "{TITLE}")?;
        writeln!(output, "# profile: {profile}")?;
        writeln!(output, "# start: {}", self.start())?;
        writeln!(output, "# positions: {}", self.len())?;
        writeln!(output, "# engine: kisolo {}", env!("CARGO_PKG_VERSION"))?;
        for command in &self.commands {
            writeln!(output, "# command: {command}")?;
        }
        for &node in self.layers.iter().flatten() {
            let node = &self.nodes[node];
            write!(output, "{} {}", profile.position_text(&node.position), node.ply)?;
            for edge in &node.edges {
                let Scored { pit, score, depth } = edge.scored;
                let name = profile.move_text(&node.position, Move::Sow(pit));
                write!(output, " {name}{SEPARATOR}{score}{SEPARATOR}{depth}")?;
            }
            writeln!(output)?;
        }
        Ok(())
    }
}

/// Goes through the lines of a file.
struct Reader<'a> {
    lines: Lines<'a>,
    /// The line at hand, from 1.
    number: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let line = self.lines.next();
        self.number += 1;
        line
    }

    fn book(&mut self) -> Result<Book, String> {
        let title = self.next().unwrap_or_default();
        if title != TITLE {
            return Err(format!("a book begins with '{TITLE}', not '{}'", quoted(title)));
        }
        let profile = self.field("profile")?;
        let profile: Profile = profile.parse().map_err(|error| format!("{error}"))?;
        let mut book = Book::new(profile, self.field("start")?)?;
        let positions = self.field("positions")?;
        let positions: usize = positions
            .parse()
            .map_err(|_| format!("'{}' is no number of positions", quoted(positions)))?;
        self.field("engine")?;
        let mut line = self.next();
        while let Some(command) = line.and_then(|line| line.strip_prefix("# command: ")) {
            book.commands.push(command.to_owned());
            line = self.next();
        }
        for done in 0..positions {
            let text = line.ok_or_else(|| {
                format!("the file ends after {done} of its {positions} positions")
            })?;
            position(&mut book, text)?;
            line = self.next();
        }
        if let Some(line) = line {
            return Err(format!("nothing belongs behind the last position: '{}'", quoted(line)));
        }
        // There is no line behind the last one to be named.
        self.number -= 1;
        book.back_up();
        Ok(book)
    }

    /// The value of the header line that comes next.
    fn field(&mut self, name: &str) -> Result<&'a str, String> {
        let line = self.next().unwrap_or_default();
        let value = line.strip_prefix("# ").and_then(|line| line.strip_prefix(name));
        value
            .and_then(|value| value.strip_prefix(": "))
            .ok_or_else(|| format!("'# {name}: …' belongs here, not '{}'", quoted(line)))
    }
}

/// Reads the line of a position into a book.
fn position(book: &mut Book, line: &str) -> Result<(), String> {
    let words: Vec<&str> = line.split(' ').collect();
    let [rows, side, first, ply, moves @ ..] = words.as_slice() else {
        return Err(format!("'{}' is no POSITION PLY MOVE:SCORE:DEPTH …", quoted(line)));
    };
    let profile = book.profile();
    let text = format!("{rows} {side} {first}");
    let position = profile.parse_position(&text).map_err(|error| error.to_string())?;
    if book.is_empty() && profile.start(book.start()) != Some(position) {
        return Err(format!("the first position is {}, not '{}'", book.start(), quoted(&text)));
    }
    // Only the start has no moves behind it.
    let plies = if book.is_empty() { 0..=0 } else { 1..=LAST_PLY };
    let ply = number(ply, "ply", plies)?;
    let moves = moves.iter().map(|text| {
        let parts: Vec<&str> = text.split(SEPARATOR).collect();
        let &[name, score, depth] = parts.as_slice() else {
            return Err(format!("'{}' is no MOVE:SCORE:DEPTH", quoted(text)));
        };
        let mv = profile.parse_move(&position, name).map_err(|error| error.to_string())?;
        let Move::Sow(pit) = mv else { return Err(format!("{} is a set-up", quoted(name))) };
        let score = number(score, "score", -MATE..=MATE)?;
        Ok(Scored { pit, score, depth: number(depth, "depth", 1..=MAX_PLY as u32)? })
    });
    let moves = moves.collect::<Result<Vec<_>, _>>()?;
    book.insert(Leaf { position, ply }, &moves)
}

/// A whole number within a range.
fn number<T: std::str::FromStr + PartialOrd + std::fmt::Display>(
    text: &str,
    name: &str,
    range: std::ops::RangeInclusive<T>,
) -> Result<T, String> {
    text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        format!("the {name} is a whole number from {least} to {most}, not '{}'", quoted(text))
    })
}
