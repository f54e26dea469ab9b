//! Differences between games of two rulesets on the same deals: exact counts that can be stored in a file.

use serde::{Deserialize, Serialize};

use super::{GameWorth, Measure};
use crate::rules::Spec;
use crate::stats::payout::{most_fees, payout_range};
use crate::stats::sums::{Amount, Amounts};
use crate::stats::{Estimate, TAIL};

/// The differences of two players' games, deal by deal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferenceTally {
    games: u64,
    cards: Amounts,
    wins: Amounts,
    /// In the units of [`EdgeUnit`].
    edge: Amounts,
}

/// Differences over all deals: the first ruleset minus the second, each with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Number of deals that both played.
    pub games: u64,
    /// House edge, as a share of the price; `None` if either has no fixed price.
    pub house_edge: Option<Estimate>,
    /// Rate of wins.
    pub win_rate: Estimate,
    /// Mean cards.
    pub cards: Estimate,
}

/// A common unit for two nets, so that shares of two prices can be subtracted as whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeUnit {
    a: i64,
    b: i64,
    /// The whole price, in units.
    whole: i64,
}

impl EdgeUnit {
    /// `None` if a deck is free, bought in stages, or too expensive to multiply.
    pub fn of(a: &Spec, b: &Spec) -> Option<EdgeUnit> {
        let price =
            |spec: &Spec| (!spec.casino.is_staged() && spec.casino.stake > 0).then_some(spec.casino.stake);
        let (price_a, price_b) = (price(a)?, price(b)?);
        let common = gcd(price_a, price_b);
        let unit = EdgeUnit {
            a: price_b / common,
            b: price_a / common,
            whole: price_a.checked_mul(price_b / common)?,
        };
        // Nets are at most the greatest difference between any two games.
        let most = GameWorth::reach(Measure::Money, a, b).max(price_a.max(price_b).unsigned_abs());
        let fits = |by: i64| {
            i64::try_from(most).ok().and_then(|most| most.checked_mul(2)?.checked_mul(by)).is_some()
        };
        (fits(unit.a) && fits(unit.b)).then_some(unit)
    }

    /// Returns the first edge minus the second in one deal: the player's gain is the house's loss.
    fn difference(&self, a: Amount, b: Amount) -> Amount {
        let times = |net: Amount, by: i64| Amount {
            stood: net.stood * by,
            worst: net.worst * by,
            best: net.best * by,
        };
        times(b, self.b).minus(times(a, self.a))
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl DifferenceTally {
    /// Counts a deal: the results of both.
    pub fn add(&mut self, unit: Option<EdgeUnit>, a: &GameWorth, b: &GameWorth) {
        self.games += 1;
        self.cards.add(a.cards.minus(b.cards));
        self.wins.add(a.won.minus(b.won));
        if let Some(unit) = unit {
            self.edge.add(unit.difference(a.money, b.money));
        }
    }

    /// Adds another tally.
    pub fn merge(&mut self, other: &DifferenceTally) {
        self.games += other.games;
        self.cards.merge(&other.cards);
        self.wins.merge(&other.wins);
        self.edge.merge(&other.edge);
    }

    /// Returns the number of deals.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Summarizes games under these rules.
    pub fn summary(&self, a: &Spec, b: &Spec) -> Difference {
        self.summary_at(TAIL, a, b)
    }

    /// Summarizes with an error probability of `tail` at either end of intervals.
    pub fn summary_at(&self, tail: f64, a: &Spec, b: &Spec) -> Difference {
        let cards = a.cards().max(b.cards()) as f64;
        let edge = EdgeUnit::of(a, b).map(|unit| {
            let (whole, most) = (unit.whole as f64, unit.reach(a, b));
            let Estimate { value, low, high } = self.edge.mean_at(tail, self.games, -most, most);
            Estimate { value: value / whole, low: low / whole, high: high / whole }
        });
        Difference {
            games: self.games,
            house_edge: edge,
            win_rate: self.wins.mean_at(tail, self.games, -1.0, 1.0),
            cards: self.cards.mean_at(tail, self.games, -cards, cards),
        }
    }

    /// Checks that counts read from a file are possible for this many games under these rules.
    ///
    /// # Errors
    /// The contradiction, as part of a sentence.
    pub fn check(&self, games: u64, a: &Spec, b: &Spec) -> Result<(), String> {
        let cards = a.cards().max(b.cards()) as u64;
        let unit = EdgeUnit::of(a, b);
        let edges = unit.map_or(0, |unit| unit.reach(a, b) as u64);
        let counted = if unit.is_some() { self.games } else { 0 };
        let sound = self.games <= games
            && self.cards.check(self.games, cards)
            && self.wins.check(self.games, 1)
            && self.edge.check(counted, edges);
        if sound { Ok(()) } else { Err("the differences between cells contradict their games".into()) }
    }
}

impl EdgeUnit {
    /// Returns the maximum difference between two games, in units.
    fn reach(&self, a: &Spec, b: &Spec) -> f64 {
        let range = |spec: &Spec, by: i64| {
            let all = spec.cards();
            let (least, most) = payout_range(&spec.casino, 0, all);
            let least = least.saturating_sub(most_fees(spec));
            (least.min(0) as f64 * by as f64, most.max(0) as f64 * by as f64)
        };
        let ((least_a, most_a), (least_b, most_b)) = (range(a, self.a), range(b, self.b));
        (most_a - least_b).max(most_b - least_a)
    }
}
