//! `kisolo show`: a position to look at.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;

use super::position::PositionArguments;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    writeln!(io::stdout(), "{}", arguments.position.game()?.describe())?;
    Ok(ExitCode::SUCCESS)
}
