//! Figures of cases that are not all known, but between bounds.

use serde::Serialize;

use crate::stats::Estimate;
use crate::stats::binomial::clopper_pearson;
use crate::stats::sample::Sample;

/// A figure of a sample between two bounds, which are one where every case is known, with limits that hold the true
/// figure in 95 of 100 samples wherever the open cases lie: the lower limit is that of the lower bound, the upper that
/// of the upper.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounded {
    /// The figure with every open case at its least.
    pub least: f64,
    /// With every open case at its most.
    pub most: f64,
    /// Lower limit.
    pub low: f64,
    /// Upper limit.
    pub high: f64,
}

impl Bounded {
    /// The mean of numbers that lie between bounds each, all within `range`.
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

    /// The share of `n` cases that are some way, of which `open` more than `sure` may be. Without
    /// cases it may be any.
    pub fn rate(sure: u64, open: u64, n: u64) -> Bounded {
        let may = sure.saturating_add(open).min(n);
        let of = |cases: u64| cases as f64 / n.max(1) as f64;
        let most = if n == 0 { 1.0 } else { of(may) };
        Bounded { least: of(sure), most, low: clopper_pearson(sure, n).0, high: clopper_pearson(may, n).1 }
    }

    /// What follows from the figure by a line, rising or falling.
    pub fn map(self, line: impl Fn(f64) -> f64) -> Bounded {
        let [least, most, low, high] = [self.least, self.most, self.low, self.high].map(line);
        Bounded { least: least.min(most), most: least.max(most), low: low.min(high), high: low.max(high) }
    }

    /// Whether the figure of the sample is known.
    pub fn is_known(&self) -> bool {
        self.least == self.most
    }

    /// The limits about the lower bound.
    pub fn about_least(&self) -> Estimate {
        Estimate { value: self.least, low: self.low, high: self.high }
    }

    /// The limits about the upper bound.
    pub fn about_most(&self) -> Estimate {
        Estimate { value: self.most, low: self.low, high: self.high }
    }
}
