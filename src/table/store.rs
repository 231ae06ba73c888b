//! Tables on disk: SQLite, one row a table. What is written survives the end of
//! this process, however it comes.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, params};
use thiserror::Error;

/// The layout of the file; another one is refused.
const LAYOUT: i32 = 1;

/// Why a store does not serve.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file.
    #[error(transparent)]
    File(#[from] rusqlite::Error),
    /// A layout from the future.
    #[error("its layout is {0}; this program knows {LAYOUT}")]
    Layout(i32),
}

/// The store, for one server at a time.
#[derive(Debug)]
pub struct Store {
    connection: Mutex<Connection>,
}

impl Store {
    /// Opens or creates a store.
    ///
    /// # Errors
    /// When it cannot be opened, is no store, or has a server already.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let connection = Connection::open(path)?;
        // One server: its tables are in its memory.
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // A crash of the machine may cost the last moves, never the file.
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        let layout: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if layout > LAYOUT {
            return Err(StoreError::Layout(layout));
        }
        connection.execute_batch(&format!(
            "PRAGMA user_version = {LAYOUT};
             CREATE TABLE IF NOT EXISTS tables (id TEXT PRIMARY KEY, data TEXT NOT NULL) STRICT;"
        ))?;
        Ok(Self { connection: Mutex::new(connection) })
    }

    /// All tables: name and data.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn all(&self) -> Result<Vec<(String, String)>, rusqlite::Error> {
        let connection = self.lock();
        let mut query = connection.prepare("SELECT id, data FROM tables")?;
        query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    }

    /// Writes a table.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put(&self, id: &str, data: &str) -> Result<(), rusqlite::Error> {
        let connection = self.lock();
        connection
            .prepare_cached("INSERT OR REPLACE INTO tables (id, data) VALUES (?, ?)")?
            .execute(params![id, data])?;
        Ok(())
    }

    /// Forgets a table.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self, id: &str) -> Result<(), rusqlite::Error> {
        self.lock().execute("DELETE FROM tables WHERE id = ?", params![id])?;
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tables.sqlite");
        let store = Store::open(&path).unwrap();
        store.put("a", "1").unwrap();
        store.put("b", "2").unwrap();
        store.put("a", "3").unwrap();
        store.remove("b").unwrap();
        assert!(Store::open(&path).is_err(), "two servers for one store");
        drop(store);
        let file = Connection::open(&path).unwrap();
        file.pragma_update(None, "user_version", 2).unwrap();
        drop(file);
        assert!(Store::open(&path).unwrap_err().to_string().contains("layout is 2"));
        let file = Connection::open(&path).unwrap();
        file.pragma_update(None, "user_version", LAYOUT).unwrap();
        drop(file);
        let store = Store::open(&path).unwrap();
        assert_eq!(store.all().unwrap(), [("a".to_owned(), "3".to_owned())]);
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tables.sqlite");
        std::fs::write(&path, "these are no tables, and no database either").unwrap();
        assert!(Store::open(&path).is_err());
    }
}
