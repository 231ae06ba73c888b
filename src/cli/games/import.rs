//! `kisolo games import`: PGN-like text as records.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use crate::cli::output;
use crate::record::pgn;

#[derive(Debug, Args)]
pub struct Arguments {
    /// Files of PGN-like text
    #[arg(required = true)]
    file: Vec<PathBuf>,
    /// The file of records to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut status = ExitCode::SUCCESS;
    output::write(arguments.output.as_deref(), |output| {
        for path in &arguments.file {
            let name = path.display();
            let bytes = std::fs::read(path).with_context(|| format!("{name}"))?;
            // Older files are in other encodings; only names suffer.
            for game in pgn::read(&String::from_utf8_lossy(&bytes)) {
                match game {
                    Ok(record) => {
                        serde_json::to_writer(&mut *output, &record)?;
                        output.write_all(b"\n")?;
                    }
                    Err(error) => {
                        crate::cli::warn(&format!("{name}: {error}"));
                        status = ExitCode::FAILURE;
                    }
                }
            }
        }
        Ok(())
    })?;
    Ok(status)
}
