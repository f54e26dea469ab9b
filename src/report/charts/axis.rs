//! Axes: what range is shown and which round values are named.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};

/// Share of an axis that the name of a tick needs.
const CROWDED: f64 = 0.05;

/// One axis of a chart.
pub(super) struct Axis {
    /// First and last value shown; the last is the greater.
    pub range: (f64, f64),
    /// Values with a grid line and a label.
    pub ticks: Vec<f64>,
    /// What is measured, with its unit.
    pub title: String,
    label: Box<dyn Fn(f64) -> String>,
}

impl Axis {
    /// From `low` to `high` with at most about `most` round values. `label` is given a value and the
    /// decimals that tell the values apart.
    pub fn new(
        title: &str,
        (low, high): (f64, f64),
        most: usize,
        label: impl Fn(f64, usize) -> String + 'static,
    ) -> Axis {
        let (low, high) = proper(low, high);
        let step = round_step((high - low) / most.max(1) as f64);
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        let ticks = (first..=last).map(|i| i as f64 * step).collect();
        let decimals = decimals(step);
        Axis { range: (low, high), ticks, title: title.into(), label: Box::new(move |v| label(v, decimals)) }
    }

    /// From just below 0 to just above `last`, with a tick at every multiple of `step`.
    pub fn whole(title: &str, last: usize, step: usize) -> Axis {
        let ticks = (0..=last).step_by(step.max(1)).map(|v| v as f64).collect();
        let range = (-0.5, last as f64 + 0.5);
        Axis { range, ticks, title: title.into(), label: Box::new(|v| format!("{v:.0}")) }
    }

    /// An axis of powers of ten, in logarithms: from `10^low` to `10^high`.
    pub fn powers(title: &str, (low, high): (f64, f64), label: impl Fn(f64) -> String + 'static) -> Axis {
        let (low, high) = proper(low, high);
        let mut ticks: Vec<f64> = (low.ceil() as i64..=high.floor() as i64).map(|i| i as f64).collect();
        if ticks.len() < 3 {
            // Too short for three powers: 1, 2 and 5 of each.
            ticks = (low.floor() as i64..=high.floor() as i64)
                .flat_map(|i| [0.0, 2f64.log10(), 5f64.log10()].map(|part| i as f64 + part))
                .filter(|t| (low - 1e-9..=high + 1e-9).contains(t))
                .collect();
        }
        if ticks.is_empty() {
            ticks = vec![low, high];
        }
        Axis {
            range: (low, high),
            ticks,
            title: title.into(),
            label: Box::new(move |v| label(10f64.powf(v))),
        }
    }

    /// An axis with ticks at these places, as far as they do not crowd.
    pub fn places(
        title: &str,
        (low, high): (f64, f64),
        mut places: Vec<f64>,
        label: impl Fn(f64) -> String + 'static,
    ) -> Axis {
        let (low, high) = proper(low, high);
        places.retain(|place| (low..=high).contains(place));
        let mut ticks: Vec<f64> = Vec::new();
        for place in places {
            if ticks.last().is_none_or(|last| (place - last).abs() > (high - low) * CROWDED) {
                ticks.push(place);
            }
        }
        Axis { range: (low, high), ticks, title: title.into(), label: Box::new(label) }
    }

    /// An axis without names, for rows; an empty title leaves its line out.
    pub fn rows(n: usize, title: &str) -> Axis {
        let range = (0.0, n.max(1) as f64);
        Axis { range, ticks: Vec::new(), title: title.into(), label: Box::new(|_| String::new()) }
    }

    /// What a value is called.
    pub fn label(&self, value: f64) -> String {
        (self.label)(value)
    }

    /// The names of all ticks.
    pub fn labels(&self) -> impl Iterator<Item = String> {
        self.ticks.iter().map(|&v| self.label(v))
    }
}

/// An axis as plotters takes it: our range, our ticks.
pub(super) struct Scale {
    range: (f64, f64),
    ticks: Vec<f64>,
}

impl Axis {
    /// The axis for plotters.
    pub fn scale(&self) -> Scale {
        Scale { range: self.range, ticks: self.ticks.clone() }
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        place(*value, self.range, from, to)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.range.0..self.range.1
    }
}

/// The pixel of a value between two pixels; values out of range go to the nearer of them.
pub(super) fn place(value: f64, (low, high): (f64, f64), from: i32, to: i32) -> i32 {
    let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
    let share = if share.is_nan() { 0.0 } else { share };
    (f64::from(from) + share * f64::from(to - from)).round() as i32
}

/// A range that can be drawn, whatever was asked for.
fn proper(low: f64, high: f64) -> (f64, f64) {
    const FAR: f64 = 1e12;
    let (low, high) = (if low.is_finite() { low } else { 0.0 }, if high.is_finite() { high } else { 1.0 });
    let (low, high) = (low.clamp(-FAR, FAR), high.clamp(-FAR, FAR));
    let least = low.abs().max(high.abs()).max(1.0) * 1e-6;
    if high - low >= least { (low, high) } else { (low - least, low + least) }
}

/// The round number at or above a step: 1, 2, 2.5 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 2.5, 5.0].into_iter().find(|f| f * power >= step * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// Decimals that write a round step in full.
fn decimals(step: f64) -> usize {
    let whole = |d: &usize| {
        let scaled = step * 10f64.powi(*d as i32);
        (scaled - scaled.round()).abs() < 1e-6 * scaled
    };
    (0..9).find(whole).unwrap_or(9)
}

/// The least range that holds all values that are numbers, if there are any.
pub(super) fn span(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    values
        .into_iter()
        .filter(|v| v.is_finite())
        .fold(None, |span, v| Some(span.map_or((v, v), |(low, high): (f64, f64)| (low.min(v), high.max(v)))))
}

/// A range with a share of itself added at both ends.
pub(super) fn padded((low, high): (f64, f64), share: f64) -> (f64, f64) {
    let more = (high - low) * share;
    (low - more, high + more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let axis = Axis::new("", (-3.0, 22.0), 6, |v, d| format!("{v:.d$}"));
        assert_eq!(axis.ticks, [0.0, 5.0, 10.0, 15.0, 20.0]);
        let axis = Axis::new("", (0.1, 0.35), 5, |v, d| format!("{v:.d$}"));
        assert_eq!(axis.labels().collect::<Vec<_>>(), ["0.10", "0.15", "0.20", "0.25", "0.30", "0.35"]);
    }

    #[test]
    fn no_range_is_too_odd() {
        for (low, high) in [(0.0, 0.0), (5.0, 5.0), (f64::NAN, f64::INFINITY), (1e300, 1e301), (3.0, -3.0)] {
            let axis = Axis::new("", (low, high), 6, |v, _| v.to_string());
            assert!(axis.range.0 < axis.range.1, "{low} {high}");
            assert!((1..40).contains(&axis.ticks.len()), "{low} {high} {:?}", axis.ticks.len());
        }
        assert!(!Axis::powers("", (3.1, 3.2), |v| v.to_string()).range.0.is_nan());
    }

    #[test]
    fn places_do_not_crowd() {
        let axis = Axis::places("", (0.0, 1.0), vec![0.1, 0.12, 0.3, 2.0], |v| v.to_string());
        assert_eq!(axis.ticks, [0.1, 0.3]);
    }

    #[test]
    fn few_powers_get_more_names() {
        let axis = Axis::powers("", (2.9, 3.9), |v| v.round().to_string());
        assert_eq!(axis.labels().collect::<Vec<_>>(), ["1000", "2000", "5000"]);
    }
}
