//! A game: its position, what has been played, and how it stands.

use super::{Move, MoveError, Outcome, Profile, Turn};
use crate::board::{Position, Side};

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// It goes on.
    Ongoing,
    /// South has won.
    South,
    /// North has won.
    North,
    /// Nobody has won.
    Draw,
}

impl GameResult {
    /// The win of `side`.
    pub const fn won_by(side: Side) -> Self {
        match side {
            Side::South => Self::South,
            Side::North => Self::North,
        }
    }

    /// The word of the vectors: `-`, `S`, `N` or `draw`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ongoing => "-",
            Self::South => "S",
            Self::North => "N",
            Self::Draw => "draw",
        }
    }
}

/// A game from a start position on.
#[derive(Clone, Debug)]
pub struct Game {
    profile: Profile,
    position: Position,
    result: GameResult,
    /// Hashes of the positions before each move, oldest first.
    earlier: Vec<u64>,
}

impl Game {
    /// The game that begins at `position`, valid in `profile`.
    pub fn new(profile: Profile, position: Position) -> Self {
        let result = profile.result(&position);
        Self { profile, position, result, earlier: Vec::new() }
    }

    /// The rules it is played by.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// The position now.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// How it stands by the rules.
    pub const fn result(&self) -> GameResult {
        self.result
    }

    /// The moves made so far, set-ups included.
    pub const fn ply(&self) -> usize {
        self.earlier.len()
    }

    /// The hashes of the positions before each move, oldest first.
    pub fn earlier(&self) -> &[u64] {
        &self.earlier
    }

    /// How often the position on the board occurred before.
    pub fn repetitions(&self) -> usize {
        let now = self.position.hash();
        let same = self.earlier.iter().filter(|&&hash| hash == now).count();
        // After an endless turn the position it began from is still on the
        // board: that is one occurrence, not two.
        if self.result == GameResult::Draw { same.saturating_sub(1) } else { same }
    }

    /// Makes a move.
    ///
    /// # Errors
    /// When the game is over or the move is not legal; the game is unchanged.
    pub fn play(&mut self, mv: Move) -> Result<Turn, MoveError> {
        if self.result != GameResult::Ongoing {
            return Err(MoveError::GameOver);
        }
        let turn = self.profile.play(&self.position, mv)?;
        self.earlier.push(self.position.hash());
        self.result = turn.outcome.for_mover(self.position.side);
        // An endless turn leaves no position: the one it began from stays.
        if turn.outcome != Outcome::Draw {
            self.position = turn.after;
        }
        Ok(turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game at the smallest endless turn, with these hashes before it.
    fn game(earlier: &[u64]) -> Game {
        let profile = Profile::KisoloFull;
        let text = "0,0,0,0,0,0,75/0,0,0,0,0,0,0/1,2,0,1,0,1,0/1,0,1,0,1,0,1 S -";
        let position = profile.parse_position(text).unwrap();
        Game { earlier: earlier.to_vec(), ..Game::new(profile, position) }
    }

    #[test]
    fn repetitions_are_counted() {
        let now = game(&[]).position.hash();
        assert_eq!(game(&[]).repetitions(), 0);
        assert_eq!(game(&[now, 1, now, 2]).repetitions(), 2);
    }

    #[test]
    fn an_endless_turn_is_no_repetition() {
        let now = game(&[]).position.hash();
        for (earlier, want) in [(&[][..], 0), (&[now, 1], 1)] {
            let mut game = game(earlier);
            let endless = game.profile.parse_move(&game.position, "a1").unwrap();
            game.play(endless).unwrap();
            assert_eq!(game.result(), GameResult::Draw);
            assert_eq!(game.repetitions(), want);
        }
    }
}
