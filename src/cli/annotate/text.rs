//! Annotated games as plain text.

use std::fmt::Write;

use super::judge::{Annotated, Judged, Mark, Summary};
use crate::board::Side;
use crate::cli::chance::score_text;
use crate::cli::records::printable;

/// The moves of a best line that are shown.
const MOST_SHOWN: usize = 6;

/// A game, with an empty line behind it.
pub fn text(game: &Annotated) -> String {
    let Annotated { event, game: number, date, profile, start, .. } = game;
    let mut text = format!("{}, game {number}, {}\n", printable(event), printable(date));
    for (side, name) in Side::BOTH.iter().zip(&game.players) {
        let _ = writeln!(text, "{side}: {}", printable(name));
    }
    let _ = writeln!(text, "{profile} from {start}");
    let _ = writeln!(text, "scores by {}, {}, for the side that moves\n", game.engine, game.limit);
    for mv in &game.moves {
        let _ = writeln!(text, "{}", line(mv).trim_end());
    }
    let _ = writeln!(text, "{}, {}\n", game.result, game.reason);
    for (side, (name, own)) in Side::BOTH.iter().zip(game.players.iter().zip(&game.summaries)) {
        let _ = writeln!(text, "{side}, {}: {}", printable(name), summary(own));
    }
    text.push('\n');
    text
}

fn line(mv: &Judged) -> String {
    let side = if mv.side == Side::South.letter() { Side::South } else { Side::North };
    let mut line = format!("{:>4}. {side:<5}  {:<4}", mv.ply, mv.text);
    let (Some(before), Some(after)) = (mv.before, mv.after) else { return line };
    let _ = write!(
        line,
        "  {:>7} -> {:>7}  {:>5.1}% -> {:>5.1}%",
        score_text(before.value),
        score_text(after.value),
        before.win,
        after.win
    );
    if mv.book {
        line.push_str("  book");
    }
    if let Some(mark) = mv.mark {
        let best: Vec<&str> = mv.line.iter().take(MOST_SHOWN).map(String::as_str).collect();
        let loss = mv.loss.unwrap_or_default();
        let cp = mv.loss_cp.map(|cp| format!(", {cp} cp")).unwrap_or_default();
        let _ = write!(line, "  {} {} (-{loss:.1}%{cp})", mark.sign(), mark.word());
        let _ = write!(line, ", best {}", best.join(" "));
    } else if let Some(best) = mv.best.as_ref().filter(|best| **best != mv.text) {
        let _ = write!(line, "  best {best}");
    }
    line
}

/// A player's turns in a sentence.
pub fn summary(own: &Summary) -> String {
    let (Some(accuracy), Some(loss)) = (own.accuracy, own.mean_loss) else {
        return "no turn to judge".to_owned();
    };
    let cp = own.mean_loss_cp.map(|cp| format!(" ({cp:.0} cp)")).unwrap_or_default();
    let marks: Vec<String> = Mark::ALL
        .iter()
        .zip(own.marks)
        .map(|(mark, count)| format!("{} {count}", mark.word()))
        .collect();
    format!(
        "accuracy {accuracy:.1}%, mean loss {loss:.2}%{cp} in {} moves; {}",
        own.moves,
        marks.join(", ")
    )
}
