//! The choice of a turn.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Strength;
use super::draw::{draw, value};
use super::set_up::arrange;
use crate::board::{Lanes, Pit};
use crate::rules::Rules;
use crate::search::{Limits, Observer, Progress, Report, Request, Signals, search};
use crate::tt::{Bound, OutOfMemory, Table};

/// The table of a player, in MiB: the searches are small.
const HASH_MIB: usize = 1;

/// A turn with what the search said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The score for the side to move.
    pub score: i32,
    /// The line, the turn itself being the first.
    pub line: Vec<Pit>,
}

/// The turn that a level makes, and those that it did not make.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The turns that were compared, the one to be made first, the others
    /// from best to worst.
    pub turns: Vec<Scored>,
    /// The depth to which all of them were looked at, in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub selective_depth: u32,
    /// How far the search came.
    pub progress: Progress,
}

impl Choice {
    /// The turn to be made.
    pub fn pit(&self) -> Pit {
        self.turns[0].line[0]
    }

    /// How much worse the turn is than the best, as the level sees it, in
    /// units of log odds to win.
    pub fn loss(&self) -> f64 {
        let best = self.turns.iter().map(|turn| value(turn.score)).fold(f64::MIN, f64::max);
        best - value(self.turns[0].score)
    }
}

/// Plays at any level. It remembers nothing from turn to turn: what it does
/// depends on the game so far, the strength and the seed.
pub struct Player {
    table: Table,
}

impl Player {
    /// A player.
    ///
    /// # Errors
    /// When there is no memory for its table.
    pub fn new() -> Result<Self, OutOfMemory> {
        Ok(Self { table: Table::new(HASH_MIB)? })
    }

    /// Chooses a turn for the position of a request, whose limits count beside
    /// those of the level; from the rest of it only the game is taken. `None`
    /// when no turn is legal.
    pub fn turn<R: Rules>(
        &mut self,
        request: &Request<'_>,
        strength: Strength,
        seed: u64,
        signals: &Signals,
    ) -> Option<Choice> {
        self.table.clear();
        let mut rng = generator(request, seed);
        // Part of a candidate is a chance of one more.
        let wanted = (strength.candidates() + rng.random::<f64>()) as usize;
        let candidates = wanted.min(legal_turns::<R>(request));
        let request = Request {
            earlier: request.earlier,
            multi_pv: candidates,
            ..Request::new(request.position, limits(&request.limits, strength))
        };
        let mut seen = Seen { candidates, part: Vec::new(), whole: None };
        search::<R>(&request, &self.table, signals, &mut seen)?;
        let mut choice = seen.whole?;
        let scores: Vec<i32> = choice.turns.iter().map(|turn| turn.score).collect();
        let drawn = draw(&scores, strength, &mut rng)?;
        choice.turns[..=drawn].rotate_right(1);
        Some(choice)
    }

    /// Chooses an arrangement for a position in which a set-up is due, with
    /// its score.
    pub fn set_up<R: Rules>(
        &mut self,
        request: &Request<'_>,
        strength: Strength,
        seed: u64,
        signals: &Signals,
    ) -> (Lanes, i32) {
        self.table.clear();
        let request = Request::new(request.position, limits(&request.limits, strength));
        let mut rng = generator(&request, seed);
        arrange::<R>(&request, strength, &mut rng, &self.table, signals)
    }
}

/// The random numbers of one turn: other ones in every position, and where a
/// position comes back in a game.
fn generator(request: &Request<'_>, seed: u64) -> Xoshiro256PlusPlus {
    let ply = request.earlier.len() as u64;
    Xoshiro256PlusPlus::seed_from_u64(seed ^ request.position.hash().rotate_left(ply as u32 % 64))
}

/// The limits of a level, and of whoever asks.
fn limits(asked: &Limits, strength: Strength) -> Limits {
    let nodes = asked.nodes.unwrap_or(u64::MAX).min(strength.nodes());
    Limits { nodes: Some(nodes), ..asked.clone() }
}

fn legal_turns<R: Rules>(request: &Request<'_>) -> usize {
    let legal = R::node(&request.position).legal;
    let only = request.limits.search_moves.unwrap_or(legal);
    (legal.0 & only.0).count_ones() as usize
}

/// Takes the last depth at which all candidates were scored: to compare a turn
/// at one depth with another at the next would be a mistake that no player
/// makes.
struct Seen {
    candidates: usize,
    part: Vec<Scored>,
    whole: Option<Choice>,
}

impl Observer for Seen {
    fn line(&mut self, report: &Report<'_>) {
        if report.rank == 1 {
            self.part.clear();
        }
        if report.bound != Bound::Exact || report.rank != self.part.len() + 1 {
            return;
        }
        self.part.push(Scored { score: report.score, line: report.line.to_vec() });
        if self.part.len() == self.candidates {
            self.whole = Some(Choice {
                turns: std::mem::take(&mut self.part),
                depth: report.depth,
                selective_depth: report.selective_depth,
                progress: report.progress,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::PitSet;
    use crate::rules::{Game, GameResult, Kisolo, Move, Profile, with_rules};

    /// The moves of a game of a level against itself.
    fn game(profile: Profile, strength: f64, seed: u64) -> Vec<Move> {
        let mut game = Game::new(profile, profile.start_position());
        let mut player = Player::new().unwrap();
        let (strength, signals) = (Strength::new(strength), Signals::default());
        let mut moves = Vec::new();
        while game.result() == GameResult::Ongoing && moves.len() < 30 {
            let request = Request {
                earlier: game.earlier(),
                ..Request::new(*game.position(), Limits::default())
            };
            let mv = with_rules!(profile, R => if R::set_up_due(game.position()) {
                Move::SetUp(player.set_up::<R>(&request, strength, seed, &signals).0)
            } else {
                Move::Sow(player.turn::<R>(&request, strength, seed, &signals).unwrap().pit())
            });
            game.play(mv).unwrap();
            moves.push(mv);
        }
        moves
    }

    #[test]
    fn games_are_legal_and_repeat_with_their_seed_alone() {
        for profile in Profile::ALL {
            for strength in [0.0, 0.3, 1.0] {
                let once = game(profile, strength, 1);
                assert_eq!(game(profile, strength, 1), once, "{profile} {strength}");
                let differs = (2..8).any(|seed| game(profile, strength, seed) != once);
                assert!(differs, "{profile} {strength}: all games are the same");
            }
        }
    }

    #[test]
    fn no_strength_is_a_uniformly_random_turn() {
        let position = Profile::Kisolo.start_position();
        let request = Request::new(position, Limits::default());
        let mut player = Player::new().unwrap();
        let mut counts = [0.0f64; 16];
        const DRAWS: u32 = 4_000;
        for seed in 0..DRAWS {
            let signals = Signals::default();
            let choice =
                player.turn::<Kisolo>(&request, Strength::RANDOM, seed.into(), &signals).unwrap();
            counts[usize::from(choice.pit().0)] += 1.0;
        }
        let legal = Profile::Kisolo.legal(&position);
        let expected = f64::from(DRAWS) / legal.len() as f64;
        let chi_square: f64 =
            legal.map(|pit| (counts[usize::from(pit.0)] - expected).powi(2) / expected).sum();
        // Six degrees of freedom: one in a thousand is above this.
        assert!(chi_square < 22.5, "{counts:?}");
    }

    #[test]
    fn limits_count_and_only_allowed_turns_are_made() {
        let position = Profile::Kisolo.start_position();
        let only = Profile::Kisolo.legal(&position).into_iter().nth(2).unwrap();
        let limits =
            Limits { nodes: Some(1), search_moves: Some(PitSet(1 << only.0)), ..Limits::default() };
        let request = Request::new(position, limits);
        let mut player = Player::new().unwrap();
        for seed in 0..20 {
            let signals = Signals::default();
            let choice = player.turn::<Kisolo>(&request, Strength::MOST, seed, &signals).unwrap();
            assert_eq!((choice.pit(), choice.turns.len()), (only, 1));
        }
    }
}
