//! How fast something may be asked for.

use std::time::Instant;

/// A bucket of permissions that fills up by itself.
#[derive(Debug)]
pub struct Bucket {
    a_second: f64,
    at_once: f64,
    left: f64,
    filled: Instant,
}

impl Bucket {
    /// A full bucket.
    pub fn new(a_second: f64, at_once: f64) -> Self {
        Self { a_second, at_once, left: at_once, filled: Instant::now() }
    }

    /// Takes a permission, if there is one.
    pub fn take(&mut self, now: Instant) -> bool {
        let waited = now.saturating_duration_since(self.filled).as_secs_f64();
        self.filled = now;
        self.left = (self.left + waited * self.a_second).min(self.at_once);
        let any = self.left >= 1.0;
        if any {
            self.left -= 1.0;
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_burst_and_then_a_rate() {
        let mut bucket = Bucket::new(2.0, 3.0);
        let now = Instant::now();
        assert_eq!([(); 4].map(|()| bucket.take(now)), [true, true, true, false]);
        let later = now + Duration::from_secs(1);
        assert_eq!([(); 3].map(|()| bucket.take(later)), [true, true, false]);
        let much_later = later + Duration::from_secs(60);
        assert_eq!((0..9).filter(|_| bucket.take(much_later)).count(), 3);
    }
}
