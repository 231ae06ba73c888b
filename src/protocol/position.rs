//! The `position` command.

use crate::board::{Side, quoted};
use crate::rules::{Game, Profile};

/// A position line that was understood.
pub struct Placed {
    /// The game after all moves, or after those before an illegal one.
    pub game: Game,
    /// What an illegal move was, and who made it.
    pub illegal: Option<(Side, String)>,
}

/// Reads the words behind `position`.
///
/// # Errors
/// Says what is wrong and what is accepted. An illegal move is no error
/// here, since the two protocols differ in what follows from it.
pub fn parse(profile: Profile, words: &[&str]) -> Result<Placed, String> {
    let (position, rest) = match words {
        ["fen", rest @ ..] => {
            let end = rest.iter().position(|&word| word == "moves").unwrap_or(rest.len());
            let text = rest[..end].join(" ");
            let position = profile.parse_position(&text).map_err(|error| error.to_string())?;
            (position, &rest[end..])
        }
        [name, rest @ ..] => {
            let position = profile.start(name).ok_or_else(|| {
                format!(
                    "position '{}' is unknown; {profile} has {} and fen POSITION",
                    quoted(name),
                    profile.start_names().join(", ")
                )
            })?;
            (position, rest)
        }
        [] => return Err(format!("position needs {} or fen", profile.start_names().join(", "))),
    };
    let mut game = Game::new(profile, position);
    let moves = match rest {
        [] => rest,
        ["moves", moves @ ..] => moves,
        [other, ..] => {
            return Err(format!("'{}' stands where 'moves' is expected", quoted(other)));
        }
    };
    for (number, text) in (1..).zip(moves) {
        let mover = game.position().side;
        let played = profile.parse_move(game.position(), text).and_then(|mv| game.play(mv));
        if let Err(error) = played {
            let message = format!("illegal move {number} '{}': {error}", quoted(text));
            return Ok(Placed { game, illegal: Some((mover, message)) });
        }
    }
    Ok(Placed { game, illegal: None })
}
