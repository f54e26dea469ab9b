//! Gains on lattices of sums of money that are quick to convolve.

use crate::stats::profit::{Deck, gcd};

/// Mean and standard deviation of a distribution of gains.
pub(super) fn moments(gains: &[(i64, f64)]) -> (f64, f64) {
    // About the first gain, so that no digits are lost where all are alike.
    let origin = gains.first().map_or(0, |&(gain, _)| gain);
    let about: Vec<(f64, f64)> = gains.iter().map(|&(gain, p)| ((gain - origin) as f64, p)).collect();
    let shift: f64 = about.iter().map(|&(gain, p)| gain * p).sum();
    let variance: f64 = about.iter().map(|&(gain, p)| (gain - shift).powi(2) * p).sum();
    (origin as f64 + shift, variance.max(0.0).sqrt())
}

/// A deck, and the step in cents on which its gains had to be shared out, if they were.
pub(super) struct Laid {
    pub deck: Deck,
    pub shared: Option<i64>,
}

/// Rough number of multiplications over a night whose last deck has `span` cents of profits that matter.
fn cost(deck: &Deck, decks: u32, span: f64) -> f64 {
    let widest = (span / deck.unit as f64).min(f64::from(decks) * deck.reach() as f64) + deck.reach() as f64;
    f64::from(decks) * widest * deck.steps.len() as f64 * 0.7
}

/// The gains on a lattice of whole multiples, as fine as the budget allows, but no coarser than a fifth of the standard
/// deviation of a deck: so its variance never grows by more than a hundredth.
pub(super) fn on_multiples(gains: &[(i64, f64)], decks: u32, span: f64, sd: f64, budget: f64) -> Laid {
    let finest = gains.iter().fold(0, |unit, &(gain, _)| gcd(unit, gain)).max(1);
    let mut unit = finest;
    loop {
        let deck = Deck::on_multiples(gains, unit);
        if cost(&deck, decks, span) <= budget || 2.0 * unit as f64 > sd / 5.0 {
            return Laid { deck, shared: (unit != finest).then_some(unit) };
        }
        unit *= 2;
    }
}

/// The gains on the lattice of their differences where the budget allows it, as these are fewest.
pub(super) fn for_sums(gains: &[(i64, f64)], decks: u32, span: f64, sd: f64, budget: f64) -> Laid {
    let deck = Deck::exact(gains);
    if cost(&deck, decks, span) <= budget {
        return Laid { deck, shared: None };
    }
    on_multiples(gains, decks, span, sd, budget)
}
