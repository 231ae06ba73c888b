//! Ten thousand games with engines that fail at random.

use std::time::{Duration, Instant};

use super::{Arena, processes_with};

/// A number in `/proc/PID/status`.
fn status(pid: u32, key: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn descriptors(pid: u32) -> usize {
    std::fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count)
}

fn soak(rounds: u64, interval: Duration) {
    let arena = Arena::new();
    let mut arguments = arena.against("mode=mix rate=0.002 seed=2");
    arguments.extend(arena.engine("worse", "mode=mix rate=0.004 seed=3"));
    arguments.extend(["--recover", "-c", "2", "--rounds", &rounds.to_string()].map(str::to_owned));
    let mut child = arena.command(&arguments).spawn().unwrap();
    let pid = child.id();
    let began = Instant::now();
    let mut most = Vec::new();
    while child.try_wait().unwrap().is_none() {
        std::thread::sleep(interval);
        let now = (status(pid, "VmRSS:"), descriptors(pid), status(pid, "Threads:"));
        if now.0 > 0 {
            let engines = processes_with(&arena.tag).len();
            eprintln!(
                "{:5.0} s: {} kB, {} descriptors, {} threads, {engines} processes of engines",
                began.elapsed().as_secs_f64(),
                now.0,
                now.1,
                now.2
            );
            most.push(now);
        }
    }
    let outcome = arena.outcome(child.wait().unwrap());
    assert!(outcome.status.success(), "{}", outcome.text());
    assert_eq!(outcome.games(), (1..=6 * rounds).collect::<Vec<u64>>());
    let mut reasons = std::collections::BTreeMap::new();
    for record in &outcome.records {
        *reasons.entry(record.reason.word()).or_insert(0) += 1;
    }
    eprintln!("{} games in {:?}: {reasons:?}", outcome.records.len(), began.elapsed());
    // Four engines at most: three pipes each, and a little of our own.
    assert!(most.iter().all(|now| now.1 <= 40 && now.2 <= 20), "{most:?}");
    let memory = |part: &[(u64, usize, u64)]| part.iter().map(|now| now.0).max().unwrap_or(0);
    let (first, second) = most.split_at(most.len() / 2);
    assert!(memory(second) < memory(first) + 8 * 1024, "{most:?}");
}

/// `cargo test ten_thousand_games -- --ignored --nocapture`
#[test]
#[ignore = "takes many minutes"]
fn ten_thousand_games_leak_nothing() {
    soak(1667, Duration::from_secs(10));
}

#[test]
fn a_few_games_leak_nothing() {
    soak(10, Duration::from_millis(100));
}
