//! Estimate of the difference after a test has stopped.

use statrs::distribution::{ContinuousCDF, Normal};

use super::SequentialTest;
use super::walk::{Bounds, Walks};
use crate::stats::{Estimate, TAIL};

/// A test that has stopped, with a verdict or because there were no more games.
///
/// Stopping when results look good overstates the difference. [`StoppedTest::estimate`] is median-unbiased: too high
/// as often as too low. It is the difference at which half of all runs of the same test would end with at least the
/// observed mean; its limits are those at which 2.5% and 97.5% would. Runs are ordered by their means (Emerson and
/// Fleming, Biometrika 77, 1990, 875-892), and their probabilities are computed look by look, by numerical
/// integration (Armitage, McPherson and Rowe, Journal of the Royal Statistical Society A 132, 1969, 235-244).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoppedTest {
    /// The test.
    pub test: SequentialTest,
    /// Number of games between looks.
    pub block: u64,
    /// Number of games after which it would have stopped without a verdict.
    pub budget: u64,
    /// Number of games played.
    pub games: u64,
    /// Mean difference over these games.
    pub mean: f64,
    /// Variance of the difference of one game.
    pub variance: f64,
}

/// Rounds of the search for an estimate.
const ROUNDS: usize = 60;

impl StoppedTest {
    /// Returns the median-unbiased estimate of the difference and its 95% limits, as described above.
    pub fn estimate(&self) -> Estimate {
        let step = (self.block as f64 * self.variance).sqrt();
        // Without any variance there is nothing to correct.
        if self.games == 0 || step <= 0.0 {
            return Estimate { value: self.mean, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        // In standard deviations of a step.
        let unit = step / self.block as f64;
        let slope = self.test.difference / unit;
        let bounds = Bounds {
            slope: slope / 2.0,
            found: self.test.upper() / slope,
            ruled_out: -self.test.lower() / slope,
            last: self.budget as f64 / self.block as f64,
        };
        let mean = self.mean / unit;
        let walks = Walks::new(bounds, mean);
        let spread = (self.block as f64 / self.games as f64).sqrt();
        let at = |share: f64| unit * search(mean, spread, share, |drift| walks.mean_at_least(mean, drift));
        Estimate { value: at(0.5), low: at(TAIL), high: at(1.0 - TAIL) }
    }
}

/// Returns the drift at which the probability is `share`; it rises with the drift, approximately as a normal
/// distribution with this spread, so that its quantiles are nearly linear.
fn search(mean: f64, spread: f64, share: f64, probability: impl Fn(f64) -> f64) -> f64 {
    // Mean 0 and standard deviation 1 are valid, so this never fails.
    let Ok(normal) = Normal::new(0.0, 1.0) else { return mean };
    let quantile = |p: f64| normal.inverse_cdf(p.clamp(1e-15, 1.0 - 1e-15));
    let wanted = quantile(share);
    let miss = |drift: f64| quantile(probability(drift)) - wanted;
    // Widens the bracket; at this many standard deviations it always succeeds.
    let (mut low, mut high) = (mean + (wanted - 1.0) * spread, mean + (wanted + 1.0) * spread);
    let (mut below, mut over) = (miss(low), miss(high));
    for _ in 0..ROUNDS {
        let reach = high - low;
        match (below > 0.0, over < 0.0) {
            (true, _) => (high, over, low) = (low, below, low - reach),
            (_, true) => (low, below, high) = (high, over, high + reach),
            _ => break,
        }
        if below > 0.0 { below = miss(low) } else { over = miss(high) }
    }
    // False position, halving the weight of a retained end (the Illinois rule).
    for _ in 0..ROUNDS {
        if high - low < 1e-6 * spread || below == 0.0 || over == 0.0 {
            break;
        }
        let drift = (low * over - high * below) / (over - below);
        let found = miss(drift);
        if found < 0.0 {
            (low, below, over) = (drift, found, over / 2.0);
        } else {
            (high, over, below) = (drift, found, below / 2.0);
        }
        if found.abs() < 1e-7 {
            return drift;
        }
    }
    match (below == 0.0, over == 0.0) {
        (true, _) => low,
        (_, true) => high,
        _ => (low + high) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stopped(games: u64, budget: u64, mean: f64) -> StoppedTest {
        let test = SequentialTest { difference: 0.5, alpha: 0.05, beta: 0.05, reach: 52 };
        StoppedTest { test, block: 1000, budget, games, mean, variance: 100.0 }
    }

    /// With one look only there is nothing to correct.
    #[test]
    fn one_look_gives_the_plain_interval() {
        for (games, mean) in [(1000, 0.2), (1000, 3.0), (300, -1.0)] {
            let estimate = stopped(games, games, mean).estimate();
            let half = 1.959_963_985 * (100.0 / games as f64).sqrt();
            for (got, want) in
                [(estimate.value, mean), (estimate.low, mean - half), (estimate.high, mean + half)]
            {
                assert!((got - want).abs() < 1e-4, "{games} {mean}: {got} {want}");
            }
        }
    }

    /// Early stopping overstates the difference, so the estimate lies nearer to 0. Expected values are from the
    /// quadrature that `walk` is checked with, inverted by scipy's `brentq`.
    #[test]
    fn early_findings_are_drawn_in() {
        let estimate = stopped(3000, 1_000_000, 0.75).estimate();
        for (got, want) in
            [(estimate.value, 0.724_122_5), (estimate.low, 0.274_556_6), (estimate.high, 1.166_735_5)]
        {
            assert!((got - want).abs() < 1e-4, "{got} {want}");
        }
        let turned = stopped(3000, 1_000_000, -0.75).estimate();
        assert!((turned.value + estimate.value).abs() < 1e-4 && (turned.low + estimate.high).abs() < 1e-4);
    }

    /// If the bounds are out of reach, nothing is corrected, for any number of looks.
    #[test]
    fn bounds_out_of_reach_correct_nothing() {
        let test = SequentialTest { difference: 1e-4, alpha: 0.05, beta: 0.05, reach: 52 };
        let estimate = StoppedTest { test, ..stopped(50_000, 50_000, -0.08) }.estimate();
        let half = 1.959_963_985 * (100.0f64 / 50_000.0).sqrt();
        for (got, want) in
            [(estimate.value, -0.08), (estimate.low, -0.08 - half), (estimate.high, -0.08 + half)]
        {
            assert!((got - want).abs() < 1e-4, "{got} {want}");
        }
    }

    /// Far from every bound, a run is as good as one with a fixed number of games.
    #[test]
    fn great_differences_need_no_correction() {
        let estimate = stopped(1000, 1_000_000, 20.0).estimate();
        assert!((estimate.value - 20.0).abs() < 0.01, "{estimate:?}");
        // For any budget.
        for budget in [10_000, 1_000_000, 100_000_000] {
            let estimate = stopped(1000, budget, 20.0).estimate();
            let half = 1.959_963_985 * (100.0f64 / 1000.0).sqrt();
            let near = |got: f64, want: f64| (got - want).abs() < 0.01 * half;
            let both = near(estimate.high, 20.0 + half) && near(estimate.low, 20.0 - half);
            assert!(both, "{budget}: {estimate:?}");
        }
        let none = StoppedTest { variance: 0.0, ..stopped(1000, 2000, 0.0) }.estimate();
        assert_eq!((none.value, none.low), (0.0, f64::NEG_INFINITY));
    }
}
