//! `kisolo bench`: the speed and the signature of the search.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use super::running::cores;
use crate::engine::{MAX_THREADS, bench, bench_depth, bench_threads};
use crate::search::Signals;

/// How long each number of threads is measured.
const THREADS_TIME: Duration = Duration::from_secs(1);
/// The depth whose time is measured, in plies.
const DEPTH: u32 = 20;

#[derive(Debug, Args)]
#[command(after_help = "\
The last line has the node count that is the signature of the search, the same on every machine. The
lines of threads and of depth are searches of the start position of kisolo.")]
pub struct Arguments {
    /// Measure 1, 2, 4 … up to so many threads [default: cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let most = arguments.threads.unwrap_or_else(cores);
    if !(1..=MAX_THREADS).contains(&most) {
        anyhow::bail!("--threads {most}: a number from 1 to {MAX_THREADS} is wanted");
    }
    let mut output = io::stdout().lock();
    let mut printed = Ok(());
    let total = bench(&Signals::default(), |profile, result| {
        let line = writeln!(output, "{profile} {} nodes {} nps", result.nodes, result.speed());
        if printed.is_ok() {
            printed = line;
        }
    });
    printed?;
    let mut alone = None;
    for threads in numbers(most) {
        let speed = bench_threads(threads, THREADS_TIME)?.speed();
        let ratio = speed as f64 / *alone.get_or_insert(speed) as f64;
        let each = speed / threads as u64;
        writeln!(output, "threads {threads} {speed} nps, {each} each, {ratio:.2} times one")?;
    }
    let result = bench_depth(DEPTH)?;
    let time = result.time.as_millis();
    writeln!(output, "depth {DEPTH} in {time} ms, {} nodes", result.nodes)?;
    // Nobody has stopped it.
    let total = total.unwrap_or_default();
    writeln!(output, "{} nodes {} nps", total.nodes, total.speed())?;
    Ok(ExitCode::SUCCESS)
}

/// Powers of two up to `most`, and `most`.
fn numbers(most: usize) -> impl Iterator<Item = usize> {
    let powers = std::iter::successors(Some(1), |threads| Some(threads * 2));
    powers.take_while(move |&threads| threads < most).chain([most])
}
