//! The house edge as games accumulate, with its band.

use super::axis::{Axis, padded, span};
use super::canvas::{ChartError, Page};
use super::edges::side;
use super::frame::{Frame, Key, Mark};
use super::subtitle;
use crate::report::Entry;
use crate::report::wording::{count, fixed, games, percent};
use crate::stats::RunningPoint;

pub(super) const TITLE: &str = "House edge as games accumulate";
pub(super) const HEIGHT: u32 = 900;

/// Points that can be drawn.
fn points(entry: &Entry<'_>) -> Vec<RunningPoint> {
    let whole = |p: &RunningPoint| [p.edge.value, p.edge.low, p.edge.high].iter().all(|v| v.is_finite());
    entry.summary.running.iter().copied().filter(|p| p.games > 0 && whole(p)).collect()
}

pub(super) fn applies(entry: &Entry<'_>) -> bool {
    !points(entry).is_empty()
}

pub(super) fn caption(entry: &Entry<'_>) -> String {
    match points(entry).last() {
        Some(last) => format!(
            "The house edge over the games so far (line) with its 95% interval (band), which narrows as games \
             are added; after {} it stands at {}.",
            games(last.games),
            percent(last.edge).both()
        ),
        None => String::new(),
    }
}

pub(super) fn draw(page: &Page<'_, '_>, entry: &Entry<'_>) -> Result<(), ChartError> {
    let palette = page.palette;
    let points = points(entry);
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Ok(()) };
    let log = |n: u64| (n as f64).log10();
    let (from, to) = (log(first.games), log(last.games));
    // A lone point stands in the middle of a decade.
    let range = if to - from < 1e-6 { (from - 0.5, to + 0.5) } else { (from, to) };
    // The first few games say next to nothing; their band may leave the picture.
    let settled = points.iter().filter(|p| p.games >= 30 || p.games == last.games);
    let values = settled.flat_map(|p| [p.edge.value, p.edge.low, p.edge.high]).map(|v| v * 100.0);
    let (bottom, top) = padded(span(values).unwrap_or((-1.0, 1.0)), 0.08);
    // A hundredth of a percent is nothing to magnify.
    let (bottom, top) = if top - bottom < 0.01 { (bottom - 0.1, top + 0.1) } else { (bottom, top) };
    let standing = format!("after {}: {}", games(last.games), percent(last.edge).both());
    let colour = side(last.edge, palette);
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
        y: Axis::new("house edge, % of the deck's price", (bottom, top), 6, |v, d| {
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
    let mut shown: Vec<RunningPoint> = Vec::new();
    for point in &points {
        if shown.last().is_none_or(|s| plot.x(log(point.games)) - plot.x(log(s.games)) >= 8) {
            shown.push(*point);
        }
    }
    if shown.last().is_some_and(|s| s.games < last.games) {
        shown.push(*last);
    }
    let along = |pick: fn(&RunningPoint) -> f64| -> Vec<(i32, i32)> {
        shown.iter().map(|p| plot.at(log(p.games), pick(p) * 100.0)).collect()
    };
    let (high, low) = (along(|p| p.edge.high), along(|p| p.edge.low));
    if let ([.., top], [.., bottom]) = (&high[..], &low[..]) {
        page.band(&high, &low, colour, 0.28)?;
        page.line(along(|p| p.edge.value), colour, 5)?;
        page.line(vec![*top, *bottom], colour, 5)?;
    }
    page.dot(plot.at(log(last.games), last.edge.value * 100.0), 9, colour)
}
