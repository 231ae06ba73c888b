//! Games of many players, added up, and who can be compared with whom.

use std::collections::{BTreeMap, HashMap};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use serde::Serialize;

use super::outcome::Outcome;

/// The games of one player who moved first against one who moved second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairing {
    /// Index of the player who moved first.
    pub(super) first: usize,
    /// Index of the player who moved second.
    pub(super) second: usize,
    /// Games won by the first player, drawn, and won by the second.
    pub(super) counts: [u64; 3],
}

/// Games between any number of players, added up by who moved first against
/// whom. This is all that ratings depend on, so a million games become at
/// most as many entries as there are ordered pairs of players.
#[derive(Clone, Debug, Default)]
pub struct Crosstable {
    names: Vec<String>,
    indices: HashMap<String, usize>,
    counts: BTreeMap<(usize, usize), [u64; 3]>,
}

impl Crosstable {
    /// A table without games.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one game.
    pub fn add(&mut self, first: &str, second: &str, outcome: Outcome) {
        self.add_many(first, second, outcome, 1);
    }

    /// Adds a number of games that ended alike.
    pub fn add_many(&mut self, first: &str, second: &str, outcome: Outcome, games: u64) {
        let key = (self.index(first), self.index(second));
        self.counts.entry(key).or_default()[outcome as usize] += games;
    }

    /// The names of the players, in the order of their first games.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.counts.values().flatten().sum()
    }

    /// Games between two players, the given one first: won by the first
    /// player, drawn, won by the second.
    pub fn counts(&self, first: &str, second: &str) -> [u64; 3] {
        let index = |name| self.indices.get(name).copied();
        let key = index(first).zip(index(second));
        key.and_then(|key| self.counts.get(&key)).copied().unwrap_or_default()
    }

    /// All entries, in a fixed order.
    pub(super) fn pairings(&self) -> Vec<Pairing> {
        let entry = |(&(first, second), &counts)| Pairing { first, second, counts };
        self.counts.iter().map(entry).collect()
    }

    fn index(&mut self, name: &str) -> usize {
        if let Some(&index) = self.indices.get(name) {
            return index;
        }
        self.names.push(name.to_owned());
        self.indices.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }

    /// Looks for players whom no games connect.
    pub fn connectivity(&self) -> Connectivity {
        let mut met = DiGraph::<(), (), usize>::default();
        self.names.iter().for_each(|_| _ = met.add_node(()));
        let mut beaten = met.clone();
        for pairing in self.pairings() {
            let (first, second) = (pairing.first.into(), pairing.second.into());
            let [wins, draws, losses] = pairing.counts;
            if wins + draws + losses > 0 {
                met.add_edge(first, second, ());
                met.add_edge(second, first, ());
            }
            if wins + draws > 0 {
                beaten.add_edge(first, second, ());
            }
            if losses + draws > 0 {
                beaten.add_edge(second, first, ());
            }
        }
        Connectivity { pools: self.components(&met), groups: self.components(&beaten) }
    }

    /// The names in each strong component, the largest component first.
    fn components(&self, graph: &DiGraph<(), (), usize>) -> Vec<Vec<String>> {
        let names = |component: Vec<petgraph::graph::NodeIndex<usize>>| {
            let mut names: Vec<_> =
                component.iter().map(|node| self.names[node.index()].clone()).collect();
            names.sort_unstable();
            names
        };
        let mut components: Vec<_> = kosaraju_scc(graph).into_iter().map(names).collect();
        components.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        components
    }
}

/// Who can be compared with whom. Components are listed by size, the largest
/// first, and hold their players' names in alphabetical order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Connectivity {
    /// Players with a path of games between any two of them. Where there is
    /// more than one pool, the games say nothing about players of different
    /// pools.
    pub pools: Vec<Vec<String>>,
    /// Players between any two of whom there is, both ways, a path of points
    /// taken (L. Ford's condition for finite ratings, 1957). Between groups
    /// of one pool every game was won by the same side, so the games bound
    /// the difference of their ratings from one side only.
    pub groups: Vec<Vec<String>>,
}

impl Connectivity {
    /// Whether games connect all players.
    pub fn is_connected(&self) -> bool {
        self.pools.len() <= 1
    }

    /// Whether the games bound all differences from both sides.
    pub fn is_two_sided(&self) -> bool {
        self.groups.len() <= 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_add_up() {
        let mut table = Crosstable::new();
        table.add("a", "b", Outcome::First);
        table.add("b", "a", Outcome::First);
        table.add("a", "b", Outcome::Draw);
        table.add_many("a", "c", Outcome::Second, 7);
        assert_eq!(table.names(), ["a", "b", "c"]);
        assert_eq!(table.games(), 10);
        assert_eq!(table.counts("a", "b"), [1, 1, 0]);
        assert_eq!(table.counts("b", "a"), [1, 0, 0]);
        assert_eq!(table.counts("a", "c"), [0, 0, 7]);
        assert_eq!(table.counts("a", "nobody"), [0, 0, 0]);
    }

    #[test]
    fn pools_and_groups_are_named() {
        let mut table = Crosstable::new();
        assert!(table.connectivity().is_connected());
        for (first, second, outcome) in [
            ("a", "b", Outcome::First),
            ("b", "c", Outcome::Draw),
            ("e", "d", Outcome::First),
            ("d", "e", Outcome::First),
        ] {
            table.add(first, second, outcome);
        }
        table.add_many("c", "d", Outcome::First, 0);
        let connectivity = table.connectivity();
        assert_eq!(connectivity.pools, [vec!["a", "b", "c"], vec!["d", "e"]]);
        assert_eq!(connectivity.groups, [vec!["b", "c"], vec!["d", "e"], vec!["a"]]);
        assert!(!connectivity.is_connected() && !connectivity.is_two_sided());

        table.add("e", "a", Outcome::First);
        table.add("b", "d", Outcome::First);
        let connectivity = table.connectivity();
        assert!(connectivity.is_connected() && connectivity.is_two_sided());
    }
}
