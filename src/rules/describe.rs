//! A game's position in words and figures.

use super::{Game, GameResult};
use crate::board::{Side, diagram};

/// What is said instead of a list of moves when a set-up is due.
pub const SET_UP_DUE: &str = "a set-up is due: any of 927983760 arrangements, \
                              '@' and 14 counts of 21 seeds in sowing order";

impl Game {
    /// The board as the rules draw it, who is to move, the hash, the legal
    /// moves, how the game stands, and last the line `position` with the
    /// position string.
    pub fn describe(&self) -> String {
        let (profile, position) = (self.profile(), self.position());
        let result = self.result();
        let legal = if result != GameResult::Ongoing {
            "none".to_owned()
        } else if profile.set_up_due(position) {
            SET_UP_DUE.to_owned()
        } else {
            profile.legal_text(position)
        };
        let first: Vec<&str> = Side::BOTH
            .into_iter()
            .filter(|&side| position.first.contains(side))
            .map(Side::name)
            .collect();
        let first = if first.is_empty() { "nobody".to_owned() } else { first.join(" and ") };
        let result = match result {
            GameResult::Ongoing => "the game goes on",
            GameResult::South => "South has won",
            GameResult::North => "North has won",
            GameResult::Draw => "a draw",
        };
        format!(
            "{}\nprofile {profile}\nside {}\nfirst phase {first}\nhash {:016x}\nlegal {legal}\n\
             result {result}\nposition {}",
            diagram(profile.geometry(), position),
            position.side,
            position.hash(),
            profile.position_text(position)
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::{Game, Profile};

    #[test]
    fn a_position_is_described_whole() {
        let profile = Profile::Kisolo;
        let game = Game::new(profile, profile.start_position());
        let want = format!(
            "       a   b   c   d   e   f   g
   4   3   3   3   3   3   3   3    North outer   sown  <-
   3   0   0   0   0   0   0   0    North inner   sown  ->
   2   0   0   0   0   0   0   0    South inner   sown  <-
   1   3   3   3   3   3   3   3    South outer   sown  ->
profile kisolo
side South
first phase nobody
hash {:016x}
legal a1 b1 c1 d1 e1 f1 g1
result the game goes on
position 3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3,3 S -",
            game.position().hash()
        );
        assert_eq!(game.describe(), want);
        let set_up = Game::new(Profile::KisoloFree, Profile::KisoloFree.start_position());
        assert!(set_up.describe().contains("first phase South and North\n"));
        assert!(set_up.describe().contains("927983760"));
    }
}
