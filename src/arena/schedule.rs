//! Who plays whom, from which opening, in which order.

use std::collections::{HashMap, VecDeque};

use crate::board::Side;
use crate::record::RecordedResult;

/// Pairs of games that are added to a drawn tie before the higher seed goes on.
const EXTRA_PAIRS: u64 = 4;
/// Numbers of games in one tie, and of ties in one stage, of a knockout: the
/// number of a game must not depend on which game ends first.
const TIE_SPAN: u64 = 10_000;
const STAGE_SPAN: u64 = 10_000 * TIE_SPAN;

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
        let mut schedule = Self {
            pending: VecDeque::new(),
            playing: HashMap::new(),
            known,
            knockout: None,
            total: 0,
        };
        if format == Format::Knockout {
            let mut knockout = Knockout::new(size);
            let games = knockout.stage_games();
            schedule.knockout = Some(knockout);
            schedule.add(games);
        } else {
            let games = meetings(format, size);
            schedule.total = games.len() as u64;
            let known = &schedule.known;
            schedule.pending =
                games.into_iter().filter(|game| !known.contains_key(&game.game)).collect();
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
        if let Some(game) = self.pending.pop_front() {
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

/// The games of all rounds in order; the shard is chosen by openings, so that
/// pairs stay together.
fn meetings(format: Format, size: Size) -> Vec<Scheduled> {
    let engines = size.engines;
    let mut games = Vec::new();
    let per_meeting = size.games.max(1);
    let (mut game, mut meeting) = (0, 0);
    for round in 0..size.rounds {
        for a in 0..engines {
            for b in a + 1..engines {
                if matches!(format, Format::Gauntlet(first) if a >= first || b < first) {
                    continue;
                }
                for index in 0..per_meeting {
                    game += 1;
                    let pair = index / 2;
                    let mine = (meeting + pair) % size.shard.1 == size.shard.0 - 1;
                    if mine {
                        let opening = round * per_meeting.div_ceil(2) + pair + 1;
                        let players = if index % 2 == 0 { [a, b] } else { [b, a] };
                        games.push(Scheduled { game, opening, players });
                    }
                }
                meeting += per_meeting.div_ceil(2);
            }
        }
    }
    games
}

/// One tie of a knockout.
#[derive(Debug)]
struct Tie {
    /// The higher seed first.
    players: [usize; 2],
    half_points: [u32; 2],
    scheduled: u64,
    finished: u64,
    extra: u64,
    winner: Option<usize>,
}

/// The state of a knockout.
#[derive(Debug)]
struct Knockout {
    games: u64,
    stage: u64,
    /// Those still in it, the higher seeds first.
    alive: Vec<usize>,
    ties: Vec<Tie>,
}

impl Knockout {
    fn new(size: Size) -> Self {
        let games = (size.rounds * size.games).max(1);
        Self { games, stage: 0, alive: (0..size.engines).collect(), ties: Vec::new() }
    }

    fn champion(&self) -> Option<usize> {
        match self.alive.as_slice() {
            &[champion] => Some(champion),
            _ => None,
        }
    }

    /// Sets up the ties of a stage: highest against lowest; of an odd number
    /// the highest seed waits.
    fn stage_games(&mut self) -> Vec<Scheduled> {
        let byes = self.alive.len() % 2;
        let playing = &self.alive[byes..];
        let count = playing.len() / 2;
        self.ties = (0..count)
            .map(|index| Tie {
                players: [playing[index], playing[playing.len() - 1 - index]],
                half_points: [0; 2],
                scheduled: 0,
                finished: 0,
                extra: 0,
                winner: None,
            })
            .collect();
        (0..count).flat_map(|tie| self.more(tie, self.games)).collect()
    }

    /// Schedules `count` more games of a tie.
    fn more(&mut self, tie: usize, count: u64) -> Vec<Scheduled> {
        let base = self.stage * STAGE_SPAN + tie as u64 * TIE_SPAN;
        let stage = self.stage;
        let tie = &mut self.ties[tie];
        let first = tie.scheduled;
        tie.scheduled += count;
        (first..first + count)
            .map(|index| {
                let [a, b] = tie.players;
                Scheduled {
                    game: base + index + 1,
                    opening: stage * TIE_SPAN + index / 2 + 1,
                    players: if index % 2 == 0 { [a, b] } else { [b, a] },
                }
            })
            .collect()
    }

    /// Books a result; returns the games that follow from it.
    fn finished(&mut self, game: Scheduled, result: RecordedResult) -> Vec<Scheduled> {
        let index = ((game.game - 1) % STAGE_SPAN / TIE_SPAN) as usize;
        let tie = &mut self.ties[index];
        for (seat, side) in Side::BOTH.into_iter().enumerate() {
            let player = usize::from(game.players[seat] != tie.players[0]);
            tie.half_points[player] += result.half_points(side);
        }
        tie.finished += 1;
        if tie.finished < tie.scheduled {
            return Vec::new();
        }
        let [a, b] = tie.half_points;
        if a == b && tie.extra < EXTRA_PAIRS {
            tie.extra += 1;
            return self.more(index, 2);
        }
        tie.winner = Some(tie.players[usize::from(b > a)]);
        let winners: Option<Vec<usize>> = self.ties.iter().map(|tie| tie.winner).collect();
        let Some(winners) = winners else { return Vec::new() };
        let byes = self.alive.len() % 2;
        self.alive.truncate(byes);
        self.alive.extend(winners);
        self.alive.sort_unstable();
        self.stage += 1;
        if self.champion().is_some() { Vec::new() } else { self.stage_games() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let whole = meetings(Format::RoundRobin, size(3, 4, 4));
        let mut parts = Vec::new();
        for i in 1..=3 {
            let part = meetings(Format::RoundRobin, Size { shard: (i, 3), ..size(3, 4, 4) });
            assert!(part.chunks(2).all(|pair| pair[0].opening == pair[1].opening));
            parts.extend(part);
        }
        parts.sort_by_key(|game| game.game);
        assert_eq!(parts, whole);
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
