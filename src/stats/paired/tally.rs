//! Exact counts of the differences between two players over many deals.

use serde::Serialize;
use statrs::distribution::{Binomial, DiscreteCDF};

use super::game::reach;
use super::wins::OpenWins;
use super::{GameWorth, Measure, PairedWins};
use crate::rules::Spec;
use crate::stats::interval::student_beyond;
use crate::stats::sums::Amounts;
use crate::stats::{Estimate, Moments, TAIL, student};

/// Two players' games on the same deals. Its size does not depend on the number of games.
#[derive(Clone, Debug)]
pub struct PairTally {
    games: u64,
    cards: Amounts,
    money: Amounts,
    wins: OpenWins,
    /// Deals by difference in cards, from the maximum lead of the second on.
    histogram: Vec<u64>,
    reach_cards: f64,
    reach_money: f64,
}

/// Differences between two players, the first minus the second.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairSummary {
    /// Deals.
    pub games: u64,
    /// Mean difference in cards.
    pub cards: Estimate,
    /// Standard deviation of the difference of one deal, cards.
    pub cards_sd: f64,
    /// Mean difference in the player's net, cents.
    pub money: Estimate,
    /// Standard deviation of the difference of one deal, cents.
    pub money_sd: f64,
    /// Difference in the rate of wins.
    pub win_rate: Estimate,
    /// Deals by winner.
    pub wins: PairedWins,
    /// Deals on which the first had more cards, the second, and neither.
    pub more_cards: MoreCards,
    /// Deals by difference in cards, without empty entries: `[difference, deals]`.
    pub card_differences: Vec<(i64, u64)>,
}

/// Deals by who had more cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MoreCards {
    /// The first.
    pub a: u64,
    /// The second.
    pub b: u64,
    /// Both had the same number.
    pub same: u64,
}

/// Result of a test with a fixed number of deals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FixedTest {
    /// The p-value of the hypothesis of no difference.
    pub p: f64,
    /// The mean difference with its 95% interval.
    pub difference: Estimate,
}

impl PairTally {
    /// Creates an empty tally for the games of one player under `a` and another under `b`.
    pub fn new(a: &Spec, b: &Spec) -> PairTally {
        PairTally {
            games: 0,
            cards: Amounts::default(),
            money: Amounts::default(),
            wins: OpenWins::default(),
            histogram: vec![0; 2 * a.cards().max(b.cards()) + 1],
            reach_cards: reach(Measure::Cards, a, b),
            reach_money: reach(Measure::Money, a, b),
        }
    }

    /// Counts a deal.
    pub fn add(&mut self, a: &GameWorth, b: &GameWorth) {
        self.games += 1;
        let cards = a.cards.minus(b.cards);
        self.cards.add(cards);
        self.money.add(a.money.minus(b.money));
        self.wins.add(a.won, b.won);
        let middle = self.histogram.len() as i64 / 2;
        let place = usize::try_from(middle + cards.stood).ok();
        if let Some(deals) = place.and_then(|place| self.histogram.get_mut(place)) {
            *deals += 1;
        }
    }

    /// Returns the number of deals.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the difference by one measure: in cards, as a rate of wins, or in cents; with an error probability of
    /// `tail` at either end of its interval.
    pub fn difference(&self, measure: Measure, tail: f64) -> Estimate {
        let mean = |amounts: &Amounts, reach: f64| amounts.mean_at(tail, self.games, -reach, reach);
        match measure {
            Measure::Cards => mean(&self.cards, self.reach_cards),
            Measure::Money => mean(&self.money, self.reach_money),
            Measure::Wins => self.wins.difference(tail),
        }
    }

    /// Returns the sum and sum of squares of the differences by one measure, with undecided games as they stood.
    pub fn sums(&self, measure: Measure) -> (i128, u128) {
        let both = |amounts: &Amounts| (amounts.sum(), amounts.squares());
        let wins = &self.wins.stood;
        match measure {
            Measure::Cards => both(&self.cards),
            Measure::Money => both(&self.money),
            Measure::Wins => (
                i128::from(wins.a_only) - i128::from(wins.b_only),
                u128::from(wins.a_only) + u128::from(wins.b_only),
            ),
        }
    }

    /// Returns the result of a test with this fixed number of deals: Student's paired t-test, or for wins the
    /// sign test on the deals that only one side won. `None` if no two games differed.
    pub fn fixed_test(&self, measure: Measure) -> Option<FixedTest> {
        let (sum, squares) = self.sums(measure);
        if measure == Measure::Wins {
            let wins = &self.wins.stood;
            let fewer = Binomial::new(0.5, wins.a_only + wins.b_only).ok().filter(|_| squares > 0)?;
            let p = (2.0 * fewer.cdf(wins.a_only.min(wins.b_only))).min(1.0);
            return Some(FixedTest { p, difference: wins.difference(TAIL) });
        }
        let Moments { n, mean, sd } = Moments::of_signed_sums(self.games, sum, squares);
        let error = sd / (n as f64).sqrt();
        (error > 0.0).then(|| {
            let half = student(n as f64 - 1.0) * error;
            let difference = Estimate { value: mean, low: mean - half, high: mean + half };
            FixedTest { p: student_beyond(mean / error, n as f64 - 1.0), difference }
        })
    }

    /// Summarizes with an error probability of `tail` at either end of intervals.
    pub fn summary(&self, tail: f64) -> PairSummary {
        let sd = |measure| {
            let (sum, squares) = self.sums(measure);
            Moments::of_signed_sums(self.games, sum, squares).sd
        };
        let middle = self.histogram.len() / 2;
        let (fewer, more) = (&self.histogram[..middle], &self.histogram[middle + 1..]);
        let differences = self.histogram.iter().enumerate().filter(|&(_, &deals)| deals > 0);
        PairSummary {
            games: self.games,
            cards: self.difference(Measure::Cards, tail),
            cards_sd: sd(Measure::Cards),
            money: self.difference(Measure::Money, tail),
            money_sd: sd(Measure::Money),
            win_rate: self.difference(Measure::Wins, tail),
            wins: self.wins.stood,
            more_cards: MoreCards {
                a: more.iter().sum(),
                b: fewer.iter().sum(),
                same: self.histogram[middle],
            },
            card_differences: differences
                .map(|(place, &deals)| (place as i64 - middle as i64, deals))
                .collect(),
        }
    }
}

impl PairSummary {
    /// Returns the difference by one measure.
    pub fn by(&self, measure: Measure) -> Estimate {
        match measure {
            Measure::Cards => self.cards,
            Measure::Money => self.money,
            Measure::Wins => self.win_rate,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{End, Outcome};
    use crate::stats::Sample;

    /// Recomputes every figure from the list of differences.
    #[test]
    fn sums_are_those_of_the_differences() {
        let spec = Spec::default();
        let worth = |cards: u16| {
            let end = if cards == 52 { End::Won } else { End::Barren };
            let game =
                Outcome { end, cards, moves: 9, redeals: 0, reserve_left: 0, complete_suits: 0, stake: None };
            GameWorth::of(&spec, &game)
        };
        let pairs: [(u16, u16); 8] = [(52, 3), (7, 7), (4, 11), (52, 52), (6, 52), (13, 1), (52, 50), (8, 9)];
        let mut tally = PairTally::new(&spec, &spec);
        pairs.iter().for_each(|&(a, b)| tally.add(&worth(a), &worth(b)));
        let summary = tally.summary(TAIL);
        let cards: Vec<f64> = pairs.iter().map(|&(a, b)| f64::from(a) - f64::from(b)).collect();
        let moments = Moments::of(cards.iter().map(|&x| (x, 1)));
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{a} is not {b}");
        close(summary.cards.value, moments.mean);
        close(summary.cards_sd, moments.sd);
        let limits = Sample::of(cards.iter().map(|&x| (x, 1))).limits(-52.0, 52.0);
        close(summary.cards.low, limits.0);
        close(summary.money.value, 500.0 * moments.mean);
        close(summary.money.high, 500.0 * limits.1);
        assert_eq!(summary.wins, PairedWins { a_only: 2, b_only: 1, both: 1, neither: 4 });
        close(summary.win_rate.value, 1.0 / 8.0);
        assert_eq!(summary.more_cards, MoreCards { a: 3, b: 3, same: 2 });
        assert_eq!(summary.card_differences.first(), Some(&(-46, 1)));
        assert_eq!(summary.card_differences.iter().map(|(_, deals)| deals).sum::<u64>(), 8);
        assert_eq!(tally.sums(Measure::Wins), (1, 3));
        // Student's t of eight differences with these moments, and its interval.
        let fixed = tally.fixed_test(Measure::Cards).unwrap();
        let half = 2.364_624_251 * moments.sd / 8f64.sqrt();
        assert!((fixed.difference.high - fixed.difference.value - half).abs() < 1e-6);
        assert!((fixed.p - 0.905765560).abs() < 1e-6, "{}", fixed.p);
        // Of three deals won by one side alone, one side certainly won at least two.
        close(tally.fixed_test(Measure::Wins).unwrap().p, 1.0);
        assert_eq!(PairTally::new(&spec, &spec).fixed_test(Measure::Cards), None);
        // A smaller tail gives wider limits.
        assert!(tally.difference(Measure::Cards, TAIL / 6.0).low < summary.cards.low);
    }
}
