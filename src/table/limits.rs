//! What one may ask of the server: every bound has its name here.

use std::time::Duration;

/// The longest frame of a client, in bytes: far above any request.
pub const FRAME_BYTES: usize = 16 << 10;
/// Requests of a connection: so many a second, and so many at once. A person
/// sends one or two a second; previews while dragging some more.
pub const REQUESTS_PER_SECOND: f64 = 20.0;
/// See [`REQUESTS_PER_SECOND`].
pub const REQUESTS_AT_ONCE: f64 = 60.0;
/// New tables of all clients: so many a second, and so many at once.
pub const NEW_TABLES_PER_SECOND: f64 = 20.0;
/// See [`NEW_TABLES_PER_SECOND`].
pub const NEW_TABLES_AT_ONCE: f64 = 300.0;
/// The body of a new table, in bytes.
pub const TABLE_BYTES: usize = 16 << 10;
/// A file of records to look at, in bytes.
pub const RECORDS_BYTES: usize = 8 << 20;
/// Files of records that are read at once.
pub const RECORDS_AT_ONCE: usize = 2;
/// The games of a file that are sent.
pub const GAMES: usize = 200;
/// The bad lines of a file that are named.
pub const ERRORS: usize = 20;
/// The steps of a turn that are sent: a bound on the size of messages. An
/// endless turn has 4,096, which nobody watches to the end.
pub const STEPS: usize = 200;
/// The moves of an expected line that are sent.
pub const LINE_MOVES: usize = 40;

/// Tables at once.
pub const TABLES: usize = 1000;
/// Connections at once, WebSockets and others.
pub const CONNECTIONS: usize = 1000;
/// Spectators of a table.
pub const SPECTATORS: usize = 12;
/// Connections to one table that hold a seat, such as tabs and telephones.
pub const SEAT_CONNECTIONS: usize = 8;
/// Messages that may wait for a client that reads slowly.
pub const OUTBOX: usize = 256;
/// How long a client may take to read what is sent.
pub const SEND_PATIENCE: Duration = Duration::from_secs(10);
/// How often a connection is pinged.
pub const PING: Duration = Duration::from_secs(20);
/// How long a connection may be silent.
pub const SILENCE: Duration = Duration::from_secs(60);

/// The longest name of a player, in characters.
pub const NAME: usize = 40;
/// Moves after which a game is a draw, as in a match.
pub const TURN_LIMIT: usize = 600;
/// The length of an analysis.
pub const ANALYSIS: Duration = Duration::from_secs(60);
/// The time of a hint.
pub const HINT: Duration = Duration::from_secs(1);
/// Messages about one search are at least so far apart.
pub const NEWS: Duration = Duration::from_millis(200);
/// The time an engine has for a move when nothing is said.
pub const MOVE_MS: u64 = 1000;

/// A finished game without visitors is closed after this time.
pub const FINISHED: Duration = Duration::from_secs(24 * 3600);
/// An unfinished one after this: people may take days for a move.
pub const UNFINISHED: Duration = Duration::from_secs(7 * 24 * 3600);
/// How often idle tables and engines are looked for.
pub const SWEEP: Duration = Duration::from_secs(10);
/// An engine process that nobody wants for so long is ended.
pub const IDLE_ENGINE: Duration = Duration::from_secs(60);
/// After a restart clocks wait so long for the player to move.
pub const GRACE: Duration = Duration::from_secs(60);
