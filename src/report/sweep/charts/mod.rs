//! The charts of a sweep: lines along one axis, maps over two or three.

mod common;
mod lines;
mod maps;

use super::board::{Board, BoardCell, Measure, Shape, line_name};
use super::findings::furthest;
use crate::chart::Chart;
use crate::figures::count;
use crate::report::answer::Sides;
use crate::report::labels::upper_first;

/// A chart for each figure that the axes can move.
pub(super) fn sweep_charts(board: &Board) -> Vec<Chart> {
    let chart = |measure: Measure| {
        let board = &*board.about(measure);
        let chart = match board.shape {
            _ if board.axes.is_empty() => return None,
            Shape::Lines { x, series } => lines::chart(board, measure, x, series),
            Shape::Maps { x, y, panels } => maps::chart(board, measure, (x, y), panels),
        };
        Some(Chart {
            name: measure.file().into(),
            title: title(board, measure),
            subtitle: board.subtitle.clone(),
            ..chart
        })
    };
    Measure::of(board).into_iter().filter_map(chart).collect()
}

/// What was found: who wins how many cells, or how far the figure goes.
fn title(board: &Board, measure: Measure) -> String {
    let values = board.cells.iter().filter(|cell| measure.value(cell).is_some()).count();
    if measure == Measure::Edge {
        let Sides { house, player, .. } = Sides::of(board.cells.iter().map(|cell| board.side(cell)));
        let of = count(values as u64);
        return match (board.line == 0.0, house, player) {
            _ if values == 1 => title_of_one(board, measure),
            (true, n, _) if n == values => "The house gains in every cell".into(),
            (true, _, n) if n == values => "The player gains in every cell".into(),
            (true, ..) => format!("The house gains in {house} of {of} cells, the player in {player}"),
            (false, ..) => {
                format!("{house} of {of} cells have more than {}, {player} have less", line_name(board))
            }
        };
    }
    let ends = [true, false].map(|highest| furthest(board, measure, highest));
    let [Some(high), Some(low)] = ends else { return format!("No {}", measure.name()) };
    let said = |cell: &BoardCell| measure.value(cell).map_or(String::new(), |e| measure.say(e).value);
    if values == 1 || said(high) == said(low) {
        return title_of_one(board, measure);
    }
    let what = upper_first(measure.name());
    format!(
        "{what}: from {} with {} to {} with {}",
        said(low),
        board.label(low),
        said(high),
        board.label(high)
    )
}

fn title_of_one(board: &Board, measure: Measure) -> String {
    let first = board.cells.iter().find_map(|cell| measure.value(cell));
    let said = first.map_or("none".into(), |e| measure.say(e).value);
    format!("{}: {said}", upper_first(measure.name()))
}
