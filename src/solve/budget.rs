//! What a search may still spend.

use crate::search::Watch;
use crate::search::params::POLL_NODES;

/// Counts nodes and watches the limits.
pub struct Budget<'a> {
    watch: Watch<'a>,
    nodes: u64,
    /// Nodes at which to pause, for the other attacker's turn.
    pause: u64,
    next_poll: u64,
    stopped: bool,
}

impl<'a> Budget<'a> {
    /// A budget under a watch.
    pub const fn new(watch: Watch<'a>) -> Self {
        Self { watch, nodes: 0, pause: u64::MAX, next_poll: POLL_NODES, stopped: false }
    }

    /// A budget that counts on under another watch.
    pub const fn under<'b>(&self, watch: Watch<'b>) -> Budget<'b> {
        Budget { watch, nodes: self.nodes, pause: u64::MAX, next_poll: self.nodes, stopped: false }
    }

    /// Positions searched so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a position.
    pub fn visit(&mut self) {
        self.nodes += 1;
        self.stopped |= self.watch.out_of_nodes(self.nodes);
        if self.nodes >= self.next_poll {
            self.next_poll = self.nodes + POLL_NODES;
            self.look();
        }
    }

    /// Looks at the clock and the signals; says whether to stop.
    pub fn look(&mut self) -> bool {
        self.stopped |= self.watch.out_of_time();
        self.stopped
    }

    /// Pauses after so many more nodes.
    pub const fn pause_after(&mut self, nodes: u64) {
        self.pause = self.nodes.saturating_add(nodes);
    }

    /// Whether a limit is reached, for good.
    pub const fn stopped(&self) -> bool {
        self.stopped
    }

    /// Whether there is nothing left for now.
    pub const fn spent(&self) -> bool {
        self.stopped || self.nodes >= self.pause
    }
}
