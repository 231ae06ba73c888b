//! Self-play: games of the engine against itself from random beginnings.
//!
//! Every position of a game in which the search was asked is kept, except
//! those that the random beginning made, and those whose score is a proven
//! end (the search itself sees these). The result is that of the game.

use std::collections::HashSet;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::sample::Sample;
use crate::eval::Evaluation;
use crate::rules::{Game, GameResult, Move, Profile, with_rules};
use crate::search::{Found, Limits, Request, Signals, plies_to_end, search};
use crate::tt::{OutOfMemory, Table};

/// The table of the players, in MiB: searches are short.
const HASH_MIB: usize = 2;
/// The most random turns that a game begins with.
const MOST_RANDOM: usize = 10;
/// One turn in so many is random in the first part of a game, so that games
/// which began alike part.
const RANDOM_TURN: u32 = 20;
/// That part, in plies.
const RANDOM_UNTIL: usize = 40;
/// Moves after which a game counts as drawn.
const LONGEST: usize = 1000;
/// A beginning whose score is further from even than this, in centipawns, is
/// not played on: the game is decided.
const BALANCE: i32 = 1500;

/// Plays games.
pub struct Generator<'a> {
    profile: Profile,
    nodes: u64,
    evaluation: Evaluation<'a>,
    table: Table,
    rng: Xoshiro256PlusPlus,
}

impl<'a> Generator<'a> {
    /// A generator whose games depend on its arguments alone.
    ///
    /// # Errors
    /// When there is no memory for the table of the players.
    pub fn new(
        profile: Profile,
        evaluation: Evaluation<'a>,
        nodes: u64,
        seed: u64,
    ) -> Result<Self, OutOfMemory> {
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Ok(Self { profile, nodes, evaluation, table: Table::new(HASH_MIB)?, rng })
    }

    /// The samples of one game; `seen` keeps their keys, so that none comes
    /// twice. `None` if it was stopped.
    pub fn game(
        &mut self,
        number: u32,
        seen: &mut HashSet<u64>,
        signals: &Signals,
    ) -> Option<Vec<Sample>> {
        loop {
            if signals.stopped() {
                return None;
            }
            self.table.clear();
            let Some(mut game) = self.beginning() else { continue };
            let Some(found) = self.search(&game, signals) else { continue };
            if found.score.abs() > BALANCE {
                continue;
            }
            let (mut samples, winner) = self.play(&mut game, number, signals)?;
            for (sample, south_moves) in &mut samples {
                let result = match winner {
                    GameResult::South => 2 * u8::from(*south_moves),
                    GameResult::North => 2 * u8::from(!*south_moves),
                    _ => 1,
                };
                sample.set_result(result);
            }
            samples.retain(|(sample, _)| seen.insert(sample.position().hash()));
            return Some(samples.into_iter().map(|(sample, _)| sample).collect());
        }
    }

    /// Plays a game to its end, or to a proven score. The samples, each with
    /// whether South was to move, and the result.
    fn play(
        &mut self,
        game: &mut Game,
        number: u32,
        signals: &Signals,
    ) -> Option<(Vec<(Sample, bool)>, GameResult)> {
        let mut samples = Vec::new();
        while game.result() == GameResult::Ongoing {
            if game.ply() >= LONGEST || game.repetitions() >= 2 {
                return Some((samples, GameResult::Draw));
            }
            self.table.age();
            let found = self.search(game, signals);
            if signals.stopped() {
                return None;
            }
            let found = found?;
            let position = game.position();
            if plies_to_end(found.score).is_some() {
                let side = if found.score > 0 { position.side } else { position.side.other() };
                return Some((samples, GameResult::won_by(side)));
            }
            let south_moves = position.side == crate::board::Side::South;
            let sample = Sample::new(position, number, game.ply() as u16, found.score as i16);
            samples.push((sample, south_moves));
            let stray = game.ply() < RANDOM_UNTIL && self.rng.random_ratio(1, RANDOM_TURN);
            let mv = if stray { game.random_move(&mut self.rng)? } else { Move::Sow(found.best) };
            game.play(mv).ok()?;
        }
        Some((samples, game.result()))
    }

    fn search(&self, game: &Game, signals: &Signals) -> Option<Found> {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let request = Request {
            earlier: game.earlier(),
            evaluation: self.evaluation,
            ..Request::new(*game.position(), limits)
        };
        with_rules!(self.profile, R => search::<R>(&request, &self.table, signals, &mut ()))
    }

    /// A start position, random set-ups and some random turns; `None` if that
    /// ended the game.
    fn beginning(&mut self) -> Option<Game> {
        let names = self.profile.start_names();
        let start = self.profile.start(names[self.rng.random_range(0..names.len())])?;
        let mut game = Game::new(self.profile, start);
        let turns = self.rng.random_range(0..=MOST_RANDOM);
        game.play_random(turns as u32, &mut self.rng, |_, _| {})?;
        Some(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_plays_the_same_games_without_repeats() {
        for profile in Profile::ALL {
            let games = || {
                let mut generator = Generator::new(profile, Evaluation::Seeds, 200, 5).unwrap();
                let mut seen = HashSet::new();
                let signals = Signals::default();
                let mut game = |number| generator.game(number, &mut seen, &signals).unwrap();
                [game(0), game(1)].concat()
            };
            let samples = games();
            assert!(samples.len() > 5, "{profile}");
            assert_eq!(samples, games());
            let keys: HashSet<u64> =
                samples.iter().map(|sample| sample.position().hash()).collect();
            assert_eq!(keys.len(), samples.len());
        }
    }
}
