//! Exact sums of money, including the possible results of undecided games.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::interval::{Moments, TAIL};
use super::sample::{Sample, outer_at};
use super::{Counts, Estimate};

/// An amount of a possibly undecided game: as it stood, at worst and at best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Amount {
    /// The amount as it stood.
    pub stood: i64,
    /// The least amount still possible.
    pub worst: i64,
    /// The greatest amount still possible.
    pub best: i64,
}

impl Amount {
    /// Creates an amount of a decided game.
    pub fn settled(amount: i64) -> Amount {
        Amount { stood: amount, worst: amount, best: amount }
    }

    /// Subtracts another amount.
    pub fn minus(self, other: Amount) -> Amount {
        Amount {
            stood: self.stood - other.stood,
            worst: self.worst - other.best,
            best: self.best - other.worst,
        }
    }

    fn open(&self) -> bool {
        self.worst != self.stood || self.best != self.stood
    }
}

/// Histogram of amounts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amounts {
    settled: Counts,
    #[serde(with = "as_list")]
    open: BTreeMap<Amount, u64>,
}

impl Amounts {
    /// Counts an amount.
    #[inline]
    pub fn add(&mut self, amount: Amount) {
        if amount.open() {
            *self.open.entry(amount).or_default() += 1;
        } else {
            self.settled.add(amount.stood);
        }
    }

    /// Adds another histogram.
    pub fn merge(&mut self, other: &Amounts) {
        self.settled.merge(&other.settled);
        other.open.iter().for_each(|(&amount, games)| *self.open.entry(amount).or_default() += games);
    }

    /// Checks for this many amounts, none of them farther from 0 than `most`. Counts read from a file may be
    /// anything.
    pub fn check(&self, games: u64, most: u64) -> bool {
        let settled = self.settled.iter().map(|(amount, times)| (amount, amount, times));
        let open = self.open.iter().map(|(amount, &times)| (amount.worst, amount.best, times));
        let mut counted = 0u128;
        let within = settled.chain(open).all(|(worst, best, times)| {
            counted += u128::from(times);
            worst <= best && worst.unsigned_abs().max(best.unsigned_abs()) <= most
        });
        within && counted == u128::from(games)
    }

    /// Returns the amounts as they stood, with their frequencies.
    fn stood(&self) -> impl Iterator<Item = (i64, u64)> + '_ {
        self.settled.iter().chain(self.open.iter().map(|(amount, &games)| (amount.stood, games)))
    }

    /// Returns the sum of all amounts as they stood.
    pub fn sum(&self) -> i128 {
        self.stood().map(|(amount, games)| i128::from(amount) * i128::from(games)).sum()
    }

    /// Returns the sum of their squares.
    pub fn squares(&self) -> u128 {
        self.stood().map(|(amount, games)| u128::from(amount.unsigned_abs()).pow(2) * u128::from(games)).sum()
    }

    /// Returns the sample over `n` games; uncounted games have 0.
    fn sample(&self, n: u64, of: fn(&Amount) -> i64) -> Sample {
        let open = self.open.iter().map(|(amount, &games)| (of(amount), games));
        let all: Vec<(i64, u64)> = self.settled.iter().chain(open).collect();
        let counted: u64 = all.iter().map(|&(_, games)| games).sum();
        let rest = (0, n.saturating_sub(counted));
        Sample::of(all.into_iter().chain([rest]).map(|(amount, games)| (amount as f64, games)))
    }

    /// Returns the mean over `n` games, with 0 for uncounted ones, each within `least..=most`.
    pub fn mean(&self, n: u64, least: f64, most: f64) -> Estimate {
        self.mean_at(TAIL, n, least, most)
    }

    /// Returns the same with an error probability of `tail` at either end.
    pub fn mean_at(&self, tail: f64, n: u64, least: f64, most: f64) -> Estimate {
        if n == 0 {
            return Estimate { value: 0.0, low: least, high: most };
        }
        let ways: [fn(&Amount) -> i64; 3] = [|it| it.stood, |it| it.worst, |it| it.best];
        outer_at(tail, &ways.map(|of| self.sample(n, of)), least, most)
    }

    /// Returns the standard deviation over `n` games.
    pub fn sd(&self, n: u64) -> f64 {
        Moments::of_signed_sums(n, self.sum(), self.squares()).sd
    }
}

/// Serializes open amounts as a list, as the keys of a JSON object are text.
mod as_list {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    use super::Amount;

    pub fn serialize<S: Serializer>(open: &BTreeMap<Amount, u64>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(open)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<Amount, u64>, D::Error> {
        Ok(Vec::<(Amount, u64)>::deserialize(from)?.into_iter().collect())
    }
}
