//! Exact sums of amounts of money, and of what the undecided games among them may still have come to.

use serde::{Deserialize, Serialize};

use super::Estimate;
use super::interval::{Moments, TAIL, outer_at};
use super::whole::signed;

/// Sum and sum of squares of whole numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    #[serde(with = "signed")]
    sum: i128,
    // Squares of amounts below 2^55 over 2^64 games fit.
    #[serde(with = "super::whole::unsigned")]
    squares: u128,
}

impl Sums {
    fn add(&mut self, number: i64) {
        self.sum += i128::from(number);
        self.squares += u128::from(number.unsigned_abs()).pow(2);
    }

    fn merge(&mut self, other: &Sums) {
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The sum.
    pub fn sum(&self) -> i128 {
        self.sum
    }

    /// The sum of the squares.
    pub fn squares(&self) -> u128 {
        self.squares
    }

    /// Without one part, and with another in its place.
    fn replaced(&self, part: &Sums, by: &Sums) -> Sums {
        let squares = (self.squares + by.squares).saturating_sub(part.squares);
        Sums { sum: self.sum - part.sum + by.sum, squares }
    }

    fn moments(&self, n: u64) -> Moments {
        Moments::of_signed_sums(n, self.sum, self.squares)
    }
}

/// An amount that is only settled once the game is decided: as it stood, at worst and at best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    /// As it stood.
    pub stood: i64,
    /// The least it may still have come to.
    pub worst: i64,
    /// The most.
    pub best: i64,
}

impl Amount {
    /// An amount that is settled.
    pub fn settled(amount: i64) -> Amount {
        Amount { stood: amount, worst: amount, best: amount }
    }

    /// What is left of it without another amount.
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

/// Sums of amounts: all as they stood, and the open ones as they stood, at worst and at best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenSums {
    stood: Sums,
    open: Sums,
    worst: Sums,
    best: Sums,
}

impl OpenSums {
    /// Counts an amount.
    pub fn add(&mut self, amount: Amount) {
        self.stood.add(amount.stood);
        if amount.open() {
            self.open.add(amount.stood);
            self.worst.add(amount.worst);
            self.best.add(amount.best);
        }
    }

    /// Adds what another has counted.
    pub fn merge(&mut self, other: &OpenSums) {
        self.stood.merge(&other.stood);
        self.open.merge(&other.open);
        self.worst.merge(&other.worst);
        self.best.merge(&other.best);
    }

    /// As they stood.
    pub fn stood(&self) -> &Sums {
        &self.stood
    }

    /// The mean over `n` games, of which those not counted have nothing, each within `least..=most`.
    pub fn mean(&self, n: u64, least: f64, most: f64) -> Estimate {
        self.mean_at(TAIL, n, least, most)
    }

    /// The same, of an interval that leaves out this share at either end.
    pub fn mean_at(&self, tail: f64, n: u64, least: f64, most: f64) -> Estimate {
        let with = |part: &Sums| self.stood.replaced(&self.open, part).moments(n);
        outer_at(tail, [self.stood.moments(n), with(&self.worst), with(&self.best)], least, most)
    }

    /// The standard deviation over `n` games.
    pub fn sd(&self, n: u64) -> f64 {
        self.stood.moments(n).sd
    }
}
