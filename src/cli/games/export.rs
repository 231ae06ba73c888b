//! `kisolo games export`: records as PGN-like text.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::cli::{output, records};
use crate::record::pgn;

#[derive(Debug, Args)]
pub struct Arguments {
    /// Files of records; - is standard input
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
        let count = records::read(&arguments.file, |_, record| {
            text.clear();
            pgn::write(&record, &mut text)?;
            Ok(output.write_all(text.as_bytes())?)
        })?;
        status = count.status();
        Ok(())
    })?;
    Ok(status)
}
