//! Every cell over each axis by itself: what an axis does while all others vary.

use super::super::board::{Board, Measure};
use super::common::{drawn, measured, range_in_words, tick};
use crate::chart::{Axis, Chart, Key, Mark, Panel, Role, padded, span};
use crate::report::labels::upper_first;
use crate::stats::Estimate;

pub(super) fn chart(board: &Board, measure: Measure) -> Chart {
    let edge = measure == Measure::Edge;
    let all = board.cells.iter().filter_map(|cell| measure.value(cell)).map(|e| drawn(measure, e));
    let lines = [0.0, board.line * 100.0].into_iter().filter(|_| edge);
    let range = span(all.flat_map(|e| [e.value, e.low, e.high]).chain(lines)).unwrap_or((0.0, 1.0));
    let y = Axis::new(measured(measure), padded(range, 0.05), 6, tick(measure));
    let panel = |axis: usize| Panel {
        title: upper_first(&board.axes[axis].name),
        ..Panel::new(
            Axis::columns("", board.axes[axis].labels.clone()),
            y.clone(),
            marks(board, measure, axis),
        )
    };
    let sides = match edge {
        true => {
            " Blue: the house gains; orange: the player gains; grey: too close to call (or, with a target \
                 edge: above, below, and too close to it), all cells judged at once."
        }
        false => "",
    };
    let dots = board.cells.first().and_then(|cell| board.side(cell)).map_or(Role::Series(0), Role::of_side);
    Chart {
        caption: format!(
            "{} Each point is a cell with its 95% interval, the same cells in every plot; a bar is the mean of a \
             value's cells.{sides}",
            range_in_words(board, measure)
        ),
        keys: vec![
            Key::dot(dots, "a cell"),
            Key::upright(dots, "95% interval"),
            Key::line(Role::Ink, "mean of the cells of a value"),
        ],
        panels: (0..board.axes.len()).map(panel).collect(),
        height: 330,
        ..Chart::default()
    }
}

fn marks(board: &Board, measure: Measure, axis: usize) -> Vec<Mark> {
    let mut marks = Vec::new();
    if measure == Measure::Edge {
        marks.extend(Mark::sides_above());
        if board.line != 0.0 {
            marks.push(Mark::level(board.line * 100.0, Role::Ink, true));
        }
    }
    let values = board.axes[axis].labels.len();
    let mut figures: Vec<Vec<f64>> = vec![Vec::new(); values];
    for (i, cell) in board.cells.iter().enumerate() {
        let Some(Estimate { value, low, high }) = measure.value(cell).map(|e| drawn(measure, e)) else {
            continue;
        };
        let at = cell.at[axis];
        figures[at].push(value);
        // A step of the golden section spreads cells of one value evenly over its width.
        let x = at as f64 + 0.5 + ((i as f64 * 0.618_034).fract() - 0.5) * 0.5;
        let role = board.side(cell).map_or(Role::Series(0), Role::of_side);
        marks.push(Mark::Line { points: vec![(x, low), (x, high)], role, width: 2, broken: false });
        marks.push(Mark::dots(vec![(x, value)], role, 6));
    }
    for (at, figures) in figures.iter().enumerate().filter(|(_, figures)| !figures.is_empty()) {
        let mean = figures.iter().sum::<f64>() / figures.len() as f64;
        let at = at as f64 + 0.5;
        marks.push(Mark::line(vec![(at - 0.38, mean), (at + 0.38, mean)], Role::Ink));
    }
    marks
}
