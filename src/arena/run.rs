//! Playing a schedule on several threads.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::duel::{Adjudication, Disagreement, Duel, Fixture};
use super::log::Log;
use super::openings::Openings;
use super::player::{EngineSpec, Player, Trouble};
use super::schedule::{Format, Next, Schedule, Scheduled, Size};
use crate::record::{GameRecord, Reason, RecordedResult};
use crate::rules::Profile;

/// A match.
#[derive(Clone, Debug)]
pub struct Match {
    /// Its name in the records.
    pub event: String,
    /// The rules.
    pub profile: Profile,
    /// The engines, the higher seeds first.
    pub engines: Vec<Arc<EngineSpec>>,
    /// The openings, in order; they begin anew when they are used up.
    pub openings: Arc<Openings>,
    /// The seed behind the openings.
    pub seed: u64,
    /// The form.
    pub format: Format,
    /// How often everyone meets.
    pub rounds: u64,
    /// Games of each meeting.
    pub games: u64,
    /// The part of the schedule to play.
    pub shard: (u64, u64),
    /// Games that are played at once.
    pub concurrency: usize,
    /// Ends that are not in the rules.
    pub rules: Adjudication,
    /// Whether the match goes on after an engine has failed.
    pub recover: bool,
    /// Whether the rules of UGI engines are compared with ours.
    pub verify: bool,
    /// Where the engines' words go.
    pub log: Arc<Log>,
}

/// What happens in a match.
#[derive(Debug)]
pub enum Event {
    /// A game has begun.
    Started(Scheduled),
    /// A game has ended.
    Finished(Box<GameRecord>),
    /// An engine sees the rules in another way.
    Disagreement(Disagreement),
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All games were played; the index of a knockout's winner.
    Complete(Option<usize>),
    /// It was called off.
    Stopped,
    /// An engine failed, and the match was not to go on then.
    Failed(String),
}

/// What the threads share.
struct Shared<'a> {
    plan: &'a Match,
    schedule: Mutex<Schedule>,
    changed: Condvar,
    stop: &'a AtomicBool,
}

impl Match {
    /// Starts every engine once and ends it again, so that a match does not
    /// begin with one that cannot play. Returns for each what it calls
    /// itself and which of its options it does not know.
    ///
    /// # Errors
    /// Names the engine that does not start, and why.
    pub fn probe(&self, stop: &AtomicBool) -> Result<Vec<(String, Vec<String>)>, String> {
        let mut found = Vec::new();
        for spec in &self.engines {
            let mut player = Player::new(Arc::clone(spec), Arc::clone(&self.log));
            match player.new_game(self.profile, stop) {
                Ok(()) => {}
                Err(Trouble::Stopped) => return Err("interrupted".to_owned()),
                Err(Trouble::Fault(fault)) => {
                    return Err(format!("engine {}: {}", spec.name, fault.note));
                }
            }
            let unknown = player.unknown_options().into_iter().map(str::to_owned).collect();
            let identity = player.identity.clone().unwrap_or_else(|| "nameless".to_owned());
            player.close();
            found.push((identity, unknown));
        }
        Ok(found)
    }

    /// The games of the match, without those whose results are `known`.
    pub fn schedule(&self, known: HashMap<u64, RecordedResult>) -> Schedule {
        let size = Size {
            engines: self.engines.len(),
            rounds: self.rounds,
            games: self.games,
            shard: self.shard,
        };
        Schedule::new(self.format, size, known)
    }

    /// Plays all games that are not known yet. `on` hears of everything in
    /// the calling thread; it may set `stop`, which calls off the games that
    /// are being played.
    pub fn run(
        &self,
        known: HashMap<u64, RecordedResult>,
        stop: &AtomicBool,
        mut on: impl FnMut(Event),
    ) -> Ending {
        let shared = Shared {
            plan: self,
            schedule: Mutex::new(self.schedule(known)),
            changed: Condvar::new(),
            stop,
        };
        let (sender, receiver): (Sender<Event>, Receiver<Event>) = channel();
        let mut failure = None;
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let (shared, sender) = (&shared, sender.clone());
                scope.spawn(move || shared.work(&sender));
            }
            drop(sender);
            for event in receiver {
                if let Event::Finished(record) = &event
                    && let Some(why) = self.breaks_off(record)
                {
                    failure.get_or_insert(why);
                }
                on(event);
            }
        });
        match failure {
            Some(why) => Ending::Failed(why),
            None if stop.load(Relaxed) => Ending::Stopped,
            None => Ending::Complete(shared.lock().champion()),
        }
    }

    /// Why a finished game ends the match, if it does.
    fn breaks_off(&self, record: &GameRecord) -> Option<String> {
        let died = matches!(record.reason, Reason::Crash | Reason::NoAnswer | Reason::NoStart);
        (died && !self.recover).then(|| {
            let note = record.note.as_deref().unwrap_or("");
            format!("game {}: {} ({note})", record.game, record.reason.word())
        })
    }
}

impl Shared<'_> {
    fn lock(&self) -> MutexGuard<'_, Schedule> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays games until there are none left.
    fn work(&self, sender: &Sender<Event>) {
        let mut players: HashMap<usize, Player> = HashMap::new();
        while let Some(game) = self.next_game() {
            if sender.send(Event::Started(game)).is_err() {
                break;
            }
            // Engines that are not needed now may not be needed for long.
            players.retain(|index, player| {
                let needed = game.players.contains(index);
                if !needed {
                    player.close();
                }
                needed
            });
            let [mut south, mut north] = game.players.map(|index| {
                let spec = Arc::clone(&self.plan.engines[index]);
                players
                    .remove(&index)
                    .unwrap_or_else(|| Player::new(spec, Arc::clone(&self.plan.log)))
            });
            let record = self.play(game, [&mut south, &mut north], sender);
            players.extend(game.players.into_iter().zip([south, north]));
            let Some(record) = record else { break };
            if self.plan.breaks_off(&record).is_some() {
                // Before anyone can begin another game.
                self.stop.store(true, Relaxed);
            }
            self.lock().finished(record.game, record.result);
            self.changed.notify_all();
            if sender.send(Event::Finished(Box::new(record))).is_err() {
                break;
            }
        }
        for player in players.values_mut() {
            player.close();
        }
        self.changed.notify_all();
    }

    fn play(
        &self,
        game: Scheduled,
        players: [&mut Player; 2],
        sender: &Sender<Event>,
    ) -> Option<GameRecord> {
        let plan = self.plan;
        let opening = plan.openings.get(game.opening, self.stop)?;
        let fixture = Fixture {
            event: plan.event.clone(),
            game: game.game,
            opening: game.opening,
            seed: plan.seed,
            profile: plan.profile,
            start: opening.start,
            moves: opening.moves,
        };
        let mut report = |disagreement| {
            // Whoever hears of it has called the match off.
            let _ = sender.send(Event::Disagreement(disagreement));
        };
        let verify: Option<&mut dyn FnMut(Disagreement)> =
            if plan.verify { Some(&mut report) } else { None };
        Duel::play(&fixture, &plan.rules, players, self.stop, verify)
    }

    /// Waits for a game; `None` when there will be none.
    fn next_game(&self) -> Option<Scheduled> {
        let mut schedule = self.lock();
        loop {
            if self.stop.load(Relaxed) {
                return None;
            }
            match schedule.take() {
                Next::Game(game) => return Some(game),
                Next::Done => {
                    self.changed.notify_all();
                    return None;
                }
                Next::Wait => {
                    // The time limit covers a stop that nobody announces.
                    let wait = std::time::Duration::from_millis(50);
                    schedule = self
                        .changed
                        .wait_timeout(schedule, wait)
                        .unwrap_or_else(PoisonError::into_inner)
                        .0;
                }
            }
        }
    }
}
