//! The house edge as games accumulate, with its band.

use super::common::{edge_axis, subtitle};
use crate::chart::{Axis, Chart, Key, Mark, Role, padded, scaled, span, up_to_whole};
use crate::format::{count, edge, fixed, games};
use crate::report::Entry;
use crate::stats::{Estimate, RunningPoint};

/// The edge is fully visible after this fraction of the games.
const SETTLED: u64 = 100;
/// Maximum factor by which earlier games may enlarge the picture.
const STRETCH: f64 = 2.5;
/// A band lower than this fraction of the picture is hidden by its line.
const HIDDEN: f64 = 0.005;
/// Points closer together than this fraction of the axis would only make the line rough.
const ROUGH: f64 = 0.006;

/// Returns the lowest and highest edge shown, as fractions; early games may lie beyond.
fn shown(points: &[RunningPoint]) -> (f64, f64) {
    let last = points.last().map_or(0, |p| p.games);
    let over = |from: u64| {
        let late = points.iter().filter(|p| p.games >= from);
        span(late.flat_map(|p| [p.edge.value, p.edge.low, p.edge.high])).unwrap_or((-0.01, 0.01))
    };
    let (whole, late) = (over(0), over(last.div_ceil(SETTLED)));
    let height = |(low, high): (f64, f64)| high - low;
    if height(late) > 0.0 && height(whole) > STRETCH * height(late) { padded(late, 0.3) } else { whole }
}

/// Formats half the width of an interval with one digit, rounded up.
fn rounded_up(half: f64) -> String {
    let decimals = if half > 0.0 { (-half.log10()).ceil().clamp(1.0, 8.0) } else { 1.0 };
    let unit = 10f64.powf(decimals);
    fixed((half * unit).ceil() / unit, decimals as usize)
}

/// Draws the running edge; `None` for a single point.
pub(super) fn running(entry: &Entry<'_>) -> Option<Chart> {
    let whole = |p: &RunningPoint| [p.edge.value, p.edge.low, p.edge.high].iter().all(|v| v.is_finite());
    let points = entry.summary.running.iter().copied().filter(|p| p.games > 0 && whole(p));
    let points: Vec<RunningPoint> = points.collect();
    let [first, .., last] = points[..] else { return None };
    let log = |n: u64| (n as f64).log10();
    let (from, to) = (log(first.games), log(last.games));
    let (low, high) = shown(&points);
    let (bottom, top) = padded((low * 100.0, high * 100.0), 0.08);
    // A range of a hundredth of a percent is not magnified.
    let (bottom, top) = if top - bottom < 0.01 { (bottom - 0.1, top + 0.1) } else { (bottom, top) };
    let (bottom, top) = up_to_whole((bottom, top), high * 100.0);
    let hidden = (high - low) * 100.0 < (top - bottom) * HIDDEN;
    let mut drawn: Vec<(f64, Estimate)> = Vec::new();
    for point in &points {
        let at = log(point.games);
        let rough = drawn.last().is_some_and(|(x, _)| at - x < (to - from) * ROUGH);
        if !rough || point.games == last.games {
            drawn.push((at, scaled(point.edge, 100.0)));
        }
    }
    let said = edge(last.edge);
    let role = Role::of_edge(last.edge);
    let mut marks = Vec::new();
    if bottom < 0.0 && top > 0.0 {
        marks.push(Mark::level(0.0, Role::Ink, false));
    }
    marks.extend(Mark::curve(&drawn, role));
    let end = scaled(last.edge, 100.0);
    marks.push(Mark::limits(to, end, role, 5));
    marks.push(Mark::dots(vec![(to, end.value)], role, 9));
    // The last point whose band leaves the picture.
    let beyond = points.iter().rev().find(|p| p.edge.low < low || p.edge.high > high).map(|p| games(p.games));
    let [beside, told] = beyond.map_or([String::new(), String::new()], |n| {
        [
            format!(" (the first {n} reach beyond the picture)"),
            format!(" Over the first {n} the band is wider than the picture."),
        ]
    });
    let half = (end.high - end.value).max(end.value - end.low);
    let measured = format!("{}{beside}", edge_axis(std::slice::from_ref(entry)));
    // A single number of games is centred in a decade.
    let range = if to - from < 1e-6 { (from - 0.5, to + 0.5) } else { (from, to) };
    let x = Axis::powers("games played (logarithmic scale)", range, |n| count(n.round() as u64));
    let y = Axis::percent(measured, (bottom, top), 6);
    Some(Chart {
        name: "running-edge".into(),
        title: format!(
            "After {} the house edge is {} ± {} points",
            games(last.games),
            said.value,
            rounded_up(half)
        ),
        subtitle: subtitle(entry),
        caption: format!(
            "The house edge over the games so far (line) with its 95% interval (band), which narrows as games are \
             added; after {} it is {}.{told}",
            games(last.games),
            said.both()
        ),
        keys: vec![
            Key::line(role, format!("after {}: {}", games(last.games), said.both())),
            Key::area(
                role,
                0.28,
                if hidden { "95% interval, narrower than the line" } else { "95% interval" },
            ),
        ],
        ..Chart::plot(x, y, marks)
    })
}
