//! Where the edge passes the line, along one axis.

use super::board::{Board, BoardAxis, BoardCell, Measure, Shape, line_name};
use crate::figures::{Side, fixed};
use crate::report::document::Finding;
use crate::stats::{Crossing, Estimate, crossing};

/// A value of the axis, its number where it is one, and the edge there with an interval that holds for all cells at once.
struct Point<'b> {
    label: &'b str,
    at: Option<f64>,
    edge: Estimate,
}

/// Between which values the edge passes the line, and where on a straight line between them, for each line of the chart.
pub(super) fn crossings(board: &Board) -> Option<Finding> {
    let Shape::Lines { x, series } = board.shape else { return None };
    let axis = &board.axes[x];
    axis.numbers.as_ref()?;
    let (mut told, mut placed) = (Vec::new(), false);
    for line in 0..series.map_or(1, |series| board.axes[series].labels.len()) {
        let on_line = |cell: &&BoardCell| series.is_none_or(|series| cell.at[series] == line);
        let points: Vec<Point<'_>> =
            board.cells.iter().filter(on_line).filter_map(|cell| point(axis, x, cell)).collect();
        let name = series.map_or(String::new(), |s| format!("for {} ", board.axes[s].labels[line]));
        for (i, pair) in points.windows(2).enumerate() {
            if (pair[0].edge.value > board.line) == (pair[1].edge.value > board.line) {
                continue;
            }
            let place = place(&points, i, board.line).map_or(String::new(), |said| format!(", at {said}"));
            placed |= !place.is_empty();
            // Some value on the one side and some on the other lie surely beyond the line.
            let above = |points: &[Point<'_>]| points.iter().any(|it| it.edge.low > board.line);
            let below = |points: &[Point<'_>]| points.iter().any(|it| it.edge.high < board.line);
            let (left, right) = points.split_at(i + 1);
            let sure = above(left) && below(right) || below(left) && above(right);
            told.push((
                sure,
                name.clone(),
                format!("between {} and {}{place}", pair[0].label, pair[1].label),
            ));
        }
    }
    if told.is_empty() {
        return None;
    }
    let surely = told.iter().any(|(sure, ..)| *sure);
    let said = told.into_iter().map(|(sure, name, place)| match surely && !sure {
        true => format!("{name}perhaps {place}"),
        false => format!("{name}{place}"),
    });
    let finding = format!(
        "The edge {} {} along {}",
        if surely { "crosses" } else { "may cross" },
        line_name(board).replace("an edge of ", ""),
        axis.name
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

/// Where the edge passes the line after point `i`, in words. None beside a value that is no number.
fn place(points: &[Point<'_>], i: usize, line: f64) -> Option<String> {
    let numbers: Vec<(f64, Estimate)> = points.iter().map_while(|it| Some((it.at?, it.edge))).collect();
    let Crossing { at, low, high } = crossing(&numbers, i, line)?;
    let ends = [low.unwrap_or(numbers[0].0), high.unwrap_or(numbers[numbers.len() - 1].0)];
    let half = (ends[1] - ends[0]) / 2.0;
    let d = if half > 0.0 { (-half.log10()).ceil().clamp(0.0, 3.0) as usize } else { 3 };
    let unit = 10f64.powi(d as i32);
    let (first, last) = (fixed((ends[0] * unit).floor() / unit, d), fixed((ends[1] * unit).ceil() / unit, d));
    let interval = match (low, high) {
        (Some(_), Some(_)) => format!("{first} to {last}"),
        (None, Some(_)) => format!("{last} or less"),
        (Some(_), None) => format!("{first} or more"),
        (None, None) => "anywhere on the axis".into(),
    };
    Some(format!("{} ({interval})", fixed(at, d)))
}
