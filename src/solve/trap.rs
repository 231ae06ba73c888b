//! Certificates that a side cannot force a win.

use std::collections::HashMap;

use super::budget::Budget;
use super::proof::{Flaw, Missing};
use super::prover::{Answer, Prover};
use crate::board::{Pit, Position, Side};
use crate::rules::{Outcome, Rules};

/// How a position of a trap is held.
struct Hold {
    /// By which turn, if the defender moves.
    pit: Option<Pit>,
    /// What else has to be held then.
    next: Vec<Position>,
}

/// A set of positions that the attacker cannot leave for a win: none of its
/// turns wins or leads out of the set, and the defender has in each of its
/// positions a turn that stays in the set or ends the game without a loss.
#[derive(Debug)]
pub struct Trap {
    attacker: Side,
    root: Position,
    /// The defender's turns; `None` where the attacker moves.
    turns: HashMap<Position, Option<Pit>>,
}

impl Trap {
    /// Collects the set for a position that `prover` holds for denied, at
    /// most `most` positions; `Ok(None)` when the attacker wins after all.
    ///
    /// What was denied because of a repetition may turn out to be a win. It
    /// is then forgotten, and what rested on it is decided anew.
    ///
    /// # Errors
    /// When that fails.
    pub fn collect<R: Rules>(
        prover: &mut Prover<R>,
        root: &Position,
        most: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Self>, Missing> {
        loop {
            match prover.decide(root, budget) {
                Answer::Won(_) => return Ok(None),
                Answer::Open => return Err(Missing::Stopped),
                Answer::Denied => {}
            }
            let mut turns = HashMap::from([(*root, None)]);
            let mut tasks = vec![*root];
            let mut closed = true;
            while let Some(position) = tasks.pop() {
                let held = Self::hold(prover, &position, &turns, budget)?;
                let Some(Hold { pit, next }) = held else {
                    prover.forget(&position);
                    closed = false;
                    continue;
                };
                turns.insert(position, pit);
                for child in next {
                    if turns.len() >= most {
                        return Err(Missing::TooLarge);
                    }
                    if turns.insert(child, None).is_none() {
                        tasks.push(child);
                    }
                }
            }
            if closed {
                let attacker = prover.attacker();
                return Ok(Some(Self { attacker, root: *root, turns }));
            }
        }
    }

    /// How a denied position is held; `None` if it is not.
    fn hold<R: Rules>(
        prover: &mut Prover<R>,
        position: &Position,
        inside: &HashMap<Position, Option<Pit>>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Hold>, Missing> {
        if budget.look() {
            return Err(Missing::Stopped);
        }
        let attacking = position.side == prover.attacker();
        let suggested = prover.known(position).and_then(|known| known.pit);
        let node = R::node(position);
        let mut outside = Vec::new();
        // The suggested turn first: the others may not have been looked at.
        let first = node.legal.filter(|&pit| Some(pit) == suggested);
        for pit in first.chain(node.legal.filter(|&pit| Some(pit) != suggested)) {
            let turn = R::play(&node, pit);
            let denied = match turn.outcome {
                Outcome::Ongoing => match prover.decide(&turn.after, budget) {
                    Answer::Denied => true,
                    Answer::Won(_) => false,
                    Answer::Open => return Err(Missing::Stopped),
                },
                Outcome::Draw => true,
                Outcome::Win => !attacking,
                Outcome::Loss => attacking,
            };
            let goes_on = turn.outcome == Outcome::Ongoing && !inside.contains_key(&turn.after);
            if attacking && !denied {
                return Ok(None);
            }
            if denied && goes_on {
                outside.push(turn.after);
            }
            if denied && !attacking {
                return Ok(Some(Hold { pit: Some(pit), next: outside }));
            }
        }
        Ok(attacking.then_some(Hold { pit: None, next: outside }))
    }

    /// Checks the whole set by the rules alone.
    ///
    /// # Errors
    /// Where the attacker can leave it.
    pub fn verify<R: Rules>(&self) -> Result<(), Flaw> {
        for (position, &held) in &self.turns {
            let attacking = position.side == self.attacker;
            let node = R::node(position);
            let stays = |pit| {
                let turn = R::play(&node, pit);
                match turn.outcome {
                    Outcome::Ongoing => self.turns.contains_key(&turn.after),
                    Outcome::Draw => true,
                    Outcome::Win => !attacking,
                    Outcome::Loss => attacking,
                }
            };
            let holds = match held {
                None => attacking && node.legal.into_iter().all(stays),
                Some(pit) => !attacking && node.legal.contains(pit) && stays(pit),
            };
            if !holds {
                return Err(Flaw(*position));
            }
        }
        self.turns.contains_key(&self.root).then_some(()).ok_or(Flaw(self.root))
    }

    /// How many positions it has.
    pub fn positions(&self) -> usize {
        self.turns.len()
    }
}
