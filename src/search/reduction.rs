//! How much shallower late moves are searched.

use super::params::Params;
use crate::rules::MAX_TURNS;

/// Depths that have reductions of their own, in plies.
const DEPTHS: usize = 64;

/// The reductions of all depths and move numbers, in hundredths of a ply.
pub struct Reductions([[i16; MAX_TURNS + 1]; DEPTHS]);

impl Reductions {
    /// The table: `base + factor * ln(depth) * ln(number)`.
    pub fn new(params: &Params) -> Self {
        let mut table = [[0; MAX_TURNS + 1]; DEPTHS];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, plies) in row.iter_mut().enumerate().skip(1) {
                let product = libm::log(depth as f64) * libm::log(number as f64);
                let hundredths =
                    f64::from(params.reduction_base) + f64::from(params.reduction_factor) * product;
                *plies = hundredths as i16;
            }
        }
        Self(table)
    }

    /// By how much less the move with this number, 1 for the first, is
    /// searched, in hundredths of a ply.
    #[inline(always)]
    pub fn at(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[(depth as usize).min(DEPTHS - 1)][number.min(MAX_TURNS)])
    }
}
