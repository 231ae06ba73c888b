//! Lines from a stream that is not to be trusted: of any length and any bytes.

use std::io::{self, BufRead, Read};

/// A line without its line feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its bytes; of a line that is too long, as many as were allowed.
    pub bytes: Vec<u8>,
    /// Whether there was more of it.
    pub too_long: bool,
}

impl Line {
    /// The line as text.
    ///
    /// # Errors
    /// Says why it cannot be taken.
    pub fn text(self) -> Result<String, String> {
        if self.too_long {
            return Err(format!("the line is longer than {} bytes", self.bytes.len()));
        }
        String::from_utf8(self.bytes).map_err(|_| "the line is not valid UTF-8".to_owned())
    }
}

/// The next line; `None` at the end of the input. Of a line of more than
/// `longest` bytes the rest is read but not kept, so that no line can exhaust
/// the memory.
///
/// # Errors
/// When the input fails.
pub fn read_line(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    input.by_ref().take(longest as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let ended = bytes.pop_if(|last| *last == b'\n').is_some();
    let too_long = bytes.len() > longest;
    if too_long && !ended {
        input.skip_until(b'\n')?;
    }
    bytes.truncate(longest);
    Ok(Some(Line { bytes, too_long }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    const LONGEST: usize = 100;

    fn next(input: &mut impl BufRead) -> Option<Line> {
        read_line(input, LONGEST).unwrap()
    }

    fn line(text: &[u8]) -> Option<Line> {
        Some(Line { bytes: text.to_vec(), too_long: false })
    }

    #[test]
    fn lines_arrive_whole() {
        let bytes: &[u8] = b"unix\nwindows\r\n\n\xff?\nposition startpos moves a1\nlast";
        // A small buffer, so that lines arrive in parts.
        let mut input = BufReader::with_capacity(7, bytes);
        for want in bytes.split(|&byte| byte == b'\n') {
            assert_eq!(next(&mut input), line(want));
        }
        assert_eq!(next(&mut input), None);
    }

    #[test]
    fn the_limit_is_exact() {
        for (length, end) in [(LONGEST, ""), (LONGEST, "\n"), (LONGEST + 1, "\n")] {
            let whole = "x".repeat(length);
            let input = format!("{whole}{end}next");
            let mut input = input.as_bytes();
            let read = next(&mut input).unwrap();
            assert_eq!(read.bytes, [b'x'; LONGEST]);
            assert_eq!(read.too_long, end.is_empty() || length > LONGEST, "{length}{end:?}");
            let rest = if end.is_empty() { None } else { line(b"next") };
            assert_eq!(next(&mut input), rest, "without an end 'next' belongs to the line");
        }
    }

    #[test]
    fn a_line_of_a_hundred_megabytes_is_skipped() {
        let long = io::repeat(b'x').take(100 << 20);
        let mut input = BufReader::new(long.chain(&b"\nnext\n"[..]));
        let read = next(&mut input).unwrap();
        assert!(read.bytes.capacity() < 10 * LONGEST);
        assert_eq!(read.text(), Err("the line is longer than 100 bytes".to_owned()));
        assert_eq!(next(&mut input), line(b"next"));
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let refused = next(&mut &b"\xff\xfe\n"[..]).unwrap().text();
        assert_eq!(refused, Err("the line is not valid UTF-8".to_owned()));
        assert_eq!(next(&mut &b"\xc3\xa4\n"[..]).unwrap().text(), Ok("\u{e4}".to_owned()));
    }
}
