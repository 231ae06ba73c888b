//! `kisolo bench`: the speed and the signature of the search.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::engine::bench;
use crate::search::Signals;

pub fn run() -> anyhow::Result<ExitCode> {
    let mut output = io::stdout().lock();
    let mut printed = Ok(());
    let total = bench(&Signals::default(), |profile, result| {
        let line = writeln!(output, "{profile} {} nodes {} nps", result.nodes, result.speed());
        if printed.is_ok() {
            printed = line;
        }
    });
    printed?;
    // Nobody has stopped it.
    let total = total.unwrap_or_default();
    writeln!(output, "{} nodes {} nps", total.nodes, total.speed())?;
    Ok(ExitCode::SUCCESS)
}
