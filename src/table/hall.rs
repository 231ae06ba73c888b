//! The hall: all tables, and what happens after each change at one of them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::engines::Engines;
use super::key::{Key, table_name};
use super::limits::{
    FINISHED, GRACE, NEW_TABLES_AT_ONCE, NEW_TABLES_PER_SECOND, TABLES, UNFINISHED,
};
use super::message::{NewSeat, NewTable, Opened};
use super::play::Play;
use super::rate::Bucket;
use super::seats::{Seat, Sitter, Table, seconds};
use super::store::Store;
use super::thinking::limit;
use super::wishes::checked_name;
use crate::board::{Position, Side};
use crate::levels::{LOWEST, STEP};
use crate::record::{FORMAT, GameRecord, Player as RecordedPlayer, RecordFile};
use crate::rules::Profile;

/// A table that connections and engines share.
pub type Shared = Arc<Mutex<Table>>;

/// All that the server has.
#[derive(Debug)]
pub struct Hall {
    tables: Mutex<HashMap<String, Shared>>,
    store: Store,
    records: Mutex<RecordFile>,
    pub engines: Engines,
    new_tables: Mutex<Bucket>,
    /// Numbers for viewers and searches.
    numbers: AtomicU64,
    /// The server is about to end.
    ending: AtomicBool,
}

/// Locks what a panic elsewhere may have left locked.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The engines of a table's seats that are not among these.
fn missing(table: &Table, engines: &Engines) -> Vec<String> {
    let engine = |side| match &table.seat(side).who {
        Sitter::Engine { engine, .. } if engines.find(engine).is_none() => Some(engine.clone()),
        _ => None,
    };
    Side::BOTH.into_iter().filter_map(engine).collect()
}

impl Hall {
    /// The hall with the tables of a store. Tables that are not understood
    /// are told to `warn` and left alone.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn new(
        store: Store,
        records: RecordFile,
        engines: Engines,
        warn: impl Fn(&str),
    ) -> Result<Self, rusqlite::Error> {
        let mut tables = HashMap::new();
        for (id, data) in store.all()? {
            match Table::restore(id.clone(), &data) {
                Ok(mut table) => {
                    table.missing = missing(&table, &engines);
                    tables.insert(id, Arc::new(Mutex::new(table)));
                }
                Err(error) => warn(&format!("table {id} of the store: {error}")),
            }
        }
        Ok(Self {
            tables: Mutex::new(tables),
            store,
            records: Mutex::new(records),
            engines,
            new_tables: Mutex::new(Bucket::new(NEW_TABLES_PER_SECOND, NEW_TABLES_AT_ONCE)),
            numbers: AtomicU64::new(1),
            ending: AtomicBool::new(false),
        })
    }

    /// A number that was not given before.
    pub fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Relaxed)
    }

    /// The table of this name.
    pub fn table(&self, id: &str) -> Option<Shared> {
        lock(&self.tables).get(id).cloned()
    }

    /// Opens a table.
    ///
    /// # Errors
    /// Says what is wrong with it, or that the hall is full.
    pub fn open(self: &Arc<Self>, asked: NewTable) -> Result<Opened, String> {
        if !lock(&self.new_tables).take(Instant::now()) {
            return Err("too many new tables; try again in a moment".to_owned());
        }
        let profile: Profile =
            asked.profile.parse().map_err(|e: crate::rules::UnknownProfile| e.to_string())?;
        let start = position(profile, &asked.start)?;
        let control = asked.clock.map(|control| control.check()).transpose()?;
        let play = Play::new(profile, start, control, asked.casual);
        if play.end.is_some() {
            return Err("the game is over in this position".to_owned());
        }
        let random = |error: getrandom::Error| error.to_string();
        let token = Key::new().map_err(random)?;
        let [south, north] =
            [asked.south, asked.north].map(|seat| self.seat(seat, profile, &token));
        let seats = [south?, north?];
        let open = seats.iter().filter(|seat| matches!(seat.who, Sitter::Open)).count();
        let person = seats.iter().any(|seat| seat.key.is_some());
        if open > 0 && !person {
            return Err("a friend needs you at the other seat".to_owned());
        }
        let invite = (open > 0).then(Key::new).transpose().map_err(random)?;
        let (id, watch) = (table_name().map_err(random)?, Key::new().map_err(random)?);
        let opened = Opened {
            table: id.clone(),
            token: person.then(|| token.reveal().to_owned()),
            invite: invite.as_ref().map(|key| format!("/#t={id}&i={}", key.reveal())),
            watch: format!("/#t={id}&w={}", watch.reveal()),
        };
        let table = Arc::new(Mutex::new(Table::new(id.clone(), play, seats, watch, invite)));
        self.make_room()?;
        lock(&self.tables).insert(id, Arc::clone(&table));
        self.settle(&table, &mut lock(&table));
        Ok(opened)
    }

    fn seat(&self, seat: NewSeat, profile: Profile, token: &Key) -> Result<Seat, String> {
        match seat {
            NewSeat::You { name } => {
                let name = checked_name(name.as_deref(), "Player")?;
                Ok(Seat { who: Sitter::Person { name }, key: Some(token.clone()) })
            }
            NewSeat::Friend {} => Ok(Seat { who: Sitter::Open, key: None }),
            NewSeat::Engine { engine, level, move_ms } => {
                let Some(at) = self.engines.find(&engine) else {
                    let names: Vec<&str> = self.engines.names().collect();
                    return Err(format!("no such engine; there are: {}", names.join(", ")));
                };
                let levels = self.engines.levels(at, profile);
                if level.is_some_and(|level| !levels.contains(&level)) {
                    let highest = levels.last().unwrap_or(&LOWEST);
                    return Err(format!(
                        "level of {engine} in {profile} is {LOWEST} to {highest} in steps of \
                         {STEP}, or null"
                    ));
                }
                if move_ms.is_some_and(|ms| !(10..=60_000).contains(&ms)) {
                    return Err("move_ms is 10 to 60000, or null".to_owned());
                }
                Ok(Seat { who: Sitter::Engine { engine, level, move_ms }, key: None })
            }
        }
    }

    /// Sees to it that another table has room: a finished game that nobody
    /// looks at goes first.
    fn make_room(&self) -> Result<(), String> {
        if lock(&self.tables).len() < TABLES {
            return Ok(());
        }
        let all: Vec<Shared> = lock(&self.tables).values().cloned().collect();
        let done = all.iter().filter_map(|table| {
            let table = lock(table);
            let idle = table.play.end.is_some() && table.viewers.is_empty();
            idle.then(|| (table.touched, table.id.clone()))
        });
        let (_, oldest) = done.min().ok_or(format!("all {TABLES} tables are in use"))?;
        self.close(&oldest);
        Ok(())
    }

    /// Closes a table for good.
    fn close(&self, id: &str) {
        let table = lock(&self.tables).remove(id);
        if let Some(table) = table {
            let mut table = lock(&table);
            table.interrupt();
            table.viewers.clear();
        }
        if let Err(error) = self.store.remove(id) {
            report(&format!("store: {error}"));
        }
    }

    /// Does what is due after a change at a table: keeps it, tells everybody,
    /// and sees to it that an engine or a clock goes on.
    pub fn settle(self: &Arc<Self>, shared: &Shared, table: &mut Table) {
        if table.play.end.is_some() {
            table.interrupt();
            self.record(table);
        }
        self.keep(table);
        table.tell();
        self.go_on(shared, table);
    }

    /// Lets whoever is to move go on: an engine thinks, a person's clock is
    /// watched.
    pub fn go_on(self: &Arc<Self>, shared: &Shared, table: &mut Table) {
        if self.ending.load(Relaxed) {
            return;
        }
        let Some(side) = table.play.turn() else { return };
        if table.has_engine(side) {
            self.think(shared, table);
        } else if let Some(clocks) = table.play.clocks.as_ref().filter(|c| c.is_running()) {
            let left = clocks.left(side, true, Instant::now());
            self.watch_clock(shared, table.number, table.play.moves.len(), left);
        }
    }

    /// Looks at a person's clock when its time will be over.
    fn watch_clock(self: &Arc<Self>, shared: &Shared, game: u64, ply: usize, left: Duration) {
        let (hall, shared) = (Arc::clone(self), Arc::downgrade(shared));
        tokio::spawn(async move {
            tokio::time::sleep(left + Duration::from_millis(1)).await;
            let Some(shared) = shared.upgrade() else { return };
            let mut table = lock(&shared);
            let same = (table.number, table.play.moves.len()) == (game, ply);
            if same && !hall.ending.load(Relaxed) && table.play.flag(Instant::now()) {
                hall.settle(&shared, &mut table);
            }
        });
    }

    /// Someone has come to a table or the server: clocks that stood still
    /// since a restart go on, and engines that nobody watched.
    pub fn arrived(self: &Arc<Self>, shared: &Shared, table: &mut Table) {
        let Some(side) = table.play.turn() else { return };
        if table.play.clock_waits() && table.present(side) {
            table.play.wind(Instant::now());
            table.tell();
            self.go_on(shared, table);
        } else if table.has_engine(side) {
            self.think(shared, table);
        }
    }

    /// After a restart: engines go on, and after a while all clocks do.
    pub fn wake(self: &Arc<Self>) {
        let all: Vec<Shared> = lock(&self.tables).values().cloned().collect();
        for table in &all {
            let mut guard = lock(table);
            if guard.play.end.is_some() && !guard.recorded {
                self.record(&mut guard);
                self.keep(&guard);
            }
            self.go_on(table, &mut guard);
        }
        let hall = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(GRACE).await;
            for table in &all {
                let mut guard = lock(table);
                if guard.play.clock_waits() {
                    guard.play.wind(Instant::now());
                    guard.tell();
                    hall.go_on(table, &mut guard);
                }
            }
        });
    }

    fn keep(&self, table: &Table) {
        if let Err(error) = self.store.put(&table.id, &table.save()) {
            report(&format!("store: {error}"));
        }
    }

    /// Appends the finished game to the records, once.
    fn record(&self, table: &mut Table) {
        let Some(record) = (!table.recorded).then(|| record(table, &self.engines)).flatten() else {
            return;
        };
        match lock(&self.records).write(&record) {
            Ok(()) => table.recorded = true,
            Err(error) => report(&format!("records: {error}")),
        }
    }

    /// Closes tables that nobody has come to for long, and idle engines.
    pub fn sweep(&self) {
        let all: Vec<Shared> = lock(&self.tables).values().cloned().collect();
        for table in all {
            let (idle, id) = {
                let table = lock(&table);
                let patience = if table.play.end.is_some() { FINISHED } else { UNFINISHED };
                let age = Duration::from_secs(seconds().saturating_sub(table.touched));
                (table.viewers.is_empty() && age > patience, table.id.clone())
            };
            if idle {
                self.close(&id);
            }
        }
        self.engines.sweep();
    }

    /// Ends everything in good order: searches are called off, clocks stopped
    /// and all tables kept.
    pub fn end(&self) {
        self.ending.store(true, Relaxed);
        let all: Vec<Shared> = lock(&self.tables).values().cloned().collect();
        for table in all {
            let mut table = lock(&table);
            table.interrupt();
            if table.play.end.is_none() {
                table.play.pause(Instant::now());
                self.keep(&table);
            }
            table.viewers.clear();
        }
        self.engines.close();
    }
}

/// Trouble that no client can mend, for the terminal.
pub fn report(text: &str) {
    use std::io::Write as _;
    // Nothing is left to be done where standard error is closed.
    let _ = writeln!(std::io::stderr(), "table: {text}");
}

/// The position with this name, or of this position string.
///
/// # Errors
/// Says what is wrong with it.
pub fn position(profile: Profile, text: &str) -> Result<Position, String> {
    match profile.start(text) {
        Some(position) => Ok(position),
        None => profile.parse_position(text).map_err(|error| error.to_string()),
    }
}

/// The finished game of a table as a record.
fn record(table: &Table, engines: &Engines) -> Option<GameRecord> {
    let play = &table.play;
    let end = play.end.clone()?;
    let profile = play.game.profile();
    let player = |side: Side| {
        let mut player = RecordedPlayer {
            limit: limit(table, side, engines).to_string(),
            ..RecordedPlayer::default()
        };
        match &table.seat(side).who {
            Sitter::Person { name } => player.name.clone_from(name),
            Sitter::Open => "nobody".clone_into(&mut player.name),
            Sitter::Engine { engine, level, .. } => {
                player.name.clone_from(engine);
                player.engine = engines.find(engine).and_then(|at| engines.identity(at));
                if let Some(level) = level {
                    player.name = format!("{engine} {level}");
                    player.options.insert("UCI_Elo".to_owned(), level.to_string());
                }
            }
        }
        player
    };
    Some(GameRecord {
        format: FORMAT,
        event: format!("table {}", table.id),
        game: table.number,
        opening: table.number,
        seed: 0,
        date: play.began.clone(),
        profile: profile.name().to_owned(),
        start: profile.position_text(&play.start),
        south: player(Side::South),
        north: player(Side::North),
        moves: play.moves.iter().map(|made| made.record.clone()).collect(),
        result: end.result,
        reason: end.reason,
        note: end.note,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hall(folder: &std::path::Path) -> Arc<Hall> {
        let store = Store::open(&folder.join("tables.sqlite")).unwrap();
        let (records, _) = RecordFile::append(&folder.join("games.jsonl")).unwrap();
        let engines = Engines::new(Vec::new(), 1);
        Arc::new(Hall::new(store, records, engines, |warning| panic!("{warning}")).unwrap())
    }

    /// Two people at one screen.
    fn asked() -> NewTable {
        let text = r#"{"profile":"kisolo","south":{"kind":"you"},"north":{"kind":"you"}}"#;
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn idle_tables_are_closed_for_good() {
        let folder = tempfile::tempdir().unwrap();
        let hall = hall(folder.path());
        let [old, new] = [(); 2].map(|()| hall.open(asked()).unwrap().table);
        lock(&hall.table(&old).unwrap()).touched -= UNFINISHED.as_secs() + 1;
        hall.sweep();
        assert!(hall.table(&old).is_none() && hall.table(&new).is_some());
        assert_eq!(hall.store.all().unwrap().len(), 1);
    }

    #[test]
    fn tables_are_opened_at_a_bounded_rate() {
        let folder = tempfile::tempdir().unwrap();
        let hall = hall(folder.path());
        let refused = (0..400).find_map(|_| hall.open(asked()).err()).unwrap();
        assert!(refused.contains("too many new tables"), "{refused}");
    }

    #[test]
    fn a_full_hall_gives_up_a_finished_game() {
        let folder = tempfile::tempdir().unwrap();
        let hall = hall(folder.path());
        let first = hall.open(asked()).unwrap().table;
        let table = hall.table(&first).unwrap();
        for number in 1..TABLES {
            lock(&hall.tables).insert(number.to_string(), Arc::clone(&table));
        }
        assert!(hall.open(asked()).unwrap_err().contains("in use"));
        {
            let mut table = lock(&table);
            table.play.resign(Side::South, Instant::now()).unwrap();
            hall.settle(&hall.table(&first).unwrap(), &mut table);
        }
        hall.open(asked()).unwrap();
        assert!(hall.table(&first).is_none());
    }
}
