//! The board on the screen.

use clap::builder::styling::{AnsiColor, Style};

use crate::board::{Pit, Side, diagram, pit_name};
use crate::rules::Game;

/// The columns of a pit in the drawing.
const PIT: usize = 4;
/// The columns before the first pit.
const MARGIN: usize = 5;
/// What is bright and underlined can be chosen.
const LEGAL: Style = Style::new().bold().underline();
/// What is dark on light is where the last turn ended.
const LANDING: Style = Style::new().bold().invert();

const fn colour(side: Side) -> Style {
    match side {
        Side::South => AnsiColor::Green.on_default(),
        Side::North => AnsiColor::Cyan.on_default(),
    }
}

/// The drawing of a position: plain, or with the colours of the sides, the
/// legal pits and the pit where the last turn ended.
pub fn board(game: &Game, landing: Option<(Side, Pit)>, coloured: bool) -> String {
    let plain = diagram(game.profile().geometry(), game.position());
    if !coloured {
        return plain;
    }
    let name = |side, pit| pit_name(game.profile().geometry(), side, pit);
    let side = game.position().side;
    let legal: Vec<String> = game.legal().map(|pit| name(side, pit)).collect();
    let landing = landing.map(|(side, pit)| name(side, pit)).unwrap_or_default();
    let mut text = String::new();
    for (row, line) in (1..=4).rev().zip(plain.lines().skip(1)) {
        let owner = if row > 2 { Side::North } else { Side::South };
        let own = colour(owner);
        let (margin, mut rest) = line.split_at(MARGIN);
        text.push_str(margin);
        for column in ('a'..).take(game.profile().geometry().columns) {
            let (pit, after) = rest.split_at(PIT);
            let pit_name = format!("{column}{row}");
            let style = match () {
                () if pit_name == landing => own | LANDING.get_effects(),
                () if legal.contains(&pit_name) => own | LEGAL.get_effects(),
                () => own,
            };
            // Blanks before the count stay as they are.
            let count = pit.trim_start();
            text.push_str(&pit[..PIT - count.len()]);
            text.push_str(&format!("{style}{count}{style:#}"));
            rest = after;
        }
        text.push_str(rest);
        text.push('\n');
    }
    let head = plain.lines().next().unwrap_or_default();
    format!("{head}\n{text}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Profile;

    /// A text without its control sequences.
    fn stripped(text: &str) -> String {
        let mut plain = String::new();
        let mut parts = text.split('\u{1b}');
        plain.push_str(parts.next().unwrap());
        parts.for_each(|part| plain.push_str(part.split_once('m').unwrap().1));
        plain
    }

    #[test]
    fn colours_change_no_letter() {
        for profile in Profile::ALL {
            let game = Game::new(profile, profile.start_position());
            let landing = Some((Side::North, Pit(3)));
            let (plain, coloured) = (board(&game, landing, false), board(&game, landing, true));
            assert_ne!(plain, coloured);
            assert_eq!(stripped(&coloured), plain);
        }
    }
}
