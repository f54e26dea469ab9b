//! The results of a night and the possible players, and whether payments are due to chance alone: the exact probability
//! for a whole night, a sequential test that may be checked after every deck, and whether any mix of players explains
//! the night.

use serde::Serialize;
use statrs::function::gamma::ln_gamma;

use crate::cards::Seed;
use crate::stats::Estimate;
use crate::stats::interval::{TAIL, clopper_pearson_at, normal_below};
use crate::stats::night::{Deck, Profit, mean_and_variance, merged};
use crate::stats::sample::upper_limit;

/// Results of some decks of a night.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum NightRow {
    /// This many decks, each of which ended with this many cards.
    Each {
        /// Cards on the foundations.
        cards: u16,
        /// Number of decks, at least 1.
        decks: u32,
    },
    /// Several decks with their total payment, cents.
    Together {
        /// Number of decks, at least [`LEAST_TOGETHER`].
        decks: u32,
        /// Cents.
        paid: i64,
    },
}

/// Minimum number of decks paid together: their sum is approximated as normal.
pub const LEAST_TOGETHER: u32 = 30;

impl NightRow {
    /// Returns the number of decks.
    pub fn decks(&self) -> u32 {
        match self {
            NightRow::Each { decks, .. } | NightRow::Together { decks, .. } => *decks,
        }
    }
}

/// A kind of player that may have been there, as measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    /// Games by cards.
    pub histogram: Vec<u64>,
    /// Mean cost of a deck in addition to its price, cents: redeal fees.
    pub fees: f64,
    /// Share of the decks that they are expected to buy, above 0.
    pub share: f64,
}

/// Input of the estimate.
#[derive(Clone, Debug, PartialEq)]
pub struct Inquest<'a> {
    /// The results, in the order of the file.
    pub results: &'a [NightRow],
    /// The possible players.
    pub suspects: &'a [Suspect],
    /// Payment by cards, cents.
    pub pays: &'a [i64],
    /// The price of a deck, cents, above 0.
    pub price: i64,
    /// Weight of the expected shares, in decks with known buyers, above 0.
    pub weight: f64,
    /// Probability with which an honest night may be called too unlucky.
    pub alpha: f64,
    /// Seed of the draws.
    pub seed: Seed,
}

/// Number of orders of the rows from which sorted ones are taken as sorted afterwards: two of these orders are sorted.
const ORDERS: f64 = 2_000.0;

impl Inquest<'_> {
    /// Returns the payment for the decks of a row, cents.
    pub(super) fn paid(&self, row: &NightRow) -> i64 {
        match *row {
            NightRow::Each { cards, decks } => {
                self.pays.get(usize::from(cards)).copied().unwrap_or(0).saturating_mul(decks.into())
            }
            NightRow::Together { paid, .. } => paid,
        }
    }

    /// Returns whether the results may be in the order in which the decks were sold: no row counts decks by their cards,
    /// and the rows are not sorted by what a deck was paid.
    pub fn in_order(&self) -> bool {
        let counted = |row: &NightRow| matches!(row, NightRow::Each { decks: 2.., .. });
        if self.results.iter().any(counted) {
            return false;
        }
        let paid = |row: &NightRow| self.paid(row) as f64 / f64::from(row.decks().max(1));
        let paid: Vec<f64> = self.results.iter().map(paid).collect();
        if !paid.is_sorted() && !paid.iter().rev().is_sorted() {
            return true;
        }
        let (mut orders, mut alike) = (1.0, 0.0);
        for (i, pay) in paid.iter().enumerate() {
            alike = if i > 0 && paid[i - 1] == *pay { alike + 1.0 } else { 1.0 };
            orders *= (i as f64 + 1.0) / alike;
        }
        orders < ORDERS
    }
}

/// A point in the course of the sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// Decks so far.
    pub decks: u64,
    /// At most one honest night in this many is ever so unlucky for the house; a value up to 1 is no evidence against
    /// luck.
    pub one_in: f64,
}

/// Payment of a deck under the expected mix.
#[derive(Clone, Debug)]
pub(super) struct Mixed {
    /// Cents, with probabilities, ascending.
    pub pays: Vec<(i64, f64)>,
    pub mean: f64,
    variance: f64,
    pub fees: f64,
}

impl Mixed {
    /// Computes the payment from the measured games.
    pub fn new(asked: &Inquest<'_>) -> Mixed {
        let whole: f64 = asked.suspects.iter().map(|it| it.share).sum();
        let mut pays: Vec<(i64, f64)> = Vec::new();
        let mut fees = 0.0;
        for suspect in asked.suspects {
            let share = suspect.share / whole;
            let games = suspect.histogram.iter().sum::<u64>().max(1) as f64;
            let of = suspect.histogram.iter().zip(asked.pays).filter(|(n, _)| **n > 0);
            pays.extend(of.map(|(n, pay)| (*pay, share * *n as f64 / games)));
            fees += share * suspect.fees;
        }
        Mixed::of(pays, fees)
    }

    pub fn of(pays: Vec<(i64, f64)>, fees: f64) -> Mixed {
        let pays = merged(pays);
        let (mean, variance) = mean_and_variance(&pays);
        Mixed { pays, mean, variance, fees }
    }

    /// Returns the mixes with the lowest and the highest mean payment that the measured games allow, except with a
    /// probability of `tail` each: the least or the greatest payment gets the extra weight that brings the mean to
    /// its limit, so that an unobserved payment counts as possible. Limits of the kinds are combined as the root of a
    /// sum of squares (MOVER; Zou and Donner 2008).
    pub fn limits(&self, asked: &Inquest<'_>, tail: f64) -> [Mixed; 2] {
        let whole: f64 = asked.suspects.iter().map(|it| it.share).sum();
        let (least, most) = range(asked);
        [(-1.0, least), (1.0, most)].map(|(sign, end)| {
            let (from, to) = if sign > 0.0 { (least, most) } else { (-most, -least) };
            let beyond = |suspect: &Suspect| {
                let of = suspect.histogram.iter().zip(asked.pays).filter(|(n, _)| **n > 0);
                let seen: Vec<(f64, f64)> = of.map(|(n, pay)| (sign * *pay as f64, *n as f64)).collect();
                let games: f64 = seen.iter().map(|(_, n)| n).sum();
                let mean = seen.iter().map(|(pay, n)| pay * n / games.max(1.0)).sum::<f64>();
                suspect.share / whole * (upper_limit(tail, &seen, from as f64, to as f64) - mean).max(0.0)
            };
            let far = asked.suspects.iter().map(|it| beyond(it).powi(2)).sum::<f64>().sqrt();
            let room = sign * (end as f64 - self.mean);
            let more = if room > 0.0 { (far / room).min(1.0) } else { 0.0 };
            let pays = self.pays.iter().map(|(pay, p)| (*pay, p * (1.0 - more)));
            Mixed::of(pays.chain([(end, more)]).filter(|(_, p)| *p > 0.0).collect(), self.fees)
        })
    }
}

/// Returns the least and the greatest payment.
pub(super) fn range(asked: &Inquest<'_>) -> (i64, i64) {
    asked.pays.iter().fold((i64::MAX, i64::MIN), |(a, b), pay| (a.min(*pay), b.max(*pay)))
}

/// Number of decks up to which the sum is computed deck by deck; beyond, in groups of decks.
const MOST: u64 = 2_000;
const GROUPS: u64 = 200;
/// Lattice points per standard deviation of all decks, and of all groups.
const GRAIN: f64 = 1_000.0;
const GRAIN_OF_GROUPS: f64 = 300.0;
/// Probability that each deck may cut from each tail.
const CUT: f64 = 1e-16;

/// Returns the probabilities that `decks` decks are paid at least `paid` cents, and at most `paid` cents.
pub(super) fn chances_of(mixed: &Mixed, decks: u64, paid: i64) -> [f64; 2] {
    let exact = match decks <= MOST {
        true => {
            let deck = Deck::quick(&mixed.pays, decks, GRAIN);
            Some(tails(Profit::after(decks, &deck, CUT).iter(), paid))
        }
        false => {
            sums(&mixed.pays, decks).map(|sums| tails(sums.into_iter().map(|(at, p)| (at.into(), p)), paid))
        }
    };
    let normal = || {
        let sd = (mixed.variance * decks as f64).sqrt();
        let above = normal_below((mixed.mean * decks as f64 - paid as f64) / sd.max(1e-9));
        [above, 1.0 - above]
    };
    exact.unwrap_or_else(normal)
}

/// Returns these probabilities with 95% limits, which allow for the sampling error of the games.
pub(super) fn chances_within(mixed: &Mixed, asked: &Inquest<'_>, decks: u64, paid: i64) -> [Estimate; 2] {
    let values = chances_of(mixed, decks, paid);
    let limits = mixed.limits(asked, TAIL).map(|it| chances_of(&it, decks, paid));
    [0, 1].map(|side| {
        let [value, a, b] = [values, limits[0], limits[1]].map(|it| it[side]);
        Estimate { value, low: value.min(a).min(b), high: value.max(a).max(b) }
    })
}

fn tails(sums: impl Iterator<Item = (i128, f64)>, paid: i64) -> [f64; 2] {
    let (mut above, mut below) = (0.0f64, 0.0f64);
    for (at, p) in sums {
        above += if at >= paid.into() { p } else { 0.0 };
        below += if at <= paid.into() { p } else { 0.0 };
    }
    [above, below].map(|it| it.clamp(0.0, 1.0))
}

/// Returns the sums of this many decks, in groups if they are many, so that a rare great payment keeps its weight;
/// `None` if they are too great to count.
fn sums(pays: &[(i64, f64)], decks: u64) -> Option<Vec<(i64, f64)>> {
    let group = decks.div_ceil(GROUPS);
    let unit = (mean_and_variance(pays).1 * decks as f64).sqrt() / GRAIN_OF_GROUPS;
    let unit = (unit as i64).max(1);
    let one = Deck::on_multiples(pays, unit);
    if group <= 1 {
        return Profit::after(decks, &one, CUT).sums();
    }
    let whole = Deck::on_multiples(&sums(pays, group)?, unit);
    let mut profit = Profit::after(decks / group, &whole, CUT);
    (0..decks % group).for_each(|_| profit.play(&one));
    profit.sums()
}

/// Number of bet sizes, as shares of the wealth that a deck without payment would take.
const BETS: usize = 12;
/// Error probability with which the test allows for the sampling error of the measured games.
const ALLOWED: f64 = 0.001;
/// Number of points of the course that are kept.
const POINTS: usize = 200;

/// Returns the course of a test by betting (Waudby-Smith and Ramdas 2024): bets, with stakes fixed in advance, that
/// every deck pays more than the mean of the expected players multiply the wealth by 1/alpha with a probability of at
/// most alpha, at any time (Ville's inequality). The wealth is the mean over several bet sizes. Decks that were paid
/// together are counted by the greatest probability p, allowed by the games, of such a payment or more, which
/// multiplies the wealth by (1 - p + p ln p) / (p ln(p)^2) (Vovk and Wang 2021).
///
/// If the decks are not in the order of sale, only the wealth at the end counts, which is the same in any order.
pub(super) fn course(asked: &Inquest<'_>, mixed: &Mixed) -> (Vec<Evidence>, Option<u64>) {
    let in_order = asked.in_order();
    let (least, most) = range(asked);
    let range = (most - least).max(1) as f64;
    let scaled = |cents: f64| ((cents - least as f64) / range).clamp(0.0, 1.0);
    let [_, best_paid] = mixed.limits(asked, ALLOWED);
    let mean = scaled(best_paid.mean).max(1e-9);
    // From nine tenths of the possible loss down to a three-hundredth.
    let bets: Vec<f64> = (0..BETS).map(|i| 0.9 * 0.6f64.powi(i as i32) / mean).collect();
    let mut logs = vec![0.0f64; BETS];
    let mut extra = 0.0;
    let mut decks = 0;
    let mut all = vec![Evidence { decks: 0, one_in: 1.0 }];
    let mut found = None;
    let mut told = |decks: u64, logs: &[f64], extra: f64| {
        let wealth = logs.iter().map(|log| (log + extra).exp()).sum::<f64>() / BETS as f64;
        let wealth = wealth.min(1e300);
        if found.is_none() && wealth >= 1.0 / asked.alpha {
            found = Some(decks);
        }
        all.push(Evidence { decks, one_in: wealth });
    };
    for result in asked.results {
        match *result {
            NightRow::Each { cards, decks: times } => {
                let pay = asked.pays.get(usize::from(cards)).copied().unwrap_or(least);
                let beyond = scaled(pay as f64) - mean;
                for _ in 0..times {
                    decks += 1;
                    logs.iter_mut().zip(&bets).for_each(|(log, bet)| *log += (bet * beyond).ln_1p());
                    if in_order {
                        told(decks, &logs, extra);
                    }
                }
            }
            NightRow::Together { decks: times, paid } => {
                decks += u64::from(times);
                extra += calibrated(chances_of(&best_paid, times.into(), paid)[0]).ln();
                if in_order {
                    told(decks, &logs, extra);
                }
            }
        }
    }
    if !in_order {
        told(decks, &logs, extra);
    }
    // Thins the points, keeping the highest and the last.
    let step = all.len().div_ceil(POINTS).max(1);
    let last = all.len() - 1;
    let highest = (0..all.len()).max_by(|a, b| all[*a].one_in.total_cmp(&all[*b].one_in));
    let kept = all
        .iter()
        .enumerate()
        .filter(|(i, at)| i % step == 0 || *i == last || Some(*i) == highest || Some(at.decks) == found);
    (kept.map(|(_, at)| *at).collect(), found)
}

/// Returns the wealth for a p-value: its mean under pure chance is 1.
fn calibrated(p: f64) -> f64 {
    let p = p.clamp(1e-300, 1.0);
    let log = p.ln();
    // Near 1 the formula is 0 / 0; its limit is 1/2.
    if log > -1e-4 { 0.5 } else { (1.0 - p + p * log) / (p * log * log) }
}

/// Number of parts of the error rate: the limits of the measured games, and three tests.
const PARTS: f64 = 4.0;
/// Maximum number of iterations to fit a mix.
const ROUNDS: usize = 500;
/// Weights, in decks, of the kinds in the alternatives.
const WEIGHTS: [f64; 4] = [4.0, 16.0, 64.0, 256.0];

/// Returns an upper bound of the p-value of the hypothesis that some mix of these kinds played the night: for nights
/// of any mix, the result is at most `alpha` with a probability of at most `alpha`, however few games were measured.
/// It considers the total payment, which may be too high or too low, and the number of decks that reached each number
/// of cards.
pub(super) fn fit(asked: &Inquest<'_>, decks: u64, paid: i64) -> f64 {
    let tail = asked.alpha / PARTS / (3 * asked.suspects.len() * asked.pays.len()) as f64;
    let mut by_pay: Vec<usize> = (0..asked.pays.len()).collect();
    by_pay.sort_by_key(|&cards| asked.pays[cards]);
    let too_little = chances_of(&extreme(asked, &by_pay, tail), decks, paid)[1];
    by_pay.reverse();
    let too_much = chances_of(&extreme(asked, &by_pay, tail), decks, paid)[0];
    (PARTS * too_much.min(too_little).min(shape(asked, tail))).min(1.0)
}

/// Returns the upper limit for the rate of this many of a kind's games.
fn most(suspect: &Suspect, tail: f64, of: impl Iterator<Item = usize>) -> f64 {
    let seen = of.filter_map(|cards| suspect.histogram.get(cards)).sum();
    clopper_pearson_at(tail, seen, suspect.histogram.iter().sum()).1
}

/// Returns a deck paid stochastically at least as much as any kind's, if `order` lists numbers of cards from the best
/// paid, or at most as much, if it lists them from the worst. No mix is more extreme.
fn extreme(asked: &Inquest<'_>, order: &[usize], tail: f64) -> Mixed {
    let mut before = 0.0;
    let pays = (1..=order.len()).map(|n| {
        let rate = |it: &Suspect| most(it, tail, order[..n].iter().copied());
        let so_far = match n == order.len() {
            true => 1.0,
            false => asked.suspects.iter().map(rate).fold(before, f64::max),
        };
        let p = so_far - before;
        before = so_far;
        (asked.pays[order[n - 1]], p)
    });
    Mixed::of(pays.filter(|(_, p)| *p > 0.0).collect(), 0.0)
}

/// Returns the same bound from the number of decks that reached each number of cards, 1 without such rows: the
/// likelihood of the best fitting mix, divided by that of alternatives fixed before the night (universal inference;
/// Wasserman, Ramdas and Balakrishnan 2020). The inverse ratio has a mean of at most 1 under every mix, so it exceeds
/// 1/p with a probability of at most p.
fn shape(asked: &Inquest<'_>, tail: f64) -> f64 {
    let mut seen = vec![0.0; asked.pays.len()];
    for row in asked.results {
        if let NightRow::Each { cards, decks } = *row
            && let Some(seen) = seen.get_mut(usize::from(cards))
        {
            *seen += f64::from(decks);
        }
    }
    let all: f64 = seen.iter().sum();
    let kinds = asked.suspects.len() as f64;
    let reached: Vec<(usize, f64)> = seen.into_iter().enumerate().filter(|(_, n)| *n > 0.0).collect();
    // By observed number of cards, then by kind.
    let limits: Vec<Vec<f64>> = reached
        .iter()
        .map(|(cards, _)| asked.suspects.iter().map(|it| most(it, tail, [*cards].into_iter())).collect())
        .collect();
    let mut shares = vec![1.0 / kinds; asked.suspects.len()];
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let mixed = |limits: &Vec<f64>| limits.iter().zip(&shares).map(|(p, share)| p * share).sum::<f64>();
        let mut gains = vec![0.0; shares.len()];
        let mut log = 0.0;
        for (limits, (_, n)) in limits.iter().zip(&reached) {
            let p = mixed(limits);
            log += n * p.ln();
            gains.iter_mut().zip(limits).for_each(|(gain, limit)| *gain += n / all * limit / p);
        }
        // The logarithm is concave, so the tangent bounds the likelihood of every mix.
        best = best.min(log + all * (gains.iter().fold(1.0, |a: f64, b| a.max(*b)) - 1.0));
        shares.iter_mut().zip(gains).for_each(|(share, gain)| *share *= gain);
    }
    // The alternatives are centred at the mean of the kinds, half of whose weight is spread evenly over all numbers
    // of cards.
    let base = |cards: usize| {
        let rate = |it: &Suspect| it.histogram[cards] as f64 / it.histogram.iter().sum::<u64>().max(1) as f64;
        0.5 * asked.suspects.iter().map(rate).sum::<f64>() / kinds + 0.5 / asked.pays.len() as f64
    };
    let other = |weight: f64| {
        let one =
            |(cards, n): &(usize, f64)| ln_gamma(weight * base(*cards) + n) - ln_gamma(weight * base(*cards));
        ln_gamma(weight) - ln_gamma(weight + all) + reached.iter().map(one).sum::<f64>()
            - (WEIGHTS.len() as f64).ln()
    };
    let ratio: f64 = WEIGHTS.iter().map(|weight| (other(*weight) - best).exp()).sum();
    if reached.is_empty() { 1.0 } else { 1.0 / ratio.max(1.0) }
}
