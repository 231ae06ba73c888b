//! Certificates: what shows that a side wins, or that it cannot force a win,
//! without trust in the search that found it.

use std::collections::HashMap;

use thiserror::Error;

use super::budget::Budget;
use super::prover::{Answer, Prover};
use crate::board::{Pit, Position, Side};
use crate::rules::{Outcome, Rules, Turn};

/// Why a certificate is none. Only a fault of the program can bring it about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a proof has failed its check at a position with hash {:016x}", .0.hash())]
pub struct Flaw(pub Position);

/// Why a certificate could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The budget was spent.
    Stopped,
    /// It would be too large.
    TooLarge,
    /// The table no longer holds all of it.
    Lost,
    /// It is wrong.
    Flaw(Flaw),
}

/// A position of a [`Proof`].
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The attacker's turn; `None` where the defender moves.
    pit: Option<Pit>,
    /// The turns to the end when the defender resists longest.
    length: u16,
    /// The positions of the proof from here on, written out as a tree.
    tree: u64,
}

/// A strategy that wins: one turn for each position where the attacker moves,
/// an answer to every turn of the defender, and all of it ends.
#[derive(Debug)]
pub struct Proof {
    attacker: Side,
    root: Position,
    steps: HashMap<Position, Step>,
}

impl Proof {
    /// Collects the proof of a win within `length` turns that `prover` has
    /// found, at most `most` positions. What the table has lost is searched
    /// again.
    ///
    /// # Errors
    /// When that fails.
    pub fn collect<R: Rules>(
        prover: &mut Prover<R>,
        root: &Position,
        length: u16,
        most: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Missing> {
        let mut steps: HashMap<Position, Step> = HashMap::new();
        // Every position with the turns within which it has to be won: a
        // child has fewer than its parent, so that nothing goes in circles,
        // whatever has been lost and found again in between.
        let mut tasks = vec![(*root, length)];
        while let Some((position, within)) = tasks.pop() {
            if steps.get(&position).is_some_and(|step| step.length <= within) {
                continue;
            }
            if steps.len() >= most {
                return Err(Missing::TooLarge);
            }
            if budget.look() {
                return Err(Missing::Stopped);
            }
            let length = match prover.decide(&position, budget) {
                Answer::Won(length) if length <= within => length,
                Answer::Open => return Err(Missing::Stopped),
                _ => return Err(Missing::Lost),
            };
            let known = prover.known(&position).ok_or(Missing::Lost)?;
            let attacking = position.side == prover.attacker();
            let pit = known.pit.filter(|_| attacking);
            steps.insert(position, Step { pit, length, tree: 0 });
            let node = R::node(&position);
            for turn in node.legal.filter(|&own| !attacking || Some(own) == pit) {
                let turn = R::play(&node, turn);
                if turn.outcome == Outcome::Ongoing {
                    tasks.push((turn.after, length - 1));
                }
            }
        }
        let mut proof = Self { attacker: prover.attacker(), root: *root, steps };
        proof.measure::<R>().map_err(Missing::Flaw)?;
        Ok(proof)
    }

    /// The turns that the strategy allows in a position, with what they lead
    /// to: the attacker's own, or all of the defender's.
    fn turns<R: Rules>(
        &self,
        position: &Position,
        step: Step,
    ) -> impl Iterator<Item = (Pit, Turn)> + use<R> {
        let attacking = position.side == self.attacker;
        let node = R::node(position);
        let chosen = move |pit: &Pit| !attacking || Some(*pit) == step.pit;
        node.legal.filter(chosen).map(move |pit| (pit, R::play(&node, pit)))
    }

    /// Checks every position of the strategy by the rules alone, and sets its
    /// true length and size.
    fn measure<R: Rules>(&mut self) -> Result<(), Flaw> {
        // A bound on the length decreases from turn to turn: in this order
        // children come before their parents.
        let mut order: Vec<(u16, Position)> =
            self.steps.iter().map(|(position, step)| (step.length, *position)).collect();
        order.sort_unstable_by_key(|&(length, _)| length);
        for (bound, position) in order {
            let step = self.steps[&position];
            let win = if position.side == self.attacker { Outcome::Win } else { Outcome::Loss };
            let (mut length, mut tree, mut turns) = (0, 1u64, 0);
            for (_, turn) in self.turns::<R>(&position, step) {
                turns += 1;
                if turn.outcome == Outcome::Ongoing {
                    let child = self.steps.get(&turn.after).filter(|child| child.tree > 0);
                    let child = child.ok_or(Flaw(position))?;
                    length = length.max(child.length);
                    tree = tree.saturating_add(child.tree);
                } else if turn.outcome != win {
                    return Err(Flaw(position));
                }
            }
            if turns == 0 || length >= bound {
                return Err(Flaw(position));
            }
            self.steps.insert(position, Step { length: length + 1, tree, ..step });
        }
        self.steps.contains_key(&self.root).then_some(()).ok_or(Flaw(self.root))
    }

    /// Walks the whole strategy by the rules: each turn of the attacker is
    /// legal, no turn of the defender is left out, and every line ends in the
    /// attacker's win after fewer turns than the position before it promised.
    ///
    /// # Errors
    /// Where that is not so.
    pub fn verify<R: Rules>(&self) -> Result<(), Flaw> {
        for (position, step) in &self.steps {
            let win = if position.side == self.attacker { Outcome::Win } else { Outcome::Loss };
            let mut turns = 0;
            for (_, turn) in self.turns::<R>(position, *step) {
                turns += 1;
                let holds = match turn.outcome {
                    Outcome::Ongoing => {
                        let child = self.steps.get(&turn.after);
                        child.is_some_and(|child| child.length < step.length)
                    }
                    outcome => outcome == win,
                };
                if !holds {
                    return Err(Flaw(*position));
                }
            }
            if turns == 0 {
                return Err(Flaw(*position));
            }
        }
        self.steps.contains_key(&self.root).then_some(()).ok_or(Flaw(self.root))
    }

    /// The line on which the defender resists longest, to the end of the game.
    pub fn line<R: Rules>(&self) -> Vec<Pit> {
        let mut line = Vec::new();
        let mut position = self.root;
        while let Some(&step) = self.steps.get(&position) {
            let length = |turn: &Turn| match turn.outcome {
                Outcome::Ongoing => self.steps.get(&turn.after).map_or(0, |child| child.length),
                _ => 0,
            };
            let turns = self.turns::<R>(&position, step);
            let Some((pit, turn)) = turns.max_by_key(|(_, turn)| length(turn)) else { break };
            line.push(pit);
            if turn.outcome != Outcome::Ongoing {
                break;
            }
            position = turn.after;
        }
        line
    }

    /// The turns to the end of the game when the defender resists longest.
    pub fn length(&self) -> usize {
        self.steps.get(&self.root).map_or(0, |step| usize::from(step.length))
    }

    /// How many positions it has, each counted once.
    pub fn positions(&self) -> usize {
        self.steps.len()
    }

    /// How many positions it has written out as a tree.
    pub fn tree(&self) -> u64 {
        self.steps.get(&self.root).map_or(0, |step| step.tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Kisolo, Profile};
    use crate::search::{Limits, Signals, Watch};
    use crate::solve::Trap;

    /// A position that North wins at once, by d4 alone.
    const AT_ONCE: &str = "1,0,0,12,1,0,0/6,0,0,0,0,0,0/0,2,1,0,4,1,3/0,4,4,0,3,0,0 N -";
    /// A position that is won by a proof of more than a hundred positions.
    const LONG: &str = "7,0,1,0,4,4,0/0,2,4,0,0,0,0/0,1,1,2,1,4,1/0,4,0,5,1,0,0 N -";

    fn position(text: &str) -> Position {
        Profile::Kisolo.parse_position(text).unwrap()
    }

    /// The proof of a win of the side to move with a table of so many bytes.
    fn proof(text: &str, bytes: usize) -> Result<Proof, Missing> {
        let root = position(text);
        let signals = Signals::default();
        let limits = Limits { nodes: Some(10_000_000), ..Limits::default() };
        let mut budget = Budget::new(Watch::new(&limits, &signals));
        let mut prover = Prover::<Kisolo>::new(root.side, bytes).unwrap();
        let Answer::Won(length) = prover.decide(&root, &mut budget) else { panic!("no win") };
        Proof::collect(&mut prover, &root, length, usize::MAX, &mut budget)
    }

    #[test]
    fn a_proof_with_a_hole_is_none() {
        let mut proof = proof(LONG, 1 << 20).unwrap();
        assert_eq!(proof.verify::<Kisolo>(), Ok(()));
        assert!(proof.positions() > 100);
        let steps: Vec<(Position, Step)> = proof.steps.iter().map(|(p, s)| (*p, *s)).collect();
        for (position, step) in steps {
            proof.steps.remove(&position);
            assert!(proof.verify::<Kisolo>().is_err());
            // A length that does not decrease could hide a circle.
            proof.steps.insert(position, Step { length: 0, ..step });
            let last = step.length == 1;
            assert_eq!(proof.verify::<Kisolo>().is_ok(), last);
            if let Some(pit) = step.pit {
                let other = Pit((pit.0 + 1) % 14);
                proof.steps.insert(position, Step { pit: Some(other), length: 1, ..step });
                let wins = Kisolo::node(&position).legal.contains(other)
                    && Kisolo::play(&Kisolo::node(&position), other).outcome == Outcome::Win;
                assert_eq!(proof.verify::<Kisolo>().is_ok(), wins);
            }
            proof.steps.insert(position, step);
        }
    }

    #[test]
    fn what_a_small_table_has_lost_is_found_again() {
        let slots = 400;
        let proof = proof(LONG, slots * 48).unwrap();
        assert_eq!(proof.verify::<Kisolo>(), Ok(()));
        assert!(proof.positions() > slots, "{}", proof.positions());
    }

    #[test]
    fn the_other_side_of_a_win_is_a_trap() {
        let root = position(AT_ONCE);
        let signals = Signals::default();
        let mut budget = Budget::new(Watch::new(&Limits::default(), &signals));
        let mut prover = Prover::<Kisolo>::new(root.side.other(), 1 << 20).unwrap();
        let trap = Trap::collect(&mut prover, &root, usize::MAX, &mut budget).unwrap().unwrap();
        assert_eq!((trap.verify::<Kisolo>(), trap.positions()), (Ok(()), 1));
        let mut winner = Prover::<Kisolo>::new(root.side, 1 << 20).unwrap();
        let none = Trap::collect(&mut winner, &root, usize::MAX, &mut budget).unwrap();
        assert!(none.is_none());
    }
}
