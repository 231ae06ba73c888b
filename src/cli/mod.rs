//! The command line: one file for each subcommand.
//!
//! Exit status: 0, 1 when some of many inputs were bad and the rest was
//! done, 2 for bad usage or bad input. Errors are one line on standard error.

mod lines;
mod perft;
mod position;
mod show;
mod turns;

use std::io::{self, BufWriter, StdoutLock, Write};
use std::process::ExitCode;

use anyhow::bail;
use clap::{Parser, Subcommand};

/// What `kisolo --help` says after the list of commands.
const EXAMPLES: &str = "\
Examples:
  kisolo show                            the start of the default profile
  kisolo show startpos1 --moves 'a1 g4'  a position after some moves
  kisolo show '0,2,0,8,0,0,3/5,0,0,3,0,0,0/0,0,1,1,0,4,4/0,0,7,0,0,3,1 N -'
  kisolo perft -p isolo --depth 6        count the turn sequences
  kisolo turns FILE                      every turn of every position, as JSON

Profiles: kisolo (the default), kisolo-free, kisolo-full, isolo.
A position is ROW4/ROW3/ROW2/ROW1 SIDE FIRST or the name of a start position.
A move is a pit such as e2; a set-up (kisolo-free) is @ and 14 counts.

Exit status: 0 when all is well, 1 when some lines of many were bad,
2 for bad usage or bad input.";

/// An engine for the four-row mancala games Kisolo and Isolo.
///
/// Two players, South (rows 1 and 2) and North (rows 3 and 4), sow seeds
/// around their own two rows and capture from the columns they share. Four
/// rules profiles are known, each with its own board, start and captures.
#[derive(Debug, Parser)]
#[command(name = "kisolo", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// Each command explains itself in its own file.
#[derive(Debug, Subcommand)]
enum Command {
    Show(show::ShowArgs),
    Perft(perft::PerftArgs),
    Turns(turns::TurnsArgs),
}

/// Does what the command line asks for and reports errors; returns the exit
/// status.
pub fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(code) => code,
        // Whoever read the output has had enough of it: no error.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to be done where standard error is closed too.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Turns(args)) => turns::run(&args),
        // The place of `protocol::run`, which is to come.
        None => bail!("the engine protocol is not built yet; `kisolo --help` lists the commands"),
    }
}

/// Standard output for a subcommand: it flushes what it writes, so that
/// errors are seen, and writes by `writeln!`, since `println!` panics when
/// the pipe is closed.
fn output() -> BufWriter<StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let cause = cause.downcast_ref::<io::Error>();
        cause.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
