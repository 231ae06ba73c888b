//! A child process that is talked to line by line, with a deadline on every
//! answer. It never hangs its owner and never outlives it.

use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use thiserror::Error;

use super::log::Log;
use crate::protocol::read_line;

/// Lines of a child that may wait to be read; then the child waits.
const ROOM: usize = 1024;
/// The longest line of a child that is looked at, in bytes.
const LONGEST_LINE: usize = 1 << 20;
/// What a pipe takes at once, with certainty, even from a child that does
/// not read: half of what Linux gives to a pipe.
const PIPE_SAFE: usize = 32 << 10;
/// How long a child may take to end after `quit`.
const QUIT_PATIENCE: Duration = Duration::from_millis(500);

/// Why no line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Silence {
    /// The time is over.
    #[error("no answer in time")]
    Timeout,
    /// The child has closed its output, so it is dead or as good as dead.
    #[error("the process has ended")]
    Ended,
}

/// A running child. Dropping it kills it with all processes of its group.
#[derive(Debug)]
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    /// Starts a program with its arguments. What it writes to its standard
    /// error goes to `log` under `name`.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn start(name: &str, words: &[String], log: &Arc<Log>) -> io::Result<Self> {
        let (program, arguments) =
            words.split_first().ok_or_else(|| io::Error::other("the command is empty"))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own: Ctrl-C at the terminal is the arena's alone,
            // and children of the child are killed with it.
            .process_group(0)
            .spawn()?;
        let (sender, lines) = sync_channel(ROOM);
        let stdin = child.stdin.take();
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        // From here on the child is killed if anything fails.
        let process = Self { child, stdin, lines };
        if let Some(stdout) = stdout {
            spawn(format!("{name} out"), move || forward(BufReader::new(stdout), &sender))?;
        }
        if let Some(stderr) = stderr {
            let (name, log) = (name.to_owned(), Arc::clone(log));
            spawn(format!("{name} err"), move || drain(BufReader::new(stderr), &name, &log))?;
        }
        Ok(process)
    }

    /// Sends lines, each with its end. Whether the child is there to read
    /// them shows when an answer is awaited.
    pub fn send(&mut self, lines: &str) {
        let Some(stdin) = &mut self.stdin else { return };
        if lines.len() <= PIPE_SAFE {
            if stdin.write_all(lines.as_bytes()).is_err() {
                self.stdin = None;
            }
            return;
        }
        // A child that does not read must not hang the arena. The thread ends
        // with the child at the latest.
        if let Some(mut stdin) = self.stdin.take() {
            let bytes = lines.as_bytes().to_vec();
            let (sender, written) = sync_channel(1);
            let thread = spawn("long line".to_owned(), move || {
                if stdin.write_all(&bytes).is_ok() {
                    let _ = sender.send(stdin);
                }
            });
            if thread.is_ok() {
                self.stdin = written.recv_timeout(Duration::from_secs(5)).ok();
            }
        }
    }

    /// The next line of the child.
    ///
    /// # Errors
    /// When none comes before `deadline`, or none will ever come.
    pub fn read(&self, deadline: Instant) -> Result<String, Silence> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::Timeout,
            RecvTimeoutError::Disconnected => Silence::Ended,
        })
    }

    /// A line that is there already.
    pub fn waiting(&self) -> Option<String> {
        self.lines.try_recv().ok()
    }

    /// Sends `quit` and gives the child a little time to follow it.
    pub fn quit(mut self) {
        self.send("quit\n");
        self.stdin = None;
        let deadline = Instant::now() + QUIT_PATIENCE;
        while Instant::now() < deadline {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            // Its last words must not keep it from ending.
            while self.waiting().is_some() {}
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stdin = None;
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(group) = group {
            // Fails only if nobody is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(name: String, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    // The system cuts names of threads at fifteen bytes.
    let name: String = name.chars().filter(|c| *c != '\0').take(15).collect();
    thread::Builder::new().name(name).spawn(work).map(drop)
}

/// Passes lines on until the child or its owner is gone. Lines that are too
/// long or no text are passed over.
fn forward(mut output: impl BufRead, sink: &SyncSender<String>) {
    while let Ok(Some(line)) = read_line(&mut output, LONGEST_LINE) {
        if let Ok(line) = line
            && sink.send(line).is_err()
        {
            return;
        }
    }
}

/// Reads the child's standard error to its end.
fn drain(mut output: impl BufRead, name: &str, log: &Log) {
    while let Ok(Some(line)) = read_line(&mut output, LONGEST_LINE) {
        match line {
            Ok(line) => log.write(name, "err", &line),
            Err(why) => log.write(name, "err", &format!("({why})")),
        }
    }
}
