//! Axes: the range shown and the ticks.

use crate::format::{fixed, money};
use crate::rules::Casino;

/// Ratio of greatest to least value from which a linear axis would compress the others.
const WIDE: f64 = 50.0;

/// A value with a grid line and a label.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub at: f64,
    pub name: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Axis {
    /// The quantity with its unit; if empty, its line is omitted.
    pub title: String,
    /// The values at the two ends.
    pub range: (f64, f64),
    /// Ticks; some labels are omitted if they would overlap.
    pub ticks: Vec<Tick>,
    /// Whether its values are names, such as those of rows, which have no grid.
    pub names: bool,
}

impl Axis {
    /// Creates an axis from `low` to `high` with about `most` round values at most. `name` formats a value, given the
    /// number of decimals that distinguishes the values.
    pub fn new(
        title: impl Into<String>,
        (low, high): (f64, f64),
        most: usize,
        name: impl Fn(f64, usize) -> String,
    ) -> Axis {
        let (low, high) = proper(low, high);
        let step = round_step((high - low) / most.max(1) as f64);
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        let decimals = decimals(step);
        let ticks = (first..=last).map(|i| i as f64 * step);
        let ticks = ticks.map(|at| Tick { at, name: name(at, decimals) }).collect();
        Axis { title: title.into(), range: (low, high), ticks, names: false }
    }

    /// Creates an axis of percentages.
    pub fn percent(title: impl Into<String>, range: (f64, f64), most: usize) -> Axis {
        Axis::new(title, range, most, |v, d| format!("{}%", fixed(v, d)))
    }

    /// Creates an axis of money, in units of the currency, which is added to its title.
    pub fn money(what: &str, casino: &Casino, range: (f64, f64), most: usize) -> Axis {
        let title = match casino.currency.trim() {
            "" => what.into(),
            currency => format!("{what}, {currency}"),
        };
        Axis::new(title, range, most, |v, d| money(v * 100.0, casino, d == 0))
    }

    /// Creates an axis of money for a curve, and a function from a sum to its position; logarithmic if the sums
    /// differ in magnitude.
    pub fn money_curve(
        what: &str,
        casino: &Casino,
        (low, high): (f64, f64),
        most: usize,
    ) -> (Axis, fn(f64) -> f64) {
        let axis = Axis::money(what, casino, (low, high), most);
        if low <= 0.0 || high < low * WIDE {
            return (axis, |sum| sum);
        }
        let name = |sum: f64| money(sum * 100.0, casino, sum >= 1.0);
        let title = format!("{} (logarithmic scale)", axis.title);
        (Axis::powers(title, (low.log10(), high.log10()), name), f64::log10)
    }

    /// Creates an axis from just below 0 to just above `last`, with a tick at every multiple of `step`.
    pub fn whole(title: impl Into<String>, last: usize, step: usize) -> Axis {
        let ticks = (0..=last).step_by(step.max(1)).map(|v| (v as f64, v.to_string()));
        Axis::places(title, (-0.5, last as f64 + 0.5), ticks)
    }

    /// Creates a logarithmic axis with powers of ten, from `10^low` to `10^high`.
    pub fn powers(title: impl Into<String>, (low, high): (f64, f64), name: impl Fn(f64) -> String) -> Axis {
        let (low, high) = proper(low, high);
        let powers = || (low.floor() as i64..=high.ceil() as i64).map(|power| power as f64);
        let shown = |at: &f64| (low - 1e-9..=high + 1e-9).contains(at);
        let mut ticks: Vec<f64> = powers().filter(shown).collect();
        if ticks.len() < 3 {
            // If the axis is too short for three powers: 1, 2 and 5 of each.
            ticks = powers().flat_map(|it| [1f64, 2.0, 5.0].map(|n| it + n.log10())).filter(shown).collect();
        }
        if ticks.is_empty() {
            ticks = vec![low, high];
        }
        Axis::places(title, (low, high), ticks.into_iter().map(|at| (at, name(10f64.powf(at)))))
    }

    /// Creates an axis with these names at these positions.
    pub fn places(
        title: impl Into<String>,
        (low, high): (f64, f64),
        places: impl IntoIterator<Item = (f64, String)>,
    ) -> Axis {
        let (low, high) = proper(low, high);
        let ticks = places.into_iter().filter(|(at, _)| (low..=high).contains(at));
        let ticks = ticks.map(|(at, name)| Tick { at, name }).collect();
        Axis { title: title.into(), range: (low, high), ticks, names: false }
    }

    /// Creates an axis with names side by side; the i-th lies from `i` to `i + 1`.
    pub fn columns<T: Into<String>>(title: impl Into<String>, names: impl IntoIterator<Item = T>) -> Axis {
        let tick = |(i, name): (usize, T)| Tick { at: i as f64 + 0.5, name: name.into() };
        let ticks: Vec<Tick> = names.into_iter().enumerate().map(tick).collect();
        Axis { title: title.into(), range: (0.0, ticks.len().max(1) as f64), ticks, names: true }
    }

    /// Creates an axis with names as rows; the i-th lies from `i` to `i + 1`, downwards.
    pub fn rows<T: Into<String>>(title: impl Into<String>, names: impl IntoIterator<Item = T>) -> Axis {
        let axis = Axis::columns(title, names);
        Axis { range: (axis.range.1, 0.0), ..axis }
    }
}

/// Returns a range that can be drawn, for any input.
fn proper(low: f64, high: f64) -> (f64, f64) {
    const FAR: f64 = 1e12;
    let (low, high) = (if low.is_finite() { low } else { 0.0 }, if high.is_finite() { high } else { 1.0 });
    let (low, high) = (low.clamp(-FAR, FAR), high.clamp(-FAR, FAR));
    let least = low.abs().max(high.abs()).max(1.0) * 1e-6;
    if high - low >= least { (low, high) } else { (low - least, low + least) }
}

/// Rounds a step up to a round number: 1, 2, 2.5 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 2.5, 5.0].into_iter().find(|f| f * power >= step * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

fn decimals(step: f64) -> usize {
    let whole = |d: &usize| {
        let scaled = step * 10f64.powi(*d as i32);
        (scaled - scaled.round()).abs() < 1e-6 * scaled
    };
    (0..9).find(whole).unwrap_or(9)
}

/// Returns the smallest range that contains all values, ignoring NaN, if there are any.
pub(crate) fn span(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    values
        .into_iter()
        .filter(|v| v.is_finite())
        .fold(None, |span, v| Some(span.map_or((v, v), |(low, high): (f64, f64)| (low.min(v), high.max(v)))))
}

/// Extends a range by a share of itself at both ends.
pub(crate) fn padded((low, high): (f64, f64), share: f64) -> (f64, f64) {
    let more = (high - low) * share;
    (low - more, high + more)
}

/// Returns a range that contains all values and some space on either side of 0.
pub(crate) fn both_sides(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = padded(span(values.chain([0.0])).unwrap_or((-1.0, 1.0)), 0.06);
    let least = ((high - low) * 0.12).max(0.01);
    (low.min(-least), high.max(least))
}

/// Returns such a range for edges, in percent: at most 100, unless a value is larger.
pub(crate) fn both_sides_of_edges(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let values: Vec<f64> = values.collect();
    let highest = span(values.iter().copied()).map_or(0.0, |(_, high)| high);
    up_to_whole(both_sides(values.into_iter()), highest)
}

/// Limits a range of percentages to 100, unless the highest value is there.
pub(crate) fn up_to_whole((low, high): (f64, f64), highest: f64) -> (f64, f64) {
    (low, high.min(highest.max(100.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|tick| &*tick.name).collect()
    }

    #[test]
    fn ticks_are_round() {
        let axis = Axis::new("", (-3.0, 22.0), 6, |v, d| format!("{v:.d$}"));
        assert_eq!(names(&axis), ["0", "5", "10", "15", "20"]);
        let axis = Axis::new("", (0.1, 0.35), 5, |v, d| format!("{v:.d$}"));
        assert_eq!(names(&axis), ["0.10", "0.15", "0.20", "0.25", "0.30", "0.35"]);
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
    fn edges_have_no_room_above_the_whole() {
        assert_eq!(both_sides_of_edges([99.9, 40.0].into_iter()).1, 100.0);
        // Fees lead to values above 100.
        assert_eq!(both_sides_of_edges([130.0].into_iter()).1, 130.0);
        assert!(both_sides_of_edges([7.0, -3.0].into_iter()).1 < 8.0);
    }

    #[test]
    fn few_powers_get_more_names() {
        let axis = Axis::powers("", (2.9, 3.9), |v| v.round().to_string());
        assert_eq!(names(&axis), ["1000", "2000", "5000"]);
    }
}
