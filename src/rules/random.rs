//! Random moves of a game.

use rand::{Rng, RngExt};

use super::{Game, GameResult, Move};
use crate::board::{LANES, Lanes, Position};

impl Game {
    /// A legal turn, each as likely as every other, or an arrangement with
    /// every seed in a random pit where a set-up is due. `None` when no turn is
    /// legal.
    pub fn random_move(&self, rng: &mut impl Rng) -> Option<Move> {
        let (profile, position) = (self.profile(), self.position());
        if profile.set_up_due(position) {
            let mut counts = [0u8; LANES];
            for _ in 0..profile.seeds() / 2 {
                counts[rng.random_range(0..profile.geometry().pits())] += 1;
            }
            return Some(Move::SetUp(Lanes::new(counts)));
        }
        let legal = profile.legal(position);
        let chosen = rng.random_range(0..legal.len().max(1));
        legal.into_iter().nth(chosen).map(Move::Sow)
    }

    /// Makes so many random turns, and every set-up that is due. `each` gets
    /// every move with the position that it is made from. `None` if that ended
    /// the game.
    pub fn play_random(
        &mut self,
        mut turns: u32,
        rng: &mut impl Rng,
        mut each: impl FnMut(&Position, Move),
    ) -> Option<()> {
        while turns > 0 || self.profile().set_up_due(self.position()) {
            let mv = self.random_move(rng)?;
            if let Move::Sow(_) = mv {
                turns -= 1;
            }
            each(self.position(), mv);
            self.play(mv).ok()?;
            if self.result() != GameResult::Ongoing {
                return None;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::rules::Profile;

    #[test]
    fn random_games_are_legal_and_set_ups_come_beside_the_turns() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for profile in Profile::ALL {
            let mut game = Game::new(profile, profile.start_position());
            let (mut set_ups, mut turns) = (0, 0);
            let played = game.play_random(3, &mut rng, |position, mv| {
                profile.play(position, mv).unwrap();
                match mv {
                    Move::SetUp(_) => set_ups += 1,
                    Move::Sow(_) => turns += 1,
                }
            });
            assert!(played.is_some());
            assert_eq!(turns, 3);
            assert_eq!(set_ups, if profile == Profile::KisoloFree { 2 } else { 0 });
            assert_eq!(game.ply(), turns + set_ups);
        }
    }
}
