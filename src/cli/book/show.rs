//! `kisolo book show`: what a grown book knows of a position.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use crate::book::Book;
use crate::cli::position;
use crate::protocol::score;
use crate::rules::Move;

#[derive(Debug, Args)]
#[command(after_help = "\
The moves of the book, best first. 'score' is backed up from all that was searched behind a move,
'searched' is what the search of the position itself said, to the depth beside it, both for the
side to move; 'positions' were searched behind the move.")]
pub struct Arguments {
    /// The book
    file: PathBuf,
    /// Position string, quoted or not, or a start position [default: that of the book]
    position: Vec<String>,
    /// Moves to make first, parted by spaces, such as 'e1 d4'
    #[arg(short, long, default_value = "", hide_default_value = true)]
    moves: String,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let name = arguments.file.display();
    let book = Book::read(&arguments.file).with_context(|| format!("{name}"))?;
    let profile = book.profile();
    let text = arguments.position.join(" ");
    let text = if text.is_empty() { book.start() } else { &text };
    let game = position::game(profile, text, &arguments.moves)?;
    let here = game.position();
    let moves = book.moves(here);
    if moves.is_empty() {
        bail!("{name}: {} is not in the book", profile.position_text(here));
    }
    let mut out = crate::cli::output();
    writeln!(out, "book {profile} from {}, {} positions", book.start(), book.len())?;
    writeln!(out, "position {}", profile.position_text(here))?;
    writeln!(
        out,
        "{:<4} {:>9} {:>9} {:>6} {:>10}",
        "move", "score", "searched", "depth", "positions"
    )?;
    for known in &moves {
        writeln!(
            out,
            "{:<4} {:>9} {:>9} {:>6} {:>10}",
            profile.move_text(here, Move::Sow(known.pit)),
            score(known.score),
            score(known.searched),
            known.depth,
            known.positions
        )?;
    }
    if let Some(choice) = book.choose(here, 0, 0) {
        let mut position = *here;
        let mut line = Vec::new();
        for &pit in &choice.line {
            line.push(profile.move_text(&position, Move::Sow(pit)));
            position = profile.play(&position, Move::Sow(pit))?.after;
        }
        writeln!(out, "line {}", line.join(" "))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
