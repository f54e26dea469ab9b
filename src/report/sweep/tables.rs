//! The tables of a sweep, and its cells as CSV.

use super::findings::compared;
use super::{Board, BoardCell, Measure, called, cells, half_width, measures};
use crate::diagnostic::{MOST_LISTED, and_more};
use crate::format::{FormattedEstimate, number};
use crate::lab::sweep::{Shape, Swept};
use crate::report::csv::{Row, table};
use crate::report::document::Block;
use crate::report::table::{Columns, DataTable, exact};

/// Maximum number of cells listed individually, on its own and with another table; more are in the CSV file.
const LISTED: (usize, usize) = (60, 30);
const COLUMNS: usize = 8;

pub(super) fn tables(board: &Board<'_>) -> Vec<DataTable> {
    let mut tables = grids(board);
    if lists(board) {
        tables.push(list(board));
        tables.extend(differences(board));
    }
    tables
}

/// Returns whether the cells are few enough to be listed individually.
pub(super) fn lists(board: &Board<'_>) -> bool {
    let tables = !matches!(board.shape, Shape::Lines { series: None, .. });
    board.cells.len() <= if tables { LISTED.1 } else { LISTED.0 }
}

/// Builds tables of the first figure over two axes, one for each value of a third.
fn grids(board: &Board<'_>) -> Vec<DataTable> {
    let Some(&measure) = measures(board).first() else { return Vec::new() };
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
        let at =
            |column: usize, row: usize| board.cell([(across, column), (down, row)].into_iter().chain(panel));
        let of = panel.map_or(String::new(), |(axis, value)| {
            format!(", {} {}", board.axes[axis].name, board.axes[axis].labels[value])
        });
        let [down, across] = [down, across].map(|axis| &board.axes[axis]);
        let about = "After ± stands half the width of the 95% interval of the cell by itself. ? marks a cell that is too \
             close to call, all cells judged at once.";
        let mut table = DataTable::of(
            format!("The {} by {} and {}{of}", called(measure), down.name, across.name),
            about,
            0..down.labels.len(),
        )
        .name(down.name.clone(), |row| &*down.labels[*row]);
        for (column, label) in across.labels.iter().enumerate() {
            let said = |row: &usize| at(column, *row).map_or(exact(""), |cell| brief(measure, cell));
            table = table.figure(label.clone(), said);
        }
        table.done()
    };
    match panels {
        Some(axis) => (0..board.axes[axis].labels.len()).map(|value| sheet(Some((axis, value)))).collect(),
        None => vec![sheet(None)],
    }
}

fn no_figure(cell: &BoardCell<'_>) -> FormattedEstimate {
    exact(if cell.found.impossible.is_empty() { "-" } else { "no game" })
}

/// Formats a figure with its half-width: `+12.3%` and `±0.4`.
fn brief(measure: Measure, cell: &BoardCell<'_>) -> FormattedEstimate {
    match cell.value(measure) {
        None => no_figure(cell),
        Some(e) => {
            let decimals = if half_width(measure, e, 2) < 0.095 { 2 } else { 1 };
            let half = half_width(measure, e, decimals);
            let mark = if cell.is_open(measure) { "?" } else { "" };
            let value = format!("{}{mark}", measure.short(e.value, decimals));
            FormattedEstimate { value, interval: format!("±{half:.decimals$}"), ..measure.say(e) }
        }
    }
}

/// Begins a table of cells with their values on the axes.
fn of_cells<'b, T>(
    (title, about): (String, &'static str),
    board: &Board<'_>,
    rows: impl IntoIterator<Item = T>,
    cell: impl Fn(&T) -> &BoardCell<'b>,
) -> Columns<T> {
    let mut table = DataTable::of(title, about, rows);
    for (i, axis) in board.axes.iter().enumerate() {
        table = table.name(axis.name.clone(), |row| &*axis.labels[cell(row).at[i]]);
    }
    table
}

fn list(board: &Board<'_>) -> DataTable {
    let mut table = of_cells(("Every cell".into(), "With 95% intervals."), board, &board.cells, |cell| cell);
    for measure in measures(board) {
        table = table.figure(called(measure), |cell| {
            cell.value(measure).map_or_else(|| no_figure(cell), |e| measure.say(e))
        });
    }
    table.figure("games", |cell| number(cell.found.games())).done()
}

/// Explains why cells are invalid: every reason once, in full.
pub(super) fn impossible(board: &Board<'_>) -> Vec<Block> {
    let mut listed: Vec<(&str, u64, String)> = Vec::new();
    for cell in &board.cells {
        for reason in &cell.found.impossible {
            match listed.iter_mut().find(|(known, ..)| known == reason) {
                Some((_, others, _)) => *others += 1,
                None => listed.push((reason, 0, board.label(cell))),
            }
        }
    }
    if listed.is_empty() {
        return Vec::new();
    }
    let words = |(reason, others, first): (&str, u64, String)| {
        let others = if others == 0 { String::new() } else { format!(" and {}", cells(others, "other ")) };
        Block::Text(format!("{first}{others}: {reason}"))
    };
    let heading = Block::Heading("Cells without a valid ruleset".into());
    let more = and_more(listed.len()).map(|more| Block::Text(format!("{more}: cells.csv has all of them")));
    [heading].into_iter().chain(listed.into_iter().take(MOST_LISTED).map(words)).chain(more).collect()
}

fn differences(board: &Board<'_>) -> Option<DataTable> {
    compared(board).next()?;
    let title = format!("Each cell compared with {}, on the same deals", board.swept.against);
    let about = "Each figure of a cell less that of the rules it is compared with, played by the same strategy, with 95% intervals. \
         Both are dealt the same cards, so most of the luck cancels out.";
    let mut table = of_cells((title, about), board, compared(board), |row| row.0);
    for measure in measures(board) {
        let of = |cell: &BoardCell<'_>| cell.difference(measure, false);
        let said = |(cell, _): &(&BoardCell<'_>, _)| of(cell).map_or(exact("-"), |e| measure.difference(e));
        table = table.figure(called(measure), said).when(compared(board).any(|(it, _)| of(it).is_some()));
    }
    Some(table.figure("deals", |(_, it)| number(it.games)).done())
}

const FIGURES: [&str; 4] = ["house_edge", "win_rate", "mean_cards", "net_cents"];

/// Differences of a cell from its baseline, on the first `compared` deals.
const DIFFERENCES: [&str; 3] = ["more_house_edge", "more_win_rate", "more_mean_cards"];

/// Returns the cells as comma-separated values, one row each; rates are fractions, and a field without a figure is
/// empty: the cell's values, `as_written`, `games`, figures with their limits, the differences from the baseline, and
/// why the cell is invalid.
pub fn sweep_csv(swept: &Swept) -> String {
    let axes = || swept.axes.iter();
    let mut head = axes().fold(Row::default(), |row, axis| row.text(axis.name()));
    head = ["as_written", "games", "wins"].into_iter().fold(head, Row::field);
    let limits = |row: Row, figure: &&str| {
        row.field(figure).field(format!("{figure}_low")).field(format!("{figure}_high"))
    };
    head = FIGURES.iter().fold(head, limits).field("compared");
    head = DIFFERENCES.iter().fold(head, limits);
    let mut rows = vec![head.field("impossible")];
    for cell in &swept.cells {
        let values = axes().zip(&cell.at);
        let row = values.fold(Row::default(), |row, (axis, &value)| row.text(&axis.values()[value]));
        let s = cell.summary.as_ref();
        let row = row.field(cell.as_written);
        let row = row.field(s.map_or(0, |s| s.games)).field(s.map_or(0, |s| s.wins));
        let row = row.estimate(s.and_then(|s| s.house_edge)).estimate(s.map(|s| s.win_rate));
        let row = row.estimate(s.map(|s| s.cards)).estimate(s.map(|s| s.net));
        let less = cell.difference.as_ref();
        let row = row.field(less.map_or(0, |it| it.games)).estimate(less.and_then(|it| it.house_edge));
        let row = row.estimate(less.map(|it| it.win_rate)).estimate(less.map(|it| it.cards));
        rows.push(row.text(&cell.impossible.join(" | ")));
    }
    table(rows)
}
