//! Turns on their way, one in each lane, and the packet step that takes them
//! all further.

use super::Lockstep;
use crate::board::{Pit, Position, Row, Rows, WIDTH, mask};
use crate::rules::{MAX_PACKETS, Node, Outcome};

/// The turns under way.
#[derive(Clone)]
#[repr(C, align(64))]
pub(super) struct Relays {
    /// The sides to move.
    pub own: Rows,
    /// Their opponents.
    pub enemy: Rows,
    /// Masks: the lanes in which a turn is under way.
    pub live: Row,
    /// The pit that the next packet begins with.
    pub at: Row,
    /// Masks: the next packet is of captured seeds, its first seed falls into
    /// `at` itself. Otherwise `at` is lifted.
    pub onto: Row,
    /// The seeds of the next packet.
    pub hand: Row,
    /// Masks: the side to move is in its initial phase (`isolo`).
    pub own_first: Row,
    /// Masks: its opponent is.
    pub enemy_first: Row,
    /// The packets sown in each turn.
    pub packets: [u16; WIDTH],
}

/// How turns have ended, as masks; a turn that ended otherwise left the game
/// going on.
pub(super) struct Ended {
    /// Those that are over.
    pub done: Row,
    /// Those whose mover has won.
    pub win: Row,
    /// Those whose mover has lost.
    pub loss: Row,
    /// The endless ones.
    pub draw: Row,
}

impl Ended {
    /// The outcome in one lane.
    pub fn outcome(&self, lane: usize) -> Outcome {
        match (self.win[lane], self.loss[lane], self.draw[lane]) {
            (0, 0, 0) => Outcome::Ongoing,
            (0, 0, _) => Outcome::Draw,
            (0, ..) => Outcome::Loss,
            _ => Outcome::Win,
        }
    }
}

/// Whether choosing `pit` ends isolo's initial phase.
#[inline(always)]
pub(super) fn ends_first_phase<R: Lockstep>(pit: u8) -> bool {
    R::HOLDS && pit == 7
}

/// Where packets begin and how far they go, in places of the loop counted
/// without the pits out of play.
struct Sowing {
    /// The pits of the loop.
    ring: Row,
    /// The place of the first seed.
    first: Row,
    /// Full rounds.
    rounds: Row,
    /// Seeds beyond them.
    rest: Row,
}

/// What the packets left behind.
struct Sown {
    /// The seeds where the last one fell.
    last: Row,
    /// The seeds in the pit after that.
    next: Row,
    /// The pit at which the turn goes on, captures or ends.
    at: Row,
}

/// What the captures after the packets took, and which rows are not empty:
/// after the captures if they stay on the board, otherwise before them, since
/// they decide nothing until they are sown.
struct Captured {
    taken: Row,
    own_outer: Row,
    enemy_inner: Row,
    enemy_outer: Row,
}

impl Relays {
    /// No turn under way.
    pub const IDLE: Self = Self {
        own: Rows::EMPTY,
        enemy: Rows::EMPTY,
        live: [0; WIDTH],
        at: [0; WIDTH],
        onto: [0; WIDTH],
        hand: [0; WIDTH],
        own_first: [0; WIDTH],
        enemy_first: [0; WIDTH],
        packets: [0; WIDTH],
    };

    /// Puts a position into a lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, position: &Position) {
        self.own.set(lane, position.own);
        self.enemy.set(lane, position.enemy);
        self.own_first[lane] = mask(position.first.contains(position.side));
        self.enemy_first[lane] = mask(position.first.contains(position.side.other()));
    }

    /// Begins the turn `pit` of a node in a lane.
    #[inline(always)]
    pub fn begin<R: Lockstep>(&mut self, lane: usize, node: &Node, pit: Pit) {
        self.set(lane, &node.base);
        self.live[lane] = mask(true);
        self.at[lane] = pit.0;
        self.onto[lane] = mask(node.capture);
        self.packets[lane] = 0;
        self.hand[lane] = if node.capture {
            let column = [R::GEOMETRY.facing(pit.index()), R::GEOMETRY.far(pit.index())];
            column.into_iter().map(|pit| std::mem::take(&mut self.enemy.0[pit][lane])).sum()
        } else {
            node.base.own.get(pit.index())
        };
        self.own_first[lane] &= mask(!ends_first_phase::<R>(pit.0));
    }

    /// The position after the turn in a lane that began from `base`.
    pub fn after<R: Lockstep>(&self, lane: usize, base: &Position) -> Position {
        let (own, enemy) = (self.own.get(lane), self.enemy.get(lane));
        let ended = R::HOLDS && self.own_first[lane] == 0;
        let first = if ended { base.first.without(base.side) } else { base.first };
        Position { own, enemy, side: base.side, first }.flipped()
    }

    /// Sows one packet in every lane, captures after it and finds out which
    /// turns are over. Lanes without a turn may change, but never end.
    #[inline(always)]
    pub fn packet<R: Lockstep>(&mut self) -> Ended {
        let sowing = self.sowing::<R>();
        let sown = self.sow::<R>(&sowing);
        let mut may_capture = [0; WIDTH];
        let mut guard = [0; WIDTH];
        for lane in 0..WIDTH {
            self.packets[lane] = self.packets[lane].wrapping_add(1);
            guard[lane] = mask(self.packets[lane] == MAX_PACKETS);
        }
        for lane in 0..WIDTH {
            let (last, next) = (sown.last[lane], sown.next[lane]);
            may_capture[lane] = if R::CAPTURES_STAY {
                mask(next != 0)
            } else if R::AT_LAST {
                mask(last != 1) & !guard[lane]
            } else {
                mask(next != 0) & mask(last != 1) & !guard[lane]
            };
        }
        let captured = self.capture::<R>(&sown.at, &may_capture);
        let ended = self.ended::<R>(&sown, &captured, &guard);
        for lane in 0..WIDTH {
            let taken = captured.taken[lane];
            let relays = if R::AT_LAST { sown.last[lane] } else { sown.next[lane] };
            let captures = if R::CAPTURES_STAY { 0 } else { mask(taken != 0) };
            self.live[lane] &= !ended.done[lane];
            self.hand[lane] = relays & !captures | taken & captures;
            // In isolo a capturing packet begins where the one before it did.
            let stays = if R::AT_LAST { captures } else { 0 };
            self.at[lane] = self.at[lane] & stays | sown.at[lane] & !stays;
            self.onto[lane] = captures;
        }
        ended
    }

    #[inline(always)]
    fn sowing<R: Lockstep>(&self) -> Sowing {
        let pits = R::GEOMETRY.pits() as u8;
        let most_rounds = R::SEEDS as usize / if R::HOLDS { 14 } else { R::GEOMETRY.pits() };
        let mut sowing =
            Sowing { ring: [pits; WIDTH], first: [0; WIDTH], rounds: [0; WIDTH], rest: self.hand };
        for lane in 0..WIDTH {
            let left_out = if R::HOLDS { self.own_first[lane] & 2 } else { 0 };
            let ring = pits - left_out;
            let place = self.at[lane].wrapping_sub(left_out & mask(self.at[lane] > 8));
            let first = place.wrapping_add(1 & !self.onto[lane]);
            sowing.ring[lane] = ring;
            // The smaller of x and x - n, wrapping, is x modulo n.
            sowing.first[lane] = first.min(first.wrapping_sub(ring));
            let (mut rounds, mut rest) = (0u8, self.hand[lane]);
            for _ in 0..most_rounds {
                let less = rest.min(rest.wrapping_sub(ring));
                rounds = rounds.wrapping_sub(mask(less != rest));
                rest = less;
            }
            sowing.rounds[lane] = rounds;
            sowing.rest[lane] = rest;
        }
        sowing
    }

    #[inline(always)]
    fn sow<R: Lockstep>(&mut self, sowing: &Sowing) -> Sown {
        let Sowing { ring, first, rounds, rest } = sowing;
        let mut sown = Sown { last: [0; WIDTH], next: [0; WIDTH], at: [0; WIDTH] };
        // The distances, from the first seed on, of the lifted pit (none for
        // captured seeds) and of the pit where the last seed falls.
        let mut lifted = [0; WIDTH];
        let mut end = [0; WIDTH];
        for lane in 0..WIDTH {
            lifted[lane] = ring[lane].wrapping_sub(1) | self.onto[lane];
            let last = rest[lane].wrapping_sub(1);
            end[lane] = last.min(last.wrapping_add(ring[lane]));
            let place = first[lane].wrapping_add(if R::AT_LAST { end[lane] } else { rest[lane] });
            let place = place.min(place.wrapping_sub(ring[lane]));
            let left_out = if R::HOLDS { self.own_first[lane] & 2 & mask(place > 6) } else { 0 };
            sown.at[lane] = place.wrapping_add(left_out);
        }
        for pit in 0..R::GEOMETRY.pits() {
            let row = &mut self.own.0[pit];
            let beyond = if R::HOLDS { 2 & mask(pit > 8) } else { 0 };
            let held = mask(R::HOLDS && (pit == 7 || pit == 8));
            for lane in 0..WIDTH {
                let left_out = self.own_first[lane] & beyond;
                let out = self.own_first[lane] & held;
                let distance = (pit as u8).wrapping_sub(left_out).wrapping_sub(first[lane]);
                let distance = distance.min(distance.wrapping_add(ring[lane]));
                let before = row[lane];
                let kept = before & mask(distance != lifted[lane]);
                let more = rest[lane].saturating_sub(distance).min(1);
                let now = kept.wrapping_add(rounds[lane]).wrapping_add(more);
                row[lane] = now & !out | before & out;
                if !R::AT_LAST {
                    sown.next[lane] |= now & mask(distance == rest[lane]);
                }
                if !R::CAPTURES_STAY {
                    sown.last[lane] |= now & mask(distance == end[lane]) & !out;
                }
            }
        }
        sown
    }

    /// Captures in the columns of the pits `at` where `may` allows it. What is
    /// not to stay on the board is returned.
    #[inline(always)]
    pub fn capture_at<R: Lockstep>(&mut self, at: &Row, may: &Row) -> Row {
        self.capture::<R>(at, may).taken
    }

    #[inline(always)]
    fn capture<R: Lockstep>(&mut self, at: &Row, may: &Row) -> Captured {
        let mut captured = Captured {
            taken: [0; WIDTH],
            own_outer: [0; WIDTH],
            enemy_inner: [0; WIDTH],
            enemy_outer: [0; WIDTH],
        };
        for inner in R::GEOMETRY.columns..R::GEOMETRY.pits() {
            let facing = R::GEOMETRY.facing(inner);
            let far = R::GEOMETRY.far(inner);
            let behind = R::GEOMETRY.behind(inner);
            // Isolo's last column, both pits, is out of play in the enemy's
            // initial phase.
            let held = mask(R::HOLDS && far == 7);
            for lane in 0..WIDTH {
                let (near, outer) = (self.enemy.0[facing][lane], self.enemy.0[far][lane]);
                let held = self.enemy_first[lane] & held;
                let seen = if R::AT_LAST { near | outer } else { near };
                let takes = mask(at[lane] == inner as u8) & may[lane] & mask(seen != 0) & !held;
                let taken = near.wrapping_add(outer) & takes;
                if !R::CAPTURES_STAY {
                    captured.enemy_inner[lane] |= near;
                    captured.enemy_outer[lane] |= outer;
                }
                let (near, outer) = (near & !takes, outer & !takes);
                self.enemy.0[facing][lane] = near;
                self.enemy.0[far][lane] = outer;
                if R::CAPTURES_STAY {
                    captured.enemy_outer[lane] |= outer;
                    let own = self.own.0[behind][lane].wrapping_add(taken);
                    self.own.0[behind][lane] = own;
                    captured.own_outer[lane] |= own;
                } else {
                    captured.taken[lane] |= taken;
                }
            }
        }
        captured
    }

    #[inline(always)]
    fn ended<R: Lockstep>(&self, sown: &Sown, captured: &Captured, guard: &Row) -> Ended {
        let none = [0; WIDTH];
        let mut ended = Ended { done: none, win: none, loss: none, draw: none };
        for lane in 0..WIDTH {
            let live = self.live[lane];
            let no_inner = mask(captured.enemy_inner[lane] == 0);
            let no_outer = mask(captured.enemy_outer[lane] == 0);
            let (end, win, loss);
            if R::CAPTURES_STAY {
                end = mask(sown.next[lane] == 0);
                win = no_outer;
                loss = mask(captured.own_outer[lane] == 0) & !no_outer;
            } else {
                let fell_alone = mask(sown.last[lane] == 1);
                let no_next = mask(sown.next[lane] == 0);
                let stop = if R::AT_LAST { 0 } else { no_next };
                end = stop | if R::ALONE_ENDS { fell_alone } else { 0 };
                let none = no_inner & no_outer;
                // This packet was of the enemy's last seeds.
                let decided = self.onto[lane] & if R::AT_LAST { none } else { no_inner };
                win = decided | none & end;
                loss = 0;
            }
            let draw = guard[lane] & !(end | win | loss);
            ended.done[lane] = live & (end | win | loss | draw);
            ended.win[lane] = live & win;
            ended.loss[lane] = live & loss;
            ended.draw[lane] = live & draw;
        }
        ended
    }
}
