//! `kisolo games stats`: what the games say.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;

use crate::arena::Tally;
use crate::cli::records::RecordArguments;
use crate::cli::standings;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    records: RecordArguments,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut tally = Tally::default();
    let count = arguments.records.read(|record| tally.add(&record))?;
    if tally.games() == 0 {
        bail!("no game to count");
    }
    let names: Vec<String> = tally.players.keys().cloned().collect();
    let mut output = io::stdout().lock();
    writeln!(output, "{} games\n{}", tally.games(), standings::table(&tally, &names))?;
    if let [a, b] = names.as_slice() {
        let paired = tally.is_paired(a, b);
        writeln!(output, "{}", standings::head_to_head(&tally, a, b, None, paired))?;
        if paired {
            writeln!(output, "{}", standings::pairs_line(&tally.meeting(a, b).1))?;
        }
    }
    Ok(count.status())
}
