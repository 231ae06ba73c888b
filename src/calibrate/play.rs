//! Games between players of a pool, in this process and limited by nodes, so
//! that they are the same on every machine.

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::tally::Tally;
use crate::board::Pit;
use crate::levels::{self, Strength};
use crate::rating::Outcome;
use crate::rules::{Game, GameResult, Move, Rules, with_rules};
use crate::search::{Limits, Request, Signals, search};
use crate::tt::{OutOfMemory, Table};

/// The table of an anchor, in MiB.
const HASH_MIB: usize = 2;
/// Moves after which a game counts as drawn.
const LONGEST: usize = 400;
/// What two games of one pair, and the players of a game, have their random
/// numbers differ by: a number without structure (2 to the 64th divided by
/// the golden ratio).
const APART: u64 = 0x9e37_79b9_7f4a_7c15;

/// How a player of the pool plays.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A random legal turn, by code that knows nothing of levels.
    Random,
    /// The number of a [`Strength`].
    Strength(f64),
    /// Full strength to a fixed depth, in plies.
    Depth(u32),
}

/// Two seats with what the players at them need.
pub struct Seats {
    players: [levels::Player; 2],
    tables: [Table; 2],
}

impl Seats {
    /// Empty seats.
    ///
    /// # Errors
    /// When there is no memory for the tables.
    pub fn new() -> Result<Self, OutOfMemory> {
        Ok(Self {
            players: [levels::Player::new()?, levels::Player::new()?],
            tables: [Table::new(HASH_MIB)?, Table::new(HASH_MIB)?],
        })
    }

    /// Plays a game to its end, the first player having the first move, and
    /// adds to the tallies of both. `None` if it was stopped.
    pub fn play(
        &mut self,
        mut game: Game,
        kinds: [Kind; 2],
        seed: u64,
        tallies: &mut [Tally; 2],
        signals: &Signals,
    ) -> Option<Outcome> {
        let first = game.position().side;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        while game.result() == GameResult::Ongoing {
            if game.ply() >= LONGEST || game.repetitions() >= 2 {
                return Some(Outcome::Draw);
            }
            let seat = usize::from(game.position().side != first);
            let pit = with_rules!(game.profile(), R => {
                self.turn::<R>(&game, seat, kinds[seat], &mut rng, &mut tallies[seat], signals)
            });
            if signals.stopped() {
                return None;
            }
            // A game that goes on has legal turns.
            game.play(Move::Sow(pit?)).ok()?;
        }
        Some(match game.result() {
            result if result == GameResult::won_by(first) => Outcome::First,
            GameResult::Draw | GameResult::Ongoing => Outcome::Draw,
            GameResult::South | GameResult::North => Outcome::Second,
        })
    }

    fn turn<R: Rules>(
        &mut self,
        game: &Game,
        seat: usize,
        kind: Kind,
        rng: &mut impl Rng,
        tally: &mut Tally,
        signals: &Signals,
    ) -> Option<Pit> {
        let request =
            |limits| Request { earlier: game.earlier(), ..Request::new(*game.position(), limits) };
        let pit = match kind {
            Kind::Random => {
                let Move::Sow(pit) = game.random_move(rng)? else { return None };
                pit
            }
            Kind::Strength(number) => {
                let strength = Strength::new(number);
                let request = request(Limits::default());
                let seed = rng.random::<u64>() ^ APART;
                let choice = self.players[seat].turn::<R>(&request, strength, seed, signals)?;
                tally.add_loss(choice.loss());
                choice.pit()
            }
            Kind::Depth(depth) => {
                let table = &mut self.tables[seat];
                table.clear();
                let request = request(Limits { depth: Some(depth), ..Limits::default() });
                search::<R>(&request, table, signals, &mut ())?.best
            }
        };
        tally.look_for_win::<R>(game.position(), pit);
        Some(pit)
    }
}

/// A number without structure from several numbers.
pub fn mix(numbers: &[u64]) -> u64 {
    numbers.iter().fold(0, |mixed, &number| {
        let mixed = (mixed ^ number).wrapping_add(APART);
        let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 27)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Profile;

    fn play(profile: Profile, kinds: [Kind; 2], seed: u64) -> (Outcome, [Tally; 2]) {
        let start = *profile.start_names().last().unwrap();
        let game = Game::new(profile, profile.start(start).unwrap());
        let mut tallies = [Tally::default(); 2];
        let mut seats = Seats::new().unwrap();
        let outcome = seats.play(game, kinds, seed, &mut tallies, &Signals::default());
        (outcome.unwrap(), tallies)
    }

    #[test]
    fn the_same_seed_is_the_same_game() {
        for profile in Profile::ALL {
            for kinds in
                [[Kind::Random, Kind::Strength(0.3)], [Kind::Strength(0.1), Kind::Depth(1)]]
            {
                let once = play(profile, kinds, 7);
                assert_eq!(play(profile, kinds, 7), once);
                let other = |seed| play(profile, kinds, seed) != once;
                assert!((8..12).any(other), "{profile}: other seeds, the same game");
            }
        }
    }

    #[test]
    fn a_game_can_be_stopped() {
        let signals = Signals::default();
        signals.stop();
        let game = Game::new(Profile::Kisolo, Profile::Kisolo.start_position());
        let kinds = [Kind::Random; 2];
        let mut tallies = [Tally::default(); 2];
        let outcome = Seats::new().unwrap().play(game, kinds, 1, &mut tallies, &signals);
        assert_eq!(outcome, None);
    }

    #[test]
    fn mixed_numbers_differ() {
        let mut all: Vec<u64> = (0..20).flat_map(|a| (0..20).map(move |b| mix(&[a, b]))).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 400);
    }
}
