//! Figures of a bracket: their format, and what makes their width.

use crate::format::{FormattedEstimate, Number, edge, fixed, gain_estimate, mean, money, percent};
use crate::lab::BracketPoint;
use crate::rules::Casino;
use crate::stats::{Bracket, Estimate, Measure, Width};

/// Returns the bracket of a measure and its format; for money the house edge, or the net if there is no edge.
pub(super) fn bracket_of(point: &BracketPoint, measure: Measure) -> (Bracket, Shown<'_>) {
    let it = &point.brackets;
    match (measure, it.house_edge) {
        (Measure::Cards, _) => (it.cards, Shown::Mean),
        (Measure::Wins, _) => (it.wins, Shown::Percent),
        (Measure::Money, Some(edge)) => (edge, Shown::Edge),
        (Measure::Money, None) => (it.net, Shown::Net(&point.rules.casino)),
    }
}

/// Returns every figure that has a bracket, with the index of the player selected for it.
pub(super) fn figures(point: &BracketPoint) -> Vec<(usize, Bracket, Shown<'_>)> {
    let it = &point.brackets;
    let mut all = vec![(Measure::Cards, it.cards, Shown::Mean), (Measure::Wins, it.wins, Shown::Percent)];
    all.extend(point.gain.map(|_| (Measure::Money, it.net, Shown::Net(&point.rules.casino))));
    all.extend(it.house_edge.map(|edge| (Measure::Money, edge, Shown::Edge)));
    all.into_iter().map(|(measure, bracket, shown)| (point.chosen(measure), bracket, shown)).collect()
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

/// Format of the figures of a measure.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shown<'a> {
    Mean,
    Percent,
    Edge,
    Net(&'a Casino),
}

impl Shown<'_> {
    pub(super) fn say(self, e: Estimate) -> FormattedEstimate {
        match self {
            Shown::Mean => mean(e),
            Shown::Percent => percent(e),
            Shown::Edge => edge(e),
            Shown::Net(casino) => gain_estimate(e, casino),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Shown::Mean => "cards",
            Shown::Percent => "games won",
            Shown::Edge => "house edge",
            Shown::Net(_) => "player's net",
        }
    }

    /// Returns a length on its axis as a number: money in dollars, as in the other tables.
    pub(super) fn number(self, x: f64) -> f64 {
        if matches!(self, Shown::Net(_)) { x / 100.0 } else { x }
    }

    /// Formats a length on its axis.
    pub(super) fn length(self, x: f64) -> String {
        match self {
            Shown::Mean => fixed(x, 2),
            Shown::Percent | Shown::Edge => format!("{} pp", fixed(x * 100.0, 1)),
            Shown::Net(casino) => money(x, casino, false),
        }
    }
}

/// Formats both bounds and the limits around them: `3.81 to 4.11`, `3.77 to 4.16`.
pub(super) fn between(bracket: &Bracket, shown: Shown<'_>) -> FormattedEstimate {
    let Bracket { lower, upper, .. } = *bracket;
    let [low, high] = [lower, upper].map(|it| shown.say(it));
    let whole = shown.say(Estimate { value: lower.value, low: lower.low, high: upper.high });
    let limits = low.interval.split_once(" to ").zip(high.interval.split_once(" to "));
    let interval = limits.map(|((least, _), (_, most))| {
        // One limit alone does not show the sign of the other.
        let signed = matches!(shown, Shown::Edge) && lower.low < 0.0 && upper.high > 0.0;
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
