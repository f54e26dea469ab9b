//! Tests whether any mix of the kinds of players explains a night.

use statrs::function::gamma::ln_gamma;

use super::chance::{Mixed, chances_of};
use super::question::{Inquest, NightRow, Suspect};
use crate::stats::binomial::clopper_pearson_at;

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
