//! What the games of a match say so far.

use std::collections::{BTreeMap, HashMap};

use crate::board::Side;
use crate::rating::{Games, Pairs, Score};
use crate::record::{GameRecord, Reason, RecordedResult};

/// What one player made of a game.
pub const fn score(result: RecordedResult, side: Side) -> Score {
    match result.half_points(side) {
        0 => Score::Loss,
        1 => Score::Draw,
        _ => Score::Win,
    }
}

/// Counts of one player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Games by their result.
    pub games: Games,
    /// Games lost on time.
    pub times: u64,
    /// Games lost by other faults of the engine.
    pub faults: u64,
    /// Moves chosen by the player.
    pub moves: u64,
    /// Nodes and time of those moves, as far as they were told.
    pub nodes: u64,
    /// Milliseconds of those moves.
    pub ms: u64,
}

/// Counts of a match, fed with records in any order.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By player's name.
    pub players: BTreeMap<String, Line>,
    /// Games as seen from the first of two players, by the names in order.
    pub meetings: BTreeMap<(String, String), (Games, Pairs)>,
    /// Games as seen by who moves first.
    pub first: Games,
    /// Games by the reason of their end.
    pub reasons: BTreeMap<Reason, u64>,
    /// Moves of all games.
    pub plies: u64,
    /// The games of pairs that are not whole yet, as seen from the first of
    /// the two players, with that player's side.
    half: HashMap<PairKey, Vec<(Side, Score)>>,
}

/// What the two games of a pair have in common: event, players, opening.
type PairKey = (String, String, String, u64);

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord) {
        for side in Side::BOTH {
            self.add_player(record, side);
        }
        self.first.add(score(record.result, Side::South));
        *self.reasons.entry(record.reason).or_default() += 1;
        self.plies += record.moves.len() as u64;
        let (south, north) = (&record.south.name, &record.north.name);
        let side = if south <= north { Side::South } else { Side::North };
        let (a, b) = if side == Side::South { (south, north) } else { (north, south) };
        let scored = score(record.result, side);
        let (games, pairs) = self.meetings.entry((a.clone(), b.clone())).or_default();
        games.add(scored);
        let key = (record.event.clone(), a.clone(), b.clone(), record.opening);
        let open = self.half.entry(key.clone()).or_default();
        // A pair is whole when the same opening was played from both sides.
        match open.iter().position(|(other, _)| *other != side) {
            Some(at) => {
                let (_, other) = open.swap_remove(at);
                pairs.add(other, scored);
                if open.is_empty() {
                    self.half.remove(&key);
                }
            }
            None => open.push((side, scored)),
        }
    }

    fn add_player(&mut self, record: &GameRecord, side: Side) {
        let line = self.players.entry(record.player(side).name.clone()).or_default();
        let scored = score(record.result, side);
        line.games.add(scored);
        if scored == Score::Loss {
            line.times += u64::from(record.reason == Reason::Time);
            line.faults += u64::from(record.reason.is_fault() && record.reason != Reason::Time);
        }
        let mut mover = if record.moves_from_north() { Side::North } else { Side::South };
        for mv in &record.moves {
            if mover == side && !mv.book {
                line.moves += 1;
                line.nodes += mv.nodes.unwrap_or(0);
                line.ms += mv.ms.unwrap_or(0);
            }
            mover = mover.other();
        }
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.first.total()
    }

    /// Games and whole pairs of two players as seen from `player`.
    pub fn meeting(&self, player: &str, opponent: &str) -> (Games, Pairs) {
        let swapped = player > opponent;
        let (a, b) = if swapped { (opponent, player) } else { (player, opponent) };
        let (games, pairs) =
            self.meetings.get(&(a.to_owned(), b.to_owned())).copied().unwrap_or_default();
        if !swapped {
            return (games, pairs);
        }
        let games = Games { losses: games.wins, draws: games.draws, wins: games.losses };
        let mut counts = pairs.0;
        counts.reverse();
        (games, Pairs(counts))
    }

    /// Whether every game of two players belongs to a whole pair.
    pub fn is_paired(&self, player: &str, opponent: &str) -> bool {
        let (games, pairs) = self.meeting(player, opponent);
        games.total() == 2 * pairs.total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{FORMAT, Player};

    fn record(south: &str, north: &str, opening: u64, result: RecordedResult) -> GameRecord {
        let player = |name: &str| Player { name: name.to_owned(), ..Player::default() };
        GameRecord {
            format: FORMAT,
            event: "e".to_owned(),
            game: 1,
            opening,
            seed: 0,
            date: String::new(),
            profile: "kisolo".to_owned(),
            start: "3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3,3 S -".to_owned(),
            south: player(south),
            north: player(north),
            moves: Vec::new(),
            result,
            reason: Reason::Time,
            note: None,
        }
    }

    #[test]
    fn pairs_are_found_in_any_order() {
        let mut tally = Tally::default();
        tally.add(&record("b", "a", 1, RecordedResult::South));
        tally.add(&record("a", "b", 2, RecordedResult::South));
        assert!(!tally.is_paired("a", "b"));
        tally.add(&record("b", "a", 2, RecordedResult::Draw));
        tally.add(&record("a", "b", 1, RecordedResult::North));
        assert!(tally.is_paired("a", "b"));
        let (games, pairs) = tally.meeting("a", "b");
        assert_eq!(games, Games { losses: 2, draws: 1, wins: 1 });
        assert_eq!(pairs, Pairs([1, 0, 0, 1, 0]));
        assert_eq!(tally.meeting("b", "a").1, Pairs([0, 1, 0, 0, 1]));
        assert_eq!(tally.players["a"].times, 2);
    }
}
