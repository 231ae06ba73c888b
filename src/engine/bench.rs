//! The benchmark: fixed positions of all profiles at fixed depths. Its node
//! count is the signature of the search: it changes with what the search
//! does, and with nothing else.

use std::time::{Duration, Instant};

use crate::board::Position;
use crate::rules::{Profile, with_rules};
use crate::search::{Limits, Request, Signals, search};
use crate::tt::{OutOfMemory, Table};

use super::DEFAULT_HASH_MIB;

/// The table that each profile starts with, in MiB.
const HASH_MIB: usize = 16;

/// Profile, depth in plies, and positions beside the first start position
/// without a set-up. They are lines of the rules' test vectors with at least
/// three in ten seeds on each side.
const POSITIONS: [(Profile, u32, &[&str]); 4] = [
    (
        Profile::Kisolo,
        16,
        &[
            "4,4,7,0,2,0,0/0,5,1,0,0,0,0/0,0,0,3,1,0,0/0,0,0,9,0,4,2 N -",
            "4,4,0,4,4,4,0/1,0,0,0,0,0,0/0,0,0,1,1,1,2/0,4,1,5,0,6,0 N -",
            "0,4,0,5,0,0,5/0,1,0,0,0,0,0/3,0,3,0,1,3,0/0,0,13,0,0,4,0 S -",
            "9,4,0,6,0,0,0/0,0,0,0,0,0,0/7,0,0,8,0,0,0/0,0,0,0,0,8,0 N -",
            "0,1,2,5,2,0,0/0,0,0,0,3,0,0/1,3,0,3,3,0,5/0,3,0,3,3,0,5 N -",
        ],
    ),
    (
        Profile::KisoloFree,
        15,
        &[
            "2,0,0,2,1,1,0/2,1,0,3,1,3,0/1,8,2,0,2,1,4/1,4,0,0,0,1,2 S -",
            "5,3,1,1,0,0,3/1,1,0,0,3,0,4/1,1,1,6,1,0,0/5,0,4,0,0,1,0 N -",
            "4,0,2,2,0,4,0/1,2,2,2,0,0,1/1,2,0,0,2,2,3/1,4,1,3,0,1,2 S -",
            "1,0,2,0,1,5,1/1,1,1,3,1,1,1/0,1,4,1,3,2,2/6,1,0,0,2,1,0 S -",
            "0,3,1,0,1,6,2/0,0,0,4,2,0,1/3,3,0,0,0,0,0/3,1,0,4,2,0,6 N -",
        ],
    ),
    (
        Profile::KisoloFull,
        26,
        &[
            "0,0,5,5,2,3,0/1,0,5,6,0,5,0/3,5,4,4,2,4,2/3,5,8,0,2,4,6 N -",
            "1,0,6,0,6,2,0/0,0,5,0,1,8,0/10,3,0,4,0,0,9/10,4,1,4,10,0,0 N -",
            "4,3,3,3,4,5,3/3,2,3,8,2,3,1/3,4,4,1,1,1,1/3,3,6,3,3,2,2 S -",
            "4,0,0,9,7,0,0/5,0,0,4,7,0,0/5,4,2,4,3,3,3/0,3,5,3,0,3,10 N -",
            "0,4,9,2,0,3,0/4,4,8,0,5,5,0/1,1,5,1,3,9,6/1,2,4,0,4,2,1 N -",
        ],
    ),
    (
        Profile::Isolo,
        17,
        &[
            "3,1,1,1,1,0,3,1/2,0,3,4,1,5,3,5/6,0,9,2,1,1,1,0/0,0,5,2,0,2,0,1 S -",
            "17,2,0,2,0,1,1,0/0,1,2,0,2,0,0,0/1,0,1,3,1,4,0,0/0,1,3,1,2,0,2,17 N SN",
            "17,1,0,0,0,0,1,0/0,4,0,1,0,1,1,0/3,0,1,1,5,1,3,0/4,0,0,0,2,1,0,17 S SN",
            "0,2,4,1,1,3,3,6/1,1,0,1,1,5,0,0/2,2,1,3,1,2,4,2/1,0,4,2,4,2,4,1 S S",
            "0,4,0,4,0,4,0,4/3,3,1,4,5,3,5,2/0,0,0,0,1,3,0,0/0,0,0,0,0,1,0,17 S S",
        ],
    ),
];

/// What a benchmark measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchResult {
    /// Positions visited: the same in every run.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes a second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

/// Searches the positions of all profiles with one thread; `each` hears of
/// every profile. Returns the total, or `None` if it was stopped.
pub fn bench(signals: &Signals, mut each: impl FnMut(Profile, BenchResult)) -> Option<BenchResult> {
    let mut total = BenchResult::default();
    for (profile, depth, texts) in POSITIONS {
        let start = match profile {
            Profile::KisoloFree => profile.start("startpos1"),
            _ => profile.start("startpos"),
        };
        let texts = texts.iter().filter_map(|text| profile.parse_position(text).ok());
        let mut result = BenchResult::default();
        // Every profile begins with an empty table, so that its count does
        // not depend on the others.
        let mut table = Table::new(HASH_MIB).ok()?;
        for position in start.into_iter().chain(texts) {
            table.age();
            let one = run(profile, position, depth, &table, signals);
            if signals.stopped() {
                return None;
            }
            result.nodes += one.nodes;
            result.time += one.time;
        }
        each(profile, result);
        total.nodes += result.nodes;
        total.time += result.time;
    }
    Some(total)
}

/// The search that speed is measured by: the start position of the default
/// profile, from an empty table of the default size.
fn measured(threads: usize, limits: Limits) -> Result<BenchResult, OutOfMemory> {
    let profile = Profile::default();
    let table = Table::new(DEFAULT_HASH_MIB)?;
    let request = Request { threads, ..Request::new(profile.start_position(), limits) };
    let started = Instant::now();
    let found = with_rules!(profile, R => {
        search::<R>(&request, &table, &Signals::default(), &mut ())
    });
    Ok(BenchResult { nodes: found.map_or(0, |found| found.nodes), time: started.elapsed() })
}

/// Nodes of so many threads within `time`.
///
/// # Errors
/// When there is no memory for the table.
pub fn bench_threads(threads: usize, time: Duration) -> Result<BenchResult, OutOfMemory> {
    measured(threads, Limits { move_time: Some(time), ..Limits::default() })
}

/// The time that one thread takes to a depth in plies.
///
/// # Errors
/// When there is no memory for the table.
pub fn bench_depth(depth: u32) -> Result<BenchResult, OutOfMemory> {
    measured(1, Limits { depth: Some(depth), ..Limits::default() })
}

fn run(
    profile: Profile,
    position: Position,
    depth: u32,
    table: &Table,
    signals: &Signals,
) -> BenchResult {
    let started = Instant::now();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let request = Request::new(position, limits);
    let found = with_rules!(profile, R => search::<R>(&request, table, signals, &mut ()));
    BenchResult { nodes: found.map_or(0, |found| found.nodes), time: started.elapsed() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_valid() {
        for (profile, _, texts) in POSITIONS {
            for text in texts {
                assert!(profile.parse_position(text).is_ok(), "{profile} {text}");
            }
        }
    }
}
