//! Knockouts: stages of ties, whose losers leave.

use super::schedule::{Scheduled, Size};
use crate::board::Side;
use crate::record::RecordedResult;

/// Pairs of games that are added to a drawn tie before the higher seed goes on.
pub const EXTRA_PAIRS: u64 = 4;
/// The most games of a tie of a knockout, without extra ones.
pub const MOST_TIE_GAMES: u64 = TIE_SPAN - 2 * EXTRA_PAIRS;
/// Numbers of games in one tie, and of ties in one stage, of a knockout: the
/// number of a game must not depend on which game ends first.
const TIE_SPAN: u64 = 10_000;
const STAGE_SPAN: u64 = 10_000 * TIE_SPAN;

/// One tie of a knockout.
#[derive(Debug)]
struct Tie {
    /// The higher seed first.
    players: [usize; 2],
    half_points: [u32; 2],
    scheduled: u64,
    finished: u64,
    extra: u64,
    winner: Option<usize>,
}

/// The state of a knockout.
#[derive(Debug)]
pub struct Knockout {
    games: u64,
    stage: u64,
    /// Those still in it, the higher seeds first.
    alive: Vec<usize>,
    ties: Vec<Tie>,
}

impl Knockout {
    /// A knockout of all engines.
    pub fn new(size: Size) -> Self {
        let games = (size.rounds * size.games).max(1);
        Self { games, stage: 0, alive: (0..size.engines).collect(), ties: Vec::new() }
    }

    /// The winner, once there is one.
    pub fn champion(&self) -> Option<usize> {
        match self.alive.as_slice() {
            &[champion] => Some(champion),
            _ => None,
        }
    }

    /// Sets up the ties of a stage: highest against lowest; of an odd number
    /// the highest seed waits.
    pub fn stage_games(&mut self) -> Vec<Scheduled> {
        let byes = self.alive.len() % 2;
        let playing = &self.alive[byes..];
        let count = playing.len() / 2;
        self.ties = (0..count)
            .map(|index| Tie {
                players: [playing[index], playing[playing.len() - 1 - index]],
                half_points: [0; 2],
                scheduled: 0,
                finished: 0,
                extra: 0,
                winner: None,
            })
            .collect();
        (0..count).flat_map(|tie| self.more(tie, self.games)).collect()
    }

    /// Schedules `count` more games of a tie.
    fn more(&mut self, tie: usize, count: u64) -> Vec<Scheduled> {
        let base = self.stage * STAGE_SPAN + tie as u64 * TIE_SPAN;
        let stage = self.stage;
        let tie = &mut self.ties[tie];
        let first = tie.scheduled;
        tie.scheduled += count;
        (first..first + count)
            .map(|index| {
                let [a, b] = tie.players;
                Scheduled {
                    game: base + index + 1,
                    opening: stage * TIE_SPAN + index / 2 + 1,
                    players: if index % 2 == 0 { [a, b] } else { [b, a] },
                }
            })
            .collect()
    }

    /// Books a result; returns the games that follow from it.
    pub fn finished(&mut self, game: Scheduled, result: RecordedResult) -> Vec<Scheduled> {
        let index = ((game.game - 1) % STAGE_SPAN / TIE_SPAN) as usize;
        let tie = &mut self.ties[index];
        for (seat, side) in Side::BOTH.into_iter().enumerate() {
            let player = usize::from(game.players[seat] != tie.players[0]);
            tie.half_points[player] += result.half_points(side);
        }
        tie.finished += 1;
        if tie.finished < tie.scheduled {
            return Vec::new();
        }
        let [a, b] = tie.half_points;
        if a == b && tie.extra < EXTRA_PAIRS {
            tie.extra += 1;
            return self.more(index, 2);
        }
        tie.winner = Some(tie.players[usize::from(b > a)]);
        let winners: Option<Vec<usize>> = self.ties.iter().map(|tie| tie.winner).collect();
        let Some(winners) = winners else { return Vec::new() };
        let byes = self.alive.len() % 2;
        self.alive.truncate(byes);
        self.alive.extend(winners);
        self.alive.sort_unstable();
        self.stage += 1;
        if self.champion().is_some() { Vec::new() } else { self.stage_games() }
    }
}
