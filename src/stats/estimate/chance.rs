//! Whether chance alone pays so much: the exact probability for a whole night, and a test that may be looked at after every
//! deck.

use super::question::{Evidence, Inquest, NightRow};
use crate::stats::interval::normal_below;
use crate::stats::profit::{Deck, Profit, mean_and_variance, merged};

/// What a deck of the expected players pays.
pub(super) struct Mixed {
    /// Cents, each with its probability, ascending.
    pub pays: Vec<(i64, f64)>,
    pub mean: f64,
    variance: f64,
    pub fees: f64,
    /// The standard error of the mean, as the games are a sample.
    error: f64,
}

impl Mixed {
    pub fn new(asked: &Inquest<'_>) -> Mixed {
        let whole: f64 = asked.suspects.iter().map(|it| it.share).sum();
        let mut pays: Vec<(i64, f64)> = Vec::new();
        let (mut error, mut fees) = (0.0, 0.0);
        for suspect in asked.suspects {
            let share = suspect.share / whole;
            let games = suspect.histogram.iter().sum::<u64>().max(1) as f64;
            let of = || suspect.histogram.iter().zip(asked.pays).filter(|(n, _)| **n > 0);
            pays.extend(of().map(|(n, pay)| (*pay, share * *n as f64 / games)));
            let mean: f64 = of().map(|(n, pay)| *n as f64 / games * *pay as f64).sum();
            let spread: f64 = of().map(|(n, pay)| *n as f64 / games * (*pay as f64 - mean).powi(2)).sum();
            error += share.powi(2) * spread / games;
            fees += share * suspect.fees;
        }
        let pays = merged(pays);
        let (mean, variance) = mean_and_variance(&pays);
        Mixed { pays, mean, variance, fees, error: error.sqrt() }
    }
}

/// Decks beyond which the sum is taken as normal.
const MOST: u64 = 2_000;
/// Lattice points in a standard deviation of all decks.
const GRAIN: f64 = 1_000.0;

/// The probability that `decks` decks of these are paid `paid` cents or more.
pub(super) fn chance_of(mixed: &Mixed, decks: u64, paid: i64) -> f64 {
    let sd = (mixed.variance * decks as f64).sqrt();
    let normal = || {
        let z = (paid as f64 - mixed.mean * decks as f64) / sd.max(1e-9);
        normal_below(-z)
    };
    if decks > MOST {
        return normal();
    }
    let deck = Deck::quick(&mixed.pays, decks, GRAIN);
    let mut profit = Profit::new(1e-16);
    (0..decks).for_each(|_| profit.play(&deck));
    let above = profit.iter(&deck).filter(|(at, _)| *at >= i128::from(paid)).map(|(_, p)| p);
    above.sum::<f64>().clamp(0.0, 1.0)
}

/// Bets against chance, as shares of the wealth that a deck without any payment would take.
const BETS: usize = 12;
/// The mean that is tested allows for the error of the measured games: it is exceeded once in a thousand.
const ALLOWED: f64 = 3.090_232_306_167_813;
/// Points of the course that are kept.
const POINTS: usize = 200;

/// The course of a test by betting (Waudby-Smith and Ramdas 2024): one who bets on every deck that it pays more than the mean of
/// the expected players, with stakes fixed before, multiplies the wealth by 1/alpha with a probability of at most alpha, however
/// long it lasts (Ville's inequality). The wealth is the mean over bets of several sizes. Decks that were paid together count by
/// the probability p of so much or more, which multiplies it by (1 - p + p ln p) / (p ln(p)^2) (Vovk and Wang 2021).
pub(super) fn course(asked: &Inquest<'_>, mixed: &Mixed) -> (Vec<Evidence>, Option<u64>) {
    let (least, most) =
        asked.pays.iter().fold((i64::MAX, i64::MIN), |(a, b), pay| (a.min(*pay), b.max(*pay)));
    let range = (most - least).max(1) as f64;
    let scaled = |cents: f64| ((cents - least as f64) / range).clamp(0.0, 1.0);
    let mean = scaled(mixed.mean + ALLOWED * mixed.error).max(1e-9);
    // From nine tenths of what can be lost down to a three-hundredth.
    let bets: Vec<f64> = (0..BETS).map(|i| 0.9 * 0.6f64.powi(i as i32) / mean).collect();
    let mut logs = vec![0.0f64; BETS];
    let mut extra = 0.0;
    let mut decks = 0;
    let mut all = vec![Evidence { decks: 0, wealth: 1.0 }];
    let mut found = None;
    let mut told = |decks: u64, logs: &[f64], extra: f64| {
        let wealth = logs.iter().map(|log| (log + extra).exp()).sum::<f64>() / BETS as f64;
        let wealth = wealth.min(1e300);
        if found.is_none() && wealth >= 1.0 / asked.alpha {
            found = Some(decks);
        }
        all.push(Evidence { decks, wealth });
    };
    for result in asked.results {
        match *result {
            NightRow::Each { cards, decks: times } => {
                let pay = asked.pays.get(usize::from(cards)).copied().unwrap_or(least);
                let beyond = scaled(pay as f64) - mean;
                for _ in 0..times {
                    decks += 1;
                    logs.iter_mut().zip(&bets).for_each(|(log, bet)| *log += (bet * beyond).ln_1p());
                    told(decks, &logs, extra);
                }
            }
            NightRow::Together { decks: times, paid } => {
                decks += u64::from(times);
                extra += calibrated(chance_of(mixed, times.into(), paid)).ln();
                told(decks, &logs, extra);
            }
        }
    }
    // Of many points some are kept, the highest and the last among them.
    let step = all.len().div_ceil(POINTS).max(1);
    let last = all.len() - 1;
    let highest = (0..all.len()).max_by(|a, b| all[*a].wealth.total_cmp(&all[*b].wealth));
    let kept = all
        .iter()
        .enumerate()
        .filter(|(i, at)| i % step == 0 || *i == last || Some(*i) == highest || Some(at.decks) == found);
    (kept.map(|(_, at)| *at).collect(), found)
}

/// The wealth that a probability is worth: its mean over all probabilities, if chance alone is at work, is 1.
fn calibrated(p: f64) -> f64 {
    let p = p.clamp(1e-300, 1.0);
    let log = p.ln();
    // Near 1 the formula is 0 / 0; its limit is 1/2.
    if log > -1e-4 { 0.5 } else { (1.0 - p + p * log) / (p * log * log) }
}
