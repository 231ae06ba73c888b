//! What the engine tells, as lines of the protocol.

use std::fmt::Write;

use crate::board::Position;
use crate::engine::{Best, Bound, Line, OddsScale, Progress, plies_to_end};
use crate::rules::{Move, Profile};

/// Names moves of a line that begins at a position.
pub struct Namer {
    /// The rules.
    pub profile: Profile,
    /// The position before the first move.
    pub root: Position,
    /// Adds chances to scores, by this scale: see [`OddsScale::chances`].
    pub chances: Option<OddsScale>,
}

impl Namer {
    /// The name of a move that is `ply` moves behind the first.
    pub fn name(&self, mv: Move, ply: usize) -> String {
        let mut mover = self.root;
        if ply % 2 == 1 {
            mover = mover.flipped();
        }
        self.profile.move_text(&mover, mv)
    }

    /// The `info` line of a search line.
    pub fn info(&self, line: &Line) -> String {
        let mut text = format!(
            "info depth {} seldepth {} multipv {} score {}",
            line.depth,
            line.selective_depth,
            line.rank,
            score(line.score)
        );
        match line.bound {
            Bound::Exact => {}
            Bound::Lower => text.push_str(" lowerbound"),
            Bound::Upper => text.push_str(" upperbound"),
        }
        if let Some(scale) = self.chances {
            let [won, drawn, lost] = scale.chances(line.score);
            let _ = write!(text, " wdl {won} {drawn} {lost}");
        }
        text.push_str(&counters(&line.progress));
        if !line.moves.is_empty() {
            text.push_str(" pv");
        }
        for (ply, &mv) in line.moves.iter().enumerate() {
            let _ = write!(text, " {}", self.name(mv, ply));
        }
        text
    }

    /// A search line as people read it: depth, score in seeds or own turns to
    /// the end, nodes, time and moves.
    pub fn line_for_people(&self, line: &Line) -> String {
        let score = match plies_to_end(line.score) {
            Some(plies) if line.score > 0 => format!("wins in {}", plies / 2 + 1),
            Some(plies) => format!("loses in {}", plies.div_ceil(2)),
            None => format!("{:+.2}", f64::from(line.score) / 100.0),
        };
        let moves: Vec<String> =
            line.moves.iter().enumerate().map(|(ply, &mv)| self.name(mv, ply)).collect();
        format!(
            "depth {:>3}  line {:>2}  {score:>11}  {:>11} nodes  {:>8.3} s  {}",
            line.depth,
            line.rank,
            line.progress.nodes,
            line.progress.time.as_secs_f64(),
            moves.join(" ")
        )
    }

    /// The `bestmove` line; UGI managers accept no more than two words.
    pub fn best(&self, best: &Best, ugi: bool) -> String {
        let Some(mv) = best.best else { return "bestmove (none)".to_owned() };
        let mut text = format!("bestmove {}", self.name(mv, 0));
        if let (Some(ponder), false) = (best.ponder, ugi) {
            let _ = write!(text, " ponder {}", self.name(ponder, 1));
        }
        text
    }
}

/// The `info` line of a sign of life.
pub fn progress(progress: &Progress) -> String {
    format!("info{}", counters(progress))
}

fn counters(progress: &Progress) -> String {
    let seconds = progress.time.as_secs_f64().max(1e-6);
    format!(
        " nodes {} nps {} hashfull {} time {}",
        progress.nodes,
        (progress.nodes as f64 / seconds) as u64,
        progress.permille_full,
        progress.time.as_millis()
    )
}

/// `cp N`, or `mate N` with N own turns of the side to move: `mate 1` wins
/// with this turn, `mate -1` loses before the next own one.
pub fn score(score: i32) -> String {
    mate(score).map_or_else(|| format!("cp {score}"), |turns| format!("mate {turns}"))
}

/// The own turns to a proven end, negative where the side to move loses; 0
/// where it has lost already.
pub const fn mate(score: i32) -> Option<i32> {
    match plies_to_end(score) {
        Some(plies) if score < 0 => Some(-(plies.div_ceil(2) as i32)),
        Some(plies) if plies > 0 => Some(plies as i32 / 2 + 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::MATE;

    #[test]
    fn mate_counts_own_turns() {
        let words: Vec<String> = [0, 8_400, -10, MATE - 1, MATE - 2, MATE - 3, MATE - 4]
            .iter()
            .map(|&s| score(s))
            .collect();
        assert_eq!(words, ["cp 0", "cp 8400", "cp -10", "mate 1", "mate 2", "mate 2", "mate 3"]);
        let lost: Vec<String> = (0..5).map(|plies| score(plies - MATE)).collect();
        assert_eq!(lost, ["mate 0", "mate -1", "mate -1", "mate -2", "mate -2"]);
    }
}
