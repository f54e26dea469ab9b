//! Figures of samples in which some cases are known only between bounds.

use serde::Serialize;

use crate::stats::Estimate;
use crate::stats::binomial::clopper_pearson;
use crate::stats::sample::Sample;

/// A figure of a sample between two bounds, equal if every case is known, with limits that hold the true
/// figure in 95% of samples wherever the open cases lie: the lower limit of the lower bound, and the upper limit
/// of the upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounded {
    /// The figure with every open case at its minimum.
    pub least: f64,
    /// The figure with every open case at its maximum.
    pub most: f64,
    /// Lower limit of the lower bound.
    pub low: f64,
    /// Upper limit of the upper bound.
    pub high: f64,
}

impl Bounded {
    /// Computes the mean of numbers that each lie between bounds, all within `range`.
    pub fn mean(bounds: impl Iterator<Item = (f64, f64)> + Clone, range: (f64, f64)) -> Bounded {
        let low = Sample::of(bounds.clone().map(|(low, _)| (low, 1)));
        let high = Sample::of(bounds.map(|(_, high)| (high, 1)));
        if low.n() == 0 {
            return Bounded { least: range.0, most: range.1, low: range.0, high: range.1 };
        }
        Bounded {
            least: low.moments().mean,
            most: high.moments().mean,
            low: low.limits(range.0, range.1).0,
            high: high.limits(range.0, range.1).1,
        }
    }

    /// Computes the share of `n` cases with a property that `sure` cases have and `open` more may have. Without
    /// cases any share is possible.
    pub fn rate(sure: u64, open: u64, n: u64) -> Bounded {
        let may = sure.saturating_add(open).min(n);
        let of = |cases: u64| cases as f64 / n.max(1) as f64;
        let most = if n == 0 { 1.0 } else { of(may) };
        Bounded { least: of(sure), most, low: clopper_pearson(sure, n).0, high: clopper_pearson(may, n).1 }
    }

    /// Maps the figure by a linear function, rising or falling.
    pub fn map(self, line: impl Fn(f64) -> f64) -> Bounded {
        let [least, most, low, high] = [self.least, self.most, self.low, self.high].map(line);
        Bounded { least: least.min(most), most: least.max(most), low: low.min(high), high: low.max(high) }
    }

    /// Returns whether the figure of the sample is known.
    pub fn is_known(&self) -> bool {
        self.least == self.most
    }

    /// Returns the lower bound with its limits.
    pub fn about_least(&self) -> Estimate {
        Estimate { value: self.least, low: self.low, high: self.high }
    }

    /// Returns the upper bound with its limits.
    pub fn about_most(&self) -> Estimate {
        Estimate { value: self.most, low: self.low, high: self.high }
    }
}
