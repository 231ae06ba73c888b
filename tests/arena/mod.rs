//! `kisolo match` from the outside, against engines that fail.

mod faults;
mod formats;
mod manager;

mod resume;
mod soak;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread::sleep;
use std::time::{Duration, Instant};

use kisolo::record::{GameRecord, RecordReader};
use tempfile::TempDir;

/// The binary under test.
pub const KISOLO: &str = env!("CARGO_BIN_EXE_kisolo");
/// A match that takes longer than this hangs; it is killed.
const PATIENCE: Duration = Duration::from_secs(240);

/// The mock engine, which `cargo test` builds as an example.
pub fn mock() -> PathBuf {
    let path = Path::new(KISOLO).with_file_name("examples").join("mock-engine");
    assert!(path.exists(), "first: cargo build --example mock-engine");
    path
}

/// Processes whose command line has a word, by their numbers.
pub fn processes_with(word: &str) -> Vec<u32> {
    let own = std::process::id();
    let entries = std::fs::read_dir("/proc").expect("/proc").flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|&pid| pid != own)
        .filter(|pid| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            line.split(|&byte| byte == 0).any(|argument| argument == word.as_bytes())
        })
        .collect()
}

/// Matches in a folder of their own, whose engines carry a tag.
pub struct Arena {
    folder: TempDir,
    tag: String,
}

/// What a match left.
pub struct Outcome {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
    pub records: Vec<GameRecord>,
}

impl Outcome {
    /// The exit status and everything that was said, for failed assertions.
    pub fn text(&self) -> String {
        format!("{}\n{}\n{}", self.status, self.stdout, self.stderr)
    }

    /// The numbers of the games in order.
    pub fn games(&self) -> Vec<u64> {
        let mut games: Vec<u64> = self.records.iter().map(|record| record.game).collect();
        games.sort_unstable();
        games
    }
}

impl Arena {
    pub fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Relaxed);
        let tag = format!("tag=kisolo-test-{}-{number}", std::process::id());
        Self { folder: tempfile::tempdir().expect("a folder"), tag }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The command of a mock.
    pub fn cmd(&self, words: &str) -> String {
        format!("'{}' {} {words}", mock().display(), self.tag)
    }

    /// The arguments of `--engine` for a mock.
    pub fn engine(&self, name: &str, words: &str) -> Vec<String> {
        vec!["--engine".into(), format!("name={name}"), format!("cmd={}", self.cmd(words))]
    }

    /// Two mocks: `good`, which never fails, and `bad`. Short games from the
    /// start position with records, where a move may take half a second, and
    /// a whole one more on a busy machine.
    pub fn against(&self, bad: &str) -> Vec<String> {
        let records = self.path("games.jsonl").display().to_string();
        let fixed = ["--each", "st=0.5", "--margin", "1000", "--plies", "0", "--turn-limit", "30"];
        let mut arguments = [self.engine("good", "seed=1"), self.engine("bad", bad)].concat();
        arguments.extend(fixed.map(str::to_owned));
        arguments.extend(["--records".to_owned(), records]);
        arguments
    }

    /// `kisolo match`, not started yet.
    pub fn command(&self, arguments: &[impl AsRef<str>]) -> Command {
        let mut command = Command::new(KISOLO);
        command.arg("match").args(arguments.iter().map(AsRef::as_ref));
        command.stdin(Stdio::null());
        let file = |name| std::fs::File::create(self.path(name)).expect("an output file");
        command.stdout(file("stdout")).stderr(file("stderr"));
        command
    }

    /// Plays a match to its end; fails if it hangs.
    pub fn play(&self, arguments: &[impl AsRef<str>]) -> Outcome {
        let mut child = self.command(arguments).spawn().expect("kisolo match");
        let status = wait(&mut child, PATIENCE);
        self.outcome(status)
    }

    /// What a match that has ended left; fails if it left a process.
    pub fn outcome(&self, status: ExitStatus) -> Outcome {
        let deadline = Instant::now() + Duration::from_secs(5);
        while !processes_with(&self.tag).is_empty() {
            assert!(Instant::now() < deadline, "orphans: {:?}", processes_with(&self.tag));
            sleep(Duration::from_millis(20));
        }
        let read = |name| {
            let bytes = std::fs::read(self.path(name)).unwrap_or_default();
            String::from_utf8(bytes).expect("text in UTF-8")
        };
        Outcome {
            status,
            stdout: read("stdout"),
            stderr: read("stderr"),
            records: self.records("games.jsonl"),
        }
    }

    /// The records in a file; each is checked against the rules.
    pub fn records(&self, name: &str) -> Vec<GameRecord> {
        let Ok(reader) = RecordReader::open(&self.path(name)) else { return Vec::new() };
        reader
            .map(|(number, record)| {
                let record = record.unwrap_or_else(|error| panic!("line {number}: {error}"));
                record.verify().unwrap_or_else(|error| panic!("line {number}: {error}"));
                record
            })
            .collect()
    }
}

/// Waits for a child to end; kills it and fails when it hangs.
pub fn wait(child: &mut Child, patience: Duration) -> ExitStatus {
    let deadline = Instant::now() + patience;
    loop {
        if let Some(status) = child.try_wait().expect("a status") {
            return status;
        }
        if Instant::now() >= deadline {
            child.kill().expect("a process to kill");
            panic!("the match hangs");
        }
        sleep(Duration::from_millis(5));
    }
}

/// Waits until something is so.
pub fn wait_until(what: &str, mut so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !so() {
        assert!(Instant::now() < deadline, "never: {what}");
        sleep(Duration::from_millis(2));
    }
}
