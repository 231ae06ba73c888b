//! A table: its seats with their keys, its game, and who is connected.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use axum::extract::ws::Utf8Bytes;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::Sender;

use super::key::Key;
use super::limits::{SEAT_CONNECTIONS, SPECTATORS};
use super::message::{BySide, ClockView, Reply, ResultView, SeatView, State};
use super::play::{Play, Saved};
use super::show::{legal, word};
use crate::board::Side;
use crate::record::RecordedResult;

/// Who may do what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Holds a seat.
    Seat(Side),
    /// Holds both.
    Both,
    /// Looks on.
    Watch,
}

impl Role {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Seat(side) => word(side),
            Self::Both => "both",
            Self::Watch => "watch",
        }
    }

    /// Whether the role includes a seat.
    pub fn holds(self, side: Side) -> bool {
        self == Self::Both || self == Self::Seat(side)
    }
}

/// A seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seat {
    pub who: Sitter,
    /// The right to it, unless an engine has it or it is open.
    pub key: Option<Key>,
}

/// Who sits there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Sitter {
    Person { name: String },
    Open,
    Engine { engine: String, level: Option<u32>, move_ms: Option<u64> },
}

/// Someone connected to a table.
#[derive(Debug)]
pub struct Viewer {
    pub id: u64,
    pub role: Role,
    pub outbox: Sender<Utf8Bytes>,
}

/// A search that an engine makes for its seat.
#[derive(Debug)]
pub struct Thinking {
    /// Tells it apart from those before.
    pub number: u64,
    /// Calls it off.
    pub stop: Arc<AtomicBool>,
}

/// A table.
#[derive(Debug)]
pub struct Table {
    pub id: String,
    /// The number of the game at this table, from 1.
    pub number: u64,
    pub play: Play,
    pub seats: [Seat; 2],
    pub watch: Key,
    /// The right to take the open seat.
    pub invite: Option<Key>,
    /// Who wants to play again.
    pub rematch: Option<Side>,
    pub viewers: Vec<Viewer>,
    /// The moves that all viewers have been told.
    pub told: usize,
    pub thinking: Option<Thinking>,
    /// Engines of these seats that the server does not have: those of its last
    /// run may be others.
    pub missing: Vec<String>,
    /// When something happened last, in seconds of the epoch.
    pub touched: u64,
    /// Whether the finished game is among the records.
    pub recorded: bool,
}

/// A table as it is stored.
#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    number: u64,
    play: Saved,
    seats: [Seat; 2],
    watch: Key,
    invite: Option<Key>,
    touched: u64,
    recorded: bool,
}

/// Seconds of the epoch.
pub fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

impl Table {
    /// A new table.
    pub fn new(id: String, play: Play, seats: [Seat; 2], watch: Key, invite: Option<Key>) -> Self {
        Self {
            id,
            number: 1,
            play,
            seats,
            watch,
            invite,
            rematch: None,
            viewers: Vec::new(),
            told: 0,
            thinking: None,
            missing: Vec::new(),
            touched: seconds(),
            recorded: false,
        }
    }

    /// The table as text for the store.
    pub fn save(&self) -> String {
        let stored = Stored {
            number: self.number,
            play: self.play.save(Instant::now()),
            seats: self.seats.clone(),
            watch: self.watch.clone(),
            invite: self.invite.clone(),
            touched: self.touched,
            recorded: self.recorded,
        };
        // Nothing in it can fail to be written.
        serde_json::to_string(&stored).unwrap_or_default()
    }

    /// A table from the store.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn restore(id: String, text: &str) -> Result<Self, String> {
        let stored: Stored = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let play = Play::restore(stored.play)?;
        let table = Self::new(id, play, stored.seats, stored.watch, stored.invite);
        let Stored { number, touched, recorded, .. } = stored;
        Ok(Self { number, touched, recorded, ..table })
    }

    pub fn seat(&self, side: Side) -> &Seat {
        &self.seats[side as usize]
    }

    pub fn has_engine(&self, side: Side) -> bool {
        matches!(self.seat(side).who, Sitter::Engine { .. })
    }

    /// Whether two engines play.
    pub fn is_show(&self) -> bool {
        Side::BOTH.into_iter().all(|side| self.has_engine(side))
    }

    /// Whether the holder of `role` has the seat of `side` or an engine, so
    /// that nobody else has to be asked.
    pub fn alone(&self, role: Role) -> bool {
        Side::BOTH.into_iter().all(|side| role.holds(side) || self.has_engine(side))
    }

    /// The role of who shows a seat's key. All keys are looked at, whichever
    /// fits.
    pub fn role_of(&self, token: &str) -> Option<Role> {
        let [south, north] =
            [0, 1].map(|seat| self.seats[seat].key.as_ref().is_some_and(|key| key.is(token)));
        match (south, north) {
            (true, true) => Some(Role::Both),
            (true, false) => Some(Role::Seat(Side::South)),
            (false, true) => Some(Role::Seat(Side::North)),
            (false, false) => None,
        }
    }

    pub fn role(&self, viewer: u64) -> Option<Role> {
        self.viewers.iter().find(|other| other.id == viewer).map(|viewer| viewer.role)
    }

    /// Whether someone who holds the seat is connected; engines always are.
    pub fn present(&self, side: Side) -> bool {
        match &self.seat(side).who {
            Sitter::Engine { engine, .. } => !self.missing.contains(engine),
            _ => self.viewers.iter().any(|viewer| viewer.role.holds(side)),
        }
    }

    pub fn spectators(&self) -> usize {
        self.viewers.iter().filter(|viewer| viewer.role == Role::Watch).count()
    }

    /// Lets a viewer in: tells the role, then the whole state, and all others
    /// that somebody has come.
    ///
    /// # Errors
    /// When there are too many already.
    pub fn enter(&mut self, viewer: Viewer) -> Result<(), String> {
        let role = viewer.role;
        let same = self.viewers.iter().filter(|other| other.role == role).count();
        match role {
            Role::Watch if same >= SPECTATORS => {
                return Err(format!("there are {SPECTATORS} spectators already"));
            }
            Role::Seat(_) | Role::Both if same >= SEAT_CONNECTIONS => {
                return Err(format!("this seat has {SEAT_CONNECTIONS} connections already"));
            }
            _ => {}
        }
        let id = viewer.id;
        self.viewers.push(viewer);
        self.tell_presence();
        self.tell_seat(id);
        let frame = Reply::State(Box::new(self.state(0, Some(role)))).frame();
        self.send(|viewer| viewer.id == id, &frame);
        Ok(())
    }

    pub fn leave(&mut self, viewer: u64) {
        let before = self.viewers.len();
        self.viewers.retain(|other| other.id != viewer);
        if self.viewers.len() < before {
            self.tell_presence();
        }
    }

    /// Sends a frame to some. Who does not read it in time is dropped, and
    /// may come again.
    pub fn send(&mut self, to: impl Fn(&Viewer) -> bool, frame: &Utf8Bytes) {
        self.viewers.retain(|viewer| !to(viewer) || viewer.outbox.try_send(frame.clone()).is_ok());
    }

    /// Tells a viewer which seat it has.
    pub fn tell_seat(&mut self, id: u64) {
        let Some(role) = self.role(id) else { return };
        let token = match role {
            Role::Seat(side) => self.seat(side).key.as_ref(),
            Role::Both => self.seats[0].key.as_ref(),
            Role::Watch => None,
        };
        let token = token.map(Key::reveal);
        let frame = Reply::Seat { side: role.word(), token }.frame();
        self.send(|viewer| viewer.id == id, &frame);
    }

    fn tell_presence(&mut self) {
        let seats = BySide { south: self.present(Side::South), north: self.present(Side::North) };
        let frame = Reply::Presence { seats, spectators: self.spectators() }.frame();
        self.send(|_| true, &frame);
    }

    /// Tells everybody how the table stands, with the moves that are new.
    pub fn tell(&mut self) {
        if self.viewers.is_empty() {
            self.told = 0;
            return;
        }
        let from = self.told.min(self.play.moves.len());
        // The invitation is for the one who invites.
        let all = Reply::State(Box::new(self.state(from, None))).frame();
        if self.invite.is_some() {
            let host = Reply::State(Box::new(self.state(from, Some(Role::Both)))).frame();
            self.send(|viewer| viewer.role != Role::Watch, &host);
            self.send(|viewer| viewer.role == Role::Watch, &all);
        } else {
            self.send(|_| true, &all);
        }
        self.told = self.play.moves.len();
    }

    /// Calls off the engine's search, if there is one.
    pub fn interrupt(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.stop.store(true, Relaxed);
        }
    }

    fn seat_view(&self, side: Side) -> SeatView<'_> {
        let present = self.present(side);
        let (name, kind, level) = match &self.seat(side).who {
            Sitter::Person { name } => (name.as_str(), "person", None),
            Sitter::Open => ("", "open", None),
            Sitter::Engine { engine, level, .. } => (engine.as_str(), "engine", *level),
        };
        SeatView { name, kind, level, present }
    }

    fn clock_view(&self) -> Option<ClockView> {
        let clocks = self.play.clocks.as_ref()?;
        let now = Instant::now();
        let side = self.play.game.position().side;
        let [south_ms, north_ms] = Side::BOTH.map(|of| {
            u64::try_from(clocks.left(of, of == side, now).as_millis()).unwrap_or(u64::MAX)
        });
        let running = clocks.is_running().then(|| word(side));
        Some(ClockView { control: clocks.control, south_ms, north_ms, running })
    }

    /// The table as `reader` is told it, with the moves from ply `from` on.
    fn state(&self, from: usize, reader: Option<Role>) -> State<'_> {
        let play = &self.play;
        let (profile, position) = (play.game.profile(), play.game.position());
        let set_up_due = play.end.is_none() && profile.set_up_due(position);
        let invited = self.invite.as_ref().filter(|_| reader.is_some_and(|r| r != Role::Watch));
        State {
            table: &self.id,
            game: self.number,
            profile: profile.name(),
            pits: profile.geometry().pits(),
            columns: profile.geometry().columns,
            start: profile.position_text(&play.start),
            position: profile.position_text(position),
            ply: play.moves.len(),
            from,
            moves: play.moves[from..].iter().map(|made| &made.view).collect(),
            turn: play.turn().map(word),
            set_up_due,
            set_up_seeds: if set_up_due { profile.set_up_seeds() } else { 0 },
            legal: if play.end.is_none() { legal(&play.game) } else { Default::default() },
            clock: self.clock_view(),
            seats: BySide {
                south: self.seat_view(Side::South),
                north: self.seat_view(Side::North),
            },
            offer: play.offer.map(word),
            undo_asked: play.undo_asked.map(word),
            rematch: self.rematch.map(word),
            result: play.end.as_ref().map(|end| ResultView {
                winner: match end.result {
                    RecordedResult::South => "south",
                    RecordedResult::North => "north",
                    RecordedResult::Draw => "draw",
                },
                reason: end.reason.word(),
                note: end.note.as_deref(),
            }),
            spectators: self.spectators(),
            casual: play.casual,
            watch: format!("/#t={}&w={}", self.id, self.watch.reveal()),
            invite: invited.map(|key| format!("/#t={}&i={}", self.id, key.reveal())),
        }
    }
}
