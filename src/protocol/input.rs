//! What a session reads, line by line.

use std::io::BufRead;
use std::sync::mpsc::SyncSender;

use super::lines::read_line;
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
    Bad(String),
    /// The end of the input.
    End,
    /// A word from the engine's thread.
    Event(Event),
}

/// Reads lines and passes them on until the input ends or nobody listens.
pub fn forward(mut input: impl BufRead, sink: &SyncSender<Input>) {
    // An input that fails is an input that ends.
    while let Ok(Some(line)) = read_line(&mut input, LONGEST_LINE) {
        if sink.send(line.text().map_or_else(Input::Bad, Input::Line)).is_err() {
            return;
        }
    }
    // A session that is over does not mind.
    let _ = sink.send(Input::End);
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
