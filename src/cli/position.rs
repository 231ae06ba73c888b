//! The arguments that name a position, shared by the subcommands.

use anyhow::{Context, bail};
use clap::Args;

use crate::board::{Position, quoted};
use crate::rules::{Game, Profile};

/// The choice of the rules.
#[derive(Debug, Args)]
pub struct ProfileArg {
    /// Rules: kisolo, kisolo-free, kisolo-full or isolo
    #[arg(short, long, value_name = "P", default_value_t)]
    pub profile: Profile,
}

/// A position, and moves made from it.
#[derive(Debug, Args)]
pub struct PositionArgs {
    /// Position string, quoted or not, or startpos, startpos1, startpos2
    #[arg(default_value = "startpos")]
    position: Vec<String>,
    #[command(flatten)]
    profile: ProfileArg,
    /// Moves to make first, parted by spaces, such as 'e1 d4'
    #[arg(short, long, default_value = "", hide_default_value = true)]
    moves: String,
}

impl PositionArgs {
    /// The game that the arguments describe.
    pub fn game(&self) -> anyhow::Result<Game> {
        game(self.profile.profile, &self.position.join(" "), &self.moves)
    }
}

/// The game from a position, by name or string, after some moves.
pub fn game(profile: Profile, position: &str, moves: &str) -> anyhow::Result<Game> {
    let mut game = Game::new(profile, named_position(profile, position)?);
    for (number, text) in (1..).zip(moves.split_whitespace()) {
        profile
            .parse_move(game.position(), text)
            .and_then(|mv| game.play(mv))
            .with_context(|| format!("move {number} of --moves"))?;
    }
    Ok(game)
}

/// The position with this name, or of this position string.
pub fn named_position(profile: Profile, text: &str) -> anyhow::Result<Position> {
    if let Some(position) = profile.start(text) {
        return Ok(position);
    }
    let shown = quoted(text);
    if text.starts_with("startpos") {
        let names = profile.start_names().join(", ");
        bail!("'{shown}' is no start position of {profile}, which has: {names}");
    }
    let position = profile.parse_position(text);
    position.with_context(|| format!("'{shown}' is no position of {profile}"))
}
