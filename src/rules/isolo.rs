//! `isolo`: eight columns, an initial phase, and captured seeds that are sown
//! from where the capturing packet began.

use super::{MAX_PACKETS, Node, Outcome, Profile, Rules, Turn};
use crate::board::{
    Geometry, LANES, Lanes, Pit, PitSet, Position, RING16, RING16_INITIAL, SowTable,
};

/// The rules of the profile `isolo`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Isolo;

const GEOMETRY: Geometry = Geometry::EIGHT;
/// The rightmost outer pit; choosing it ends a side's initial phase.
const CORNER: usize = 7;
/// The rightmost inner pit.
const INNER_CORNER: usize = 8;
/// `0xff` in the lanes that are out of play during the initial phase.
const HELD: u128 = 0xffff << (8 * CORNER);

impl Isolo {
    /// A side after the opening, which has no choices: two seeds in every
    /// pit, the outer row gathered in its corner, one seed of each inner pit
    /// moved behind it, then one relay from the inner corner.
    pub(super) fn opening() -> Lanes {
        let mut counts = [0u8; LANES];
        counts[CORNER] = 2 * GEOMETRY.columns as u8;
        for inner in GEOMETRY.columns..GEOMETRY.pits() {
            counts[inner] = 1;
            counts[GEOMETRY.behind(inner)] += 1;
        }
        let mut at = INNER_CORNER;
        loop {
            let hand = std::mem::take(&mut counts[at]);
            let mut last = at;
            for _ in 1..hand {
                last = (last + 1) % LANES;
                counts[last] += 1;
            }
            last = (last + 1) % LANES;
            // The seed that would fall into the corner falls behind the
            // inner corner instead, and the opening is over.
            if last == CORNER {
                counts[INNER_CORNER + 1] += 1;
                return Lanes::new(counts);
            }
            counts[last] += 1;
            if counts[last] == 1 {
                return Lanes::new(counts);
            }
            at = last;
        }
    }
}

impl Rules for Isolo {
    const PROFILE: Profile = Profile::Isolo;
    const GEOMETRY: Geometry = GEOMETRY;
    const SEEDS: u32 = 64;

    #[inline(always)]
    fn node(position: &Position) -> Node {
        let initial = position.first.contains(position.side);
        let out = u16::from(initial) << INNER_CORNER;
        let legal = PitSet(position.own.occupied() & !out);
        Node { base: *position, legal, capture: false }
    }

    #[inline(always)]
    fn play(node: &Node, pit: Pit) -> Turn {
        let Position { mut own, enemy, side, mut first, .. } = node.base;
        if pit.index() == CORNER {
            first = first.without(side);
        }
        let ring: &SowTable = if first.contains(side) { &RING16_INITIAL } else { &RING16 };
        // Enemy seeds out of play are put aside and given back at the end.
        let held = if first.contains(side.other()) { enemy.0 & HELD } else { 0 };
        let mut enemy = Lanes(enemy.0 ^ held);

        let mut origin = pit.index();
        let mut hand = own.get(origin);
        let mut start = origin;
        let mut packets = 0;
        let mut won = false;
        let outcome = loop {
            own = ring.sow(own, start, hand);
            packets += 1;
            if won {
                break Outcome::Win;
            }
            let last = ring.last(start, hand);
            let here = own.get(last);
            if here == 1 {
                // An enemy without seeds cannot move and has lost.
                break if enemy.0 | held == 0 { Outcome::Win } else { Outcome::Ongoing };
            }
            if packets == MAX_PACKETS {
                break Outcome::Draw;
            }
            if last >= GEOMETRY.columns {
                let (facing, far) = (GEOMETRY.facing(last), GEOMETRY.far(last));
                let taken = enemy.get(facing) + enemy.get(far);
                if taken != 0 {
                    enemy = enemy.without(facing).without(far);
                    won = enemy.0 | held == 0;
                    hand = taken;
                    start = SowTable::onto(origin);
                    continue;
                }
            }
            origin = last;
            hand = here;
            start = last;
        };
        let after = Position { own, enemy: Lanes(enemy.0 | held), side, first }.flipped();
        Turn { after, outcome, packets }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opening_ends_as_the_rules_say() {
        let want = [2, 0, 2, 0, 2, 0, 2, 17, 0, 1, 2, 0, 2, 0, 2, 0];
        assert_eq!(Isolo::opening().counts(), want);
    }
}
