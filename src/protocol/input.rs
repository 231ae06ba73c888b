//! Reading lines of any length and any bytes.

use std::io::{self, BufRead};
use std::sync::mpsc::SyncSender;

use crate::engine::Event;

/// The longest line that is taken, in bytes: a `position` line with a
/// million turns.
pub const LONGEST_LINE: usize = 4 << 20;

/// What the session reacts to.
#[derive(Debug)]
pub enum Input {
    /// A line, without its end.
    Line(String),
    /// A line that cannot be taken, and why.
    Bad(&'static str),
    /// The end of the input.
    End,
    /// A word from the engine's thread.
    Event(Event),
}

/// Reads lines and passes them on until the input ends or nobody listens.
pub fn forward(mut input: impl BufRead, sink: &SyncSender<Input>) {
    // An input that fails is an input that ends.
    while let Ok(Some(line)) = read_line(&mut input, LONGEST_LINE) {
        if sink.send(line.map_or_else(Input::Bad, Input::Line)).is_err() {
            return;
        }
    }
    // A session that is over does not mind.
    let _ = sink.send(Input::End);
}

/// The next line without its end, or why it cannot be taken; `None` at the
/// end of the input. A line of more than `longest` bytes is read to its end
/// but not kept.
///
/// # Errors
/// When the input fails.
pub fn read_line(
    input: &mut impl BufRead,
    longest: usize,
) -> io::Result<Option<Result<String, &'static str>>> {
    let mut line = Vec::new();
    let mut any = false;
    let mut too_long = false;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        if chunk.is_empty() {
            break;
        }
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        too_long |= line.len() + part.len() > longest;
        if !too_long {
            line.extend_from_slice(part);
        }
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(any.then(|| match String::from_utf8(line) {
        _ if too_long => Err("the line is too long"),
        Ok(line) => Ok(line),
        Err(_) => Err("the line is not valid UTF-8"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;
    use std::sync::mpsc;

    fn read(bytes: &[u8]) -> Vec<Input> {
        let (sender, receiver) = mpsc::sync_channel(16);
        // A small buffer, so that lines arrive in parts.
        forward(BufReader::with_capacity(7, bytes), &sender);
        drop(sender);
        receiver.iter().collect()
    }

    #[test]
    fn lines_arrive_whole() {
        let inputs = read(b"isready\r\n\nposition startpos moves a1\nquit");
        let lines: Vec<&str> = inputs
            .iter()
            .map(|input| match input {
                Input::Line(line) => line.as_str(),
                Input::End => "END",
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(lines, ["isready\r", "", "position startpos moves a1", "quit", "END"]);
    }

    #[test]
    fn bad_lines_are_passed_over() {
        let mut bytes = vec![b'x'; LONGEST_LINE + 1];
        bytes.extend_from_slice(b"\nuci\n\xff\xfe\n");
        let inputs = read(&bytes);
        assert!(matches!(
            inputs.as_slice(),
            [Input::Bad(_), Input::Line(_), Input::Bad(_), Input::End]
        ));
    }
}
