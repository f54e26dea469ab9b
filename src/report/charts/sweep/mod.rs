//! Charts of sweeps: lines along one axis, maps over two or three, points over many.

mod legend;
mod lines;
mod maps;
mod scatter;

use std::sync::Arc;

use plotters::style::RGBColor;

use super::Chart;
use super::theme::Palette;
use crate::report::sweep::{Board, BoardCell, Measure, Shape, and};
use crate::stats::Estimate;

/// The charts of a sweep, one for each figure.
pub(in crate::report) fn sweep_charts<'a>(board: &Board) -> Vec<Chart<'a>> {
    let board = Arc::new(board.clone());
    let measures = Measure::of(&board);
    let chart = |measure: Measure| match board.shape {
        Shape::Lines { x, series } => {
            Chart::of(measure.file(), lines::Lines { board: board.clone(), measure, x, series })
        }
        Shape::Maps { x, y, panels } => {
            Chart::of(measure.file(), maps::Maps { board: board.clone(), measure, x, y, panels })
        }
        Shape::Scatter => Chart::of(measure.file(), scatter::Scatter { board: board.clone(), measure }),
    };
    // Of many axes one figure is much to look at.
    let charts = if board.shape == Shape::Scatter { 1 } else { measures.len() };
    measures.into_iter().take(charts).map(chart).collect()
}

/// The colours of the lines of a chart, none of them that of a side where there are few.
fn line_colour(line: usize, palette: &Palette) -> RGBColor {
    let colours =
        [palette.series[0], palette.clairvoyant, palette.ink, palette.muted, palette.player, palette.house];
    colours[line % colours.len()]
}

/// The title of a chart: `House edge by stock.draw and stock.redeals`.
fn title(board: &Board, measure: Measure) -> String {
    let name = measure.name();
    let mut letters = name.chars();
    let first = letters.next().map_or(String::new(), |c| c.to_uppercase().to_string());
    let axes: Vec<&str> = board.axes.iter().map(|axis| &*axis.name).collect();
    format!("{first}{} by {}", letters.as_str(), and(&axes))
}

/// What a chart shows of whom, for its caption.
fn who_wins(board: &Board, measure: Measure) -> String {
    let mut values = board.cells.iter().filter_map(|cell| Some((cell, measure.value(cell)?)));
    let Some(first) = values.next() else { return "No games were played.".into() };
    let (mut low, mut high) = (first, first);
    for (cell, e) in values {
        if e.value < low.1.value {
            low = (cell, e);
        }
        if e.value > high.1.value {
            high = (cell, e);
        }
    }
    let say =
        |(cell, e): (&BoardCell, Estimate)| format!("{} with {}", measure.say(e).both(), board.label(cell));
    format!("From {} to {}.", say(low), say(high))
}
