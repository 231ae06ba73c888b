//! `kisolo`: captures at the start of the turn and at the next pit stay on
//! the board; who empties the enemy outer row wins.

use super::{MAX_PACKETS, Node, Outcome, Profile, Rules, Turn};
use crate::board::{Geometry, Lanes, Pit, PitSet, Position, RING14};

/// The rules of the profile `kisolo`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kisolo;

const GEOMETRY: Geometry = Geometry::SEVEN;
const OUTER: u128 = GEOMETRY.outer_lanes();
const INNER: u128 = GEOMETRY.inner_lanes();

/// Makes every available capture at once: columns do not influence each
/// other, so a capture is a mask over the lanes of the own inner row.
#[inline(always)]
const fn start_captures(own: Lanes, enemy: Lanes) -> (Lanes, Lanes) {
    let faced = GEOMETRY.faced(enemy.0);
    let takes = own.occupied_lanes() & Lanes(faced & INNER).occupied_lanes();
    let far = takes >> (8 * GEOMETRY.columns);
    let taken = (faced & takes) + ((enemy.0 & far) << (8 * GEOMETRY.columns));
    (Lanes(own.0 + GEOMETRY.to_behind(taken)), Lanes(enemy.0 & !(far | GEOMETRY.unfaced(takes))))
}

/// A turn on its way. The enemy's rows are kept by column, in the order of the
/// own inner row, so that a capture needs one shift for both.
struct Relay {
    own: Lanes,
    facing: u64,
    far: u64,
    at: usize,
    hand: u8,
    packets: u16,
}

impl Relay {
    #[inline(always)]
    fn begin(base: &Position, at: usize) -> Self {
        let enemy = base.enemy.0;
        Self {
            own: base.own,
            facing: (GEOMETRY.faced(enemy) >> (8 * GEOMETRY.columns)) as u64 & OUTER as u64,
            far: (enemy & OUTER) as u64,
            at,
            hand: base.own.get(at),
            packets: 0,
        }
    }

    #[inline(always)]
    fn enemy(&self) -> Lanes {
        let facing = (self.facing as u128) << (8 * GEOMETRY.columns);
        Lanes(GEOMETRY.unfaced(facing) | self.far as u128)
    }

    /// Sows the hand, looks into the next pit and captures there.
    #[inline(always)]
    fn packet(&mut self) {
        self.packets += 1;
        self.own = RING14.sow(self.own, self.at, self.hand);
        self.at = RING14.next(self.at, self.hand);
        self.hand = self.own.get(self.at);
        let column = self.at.wrapping_sub(GEOMETRY.columns);
        let shift = 8 * (column & 7);
        let facing = (self.facing >> shift) & 0xff;
        if self.at >= GEOMETRY.columns && self.hand != 0 && facing != 0 {
            let taken = facing + (self.far >> shift & 0xff);
            self.own.0 += u128::from(taken) << (8 * GEOMETRY.behind(self.at));
            self.facing &= !(0xff << shift);
            self.far &= !(0xff << shift);
        }
    }
}

impl Rules for Kisolo {
    const PROFILE: Profile = Profile::Kisolo;
    const GEOMETRY: Geometry = GEOMETRY;
    const SEEDS: u32 = 42;

    #[inline(always)]
    fn node(position: &Position) -> Node {
        let over = position.own.0 & OUTER == 0 || position.enemy.0 & OUTER == 0;
        let (own, enemy) = start_captures(position.own, position.enemy);
        let legal = if over { PitSet::EMPTY } else { PitSet(own.occupied()) };
        Node { base: Position { own, enemy, ..*position }, legal, capture: false }
    }

    #[inline(always)]
    fn play(node: &Node, pit: Pit) -> Turn {
        let mut turn = Relay::begin(&node.base, pit.index());
        let outcome = loop {
            turn.packet();
            if turn.far == 0 {
                break Outcome::Win;
            }
            if turn.own.0 & OUTER == 0 {
                break Outcome::Loss;
            }
            if turn.hand == 0 {
                break Outcome::Ongoing;
            }
            if turn.packets == MAX_PACKETS {
                break Outcome::Draw;
            }
        };
        let after = Position { own: turn.own, enemy: turn.enemy(), ..node.base }.flipped();
        Turn { after, outcome, packets: turn.packets }
    }

    fn outcome_without_turns(position: &Position) -> Outcome {
        if position.own.0 & OUTER == 0 { Outcome::Loss } else { Outcome::Win }
    }
}
