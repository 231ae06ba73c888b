//! How strong the engine plays.

use crate::engine::Limits;

/// The weakest level.
pub const LOWEST: u32 = 400;
/// The strongest level.
pub const HIGHEST: u32 = 2400;
/// The level when nothing is said.
pub const DEFAULT: u32 = 1200;
/// The nodes of the weakest level.
const LEAST_NODES: f64 = 16.0;
/// A level that is so much higher has twice the nodes, which makes a million
/// at the highest. Judged by feel: in matches a doubling is worth about 70 Elo
/// from 64 to 65536 nodes.
const DOUBLING: f64 = 125.0;

/// The limits that make the engine play at a level: the one place that says
/// what a level is.
pub fn limits_of_level(level: u32) -> Limits {
    let doublings = f64::from(level.clamp(LOWEST, HIGHEST) - LOWEST) / DOUBLING;
    let nodes = LEAST_NODES * libm::exp2(doublings);
    Limits { nodes: Some(nodes.round() as u64), ..Limits::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow() {
        let nodes = |level| limits_of_level(level).nodes.unwrap();
        assert_eq!([nodes(LOWEST), nodes(525), nodes(HIGHEST)], [16, 32, 1 << 20]);
        assert!((LOWEST..HIGHEST).all(|level| nodes(level) <= nodes(level + 1)));
    }
}
