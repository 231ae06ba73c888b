//! The clocks of a table. They run while a game is in progress and the server
//! is up; a server that was down has taken nobody's time.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::board::Side;

/// A time control as it is agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// The time at the start, in milliseconds.
    pub base_ms: u64,
    /// The time added after each move, in milliseconds.
    #[serde(default)]
    pub increment_ms: u64,
}

impl Control {
    /// Refuses what is too short or too long.
    ///
    /// # Errors
    /// Says what is accepted.
    pub fn check(self) -> Result<Self, String> {
        const SECOND: u64 = 1000;
        if !(SECOND..=24 * 3600 * SECOND).contains(&self.base_ms) {
            return Err("clock: base_ms is 1000 to 86400000".to_owned());
        }
        if self.increment_ms > 600 * SECOND {
            return Err("clock: increment_ms is 0 to 600000".to_owned());
        }
        Ok(self)
    }
}

/// Both clocks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Clocks {
    /// What was agreed.
    pub control: Control,
    /// What is left, South's first, without the turn in progress.
    left_ms: [u64; 2],
    /// Since when the clock of the side to move runs.
    #[serde(skip)]
    since: Option<Instant>,
}

impl Clocks {
    /// Both clocks at the start.
    pub const fn new(control: Control) -> Self {
        Self { control, left_ms: [control.base_ms; 2], since: None }
    }

    /// Lets the clock of the side to move run, if it does not.
    pub fn run(&mut self, now: Instant) {
        self.since.get_or_insert(now);
    }

    /// Whether a clock runs.
    pub const fn is_running(&self) -> bool {
        self.since.is_some()
    }

    /// What `side` has left; the clock of the side to move is running.
    pub fn left(&self, side: Side, to_move: bool, now: Instant) -> Duration {
        let left = Duration::from_millis(self.left_ms[side as usize]);
        let used = self.since.filter(|_| to_move).map(|since| now.saturating_duration_since(since));
        left.saturating_sub(used.unwrap_or_default())
    }

    /// Stops the clock of `side`, to move, and books its time: what it
    /// `used` by a better clock, or what has passed.
    pub fn stop(&mut self, side: Side, used: Option<Duration>, now: Instant) {
        let passed = self.since.take().map(|since| now.saturating_duration_since(since));
        // A clock that did not run, before the first move, books nothing.
        let Some(passed) = passed else { return };
        let used = u64::try_from(used.unwrap_or(passed).as_millis()).unwrap_or(u64::MAX);
        let left = &mut self.left_ms[side as usize];
        *left = left.saturating_sub(used);
    }

    /// Adds the increment of a move.
    pub const fn add(&mut self, side: Side) {
        self.left_ms[side as usize] += self.control.increment_ms;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_run_in_turn() {
        let mut clocks = Clocks::new(Control { base_ms: 5000, increment_ms: 100 });
        let now = Instant::now();
        clocks.stop(Side::South, None, now);
        assert_eq!(clocks.left(Side::South, true, now).as_millis(), 5000);
        clocks.run(now);
        let later = now + Duration::from_millis(700);
        clocks.run(later);
        assert_eq!(clocks.left(Side::North, true, later).as_millis(), 4300);
        assert_eq!(clocks.left(Side::South, false, later).as_millis(), 5000);
        clocks.stop(Side::North, None, later);
        clocks.add(Side::North);
        assert_eq!(clocks.left(Side::North, false, later).as_millis(), 4400);
        clocks.run(later);
        clocks.stop(Side::South, Some(Duration::from_millis(50)), later + Duration::from_secs(9));
        assert_eq!(clocks.left(Side::South, false, later).as_millis(), 4950);
    }

    #[test]
    fn a_saved_clock_stands_still() {
        let mut clocks = Clocks::new(Control { base_ms: 5000, increment_ms: 0 });
        clocks.run(Instant::now());
        let saved = serde_json::to_string(&clocks).unwrap();
        let clocks: Clocks = serde_json::from_str(&saved).unwrap();
        assert!(!clocks.is_running());
    }
}
