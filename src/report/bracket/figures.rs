//! Figures of a bracket: their format, and what makes their width.

use crate::format::{FormattedEstimate, Number, fixed, money};
use crate::lab::BracketPoint;
use crate::report::quantity::Quantity;
use crate::stats::{Bracket, Estimate, Measure, Width};

/// Returns the bracket of a measure; for money that of the house edge, or of the net if there is no edge.
pub(super) fn bracket_of(point: &BracketPoint, measure: Measure) -> (Bracket, Quantity<'_>) {
    let it = &point.brackets;
    match (measure, it.house_edge) {
        (Measure::Cards, _) => (it.cards, Quantity::Cards),
        (Measure::Wins, _) => (it.wins, Quantity::Wins),
        (Measure::Money, Some(edge)) => (edge, Quantity::Edge),
        (Measure::Money, None) => (it.net, Quantity::Net(&point.rules.casino)),
    }
}

/// Returns every figure that has a bracket, with the index of the player selected for it.
pub(super) fn figures(point: &BracketPoint) -> impl Iterator<Item = (usize, Bracket, Quantity<'_>)> {
    let it = &point.brackets;
    let net = point.gain.map(|_| (Measure::Money, it.net, Quantity::Net(&point.rules.casino)));
    let edge = it.house_edge.map(|edge| (Measure::Money, edge, Quantity::Edge));
    let all = [(Measure::Cards, it.cards, Quantity::Cards), (Measure::Wins, it.wins, Quantity::Wins)];
    let all = all.into_iter().chain(net).chain(edge);
    all.map(|(measure, bracket, of)| (point.chosen(measure), bracket, of))
}

/// A component of the width of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Sampling,
    Undecided,
    Hidden,
    /// The solver refuses the rules, so that the upper end is unknown.
    NoBound,
}

/// Returns the largest component of the width of a bracket.
pub(super) fn widest(point: &BracketPoint, bracket: &Bracket) -> Part {
    let Width { sampling, undecided, hidden, .. } = bracket.width;
    match point.is_trivial() {
        true if sampling > hidden => Part::Sampling,
        true => Part::NoBound,
        false if hidden >= sampling.max(undecided) => Part::Hidden,
        false if undecided >= sampling => Part::Undecided,
        false => Part::Sampling,
    }
}

/// Formats a length: money in units of its currency.
pub(super) fn length(of: Quantity<'_>, x: f64) -> FormattedEstimate {
    match of {
        Quantity::Cards => FormattedEstimate::of(x, fixed(x, 2)),
        Quantity::Net(casino) => FormattedEstimate::of(x / 100.0, money(x, casino, false)),
        _ => FormattedEstimate::of(x, format!("{} pp", fixed(x * 100.0, 1))),
    }
}

/// Formats both bounds and the limits around them: `3.81 to 4.11`, `3.77 to 4.16`.
pub(super) fn between(bracket: &Bracket, of: Quantity<'_>) -> FormattedEstimate {
    let Bracket { lower, upper, .. } = *bracket;
    let [low, high] = [lower, upper].map(|it| of.say(it));
    let whole = of.say(Estimate { value: lower.value, low: lower.low, high: upper.high });
    let limits = low.interval.split_once(" to ").zip(high.interval.split_once(" to "));
    let interval = limits.map(|((least, _), (_, most))| {
        // One limit alone does not show the sign of the other.
        let signed = of == Quantity::Edge && lower.low < 0.0 && upper.high > 0.0;
        let plus = if signed && !most.starts_with('+') { "+" } else { "" };
        format!("{least} to {plus}{most}")
    });
    let value = if low.value == high.value { low.value } else { format!("{} to {}", low.value, high.value) };
    FormattedEstimate {
        value,
        interval: interval.unwrap_or(whole.interval),
        number: whole.number,
        side: low.side,
    }
}

/// A bound given by the rules has no interval.
pub(super) fn bound(said: FormattedEstimate) -> FormattedEstimate {
    match said.number {
        Some(Number::Estimate(Estimate { value, low, high })) if low == value && value == high => {
            FormattedEstimate { interval: String::new(), ..said }
        }
        _ => said,
    }
}
