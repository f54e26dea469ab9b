//! Tests whether payments are due to chance alone: the exact probability for a whole night, and a sequential test
//! that may be checked after every deck.

use super::question::{Evidence, Inquest, NightRow, Suspect};
use crate::stats::Estimate;
use crate::stats::interval::{TAIL, normal_below};
use crate::stats::profit::{Deck, Profit, mean_and_variance, merged};
use crate::stats::sample::upper_limit;

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
