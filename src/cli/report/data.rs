//! What the report tells of, counted game by game.

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::arena::{Tally, score};
use crate::board::Side;
use crate::cli::records::outcome;
use crate::rating::{Crosstable, Games, Pairs};
use crate::record::GameRecord;

/// A curve is thinned out to fewer points than this.
const MOST_POINTS: usize = 400;

/// All counts of the report.
#[derive(Debug, Default)]
pub struct Data {
    pub tally: Tally,
    pub table: Crosstable,
    /// Games by their number of moves.
    pub lengths: BTreeMap<usize, u64>,
    pub openings: HashMap<Opening, OpeningGames>,
    /// Games of every setting that a player appeared with.
    pub settings: BTreeMap<Setting, u64>,
    pub effort: HashMap<String, Effort>,
    /// Each player's points over the player's own games.
    pub points: HashMap<String, Series<f64>>,
    /// The first meeting over its games.
    pub meeting: Series<(Games, Pairs)>,
    /// Games by the name of their profile.
    pub profiles: BTreeMap<String, u64>,
    /// The dates of the earliest and the latest game.
    pub dates: Option<(String, String)>,
    /// The last games, at most [`Self::most_kept`].
    pub kept: VecDeque<GameRecord>,
    most_kept: usize,
}

/// Where games began.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Opening {
    pub profile: String,
    pub start: String,
    /// The moves that were given.
    pub moves: String,
}

/// Games of an opening.
#[derive(Clone, Debug, Default)]
pub struct OpeningGames {
    /// The number of the opening in its first game's match.
    pub number: u64,
    /// As seen from South.
    pub games: Games,
}

/// How a player was set up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setting {
    pub player: String,
    pub engine: String,
    pub limit: String,
    pub options: Vec<(String, String)>,
}

/// Sums over a player's own moves, each with its number of addends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    pub moves: u64,
    pub ms: (u64, u64),
    pub nodes: (u64, u64),
    pub depth: (u64, u64),
}

/// Values over games, thinned out as they grow in number.
#[derive(Clone, Debug)]
pub struct Series<T> {
    /// Game numbers with values.
    pub points: Vec<(u64, T)>,
    /// The last of all values.
    pub last: Option<(u64, T)>,
    stride: u64,
}

impl<T> Default for Series<T> {
    fn default() -> Self {
        Self { points: Vec::new(), last: None, stride: 1 }
    }
}

impl<T: Copy> Series<T> {
    fn add(&mut self, value: T) {
        let number = self.last.map_or(1, |(number, _)| number + 1);
        self.last = Some((number, value));
        if number.is_multiple_of(self.stride) {
            self.points.push((number, value));
        }
        if self.points.len() >= MOST_POINTS {
            self.stride *= 2;
            let stride = self.stride;
            self.points.retain(|(number, _)| number.is_multiple_of(stride));
        }
    }

    /// All points that were kept, the last one always.
    pub fn iter(&self) -> impl Iterator<Item = (u64, T)> {
        let kept = self.points.last().map(|&(number, _)| number);
        let last = self.last.filter(|&(number, _)| Some(number) != kept);
        self.points.iter().copied().chain(last)
    }
}

impl Data {
    /// No games yet, of which the last `most_kept` will be held.
    pub fn new(most_kept: usize) -> Self {
        Self { most_kept, ..Self::default() }
    }

    /// Counts a game.
    pub fn add(&mut self, record: GameRecord) {
        self.tally.add(&record);
        self.table.add(&record.south.name, &record.north.name, outcome(&record));
        *self.lengths.entry(record.moves.len()).or_default() += 1;
        *self.profiles.entry(record.profile.clone()).or_default() += 1;
        self.add_date(&record.date);
        self.add_opening(&record);
        for side in Side::BOTH {
            self.add_player(&record, side);
        }
        if let Some(&now) = self.tally.meetings.values().next() {
            self.meeting.add(now);
        }
        if self.most_kept > 0 {
            if self.kept.len() == self.most_kept {
                self.kept.pop_front();
            }
            self.kept.push_back(record);
        }
    }

    fn add_date(&mut self, date: &str) {
        if date.is_empty() {
            return;
        }
        let (first, last) = self.dates.get_or_insert_with(|| (date.to_owned(), date.to_owned()));
        if date < first.as_str() {
            date.clone_into(first);
        } else if date > last.as_str() {
            date.clone_into(last);
        }
    }

    fn add_opening(&mut self, record: &GameRecord) {
        let moves: Vec<&str> =
            record.moves.iter().take_while(|mv| mv.book).map(|mv| mv.text.as_str()).collect();
        let opening = Opening {
            profile: record.profile.clone(),
            start: record.start.clone(),
            moves: moves.join(" "),
        };
        let entry = self
            .openings
            .entry(opening)
            .or_insert_with(|| OpeningGames { number: record.opening, games: Games::default() });
        entry.games.add(score(record.result, Side::South));
    }

    fn add_player(&mut self, record: &GameRecord, side: Side) {
        let player = record.player(side);
        let setting = Setting {
            player: player.name.clone(),
            engine: player.engine.clone().unwrap_or_default(),
            limit: player.limit.clone(),
            options: player.options.clone().into_iter().collect(),
        };
        *self.settings.entry(setting).or_default() += 1;
        let series = self.points.entry(player.name.clone()).or_default();
        let before = series.last.map_or(0.0, |(_, points)| points);
        series.add(before + f64::from(record.result.half_points(side)) / 2.0);
        let effort = self.effort.entry(player.name.clone()).or_default();
        let skip = usize::from(record.moves_from_north() != (side == Side::North));
        for mv in record.moves.iter().skip(skip).step_by(2).filter(|mv| !mv.book) {
            effort.moves += 1;
            add(&mut effort.ms, mv.ms);
            add(&mut effort.nodes, mv.nodes);
            add(&mut effort.depth, mv.depth.map(u64::from));
        }
    }

    /// Whether every game of the first meeting belongs to a whole pair.
    pub fn is_paired(&self) -> bool {
        let meeting = self.tally.meetings.values().next();
        meeting.is_some_and(|(games, pairs)| games.total() == 2 * pairs.total())
    }
}

fn add(sum: &mut (u64, u64), value: Option<u64>) {
    if let Some(value) = value {
        sum.0 += value;
        sum.1 += 1;
    }
}

/// The mean of a sum with its number of addends.
pub fn mean((sum, count): (u64, u64)) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}
