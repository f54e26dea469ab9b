//! Where the edge passes the line, along one axis.

use super::board::{Board, BoardAxis, BoardCell, Measure, Shape, line_name};
use crate::figures::{Side, fixed};
use crate::report::document::Finding;
use crate::stats::{Crossing, Estimate, crossing};

/// Most digits behind the point of a place.
const MOST_DIGITS: usize = 9;

/// A value of the axis, its number where it is one, and the edge there with an interval that holds for all cells at once.
struct Point<'b> {
    label: &'b str,
    at: Option<f64>,
    edge: Estimate,
}

/// A place where the edge passes the line, along one line of the chart.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place<'b> {
    /// The value of the axis whose values are lines of their own.
    pub of: Option<&'b str>,
    /// The values beside it.
    pub between: [&'b str; 2],
    /// Their numbers.
    ends: Option<[f64; 2]>,
    /// Some value on the one side and some on the other lie surely beyond the line.
    pub sure: bool,
    /// Where on a straight line between the two; `None` beside a value that is no number.
    pub crossing: Option<Crossing>,
    /// The first number and the last of the axis.
    axis: Option<[f64; 2]>,
}

/// The axis along which crossings are looked for, and that whose values are lines of their own.
pub(super) fn axes(board: &Board) -> Option<(usize, Option<usize>)> {
    let Shape::Lines { x, series } = board.shape else { return None };
    board.axes[x].numbers.as_ref().map(|_| (x, series))
}

/// Everywhere the edge passes the line.
pub(super) fn places(board: &Board) -> Vec<Place<'_>> {
    let Some((x, series)) = axes(board) else { return Vec::new() };
    let mut places = Vec::new();
    for line in 0..series.map_or(1, |series| board.axes[series].labels.len()) {
        let on_line = |cell: &&BoardCell| series.is_none_or(|series| cell.at[series] == line);
        let points: Vec<Point<'_>> =
            board.cells.iter().filter(on_line).filter_map(|cell| point(&board.axes[x], x, cell)).collect();
        let numbers: Vec<(f64, Estimate)> = points.iter().map_while(|it| Some((it.at?, it.edge))).collect();
        for (i, pair) in points.windows(2).enumerate() {
            if (pair[0].edge.value > board.line) == (pair[1].edge.value > board.line) {
                continue;
            }
            let above = |points: &[Point<'_>]| points.iter().any(|it| it.edge.low > board.line);
            let below = |points: &[Point<'_>]| points.iter().any(|it| it.edge.high < board.line);
            let (left, right) = points.split_at(i + 1);
            places.push(Place {
                of: series.map(|series| &*board.axes[series].labels[line]),
                between: [pair[0].label, pair[1].label],
                ends: pair[0].at.zip(pair[1].at).map(|(left, right)| [left, right]),
                sure: above(left) && below(right) || below(left) && above(right),
                crossing: crossing(&numbers, i, board.line),
                axis: numbers.first().zip(numbers.last()).map(|(first, last)| [first.0, last.0]),
            });
        }
    }
    places
}

/// Between which values the edge passes the line, and where on a straight line between them, for each line of the chart.
pub(super) fn crossings(board: &Board) -> Option<Finding> {
    let (x, _) = axes(board)?;
    let places = places(board);
    if places.is_empty() {
        return None;
    }
    let surely = places.iter().any(|place| place.sure);
    let placed = places.iter().any(|place| place.crossing.is_some());
    let said = places.iter().map(|place| {
        let of = place.of.map_or(String::new(), |of| format!("for {of} "));
        let perhaps = if surely && !place.sure { "perhaps " } else { "" };
        let [left, right] = place.between;
        let at = place.said().map_or(String::new(), |said| format!(", at {said}"));
        format!("{of}{perhaps}between {left} and {right}{at}")
    });
    let finding = format!(
        "The edge {} {} along {}",
        if surely { "crosses" } else { "may cross" },
        line_name(board).replace("an edge of ", ""),
        board.axes[x].name
    );
    let read = if placed { ", by straight lines between the values played" } else { "" };
    let rest = format!(" {}{read}.", said.collect::<Vec<_>>().join("; "));
    Some(Finding { side: Side::Open, finding, rest })
}

fn point<'b>(axis: &'b BoardAxis, x: usize, cell: &BoardCell) -> Option<Point<'b>> {
    let value = cell.at[x];
    let at = axis.numbers.as_ref().and_then(|numbers| numbers[value]);
    Some(Point { label: &axis.labels[value], at, edge: Measure::Edge.of_chosen(cell)? })
}

impl Place<'_> {
    /// Where the edge passes the line, in words, with as many digits as keep it between the values beside it.
    fn said(&self) -> Option<String> {
        let (Crossing { at, low, high }, [left, right], [first, last]) =
            (self.crossing?, self.ends?, self.axis?);
        let ends = [low.unwrap_or(first), high.unwrap_or(last)];
        let half = (ends[1] - ends[0]) / 2.0;
        let enough = if half > 0.0 { (-half.log10()).ceil().clamp(0.0, 3.0) as usize } else { 3 };
        let between = |&d: &usize| format!("{at:.d$}").parse().is_ok_and(|at: f64| left < at && at < right);
        // At an end itself no digits do.
        let d = (enough..=MOST_DIGITS).find(between).unwrap_or(enough);
        let unit = 10f64.powi(d as i32);
        let (from, to) =
            (fixed((ends[0] * unit).floor() / unit, d), fixed((ends[1] * unit).ceil() / unit, d));
        let interval = match (low, high) {
            (Some(_), Some(_)) => format!("{from} to {to}"),
            (None, Some(_)) => format!("{to} or less"),
            (Some(_), None) => format!("{from} or more"),
            (None, None) => "anywhere on the axis".into(),
        };
        Some(format!("{} ({interval})", fixed(at, d)))
    }
}
