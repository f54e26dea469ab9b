//! Means of numbers without a known bound, such as the points of a match.

use serde::Serialize;

use crate::stats::Estimate;
use crate::stats::interval::{Moments, student};

/// Power sums of whole numbers: merging is exact, in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Powers {
    n: u64,
    sum: u128,
    squares: u128,
    cubes: u128,
}

impl Powers {
    pub fn add(&mut self, number: u128) {
        self.merge(&Powers { n: 1, sum: number, squares: number.pow(2), cubes: number.saturating_pow(3) });
    }

    pub fn merge(&mut self, other: &Powers) {
        self.n += other.n;
        self.sum += other.sum;
        self.squares += other.squares;
        self.cubes = self.cubes.saturating_add(other.cubes);
    }

    /// Returns the mean of these numbers, each divided by `unit`.
    pub fn mean(&self, unit: f64) -> Mean {
        let moments = Moments::of_sums(self.n, self.sum, self.squares);
        let (n, mean) = (self.n.max(1) as f64, moments.mean);
        let cubes = self.cubes as f64 / n - 3.0 * mean * (self.squares as f64 / n) + 2.0 * mean.powi(3);
        let of = Moments { mean: mean / unit, sd: moments.sd / unit, ..moments };
        let mean = Mean::of(of, cubes / unit.powi(3));
        Mean { low: mean.low.map(|low| low.max(0.0)), ..mean }
    }
}

/// A mean with its 95% interval. Fewer than two values, or values that are all the same, say nothing about the
/// spread, so there are no limits.
///
/// The limits are the outer ones of Student's and Hall's (1992), who removes the skewness by a cubic: for small
/// samples with a long tail to one side, Student's interval misses the mean on that side too often.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The mean itself.
    pub value: f64,
    /// Lower limit.
    pub low: Option<f64>,
    /// Upper limit.
    pub high: Option<f64>,
}

impl Mean {
    /// Converts to an estimate, with infinite limits if there are none.
    pub fn estimate(self) -> Estimate {
        let Mean { value, low, high } = self;
        Estimate { value, low: low.unwrap_or(f64::NEG_INFINITY), high: high.unwrap_or(f64::INFINITY) }
    }

    /// Computes the mean of numbers with their frequencies.
    pub(super) fn of_counts(numbers: impl Iterator<Item = (f64, i64)> + Clone) -> Mean {
        let moments = Moments::of(numbers.clone());
        let cubes: f64 = numbers.map(|(x, times)| (x - moments.mean).powi(3) * times as f64).sum();
        Mean::of(moments, cubes / moments.n.max(1) as f64)
    }

    /// Computes the mean from the moments and the third central moment.
    fn of(moments: Moments, cubes: f64) -> Mean {
        let Moments { n, mean, sd } = moments;
        if n < 2 || sd <= 0.0 {
            return Mean { value: mean, low: None, high: None };
        }
        let error = sd / (n as f64).sqrt();
        let half = student((n - 1) as f64);
        let [down, up] = [half, -half].map(|t| untwisted(t, cubes / sd.powi(3), n as f64));
        Mean {
            value: mean,
            low: Some(mean - error * down.max(half)),
            high: Some(mean - error * up.min(-half)),
        }
    }
}

/// Inverts Hall's cubic: returns the studentized mean of n numbers of this skewness that is as improbable as the
/// normal one.
fn untwisted(t: f64, skewness: f64, n: f64) -> f64 {
    if skewness.abs() < 1e-6 {
        return t;
    }
    let root = n.sqrt();
    3.0 * root / skewness * ((1.0 + skewness / root * (t - skewness / (6.0 * root))).cbrt() - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetric_numbers_have_limits_of_student() {
        let mean = Mean::of_counts([(2.0, 5), (4.0, 10), (6.0, 5)].into_iter());
        let half = student(19.0) * (40.0f64 / 19.0).sqrt() / 20f64.sqrt();
        assert!((mean.value - 4.0).abs() < 1e-12 && (mean.high.unwrap() - 4.0 - half).abs() < 1e-12);
        assert!((mean.low.unwrap() - 4.0 + half).abs() < 1e-12);
    }

    /// The cubic that the limits undo: g(t) = t + a t^2 / 3 + a^2 t^3 / 27 + a / 6, with a the skewness over the root
    /// of n.
    #[test]
    fn a_long_tail_widens_the_interval_on_its_side() {
        let counts = [(0.0, 15), (1.0, 3), (10.0, 2)];
        let mean = Mean::of_counts(counts.into_iter());
        let moments = Moments::of(counts.into_iter());
        let half = student(19.0) * moments.sd / 20f64.sqrt();
        assert_eq!(mean.low, Some(moments.mean - half));
        assert!(mean.high.unwrap() > moments.mean + half);
        let (skewness, n) = (0.8, 20.0f64);
        for t in [-2.0, 0.5, 2.0] {
            let g = |t: f64| {
                let a = skewness / n.sqrt();
                t + a * t * t / 3.0 + a * a * t.powi(3) / 27.0 + a / 6.0
            };
            assert!((g(untwisted(t, skewness, n)) - t).abs() < 1e-12);
        }
    }

    #[test]
    fn sums_and_counts_agree() {
        let mut powers = Powers::default();
        [3, 3, 5, 40].into_iter().for_each(|number| powers.add(number));
        let counts = Mean::of_counts([(3.0, 2), (5.0, 1), (40.0, 1)].into_iter());
        let sums = powers.mean(1.0);
        assert!((sums.high.unwrap() - counts.high.unwrap()).abs() < 1e-9, "{sums:?} {counts:?}");
        assert_eq!(sums.low, Some(counts.low.unwrap().max(0.0)));
    }
}
