//! The rating as a function of the strength.

/// Over so much strength on either side measurements are averaged: the width
/// of a normal window.
const WINDOW: f64 = 0.05;
/// The places between 0 and 1 at which the curve is known.
const PLACES: usize = 400;

/// A measured rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The number of the strength.
    pub strength: f64,
    /// Its rating.
    pub rating: f64,
    /// What the measurement counts: the inverse of its variance.
    pub weight: f64,
}

/// A curve through measured ratings that never falls.
#[derive(Clone, Debug)]
pub struct Curve {
    ratings: Vec<f64>,
}

impl Curve {
    /// The curve that begins at strength 0 with a known rating and follows
    /// these points: a straight line at every place, fitted by least squares
    /// to the points around, and evened where that falls.
    pub fn through(start: f64, points: &[Point]) -> Self {
        let place = |index: usize| index as f64 / PLACES as f64;
        let smooth: Vec<f64> = (0..=PLACES).map(|index| line_at(place(index), points)).collect();
        // What is known of the beginning counts more, the nearer it is.
        let gap = start - smooth[0];
        let tied = smooth.iter().enumerate().map(|(index, rating)| {
            rating + gap * libm::exp(-0.5 * (place(index) / WINDOW).powi(2))
        });
        Self { ratings: never_falling(tied.collect()) }
    }

    /// The rating of a strength.
    pub fn rating(&self, strength: f64) -> f64 {
        let at = strength.clamp(0.0, 1.0) * PLACES as f64;
        let below = (at as usize).min(PLACES - 1);
        let part = at - below as f64;
        self.ratings[below] * (1.0 - part) + self.ratings[below + 1] * part
    }

    /// The least strength of a rating; `None` if the curve does not reach it.
    pub fn strength(&self, rating: f64) -> Option<f64> {
        let above = self.ratings.iter().position(|&known| known >= rating)?;
        let Some(below) = above.checked_sub(1) else { return Some(0.0) };
        let (low, high) = (self.ratings[below], self.ratings[above]);
        Some((below as f64 + (rating - low) / (high - low)) / PLACES as f64)
    }
}

/// The value at `place` of the line that fits the points around it best.
fn line_at(place: f64, points: &[Point]) -> f64 {
    let mut sums = [0.0; 5];
    for point in points {
        let x = point.strength - place;
        let weight = point.weight * libm::exp(-0.5 * (x / WINDOW).powi(2)).max(1e-9);
        let terms = [1.0, x, x * x, point.rating, x * point.rating];
        sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += weight * term);
    }
    let [w, wx, wxx, wy, wxy] = sums;
    let determinant = w * wxx - wx * wx;
    // Points that all lie in one place have no slope.
    if determinant > 1e-12 * w * w { (wxx * wy - wx * wxy) / determinant } else { wy / w }
}

/// The nearest values that never fall, by least squares: neighbours that do
/// are pooled.
fn never_falling(values: Vec<f64>) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for value in values {
        let mut block = (value, 1);
        while let Some(&(mean, count)) = blocks.last().filter(|before| before.0 > block.0) {
            let together = count + block.1;
            let sum = mean * count as f64 + block.0 * block.1 as f64;
            block = (sum / together as f64, together);
            blocks.pop();
        }
        blocks.push(block);
    }
    blocks.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(rating: impl Fn(f64) -> f64) -> Vec<Point> {
        let point = |n: u32| {
            let strength = f64::from(n) / 20.0;
            Point { strength, rating: rating(strength), weight: 1.0 }
        };
        (0..=20).map(point).collect()
    }

    #[test]
    fn a_line_stays_one_and_is_inverted() {
        let curve = Curve::through(400.0, &points(|x| 400.0 + 2000.0 * x));
        for rating in [400.0, 500.0, 1234.0, 2399.0] {
            let strength = curve.strength(rating).unwrap();
            assert!((strength - (rating - 400.0) / 2000.0).abs() < 1e-6, "{rating}: {strength}");
            assert!((curve.rating(strength) - rating).abs() < 1e-6);
        }
        assert_eq!(curve.strength(2500.0), None);
        assert_eq!(curve.strength(100.0), Some(0.0));
    }

    #[test]
    fn noise_is_evened_and_the_beginning_is_kept() {
        let noisy = |x: f64| {
            400.0 + 2000.0 * x + if ((x * 20.0) as u32).is_multiple_of(2) { 60.0 } else { -60.0 }
        };
        let curve = Curve::through(400.0, &points(noisy));
        assert!((curve.rating(0.0) - 400.0).abs() < 1e-6);
        let rises = (0..100)
            .all(|n| curve.rating(f64::from(n) / 100.0) <= curve.rating(f64::from(n + 1) / 100.0));
        assert!(rises);
        assert!((curve.rating(0.5) - 1400.0).abs() < 40.0);
    }

    #[test]
    fn what_falls_is_pooled() {
        assert_eq!(never_falling(vec![1.0, 3.0, 2.0, 4.0]), [1.0, 2.5, 2.5, 4.0]);
        assert_eq!(never_falling(vec![3.0, 2.0, 1.0]), [2.0; 3]);
    }
}
