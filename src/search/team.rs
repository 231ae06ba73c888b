//! The threads of one search: each searches the same root for itself, and
//! they help each other through the table alone ("lazy SMP").

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A count that has a cache line of its own, so that threads which count do
/// not slow each other down.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Count(AtomicU64);

/// What the threads of a search share beside the table.
#[derive(Debug)]
pub struct Team {
    stop: AtomicBool,
    nodes: Box<[Count]>,
}

impl Team {
    /// A team of so many threads (at least 1).
    pub fn new(threads: usize) -> Self {
        let nodes = (0..threads.max(1)).map(|_| Count::default()).collect();
        Self { stop: AtomicBool::new(false), nodes }
    }

    /// The threads.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Tells all to stop.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether they were told to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// A thread says how many nodes it has visited, and hears the sum of all
    /// others.
    pub fn exchange(&self, thread: usize, nodes: u64) -> u64 {
        self.nodes[thread].0.store(nodes, Relaxed);
        let others = self.nodes.iter().enumerate().filter(|(other, _)| *other != thread);
        others.map(|(_, count)| count.0.load(Relaxed)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_hears_of_the_others() {
        let team = Team::new(3);
        assert_eq!(team.exchange(0, 5), 0);
        assert_eq!(team.exchange(1, 7), 5);
        assert_eq!(team.exchange(2, 9), 12);
        assert_eq!(team.exchange(0, 6), 16);
        assert!(!team.stopped());
        team.stop();
        assert!(team.stopped());
    }
}
