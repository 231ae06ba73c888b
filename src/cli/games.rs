//! `kisolo games`: files of game records.

mod export;
mod import;
mod show;
mod stats;
mod verify;

use std::process::ExitCode;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(after_help = "\
Records are JSON, one game a line, as `kisolo match --records FILE` writes them.
docs/RECORDS.md describes them and the PGN-like text.")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write records as PGN-like text, for people and for rating tools
    Export(export::Arguments),
    /// Read PGN-like text into records, each game checked by the rules
    Import(import::Arguments),
    /// Show a game move by move, with a drawing of the board
    Show(show::Arguments),
    /// Count results, with Elo and what ended the games
    Stats(stats::Arguments),
    /// Replay and check every record
    Verify(verify::Arguments),
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        Command::Export(arguments) => export::run(arguments),
        Command::Import(arguments) => import::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Stats(arguments) => stats::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
    }
}
