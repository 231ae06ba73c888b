//! `kisolo games export`: records as PGN-like text.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::files;
use crate::cli::output;
use crate::record::pgn;

#[derive(Debug, Args)]
pub struct Arguments {
    /// Files of records
    #[arg(required = true)]
    file: Vec<PathBuf>,
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut status = ExitCode::SUCCESS;
    output::write(arguments.output.as_deref(), |output| {
        let mut text = String::new();
        let count = files::read(&arguments.file, |_, _, record| {
            text.clear();
            pgn::write(&record, &mut text)?;
            Ok(output.write_all(text.as_bytes())?)
        })?;
        status = count.status();
        Ok(())
    })?;
    Ok(status)
}
