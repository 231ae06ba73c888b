//! Games between two sets of constants.

use crate::rules::{Game, GameResult, Move, with_rules};
use crate::search::{Limits, Params, Request, Signals, search, set_up};
use crate::tt::{OutOfMemory, Table};

/// The table of a player, in MiB: searches are short.
const HASH_MIB: usize = 2;
/// Moves after which a game counts as drawn.
const LONGEST: usize = 400;

/// Two players with tables of their own.
pub struct Players {
    tables: [Table; 2],
}

impl Players {
    /// Players that know nothing yet.
    ///
    /// # Errors
    /// When there is no memory for their tables.
    pub fn new() -> Result<Self, OutOfMemory> {
        Ok(Self { tables: [Table::new(HASH_MIB)?, Table::new(HASH_MIB)?] })
    }

    /// Plays a game to its end, `params[0]` having the first move, with
    /// `nodes` nodes a move. Returns the half points of the first, or `None`
    /// if it was stopped.
    pub fn play(
        &mut self,
        mut game: Game,
        params: [&Params; 2],
        nodes: u64,
        signals: &Signals,
    ) -> Option<usize> {
        self.tables.iter_mut().for_each(Table::clear);
        let first = game.position().side;
        while game.result() == GameResult::Ongoing {
            if game.ply() >= LONGEST || game.repetitions() >= 2 {
                return Some(1);
            }
            let player = usize::from(game.position().side != first);
            let mv = answer(&game, &mut self.tables[player], params[player], nodes, signals);
            if signals.stopped() {
                return None;
            }
            // The search answers with legal moves in games that go on.
            game.play(mv?).ok()?;
        }
        Some(match game.result() {
            result if result == GameResult::won_by(first) => 2,
            GameResult::South | GameResult::North => 0,
            GameResult::Draw | GameResult::Ongoing => 1,
        })
    }
}

fn answer(
    game: &Game,
    table: &mut Table,
    params: &Params,
    nodes: u64,
    signals: &Signals,
) -> Option<Move> {
    table.age();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let request = Request {
        earlier: game.earlier(),
        params: params.clone(),
        ..Request::new(*game.position(), limits)
    };
    with_rules!(game.profile(), R => {
        if game.profile().set_up_due(game.position()) {
            Some(Move::SetUp(set_up::<R>(&request, table, signals, &mut ()).lanes))
        } else {
            search::<R>(&request, table, signals, &mut ()).map(|found| Move::Sow(found.best))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Profile;

    #[test]
    fn the_same_players_play_the_same_game() {
        let mut players = Players::new().unwrap();
        let game = Game::new(Profile::Kisolo, Profile::Kisolo.start_position());
        let params = Params::DEFAULT;
        let mut play = || players.play(game.clone(), [&params, &params], 500, &Signals::default());
        let first = play();
        assert!(first.is_some());
        assert_eq!(play(), first);
    }

    #[test]
    fn a_game_can_be_stopped() {
        let signals = Signals::default();
        signals.stop();
        let game = Game::new(Profile::Isolo, Profile::Isolo.start_position());
        let params = Params::DEFAULT;
        let points = Players::new().unwrap().play(game, [&params, &params], 500, &signals);
        assert_eq!(points, None);
    }
}
