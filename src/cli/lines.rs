//! Lines of text from a stream that is not to be trusted.

use std::io::{self, BufRead, Read};

/// The longest line that is taken, in bytes. No position string of any
/// profile is a tenth as long.
pub const LONGEST: usize = 4096;

/// What reading one line gave.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its end (`\n`, `\r\n`, or nothing at the end of the
    /// stream). Bytes that are no UTF-8 became replacement characters.
    Text(String),
    /// The start of a line of more than [`LONGEST`] bytes. The rest was
    /// skipped, so that no line can exhaust the memory.
    TooLong(String),
    /// The stream is at its end.
    End,
}

/// Reads one line.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Line> {
    let mut bytes = Vec::new();
    input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Line::End);
    }
    let ended = bytes.pop_if(|last| *last == b'\n').is_some();
    let too_long = bytes.len() > LONGEST;
    if ended {
        bytes.pop_if(|last| *last == b'\r');
    } else if too_long {
        input.skip_until(b'\n')?;
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(if too_long { Line::TooLong(text) } else { Line::Text(text) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn lines_end_in_every_usual_way() {
        let mut input: &[u8] = b"unix\nwindows\r\n\n\xff?\nlast";
        for want in ["unix", "windows", "", "\u{fffd}?", "last"] {
            assert_eq!(read_line(&mut input).unwrap(), text(want));
        }
        assert_eq!(read_line(&mut input).unwrap(), Line::End);
    }

    #[test]
    fn the_limit_is_exact() {
        for (length, end) in [(LONGEST, ""), (LONGEST, "\n"), (LONGEST + 1, "\n")] {
            let whole = "x".repeat(length);
            let input = format!("{whole}{end}next");
            let mut input = input.as_bytes();
            let line = read_line(&mut input).unwrap();
            if end.is_empty() {
                assert!(matches!(line, Line::TooLong(_)), "'next' belongs to the line");
            } else {
                assert_eq!(line == text(&whole), length == LONGEST);
                assert_eq!(read_line(&mut input).unwrap(), text("next"));
            }
        }
    }

    #[test]
    fn a_line_of_a_hundred_megabytes_is_skipped() {
        let long = io::repeat(b'x').take(100 << 20);
        let mut input = BufReader::new(long.chain(&b"\nnext\n"[..]));
        let Line::TooLong(start) = read_line(&mut input).unwrap() else { panic!("not too long") };
        assert!(start.len() <= LONGEST + 1);
        assert_eq!(read_line(&mut input).unwrap(), text("next"));
    }
}
