//! A position as the command line takes it.

use anyhow::{Context, anyhow};
use clap::Args;

use crate::rules::{Game, Profile};

/// The rules profile.
#[derive(Debug, Args)]
pub struct ProfileArgument {
    /// Rules: kisolo, kisolo-free, kisolo-full or isolo
    #[arg(long, short, default_value_t, value_name = "PROFILE")]
    pub profile: Profile,
}

/// A position and moves from it.
#[derive(Debug, Args)]
pub struct PositionArguments {
    /// Start position (startpos, startpos1, startpos2) or position string
    #[arg(default_value = "startpos", value_name = "POSITION")]
    position: String,
    #[command(flatten)]
    profile: ProfileArgument,
    /// Moves from there, parted by blanks
    #[arg(long, short, default_value = "", value_name = "MOVES", hide_default_value = true)]
    moves: String,
}

impl PositionArguments {
    /// The game after the moves.
    ///
    /// # Errors
    /// Names the position or move that is wrong.
    pub fn game(&self) -> anyhow::Result<Game> {
        let profile = self.profile.profile;
        let position = match profile.start(&self.position) {
            Some(position) => position,
            // One word without commas was meant to be a name.
            None if !self.position.contains([',', '/']) => {
                return Err(anyhow!(
                    "position '{}' is unknown; {profile} has {} and position strings",
                    self.position,
                    profile.start_names().join(", ")
                ));
            }
            None => profile
                .parse_position(&self.position)
                .with_context(|| format!("position '{}'", self.position))?,
        };
        let mut game = Game::new(profile, position);
        for (number, text) in (1..).zip(self.moves.split_ascii_whitespace()) {
            profile
                .parse_move(game.position(), text)
                .and_then(|mv| game.play(mv))
                .with_context(|| format!("move {number}"))?;
        }
        Ok(game)
    }
}
