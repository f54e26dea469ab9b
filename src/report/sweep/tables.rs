//! The tables of a sweep.

use std::borrow::Cow;

use super::board::{Board, BoardCell, CellState, Measure, Shape, cells};
use super::differences::differences;
use super::{SweepReport, json::reasons};
use crate::diagnostic::{MOST_LISTED, and_more};
use crate::figures::{FormattedEstimate, Side, number};
use crate::report::document::Block;
use crate::report::table::{DataTable, exact, figure, name};

/// Most cells that are listed one by one, and where there is a table besides; more are in the CSV file.
const LISTED: (usize, usize) = (60, 30);
/// Most columns of a grid in a table.
const COLUMNS: usize = 8;

/// All tables, in order.
pub(super) fn tables(board: &Board) -> Vec<DataTable> {
    let mut tables = grids(board);
    if lists(board) {
        tables.push(list(board));
        tables.extend(differences(board));
    }
    tables
}

/// Whether the cells are few enough to be listed one by one.
pub(super) fn lists(board: &Board) -> bool {
    let tables = !matches!(board.shape, Shape::Lines { series: None, .. });
    board.cells.len() <= if tables { LISTED.1 } else { LISTED.0 }
}

/// The first figure of the board over two axes, a table for each value of a third.
fn grids(board: &Board) -> Vec<DataTable> {
    let Some(&measure) = Measure::of(board).first() else { return Vec::new() };
    let (across, down, panels) = match board.shape {
        Shape::Lines { x, series: Some(series) } => (series, x, None),
        Shape::Maps { x, y, panels } => (x, y, panels),
        _ => return Vec::new(),
    };
    let long = |axis: usize| board.axes[axis].labels.len() > COLUMNS;
    let (across, down) = if long(across) { (down, across) } else { (across, down) };
    if long(across) {
        return Vec::new();
    }
    let sheet = |panel: Option<(usize, usize)>| {
        let at = |column: usize, row: usize| {
            let mut at = vec![0; board.axes.len()];
            (at[across], at[down]) = (column, row);
            if let Some((axis, value)) = panel {
                at[axis] = value;
            }
            board.cell(&at)
        };
        let columns = 0..board.axes[across].labels.len();
        let rows = board.axes[down].labels.iter().enumerate().map(|(row, label)| {
            let said = |column| at(column, row).map_or(exact(""), |cell| brief(board, measure, cell));
            let cells = columns.clone().map(said);
            [exact(label.clone())].into_iter().chain(cells).collect::<Vec<_>>()
        });
        let of = panel.map_or(String::new(), |(axis, value)| {
            format!(", {} {}", board.axes[axis].name, board.axes[axis].labels[value])
        });
        let first = name(board.axes[down].name.clone());
        let labels = board.axes[across].labels.iter().map(|label| figure(label.clone()));
        DataTable::new(
            format!(
                "The {} by {} and {}{of}",
                measure.name(),
                board.axes[down].name,
                board.axes[across].name
            ),
            Cow::Borrowed(
                "After ± stands half the width of the 95% interval of the cell by itself. ? marks a cell that is too \
                 close to call, all cells judged at once.",
            ),
            [first].into_iter().chain(labels).collect(),
            rows,
        )
    };
    match panels {
        Some(axis) => (0..board.axes[axis].labels.len()).map(|value| sheet(Some((axis, value)))).collect(),
        None => vec![sheet(None)],
    }
}

/// A figure with its half-width: `+12.3%` and `±0.4`.
pub(super) fn brief(board: &Board, measure: Measure, cell: &BoardCell) -> FormattedEstimate {
    match (&cell.play, measure.value(cell)) {
        (CellState::Impossible, _) => exact("no game"),
        (_, None) => exact("-"),
        (_, Some(e)) => {
            let decimals = if measure.half_width(e, 2) < 0.095 { 2 } else { 1 };
            let half = measure.half_width(e, decimals);
            let open = measure == Measure::Edge && board.side(cell) == Some(Side::Open);
            let mark = if open { "?" } else { "" };
            let value = format!("{}{mark}", measure.short(e.value, decimals));
            FormattedEstimate { value, interval: format!("±{half:.decimals$}"), ..measure.say(e) }
        }
    }
}

/// Every cell with its figures.
fn list(board: &Board) -> DataTable {
    let measures = Measure::of(board);
    let mut heads: Vec<_> = board.axes.iter().map(|axis| name(axis.name.clone())).collect();
    heads.extend(measures.iter().map(|measure| figure(measure.name())));
    heads.push(figure("games"));
    let row = |cell: &BoardCell| {
        let mut row: Vec<FormattedEstimate> =
            board.axes.iter().zip(&cell.at).map(|(axis, &value)| exact(axis.labels[value].clone())).collect();
        for &measure in &measures {
            row.push(match (measure.value(cell), &cell.play) {
                (Some(e), _) => measure.say(e),
                (None, CellState::Impossible) => exact("no game"),
                (None, _) => exact("-"),
            });
        }
        row.push(match cell.play {
            CellState::Played { games, .. } => number(games),
            _ => exact("0"),
        });
        row
    };
    DataTable::new("Every cell", "With 95% intervals.", heads, board.cells.iter().map(row))
}

/// Why cells are no game: every reason once, in full.
pub(super) fn impossible(report: &SweepReport<'_>, board: &Board) -> Vec<Block> {
    let mut told: Vec<(String, u64, String)> = Vec::new();
    for (cell, shown) in report.plan.cells.iter().zip(&board.cells) {
        for reason in reasons(cell) {
            match told.iter_mut().find(|(known, ..)| *known == reason) {
                Some((_, others, _)) => *others += 1,
                None => told.push((reason, 0, board.label(shown))),
            }
        }
    }
    if told.is_empty() {
        return Vec::new();
    }
    let words = |(reason, others, first): (String, u64, String)| {
        let others = if others == 0 { String::new() } else { format!(" and {}", cells(others, "other ")) };
        Block::Text(format!("{first}{others}: {reason}"))
    };
    let heading = Block::Heading("Cells without a valid ruleset".into());
    let more = and_more(told.len()).map(|more| Block::Text(format!("{more}: cells.csv has all of them")));
    [heading].into_iter().chain(told.into_iter().take(MOST_LISTED).map(words)).chain(more).collect()
}
