//! Where a figure passes a line, between values of an axis at which it was measured.

use serde::Serialize;

use super::Estimate;

/// A place on an axis at which a figure passes a line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Crossing {
    /// By a straight line between the values beside it.
    pub at: f64,
    /// The limits of the place; `None` where the line may be passed beyond the last value on that side.
    pub low: Option<f64>,
    /// See `low`.
    pub high: Option<f64>,
}

/// Where the figure passes the line between point `i` and the next. Each point is a value of the axis, ascending or descending,
/// and the figure there. Every place whose interval, read along straight lines, holds the line cannot be excluded. `None` without
/// such points.
pub fn crossing(points: &[(f64, Estimate)], i: usize, line: f64) -> Option<Crossing> {
    let [(left, from), (right, to), ..] = points.get(i..)? else { return None };
    let at = left + (right - left) * (line - from.value) / (to.value - from.value);
    let low = reach(points[..=i].iter().rev().copied(), at, points.get(i + 1).copied(), line);
    let high = reach(points[i + 1..].iter().copied(), at, Some(points[i]), line);
    Some(Crossing { at, low, high })
}

/// How far from the crossing the line may be passed, going over points away from it; `behind` is the point on its other
/// side. None where even the last point does not exclude it.
fn reach(
    points: impl Iterator<Item = (f64, Estimate)>,
    at: f64,
    behind: Option<(f64, Estimate)>,
    line: f64,
) -> Option<f64> {
    let mut before = behind?;
    let mut first = true;
    for next in points {
        // The limit that leaves the line on this piece, if one does.
        let leaves = |limit: fn(&Estimate) -> f64, beyond: fn(f64, f64) -> bool| {
            let (a, b) = (limit(&before.1), limit(&next.1));
            let from = if first { at } else { before.0 };
            beyond(b, line).then(|| {
                let x = before.0 + (next.0 - before.0) * (line - a) / (b - a);
                // Never nearer than the crossing itself, or than the piece begins.
                if next.0 < before.0 { x.min(from) } else { x.max(from) }
            })
        };
        let found = leaves(|e| e.low, |limit, line| limit > line)
            .or_else(|| leaves(|e| e.high, |limit, line| limit < line));
        if found.is_some() {
            return found;
        }
        before = next;
        first = false;
    }
    None
}
