//! `kisolo perft`: counting turn sequences.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use clap::Args;

use super::position::PositionArguments;
use crate::rules::{GameResult, Move, SET_UP_DUE};

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// Turns in a sequence
    #[arg(long, short, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// The count behind every turn, at the full depth only
    #[arg(long)]
    divide: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.position.game()?;
    let (profile, position) = (game.profile(), game.position());
    if profile.set_up_due(position) {
        bail!("{SET_UP_DUE}; they are not enumerated. Give a position after both set-ups");
    }
    let mut output = io::stdout().lock();
    if game.result() != GameResult::Ongoing {
        writeln!(output, "nodes 0")?;
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.divide {
        let counts = profile.perft_divide(position, arguments.depth);
        let mut total = 0;
        for (pit, count) in counts {
            total += count;
            writeln!(output, "{} {count}", profile.move_text(position, Move::Sow(pit)))?;
        }
        writeln!(output, "nodes {total}")?;
        return Ok(ExitCode::SUCCESS);
    }
    for depth in 1..=arguments.depth {
        let started = Instant::now();
        let count = profile.perft(position, depth);
        let speed = count as f64 / started.elapsed().as_secs_f64().max(1e-9) / 1e6;
        writeln!(output, "perft {depth} {count} ({speed:.1} million turns a second)")?;
    }
    Ok(ExitCode::SUCCESS)
}
