//! Wins of two players on the same deals, and the interval of the difference between their rates.

use serde::Serialize;

use crate::stats::Estimate;
use crate::stats::sample::Sample;
use crate::stats::sums::Amount;

/// Deals by winner.
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

    /// Returns the number of deals.
    pub fn games(&self) -> u64 {
        self.a_only + self.b_only + self.both + self.neither
    }

    /// Returns the first's rate of wins minus the second's: the mean of 1 if the first alone won, -1 if the second
    /// alone won, and 0 otherwise. The interval has an error probability of `tail` at either end.
    pub fn difference(&self, tail: f64) -> Estimate {
        if self.games() == 0 {
            return Estimate { value: 0.0, low: -1.0, high: 1.0 };
        }
        let alike = self.both + self.neither;
        let differences = [(-1.0, self.b_only), (0.0, alike), (1.0, self.a_only)];
        Sample::of(differences).estimate_at(tail, -1.0, 1.0)
    }
}

/// Deals by winner: as the games stood, and with undecided games counted against the first, and for it.
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

    /// Returns the outer limits of the three.
    pub fn difference(&self, tail: f64) -> Estimate {
        let [seen, worst, best] = [self.stood, self.worst, self.best].map(|wins| wins.difference(tail));
        Estimate { value: seen.value, low: seen.low.min(worst.low), high: seen.high.max(best.high) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::clopper_pearson;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    /// If one side wins every discordant deal, it is the exact interval of its rate; for many deals it approaches
    /// that of the normal distribution.
    #[test]
    fn the_interval_is_that_of_the_discordant_deals() {
        for (a_only, n) in [(0, 50), (3, 100), (40, 60)] {
            let wins = PairedWins { a_only, b_only: 0, both: n, neither: 0 };
            let high = clopper_pearson(a_only, a_only + n).1;
            close(wins.difference(0.025).high, high, 0.01 * high);
        }
        let wins = PairedWins { a_only: 5000, b_only: 4000, both: 3000, neither: 988_000 };
        let difference = wins.difference(0.025);
        let half = 1.96 * (9000f64 / 1e6 - 1e-6).sqrt() / 1e3;
        close(difference.value, 0.001, 1e-12);
        close(difference.high - difference.low, 2.0 * half, 0.02 * half);
        // The order of the players does not matter.
        let turned = PairedWins { a_only: 4000, b_only: 5000, ..wins }.difference(0.025);
        close(turned.low, -difference.high, 1e-12);
        // Equal results in all deals do not prove equality.
        let alike = PairedWins { neither: 1000, ..PairedWins::default() }.difference(0.025);
        assert!(alike.low < -0.003 && alike.high > 0.003);
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
