//! What ends a search, and how one is told to stop.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::params::{HARD_FACTOR, HARD_PART, INCREMENT_SHARE, LAST_START, TURNS_LEFT};
use crate::board::PitSet;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Time added after each turn.
    pub increment: Duration,
    /// Turns until the next time control, if there is one.
    pub turns_to_go: Option<u32>,
}

/// What ends a search; without any limit it goes on until it is stopped or
/// the position is solved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The last depth, in plies.
    pub depth: Option<u32>,
    /// The number of nodes.
    pub nodes: Option<u64>,
    /// The time for this turn.
    pub move_time: Option<Duration>,
    /// The clock to play by.
    pub clock: Option<Clock>,
    /// Look for a win that is at most so many plies away, and no deeper.
    pub mate_plies: Option<u32>,
    /// Never answer before being told to stop.
    pub infinite: bool,
    /// The opponent's clock is running: no limit of time counts, and no
    /// answer is given, before the opponent has moved.
    pub ponder: bool,
    /// Only these turns are looked at.
    pub search_moves: Option<PitSet>,
    /// What is taken off every limit of time for the way to the manager.
    pub overhead: Duration,
    /// Look at a turn without alternatives for as long as at any other.
    pub analyse: bool,
}

impl Limits {
    /// The last depth to be searched, in plies: a win within so many plies is
    /// found, or known not to be there, at that depth.
    pub fn last_depth(&self) -> Option<u32> {
        self.depth.into_iter().chain(self.mate_plies).min()
    }
}

/// The limits of time of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimePlan {
    /// No new iteration is begun after this.
    pub soft: Option<Duration>,
    /// The search is broken off after this.
    pub hard: Option<Duration>,
}

impl TimePlan {
    /// The plan for these limits.
    pub fn new(limits: &Limits) -> Self {
        let overhead = limits.overhead;
        let mut plan = Self::default();
        if let Some(clock) = limits.clock {
            let left = clock.left.saturating_sub(overhead);
            let turns = clock.turns_to_go.unwrap_or(TURNS_LEFT).clamp(1, TURNS_LEFT);
            let share = left / turns + clock.increment * INCREMENT_SHARE / 100;
            // The last turn before a time control may use all there is.
            let part = if turns == 1 { 1 } else { HARD_PART };
            let hard = (share * HARD_FACTOR).min(left / part);
            plan.soft = Some(share.min(hard) * LAST_START / 100);
            plan.hard = Some(hard);
        }
        if let Some(time) = limits.move_time {
            // A short time would leave nothing; no clock is at stake here.
            let time = time - overhead.min(time / 2);
            plan.hard = Some(plan.hard.map_or(time, |hard| hard.min(time)));
        }
        plan
    }
}

/// The line between a running search and whoever started it.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// Guards nothing but the moment between looking and falling asleep.
    changed: Mutex<()>,
    wake: Condvar,
}

impl Signals {
    /// The signals of a search that begins by pondering or not.
    pub fn new(ponder: bool) -> Self {
        Self { pondering: AtomicBool::new(ponder), ..Self::default() }
    }

    /// Tells the search to stop.
    pub fn stop(&self) {
        self.set(&self.stop, true);
    }

    /// Tells the search that the opponent has made the expected move.
    pub fn ponder_hit(&self) {
        self.set(&self.pondering, false);
    }

    /// Whether the search was told to stop.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether the opponent's clock is running.
    #[inline]
    pub fn pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Waits until the search may answer: after `stop`, or, unless it is
    /// `infinite`, when it is not pondering.
    pub fn wait_to_answer(&self, infinite: bool) {
        let mut guard = self.lock();
        while !self.stopped() && (infinite || self.pondering()) {
            guard = self.wake.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn set(&self, flag: &AtomicBool, value: bool) {
        let _guard = self.lock();
        flag.store(value, Relaxed);
        self.wake.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Watches the limits of a running search.
#[derive(Debug)]
pub struct Watch<'a> {
    signals: &'a Signals,
    plan: TimePlan,
    nodes: u64,
    started: Instant,
    /// When the own clock began to run; `None` while pondering.
    running: Option<Instant>,
}

impl<'a> Watch<'a> {
    /// A watch that starts now.
    pub fn new(limits: &Limits, signals: &'a Signals) -> Self {
        let started = Instant::now();
        Self {
            signals,
            plan: TimePlan::new(limits),
            nodes: limits.nodes.unwrap_or(u64::MAX),
            started,
            running: (!limits.ponder).then_some(started),
        }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the limit of nodes is reached.
    #[inline(always)]
    pub const fn out_of_nodes(&self, nodes: u64) -> bool {
        nodes >= self.nodes
    }

    /// Whether the search has to break off, by signal or by the hard limit.
    pub fn out_of_time(&mut self) -> bool {
        self.signals.stopped() || self.past(self.plan.hard)
    }

    /// Whether no new iteration should begin, if the turn gets this part of
    /// the soft limit, in percent. The time of the opponent that was spent
    /// pondering counts here: it leaves the own time for later turns.
    pub fn past_soft_limit(&mut self, percent: u32) -> bool {
        let Some(soft) = self.plan.soft else { return false };
        self.running().is_some() && self.started.elapsed() >= soft * percent / 100
    }

    /// Whether the own clock runs and limits the search.
    pub fn on_the_clock(&mut self) -> bool {
        self.plan.soft.is_some() && self.running().is_some()
    }

    /// Time until the hard limit, if there is one that runs.
    pub fn remaining(&mut self) -> Option<Duration> {
        let since = self.running()?;
        Some(self.plan.hard?.saturating_sub(since.elapsed()))
    }

    fn past(&mut self, limit: Option<Duration>) -> bool {
        match (limit, self.running()) {
            (Some(limit), Some(since)) => since.elapsed() >= limit,
            _ => false,
        }
    }

    fn running(&mut self) -> Option<Instant> {
        if self.running.is_none() && !self.signals.pondering() {
            self.running = Some(Instant::now());
        }
        self.running
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn plan(left: u64, increment: u64, turns_to_go: Option<u32>) -> TimePlan {
        let clock = Clock { left: ms(left), increment: ms(increment), turns_to_go };
        TimePlan::new(&Limits { clock: Some(clock), overhead: ms(10), ..Limits::default() })
    }

    #[test]
    fn no_plan_uses_more_than_the_clock_has() {
        for left in [0, 1, 9, 10, 11, 50, 1_000, 600_000] {
            for increment in [0, 10, 5_000] {
                for turns in [None, Some(1), Some(2), Some(40), Some(0)] {
                    let plan = plan(left, increment, turns);
                    let (soft, hard) = (plan.soft.unwrap(), plan.hard.unwrap());
                    assert!(soft <= hard && hard <= ms(left).saturating_sub(ms(10)), "{left}");
                }
            }
        }
    }

    #[test]
    fn the_time_for_a_move_is_kept() {
        let limits = Limits { move_time: Some(ms(50)), overhead: ms(10), ..Limits::default() };
        assert_eq!(TimePlan::new(&limits), TimePlan { soft: None, hard: Some(ms(40)) });
        let limits = Limits { move_time: Some(ms(10)), ..limits };
        assert_eq!(TimePlan::new(&limits).hard, Some(ms(5)));
    }

    #[test]
    fn time_does_not_count_while_pondering() {
        let limits = Limits { move_time: Some(ms(0)), ponder: true, ..Limits::default() };
        let signals = Signals::new(true);
        let mut watch = Watch::new(&limits, &signals);
        assert!(!watch.out_of_time());
        signals.ponder_hit();
        assert!(watch.out_of_time());
    }

    #[test]
    fn an_answer_waits_for_its_signal() {
        let signals = Signals::new(true);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| signals.wait_to_answer(false));
            std::thread::sleep(ms(20));
            assert!(!waiting.is_finished());
            signals.ponder_hit();
        });
        signals.wait_to_answer(false);
        signals.stop();
        signals.wait_to_answer(true);
    }
}
