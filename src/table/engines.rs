//! The engines that sit at tables and analyse: child processes, few of them,
//! each lent for one search at a time. A process goes back to the table that it
//! served last if it can, where it remembers what it has searched.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

use super::limits::{ANALYSIS, IDLE_ENGINE};
use crate::arena::{Answer, Clock, EngineSpec, Limit, Log, Player, Trouble};
use crate::board::Side;
use crate::levels::{LOWEST, STEP, built_in};
use crate::record::Reason;
use crate::rules::Profile;

/// Time that an engine may overstep without a loss: a busy machine's fault.
const MARGIN: Duration = Duration::from_millis(200);
/// The highest level of engines whose levels are not known.
const HIGHEST: u32 = 2400;

/// The levels of engines whose levels are not known.
pub fn usual_levels() -> Vec<u32> {
    levels_to(HIGHEST)
}

fn levels_to(highest: u32) -> Vec<u32> {
    (LOWEST..=highest).step_by(STEP as usize).collect()
}

/// The nodes of a level for an engine that has no levels of its own. They
/// double every 150 points, about what a doubling is worth in blitz games of
/// chess engines at low depth; the scale is not measured for any engine here.
fn level_nodes(level: u32) -> u64 {
    const LEAST: f64 = 16.0;
    const DOUBLING: f64 = 150.0;
    let above = f64::from(level.saturating_sub(LOWEST));
    (LEAST * (above / DOUBLING).exp2()) as u64
}

/// A search for a seat.
#[derive(Clone, Debug)]
pub struct Order {
    /// Which engine, by its place in the list.
    pub engine: usize,
    /// Whose search it is: one tenant's searches belong to one game.
    pub tenant: String,
    pub profile: Profile,
    /// The `position` line.
    pub position: String,
    pub side: Side,
    pub level: Option<u32>,
    /// The limits of both sides with what is left on their clocks.
    pub limits: [(Limit, Option<Duration>); 2],
}

/// All engines.
#[derive(Debug)]
pub struct Engines {
    specs: Vec<Arc<EngineSpec>>,
    /// What they call themselves, once they have.
    identities: Vec<OnceLock<String>>,
    /// Searches for seats and hints that may run at once.
    pub turns: Arc<Semaphore>,
    /// Analyses that may run at once.
    pub studies: Arc<Semaphore>,
    /// Processes without work, the longest idle first.
    idle: Mutex<Vec<Idle>>,
    most: usize,
}

#[derive(Debug)]
struct Idle {
    engine: usize,
    tenant: String,
    player: Player,
    since: Instant,
}

impl Engines {
    /// Engines of which `most` may search for seats at once, and half as many
    /// more for analysis.
    pub fn new(specs: Vec<EngineSpec>, most: usize) -> Self {
        Self {
            identities: specs.iter().map(|_| OnceLock::new()).collect(),
            specs: specs.into_iter().map(Arc::new).collect(),
            turns: Arc::new(Semaphore::new(most)),
            studies: Arc::new(Semaphore::new(most.div_ceil(2))),
            idle: Mutex::new(Vec::new()),
            most,
        }
    }

    /// The names, the first one that of the engine for hints and analysis.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.specs.iter().map(|spec| spec.name.as_str())
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.names().position(|other| other == name)
    }

    /// The levels of an engine in a profile. The first engine is the built-in
    /// one, whose levels are measured; those of others are not known before
    /// they are started.
    pub fn levels(&self, engine: usize, profile: Profile) -> Vec<u32> {
        if engine == 0 { levels_to(built_in(profile).highest()) } else { usual_levels() }
    }

    /// What an engine calls itself, once it has been started.
    pub fn identity(&self, engine: usize) -> Option<String> {
        self.identities[engine].get().cloned()
    }

    /// What the command line allows an engine.
    pub fn limit(&self, engine: usize) -> Limit {
        self.specs[engine].limit
    }

    /// Searches for a seat. An engine that crashes is started once more: the
    /// process may have been dead since its last search.
    ///
    /// # Errors
    /// When the engine is at fault, or the search was called off.
    pub fn choose(
        &self,
        order: &Order,
        stop: &AtomicBool,
        heard: &mut dyn FnMut(&str),
    ) -> Result<Answer, Trouble> {
        match self.choose_once(order, stop, heard) {
            Err(Trouble::Fault(fault)) if fault.reason == Reason::Crash => {
                self.choose_once(order, stop, heard)
            }
            answer => answer,
        }
    }

    fn choose_once(
        &self,
        order: &Order,
        stop: &AtomicBool,
        heard: &mut dyn FnMut(&str),
    ) -> Result<Answer, Trouble> {
        let mut player = self.take(order.engine, &order.tenant, order.profile, stop)?;
        player.set("MultiPV", "1");
        player.set("UCI_AnalyseMode", "false");
        player.set("UCI_LimitStrength", if order.level.is_some() { "true" } else { "false" });
        let mut limits = order.limits;
        if let Some(level) = order.level {
            if player.announces("UCI_Elo") {
                player.set("UCI_Elo", &level.to_string());
            } else {
                let limit = &mut limits[order.side as usize].0;
                limit.nodes = Some(limit.nodes.unwrap_or(u64::MAX).min(level_nodes(level)));
            }
        }
        let clocks = limits.map(|(limit, left)| match left {
            Some(left) => Clock::with_left(limit, left),
            None => Clock::new(limit),
        });
        let (position, side) = (&order.position, order.side);
        let answer = player.choose_aloud(position, side, &clocks, MARGIN, stop, heard);
        let sound = match &answer {
            Ok(_) => true,
            Err(Trouble::Stopped) => player.halt().is_ok(),
            Err(Trouble::Fault(_)) => false,
        };
        if sound {
            self.give(order.engine, &order.tenant, player);
        }
        answer
    }

    /// Searches a position at full strength until it is called off or its time
    /// is over; `heard` gets the engine's lines.
    ///
    /// # Errors
    /// When the engine is at fault.
    pub fn analyse(
        &self,
        profile: Profile,
        position: &str,
        lines: usize,
        stop: &AtomicBool,
        heard: &mut dyn FnMut(&str),
    ) -> Result<(), Trouble> {
        // One tenant for all: an analysis remembers those before.
        let tenant = format!("analysis {profile}");
        let mut player = self.take(0, &tenant, profile, stop)?;
        player.set("MultiPV", &lines.to_string());
        player.set("UCI_AnalyseMode", "true");
        player.set("UCI_LimitStrength", "false");
        player.analyse(position, Instant::now() + ANALYSIS, stop, heard)?;
        self.give(0, &tenant, player);
        Ok(())
    }

    /// A process that is ready for a search of this tenant.
    fn take(
        &self,
        engine: usize,
        tenant: &str,
        profile: Profile,
        stop: &AtomicBool,
    ) -> Result<Player, Trouble> {
        let found = {
            let mut idle = self.idle();
            let same = |other: &Idle| other.engine == engine;
            let at = idle.iter().position(|other| same(other) && other.tenant == tenant);
            at.or_else(|| idle.iter().position(same)).map(|at| idle.remove(at))
        };
        match found {
            Some(idle) if idle.tenant == tenant => Ok(idle.player),
            Some(Idle { mut player, .. }) => {
                player.set("UCI_Variant", profile.name());
                match player.new_game(profile, stop) {
                    Ok(()) => Ok(player),
                    Err(Trouble::Stopped) => Err(Trouble::Stopped),
                    Err(_) => self.start(engine, profile, stop),
                }
            }
            None => self.start(engine, profile, stop),
        }
    }

    fn start(&self, engine: usize, profile: Profile, stop: &AtomicBool) -> Result<Player, Trouble> {
        let mut player = Player::new(Arc::clone(&self.specs[engine]), Arc::new(Log::none()));
        player.new_game(profile, stop)?;
        if let Some(identity) = &player.identity {
            self.identities[engine].get_or_init(|| identity.clone());
        }
        Ok(player)
    }

    fn give(&self, engine: usize, tenant: &str, player: Player) {
        let idle = Idle { engine, tenant: tenant.to_owned(), player, since: Instant::now() };
        let surplus = {
            let mut all = self.idle();
            all.push(idle);
            (all.len() > self.most).then(|| all.remove(0))
        };
        // Ended outside the lock: that takes a moment.
        drop(surplus);
    }

    /// Ends the processes that nobody has wanted for a while.
    pub fn sweep(&self) {
        let old: Vec<Idle> = {
            let mut idle = self.idle();
            idle.extract_if(.., |idle| idle.since.elapsed() > IDLE_ENGINE).collect()
        };
        drop(old);
    }

    /// Ends all processes without work.
    pub fn close(&self) {
        let all = std::mem::take(&mut *self.idle());
        all.into_iter().for_each(|mut idle| idle.player.close());
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number behind a word of an `info` line.
pub fn number_after(line: &str, word: &str) -> Option<u64> {
    line.split_ascii_whitespace().skip_while(|&other| other != word).nth(1)?.parse().ok()
}

/// The moves behind `pv` in an `info` line.
pub fn line_moves(line: &str) -> impl Iterator<Item = &str> {
    line.split_ascii_whitespace().skip_while(|&word| word != "pv").skip(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_ever_more_nodes() {
        let nodes: Vec<u64> = usual_levels().into_iter().map(level_nodes).collect();
        assert_eq!((nodes.len(), nodes[0]), (21, 16));
        assert!(nodes.is_sorted_by(|a, b| a < b), "{nodes:?}");
        assert!(nodes[20] < 1_000_000);
    }

    #[test]
    fn lines_of_engines_are_read() {
        let line = "info depth 5 multipv 2 score cp -12 nodes 99 pv a1 b4";
        assert_eq!(number_after(line, "multipv"), Some(2));
        assert_eq!(line_moves(line).collect::<Vec<_>>(), ["a1", "b4"]);
        assert_eq!(line_moves("info depth 1").count(), 0);
    }
}
