//! Engines at their seats: a search is ordered, watched, and its move made.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::engines::{Engines, Order, line_moves};
use super::hall::{Hall, Shared, lock, report};
use super::limits::{HINT, LINE_MOVES, MOVE_MS, NEWS};
use super::message::Reply;
use super::seats::{Role, Sitter, Table, Thinking};
use super::show::{Score, word};
use crate::arena::{Answer, ClockLimit, Limit, Trouble, parse_info, position_line};
use crate::board::Side;
use crate::record::Reason;

impl Hall {
    /// Lets the engine to move think, unless it does already. Two engines
    /// among themselves play only while somebody watches.
    pub fn think(self: &Arc<Self>, shared: &Shared, table: &mut Table) {
        if table.thinking.is_some() || (table.is_show() && table.viewers.is_empty()) {
            return;
        }
        let Some(order) = table.play.turn().and_then(|side| self.order(table, side)) else {
            return;
        };
        let number = self.number();
        let stop = Arc::new(AtomicBool::new(false));
        table.thinking = Some(Thinking { number, stop: Arc::clone(&stop) });
        let (hall, shared) = (Arc::clone(self), Arc::clone(shared));
        tokio::spawn(async move {
            // Whoever waits longest is next. It fails only when all ends.
            let Ok(permit) = Arc::clone(&hall.engines.turns).acquire_owned().await else { return };
            if stop.load(Relaxed) {
                return;
            }
            let search = tokio::task::spawn_blocking(move || {
                let answer = hall.search(&shared, &order, number, &stop);
                drop(permit);
                hall.answered(&shared, number, order.side, answer);
            });
            if let Err(error) = search.await {
                report(&format!("a search has failed: {error}"));
            }
        });
    }

    /// What the engine of `side` is asked for.
    fn order(&self, table: &Table, side: Side) -> Option<Order> {
        let Sitter::Engine { engine, level, .. } = &table.seat(side).who else { return None };
        let engine = self.engines.find(engine)?;
        let (clocks, now) = (table.play.clocks.as_ref(), Instant::now());
        let limits = Side::BOTH.map(|of| {
            let left = clocks.map(|clocks| clocks.left(of, false, now));
            (limit(table, of, &self.engines), left)
        });
        let profile = table.play.game.profile();
        Some(Order {
            engine,
            tenant: format!("{} {} {side}", table.id, table.number),
            profile,
            position: game_line(table),
            side,
            level: *level,
            limits,
        })
    }

    fn search(
        &self,
        shared: &Shared,
        order: &Order,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<Answer, Trouble> {
        let mut told: Option<Instant> = None;
        self.engines.choose(order, stop, &mut |line| {
            let now = Instant::now();
            if told.is_some_and(|told| now - told < NEWS) {
                return;
            }
            told = Some(now);
            let mut table = lock(shared);
            if table.thinking.as_ref().is_some_and(|thinking| thinking.number == number) {
                tell_thought(&mut table, order.side, line);
            }
        })
    }

    /// Books an engine's answer, if it is still wanted.
    fn answered(
        self: &Arc<Self>,
        shared: &Shared,
        number: u64,
        side: Side,
        answer: Result<Answer, Trouble>,
    ) {
        let mut table = lock(shared);
        if table.thinking.as_ref().is_none_or(|thinking| thinking.number != number) {
            return;
        }
        table.thinking = None;
        let now = Instant::now();
        match answer {
            Ok(answer) if answer.late => {
                let note = format!("{} took {} ms", answer.record.text, answer.used.as_millis());
                table.play.lose(side, Reason::Time, Some(note), now);
            }
            Ok(answer) => {
                if let Err(error) = table.play.make(answer.record, Some(answer.used), now) {
                    let reason = Reason::IllegalMove;
                    table.play.lose(side, reason, Some(format!("{side}: {error}")), now);
                }
            }
            // Called off by the end of the server: the move is made again
            // after its next start.
            Err(Trouble::Stopped) => return,
            Err(Trouble::Fault(fault)) => {
                table.play.lose(side, fault.reason, Some(format!("{side}: {}", fault.note)), now);
            }
        }
        self.settle(shared, &mut table);
    }

    /// Searches a good move for a viewer who may have one. The viewer is
    /// `busy` until it is there, and may not ask for another.
    ///
    /// # Errors
    /// Says why there is none.
    pub fn hint(
        self: &Arc<Self>,
        shared: &Shared,
        viewer: u64,
        id: Option<u32>,
        busy: &Arc<AtomicBool>,
    ) -> Result<(), String> {
        let (order, ply, outbox) = {
            let table = lock(shared);
            let seat = table.viewers.iter().find(|other| other.id == viewer);
            let seat = seat.ok_or("join a table first")?;
            let side = table.play.turn().ok_or("the game is over")?;
            if !table.play.casual {
                return Err("hints are given at casual tables only".to_owned());
            }
            if !seat.role.holds(side) {
                return Err("hints are for the side to move".to_owned());
            }
            let limit = Limit { move_time: Some(HINT), ..Limit::default() };
            let order = Order {
                engine: 0,
                tenant: format!("{} {} hints", table.id, table.number),
                profile: table.play.game.profile(),
                position: game_line(&table),
                side,
                level: None,
                limits: [(limit, None); 2],
            };
            (order, table.play.moves.len(), seat.outbox.clone())
        };
        if busy.swap(true, Relaxed) {
            return Err("a hint is on its way".to_owned());
        }
        let (hall, busy) = (Arc::clone(self), Arc::clone(busy));
        tokio::spawn(async move {
            let Ok(permit) = Arc::clone(&hall.engines.turns).acquire_owned().await else { return };
            let search = tokio::task::spawn_blocking(move || {
                let answer = hall.engines.choose(&order, &AtomicBool::new(false), &mut |_| {});
                drop(permit);
                answer
            });
            let frame = match search.await {
                Ok(Ok(Answer { record, .. })) => {
                    Reply::Hint { id, ply, score: Score::of(&record), text: record.text }.frame()
                }
                _ => {
                    let message = "the engine has no answer";
                    Reply::Error { to: Some("hint"), id, message }.frame()
                }
            };
            busy.store(false, Relaxed);
            // The viewer may have gone.
            let _ = outbox.try_send(frame);
        });
        Ok(())
    }
}

/// What limits `side` at a table: the clock, and an engine by its own limits.
pub fn limit(table: &Table, side: Side, engines: &Engines) -> Limit {
    let clock = table.play.clocks.as_ref().map(|clocks| ClockLimit {
        base: Duration::from_millis(clocks.control.base_ms),
        increment: Duration::from_millis(clocks.control.increment_ms),
        moves: None,
    });
    let Sitter::Engine { engine, move_ms, .. } = &table.seat(side).who else {
        return Limit { clock, ..Limit::default() };
    };
    let own = engines.find(engine).map(|engine| engines.limit(engine)).unwrap_or_default();
    let default = (clock.is_none() && own.is_none()).then_some(MOVE_MS);
    let move_time = move_ms.or(default).map(Duration::from_millis);
    Limit { clock, move_time: move_time.or(own.move_time), ..own }
}

/// The `position` line of a game with all its moves.
fn game_line(table: &Table) -> String {
    let play = &table.play;
    let mut line = position_line(play.game.profile(), &play.start);
    if !play.moves.is_empty() {
        line.push_str(" moves");
    }
    for made in &play.moves {
        line.push(' ');
        line.push_str(&made.record.text);
    }
    line
}

/// Tells those who may know what an engine thinks.
fn tell_thought(table: &mut Table, side: Side, line: &str) {
    let record = parse_info(line);
    let pv = line_moves(line).take(LINE_MOVES).map(str::to_owned).collect();
    let frame = Reply::Thinking {
        ply: table.play.moves.len(),
        side: word(side),
        depth: record.depth,
        score: Score::of(&record),
        pv,
        nodes: record.nodes,
    }
    .frame();
    let open = table.is_show() || table.play.casual;
    table.send(|viewer| open || viewer.role == Role::Watch, &frame);
}
