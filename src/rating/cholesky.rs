//! Dense symmetric linear algebra, the little that Newton's method needs.
//!
//! The crates that offer it bring a dozen others along for these sixty lines.

/// A symmetric matrix, kept as its lower triangle row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Symmetric {
    size: usize,
    cells: Vec<f64>,
}

/// Where row `i` begins.
const fn start(i: usize) -> usize {
    i * (i + 1) / 2
}

impl Symmetric {
    pub(super) fn zero(size: usize) -> Self {
        Symmetric { size, cells: vec![0.0; start(size)] }
    }

    pub(super) fn at(&self, i: usize, j: usize) -> f64 {
        self.cells[start(i.max(j)) + i.min(j)]
    }

    pub(super) fn at_mut(&mut self, i: usize, j: usize) -> &mut f64 {
        &mut self.cells[start(i.max(j)) + i.min(j)]
    }

    /// Row `i` up to and with the diagonal.
    fn row(&self, i: usize) -> &[f64] {
        &self.cells[start(i)..start(i + 1)]
    }
}

/// The factor `L`, a lower triangle, of a positive definite matrix `L·Lᵀ`.
#[derive(Debug)]
pub(super) struct Cholesky(Symmetric);

impl Cholesky {
    /// Factors a matrix; nothing if it is not positive definite.
    pub(super) fn new(mut matrix: Symmetric) -> Option<Self> {
        for i in 0..matrix.size {
            let (above, rest) = matrix.cells.split_at_mut(start(i));
            let row = &mut rest[..=i];
            for j in 0..i {
                let other = &above[start(j)..start(j + 1)];
                row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
            }
            let pivot = row[i] - dot(&row[..i], &row[..i]);
            // A pivot that is all rounding error is a zero one.
            if pivot.is_nan() || pivot <= row[i] * 1e-13 {
                return None;
            }
            row[i] = pivot.sqrt();
        }
        Some(Cholesky(matrix))
    }

    /// The `x` with `L·Lᵀ·x = right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for i in 0..x.len() {
            let row = self.0.row(i);
            x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
        }
        for i in (0..x.len()).rev() {
            let row = self.0.row(i);
            x[i] /= row[i];
            let (head, tail) = x.split_at_mut(i);
            subtract(head, tail[0], &row[..i]);
        }
        x
    }

    /// The inverse of `L·Lᵀ`.
    pub(super) fn inverse(&self) -> Symmetric {
        let size = self.0.size;
        // The rows of L⁻¹, each from those above it.
        let mut half = Symmetric::zero(size);
        for i in 0..size {
            let (above, rest) = half.cells.split_at_mut(start(i));
            let (row, factors) = (&mut rest[..=i], self.0.row(i));
            for k in 0..i {
                subtract(&mut row[..=k], factors[k], &above[start(k)..start(k + 1)]);
            }
            row[i] = 1.0;
            row.iter_mut().for_each(|x| *x /= factors[i]);
        }
        // Their outer products sum to L⁻ᵀ·L⁻¹.
        let mut inverse = Symmetric::zero(size);
        for k in 0..size {
            let row = half.row(k);
            for i in 0..=k {
                subtract(&mut inverse.cells[start(i)..start(i + 1)], -row[i], &row[..=i]);
            }
        }
        inverse
    }
}

/// The inner product. Eight sums, so that it is computed in vectors.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for k in 0..8 {
            sums[k] += a[k] * b[k];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

/// Takes `factor · row` from `target`.
fn subtract(target: &mut [f64], factor: f64, row: &[f64]) {
    target.iter_mut().zip(row).for_each(|(x, r)| *x -= factor * r);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A positive definite matrix without structure.
    fn example(size: usize) -> Symmetric {
        let mut matrix = Symmetric::zero(size);
        for i in 0..size {
            for j in 0..i {
                *matrix.at_mut(i, j) = ((i * 7 + j * 3) as f64).sin();
            }
            *matrix.at_mut(i, i) = 2.0 * size as f64;
        }
        matrix
    }

    #[test]
    fn inverse_and_solution_undo_the_matrix() {
        for size in [1, 2, 9, 40] {
            let matrix = example(size);
            let factor = Cholesky::new(matrix.clone()).unwrap();
            let inverse = factor.inverse();
            for i in 0..size {
                let column: Vec<f64> = (0..size).map(|j| matrix.at(i, j)).collect();
                let solved = factor.solve(&column);
                for (j, x) in solved.into_iter().enumerate() {
                    let unit = f64::from(u8::from(i == j));
                    let product: f64 = (0..size).map(|k| column[k] * inverse.at(k, j)).sum();
                    assert!((product - unit).abs() < 1e-13);
                    assert!((x - unit).abs() < 1e-13);
                }
            }
        }
    }

    #[test]
    fn singular_matrices_are_refused() {
        let mut matrix = Symmetric::zero(2);
        for (i, j) in [(0, 0), (1, 0), (1, 1)] {
            *matrix.at_mut(i, j) = 0.1;
        }
        assert!(Cholesky::new(matrix).is_none());
    }
}
