//! The house edge as games accumulate, with its band.

use super::axis::{Axis, padded, span};
use super::canvas::{ChartError, Page};
use super::edges::{axis, side};
use super::frame::{Frame, Key, Mark};
use super::subtitle;
use crate::report::Entry;
use crate::report::figures::{count, edge, fixed, games};
use crate::stats::RunningPoint;

pub(super) const TITLE: &str = "House edge as games accumulate";
pub(super) const HEIGHT: u32 = 900;

/// Points that can be drawn.
fn points(entry: &Entry<'_>) -> Vec<RunningPoint> {
    let whole = |p: &RunningPoint| [p.edge.value, p.edge.low, p.edge.high].iter().all(|v| v.is_finite());
    entry.summary.running.iter().copied().filter(|p| p.games > 0 && whole(p)).collect()
}

/// One point is no course.
pub(super) fn applies(entry: &Entry<'_>) -> bool {
    points(entry).len() > 1
}

/// Share of the games from which on everything is in the picture.
const SETTLED: u64 = 100;
/// How many times as high the picture may be with the games before that.
const STRETCH: f64 = 2.5;

/// The lowest and highest edge shown, as fractions; early games may reach beyond.
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

/// The last games whose band leaves the picture.
fn beyond(points: &[RunningPoint]) -> Option<u64> {
    let (low, high) = shown(points);
    points.iter().rev().find(|p| p.edge.low < low || p.edge.high > high).map(|p| p.games)
}

pub(super) fn caption(entry: &Entry<'_>) -> String {
    let points = points(entry);
    let Some(last) = points.last() else { return String::new() };
    let cut = beyond(&points).map_or(String::new(), |n| {
        format!(
            " Over the first {} the band reaches beyond the picture, which shows the later ones.",
            games(n)
        )
    });
    format!(
        "The house edge over the games so far (line) with its 95% interval (band), which narrows as games are \
         added; after {} it stands at {}.{cut}",
        games(last.games),
        edge(last.edge).both()
    )
}

pub(super) fn draw(page: &Page<'_, '_>, entry: &Entry<'_>) -> Result<(), ChartError> {
    let palette = page.palette;
    let points = points(entry);
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Ok(()) };
    let log = |n: u64| (n as f64).log10();
    let (from, to) = (log(first.games), log(last.games));
    // A lone point stands in the middle of a decade.
    let range = if to - from < 1e-6 { (from - 0.5, to + 0.5) } else { (from, to) };
    let (low, high) = shown(&points);
    let (bottom, top) = padded((low * 100.0, high * 100.0), 0.08);
    // A hundredth of a percent is nothing to magnify.
    let (bottom, top) = if top - bottom < 0.01 { (bottom - 0.1, top + 0.1) } else { (bottom, top) };
    let standing = format!("after {}: {}", games(last.games), edge(last.edge).both());
    let colour = side(last.edge, palette);
    let cut = beyond(&points)
        .map_or(String::new(), |n| format!(" (the first {} reach beyond the picture)", games(n)));
    let keys = [
        Key { mark: Mark::Line, colour, text: &standing },
        Key { mark: Mark::Area(0.28), colour, text: "95% interval" },
    ];
    let frame = Frame {
        height: HEIGHT,
        title: TITLE,
        subtitle: &subtitle(entry),
        keys: &keys,
        markers: &[],
        x: Axis::powers("games played (logarithmic scale)", range, |n| count(n.round() as u64)),
        y: Axis::new(&format!("{}{cut}", axis(std::slice::from_ref(entry))), (bottom, top), 6, |v, d| {
            format!("{}%", fixed(v, d))
        }),
        side: None,
    };
    let plot = frame.draw(page)?;
    if bottom < 0.0 && top > 0.0 {
        let zero = plot.y(0.0);
        page.line(vec![(plot.left, zero), (plot.right, zero)], palette.ink, 3)?;
    }
    // Points that nearly share a pixel would only make the line rough.
    let mut drawn: Vec<RunningPoint> = Vec::new();
    for point in &points {
        if drawn.last().is_none_or(|s| plot.x(log(point.games)) - plot.x(log(s.games)) >= 8) {
            drawn.push(*point);
        }
    }
    if drawn.last().is_some_and(|s| s.games < last.games) {
        drawn.push(*last);
    }
    let along = |pick: fn(&RunningPoint) -> f64| -> Vec<(i32, i32)> {
        drawn.iter().map(|p| plot.at(log(p.games), pick(p) * 100.0)).collect()
    };
    let (upper, lower) = (along(|p| p.edge.high), along(|p| p.edge.low));
    if let ([.., top], [.., bottom]) = (&upper[..], &lower[..]) {
        page.band(&upper, &lower, colour, 0.28)?;
        // A line along the border of the picture would be no edge.
        let inside = |p: &&RunningPoint| (low..=high).contains(&p.edge.value);
        let line =
            drawn.iter().skip_while(|p| !inside(p)).map(|p| plot.at(log(p.games), p.edge.value * 100.0));
        page.line(line.collect(), colour, 5)?;
        page.line(vec![*top, *bottom], colour, 5)?;
    }
    page.dot(plot.at(log(last.games), last.edge.value * 100.0), 9, colour)
}
