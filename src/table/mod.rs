//! The table: a page to play, watch and analyse at, and the server behind it.
//!
//! `docs/TABLE.md` is the protocol between the two. The server alone judges, by
//! [`crate::rules`]; engines are child processes, driven by [`crate::arena`];
//! finished games become records.
//!
//! Requests come in by `http` and `socket`, and go to a table (`seats`) in the `hall`:
//! `wishes` decides, `play` holds the game. Whatever changes is settled in one
//! place, `Hall::settle`: kept, told, recorded, and gone on with.

mod clock;
mod engines;
mod hall;
mod http;
mod key;
mod limits;
mod listener;
mod message;
mod page;
mod play;
mod rate;
mod replay;
mod seats;
mod show;
mod socket;
mod store;
mod study;
mod thinking;
mod wishes;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};

use crate::arena::EngineSpec;
use crate::record::RecordFile;
use engines::Engines;
use hall::Hall;
use http::Hosts;
use listener::Door;
use store::{Store, StoreError};

/// How the server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens.
    pub address: SocketAddr,
    /// Names that it goes by beside its address, such as behind a proxy.
    pub hosts: Vec<String>,
    /// The file of tables.
    pub store: PathBuf,
    /// The file that finished games are appended to.
    pub records: PathBuf,
    /// The engines, the one for hints and analysis first.
    pub engines: Vec<EngineSpec>,
    /// Searches at once.
    pub at_once: usize,
}

/// Why the server does not run.
#[derive(Debug, Error)]
pub enum TableError {
    /// The address is taken or not there.
    #[error("{0}")]
    Address(SocketAddr, #[source] io::Error),
    /// The file of tables.
    #[error("store {0}")]
    Store(String, #[source] StoreError),
    /// The file of records.
    #[error("records {0}")]
    Records(String, #[source] io::Error),
    /// The system.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Serves until it is interrupted. `ready` is told the address when the page
/// can be opened.
///
/// # Errors
/// Names what keeps the server from running.
pub fn serve(
    config: Config,
    ready: impl FnOnce(SocketAddr) -> io::Result<()>,
) -> Result<(), TableError> {
    /// Work that may be under way at the end is given up after this.
    const FAREWELL: Duration = Duration::from_secs(2);
    let runtime = runtime()?;
    let served = runtime.block_on(run(config, ready));
    runtime.shutdown_timeout(FAREWELL);
    served
}

fn runtime() -> io::Result<Runtime> {
    /// For ever, in effect.
    const YEARS: Duration = Duration::from_secs(u32::MAX as u64);
    Builder::new_multi_thread()
        .enable_all()
        // A process that is tied to its parent ends with the thread that
        // started it, so these threads stay.
        .thread_keep_alive(YEARS)
        .build()
}

async fn run(
    config: Config,
    ready: impl FnOnce(SocketAddr) -> io::Result<()>,
) -> Result<(), TableError> {
    let address = config.address;
    let fail = |error| TableError::Address(address, error);
    let listener = TcpListener::bind(address).await.map_err(fail)?;
    let bound = listener.local_addr().map_err(fail)?;
    let hall = Arc::new(hall(&config)?);
    let hosts = Hosts { open: !address.ip().is_loopback(), names: config.hosts };
    let router = http::router(Arc::clone(&hall), hosts);
    hall.wake();
    let keeper = Arc::clone(&hall);
    tokio::spawn(async move {
        let mut sweep = tokio::time::interval(limits::SWEEP);
        loop {
            sweep.tick().await;
            keeper.sweep();
        }
    });
    let mut terminate = signal(SignalKind::terminate())?;
    ready(bound)?;
    tokio::select! {
        served = axum::serve(Door::new(listener), router).into_future() => served?,
        interrupted = tokio::signal::ctrl_c() => interrupted?,
        _ = terminate.recv() => {}
    }
    hall.end();
    Ok(())
}

fn hall(config: &Config) -> Result<Hall, TableError> {
    let (store, records) = (config.store.display(), config.records.display());
    let store_error = |error| TableError::Store(store.to_string(), error);
    let opened = Store::open(&config.store).map_err(store_error)?;
    let (file, torn) = RecordFile::append(&config.records)
        .map_err(|error| TableError::Records(records.to_string(), error))?;
    if let Some(torn) = torn {
        hall::report(&format!("{records}: a torn last line of {} bytes is dropped", torn.bytes));
    }
    let engines = Engines::new(config.engines.clone(), config.at_once);
    Hall::new(opened, file, engines, hall::report).map_err(|error| store_error(error.into()))
}
