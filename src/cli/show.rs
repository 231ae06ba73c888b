//! `kisolo show`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;

use super::position::PositionArgs;

/// Draw a position and say all there is to know about it
///
/// Prints the board, then one line each: profile, side to move, sides in
/// their first phase, seeds in hand (if any), hash, legal moves, result (-
/// when the game goes on, S or N for the winner, or draw) and position string.
#[derive(Debug, Args)]
pub struct ShowArgs {
    #[command(flatten)]
    position: PositionArgs,
}

/// Prints the description of a position.
pub fn run(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let game = args.position.game()?;
    let mut out = super::output();
    out.write_all(game.describe().as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
