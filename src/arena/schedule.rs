//! Who plays whom, from which opening, in which order.

use std::collections::{HashMap, VecDeque};

use super::knockout::Knockout;
use crate::record::RecordedResult;

/// The form of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Everyone against everyone; of two engines, head to head.
    #[default]
    RoundRobin,
    /// The first so many engines against all the others.
    Gauntlet(usize),
    /// The losers of each stage leave.
    Knockout,
}

/// A game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheduled {
    /// Its number, from 1.
    pub game: u64,
    /// The number of its opening, from 1.
    pub opening: u64,
    /// The players as indices: South, North.
    pub players: [usize; 2],
}

/// What the schedule has to offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A game to play.
    Game(Scheduled),
    /// Nothing until a game that is being played has ended.
    Wait,
    /// Nothing any more.
    Done,
}

/// The size of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of engines.
    pub engines: usize,
    /// How often everyone meets.
    pub rounds: u64,
    /// Games of each meeting; an even number has each opening twice, with
    /// sides changed.
    pub games: u64,
    /// The part `(i, n)` of the schedule to play, `1 <= i <= n`.
    pub shard: (u64, u64),
}

/// A schedule that is being played.
#[derive(Debug)]
pub struct Schedule {
    /// The games of a round robin or gauntlet that were not looked at yet.
    meetings: Meetings,
    /// Games of a knockout.
    pending: VecDeque<Scheduled>,
    playing: HashMap<u64, Scheduled>,
    /// Results of games that were played before.
    known: HashMap<u64, RecordedResult>,
    knockout: Option<Knockout>,
    total: u64,
}

impl Schedule {
    /// The schedule of a match, without the games whose results are `known`.
    pub fn new(format: Format, size: Size, known: HashMap<u64, RecordedResult>) -> Self {
        let meetings = Meetings::new(format, size);
        let mut schedule = Self {
            total: meetings.total(),
            meetings,
            pending: VecDeque::new(),
            playing: HashMap::new(),
            known,
            knockout: None,
        };
        if format == Format::Knockout {
            let mut knockout = Knockout::new(size);
            let games = knockout.stage_games();
            schedule.knockout = Some(knockout);
            schedule.add(games);
        }
        schedule
    }

    /// All games, or 0 if their number is not settled beforehand.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// The winner of a knockout that is over.
    pub fn champion(&self) -> Option<usize> {
        self.knockout.as_ref().and_then(Knockout::champion)
    }

    /// The next game.
    pub fn take(&mut self) -> Next {
        let known = &self.known;
        let next = self.meetings.find(|game| !known.contains_key(&game.game));
        if let Some(game) = next.or_else(|| self.pending.pop_front()) {
            self.playing.insert(game.game, game);
            return Next::Game(game);
        }
        if self.playing.is_empty() { Next::Done } else { Next::Wait }
    }

    /// Books the result of a game.
    pub fn finished(&mut self, game: u64, result: RecordedResult) {
        if let (Some(played), Some(knockout)) = (self.playing.remove(&game), &mut self.knockout) {
            let more = knockout.finished(played, result);
            self.add(more);
        }
    }

    /// Adds games of a knockout; what is known of them counts at once.
    fn add(&mut self, games: Vec<Scheduled>) {
        let Some(knockout) = &mut self.knockout else { return };
        let mut games = VecDeque::from(games);
        while let Some(game) = games.pop_front() {
            match self.known.get(&game.game) {
                Some(&result) => games.extend(knockout.finished(game, result)),
                None => self.pending.push_back(game),
            }
        }
    }
}

/// The games of all rounds in order, none of which is held in memory. The
/// shard is chosen by pairs of games with the same opening, so that they stay
/// together.
#[derive(Debug)]
struct Meetings {
    /// Who meets in a round.
    couples: Vec<[usize; 2]>,
    games: u64,
    shard: (u64, u64),
    /// All pairs of all shards.
    pairs: u64,
    /// The next pair to look at, and the games of it that are out.
    pair: u64,
    out: u64,
}

impl Meetings {
    fn new(format: Format, size: Size) -> Self {
        let meets = |a: usize, b: usize| match format {
            Format::RoundRobin => true,
            Format::Gauntlet(first) => a < first && b >= first,
            Format::Knockout => false,
        };
        let couples: Vec<[usize; 2]> = (0..size.engines)
            .flat_map(|a| (a + 1..size.engines).map(move |b| [a, b]))
            .filter(|&[a, b]| meets(a, b))
            .collect();
        let games = size.games.max(1);
        let pairs = size.rounds * couples.len() as u64 * games.div_ceil(2);
        Self { couples, games, shard: size.shard, pairs, pair: size.shard.0 - 1, out: 0 }
    }

    /// The games of a pair: of an odd number the last one is alone.
    const fn games_of(&self, pair: u64) -> u64 {
        let pairs = self.games.div_ceil(2);
        if self.games % 2 == 1 && pair % pairs == pairs - 1 { 1 } else { 2 }
    }

    /// The number of all games of this shard.
    fn total(&self) -> u64 {
        let (part, parts) = self.shard;
        let count = |pairs: u64| (pairs + parts - part) / parts;
        // The pairs of this shard are alike again after a period.
        let period = self.games.div_ceil(2).min(count(self.pairs).max(1));
        let games = |pairs: u64| -> u64 {
            (0..pairs).map(|index| self.games_of(part - 1 + index * parts)).sum()
        };
        let all = count(self.pairs);
        all / period * games(period) + games(all % period)
    }
}

impl Iterator for Meetings {
    type Item = Scheduled;

    fn next(&mut self) -> Option<Scheduled> {
        if self.pair >= self.pairs {
            return None;
        }
        let pairs = self.games.div_ceil(2);
        let (meeting, within) = (self.pair / pairs, self.pair % pairs);
        let (round, couple) =
            (meeting / self.couples.len() as u64, meeting % self.couples.len() as u64);
        let [a, b] = self.couples[couple as usize];
        let game = Scheduled {
            game: meeting * self.games + 2 * within + self.out + 1,
            opening: round * pairs + within + 1,
            players: if self.out == 0 { [a, b] } else { [b, a] },
        };
        self.out += 1;
        if self.out == self.games_of(self.pair) {
            self.out = 0;
            self.pair += self.shard.1;
        }
        Some(game)
    }
}

#[cfg(test)]
mod tests {
    use super::super::knockout::EXTRA_PAIRS;
    use super::*;
    use crate::board::Side;

    const fn size(engines: usize, rounds: u64, games: u64) -> Size {
        Size { engines, rounds, games, shard: (1, 1) }
    }

    fn all(
        schedule: &mut Schedule,
        result: impl Fn(&Scheduled) -> RecordedResult,
    ) -> Vec<Scheduled> {
        let mut games = Vec::new();
        while let Next::Game(game) = schedule.take() {
            schedule.finished(game.game, result(&game));
            games.push(game);
        }
        games
    }

    #[test]
    fn everyone_meets_with_sides_changed() {
        let mut schedule = Schedule::new(Format::RoundRobin, size(4, 3, 2), HashMap::new());
        assert_eq!(schedule.total(), 36);
        let games = all(&mut schedule, |_| RecordedResult::Draw);
        assert_eq!(games.len(), 36);
        for pair in games.chunks(2) {
            let [a, b] = pair[0].players;
            assert_eq!(pair[1].players, [b, a]);
            assert_eq!(pair[0].opening, pair[1].opening);
        }
    }

    #[test]
    fn a_gauntlet_spares_the_others() {
        let mut schedule = Schedule::new(Format::Gauntlet(1), size(5, 1, 2), HashMap::new());
        let games = all(&mut schedule, |_| RecordedResult::South);
        assert_eq!(games.len(), 8);
        assert!(games.iter().all(|game| game.players.contains(&0)));
    }

    #[test]
    fn shards_share_the_games_without_splitting_pairs() {
        for (games, shards) in [(4, 3), (3, 3), (3, 2), (1, 2), (5, 4), (2, 100)] {
            let part = |i, n| {
                Meetings::new(Format::RoundRobin, Size { shard: (i, n), ..size(3, 4, games) })
            };
            let whole: Vec<Scheduled> = part(1, 1).collect();
            assert_eq!(whole.len() as u64, 12 * games);
            assert_eq!(part(1, 1).total(), 12 * games);
            let mut parts = Vec::new();
            let mut pairs = std::collections::HashSet::new();
            for i in 1..=shards {
                let part = part(i, shards);
                let total = part.total();
                let games: Vec<Scheduled> = part.collect();
                assert_eq!(games.len() as u64, total);
                for game in &games {
                    let [a, b] = game.players;
                    pairs.insert((i, game.opening, a.min(b), a.max(b)));
                }
                parts.extend(games);
            }
            assert_eq!(pairs.len() as u64, 12 * games.div_ceil(2));
            parts.sort_by_key(|game| game.game);
            assert_eq!(parts, whole);
        }
    }

    #[test]
    fn a_huge_match_takes_no_memory() {
        let mut schedule =
            Schedule::new(Format::RoundRobin, size(9, 10_000_000, 1000), HashMap::new());
        assert_eq!(schedule.total(), 360_000_000_000);
        assert!(matches!(schedule.take(), Next::Game(Scheduled { game: 1, .. })));
    }

    #[test]
    fn known_games_are_not_played_again() {
        let known = HashMap::from([(1, RecordedResult::South), (5, RecordedResult::Draw)]);
        let mut schedule = Schedule::new(Format::RoundRobin, size(2, 3, 2), known);
        let games: Vec<u64> =
            all(&mut schedule, |_| RecordedResult::Draw).iter().map(|game| game.game).collect();
        assert_eq!(games, [2, 3, 4, 6]);
    }

    /// The player with the lower index wins.
    fn favourite(game: &Scheduled) -> RecordedResult {
        RecordedResult::won_by(if game.players[0] < game.players[1] {
            Side::South
        } else {
            Side::North
        })
    }

    #[test]
    fn a_knockout_finds_the_best_and_can_be_resumed() {
        for engines in 2..=9 {
            let mut schedule = Schedule::new(Format::Knockout, size(engines, 1, 2), HashMap::new());
            let games = all(&mut schedule, favourite);
            assert_eq!(schedule.champion(), Some(0));
            assert_eq!(games.len(), 2 * (engines - 1));
            let known = games[..engines].iter().map(|g| (g.game, favourite(g))).collect();
            let mut resumed = Schedule::new(Format::Knockout, size(engines, 1, 2), known);
            let rest = all(&mut resumed, favourite);
            assert_eq!(rest.len(), games.len() - engines);
            assert_eq!(resumed.champion(), Some(0));
        }
    }

    #[test]
    fn drawn_ties_get_extra_pairs_and_then_the_higher_seed() {
        let mut schedule = Schedule::new(Format::Knockout, size(2, 1, 2), HashMap::new());
        let games = all(&mut schedule, |_| RecordedResult::South);
        assert_eq!(games.len() as u64, 2 + 2 * EXTRA_PAIRS);
        assert_eq!(schedule.champion(), Some(0));
    }
}
