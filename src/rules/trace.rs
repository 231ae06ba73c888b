//! A turn packet by packet, for people who want to see how it went.
//!
//! The rules proper say how many packets a turn has and how it ends; what is
//! told here between the two is held to them by a test.

use super::{Move, MoveError, Profile, Turn};
use crate::board::{
    Geometry, LANES, Lanes, Pit, PitSet, Position, RING14, RING16, RING16_INITIAL, SowTable,
};

/// The outer pit of isolo whose choice ends the chooser's initial phase.
const CORNER: usize = 7;

/// A capture: what an own inner pit took from the two enemy pits of its
/// column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The own inner pit.
    pub pit: Pit,
    /// The seeds taken.
    pub seeds: u8,
}

/// One sowing of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The pit that was lifted, or the one where the first captured seed fell.
    pub from: Pit,
    /// The seeds sown.
    pub seeds: u8,
    /// The capture whose seeds these are, where captured seeds are sown.
    pub taken: Option<Capture>,
    /// The pit where the last seed fell.
    pub last: Pit,
    /// The capture at the next pit after the sowing, where captured seeds
    /// stay on the board.
    pub kept: Option<Capture>,
    /// The position after all that, from the view of the mover.
    pub after: Position,
}

/// All that happens in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The captures that `kisolo` makes first, with no choice in them.
    pub start: Vec<Capture>,
    /// The packets; none in a set-up.
    pub packets: Vec<Packet>,
    /// How it ended.
    pub turn: Turn,
}

impl Trace {
    /// Every capture of the turn, in order.
    pub fn captures(&self) -> impl Iterator<Item = Capture> {
        let sown = self.packets.iter().flat_map(|packet| [packet.taken, packet.kept]);
        self.start.iter().copied().chain(sown.flatten())
    }
}

impl Profile {
    /// Makes a move and tells how it went.
    ///
    /// # Errors
    /// When it is not legal.
    pub fn trace(self, position: &Position, mv: Move) -> Result<Trace, MoveError> {
        let turn = self.play(position, mv)?;
        let mut sowing = Sowing { at: *position, geometry: self.geometry() };
        let mut trace = Trace { start: Vec::new(), packets: Vec::new(), turn };
        if let Move::Sow(pit) = mv {
            match self {
                Self::Kisolo => sowing.kisolo(pit.index(), &mut trace),
                Self::KisoloFree | Self::KisoloFull => sowing.resow(pit.index(), &mut trace),
                Self::Isolo => sowing.isolo(pit.index(), &mut trace),
            }
        }
        Ok(trace)
    }
}

/// A turn on its way; its number of packets is known.
struct Sowing {
    at: Position,
    geometry: Geometry,
}

impl Sowing {
    const fn inner(&self, pit: usize) -> bool {
        pit >= self.geometry.columns
    }

    /// The seeds of the two enemy pits in the column of own inner pit `pit`.
    fn column(&self, pit: usize) -> u8 {
        let (facing, far) = (self.geometry.facing(pit), self.geometry.far(pit));
        self.at.enemy.get(facing) + self.at.enemy.get(far)
    }

    /// Whether own inner pit `pit` faces seeds.
    fn faces_seeds(&self, pit: usize) -> bool {
        self.at.enemy.get(self.geometry.facing(pit)) > 0
    }

    /// Takes the seeds of a column off the board.
    fn take(&mut self, pit: usize) -> Capture {
        let capture = Capture { pit: Pit(pit as u8), seeds: self.column(pit) };
        let (facing, far) = (self.geometry.facing(pit), self.geometry.far(pit));
        self.at.enemy = self.at.enemy.without(facing).without(far);
        capture
    }

    /// A capture of `kisolo`, whose seeds go to the pit behind.
    fn keep(&mut self, pit: usize) -> Option<Capture> {
        let possible = self.inner(pit) && self.at.own.get(pit) > 0 && self.faces_seeds(pit);
        possible.then(|| {
            let capture = self.take(pit);
            self.at.own = self.at.own.plus(self.geometry.behind(pit), capture.seeds);
            capture
        })
    }

    /// Sows a packet; a captured one begins with `from` itself.
    fn packet(
        &mut self,
        ring: &SowTable,
        from: usize,
        taken: Option<Capture>,
        origin: usize,
    ) -> (Packet, usize) {
        let (start, seeds) = match taken {
            Some(capture) => (SowTable::onto(origin), capture.seeds),
            None => (from, self.at.own.get(from)),
        };
        self.at.own = ring.sow(self.at.own, start, seeds);
        let last = ring.last(start, seeds);
        let packet = Packet {
            from: Pit(start as u8 % LANES as u8),
            seeds,
            taken,
            last: Pit(last as u8),
            kept: None,
            after: self.at,
        };
        (packet, ring.next(start, seeds))
    }

    fn kisolo(&mut self, pit: usize, trace: &mut Trace) {
        let occupied = PitSet(self.at.own.occupied());
        trace.start = occupied.filter_map(|pit| self.keep(pit.index())).collect();
        let mut from = pit;
        for _ in 0..trace.turn.packets {
            let (mut packet, next) = self.packet(&RING14, from, None, from);
            packet.kept = self.keep(next);
            packet.after = self.at;
            trace.packets.push(packet);
            from = next;
        }
    }

    fn resow(&mut self, pit: usize, trace: &mut Trace) {
        let mut from = pit;
        let mut captures = self.inner(pit) && self.faces_seeds(pit);
        // What can be captured must be; anywhere else the choice is to sow.
        for _ in 0..trace.turn.packets {
            let taken = captures.then(|| self.take(from));
            let (packet, next) = self.packet(&RING14, from, taken, from);
            trace.packets.push(packet);
            let was_empty = self.at.own.get(packet.last.index()) == 1;
            captures = !was_empty && self.inner(next) && self.faces_seeds(next);
            from = next;
        }
    }

    fn isolo(&mut self, pit: usize, trace: &mut Trace) {
        let (side, enemy) = (self.at.side, self.at.side.other());
        if pit == CORNER {
            self.at.first = self.at.first.without(side);
        }
        let ring = if self.at.first.contains(side) { &RING16_INITIAL } else { &RING16 };
        // Enemy seeds out of play are put aside and given back at the end.
        let whole = self.at.enemy;
        let in_play = |lanes: Lanes| lanes.without(CORNER).without(CORNER + 1);
        let holds = self.at.first.contains(enemy);
        let held = |lanes: Lanes| {
            lanes.plus(CORNER, whole.get(CORNER)).plus(CORNER + 1, whole.get(CORNER + 1))
        };
        if holds {
            self.at.enemy = in_play(whole);
        }
        let (mut from, mut origin) = (pit, pit);
        let mut taken = None;
        for _ in 0..trace.turn.packets {
            let (mut packet, _) = self.packet(ring, from, taken, origin);
            if holds {
                packet.after.enemy = held(packet.after.enemy);
            }
            trace.packets.push(packet);
            let last = packet.last.index();
            from = last;
            // A packet of captured seeds begins where the one before it began.
            taken = (trace.packets.len() < trace.turn.packets.into()
                && self.inner(last)
                && self.column(last) > 0)
                .then(|| self.take(last));
            if taken.is_none() {
                origin = last;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Outcome;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Games at random: every trace ends where the rules end.
    #[test]
    fn traces_agree_with_the_rules() {
        const GAMES: u64 = 200;
        const TURNS: usize = 200;
        for profile in Profile::ALL {
            let mut captures = 0;
            for seed in 0..GAMES {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
                let names = profile.start_names();
                let mut position = profile.start(names[names.len() - 1]).unwrap();
                for _ in 0..TURNS {
                    let legal: Vec<Pit> = profile.legal(&position).collect();
                    if legal.is_empty() {
                        break;
                    }
                    let mv = Move::Sow(legal[random.random_range(0..legal.len())]);
                    let trace = profile.trace(&position, mv).unwrap();
                    captures += trace.captures().count();
                    assert_eq!(trace.packets.len(), usize::from(trace.turn.packets));
                    let last = trace.packets.last().unwrap();
                    assert_eq!(last.after.flipped(), trace.turn.after, "{profile} {position:?}");
                    position = trace.turn.after;
                    if trace.turn.outcome != Outcome::Ongoing {
                        break;
                    }
                }
            }
            assert!(captures > 1000, "{profile}: {captures} captures");
        }
    }

    #[test]
    fn the_example_of_the_rules() {
        let profile = Profile::KisoloFree;
        let text = "1,0,4,2,0,1,3/1,0,6,0,2,0,1/0,1,2,1,3,1,0/3,0,2,3,1,2,2 S -";
        let position = profile.parse_position(text).unwrap();
        let mv = profile.parse_move(&position, "e2").unwrap();
        let trace = profile.trace(&position, mv).unwrap();
        let name = |pit| profile.move_text(&position, Move::Sow(pit));
        let told: Vec<(String, u8, String)> =
            trace.packets.iter().map(|p| (name(p.from), p.seeds, name(p.last))).collect();
        let want = [("e2", 2, "d2"), ("c2", 10, "g1")];
        assert_eq!(told, want.map(|(from, seeds, last)| (from.to_owned(), seeds, last.to_owned())));
        assert_eq!(trace.captures().map(|capture| capture.seeds).collect::<Vec<_>>(), [2, 10]);
    }
}
