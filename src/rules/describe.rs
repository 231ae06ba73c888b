//! A game in words, for people and for debugging.

use std::fmt::Write;

use super::{Capture, Game, GameResult, Move, Outcome, Profile, SET_UPS, Trace};
use crate::board::{PitSet, Position, Side, diagram, first_text};

impl Game {
    /// The pits that name a legal turn now: none when the game is over or a
    /// set-up is due.
    pub fn legal(&self) -> PitSet {
        // The pits alone may look like a game that goes on: after a win by
        // capture, and after a draw.
        if self.result() == GameResult::Ongoing {
            self.profile().legal(self.position())
        } else {
            PitSet::EMPTY
        }
    }

    /// Everything there is to say about the position: the board, then one
    /// line each, ended by a newline, for the profile, the side to move, the
    /// sides in their first phase, the seeds in hand (if there are any), the
    /// hash, the legal moves, the result and the position string.
    pub fn describe(&self) -> String {
        let (profile, position) = (self.profile(), self.position());
        let mut text = diagram(profile.geometry(), position);
        let mut line = |name: &str, value: &str| {
            let _ = writeln!(text, "{name} {value}");
        };
        line("profile", profile.name());
        line("side", &position.side.letter().to_string());
        line("first", first_text(position.first));
        if let Some(seeds) = self.in_hand() {
            line("seeds in hand", &seeds);
        }
        line("hash", &format!("{:016x}", position.hash()));
        line("legal", &self.legal_line());
        line("result", self.result().word());
        line("position", &profile.position_text(position));
        text
    }

    /// The seeds that still have to be set up, such as `S 21, N 21`.
    fn in_hand(&self) -> Option<String> {
        if !self.profile().set_up_due(self.position()) {
            return None;
        }
        let seeds = self.profile().set_up_seeds();
        let hands: Vec<String> = Side::BOTH
            .into_iter()
            .filter(|&side| self.position().first.contains(side))
            .map(|side| format!("{} {seeds}", side.letter()))
            .collect();
        Some(hands.join(", "))
    }

    /// The legal moves on one line: `none` after the end of the game, and
    /// what a set-up is when one is due.
    pub fn legal_line(&self) -> String {
        let (profile, position) = (self.profile(), self.position());
        if profile.set_up_due(position) {
            let (pits, seeds) = (profile.geometry().pits(), profile.set_up_seeds());
            return format!(
                "a set-up is due: @ and {pits} counts in sowing order, {seeds} seeds in all \
                 ({SET_UPS} arrangements)"
            );
        }
        let moves: Vec<String> =
            self.legal().map(|pit| profile.move_text(position, Move::Sow(pit))).collect();
        if moves.is_empty() { "none".to_owned() } else { moves.join(" ") }
    }
}

/// Captures of a turn that are named one by one; more are only counted.
const MOST_NAMED: usize = 6;

impl Profile {
    /// What happened in a move made from `before`, in a sentence: packets,
    /// captures and where it ended.
    pub fn tell(self, before: &Position, mv: Move, trace: &Trace) -> String {
        let (side, text) = (before.side, self.move_text(before, mv));
        let Some(last) = trace.last() else {
            return format!("{side} sets up: {text}");
        };
        let mut told = format!("{side} plays {text}");
        let captures: Vec<&Capture> = trace.captures().collect();
        if captures.is_empty() {
            told.push_str(", captures nothing");
        } else {
            let name = |capture: &&Capture| {
                let pit = self.move_text(before, Move::Sow(capture.by));
                format!("{pit} takes {}", capture.seeds())
            };
            let mut named: Vec<String> = captures.iter().take(MOST_NAMED).map(name).collect();
            if captures.len() > MOST_NAMED {
                named.push(format!("and so on, {} times in all", captures.len()));
            }
            let _ = write!(told, ", captures {} ({})", seeds(trace.taken()), named.join(", "));
        }
        let packets = trace.steps.len();
        let _ = write!(told, ", sows {packets} packet{}", if packets == 1 { "" } else { "s" });
        if trace.turn.outcome == Outcome::Draw {
            told.push_str(": the turn would never end.");
        } else {
            let _ = write!(told, ", ends in {}.", self.move_text(before, Move::Sow(last)));
        }
        told
    }
}

fn seeds(count: u32) -> String {
    format!("{count} seed{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(profile: Profile, position: &str) -> Game {
        let start = profile.start(position);
        Game::new(profile, start.unwrap_or_else(|| profile.parse_position(position).unwrap()))
    }

    /// The lines of a description after the board and without the hash,
    /// whose value is nobody's business here.
    fn words(game: &Game) -> Vec<String> {
        let text = game.describe();
        text.lines().skip(5).filter(|line| !line.starts_with("hash ")).map(str::to_owned).collect()
    }

    #[test]
    fn the_start_of_kisolo() {
        let game = game(Profile::Kisolo, "startpos");
        let want = format!(
            "        a   b   c   d   e   f   g
   4    3   3   3   3   3   3   3    North outer   sown  <-
   3    .   .   .   .   .   .   .    North inner   sown  ->
   2    .   .   .   .   .   .   .    South inner   sown  <-
   1    3   3   3   3   3   3   3    South outer   sown  ->
profile kisolo
side S
first -
hash {:016x}
legal a1 b1 c1 d1 e1 f1 g1
result -
position 3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3,3 S -
",
            game.position().hash()
        );
        assert_eq!(game.describe(), want);
    }

    #[test]
    fn set_ups_are_stated_and_not_listed() {
        let mut game = game(Profile::KisoloFree, "startpos");
        let legal = "legal a set-up is due: @ and 14 counts in sowing order, 21 seeds in all \
                     (927,983,760 arrangements)";
        let want = [
            "profile kisolo-free",
            "side S",
            "first SN",
            "seeds in hand S 21, N 21",
            legal,
            "result -",
            "position 0,0,0,0,0,0,0/0,0,0,0,0,0,0/0,0,0,0,0,0,0/0,0,0,0,0,0,0 S SN",
        ];
        assert_eq!(words(&game), want);
        let arrangement = "@3,3,3,3,3,3,0,0,0,0,1,1,1,0";
        let mv = game.profile().parse_move(game.position(), arrangement).unwrap();
        game.play(mv).unwrap();
        let want = [
            "profile kisolo-free",
            "side N",
            "first N",
            "seeds in hand N 21",
            legal,
            "result -",
            "position 0,0,0,0,0,0,0/0,0,0,0,0,0,0/0,1,1,1,0,0,0/3,3,3,3,3,3,0 N N",
        ];
        assert_eq!(words(&game), want);
    }

    #[test]
    fn the_initial_phase_of_isolo() {
        let want = [
            "profile isolo",
            "side S",
            "first SN",
            "legal a1 c1 e1 g1 h1 g2 f2 d2 b2",
            "result -",
            "position 17,2,0,2,0,2,0,2/0,1,2,0,2,0,2,0/0,2,0,2,0,2,1,0/2,0,2,0,2,0,2,17 S SN",
        ];
        assert_eq!(words(&game(Profile::Isolo, "startpos")), want);
    }

    #[test]
    fn after_the_end_nothing_is_legal() {
        let lost = "0,0,0,0,0,0,0/0,21,0,0,0,0,0/0,0,0,0,0,0,0/21,0,0,0,0,0,0 N -";
        assert_eq!(words(&game(Profile::Kisolo, lost))[3..5], ["legal none", "result S"]);
    }

    #[test]
    fn an_endless_turn_leaves_the_board_but_no_moves() {
        let endless = "0,0,0,0,0,0,75/0,0,0,0,0,0,0/1,2,0,1,0,1,0/1,0,1,0,1,0,1 S -";
        let mut game = game(Profile::KisoloFull, endless);
        let mv = game.profile().parse_move(game.position(), "a1").unwrap();
        game.play(mv).unwrap();
        assert_eq!(words(&game)[3..5], ["legal none", "result draw"]);
        assert!(words(&game)[5].ends_with(endless));
    }

    /// What a move of a position is told to do.
    fn told(profile: Profile, position: &str, mv: &str) -> String {
        let game = game(profile, position);
        let mv = profile.parse_move(game.position(), mv).unwrap();
        let trace = profile.trace(game.position(), mv).unwrap();
        profile.tell(game.position(), mv, &trace)
    }

    #[test]
    fn turns_are_told() {
        let example = "1,0,4,2,0,1,3/1,0,6,0,2,0,1/0,1,2,1,3,1,0/3,0,2,3,1,2,2 S -";
        let endless = "0,0,0,0,0,0,75/0,0,0,0,0,0,0/1,2,0,1,0,1,0/1,0,1,0,1,0,1 S -";
        let set_up = "@3,3,3,3,3,3,0,0,0,0,1,1,1,0";
        for (profile, position, mv, want) in [
            (
                Profile::KisoloFree,
                example,
                "e2",
                "South plays e2, captures 12 seeds (e2 takes 2, c2 takes 10), sows 2 packets, ends \
                 in g1.",
            ),
            (
                Profile::KisoloFull,
                endless,
                "a1",
                "South plays a1, captures nothing, sows 4096 packets: the turn would never end.",
            ),
            (Profile::KisoloFree, "startpos", set_up, &format!("South sets up: {set_up}")),
        ] {
            assert_eq!(told(profile, position, mv), want);
        }
    }
}
