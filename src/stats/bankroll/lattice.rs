//! Lattices of money on which gains are quick to convolve.

use super::visits::{Kind, Visits};
use crate::stats::profit::{Deck, gcd, moments};

/// Number of narrowing steps; each leaves a small part of the error.
const NARROWINGS: usize = 8;
/// Number of standard deviations beyond which a distribution is negligible.
const FAR: f64 = 8.0;
/// Number of lattice points that is enough for any spread of a deck.
const FINE: f64 = 1e4;
/// Maximum size of all distributions of a night together: 64 MB.
const MOST_NUMBERS: f64 = 8e6;

/// Lattice steps in cents; `None` for the exact gains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Steps {
    /// Step for the profit.
    pub sums: Option<i64>,
    /// Step for the lowest profit.
    pub lows: Option<i64>,
}

impl Steps {
    /// Chooses steps as fine as a budget of multiplications allows.
    pub fn within(budget: f64, visits: &Visits, decks: u32) -> Steps {
        let (mean, sd) = visits.night(decks);
        let wide = |deck: &Deck| deck.reach() as f64;
        let deep = |deck: &Deck| wide(deck).max(-deck.least as f64 / deck.unit as f64);
        let sums = Night { visits, decks, span: 2.0 * FAR * sd, budget, reach: &wide };
        let lows = Night { span: FAR * sd + (-mean).max(0.0), reach: &deep, ..sums };
        Steps {
            sums: if sums.allows(&as_they_are(visits)) == Some(true) { None } else { sums.step() },
            lows: lows.step(),
        }
    }
}

/// A night in which the relevant profits after the last deck span `span` cents.
#[derive(Clone, Copy)]
struct Night<'a> {
    visits: &'a Visits,
    decks: u32,
    span: f64,
    /// Maximum number of multiplications.
    budget: f64,
    /// Lattice points by which a deck widens a distribution.
    reach: &'a dyn Fn(&Deck) -> f64,
}

impl Night<'_> {
    /// Returns whether the budget allows the night on this lattice; `None` if it needs too much memory.
    fn allows(&self, laid: &[Deck]) -> Option<bool> {
        let decks = f64::from(self.decks);
        let (mut cost, mut numbers) = (0.0, 0.0);
        for (kind, deck) in self.visits.kinds.iter().zip(laid) {
            let reach = (self.reach)(deck);
            let widest = (self.span / deck.unit as f64).min(decks * reach) + reach;
            let places = f64::from(kind.decks);
            cost += decks * widest * deck.steps.len() as f64 * 0.7 * places;
            numbers += widest * places;
        }
        (numbers <= MOST_NUMBERS).then_some(cost <= self.budget)
    }

    /// Returns a step as fine as the budget allows, but at most about a fifth of a deck's standard deviation, so that
    /// its variance grows by no more than a hundredth. Visits of several decks need many distributions, so their step
    /// may be as large as the standard deviation, but the variance is then preserved. Only the limit of memory allows
    /// a coarser step.
    fn step(&self) -> Option<i64> {
        let finest = finest(self.visits);
        let spread = self.visits.spread();
        let coarsest = if self.visits.are_decks() { spread / 5.0 } else { spread };
        let coarsest = coarsest.max(self.span / FINE);
        let mut unit = finest;
        loop {
            let step = (unit != finest).then_some(unit);
            match self.allows(&on_multiples(self.visits, step)) {
                Some(true) => return step,
                Some(false) if 2.0 * unit as f64 > coarsest => return step,
                _ => unit = unit.saturating_mul(2),
            }
        }
    }
}

/// Returns the greatest common divisor of all gains.
fn finest(visits: &Visits) -> i64 {
    let all = visits.kinds.iter().flat_map(|kind| &kind.gains);
    all.fold(0, |unit, &(gain, _)| gcd(unit, gain)).max(1)
}

/// Places the gains of each kind of visit on the lattice of their differences, which has the fewest points.
fn as_they_are(visits: &Visits) -> Vec<Deck> {
    Deck::all_exact(visits.kinds.iter().map(|kind| &kind.gains[..]))
}

/// Places the decks of each kind of visit on one lattice, for sums.
pub(super) fn for_sums(visits: &Visits, step: Option<i64>) -> Vec<Deck> {
    match step {
        None => as_they_are(visits),
        step => on_multiples(visits, step),
    }
}

/// Places the decks of each kind of visit on multiples of a step.
pub(super) fn on_multiples(visits: &Visits, step: Option<i64>) -> Vec<Deck> {
    let unit = step.unwrap_or_else(|| finest(visits));
    let lay = |kind: &Kind| match visits.are_decks() || step.is_none() {
        true => Deck::on_multiples(&kind.gains, unit),
        false => Deck::on_multiples(&narrowed(&kind.gains, unit), unit),
    };
    visits.kinds.iter().map(lay).collect()
}

/// Contracts the gains towards their mean, so that placing them on multiples of `unit` cents restores their
/// original variance.
fn narrowed(gains: &[(i64, f64)], unit: i64) -> Vec<(i64, f64)> {
    let (mean, sd) = moments(gains);
    let drawn = |times: f64| -> Vec<(i64, f64)> {
        gains.iter().map(|&(gain, p)| ((mean + (gain as f64 - mean) * times).round() as i64, p)).collect()
    };
    let mut times = 1.0;
    for _ in 0..NARROWINGS {
        let (_, wide) = Deck::on_multiples(&drawn(times), unit).moments();
        if wide <= 0.0 {
            break;
        }
        times *= sd / wide;
    }
    drawn(times)
}
