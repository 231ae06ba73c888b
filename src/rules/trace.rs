//! A turn packet by packet, for those who show it.
//!
//! This is the rules page once more, in plain steps and without tables; tests
//! hold it to [`Profile::play`], which remains what decides a turn.

use super::{MAX_PACKETS, Move, MoveError, Outcome, Profile, Turn};
use crate::board::{Geometry, LANES, Lanes, Pit, Position};

/// Both corners of a side, out of play in isolo's initial phase.
const CORNERS: [usize; 2] = [7, 8];

/// A capture: what it takes and where the seeds go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The own inner pit that captures.
    pub by: Pit,
    /// The enemy pits that it empties, inner pit first, with their seeds.
    pub from: Vec<(Pit, u8)>,
    /// The own pit that the seeds go to, or `None` for the hand.
    pub into: Option<Pit>,
}

impl Capture {
    /// The seeds that change sides.
    pub fn seeds(&self) -> u8 {
        self.from.iter().map(|(_, seeds)| seeds).sum()
    }
}

/// One packet and the capture after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The own pit that is lifted, or `None` if captured seeds are sown.
    pub from: Option<Pit>,
    /// Where the seeds fall, in order.
    pub path: Vec<Pit>,
    /// What is captured then.
    pub capture: Option<Capture>,
}

/// A turn in all its parts. Own pits are those of the mover, enemy pits those
/// of the other side, each in its own sowing order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The captures before the first packet.
    pub start: Vec<Capture>,
    /// The packets; none for a set-up.
    pub steps: Vec<Step>,
    /// The turn as [`Profile::play`] tells it.
    pub turn: Turn,
}

impl Trace {
    /// Every capture of the turn, in order.
    pub fn captures(&self) -> impl Iterator<Item = &Capture> {
        let during = self.steps.iter().filter_map(|step| step.capture.as_ref());
        self.start.iter().chain(during)
    }

    /// All seeds that were captured.
    pub fn taken(&self) -> u32 {
        self.captures().map(|capture| u32::from(capture.seeds())).sum()
    }

    /// Where the last seed fell.
    pub fn last(&self) -> Option<Pit> {
        self.steps.last()?.path.last().copied()
    }
}

impl Profile {
    /// Makes a move and tells all its parts.
    ///
    /// # Errors
    /// When it is not legal.
    pub fn trace(self, position: &Position, mv: Move) -> Result<Trace, MoveError> {
        self.check(position, mv)?;
        let Move::Sow(pit) = mv else {
            let turn = self.play(position, mv)?;
            return Ok(Trace { start: Vec::new(), steps: Vec::new(), turn });
        };
        let mut relay = Relay::new(self, position);
        let outcome = match self {
            Self::Kisolo => relay.kisolo(pit.index()),
            Self::KisoloFree => relay.resow(pit.index(), false),
            Self::KisoloFull => relay.resow(pit.index(), true),
            Self::Isolo => relay.isolo(pit.index()),
        };
        Ok(relay.end(outcome))
    }
}

/// A turn on its way.
struct Relay {
    geometry: Geometry,
    before: Position,
    own: [u8; LANES],
    enemy: [u8; LANES],
    start: Vec<Capture>,
    steps: Vec<Step>,
}

const fn pit(index: usize) -> Pit {
    Pit(index as u8)
}

impl Relay {
    fn new(profile: Profile, position: &Position) -> Self {
        Self {
            geometry: profile.geometry(),
            before: *position,
            own: position.own.counts(),
            enemy: position.enemy.counts(),
            start: Vec::new(),
            steps: Vec::new(),
        }
    }

    fn end(self, outcome: Outcome) -> Trace {
        let (own, enemy) = (Lanes::new(self.own), Lanes::new(self.enemy));
        let after = Position { own, enemy, ..self.before }.flipped();
        let packets = self.steps.len() as u16;
        Trace { start: self.start, steps: self.steps, turn: Turn { after, outcome, packets } }
    }

    /// Whether own pits are out of play.
    fn skips(&self, index: usize) -> bool {
        // Only isolo's board has corners out of play; kisolo-free's first
        // phase is over when seeds are sown.
        self.geometry == Geometry::EIGHT
            && self.before.first.contains(self.before.side)
            && CORNERS.contains(&index)
    }

    fn next(&self, index: usize) -> usize {
        let mut next = (index + 1) % self.geometry.pits();
        while self.skips(next) {
            next = (next + 1) % self.geometry.pits();
        }
        next
    }

    const fn is_inner(&self, index: usize) -> bool {
        index >= self.geometry.columns
    }

    fn is_empty(row: &[u8]) -> bool {
        row.iter().all(|&seeds| seeds == 0)
    }

    /// Sows from the pit `first` on; tells where the last seed fell and
    /// whether that pit was empty just before.
    fn sow(&mut self, from: Option<usize>, first: usize, hand: u8) -> (usize, bool) {
        let mut path = Vec::with_capacity(usize::from(hand));
        let (mut at, mut last) = (first, first);
        for _ in 0..hand {
            self.own[at] += 1;
            path.push(pit(at));
            last = at;
            at = self.next(at);
        }
        self.steps.push(Step { from: from.map(pit), path, capture: None });
        (last, self.own[last] == 1)
    }

    /// Lifts a pit and sows its seeds from the next one on.
    fn lift(&mut self, from: usize) -> (usize, bool) {
        let hand = std::mem::take(&mut self.own[from]);
        self.sow(Some(from), self.next(from), hand)
    }

    /// Empties the enemy pits that own inner pit `by` faces.
    fn take(&mut self, by: usize, into: Option<usize>) -> Capture {
        let enemy = [self.geometry.facing(by), self.geometry.far(by)];
        let from: Vec<(Pit, u8)> = enemy
            .into_iter()
            .map(|at| (pit(at), std::mem::take(&mut self.enemy[at])))
            .filter(|&(_, seeds)| seeds > 0)
            .collect();
        let capture = Capture { by: pit(by), from, into: into.map(pit) };
        if let Some(into) = into {
            self.own[into] += capture.seeds();
        }
        capture
    }

    /// Books a capture: after the last packet, or before the first.
    fn book(&mut self, capture: Capture) {
        match self.steps.last_mut() {
            Some(step) => step.capture = Some(capture),
            None => self.start.push(capture),
        }
    }

    fn faces_seeds(&self, inner: usize) -> bool {
        self.own[inner] > 0 && self.enemy[self.geometry.facing(inner)] > 0
    }

    fn capture_behind(&mut self, by: usize) {
        if self.is_inner(by) && self.faces_seeds(by) {
            let capture = self.take(by, Some(self.geometry.behind(by)));
            self.book(capture);
        }
    }

    fn kisolo(&mut self, mut at: usize) -> Outcome {
        let columns = self.geometry.columns;
        for inner in columns..self.geometry.pits() {
            self.capture_behind(inner);
        }
        loop {
            let (last, _) = self.lift(at);
            at = self.next(last);
            self.capture_behind(at);
            if Self::is_empty(&self.enemy[..columns]) {
                return Outcome::Win;
            }
            if Self::is_empty(&self.own[..columns]) {
                return Outcome::Loss;
            }
            if self.own[at] == 0 {
                return Outcome::Ongoing;
            }
            if self.steps.len() == usize::from(MAX_PACKETS) {
                return Outcome::Draw;
            }
        }
    }

    /// What a quiet end of the turn means: an enemy without seeds cannot move
    /// and has lost.
    fn quiet(&self) -> Outcome {
        if Self::is_empty(&self.enemy) { Outcome::Win } else { Outcome::Ongoing }
    }

    fn resow(&mut self, mut at: usize, full: bool) -> Outcome {
        let inner = self.geometry.columns..self.geometry.pits();
        let mut captures = inner.clone().any(|inner| self.faces_seeds(inner));
        loop {
            let (last, was_empty) = if captures {
                let capture = self.take(at, None);
                let hand = capture.seeds();
                self.book(capture);
                self.sow(None, at, hand)
            } else {
                self.lift(at)
            };
            if captures && Self::is_empty(&self.enemy[inner.clone()]) {
                return Outcome::Win;
            }
            at = self.next(last);
            if self.own[at] == 0 || (was_empty && !full) {
                return self.quiet();
            }
            if self.steps.len() == usize::from(MAX_PACKETS) {
                return Outcome::Draw;
            }
            captures = !was_empty && self.is_inner(at) && self.faces_seeds(at);
        }
    }

    fn isolo(&mut self, chosen: usize) -> Outcome {
        let Position { side, first, .. } = self.before;
        if chosen == CORNERS[0] {
            self.before.first = first.without(side);
        }
        let mut held = [0; LANES];
        if first.contains(side.other()) {
            for corner in CORNERS {
                held[corner] = std::mem::take(&mut self.enemy[corner]);
            }
        }
        let outcome = self.isolo_relay(chosen, Self::is_empty(&held));
        for corner in CORNERS {
            self.enemy[corner] += held[corner];
        }
        outcome
    }

    /// The relay, with the enemy's seeds out of play put aside.
    fn isolo_relay(&mut self, mut origin: usize, none_held: bool) -> Outcome {
        let (mut last, mut was_empty) = self.lift(origin);
        loop {
            if was_empty {
                return if none_held { self.quiet() } else { Outcome::Ongoing };
            }
            if self.steps.len() == usize::from(MAX_PACKETS) {
                return Outcome::Draw;
            }
            let enemy = |inner| {
                self.enemy[self.geometry.facing(inner)] + self.enemy[self.geometry.far(inner)]
            };
            if self.is_inner(last) && enemy(last) > 0 {
                let capture = self.take(last, None);
                let hand = capture.seeds();
                self.book(capture);
                (last, was_empty) = self.sow(None, origin, hand);
                if none_held && Self::is_empty(&self.enemy) {
                    return Outcome::Win;
                }
            } else {
                origin = last;
                (last, was_empty) = self.lift(origin);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(profile: Profile, position: &str, mv: &str) -> Trace {
        let position = profile.parse_position(position).unwrap();
        let mv = profile.parse_move(&position, mv).unwrap();
        profile.trace(&position, mv).unwrap()
    }

    /// The worked example of the rules: two seeds captured first, then ten.
    #[test]
    fn captured_seeds_are_sown() {
        let position = "1,0,4,2,0,1,3/1,0,6,0,2,0,1/0,1,2,1,3,1,0/3,0,2,3,1,2,2 S -";
        let trace = trace(Profile::KisoloFree, position, "e2");
        assert_eq!(trace.start.iter().map(Capture::seeds).collect::<Vec<_>>(), [2]);
        assert_eq!(trace.steps.len(), 2);
        assert_eq!(trace.steps[0].path, [Pit(9), Pit(10)]);
        let second = trace.steps[0].capture.as_ref().unwrap();
        assert_eq!((second.by, second.seeds(), second.into), (Pit(11), 10, None));
        assert_eq!((trace.taken(), trace.last()), (12, Some(Pit(6))));
    }

    #[test]
    fn captures_of_kisolo_go_behind() {
        let position = "0,2,0,8,0,0,3/5,0,0,3,0,0,0/0,0,1,1,0,4,4/0,0,7,0,0,3,1 N -";
        let trace = trace(Profile::Kisolo, position, "b4");
        assert_eq!(trace.start.len(), 1);
        let capture = &trace.start[0];
        assert_eq!((capture.by, capture.into), (Pit(10), Some(Pit(3))));
        assert_eq!(capture.from, [(Pit(10), 1)]);
    }

    #[test]
    fn what_is_not_legal_is_refused() {
        let start = Profile::Kisolo.start_position();
        assert!(Profile::Kisolo.trace(&start, Move::Sow(Pit(9))).is_err());
    }
}
