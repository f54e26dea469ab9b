//! Figures of a game's character: lengths as distributions, the parts of luck and skill in the result, and how much of
//! what is possible each ability adds.

use std::f64::consts::FRAC_PI_2;

use serde::Serialize;
use statrs::distribution::{Binomial, DiscreteCDF};

use super::clairvoyant::Bounded;
use super::interval::{TAIL, student};
use super::sample::Ratio;
use super::{Estimate, Sample};

/// Distribution of a number that has no known range: mean and quantiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Distribution {
    /// Mean. It has no interval, as no maximum is known.
    pub mean: f64,
    /// The 10% quantile.
    pub p10: Estimate,
    /// The median.
    pub median: Estimate,
    /// The 90% quantile.
    pub p90: Estimate,
}

impl Distribution {
    /// Computes the distribution of independent numbers. The limits of a quantile are two of the numbers, whatever their
    /// distribution (order statistics; Hahn and Meeker, Statistical Intervals, section 5.2); they need 50 numbers.
    pub fn of(mut numbers: Vec<f64>) -> Distribution {
        numbers.sort_by(f64::total_cmp);
        let quantile = |q: f64| quantile(&numbers, q);
        Distribution {
            mean: numbers.iter().sum::<f64>() / numbers.len().max(1) as f64,
            p10: quantile(0.1),
            median: quantile(0.5),
            p90: quantile(0.9),
        }
    }
}

/// Numbers without a known maximum: of `n`, the greatest counts as `1 + MARGIN / n` times as much. With 6 the intervals
/// hold in at least 95% of skewed samples of 4 to 100 numbers.
const MARGIN: f64 = 6.0;

/// Returns a quantile of sorted numbers.
fn quantile(sorted: &[f64], q: f64) -> Estimate {
    let n = sorted.len();
    let Some(&last) = sorted.last() else { return Estimate::default() };
    let at = |rank: usize| sorted.get(rank.saturating_sub(1)).copied().unwrap_or(last);
    let value = at((q * n as f64).ceil() as usize);
    let Ok(below) = Binomial::new(q, n as u64) else { return Estimate { value, low: value, high: value } };
    // The number of values below the quantile is binomial.
    let low = (1..=n).rev().find(|&rank| below.cdf(rank as u64 - 1) <= TAIL).unwrap_or(1);
    let high = (1..=n).find(|&rank| below.sf(rank as u64 - 1) <= TAIL).unwrap_or(n);
    Estimate { value, low: at(low), high: at(high) }
}

/// Shares of the variance of a result, over all deals and an equal mix of the players.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct VarianceShares {
    /// The deal: what differs between deals, on average over the players.
    pub deal: Estimate,
    /// The player: what differs between players, on average over the deals.
    pub player: Estimate,
    /// Both together: deals that suit one player and not another.
    pub interplay: Estimate,
    /// The rest, which differs when the same player plays the same deal again: dice, shuffles and random choices.
    pub chance: Estimate,
}

impl VarianceShares {
    /// Splits the variance of crossed play: `results` has, for each deal, two independent results of each player. The
    /// parts are those of a two-way analysis of variance with random deals (Searle, Casella and McCulloch, Variance
    /// Components, chapter 4), and their limits the outer ones of two jackknives over deals: of a share itself, and of
    /// the arcsine of its root, whose spread depends little on the share but has none where an estimate falls below 0. `None` if nothing varies, or for
    /// fewer than two deals or players.
    pub fn of(results: &[Vec<[f64; 2]>]) -> Option<VarianceShares> {
        let players = results.first()?.len();
        if results.len() < 2 || players < 2 {
            return None;
        }
        let k = players as f64;
        // Products of the two games estimate squares without the chance in either.
        let deal = |games: &Vec<[f64; 2]>| {
            let sum = |of: fn(&[f64; 2]) -> f64| games.iter().map(of).sum::<f64>();
            let all = sum(|[a, b]| (a * a + b * b) / 2.0) / k;
            let each = sum(|[a, b]| a * b) / k;
            let mean = sum(|[a, _]| *a) * sum(|[_, b]| *b) / (k * k);
            let means = games.iter().map(|[a, b]| (a + b) / 2.0);
            [all, each, mean].into_iter().chain(means).collect::<Vec<f64>>()
        };
        let sums: Vec<Vec<f64>> = results.iter().map(deal).collect();
        let shares = |means: &[f64]| -> [f64; 4] {
            let [all, each, mean, players @ ..] = means else { return [0.0; 4] };
            let grand = players.iter().sum::<f64>() / k;
            let squares = players.iter().map(|mean| mean * mean).sum::<f64>() / k;
            let parts = [
                mean - grand * grand,
                squares - grand * grand,
                each - mean - squares + grand * grand,
                all - each,
            ];
            parts.map(|part| part / (all - grand * grand))
        };
        let angle = |share: f64| share.clamp(0.0, 1.0).sqrt().asin();
        let plain = jackknife(&sums, shares)?;
        let angles = jackknife(&sums, |means| shares(means).map(angle))?;
        let [deal, player, interplay, chance] = std::array::from_fn(|i| {
            let back = |angle: f64| angle.clamp(0.0, FRAC_PI_2).sin().powi(2);
            let (plain, angle): (Estimate, Estimate) = (plain[i], angles[i]);
            Estimate {
                value: plain.value.clamp(0.0, 1.0),
                low: back(angle.low).min(plain.low).max(0.0),
                high: back(angle.high).max(plain.high).min(1.0),
            }
        });
        Some(VarianceShares { deal, player, interplay, chance })
    }
}

/// Returns functions of the means of the columns, each with the interval of the jackknife over the rows (Efron and
/// Tibshirani, An Introduction to the Bootstrap, chapter 11), with the degrees of freedom of O'Neill (The American
/// Statistician 68, 2014); `None` if one is not a number.
fn jackknife<const N: usize>(rows: &[Vec<f64>], of: impl Fn(&[f64]) -> [f64; N]) -> Option<[Estimate; N]> {
    let n = rows.len() as f64;
    let columns = rows.first()?.len();
    let sums: Vec<f64> = (0..columns).map(|column| rows.iter().map(|row| row[column]).sum()).collect();
    let whole = of(&sums.iter().map(|sum| sum / n).collect::<Vec<_>>());
    let without = |row: &Vec<f64>| {
        let means: Vec<f64> = sums.iter().zip(row).map(|(sum, own)| (sum - own) / (n - 1.0)).collect();
        of(&means)
    };
    let parts: Vec<[f64; N]> = rows.iter().map(without).collect();
    let estimate = |i: usize| {
        let mean = parts.iter().map(|part| part[i]).sum::<f64>() / n;
        let power = |k: i32| parts.iter().map(|part| (part[i] - mean).powi(k)).sum::<f64>() / n;
        let value = whole[i];
        // A spread that few rows decide is uncertain itself: its degrees of freedom fall with the kurtosis.
        let kurtosis = if power(2) > 0.0 { power(4) / power(2).powi(2) } else { 3.0 };
        let freedom = 2.0 * n / (kurtosis - (n - 3.0) / (n - 1.0));
        let half = student(freedom.clamp(1.0, n - 1.0)) * (power(2) * (n - 1.0)).sqrt();
        Estimate { value, low: value - half, high: value + half }
    };
    let found: [Estimate; N] = std::array::from_fn(estimate);
    found.iter().all(|it| it.value.is_finite()).then_some(found)
}

/// A deal for two players and the clairvoyant one, in one measure: the gain of the better player over the weaker one,
/// and the least and most that knowing every card would gain over the weakest.
pub type Gain = (f64, (f64, f64));

/// Returns the mean gain as a share of the mean of what is possible, each game's within `reach`. Open deals count both
/// ways. `None` if nothing is possible.
pub fn share_of_possible(games: &[Gain], reach: f64) -> Option<Bounded> {
    // A gain is at most what is possible.
    let possible = [(-reach, 0.0), (0.0, 0.0), (reach, reach), (0.0, reach)];
    let ratio = |of: fn((f64, f64)) -> f64| {
        let games = games.iter().map(|&(gain, possible)| (gain, of(possible).max(0.0), 1)).collect();
        Ratio { games, possible: &possible }.estimate_at(TAIL)
    };
    let (least, most) = (ratio(|(_, most)| most)?, ratio(|(least, _)| least)?);
    Some(Bounded {
        least: least.value.min(most.value),
        most: least.value.max(most.value),
        low: least.low.min(most.low),
        high: least.high.max(most.high),
    })
}

/// Returns the mean of numbers that are not negative and may be larger than any that was seen. For its limits, a little
/// more than the greatest seen stands for the greatest possible; few numbers say less about it.
pub fn mean_from_0(numbers: &[f64]) -> Estimate {
    let most = numbers.iter().copied().fold(0.0, f64::max);
    let margin = 1.0 + MARGIN / numbers.len().max(1) as f64;
    bounded_mean(numbers.iter().copied(), (0.0, most * margin), TAIL)
}

/// Returns the mean of numbers within `least..=most`, with an error probability of `tail` at either end.
pub fn bounded_mean(
    numbers: impl IntoIterator<Item = f64>,
    (least, most): (f64, f64),
    tail: f64,
) -> Estimate {
    Sample::of(numbers.into_iter().map(|number| (number, 1))).estimate_at(tail, least, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Purpose, below, generator};
    use crate::stats::testing::close;

    /// For 100 numbers, the limits of the median are the 40th and 61st: the exact table of Hahn and Meeker.
    #[test]
    fn limits_of_a_quantile_are_order_statistics() {
        let numbers = Distribution::of((1..=100).map(f64::from).collect());
        assert_eq!(numbers.median, Estimate { value: 50.0, low: 40.0, high: 61.0 });
        assert_eq!((numbers.p10.low, numbers.p90.high), (5.0, 96.0));
        close(numbers.mean, 50.5, 1e-12);
    }

    /// A made-up game: the result is the sum of a deal, a player, a die, and one that both deal and player decide.
    #[test]
    fn shares_of_the_variance_are_found() {
        // Half of the players' spread, and the faces of the deal, of what both decide, and of the die.
        for (spread, [deal, both, die], deals) in [(3.0, [13, 7, 5], 200), (1.0, [3, 3, 21], 100)] {
            let mut rng = generator(3, 0, Purpose::Dice);
            let mut uniform = |n: u32| f64::from(below(&mut rng, n)) - f64::from(n - 1) / 2.0;
            // Variances of numbers from 0 to n - 1: (n^2 - 1) / 12.
            let [deals_own, both_own, chance] =
                [deal, both, die].map(|n: u32| (f64::from(n).powi(2) - 1.0) / 12.0);
            // A third of what both decide is common to a deal, since there are three players.
            let parts =
                [deals_own + both_own / 3.0, spread * spread * 2.0 / 3.0, both_own * 2.0 / 3.0, chance];
            let total: f64 = parts.iter().sum();
            let runs = 300;
            let mut held = [0; 4];
            for _ in 0..runs {
                let results: Vec<Vec<[f64; 2]>> = (0..deals)
                    .map(|_| {
                        let luck = uniform(deal);
                        let one = |skill: f64| {
                            let own = luck + skill + uniform(both);
                            [own + uniform(die), own + uniform(die)]
                        };
                        [-spread, 0.0, spread].map(one).to_vec()
                    })
                    .collect();
                let found = VarianceShares::of(&results).unwrap();
                let found = [found.deal, found.player, found.interplay, found.chance];
                for ((held, found), part) in held.iter_mut().zip(found).zip(parts) {
                    *held += i32::from(found.low <= part / total && part / total <= found.high);
                }
            }
            assert!(held.iter().all(|&held| held >= 277), "{held:?} of {runs}");
        }
    }

    /// Sums of two rounded exponential numbers, as many as a small experiment has.
    #[test]
    fn limits_of_means_hold_for_few_numbers() {
        let mut rng = generator(4, 0, Purpose::Dice);
        let mut number = || {
            let mut part = || (f64::from(below(&mut rng, 1 << 20) + 1) / f64::from(1 << 20)).ln() * -3.5;
            part().floor() + part().floor()
        };
        // The mean of a floored exponential number of mean m is 1 / (exp(1 / m) - 1).
        let truth = 2.0 / (f64::exp(1.0 / 3.5) - 1.0);
        for n in [4, 6, 10, 20, 50] {
            let mut holds = || {
                let found = mean_from_0(&(0..n).map(|_| number()).collect::<Vec<_>>());
                found.low <= truth && truth <= found.high
            };
            let held = (0..400).filter(|_| holds()).count();
            assert!(held >= 372, "{held} of 400 means of {n}");
        }
    }

    #[test]
    fn a_share_of_what_is_possible_counts_open_deals_both_ways() {
        let games: Vec<Gain> = (0..100).map(|i| (10.0, (20.0, if i < 50 { 20.0 } else { 30.0 }))).collect();
        let share = share_of_possible(&games, 52.0).unwrap();
        close(share.least, 0.4, 1e-9);
        close(share.most, 0.5, 1e-9);
        assert!(share.low < 0.4 && share.high > 0.5);
        assert_eq!(share_of_possible(&[(0.0, (0.0, 0.0))], 52.0), None);
    }
}
