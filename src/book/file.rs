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

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3,3 S -";
    const AFTER: &str = "3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,1,1,1/3,3,3,3,3,3,0 N -";

    fn text() -> String {
        let version = env!("CARGO_PKG_VERSION");
        format!(
            "{TITLE}\n# profile: kisolo\n# start: startpos\n# positions: 2\n\
             # engine: kisolo {version}\n# command: one\n# command: two\n\
             {START} 0 g1:120:14 a1:-8:14\n{AFTER} 1 a4:29990:13\n"
        )
    }

    fn refusal(bytes: &[u8]) -> String {
        Book::parse(bytes).err().expect("a file that is no book").to_string()
    }

    #[test]
    fn what_is_read_is_written_again() {
        let book = Book::parse(text().as_bytes()).unwrap();
        assert_eq!((book.len(), book.commands.len()), (2, 2));
        let mut written = Vec::new();
        book.write(&mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), text());
        let scores: Vec<i32> =
            book.moves(&Profile::Kisolo.start_position()).iter().map(|known| known.score).collect();
        assert_eq!(scores, [-8, -29_989]);
    }

    #[test]
    fn a_part_of_a_book_is_none() {
        let text = text();
        for end in 0..text.len() {
            let error = refusal(&text.as_bytes()[..end]);
            assert!(error.starts_with("line ") && error.lines().count() == 1, "{end}: {error}");
        }
    }

    #[test]
    fn hostile_files_are_refused_by_line() {
        for (old, new, line, part) in [
            (TITLE, "# kisolo book 2", 1, "a book begins with '# kisolo book 1'"),
            (TITLE, "# openings of kisolo", 1, "not '# openings of kisolo'"),
            ("profile: kisolo", "profile: chess", 2, "'chess' is no profile"),
            ("profile: kisolo", "profil: kisolo", 2, "'# profile: …' belongs here"),
            ("profile: kisolo", "profile: isolo", 8, "row 4 has 7 counts"),
            ("start: startpos", "start: startpos9", 3, "'startpos9' is no start position"),
            ("start: startpos", "start: startpos1", 8, "the first position is startpos1"),
            ("positions: 2", "positions: -1", 4, "'-1' is no number"),
            ("positions: 2", "positions: 1", 9, "nothing belongs behind"),
            ("positions: 2", "positions: 999999999999", 10, "ends after 2 of its 999999999999"),
            (" 0 g1", " 1 g1", 8, "the ply is a whole number from 0 to 0, not '1'"),
            (" 1 a4", " 0 a4", 9, "from 1 to 1000"),
            (" 1 a4", " 4294967295 a4", 9, "from 1 to 1000"),
            (" 1 a4:29990:13", " 1", 9, "no moves"),
            (" 1 a4:29990:13", "", 9, "POSITION PLY MOVE:SCORE:DEPTH"),
            (":13\n", ":0\n", 9, "the depth is a whole number from 1 to 128"),
            ("a4:29990", "a4:30001", 9, "the score is a whole number from -30000 to 30000"),
            ("a4:29990:13", "a4:29990", 9, "'a4:29990' is no MOVE:SCORE:DEPTH"),
            ("a4:29990", "a1:29990", 9, "a1 is not a pit of North"),
            ("a4:29990", "a3:29990", 9, "a3 is not legal"),
            ("a1:-8", "g1:-8", 8, "the move g1 occurs twice"),
            (AFTER, START, 9, "the position occurs twice"),
            ("0,0,0,0,1,1,1/3", "0,0,0,0,1,1,2/3", 9, "43 seeds"),
        ] {
            let text = text();
            assert!(text.contains(old), "{old}");
            // The moves of the start are not those of North.
            let changed = text.replacen(old, new, 1);
            let changed =
                if new == START { changed.replace("1 a4:29990", "1 a1:29990") } else { changed };
            let error = refusal(changed.as_bytes());
            assert!(error.starts_with(&format!("line {line}: ")), "{new}: {error}");
            assert!(error.contains(part), "{new}: {error}");
        }
        assert_eq!(refusal(b"# kisolo book 1\n\xff"), "line 2: this is not UTF-8");
        assert!(refusal(b"").starts_with("line 1: "));
    }

    #[test]
    fn folders_and_devices_are_no_books() {
        for (path, want) in [("/", "no regular file"), ("/dev/zero", "no regular file")] {
            assert_eq!(Book::read(Path::new(path)).err().unwrap().to_string(), want);
        }
    }
}
