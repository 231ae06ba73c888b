//! Any turns of any positions, with the positions after them.

use std::marker::PhantomData;

use super::level::Kernel;
use super::relay::{Ended, Relays};
use super::{CpuLevel, Lockstep};
use crate::board::{Pit, Position, WIDTH, lanes_of};
use crate::rules::{Outcome, Turn};

/// Makes the legal turn that the pit names in each position; the turns are in
/// the order of `todo`, and each is what [`Rules::play`](crate::rules::Rules)
/// returns.
pub fn play_many<R: Lockstep>(level: CpuLevel, todo: &[(Position, Pit)]) -> Vec<Turn> {
    let unmade = |(position, _): &(Position, Pit)| Turn {
        after: *position,
        outcome: Outcome::Ongoing,
        packets: 0,
    };
    let mut made: Vec<Turn> = todo.iter().map(unmade).collect();
    let mut relays = Relays::IDLE;
    let mut queue = todo.iter().enumerate();
    let mut tickets = [0; WIDTH];
    let mut free = u32::MAX;
    loop {
        while free != 0 {
            let Some((ticket, (position, pit))) = queue.next() else { break };
            let lane = free.trailing_zeros() as usize;
            free &= free - 1;
            tickets[lane] = ticket;
            relays.begin::<R>(lane, &R::node(position), *pit);
        }
        if free == u32::MAX {
            return made;
        }
        let ended = level.run(UntilOneEnds::<R>(&mut relays, PhantomData));
        let mut done = lanes_of(&ended.done);
        free |= done;
        while done != 0 {
            let lane = done.trailing_zeros() as usize;
            done &= done - 1;
            let ticket = tickets[lane];
            made[ticket] = Turn {
                after: relays.after::<R>(lane, &todo[ticket].0),
                outcome: ended.outcome(lane),
                packets: relays.packets[lane],
            };
        }
    }
}

/// Packets in all lanes until a turn is over; at least one is under way.
struct UntilOneEnds<'a, R>(&'a mut Relays, PhantomData<R>);

impl<R: Lockstep> Kernel for UntilOneEnds<'_, R> {
    type Output = Ended;

    #[inline(always)]
    fn run(self) -> Ended {
        loop {
            let ended = self.0.packet::<R>();
            if lanes_of(&ended.done) != 0 {
                return ended;
            }
        }
    }
}
