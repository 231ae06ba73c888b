//! UGI's `query`.

use crate::board::{Side, quoted};
use crate::rules::{Game, GameResult};

/// The response to the words behind `query`. `result` is how the game stands,
/// with everything that ends it.
///
/// # Errors
/// Names the queries there are.
pub fn answer(game: &Game, result: GameResult, words: &[&str]) -> Result<String, String> {
    let response = match words {
        ["p1turn"] => (game.position().side == Side::South).to_string(),
        ["gameover"] => (result != GameResult::Ongoing).to_string(),
        ["result"] => match result {
            GameResult::Ongoing => "none",
            GameResult::South => "p1win",
            GameResult::North => "p2win",
            GameResult::Draw => "draw",
        }
        .to_owned(),
        ["fen"] => game.profile().position_text(game.position()),
        ["islegal", text] => {
            let legal = game.profile().parse_move(game.position(), text).is_ok();
            (legal && result == GameResult::Ongoing).to_string()
        }
        _ => {
            return Err(format!(
                "query '{}' is unknown; known: p1turn, gameover, result, fen, islegal MOVE",
                quoted(&words.join(" "))
            ));
        }
    };
    Ok(format!("response {response}"))
}
