//! Going on with the tree of the move before.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::params::{REUSE_PART, REUSE_SPEED};
use super::tree::{ROOT, Tree, Verdict};
use crate::board::{Pit, Position};
use crate::rules::{Outcome, Profile, Rules};

/// The search that a tree belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    pub profile: Profile,
    /// Whether its values come from the evaluation.
    pub guided: bool,
    pub position: Position,
    /// Hashes of the positions of the game before it.
    pub earlier: Vec<u64>,
}

impl Tree {
    /// Makes the tree one of this root. What is known below it is kept if the
    /// root was at most two turns ahead in the game that the tree was grown
    /// for, and if cutting it down takes next to nothing of `time`.
    pub fn begin<R: Rules>(&mut self, root: Root, time: Option<Duration>) {
        let cost = Duration::from_micros(u64::from(*self.used.get_mut() / REUSE_SPEED));
        let quick = time.is_none_or(|time| cost <= time / REUSE_PART);
        let known = self.find::<R>(&root).filter(|&index| index == ROOT || quick);
        self.root = Some(root);
        match known {
            Some(ROOT) => {}
            Some(index) => self.cut_down(index),
            None => *self.used.get_mut() = 0,
        }
        if *self.used.get_mut() == 0 {
            *self.used.get_mut() = 1;
            self.node(ROOT).begin(Pit(0), Verdict::estimate(0), 1.0);
        }
    }

    /// The node of this root.
    fn find<R: Rules>(&self, root: &Root) -> Option<usize> {
        let old = self.root.as_ref()?;
        let between = root.earlier.strip_prefix(&old.earlier[..])?;
        if (old.profile, old.guided) != (root.profile, root.guided) || between.len() > 2 {
            return None;
        }
        let mut path = between.iter().copied().chain([root.position.hash()]);
        if path.next()? != old.position.hash() {
            return None;
        }
        let (mut index, mut position) = (ROOT, old.position);
        for hash in path {
            (index, position) = self.child::<R>(index, &position, hash)?;
        }
        (position == root.position).then_some(index)
    }

    /// The child whose position has this hash.
    fn child<R: Rules>(
        &self,
        index: usize,
        position: &Position,
        hash: u64,
    ) -> Option<(usize, Position)> {
        let node = R::node(position);
        self.node(index).children()?.find_map(|child| {
            let turn = R::play(&node, self.node(child).pit());
            let same = turn.outcome == Outcome::Ongoing && turn.after.hash() == hash;
            same.then_some((child, turn.after))
        })
    }

    /// Makes `top` the root and keeps what is below it, moved to the front
    /// of the memory in the same order.
    ///
    /// Children lie behind their parents, so one pass is enough: a node that
    /// is moved marks its children as to be kept, and tells the first of them
    /// where it lies now, by a mark of one more than its index.
    fn cut_down(&mut self, top: usize) {
        const KEPT: u32 = u32::MAX;
        let used = *self.used.get_mut() as usize;
        self.node(top).mark.store(KEPT, Relaxed);
        let mut kept = 0;
        for index in top..used {
            let node = self.node(index);
            let mark = node.mark.load(Relaxed);
            if mark == 0 {
                continue;
            }
            let place = kept;
            kept += 1;
            if mark != KEPT {
                self.node(mark as usize - 1).moved(place);
            }
            if let Some(children) = node.children() {
                for child in children.clone() {
                    self.node(child).mark.store(KEPT, Relaxed);
                }
                self.node(children.start).mark.store(place as u32 + 1, Relaxed);
            }
            self.node(place).become_copy_of(node);
        }
        *self.used.get_mut() = kept as u32;
    }
}
