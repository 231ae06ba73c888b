//! The command line: one file per subcommand.

mod analyse;
mod annotate;
mod bench;
mod book;
mod calibrate;
mod chance;
mod display;
mod engines;
mod games;
mod r#match;
mod openings;
mod output;
mod perft;
mod play;
mod position;
mod rate;
mod records;
mod report;
mod running;
mod show;
mod solve;
mod standings;
#[cfg(feature = "table")]
mod table;
mod think;
mod tied;
mod train;
mod tune;
mod turns;
mod values;

use std::io::{self, BufReader, BufWriter, ErrorKind, StdoutLock, Write};
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

/// Bad input or usage.
const FAILED: u8 = 2;

const EXAMPLES: &str = "\
Examples:
  kisolo                                   speak UCI or UGI on standard input and output
  kisolo play                              a game against the engine, in the terminal
  kisolo analyse startpos --time 2         the best turn of a position
  kisolo annotate games.jsonl              every turn of whole games judged
  kisolo solve startpos --time 60          proof of a win, a loss or a draw
  kisolo show startpos --moves 'a1 g4'     the board after some moves
  kisolo perft startpos --depth 6          count turn sequences
  kisolo turns --profile isolo FILE        every turn of every position in FILE, as JSON
  kisolo book grow FILE                    an opening book for the engine
  kisolo calibrate STATE                   measure the levels of UCI_Elo by games
  kisolo match                             a match against a weaker setting of itself
  kisolo table --open                      play, watch and analyse in a browser
  kisolo rate games.jsonl                  ratings of all players in files of records
  kisolo report games.jsonl -o page.html   a page with tables, charts and games to replay
  kisolo train generate FOLDER             games of the engine against itself, to learn from
  kisolo bench                             nodes a second, and the signature of the search

The profiles are kisolo (the default), kisolo-free, kisolo-full and isolo.
A position is ROW4/ROW3/ROW2/ROW1 SIDE FIRST or the name of a start position.
A move is a pit such as e2; a set-up (kisolo-free) is @ and 14 counts.
PROTOCOL.md describes them, and the protocol.

Exit status: 0 when all is well, 1 when some of many inputs were bad or a match
was broken off, 2 for bad usage or bad input.";

/// An engine for the four-row mancala games Kisolo and Isolo.
///
/// Without a command it speaks UCI and UGI on standard input and output, for
/// tournament managers and graphical boards.
#[derive(Debug, Parser)]
#[command(name = "kisolo", version, args_conflicts_with_subcommands = true, about, after_help = EXAMPLES, max_term_width = 100)]
struct Arguments {
    /// Make the constants of the search options of the protocol, for tuners
    #[arg(long)]
    tunables: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Search a position and print what was found
    Analyse(analyse::Arguments),
    Annotate(annotate::Arguments),
    /// Search fixed positions of all profiles: speed, and a signature of the search
    Bench(bench::Arguments),
    /// Make a file of even openings, or grow the engine's own book
    Book(book::Arguments),
    /// Measure the levels of UCI_Elo by games, and find their strengths
    Calibrate(calibrate::Arguments),
    /// Export, import, show, count and check records of games
    Games(games::Arguments),
    /// Play engines against engines, with ratings, a sequential test and records
    Match(Box<r#match::Arguments>),
    Perft(perft::PerftArgs),
    Play(play::Arguments),
    /// Rate the players of any number of record files
    Rate(rate::Arguments),
    /// Write a page on all games of any number of record files
    Report(report::Arguments),
    Show(show::ShowArgs),
    #[cfg(feature = "table")]
    Table(Box<table::Arguments>),
    /// Become an engine that ends with its parent
    #[command(hide = true)]
    Tied(tied::Arguments),
    Solve(solve::Arguments),
    /// Make samples by self-play and fit networks to them
    Train(train::Arguments),
    /// Tune the constants of the search by self-play
    Tune(tune::Arguments),
    Turns(turns::TurnsArgs),
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
                // Nothing is left to be done where standard error is closed too.
                let _ = writeln!(io::stderr(), "error: {}", one_line(&error));
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
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(FAILED)
        }
    }
}

fn run(arguments: Arguments, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    // The raw arguments of the command that was matched.
    let own = matches.subcommand().map_or(matches, |(_, own)| own);
    match arguments.command {
        None => {
            let input = BufReader::new(io::stdin());
            crate::protocol::run(input, io::stdout().lock(), arguments.tunables)?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Analyse(arguments)) => analyse::run(&arguments),
        Some(Command::Annotate(arguments)) => annotate::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Book(arguments)) => book::run(&arguments),
        Some(Command::Calibrate(arguments)) => calibrate::run(&arguments),
        Some(Command::Games(arguments)) => games::run(&arguments),
        Some(Command::Match(arguments)) => r#match::run(&arguments, own),
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        Some(Command::Play(arguments)) => play::run(&arguments),
        Some(Command::Rate(arguments)) => rate::run(&arguments),
        Some(Command::Report(arguments)) => report::run(&arguments),
        Some(Command::Show(arguments)) => show::run(&arguments),
        #[cfg(feature = "table")]
        Some(Command::Table(arguments)) => table::run(&arguments, own),
        Some(Command::Tied(arguments)) => tied::run(&arguments),
        Some(Command::Solve(arguments)) => solve::run(&arguments),
        Some(Command::Train(arguments)) => train::run(&arguments),
        Some(Command::Tune(arguments)) => tune::run(&arguments),
        Some(Command::Turns(arguments)) => turns::run(&arguments),
    }
}

/// Standard output for a subcommand: it flushes what it writes, so that
/// errors are seen, and writes by `writeln!`, since `println!` panics when
/// the pipe is closed.
fn output() -> BufWriter<StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

/// A line on standard error about something that is no failure.
fn warn(text: &str) {
    // Nothing is left to be done where standard error is closed.
    let _ = writeln!(io::stderr(), "warning: {text}");
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
