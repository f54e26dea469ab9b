//! The house's profit over a night of many decks: the convolution of its gains on each.

use serde::Serialize;

use super::interval::{Moments, Z, normal_above, normal_below};
use super::sample::join_equal;
use super::{Estimate, House};

/// Probability that each deck may cut from each tail of the distribution.
const TAIL: f64 = 1e-16;
/// Number of multiplications after which the normal distribution replaces the exact one.
const BUDGET: u64 = 1_500_000_000;
/// The same limit for interactive use.
const HASTE: u64 = 20_000_000;
/// Maximum number of distinct profits, in the common unit.
const WIDEST: usize = 1 << 22;
/// The probabilities of [`Night::quantiles`].
const LEVELS: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];
/// Their normal quantiles.
const NORMAL: [f64; 5] = [
    -1.644_853_626_951_472_7,
    -0.674_489_750_196_081_7,
    0.0,
    0.674_489_750_196_081_7,
    1.644_853_626_951_472_7,
];

/// The house's profit in the course of a night, if each deck is an independent draw from the measured
/// games (undecided ones as they stood).
///
/// The distribution after n decks is the n-fold convolution of that of one deck, computed exactly except for tails of
/// 1e-16 per deck. If the common unit of the payments is too small for that, the normal distribution is used, from
/// the deck in [`Night::normal_from`] on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Night {
    /// Numbers of decks, ascending, from 1 to the whole night.
    pub decks: Vec<u32>,
    /// Quantiles of the profit after this many decks, at probabilities 5%, 25%, 50%, 75% and 95%: cents, a loss
    /// negative.
    pub quantiles: Vec<[f64; 5]>,
    /// Probability of a loss after the whole night.
    pub losing_probability: f64,
    /// First deck with a normal approximation; `None` if all are exact.
    pub normal_from: Option<u32>,
}

impl Night {
    /// Computes a night of `decks` decks. `None` without decks or without games.
    pub fn new(house: &House, decks: u32) -> Option<Night> {
        Night::within(house, decks, BUDGET)
    }

    /// Computes the same within a few milliseconds; a long night becomes normal sooner.
    pub fn in_haste(house: &House, decks: u32) -> Option<Night> {
        Night::within(house, decks, HASTE)
    }

    /// Returns the probability of a loss after the whole night with its 95% interval. It depends on the ratio of the
    /// mean of a deck to its standard deviation, which is estimated from the games of `house`.
    pub fn losing(&self, house: &House) -> Estimate {
        let value = self.losing_probability;
        let gains = house.gains();
        let one = Moments::of(gains.iter().map(|&(gain, games)| (gain as f64, games as i64)));
        if one.sd == 0.0 {
            return Estimate { value, low: value, high: value };
        }
        let (decks, ratio) = (self.decks.last().map_or(0.0, |&decks| f64::from(decks)), one.mean / one.sd);
        let moment = |k: i32| {
            let term =
                |&(gain, games): &(i64, u64)| games as f64 * ((gain as f64 - one.mean) / one.sd).powi(k);
            gains.iter().map(term).sum::<f64>() / one.n as f64
        };
        // Variance of the ratio, by the delta method.
        let variance = (1.0 - moment(3) * ratio + (moment(4) - 1.0) / 4.0 * ratio * ratio) / one.n as f64;
        let half = Z * (decks * variance.max(0.0)).sqrt();
        let z = match value {
            p if p <= 0.0 || p >= 1.0 => decks.sqrt() * ratio,
            p if p < 0.5 => normal_above(p),
            p => -normal_above(1.0 - p),
        };
        Estimate { value, low: normal_below(-z - half).min(value), high: normal_below(half - z).max(value) }
    }

    fn within(house: &House, decks: u32, budget: u64) -> Option<Night> {
        let gains: Vec<(i64, u64)> = house.gains().into_iter().filter(|&(_, games)| games > 0).collect();
        if decks == 0 || gains.is_empty() {
            return None;
        }
        let one = Moments::of(gains.iter().map(|&(gain, games)| (gain as f64, games as i64)));
        // The standard deviation of the sample distribution itself, not an estimate for the population.
        let sd = one.sd * ((one.n as f64 - 1.0) / one.n as f64).sqrt();
        let one_deck = Deck::exact(&shares(&gains));
        let mut exact = Some(Profit::new(TAIL)).filter(|profit| profit.width(&one_deck) <= WIDEST);
        if let Some(profit) = &mut exact {
            profit.play(&one_deck);
        }
        let mut left = budget;
        let points = points(decks);
        let mut night =
            Night { decks: points, quantiles: Vec::new(), losing_probability: 0.0, normal_from: None };
        for deck in 1..=decks {
            if deck > 1 {
                exact = exact
                    .filter(|profit| profit.cost(&one_deck) <= left && profit.width(&one_deck) <= WIDEST);
                if let Some(profit) = &mut exact {
                    left -= profit.cost(&one_deck);
                    profit.play(&one_deck);
                } else {
                    night.normal_from.get_or_insert(deck);
                }
            }
            let spread = sd * f64::from(deck).sqrt();
            let mean = one.mean * f64::from(deck);
            if night.decks.get(night.quantiles.len()) == Some(&deck) {
                night.quantiles.push(match &exact {
                    Some(profit) => profit.quantiles(LEVELS),
                    None => NORMAL.map(|z| mean + z * spread),
                });
            }
            if deck == decks {
                night.losing_probability = match &exact {
                    Some(profit) => profit.below_zero(),
                    None => normal_below_zero(mean, spread),
                };
            }
        }
        Some(night)
    }
}

/// Converts gains of one deck to probabilities.
fn shares(gains: &[(i64, u64)]) -> Vec<(i64, f64)> {
    let total: u64 = gains.iter().map(|&(_, games)| games).sum();
    gains.iter().map(|&(gain, games)| (gain, games as f64 / total as f64)).collect()
}

/// P(profit < 0) of a normal profit.
fn normal_below_zero(mean: f64, sd: f64) -> f64 {
    if sd > 0.0 {
        0.5 * statrs::function::erf::erfc(mean / (sd * std::f64::consts::SQRT_2))
    } else if mean < 0.0 {
        1.0
    } else {
        0.0
    }
}

/// Maximum number of points of a course over many decks.
const POINTS: u32 = 60;

/// Returns the numbers of decks at which a course is drawn: all of a short night, evenly spaced in a long one.
pub(super) fn points(decks: u32) -> Vec<u32> {
    if decks <= POINTS {
        return (1..=decks).collect();
    }
    let step = |i: u32| 1 + u64::from(i) * u64::from(decks - 1) / u64::from(POINTS - 1);
    (0..POINTS).map(|i| step(i) as u32).collect()
}

/// The house's gain on one deck, on a lattice of money.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Deck {
    /// Lattice step, cents.
    pub unit: i64,
    /// Smallest gain, cents.
    pub least: i64,
    /// Gains in units above the smallest, ascending, with probabilities.
    pub steps: Vec<(usize, f64)>,
}

/// Sorts gains in cents with probabilities and merges equal ones.
pub(super) fn merged(mut gains: Vec<(i64, f64)>) -> Vec<(i64, f64)> {
    gains.sort_by_key(|&(gain, _)| gain);
    join_equal(&mut gains);
    gains
}

/// Returns the mean and variance of gains with probabilities.
pub(super) fn mean_and_variance(gains: &[(i64, f64)]) -> (f64, f64) {
    let mean: f64 = gains.iter().map(|&(gain, p)| gain as f64 * p).sum();
    (mean, gains.iter().map(|&(gain, p)| (gain as f64 - mean).powi(2) * p).sum())
}

/// Returns the mean and standard deviation of a distribution of gains.
pub(super) fn moments(gains: &[(i64, f64)]) -> (f64, f64) {
    // Relative to the first gain, to preserve precision if all are alike.
    let origin = gains.first().map_or(0, |&(gain, _)| gain);
    let about: Vec<(f64, f64)> = gains.iter().map(|&(gain, p)| ((gain - origin) as f64, p)).collect();
    let shift: f64 = about.iter().map(|&(gain, p)| gain * p).sum();
    let variance: f64 = about.iter().map(|&(gain, p)| (gain - shift).powi(2) * p).sum();
    (origin as f64 + shift, variance.max(0.0).sqrt())
}

impl Deck {
    /// Places the gains on a lattice that is quick to convolve for this many decks: exactly, or on multiples no
    /// coarser than the standard deviation of all decks together divided by `grain`.
    pub fn quick(gains: &[(i64, f64)], decks: u64, grain: f64) -> Deck {
        let exact = Deck::exact(gains);
        let unit = (mean_and_variance(gains).1 * decks as f64).sqrt() / grain;
        if exact.unit as f64 >= unit { exact } else { Deck::on_multiples(gains, (unit as i64).max(1)) }
    }

    /// Places gains exactly: cents with probabilities, distinct, at least one. The unit is the greatest common
    /// divisor of their differences.
    pub fn exact(gains: &[(i64, f64)]) -> Deck {
        Deck::all_exact([gains].into_iter()).remove(0)
    }

    /// Places the gains of several kinds of decks exactly, on one lattice.
    pub fn all_exact<'a>(kinds: impl Iterator<Item = &'a [(i64, f64)]> + Clone) -> Vec<Deck> {
        let all = || kinds.clone().flatten().map(|&(gain, _)| gain);
        let least = all().min().unwrap_or(0);
        let unit = all().fold(0, |unit, gain| gcd(unit, gain - least)).max(1);
        kinds.map(|gains| Deck::on(unit, least, gains.iter().copied())).collect()
    }

    /// Places the gains on multiples of `unit` cents. A gain between two multiples is split so that its mean is
    /// preserved; the variance of a deck grows by at most a quarter of the unit squared.
    pub fn on_multiples(gains: &[(i64, f64)], unit: i64) -> Deck {
        let shared = gains.iter().flat_map(|&(gain, chance)| {
            let below = gain.div_euclid(unit) * unit;
            let up = (gain - below) as f64 / unit as f64;
            [(below, chance * (1.0 - up)), (below + unit, chance * up)]
        });
        let shared: Vec<(i64, f64)> = shared.filter(|&(_, chance)| chance > 0.0).collect();
        let least = shared.iter().map(|&(gain, _)| gain).min().unwrap_or(0);
        Deck::on(unit, least, shared.into_iter())
    }

    fn on(unit: i64, least: i64, gains: impl Iterator<Item = (i64, f64)>) -> Deck {
        let mut steps: Vec<(usize, f64)> =
            gains.map(|(gain, chance)| (((gain - least) / unit) as usize, chance)).collect();
        steps.sort_by_key(|&(step, _)| step);
        join_equal(&mut steps);
        Deck { unit, least, steps }
    }

    /// Returns the mean and standard deviation, cents.
    pub fn moments(&self) -> (f64, f64) {
        let gains: Vec<(i64, f64)> =
            self.steps.iter().map(|&(step, p)| (self.least + step as i64 * self.unit, p)).collect();
        moments(&gains)
    }

    /// Returns the units between the least and the greatest gain.
    pub fn reach(&self) -> usize {
        self.steps.last().map_or(0, |&(step, _)| step)
    }
}

/// Distribution of the profit after some decks, all on one lattice.
#[derive(Clone, Debug, Default)]
pub(super) struct Profit {
    /// Profit of `chances[0]`, cents, in a type that no number of decks overflows.
    low: i128,
    /// Lattice step, cents; 0 before the first deck.
    unit: i64,
    chances: Vec<f64>,
    /// Probability that each deck may cut from each tail.
    tail: f64,
}

impl Profit {
    /// Starts before the first deck, with a profit of 0.
    pub fn new(tail: f64) -> Profit {
        Profit { low: 0, unit: 0, chances: vec![1.0], tail }
    }

    /// Computes the profit of this many decks; each may cut a probability of `tail` from either end.
    pub fn after(decks: u64, deck: &Deck, tail: f64) -> Profit {
        let mut profit = Profit::new(tail);
        (0..decks).for_each(|_| profit.play(deck));
        profit
    }

    /// Returns the possible profits with their probabilities; `None` if they are too great to count.
    pub fn sums(&self) -> Option<Vec<(i64, f64)>> {
        self.iter().filter(|(_, p)| *p > 0.0).map(|(at, p)| Some((i64::try_from(at).ok()?, p))).collect()
    }

    /// Returns the size of the next distribution before its tails are cut.
    pub fn width(&self, deck: &Deck) -> usize {
        self.chances.len().saturating_add(deck.reach())
    }

    /// Returns the number of multiplications for the next deck.
    pub fn cost(&self, deck: &Deck) -> u64 {
        (self.chances.len() as u64)
            .saturating_mul(deck.steps.len() as u64)
            .saturating_add(self.width(deck) as u64)
    }

    /// Adds a deck, always on the same lattice.
    pub fn play(&mut self, deck: &Deck) {
        let mut next = vec![0.0; self.width(deck)];
        for &(step, chance) in &deck.steps {
            for (to, from) in next[step..].iter_mut().zip(&self.chances) {
                *to += chance * from;
            }
        }
        let tail = |chances: &mut dyn Iterator<Item = &f64>| {
            let mut cut = 0.0;
            chances
                .take_while(|&&chance| {
                    cut += chance;
                    cut <= self.tail
                })
                .count()
        };
        let below = tail(&mut next.iter());
        let above = tail(&mut next.iter().rev());
        // At least one number is kept.
        let from = below.min(next.len() - 1);
        self.chances = next[from..(next.len() - above).max(from + 1)].to_vec();
        self.low += i128::from(deck.least) + from as i128 * i128::from(deck.unit);
        self.unit = deck.unit;
    }

    /// Multiplies every probability by a share.
    pub fn times(mut self, share: f64) -> Profit {
        self.chances.iter_mut().for_each(|chance| *chance *= share);
        self
    }

    /// Adds the probabilities of another distribution, of as many decks on the same lattice.
    pub fn add(&mut self, other: &Profit) {
        let unit = i128::from(self.unit.max(1));
        let below = ((self.low - other.low) / unit).max(0) as usize;
        if below > 0 {
            self.chances.splice(..0, std::iter::repeat_n(0.0, below));
            self.low = other.low;
        }
        let from = ((other.low - self.low) / unit) as usize;
        self.chances.resize(self.chances.len().max(from + other.chances.len()), 0.0);
        self.chances[from..].iter_mut().zip(&other.chances).for_each(|(sum, chance)| *sum += chance);
    }

    /// Removes everything below a profit, and returns its probability.
    pub fn absorb_below(&mut self, profit: i128) -> f64 {
        let unit = i128::from(self.unit.max(1));
        let first = ((profit - self.low + unit - 1).div_euclid(unit)).clamp(0, self.chances.len() as i128);
        let absorbed = &mut self.chances[..first as usize];
        let sum = absorbed.iter().sum();
        absorbed.fill(0.0);
        sum
    }

    /// Returns the quantiles of the profit at ascending probabilities, cents.
    pub fn quantiles<const N: usize>(&self, levels: [f64; N]) -> [f64; N] {
        let mut sum = 0.0;
        let mut quantiles = [f64::NAN; N];
        let mut next = 0;
        let mut profit = self.low;
        for chance in &self.chances {
            sum += chance;
            // The tolerance keeps rounding from skipping a probability that is met exactly.
            while next < N && sum + 1e-11 >= levels[next] {
                quantiles[next] = profit as f64;
                next += 1;
            }
            profit += i128::from(self.unit);
        }
        quantiles[next..].fill((profit - i128::from(self.unit)) as f64);
        quantiles
    }

    /// Returns the mean profit of the worst `share` of all courses, cents.
    pub fn mean_of_worst(&self, share: f64) -> f64 {
        let (mut left, mut sum) = (share, 0.0);
        for (at, chance) in self.iter() {
            let taken = chance.min(left);
            sum += taken * at as f64;
            left -= taken;
            if left <= 0.0 {
                break;
            }
        }
        sum / (share - left).max(f64::MIN_POSITIVE)
    }

    /// Returns each profit, cents, with its probability.
    pub fn iter(&self) -> impl Iterator<Item = (i128, f64)> {
        (self.low..).step_by(self.unit.max(1) as usize).zip(self.chances.iter().copied())
    }

    /// Returns the probability of a loss.
    pub fn below_zero(&self) -> f64 {
        let sum: f64 = self.iter().filter(|(at, _)| *at < 0).map(|(_, chance)| chance).sum();
        sum.clamp(0.0, 1.0)
    }
}

pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Casino, Spec};
    use crate::stats::testing::{by_cards, casino, close, convolved, quantile};

    fn house(casino: Casino, games: &[(u16, u64)]) -> House {
        let spec = Spec { casino, ..Spec::default() };
        House::new(&by_cards(&spec, games), &spec.casino)
    }

    #[test]
    fn agrees_with_every_sequence_of_decks() {
        let games = [(3, 5), (9, 3), (14, 1), (52, 1)];
        let house = house(casino(5200, 500, 3000), &games);
        let gains: Vec<_> = house.gains().into_iter().map(|(gain, n)| (gain, n as f64 / 10.0)).collect();
        let sums = convolved(&gains, 5);
        let night = Night::new(&house, 5).unwrap();
        assert_eq!(night.quantiles[4], LEVELS.map(|level| quantile(&sums, level)));
        let losing = sums.range(..0).map(|(_, p)| p).sum();
        close(night.losing_probability, losing, 1e-12);
    }

    /// Repeated measurements of a biased coin: the interval holds the true probability of a losing night in 95% of
    /// samples; these are 400 of them.
    #[test]
    fn the_interval_of_losing_nights_holds_what_is_true() {
        use rand::{RngExt, SeedableRng};
        let coin = |heads: u64, tails: u64| house(casino(100, 100, 0), &[(0, heads), (2, tails)]);
        for (share, decks) in [(0.5, 21), (0.56, 41), (0.44, 101)] {
            let truth = Night::new(&coin((share * 100.0) as u64, (100.0 - share * 100.0) as u64), decks);
            let truth = truth.unwrap().losing_probability;
            let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(decks.into());
            let held = (0..400).filter(|_| {
                let heads = (0..500).filter(|_| rng.random_bool(share)).count() as u64;
                let house = coin(heads, 500 - heads);
                let it = Night::new(&house, decks).unwrap().losing(&house);
                assert!(it.low <= it.value && it.value <= it.high);
                it.low <= truth && truth <= it.high
            });
            let held = held.count();
            assert!((368..=392).contains(&held), "{share} {decks}: {held} of 400");
        }
    }

    #[test]
    fn a_long_night_is_nearly_normal() {
        let games: Vec<(u16, u64)> = (1..30).map(|cards| (cards, 60 - u64::from(cards))).collect();
        let house = house(casino(6500, 500, 0), &games);
        let exact = Night::new(&house, 400).unwrap();
        let normal = Night::within(&house, 400, 0).unwrap();
        assert_eq!((exact.normal_from, normal.normal_from), (None, Some(2)));
        assert_eq!(exact.decks.len(), 60);
        assert_eq!((exact.decks.first(), exact.decks.last()), (Some(&1), Some(&400)));
        let sd = house.sd() * 20.0;
        for (a, b) in exact.quantiles[59].iter().zip(normal.quantiles[59]) {
            close(*a, b, 0.02 * sd);
        }
        close(exact.losing_probability, normal.losing_probability, 0.01);
    }

    #[test]
    fn payments_without_a_common_unit_end_in_time() {
        let games: Vec<(u16, u64)> = (0..=52).map(|cards| (cards, 3)).collect();
        let odd = Night::new(&house(casino(99_999_999, 12_345_677, 999_999_937), &games), 3).unwrap();
        assert_eq!(odd.normal_from, Some(2));
        assert!(odd.quantiles.iter().flatten().all(|quantile| quantile.is_finite()));
    }

    #[test]
    fn edge_cases() {
        assert_eq!(Night::new(&house(casino(100, 1, 0), &[]), 5), None);
        assert_eq!(Night::new(&house(casino(100, 1, 0), &[(3, 1)]), 0), None);
        let sure = Night::new(&house(casino(100, 10, 0), &[(3, 7)]), 4).unwrap();
        assert_eq!(sure.quantiles[3], [280.0; 5]);
        let dear = Night::new(&house(casino(0, 1_000_000_000_000, 0), &[(52, 7)]), 1_000_000).unwrap();
        assert_eq!(dear.quantiles[59], [-5.2e19; 5]);
        close(sure.losing_probability, 0.0, 1e-15);
    }
}
