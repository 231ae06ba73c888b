//! `kisolo-free` and `kisolo-full`: captured seeds are sown from the
//! capturing pit; who captures the last seeds of the enemy inner row wins.

use super::{MAX_PACKETS, Node, Outcome, Profile, Rules, Turn};
use crate::board::{Geometry, Lanes, Pit, PitSet, Position, RING14, SowTable};

/// The rules that `kisolo-free` and `kisolo-full` (`FULL`) share.
#[derive(Clone, Copy, Debug, Default)]
pub struct Resow<const FULL: bool>;

/// The rules of the profile `kisolo-free`.
pub type KisoloFree = Resow<false>;
/// The rules of the profile `kisolo-full`.
pub type KisoloFull = Resow<true>;

const GEOMETRY: Geometry = Geometry::SEVEN;
const INNER: u128 = GEOMETRY.inner_lanes();

/// The seeds that own inner pit `at` captures, and the enemy without them.
#[inline(always)]
fn capture(enemy: Lanes, at: usize) -> (u8, Lanes) {
    let (facing, far) = (GEOMETRY.facing(at), GEOMETRY.far(at));
    (enemy.get(facing) + enemy.get(far), enemy.without(facing).without(far))
}

impl<const FULL: bool> Rules for Resow<FULL> {
    const PROFILE: Profile = if FULL { Profile::KisoloFull } else { Profile::KisoloFree };
    const GEOMETRY: Geometry = GEOMETRY;
    const SEEDS: u32 = if FULL { 84 } else { 42 };

    #[inline(always)]
    fn node(position: &Position) -> Node {
        let faced = Lanes(GEOMETRY.faced(position.enemy.0) & INNER);
        let occupied = position.own.occupied();
        let captures = occupied & faced.occupied();
        let capture = captures != 0;
        let legal = PitSet(if capture { captures } else { occupied });
        Node { base: *position, legal, capture }
    }

    #[inline(always)]
    fn play(node: &Node, pit: Pit) -> Turn {
        let Position { mut own, mut enemy, .. } = node.base;
        let mut at = pit.index();
        let mut packets = 0;
        let mut captures = node.capture;
        let outcome = loop {
            let (start, hand);
            if captures {
                (hand, enemy) = capture(enemy, at);
                start = SowTable::onto(at);
            } else {
                hand = own.get(at);
                start = at;
            }
            own = RING14.sow(own, start, hand);
            packets += 1;
            if captures && enemy.0 & INNER == 0 {
                break Outcome::Win;
            }
            let was_empty = own.get(RING14.last(start, hand)) == 1;
            at = RING14.next(start, hand);
            if own.get(at) == 0 || (!FULL && was_empty) {
                // An enemy without seeds cannot move and has lost.
                break if enemy.0 == 0 { Outcome::Win } else { Outcome::Ongoing };
            }
            if packets == MAX_PACKETS {
                break Outcome::Draw;
            }
            captures = !was_empty && at >= GEOMETRY.columns && enemy.get(GEOMETRY.facing(at)) != 0;
        };
        let after = Position { own, enemy, ..node.base }.flipped();
        Turn { after, outcome, packets }
    }

    #[inline(always)]
    fn set_up_due(position: &Position) -> bool {
        !FULL && position.first.contains(position.side)
    }
}
