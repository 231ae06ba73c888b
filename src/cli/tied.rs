//! Engines that end with the arena, even when it is killed.
//!
//! Linux can send a process a signal when its parent dies, but the process has
//! to ask for it itself. So an engine is started by way of this program, which
//! asks and then becomes the engine. What the engine starts is not covered.

use clap::Args;

/// The command line of an engine.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The process that the engine ends with
    parent: i32,
    /// The engine
    program: String,
    /// The engine's arguments
    arguments: Vec<String>,
}

/// A command that does the same and ends with this process. The death of the
/// starting thread counts as well; threads of the arena outlive their engines.
#[cfg(target_os = "linux")]
pub fn tie(command: &[String]) -> Vec<String> {
    // This program, even if its file was replaced meanwhile.
    let own = ["/proc/self/exe", "tied", &std::process::id().to_string(), "--"].map(str::to_owned);
    [own.as_slice(), command].concat()
}

/// Elsewhere engines go by the end of their input.
#[cfg(not(target_os = "linux"))]
pub fn tie(command: &[String]) -> Vec<String> {
    command.to_vec()
}

/// Becomes the engine; returns only if that fails.
#[cfg(target_os = "linux")]
pub fn run(arguments: &Arguments) -> anyhow::Result<std::process::ExitCode> {
    use std::io::Write as _;
    use std::os::unix::process::CommandExt;

    use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};

    set_parent_process_death_signal(Some(Signal::KILL))?;
    // The parent may have died before.
    if getppid() == Pid::from_raw(arguments.parent) {
        let Arguments { program, arguments, .. } = arguments;
        let error = std::process::Command::new(program).args(arguments).exec();
        // The arena, which reads this, tells it.
        writeln!(std::io::stdout(), "{program} cannot be started: {error}")?;
    }
    Ok(std::process::ExitCode::FAILURE)
}

/// Nothing starts engines like this here.
#[cfg(not(target_os = "linux"))]
pub fn run(_: &Arguments) -> anyhow::Result<std::process::ExitCode> {
    anyhow::bail!("this is for Linux")
}
