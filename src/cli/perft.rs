//! `kisolo perft`.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use clap::Args;

use super::position::PositionArgs;
use crate::rules::{Game, GameResult, Move, SET_UPS};

/// Count turn sequences, the standard check of turn generation
///
/// Prints `perft D COUNT` for every depth from 1 to N: the number of
/// sequences of exactly D turns, the last of which may end the game. Then
/// come the time of the last depth and the turns made in a second.
/// With --divide, one line `MOVE COUNT` for each legal turn and `nodes TOTAL`.
#[derive(Debug, Args)]
pub struct PerftArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Turns in a sequence, 1 to 100
    // Recursion goes as deep, so that there has to be some limit.
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Count the sequences of N turns behind each legal turn
    #[arg(long)]
    divide: bool,
}

/// Counts sequences of turns and prints the counts.
pub fn run(args: &PerftArgs) -> anyhow::Result<ExitCode> {
    let game = args.position.game()?;
    if game.profile().set_up_due(game.position()) {
        bail!(
            "a set-up is due, and set-ups are not enumerated ({SET_UPS} a side): give startpos1, a \
             position after both set-ups, or both with --moves '@… @…'"
        );
    }
    let mut out = super::output();
    if args.divide {
        divide(&game, args.depth, &mut out)?;
    } else {
        count(&game, args.depth, &mut out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints `perft D N` for each depth as soon as it is known, then the time of
/// the last and its speed. Every turn is made, so that the turns made for a
/// depth are the counts up to it.
fn count(game: &Game, depth: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let over = game.result() != GameResult::Ongoing;
    let mut turns = 0;
    let mut seconds = 0.0;
    for depth in 1..=depth {
        let start = Instant::now();
        let sequences = if over { 0 } else { game.profile().perft(game.position(), depth) };
        seconds = start.elapsed().as_secs_f64();
        turns += sequences;
        writeln!(out, "perft {depth} {sequences}")?;
        out.flush()?;
    }
    let speed = if seconds > 0.0 { turns as f64 / seconds } else { 0.0 };
    writeln!(out, "time {seconds:.3} s, {speed:.0} turns/s")?;
    Ok(out.flush()?)
}

/// Prints `MOVE COUNT` for each legal turn, and the total.
fn divide(game: &Game, depth: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let (profile, position) = (game.profile(), game.position());
    let mut total = 0;
    if game.result() == GameResult::Ongoing {
        for (pit, sequences) in profile.perft_divide(position, depth) {
            writeln!(out, "{} {sequences}", profile.move_text(position, Move::Sow(pit)))?;
            total += sequences;
        }
    }
    writeln!(out, "nodes {total}")?;
    Ok(out.flush()?)
}
