//! Gains on lattices of sums of money that are quick to convolve.

use super::visits::{Kind, Visits};
use crate::stats::profit::{Deck, gcd, moments};

/// Steps by which gains are narrowed; each leaves a small part of the error.
const NARROWINGS: usize = 8;
/// Standard deviations from the mean beyond which nothing is left of a distribution.
const FAR: f64 = 8.0;
/// Parts of what matters that are fine enough whatever a deck varies by.
const FINE: f64 = 1e4;
/// Numbers that the places of a night hold together, at most: 64 MB.
const MOST_NUMBERS: f64 = 8e6;

/// The steps in cents on which gains are shared out; `None` where they stay as they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Steps {
    /// For the profit.
    pub sums: Option<i64>,
    /// For how low it comes.
    pub lows: Option<i64>,
}

impl Steps {
    /// Steps as fine as a budget of multiplications allows.
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

/// A night whose last deck has `span` cents of profits that matter.
#[derive(Clone, Copy)]
struct Night<'a> {
    visits: &'a Visits,
    decks: u32,
    span: f64,
    /// Multiplications.
    budget: f64,
    /// Numbers by which a deck widens a distribution.
    reach: &'a dyn Fn(&Deck) -> f64,
}

impl Night<'_> {
    /// Whether the budget allows the night on this lattice; `None` if it takes too much memory.
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

    /// Whole multiples as fine as the budget allows, but not much coarser than a fifth of the standard deviation of a deck, so that
    /// its variance never grows by more than a hundredth. Where there are visits of several decks, which are many places to
    /// compute, up to all of it, but then the variance is kept. Only what takes too much memory is coarser.
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

/// The greatest sum that divides all gains.
fn finest(visits: &Visits) -> i64 {
    let all = visits.kinds.iter().flat_map(|kind| &kind.gains);
    all.fold(0, |unit, &(gain, _)| gcd(unit, gain)).max(1)
}

/// The gains of each kind of visits on the lattice of their differences, as these are fewest.
fn as_they_are(visits: &Visits) -> Vec<Deck> {
    Deck::all_exact(visits.kinds.iter().map(|kind| &kind.gains[..]))
}

/// The decks of each kind of visits on one lattice, for sums.
pub(super) fn for_sums(visits: &Visits, step: Option<i64>) -> Vec<Deck> {
    match step {
        None => as_they_are(visits),
        step => on_multiples(visits, step),
    }
}

/// Those on whole multiples of a step.
pub(super) fn on_multiples(visits: &Visits, step: Option<i64>) -> Vec<Deck> {
    let unit = step.unwrap_or_else(|| finest(visits));
    let lay = |kind: &Kind| match visits.are_decks() || step.is_none() {
        true => Deck::on_multiples(&kind.gains, unit),
        false => Deck::on_multiples(&narrowed(&kind.gains, unit), unit),
    };
    visits.kinds.iter().map(lay).collect()
}

/// The gains drawn together about their mean, so that shared out on multiples of `unit` cents they have the variance that they
/// have here.
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
