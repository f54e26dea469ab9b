//! Point at which a figure crosses a line, between measured values of an axis.

use serde::Serialize;

use super::Estimate;

/// A point on an axis at which a figure crosses a line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Crossing {
    /// The point, by linear interpolation.
    pub at: f64,
    /// The lower limit of the point; `None` if the crossing may lie beyond the last value on that side.
    pub low: Option<f64>,
    /// The upper limit; see `low`.
    pub high: Option<f64>,
}

/// Returns where the figure crosses the line between point `i` and the next. Each point is a value of the axis,
/// ascending or descending, and the figure there. The limits enclose every value whose linearly interpolated interval
/// contains the line. `None` without such points.
pub fn crossing(points: &[(f64, Estimate)], i: usize, line: f64) -> Option<Crossing> {
    let [(left, from), (right, to), ..] = points.get(i..)? else { return None };
    let at = left + (right - left) * (line - from.value) / (to.value - from.value);
    let low = reach(points[..=i].iter().rev().copied(), at, points.get(i + 1).copied(), line);
    let high = reach(points[i + 1..].iter().copied(), at, Some(points[i]), line);
    Some(Crossing { at, low, high })
}

/// Returns the limit of a crossing on one side, given the points away from it; `behind` is the neighbouring point on
/// the other side. `None` if even the last point does not exclude the line.
fn reach(
    points: impl Iterator<Item = (f64, Estimate)>,
    at: f64,
    behind: Option<(f64, Estimate)>,
    line: f64,
) -> Option<f64> {
    let mut before = behind?;
    let mut first = true;
    for next in points {
        // The point of this segment at which a limit passes the line, if any.
        let leaves = |limit: fn(&Estimate) -> f64, beyond: fn(f64, f64) -> bool| {
            let (a, b) = (limit(&before.1), limit(&next.1));
            let from = if first { at } else { before.0 };
            beyond(b, line).then(|| {
                let x = before.0 + (next.0 - before.0) * (line - a) / (b - a);
                // Never nearer than the crossing itself, or than the start of the segment.
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
