//! Gains on lattices of sums of money that are quick to convolve.

use super::visits::{Kind, Visits};
use crate::stats::profit::{Deck, gcd, moments};

/// Steps by which gains are narrowed; each leaves a small part of the error.
const NARROWINGS: usize = 8;

/// The decks of each kind of visits on one lattice, and the step in cents on which their gains had to be shared out, if they were.
pub(super) struct Laid {
    pub decks: Vec<Deck>,
    pub shared: Option<i64>,
}

/// Rough number of multiplications over a night whose last deck has `span` cents of profits that matter.
fn cost(kinds: &[Kind], laid: &[Deck], decks: u32, span: f64) -> f64 {
    let of = |(kind, deck): (&Kind, &Deck)| {
        let widest =
            (span / deck.unit as f64).min(f64::from(decks) * deck.reach() as f64) + deck.reach() as f64;
        f64::from(decks) * widest * deck.steps.len() as f64 * 0.7 * f64::from(kind.decks)
    };
    kinds.iter().zip(laid).map(of).sum()
}

/// The gains on a lattice of whole multiples, as fine as the budget allows, but not much coarser than a fifth of `spread`, the
/// standard deviation of a deck, so that its variance never grows by more than a hundredth. Where there are visits of several
/// decks, which are many places to compute, up to all of it, but then the variance is kept.
pub(super) fn on_multiples(visits: &Visits, decks: u32, span: f64, budget: f64) -> Laid {
    let all = || visits.kinds.iter().flat_map(|kind| &kind.gains);
    let finest = all().fold(0, |unit, &(gain, _)| gcd(unit, gain)).max(1);
    let simple = visits.are_decks();
    let coarsest = if simple { visits.spread() / 5.0 } else { visits.spread() };
    let mut unit = finest;
    loop {
        let lay = |kind: &Kind| match simple || unit == finest {
            true => Deck::on_multiples(&kind.gains, unit),
            false => Deck::on_multiples(&narrowed(&kind.gains, unit), unit),
        };
        let laid: Vec<Deck> = visits.kinds.iter().map(lay).collect();
        if cost(&visits.kinds, &laid, decks, span) <= budget || 2.0 * unit as f64 > coarsest {
            return Laid { decks: laid, shared: (unit != finest).then_some(unit) };
        }
        unit *= 2;
    }
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

/// The gains on the lattice of their differences where the budget allows it, as these are fewest.
pub(super) fn for_sums(visits: &Visits, decks: u32, span: f64, budget: f64) -> Laid {
    let exact = Deck::all_exact(visits.kinds.iter().map(|kind| &kind.gains[..]));
    if cost(&visits.kinds, &exact, decks, span) <= budget {
        return Laid { decks: exact, shared: None };
    }
    on_multiples(visits, decks, span, budget)
}
