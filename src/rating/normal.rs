//! The standard normal distribution.

/// The 97.5% quantile of the standard normal distribution: the half-width, in
/// standard deviations, of a central 95% interval.
pub(super) const Z95: f64 = 1.959_963_984_540_054;

/// Φ(z), the probability that a standard normal variable is at most `z`.
pub(super) fn cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert_eq!(cdf(0.0), 0.5);
        assert!((cdf(Z95) - 0.975).abs() < 1e-15);
        assert!((cdf(-1.0) - 0.158_655_253_931_457_05).abs() < 1e-15);
        assert_eq!((cdf(f64::NEG_INFINITY), cdf(f64::INFINITY)), (0.0, 1.0));
    }
}
