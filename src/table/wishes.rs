//! What players ask for at a table, and whether they get it.

use std::time::Instant;

use super::key::Key;
use super::limits::NAME;
use super::message::{Answer, Request};
use super::play::{Made, Play};
use super::seats::{Role, Sitter, Table, seconds};
use super::show::Score;
use crate::board::Side;

/// An engine takes a draw while its last score is not better than this, in
/// centipawns: a tenth of a seed.
const ENGINE_DRAW: i32 = 10;

impl Table {
    /// Does what a viewer asks of the table.
    ///
    /// # Errors
    /// Says why not; nothing has changed then.
    pub fn act(&mut self, viewer: u64, request: Request) -> Result<(), String> {
        let role = self.role(viewer).ok_or("join a table first")?;
        if role == Role::Watch {
            return Err("spectators look on".to_owned());
        }
        let now = Instant::now();
        match request {
            Request::Move { ply, text } => {
                let side = self.mover(role);
                self.play.choose(side, ply, &text, now)?;
            }
            Request::Undo { ply, answer } => self.undo(role, ply, answer, now)?,
            Request::Resign {} => self.play.resign(self.mover(role), now)?,
            Request::Draw { answer } => self.draw(role, answer, now)?,
            Request::Rematch {} => self.play_again(role)?,
            _ => return Err("this is nothing for a table".to_owned()),
        }
        self.touched = seconds();
        Ok(())
    }

    /// The side that a player's wish is for: the own one, or of two the one
    /// to move.
    fn mover(&self, role: Role) -> Side {
        match role {
            Role::Seat(side) => side,
            _ => self.play.game.position().side,
        }
    }

    fn undo(&mut self, role: Role, ply: usize, answer: Answer, now: Instant) -> Result<(), String> {
        // Of two sides it is the last mover that takes a move back.
        let own = match role {
            Role::Seat(side) => side,
            _ => self.play.game.position().side.other(),
        };
        match (answer, self.play.undo_asked) {
            (Answer::Ask, _) => {
                let back = self.play.way_back(own, ply)?;
                if self.alone(role) {
                    return self.go_back(back, now);
                }
                self.play.undo_asked = Some(own);
            }
            (Answer::Accept, Some(side)) if side != own => {
                let back = self.play.way_back(side, ply)?;
                self.go_back(back, now)?;
            }
            (Answer::Decline, Some(_)) => self.play.undo_asked = None,
            _ => return Err("nobody asks for a move back".to_owned()),
        }
        Ok(())
    }

    fn go_back(&mut self, ply: usize, now: Instant) -> Result<(), String> {
        self.interrupt();
        self.play.back_to(ply, now)?;
        self.told = self.told.min(ply);
        Ok(())
    }

    fn draw(&mut self, role: Role, answer: Answer, now: Instant) -> Result<(), String> {
        let own = self.mover(role);
        match (answer, self.play.offer) {
            // Two who offer agree.
            (Answer::Ask | Answer::Accept, Some(side)) if side != own => self.play.agree(now),
            (Answer::Ask, _) => {
                self.play.offer(own)?;
                if role == Role::Both {
                    self.play.agree(now);
                } else if self.has_engine(own.other()) {
                    if self.engine_agrees(own.other()) {
                        self.play.agree(now);
                    } else {
                        self.play.offer = None;
                        return Err("the engine declines the draw".to_owned());
                    }
                }
            }
            (Answer::Decline, Some(_)) => self.play.offer = None,
            _ => return Err("nobody offers a draw".to_owned()),
        }
        Ok(())
    }

    /// Whether an engine takes a draw, by the score of its last move.
    fn engine_agrees(&self, side: Side) -> bool {
        let own = |made: &&Made| made.side() == side;
        match self.play.moves.iter().rev().find(own).and_then(|made| Score::of(&made.record)) {
            Some(Score::Cp(cp)) => cp <= ENGINE_DRAW,
            Some(Score::Mate(turns)) => turns < 0,
            None => false,
        }
    }

    fn play_again(&mut self, role: Role) -> Result<(), String> {
        if self.play.end.is_none() {
            return Err("the game goes on".to_owned());
        }
        let own = self.mover(role);
        if !self.alone(role) && self.rematch != Some(own.other()) {
            self.rematch = Some(own);
            return Ok(());
        }
        self.interrupt();
        self.rematch = None;
        self.seats.swap(0, 1);
        self.play = self.play.anew();
        self.number += 1;
        self.recorded = false;
        self.told = 0;
        let ids: Vec<u64> = self.viewers.iter().map(|viewer| viewer.id).collect();
        for viewer in &mut self.viewers {
            if let Role::Seat(side) = viewer.role {
                viewer.role = Role::Seat(side.other());
            }
        }
        ids.into_iter().for_each(|id| self.tell_seat(id));
        Ok(())
    }

    /// Gives the open seat to who shows the invitation; it counts once.
    ///
    /// # Errors
    /// When it is not the invitation, or the seat is taken.
    pub fn take_seat(&mut self, invite: &str, name: Option<&str>) -> Result<Role, String> {
        let side = Side::BOTH.into_iter().find(|&side| matches!(self.seat(side).who, Sitter::Open));
        let fits = self.invite.as_ref().is_some_and(|key| key.is(invite));
        let side = side.filter(|_| fits).ok_or("the invitation does not count any more")?;
        let name = checked_name(name, "Guest")?;
        let key = Key::new().map_err(|error| error.to_string())?;
        let seat = &mut self.seats[side as usize];
        seat.who = Sitter::Person { name };
        seat.key = Some(key);
        self.invite = None;
        self.touched = seconds();
        Ok(Role::Seat(side))
    }
}

/// A name as it may be shown: one short line.
///
/// # Errors
/// When it is too long or has control characters.
pub fn checked_name(name: Option<&str>, default: &str) -> Result<String, String> {
    let name = name.map(str::trim).filter(|name| !name.is_empty()).unwrap_or(default);
    if name.chars().count() > NAME || name.chars().any(char::is_control) {
        return Err(format!("a name is one line of at most {NAME} characters"));
    }
    Ok(name.to_owned())
}

/// Whether `play` may be analysed by its own players.
pub const fn is_open_to_analysis(play: &Play) -> bool {
    play.casual || play.end.is_some()
}
