//! Exact histograms of amounts, including the possible results of undecided games.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Estimate;
use super::interval::{Moments, TAIL};
use super::sample::{Sample, outer_at};

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

    /// Applies a function that does not change the order of amounts.
    pub(super) fn map(self, f: impl Fn(i64) -> i64) -> Amount {
        Amount { stood: f(self.stood), worst: f(self.worst), best: f(self.best) }
    }

    /// Subtracts another amount.
    pub fn minus(self, other: Amount) -> Amount {
        Amount {
            stood: self.stood - other.stood,
            worst: self.worst - other.best,
            best: self.best - other.worst,
        }
    }
}

/// The three ways to count an amount.
pub(super) const WAYS: [fn(&Amount) -> i64; 3] = [|it| it.stood, |it| it.worst, |it| it.best];

/// Histogram of whole numbers. In JSON it is an object from number (as text) to count.
pub(super) type Counts = BTreeMap<i64, u64>;

/// Histogram of amounts, those of decided games apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amounts {
    settled: Counts,
    #[serde(with = "as_list")]
    open: BTreeMap<Amount, u64>,
}

impl Amounts {
    /// Counts an amount.
    pub fn add(&mut self, amount: Amount) {
        self.add_many(amount, 1);
    }

    /// Counts an amount this many times.
    #[inline]
    pub fn add_many(&mut self, amount: Amount, times: u64) {
        let count = match amount == Amount::settled(amount.stood) {
            true => self.settled.entry(amount.stood).or_default(),
            false => self.open.entry(amount).or_default(),
        };
        *count += times;
    }

    fn iter(&self) -> impl Iterator<Item = (Amount, u64)> {
        let settled = self.settled.iter().map(|(&amount, &games)| (Amount::settled(amount), games));
        settled.chain(self.open.iter().map(|(&amount, &games)| (amount, games)))
    }

    /// Adds another histogram.
    pub fn merge(&mut self, other: &Amounts) {
        other.iter().for_each(|(amount, games)| self.add_many(amount, games));
    }

    /// Checks for this many amounts, none of them farther from 0 than `most`. Counts read from a file may be
    /// anything.
    pub fn check(&self, games: u64, most: u64) -> bool {
        let mut counted = 0u128;
        let within = self.iter().all(|(it, times)| {
            counted += u128::from(times);
            it.worst <= it.best && it.worst.unsigned_abs().max(it.best.unsigned_abs()) <= most
        });
        within && counted == u128::from(games)
    }

    /// Returns the amounts as they stood, ascending, with their frequencies.
    pub fn stood(&self) -> BTreeMap<i64, u64> {
        let mut all = self.settled.clone();
        self.open.iter().for_each(|(amount, games)| *all.entry(amount.stood).or_default() += games);
        all
    }

    /// Returns the sum of all amounts and of their squares, as they stood.
    pub fn sums(&self) -> (i128, u128) {
        self.iter().fold((0, 0), |(sum, squares), (amount, games)| {
            let square = u128::from(amount.stood.unsigned_abs()).pow(2) * u128::from(games);
            (sum + i128::from(amount.stood) * i128::from(games), squares + square)
        })
    }

    /// Returns the samples over `n` games, in which uncounted games have 0: as they stood, at worst and at best.
    pub(super) fn samples(&self, n: u64) -> [Sample; 3] {
        let counted: u64 = self.iter().map(|(_, games)| games).sum();
        let rest = (0.0, n.saturating_sub(counted));
        WAYS.map(|of| Sample::of(self.iter().map(|(it, games)| (of(&it) as f64, games)).chain([rest])))
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
        outer_at(tail, &self.samples(n), least, most)
    }

    /// Returns the standard deviation over `n` games.
    pub fn sd(&self, n: u64) -> f64 {
        let (sum, squares) = self.sums();
        Moments::of_signed_sums(n, sum, squares).sd
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
