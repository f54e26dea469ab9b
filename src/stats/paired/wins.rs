//! Wins of two players on the same deals, and the interval of the difference between their rates.

use serde::Serialize;

use crate::stats::Estimate;
use crate::stats::interval::wilson_at;
use crate::stats::sums::Amount;

/// Deals by who won them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PairedWins {
    /// Won by the first alone.
    pub a_only: u64,
    /// Won by the second alone.
    pub b_only: u64,
    /// Won by both.
    pub both: u64,
    /// Won by neither.
    pub neither: u64,
}

impl PairedWins {
    /// Counts a deal.
    pub fn add(&mut self, a: bool, b: bool) {
        match (a, b) {
            (true, false) => self.a_only += 1,
            (false, true) => self.b_only += 1,
            (true, true) => self.both += 1,
            (false, false) => self.neither += 1,
        }
    }

    /// Deals.
    pub fn games(&self) -> u64 {
        self.a_only + self.b_only + self.both + self.neither
    }

    /// The first's rate of wins less the second's, with the limits of Newcombe's method 10 for paired rates
    /// (Statistics in Medicine 17, 1998, 2635-2650), which squares and adds the two Wilson intervals and
    /// allows for the correlation. The interval leaves out the share `tail` at either end.
    pub fn difference(&self, tail: f64) -> Estimate {
        let n = self.games();
        if n == 0 {
            return Estimate { value: 0.0, low: -1.0, high: 1.0 };
        }
        let [a, b, both, neither] = [self.a_only, self.b_only, self.both, self.neither].map(|n| n as f64);
        let games = n as f64;
        let rates = [self.both + self.a_only, self.both + self.b_only].map(|wins| {
            let (low, high) = wilson_at(tail, wins, n);
            let rate = wins as f64 / games;
            (rate, rate - low, high - rate)
        });
        let [(rate_a, down_a, up_a), (rate_b, down_b, up_b)] = rates;
        let cross = both * neither - a * b;
        // The correction for continuity is Newcombe's: a positive correlation is believed in part only.
        let cross = if cross > 0.0 { (cross - games / 2.0).max(0.0) } else { cross };
        let margins = (both + a) * (b + neither) * (both + b) * (a + neither);
        let phi = if margins > 0.0 { cross / margins.sqrt() } else { 0.0 };
        let reach = |x: f64, y: f64| (x * x - 2.0 * phi * x * y + y * y).max(0.0).sqrt();
        let value = rate_a - rate_b;
        Estimate {
            value,
            low: (value - reach(down_a, up_b)).max(-1.0),
            high: (value + reach(up_a, down_b)).min(1.0),
        }
    }
}

/// Deals by who won them, as the games stood, and with the undecided among them counted against the first,
/// and for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OpenWins {
    pub stood: PairedWins,
    worst: PairedWins,
    best: PairedWins,
}

impl OpenWins {
    pub fn add(&mut self, a: Amount, b: Amount) {
        self.stood.add(a.stood > 0, b.stood > 0);
        self.worst.add(a.worst > 0, b.best > 0);
        self.best.add(a.best > 0, b.worst > 0);
    }

    /// The outer limits of the three.
    pub fn difference(&self, tail: f64) -> Estimate {
        let [seen, worst, best] = [self.stood, self.worst, self.best].map(|wins| wins.difference(tail));
        Estimate { value: seen.value, low: seen.low.min(worst.low), high: seen.high.max(best.high) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    /// 1, 1, 7 and 12 is the example of Fagerland, Lydersen and Laake, Statistics in Medicine 33 (2014), who
    /// print -0.507 to -0.026; 14, 5, 0 and 22 that of Altman and others, Statistics with Confidence (2000), table
    /// 6.2. All digits are from Newcombe's formulas over scipy 1.17.1's `proportion_ci(method="wilson")`.
    #[test]
    fn paired_rates_agree_with_published_values() {
        for ([both, a_only, b_only, neither], tail, low, high) in [
            ([1, 1, 7, 12], 0.025, -0.506920226686141, -0.025559124164859837),
            ([14, 5, 0, 22], 0.025, 0.01148324138303325, 0.22649268435121125),
            ([59, 6, 16, 80], 0.025, -0.11862119563870996, -0.004625113933050054),
            ([0, 3, 1, 96], 0.025, -0.02898935384276683, 0.07528112218384012),
            ([0, 0, 0, 50], 0.025, -0.07134759913335872, 0.07134759913335872),
            ([300, 500, 200, 9000], 0.05 / 12.0, 0.023113480953355553, 0.037040409485466254),
        ] {
            let wins = PairedWins { a_only, b_only, both, neither };
            let difference = wins.difference(tail);
            close(difference.low, low, 1e-9);
            close(difference.high, high, 1e-9);
            // Who is called the first does not matter.
            let turned = PairedWins { a_only: b_only, b_only: a_only, both, neither }.difference(tail);
            close(turned.low, -high, 1e-9);
            close(turned.high, -low, 1e-9);
        }
        assert_eq!(PairedWins::default().difference(0.025), Estimate { value: 0.0, low: -1.0, high: 1.0 });
    }

    #[test]
    fn undecided_games_count_both_ways() {
        let mut wins = OpenWins::default();
        let [yes, no] = [1, 0].map(Amount::settled);
        let open = Amount { stood: 0, worst: 0, best: 1 };
        for (a, b, times) in [(yes, no, 10), (no, yes, 5), (yes, yes, 3), (no, no, 80), (open, no, 2)] {
            (0..times).for_each(|_| wins.add(a, b));
        }
        let difference = wins.difference(0.025);
        close(difference.value, 0.05, 1e-12);
        let best = PairedWins { a_only: 12, b_only: 5, both: 3, neither: 80 };
        assert_eq!(difference.high, best.difference(0.025).high);
        assert_eq!(difference.low, wins.stood.difference(0.025).low);
    }
}
