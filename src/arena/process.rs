//! A child process that is talked to line by line, with a deadline on every
//! answer. It never hangs its owner and never outlives it.

use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use thiserror::Error;

use super::log::Log;
use crate::protocol::read_line;

/// Lines of a child that may wait to be read; then the child waits.
const ROOM: usize = 256;
/// The longest line of a child that is looked at, in bytes.
const LONGEST_LINE: usize = 64 << 10;
/// How long a child may leave its input unread before it is closed.
const INPUT_PATIENCE: Duration = Duration::from_secs(5);
/// How long a child may take to end after `quit`.
const QUIT_PATIENCE: Duration = Duration::from_millis(500);
/// How long the last words of a killed child are waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);

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
    /// Disconnected once the standard error has been read to its end.
    errors: Receiver<()>,
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
        let (open, errors) = sync_channel(0);
        let stdin = child.stdin.take();
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        // From here on the child is killed if anything fails.
        let process = Self { child, stdin, lines, errors };
        if let Some(stdin) = &process.stdin {
            // A child that does not read must not hang its owner.
            ioctl_fionbio(stdin, true)?;
        }
        if let Some(stdout) = stdout {
            spawn(format!("{name} out"), move || forward(BufReader::new(stdout), &sender))?;
        }
        if let Some(stderr) = stderr {
            let (name, log) = (name.to_owned(), Arc::clone(log));
            spawn(format!("{name} err"), move || {
                let _open = open;
                drain(BufReader::new(stderr), &name, &log);
            })?;
        }
        Ok(process)
    }

    /// Sends lines, each with its end. Whether the child is there to read
    /// them shows when an answer is awaited.
    pub fn send(&mut self, lines: &str) {
        self.send_within(lines, INPUT_PATIENCE);
    }

    fn send_within(&mut self, lines: &str, patience: Duration) {
        if let Some(stdin) = &mut self.stdin
            && write_within(stdin, lines.as_bytes(), patience).is_err()
        {
            self.stdin = None;
        }
    }

    /// The next line of the child.
    ///
    /// # Errors
    /// When none comes before `deadline`, or none will ever come.
    pub fn read(&self, deadline: Instant) -> Result<String, Silence> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => {
                // Children that it left behind would keep its pipes open.
                if self.has_ended() {
                    self.kill_group();
                }
                Silence::Timeout
            }
            RecvTimeoutError::Disconnected => Silence::Ended,
        })
    }

    /// Sends `quit` and gives the child a little time to follow it.
    pub fn quit(mut self) {
        let deadline = Instant::now() + QUIT_PATIENCE;
        self.send_within("quit\n", QUIT_PATIENCE);
        self.stdin = None;
        while Instant::now() < deadline && !self.has_ended() {
            // Its last words must not keep it from ending.
            let _ = self.read(Instant::now() + Duration::from_millis(1));
        }
    }

    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
    }

    /// Whether the child has ended. It is not reaped by this, so that its
    /// number and that of its group stay its own.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = self.pid().map(|pid| waitid(WaitId::Pid(pid), options));
        !matches!(status, Some(Ok(None)))
    }

    fn kill_group(&self) {
        if let Some(group) = self.pid() {
            // Fails only if nobody is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stdin = None;
        self.kill_group();
        let _ = self.child.kill();
        let _ = self.child.wait();
        // What it wrote at the end, perhaps why, belongs into the log.
        let _ = self.errors.recv_timeout(LAST_WORDS);
    }
}

/// Writes to a pipe that does not block.
fn write_within(pipe: &mut ChildStdin, mut bytes: &[u8], patience: Duration) -> io::Result<()> {
    const TURN: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    let deadline = Instant::now() + patience;
    while !bytes.is_empty() {
        match pipe.write(bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock && Instant::now() < deadline => {
                let _ = poll(&mut [PollFd::new(pipe, PollFlags::OUT)], Some(&TURN));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
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
        if let Ok(line) = line.text()
            && sink.send(line).is_err()
        {
            return;
        }
    }
}

/// Reads the child's standard error to its end.
fn drain(mut output: impl BufRead, name: &str, log: &Log) {
    while let Ok(Some(line)) = read_line(&mut output, LONGEST_LINE) {
        match line.text() {
            Ok(line) => log.write(name, "err", &line),
            Err(why) => log.write(name, "err", &format!("({why})")),
        }
    }
}
