//! The command line: one file per subcommand.

mod analyse;
mod bench;
mod display;
mod engines;
mod r#match;
mod openings;
mod perft;
mod position;
mod show;
mod standings;
mod turns;
mod values;

use std::io::{self, BufReader, ErrorKind};
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

/// Bad input or usage.
const FAILED: u8 = 2;

const EXAMPLES: &str = "\
Examples:
  kisolo                                   speak UCI or UGI on standard input and output
  kisolo analyse startpos --time 2         the best turn of a position
  kisolo show startpos --moves 'a1 g4'     the board after some moves
  kisolo perft startpos --depth 6          count turn sequences
  kisolo turns --profile isolo FILE        every turn of every position in FILE, as JSON
  kisolo match                             a match against a weaker setting of itself
  kisolo bench                             nodes a second, and the signature of the search

The profiles are kisolo (the default), kisolo-free, kisolo-full and isolo.
PROTOCOL.md describes position strings, moves and the protocol.";

/// An engine for the four-row mancala games Kisolo and Isolo.
///
/// Without a command it speaks UCI and UGI on standard input and output, for
/// tournament managers and graphical boards.
#[derive(Debug, Parser)]
#[command(name = "kisolo", version, about, after_help = EXAMPLES, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Search a position and print what was found
    Analyse(analyse::Arguments),
    /// Search fixed positions of all profiles: speed, and a signature of the search
    Bench,
    /// Play engines against engines, with ratings, a sequential test and records
    Match(Box<r#match::Arguments>),
    /// Count turn sequences, the standard check of turn generation
    Perft(perft::Arguments),
    /// Draw a position, with its legal moves
    Show(show::Arguments),
    /// Print every turn of every given position as JSON, for programs that need the rules
    Turns(turns::Arguments),
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let parsed = Arguments::command().try_get_matches().and_then(|matches| {
        let arguments = Arguments::from_arg_matches(&matches)?;
        Ok((arguments, matches))
    });
    let (arguments, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            if error.use_stderr() {
                eprintln!("kisolo: {}", one_line(&error));
                return ExitCode::from(FAILED);
            }
            // Help and version; a closed pipe is all that can go wrong.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
    };
    match run(arguments, &matches) {
        Ok(status) => status,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kisolo: {error:#}");
            ExitCode::from(FAILED)
        }
    }
}

fn run(arguments: Arguments, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    match arguments.command {
        None => {
            let input = BufReader::new(io::stdin());
            crate::protocol::run(input, io::stdout().lock())?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Analyse(arguments)) => analyse::run(&arguments),
        Some(Command::Bench) => bench::run(),
        Some(Command::Match(arguments)) => {
            // The name of the command is the one just matched.
            let own = matches.subcommand().map_or(matches, |(_, own)| own);
            r#match::run(&arguments, own)
        }
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        Some(Command::Show(arguments)) => show::run(&arguments),
        Some(Command::Turns(arguments)) => turns::run(&arguments),
    }
}

/// What is wrong with the command line, without the usage that follows it.
fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let wrong: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .filter(|line| !line.is_empty())
        .collect();
    format!("{} (see --help)", wrong.join(" ").trim_start_matches("error: "))
}

/// Whether nobody reads any more what is written: no fault of anyone's.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        io.or_else(|| cause.downcast_ref::<serde_json::Error>()?.io_error_kind())
    };
    error.chain().any(|cause| kind(cause) == Some(ErrorKind::BrokenPipe))
}
