//! A program that speaks with the real binary as a manager does.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// What "within 100 ms" is allowed to take on a loaded machine.
pub const PROMPT: Duration = Duration::from_secs(2);
/// What "within a second" is allowed to take on a loaded machine.
pub const SOON: Duration = Duration::from_secs(5);
/// Nothing takes longer than this.
const DEADLINE: Duration = Duration::from_secs(60);
/// How long nothing has to come before it counts as silence.
const SILENCE: Duration = Duration::from_millis(150);

/// A running engine; it is killed when the value is dropped.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    /// Starts the engine.
    pub fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kisolo"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut line = String::new();
            while output.read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
                // Without `trim`: what ends a line is looked at, too.
                let text = line.strip_suffix('\n').unwrap_or("(a line without an end)");
                if sender.send(text.to_owned()).is_err() {
                    return;
                }
                line.clear();
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines }
    }

    /// Starts the engine with the rules of a profile.
    pub fn with_profile(profile: impl std::fmt::Display) -> Self {
        let mut engine = Self::start();
        engine.send(&format!("setoption name UCI_Variant value {profile}"));
        assert_eq!(engine.sync(), [""; 0]);
        engine
    }

    /// Sends lines.
    pub fn send(&mut self, lines: &str) {
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// The next line, if one comes within `limit`.
    pub fn line_within(&self, limit: Duration) -> Option<String> {
        match self.lines.recv_timeout(limit) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the engine has ended"),
        }
    }

    /// The next line.
    pub fn line(&self) -> String {
        self.line_within(DEADLINE).expect("the engine says nothing")
    }

    /// All lines up to one that begins with `start`, that one being the last.
    pub fn until(&self, start: &str) -> Vec<String> {
        self.until_within(start, DEADLINE)
    }

    /// The same with a limit of time.
    pub fn until_within(&self, start: &str, limit: Duration) -> Vec<String> {
        let since = Instant::now();
        let mut lines = Vec::new();
        loop {
            let left = limit.saturating_sub(since.elapsed());
            let line = self.line_within(left);
            lines.push(line.unwrap_or_else(|| panic!("no '{start}' in {limit:?}: {lines:?}")));
            if lines[lines.len() - 1].starts_with(start) {
                return lines;
            }
        }
    }

    /// Sends `isready`; the lines that come before the answer.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        assert_eq!(lines.pop().as_deref(), Some("readyok"));
        lines
    }

    /// Sends lines; what comes in answer to them.
    pub fn ask(&mut self, lines: &str) -> Vec<String> {
        self.send(lines);
        self.sync()
    }

    /// Sends a line whose answer is an error; returns it.
    #[track_caller]
    pub fn refused(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        assert!(
            answer.len() == 1 && answer[0].starts_with("info string error: "),
            "{line}: {answer:?}"
        );
        answer[0].clone()
    }

    /// Sends a `go` line; all lines up to the bestmove, that one being the
    /// last.
    pub fn go(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.until("bestmove")
    }

    /// The position on the board.
    pub fn position(&mut self) -> String {
        let answer = self.ask("query fen");
        answer[0].strip_prefix("response ").unwrap().to_owned()
    }

    /// Checks that no bestmove comes of itself, and that the search is on.
    #[track_caller]
    pub fn assert_searching(&mut self) {
        let since = Instant::now();
        while let Some(left) = SILENCE.checked_sub(since.elapsed()) {
            if let Some(line) = self.line_within(left) {
                assert!(line.starts_with("info "), "{line}");
            }
        }
        self.send("go");
        let lines = self.until("info string error");
        assert!(lines.iter().all(|line| line.starts_with("info ")), "{lines:?}");
        assert!(lines[lines.len() - 1].contains("a search is running"), "{lines:?}");
    }

    /// Checks that nothing comes for a while.
    #[track_caller]
    pub fn assert_silent(&self) {
        assert_eq!(self.line_within(SILENCE), None);
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Checks that the engine ends well within `limit`; what it still said.
    pub fn assert_exit(mut self, limit: Duration) -> Vec<String> {
        let since = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(since.elapsed() < limit, "the engine does not end in {limit:?}");
            thread::sleep(Duration::from_millis(5));
        };
        assert!(status.success(), "{status}");
        self.lines.iter().collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The word behind `name` in a line.
pub fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|&word| word == name)?;
    words.next()
}

/// The lines without what depends on time: the fields `nps` and `time`.
pub fn timeless(lines: &[String]) -> Vec<String> {
    let strip = |line: &String| {
        let mut skip = false;
        let words = line.split(' ').filter(|&word| {
            let kept = !skip && word != "nps" && word != "time";
            skip = word == "nps" || word == "time";
            kept
        });
        words.collect::<Vec<_>>().join(" ")
    };
    lines.iter().map(strip).collect()
}
