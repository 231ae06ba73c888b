//! `kisolo games stats`: what the games say.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;

use super::files;
use crate::arena::Tally;
use crate::cli::standings;

#[derive(Debug, Args)]
pub struct Arguments {
    /// Files of records
    #[arg(required = true)]
    file: Vec<PathBuf>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut tally = Tally::default();
    let count = files::read(&arguments.file, |_, _, record| {
        tally.add(&record);
        Ok(())
    })?;
    if count.records == 0 {
        bail!("no game to count");
    }
    let names: Vec<String> = tally.players.keys().cloned().collect();
    let mut output = io::stdout().lock();
    writeln!(output, "{} games\n{}", count.records, standings::table(&tally, &names))?;
    if let [a, b] = names.as_slice() {
        let paired = tally.is_paired(a, b);
        writeln!(output, "{}", standings::head_to_head(&tally, a, b, None, paired))?;
        if paired {
            writeln!(output, "{}", standings::pairs_line(&tally.meeting(a, b).1))?;
        }
    }
    Ok(count.status())
}
