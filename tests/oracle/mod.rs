//! A plain interpreter of the rules, written from their description alone:
//! a board of four rows, seeds dropped one by one, rules as run-time flags.
//! It shares no code with the library and speaks position strings only.

mod check;
mod text;

pub use text::is_valid;

/// What a profile does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    pub columns: usize,
    pub seeds: u32,
    /// All captures are made before the turn, and the seeds stay on the board
    /// behind the capturing pit; otherwise captured seeds are sown.
    pub captures_stay: bool,
    /// The relay goes by the pit after the last seed, not by the last seed's.
    pub looks_ahead: bool,
    /// A last seed in an empty pit still allows to go on (without capture).
    pub goes_on_from_empty: bool,
    /// Pits 7 and 8 of a side are out of play until it chooses 7.
    pub initial_phase: bool,
    /// Both sides arrange their seeds first.
    pub set_up: bool,
}

/// The flags of a profile.
pub fn flags(profile: &str) -> Flags {
    let kisolo = Flags {
        columns: 7,
        seeds: 42,
        captures_stay: true,
        looks_ahead: true,
        goes_on_from_empty: true,
        initial_phase: false,
        set_up: false,
    };
    match profile {
        "kisolo" => kisolo,
        "kisolo-free" => {
            Flags { captures_stay: false, goes_on_from_empty: false, set_up: true, ..kisolo }
        }
        "kisolo-full" => Flags { captures_stay: false, seeds: 84, ..kisolo },
        "isolo" => Flags {
            columns: 8,
            seeds: 64,
            captures_stay: false,
            looks_ahead: false,
            goes_on_from_empty: false,
            initial_phase: true,
            set_up: false,
        },
        _ => panic!("no profile {profile}"),
    }
}

/// A board: rows 4, 3, 2, 1 from west to east, as they are printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    flags: Flags,
    rows: [Vec<u32>; 4],
    north_moves: bool,
    /// South, North in their first phase.
    first: [bool; 2],
}

/// A legal turn and what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    pub mv: String,
    /// `-`, `S`, `N` or `draw`.
    pub result: String,
    pub packets: u32,
    /// The position after it; nothing after a draw.
    pub after: Option<String>,
}

/// A pit as row (0 = row 4) and column.
type Pit = (usize, usize);

impl Board {
    /// Reads a position string that is known to be well formed.
    pub fn parse(flags: Flags, text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let rows: Vec<Vec<u32>> = fields[0]
            .split('/')
            .map(|row| row.split(',').map(|count| count.parse().unwrap()).collect())
            .collect();
        Self {
            flags,
            rows: rows.try_into().unwrap(),
            north_moves: fields[1] == "N",
            first: [fields[2].contains('S'), fields[2].contains('N')],
        }
    }

    /// The position string.
    pub fn text(&self) -> String {
        let rows: Vec<String> = self
            .rows
            .iter()
            .map(|row| row.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
            .collect();
        let first = match self.first {
            [true, true] => "SN",
            [true, false] => "S",
            [false, true] => "N",
            [false, false] => "-",
        };
        format!("{} {} {first}", rows.join("/"), if self.north_moves { "N" } else { "S" })
    }

    /// The pits of a side in its sowing order.
    fn ring(&self, north: bool) -> Vec<Pit> {
        let columns = self.flags.columns;
        if north {
            // Outer row 4 from east to west, inner row 3 from west to east.
            (0..columns).rev().map(|c| (0, c)).chain((0..columns).map(|c| (1, c))).collect()
        } else {
            (0..columns).map(|c| (3, c)).chain((0..columns).rev().map(|c| (2, c))).collect()
        }
    }

    fn at(&self, (row, column): Pit) -> u32 {
        self.rows[row][column]
    }

    fn take(&mut self, (row, column): Pit) -> u32 {
        std::mem::take(&mut self.rows[row][column])
    }

    /// Inner and outer row of a side.
    fn rows_of(north: bool) -> (usize, usize) {
        if north { (1, 0) } else { (2, 3) }
    }

    fn row_is_empty(&self, row: usize) -> bool {
        self.rows[row].iter().all(|&count| count == 0)
    }

    /// Whether a pit is in play for its owner.
    fn in_play(&self, north: bool, pit: Pit) -> bool {
        let index = self.ring(north).iter().position(|&p| p == pit).unwrap();
        !(self.flags.initial_phase && self.first[usize::from(north)] && (index == 7 || index == 8))
    }

    /// The enemy pits that the own inner pit of a column faces, in play.
    fn opposite(&self, column: usize) -> Vec<Pit> {
        let (inner, outer) = Self::rows_of(!self.north_moves);
        [(inner, column), (outer, column)]
            .into_iter()
            .filter(|&pit| self.in_play(!self.north_moves, pit))
            .collect()
    }

    /// Whether the own inner pit of a column can capture, by the rule of the
    /// profiles that look at the enemy inner pit.
    fn can_capture(&self, column: usize) -> bool {
        let own = Self::rows_of(self.north_moves).0;
        let enemy = Self::rows_of(!self.north_moves).0;
        self.rows[own][column] > 0 && self.rows[enemy][column] > 0
    }

    fn capture(&mut self, column: usize) -> u32 {
        let pits = self.opposite(column);
        pits.into_iter().map(|pit| self.take(pit)).sum()
    }

    /// The pits that name a legal turn, in sowing order; none when the game
    /// is over or a set-up is due.
    fn legal(&self) -> Vec<Pit> {
        let flags = self.flags;
        let north = self.north_moves;
        let (inner, _) = Self::rows_of(north);
        if flags.set_up && self.first[usize::from(north)] {
            return Vec::new();
        }
        if flags.captures_stay {
            if self.row_is_empty(0) || self.row_is_empty(3) {
                return Vec::new();
            }
            let mut after = self.clone();
            after.capture_all();
            return after.ring(north).into_iter().filter(|&pit| after.at(pit) > 0).collect();
        }
        if !flags.initial_phase {
            let captures: Vec<Pit> = self
                .ring(north)
                .into_iter()
                .filter(|&(row, column)| row == inner && self.can_capture(column))
                .collect();
            if !captures.is_empty() {
                return captures;
            }
        }
        let ring = self.ring(north);
        let corner = ring[7];
        ring.into_iter()
            .filter(|&pit| self.at(pit) > 0)
            .filter(|&pit| self.in_play(north, pit) || pit == corner)
            .collect()
    }

    /// `kisolo`: every available capture, the seeds to the pits behind.
    fn capture_all(&mut self) {
        for column in 0..self.flags.columns {
            self.capture_behind(column);
        }
    }

    fn capture_behind(&mut self, column: usize) {
        if self.can_capture(column) {
            let taken = self.capture(column);
            let outer = Self::rows_of(self.north_moves).1;
            self.rows[outer][column] += taken;
        }
    }

    fn name((row, column): Pit) -> String {
        format!("{}{}", char::from(b'a' + column as u8), 4 - row)
    }

    /// Every legal turn with its result.
    pub fn turns(&self) -> Vec<Made> {
        self.legal().into_iter().map(|pit| self.clone().play(pit)).collect()
    }

    /// Drops seeds, the first into `first`; returns the pit of the last.
    fn sow(&mut self, first: Pit, seeds: u32) -> Pit {
        let north = self.north_moves;
        let mut pit = first;
        let mut last = first;
        for _ in 0..seeds {
            self.rows[pit.0][pit.1] += 1;
            last = pit;
            pit = self.next(north, pit);
        }
        last
    }

    /// The next pit in play.
    fn next(&self, north: bool, pit: Pit) -> Pit {
        let ring = self.ring(north);
        let mut index = ring.iter().position(|&p| p == pit).unwrap();
        loop {
            index = (index + 1) % ring.len();
            if self.in_play(north, ring[index]) {
                return ring[index];
            }
        }
    }

    fn play(mut self, pit: Pit) -> Made {
        let (result, packets) = if self.flags.captures_stay {
            self.play_kisolo(pit)
        } else if self.flags.looks_ahead {
            self.play_resow(pit)
        } else {
            self.play_isolo(pit)
        };
        self.north_moves = !self.north_moves;
        let after = (result != "draw").then(|| self.text());
        Made { mv: Self::name(pit), result: result.to_owned(), packets, after }
    }

    fn winner(north: bool) -> &'static str {
        if north { "N" } else { "S" }
    }

    fn play_kisolo(&mut self, pit: Pit) -> (&'static str, u32) {
        let north = self.north_moves;
        let (inner, outer) = Self::rows_of(north);
        let enemy_outer = Self::rows_of(!north).1;
        self.capture_all();
        let mut from = pit;
        for packet in 1.. {
            let seeds = self.take(from);
            let last = self.sow(self.next(north, from), seeds);
            let next = self.next(north, last);
            if self.at(next) > 0 && next.0 == inner {
                self.capture_behind(next.1);
            }
            if self.row_is_empty(enemy_outer) {
                return (Self::winner(north), packet);
            }
            if self.row_is_empty(outer) {
                return (Self::winner(!north), packet);
            }
            if self.at(next) == 0 {
                return ("-", packet);
            }
            if packet == 4096 {
                break;
            }
            from = next;
        }
        ("draw", 4096)
    }

    /// How a turn ends that comes to rest: an enemy who cannot move has lost.
    fn at_rest(&self) -> &'static str {
        let north = self.north_moves;
        let (inner, outer) = Self::rows_of(!north);
        if self.row_is_empty(inner) && self.row_is_empty(outer) { Self::winner(north) } else { "-" }
    }

    fn play_resow(&mut self, pit: Pit) -> (&'static str, u32) {
        let north = self.north_moves;
        let inner = Self::rows_of(north).0;
        let enemy_inner = Self::rows_of(!north).0;
        let mut capturing = pit.0 == inner && self.can_capture(pit.1);
        let mut from = pit;
        for packet in 1.. {
            let mut won = false;
            let last = if capturing {
                let seeds = self.capture(from.1);
                won = self.row_is_empty(enemy_inner);
                self.sow(from, seeds)
            } else {
                let seeds = self.take(from);
                self.sow(self.next(north, from), seeds)
            };
            if won {
                return (Self::winner(north), packet);
            }
            let was_empty = self.at(last) == 1;
            let next = self.next(north, last);
            if (was_empty && !self.flags.goes_on_from_empty) || self.at(next) == 0 {
                return (self.at_rest(), packet);
            }
            if packet == 4096 {
                break;
            }
            capturing = !was_empty && next.0 == inner && self.can_capture(next.1);
            from = next;
        }
        ("draw", 4096)
    }

    fn play_isolo(&mut self, pit: Pit) -> (&'static str, u32) {
        let north = self.north_moves;
        let inner = Self::rows_of(north).0;
        if pit == self.ring(north)[7] {
            self.first[usize::from(north)] = false;
        }
        let mut origin = pit;
        let mut seeds = self.take(pit);
        let mut first = self.next(north, pit);
        let mut won = false;
        for packet in 1.. {
            let last = self.sow(first, seeds);
            if won {
                return (Self::winner(north), packet);
            }
            if self.at(last) == 1 {
                return (self.at_rest(), packet);
            }
            if packet == 4096 {
                break;
            }
            let opposite: u32 = self.opposite(last.1).into_iter().map(|p| self.at(p)).sum();
            if last.0 == inner && opposite > 0 {
                seeds = self.capture(last.1);
                won = self.at_rest() != "-";
                first = origin;
            } else {
                origin = last;
                seeds = self.take(last);
                first = self.next(north, last);
            }
        }
        ("draw", 4096)
    }

    /// Sequences of exactly `depth` turns.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let turns = self.turns().into_iter();
        turns
            .map(|made| match (made.result.as_str(), made.after) {
                _ if depth == 1 => 1,
                ("-", Some(after)) => Self::parse(self.flags, &after).perft(depth - 1),
                _ => 0,
            })
            .sum()
    }
}
