//! Means of numbers in a known range and ratios of two means, with limits that allow for unobserved values, and exact
//! histograms of amounts, including the possible results of undecided games.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::Estimate;
use super::interval::{Moments, TAIL, normal_below, normal_density};

/// Numbers with their frequencies, each in a range known in advance: cards of a pack, payments of a ruleset.
///
/// The intervals are those of Gaffke (2005; Learned-Miller and Thomas, arXiv:1905.06208). For the upper limit one
/// more number is added, the greatest possible. All numbers get random weights, uniform among those that sum to 1
/// (Dirichlet), and the limit is the value that the weighted mean exceeds with a probability of 2.5%; likewise the
/// lower limit, with the least possible number. So a rare great payment that no game has shown yet counts as
/// possible. If the numbers are 0 and 1, these are the exact limits of Clopper and Pearson; for many numbers without
/// rare great ones they approach Student's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// Ascending, distinct, each with a positive count.
    values: Vec<(f64, u64)>,
}

impl Sample {
    /// Creates a sample of numbers with their frequencies, in any order.
    pub fn of(values: impl IntoIterator<Item = (f64, u64)>) -> Sample {
        let mut values: Vec<(f64, u64)> = values.into_iter().filter(|&(_, count)| count > 0).collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        join_equal(&mut values);
        Sample { values }
    }

    /// Returns the size of the sample.
    pub fn n(&self) -> u64 {
        self.values.iter().map(|&(_, count)| count).sum()
    }

    /// Returns the mean and standard deviation.
    pub fn moments(&self) -> Moments {
        Moments::of(self.values.iter().map(|&(value, count)| (value, count as i64)))
    }

    /// Returns the 95% limits of the mean of numbers within `least..=most`.
    pub fn limits(&self, least: f64, most: f64) -> (f64, f64) {
        self.limits_at(TAIL, least, most)
    }

    /// Returns the same limits with an error probability of `tail`, less than 0.3, at either end.
    pub fn limits_at(&self, tail: f64, least: f64, most: f64) -> (f64, f64) {
        let (Some(&(first, _)), Some(&(last, _))) = (self.values.first(), self.values.last()) else {
            return (least, most);
        };
        let (least, most) = (least.min(first), most.max(last));
        let span = most - least;
        if span <= 0.0 {
            return (least, most);
        }
        let seen: Vec<(f64, f64)> = self.values.iter().map(|&(value, count)| (value, count as f64)).collect();
        let turned: Vec<(f64, f64)> = seen.iter().map(|&(value, count)| (-value, count)).collect();
        (-upper_limit(tail, &turned, -most, -least), upper_limit(tail, &seen, least, most))
    }

    /// Returns the mean with its limits, all within `least..=most`.
    pub fn estimate(&self, least: f64, most: f64) -> Estimate {
        self.estimate_at(TAIL, least, most)
    }

    /// Returns the same with an error probability of `tail` at either end.
    pub fn estimate_at(&self, tail: f64, least: f64, most: f64) -> Estimate {
        let value = if self.values.is_empty() { least } else { self.moments().mean };
        let (low, high) = self.limits_at(tail, least, most);
        Estimate { value, low: low.min(value), high: high.max(value) }
    }
}

/// Joins equal neighbours among numbers with their frequencies or probabilities.
pub(super) fn join_equal<K: PartialEq, P: AddAssign + Copy>(numbers: &mut Vec<(K, P)>) {
    numbers.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
}

/// Returns a mean with the outer limits over open cases as they stood, at worst and at best, with an error probability
/// of `tail` at either end.
pub(super) fn outer_at(tail: f64, [seen, worst, best]: &[Sample; 3], least: f64, most: f64) -> Estimate {
    let seen_is = seen.estimate_at(tail, least, most);
    if seen == worst && seen == best {
        return seen_is;
    }
    let limits = |sample: &Sample| sample.limits_at(tail, least, most);
    Estimate { low: seen_is.low.min(limits(worst).0), high: seen_is.high.max(limits(best).1), ..seen_is }
}

/// Returns the limit that the mean of numbers in `least..=most`, with their counts, exceeds only with a probability
/// of `tail`.
pub(super) fn upper_limit(tail: f64, values: &[(f64, f64)], least: f64, most: f64) -> f64 {
    let span = most - least;
    if values.is_empty() || span <= 0.0 {
        return most;
    }
    // Adds one number at the maximum, and scales all to 0..=1.
    let scaled = values.iter().map(|&(value, count)| ((value - least) / span, count));
    let values: Vec<(f64, f64)> = scaled.chain([(1.0, 1.0)]).collect();
    least + span * upper(tail, &values)
}

/// Returns the value that the weighted mean of numbers in 0..=1, with their counts, exceeds with a probability of
/// `tail`.
fn upper(tail: f64, values: &[(f64, f64)]) -> f64 {
    let at = |q: f64| WeightedMean { values, q }.exceeded();
    let miss = |q: f64| {
        let (t, chance) = at(q);
        (t, chance.max(1e-300).ln() - tail.ln())
    };
    // The tilt 0 belongs to the mean, which is exceeded about half the time, and 1 to the greatest number.
    let (mut low, mut over, mut high) = (0.0, 0.5f64.ln() - tail.ln(), 1.0);
    let mut below = None;
    let mut t = 1.0;
    // A first guess, assuming that the mean is nearly normal.
    let (n, sum, squares) = values.iter().fold((0.0, 0.0, 0.0), |(n, sum, squares), &(value, count)| {
        (n + count, sum + value * count, squares + value * value * count)
    });
    let variance = (squares / n - (sum / n).powi(2)).max(f64::MIN_POSITIVE);
    let mut next = (2.0 / (variance * n).sqrt()).min(0.5);
    for _ in 0..200 {
        let (mean, found) = miss(next);
        t = mean;
        if found > 0.0 {
            (low, over) = (next, found);
            below = below.map(|below| below / 2.0);
        } else {
            high = next;
            below = Some(found.max(-50.0));
            over /= 2.0;
        }
        if found.abs() < 1e-9 || high - low <= 1e-14 {
            break;
        }
        next = match below {
            Some(below) => (low * below - high * over) / (below - over),
            None => (2.0 * next).min((next + 1.0) / 2.0),
        };
        if !(next > low && next < high) {
            next = (low + high) / 2.0;
        }
    }
    t
}

/// The mean of numbers under random weights that sum to 1, at one point of its distribution.
///
/// The weights are gamma variables divided by their sum, so the mean exceeds `t` if the sum of `(value - t)` times
/// its variable exceeds 0. The probability of that is approximated by Lugannani and Rice (Advances in Applied
/// Probability 12, 1980), with the saddlepoint `s = q / (1 - q t)`, where `t` is the mean of the numbers weighted by
/// `count / (1 - q value)`.
struct WeightedMean<'a> {
    values: &'a [(f64, f64)],
    /// Tilt of the weights towards great numbers, in 0..1.
    q: f64,
}

impl WeightedMean<'_> {
    /// Returns the point, and the probability of exceeding it.
    fn exceeded(&self) -> (f64, f64) {
        let (mut whole, mut sum) = (0.0, 0.0);
        for &(value, count) in self.values {
            let weight = count / (1.0 - self.q * value);
            whole += weight;
            sum += weight * value;
        }
        let t = sum / whole;
        let s = self.q / (1.0 - self.q * t);
        let (mut log, mut curvature) = (0.0, 0.0);
        for &(value, count) in self.values {
            let away = value - t;
            log += count * (-s * away).ln_1p();
            curvature += count * (away / (1.0 - s * away)).powi(2);
        }
        let w = (2.0 * log.max(0.0)).sqrt();
        let u = s * curvature.sqrt();
        if w < 1e-6 || u <= 0.0 {
            return (t, 0.5);
        }
        (t, normal_below(-w) + normal_density(w) * (1.0 / u - 1.0 / w))
    }
}

/// Games by two numbers: `x`, the numerator, and `y`, the denominator, which is not negative.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratio<'a> {
    /// The pairs, with the number of games of each.
    pub games: Vec<(f64, f64, u64)>,
    /// Possible pairs of a game, observed or not; every other possible pair is in their convex hull.
    pub possible: &'a [(f64, f64)],
}

/// Maximum iterations of the search for a limit; a dozen suffice.
const ROUNDS: usize = 200;

impl Ratio<'_> {
    fn mean(&self, of: impl Fn(f64, f64) -> f64) -> f64 {
        let n: u64 = self.games.iter().map(|&(_, _, games)| games).sum();
        self.games.iter().map(|&(x, y, games)| of(x, y) * games as f64).sum::<f64>() / n.max(1) as f64
    }

    /// Returns the ratio; `None` if the denominator is 0.
    pub fn value(&self) -> Option<f64> {
        let below = self.mean(|_, y| y);
        (below > 0.0).then(|| self.mean(|x, _| x) / below)
    }

    /// Returns the ratio with an error probability of `tail` at either end of its limits: those ratios `r` for which
    /// the mean of `x - r y` does not differ significantly from 0 (after Fieller 1954), by the limits of a
    /// [`Sample`](super::Sample). `None` if the denominator is 0.
    pub fn estimate_at(&self, tail: f64) -> Option<Estimate> {
        let value = self.value()?;
        let limit = |side: f64| side * self.turn(side * value, |r| self.beyond(tail, side, side * r));
        Some(Estimate { value, low: limit(-1.0), high: limit(1.0) })
    }

    /// Returns the upper limit of the mean of `side (x - r y)`.
    fn beyond(&self, tail: f64, side: f64, r: f64) -> f64 {
        let at = |x: f64, y: f64| side * (x - r * y);
        let seen: Vec<(f64, f64)> =
            self.games.iter().map(|&(x, y, games)| (at(x, y), games as f64)).collect();
        let every = seen.iter().map(|&(value, _)| value).chain(self.possible.iter().map(|&(x, y)| at(x, y)));
        let (least, most) =
            every.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)));
        upper_limit(tail, &seen, least, most)
    }

    /// Returns the root beyond `from` of a decreasing function.
    fn turn(&self, from: f64, f: impl Fn(f64) -> f64) -> f64 {
        let scale = self.mean(|_, y| y).max(f64::MIN_POSITIVE);
        let (mut low, mut over) = (from, f(from));
        if over <= 0.0 {
            return from;
        }
        let mut step = over / scale;
        let (mut high, mut below) = (from + step, f(from + step));
        for _ in 0..ROUNDS {
            if below <= 0.0 {
                break;
            }
            step *= 2.0;
            (low, over) = (high, below);
            high += step;
            below = f(high);
            if !high.is_finite() {
                return f64::INFINITY;
            }
        }
        if below > 0.0 {
            return f64::INFINITY;
        }
        if below == 0.0 {
            return high;
        }
        // False position, halving the weight of a retained end.
        for _ in 0..ROUNDS {
            if high - low <= 1e-12 * (high.abs() + low.abs()) {
                break;
            }
            let straight = (low * below - high * over) / (below - over);
            let next = if straight > low && straight < high { straight } else { (low + high) / 2.0 };
            let found = f(next);
            if found > 0.0 {
                (low, over, below) = (next, found, below / 2.0);
            } else {
                (high, below, over) = (next, found, over / 2.0);
            }
            if found.abs() <= 1e-9 * scale * step {
                return next;
            }
        }
        (low + high) / 2.0
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Purpose, below, generator};
    use crate::stats::testing::close;
    use crate::stats::{Moments, Sample, TAIL, clopper_pearson, clopper_pearson_at};

    /// For zeros and ones, they are the exact limits of a rate.
    #[test]
    fn two_values_are_a_rate() {
        for (k, n) in [(0, 10), (0, 10_000), (1, 10_000), (2, 1_000_000), (10, 30), (350, 10_000), (30, 30)] {
            for tail in [TAIL, TAIL / 20.0] {
                let (low, high) = Sample::of([(0.0, n - k), (1.0, k)]).limits_at(tail, 0.0, 1.0);
                let (least, most) = clopper_pearson_at(tail, k, n);
                // On the side of few cases it is slightly too low.
                close(low, least, 0.08 * least.max(1e-12));
                close(high, most, 0.004 * most);
            }
        }
        // A prize of $50,000 not observed in 10,000 games, beside cards that pay $20 or $30.
        let (low, high) = Sample::of([(20.0, 5_000), (30.0, 5_000)]).limits(0.0, 50_030.0);
        close(high, 25.0 + 3.69 * 5.0, 0.4);
        close(low, 25.0 - 1.96 * 5.0 / 100.0, 0.01);
    }

    /// Simulates the weights: sums of exponential variables, divided by their total.
    #[test]
    fn limits_are_quantiles_of_the_weighted_mean() {
        let mut rng = generator(11, 0, Purpose::Dice);
        for values in [&[(2.0, 3), (5.0, 4), (9.0, 1)][..], &[(0.0, 20), (1.0, 9), (50.0, 2)], &[(7.0, 6)]] {
            let (_, high) = Sample::of(values.iter().copied()).limits_at(0.05, 0.0, 60.0);
            let more: Vec<(f64, u64)> = values.iter().copied().chain([(60.0, 1)]).collect();
            let mut above = 0;
            let times = 40_000;
            for _ in 0..times {
                let (mut sum, mut whole) = (0.0, 0.0);
                for &(value, count) in &more {
                    for _ in 0..count {
                        let weight =
                            -((f64::from(below(&mut rng, 1 << 30)) + 0.5) / f64::from(1u32 << 30)).ln();
                        sum += value * weight;
                        whole += weight;
                    }
                }
                above += u32::from(sum / whole > high);
            }
            close(f64::from(above) / f64::from(times), 0.05, 0.0035);
        }
    }

    #[test]
    fn little_is_claimed_of_little() {
        assert_eq!(Sample::default().estimate(0.0, 52.0), Estimate { value: 0.0, low: 0.0, high: 52.0 });
        let one = Sample::of([(13.0, 1)]).estimate(0.0, 52.0);
        assert!(one.low < 0.5 && one.high > 51.0, "{one:?}");
        assert_eq!(Sample::of([(5.0, 100)]).limits(5.0, 5.0), (5.0, 5.0));
        // Any number of games, and any distance between them.
        let huge = Sample::of([(0.0, 1 << 40), (500.0, 1 << 41), (1e15, 3)]).estimate(0.0, 1e15);
        assert!(huge.low < huge.value && huge.value < huge.high && huge.high.is_finite(), "{huge:?}");
        let sure = Sample::of([(500.0, 1 << 40)]).estimate(0.0, 1e4);
        assert!(sure.low < 500.0 && sure.high > 500.0 && sure.high < 500.1, "{sure:?}");
    }

    const POSSIBLE: [(f64, f64); 3] = [(26_000.0, 5_200.0), (0.0, 100_000.0), (0.0, 0.0)];

    fn of(pairs: &[(u32, u32)]) -> Ratio<'static> {
        let games = pairs.iter().map(|&(x, y)| (f64::from(x), f64::from(y), 1)).collect();
        Ratio { games, possible: &POSSIBLE }
    }

    /// Games of a player who stops a third of them early: stakes and payments are correlated.
    fn games(n: u32) -> Vec<(u32, u32)> {
        let mut rng = generator(5, u64::from(n), Purpose::Dice);
        let game = |_| match below(&mut rng, 3) {
            0 => (0, 1300),
            _ => (500 * below(&mut rng, 14), 5200 + 500 * below(&mut rng, 6)),
        };
        (0..n).map(game).collect()
    }

    /// At the limits, the mean of `x - r y` is just not significantly different from 0.
    #[test]
    fn limits_are_where_the_mean_turns() {
        for n in [12, 40, 3000] {
            let games = games(n);
            let e = of(&games).estimate_at(TAIL).unwrap();
            assert!(e.low < e.value && e.value < e.high);
            for (r, upper) in [(e.low, false), (e.high, true)] {
                let at = |x: f64, y: f64| x - r * y;
                let sample = Sample::of(games.iter().map(|&(x, y)| (at(x.into(), y.into()), 1)));
                let range = POSSIBLE.map(|(x, y)| at(x, y));
                let (least, most) =
                    (range.iter().copied().fold(0.0, f64::min), range.into_iter().fold(0.0, f64::max));
                let limits = sample.limits(least, most);
                close(if upper { limits.1 } else { limits.0 }, 0.0, 1e-4 * (limits.1 - limits.0));
            }
        }
    }

    /// For many games the limits are those of the linear approximation (the delta method): the ratio plus
    /// or minus 1.96 standard deviations of the residuals over the mean of `y` (Cochran, Sampling Techniques,
    /// section 2.11).
    #[test]
    fn limits_agree_with_the_delta_method() {
        let games = games(200_000);
        let e = of(&games).estimate_at(TAIL).unwrap();
        let residuals = games.iter().map(|&(x, y)| (f64::from(x) - e.value * f64::from(y), 1));
        let stake: f64 = games.iter().map(|&(_, y)| f64::from(y)).sum::<f64>() / games.len() as f64;
        let half = 1.959964 * Moments::of(residuals).sd / stake / (games.len() as f64).sqrt();
        close(e.low, e.value - half, 0.05 * half);
        close(e.high, e.value + half, 0.05 * half);
    }

    #[test]
    fn ratios_of_little_are_wide() {
        assert_eq!(of(&[(0, 0), (0, 0)]).value(), None);
        assert!(of(&[(500, 5200)]).estimate_at(TAIL).unwrap().high > 3.0);
        // Always the same game: the limits allow for unobserved games.
        let e = of(&[(0, 1300); 100]).estimate_at(TAIL).unwrap();
        assert_eq!(e.low, 0.0);
        let unseen = clopper_pearson(0, 100).1;
        close(e.high, unseen * 26_000.0 / ((1.0 - unseen) * 1300.0 + unseen * 5200.0), 0.01 * e.high);
    }
}
