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
        let Position { mut own, mut enemy, .. } = node.base;
        let mut at = pit.index();
        let mut hand = own.get(at);
        let mut packets = 0;
        let outcome = loop {
            let first = RING14.after(at);
            own = Lanes(own.without(at).0 + RING14.add(first, hand));
            packets += 1;
            at = RING14.next(first, hand);
            hand = own.get(at);
            if at >= GEOMETRY.columns && hand != 0 {
                let facing = GEOMETRY.facing(at);
                let taken = enemy.get(facing);
                if taken != 0 {
                    let far = GEOMETRY.far(at);
                    own = own.plus(GEOMETRY.behind(at), taken + enemy.get(far));
                    enemy = enemy.without(facing).without(far);
                }
            }
            if enemy.0 & OUTER == 0 {
                break Outcome::Win;
            }
            if own.0 & OUTER == 0 {
                break Outcome::Loss;
            }
            if hand == 0 {
                break Outcome::Ongoing;
            }
            if packets == MAX_PACKETS {
                break Outcome::Draw;
            }
        };
        let after = Position { own, enemy, ..node.base }.flipped();
        Turn { after, outcome, packets }
    }

    fn outcome_without_turns(position: &Position) -> Outcome {
        if position.own.0 & OUTER == 0 { Outcome::Loss } else { Outcome::Win }
    }
}
