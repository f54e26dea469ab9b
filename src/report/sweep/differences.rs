//! Cells against what they are compared with, on the same deals.

use super::board::{Board, BoardCell, Measure};
use crate::figures::{FormattedEstimate, Side, difference, number, points};
use crate::report::document::Finding;
use crate::report::table::{DataTable, exact, figure, name};
use crate::stats::{Difference, Estimate};

/// A difference by one measure, if it has it.
fn by(measure: Measure, difference: &Difference) -> Option<Estimate> {
    match measure {
        Measure::Edge => difference.house_edge,
        Measure::Wins => Some(difference.win_rate),
        Measure::Cards => Some(difference.cards),
    }
}

/// With its sign, and for an edge with whose gain it is: `+1.2 pp`, `+0.31`.
fn said(measure: Measure, e: Estimate) -> FormattedEstimate {
    match measure {
        Measure::Edge => FormattedEstimate { side: Side::of(e), ..points(e) },
        Measure::Wins => points(e),
        Measure::Cards => difference(e),
    }
}

/// The cells that are compared.
fn compared(board: &Board) -> impl Iterator<Item = (&BoardCell, &Difference)> {
    board.cells.iter().filter_map(|cell| Some((cell, cell.difference.as_ref()?)))
}

/// Every cell less what it is compared with.
pub(super) fn differences(board: &Board) -> Option<DataTable> {
    compared(board).next()?;
    let mut measures = Measure::of(board);
    measures.retain(|&measure| compared(board).any(|(_, it)| by(measure, it).is_some()));
    let mut heads: Vec<_> = board.axes.iter().map(|axis| name(axis.name.clone())).collect();
    heads.extend(measures.iter().map(|measure| figure(measure.name())));
    heads.push(figure("deals"));
    let row = |(cell, difference): (&BoardCell, &Difference)| {
        let values = board.axes.iter().zip(&cell.at).map(|(axis, &value)| exact(axis.labels[value].clone()));
        let figures =
            measures.iter().map(|&measure| by(measure, difference).map_or(exact("-"), |e| said(measure, e)));
        values.chain(figures).chain([number(difference.games)]).collect::<Vec<_>>()
    };
    Some(DataTable::new(
        format!("Each cell compared with {}, on the same deals", board.against),
        "Each figure of a cell less that of the rules it is compared with, played by the same strategy, with 95% intervals. \
         Both are dealt the same cards, so most of the luck cancels out.",
        heads,
        compared(board).map(row),
    ))
}

/// The cell that differs most, with an interval that holds for all cells at once.
pub(super) fn largest_change(board: &Board) -> Option<Finding> {
    let measure = Measure::of(board)
        .into_iter()
        .find(|&measure| compared(board).any(|(_, it)| by(measure, it).is_some()))?;
    let far = |it: &Difference| by(measure, it).map_or(f64::NEG_INFINITY, |e| e.value.abs());
    let most = compared(board).reduce(|a, b| if far(b.1) > far(a.1) { b } else { a })?.0;
    let e = by(measure, most.chosen_difference.as_ref()?)?;
    let told = said(measure, e);
    let finding = format!("Largest difference from {}: {} {}", board.against, told.value, measure.name());
    let rest = format!(" ({}), with {}.", told.interval, board.label(most));
    Some(Finding { side: told.side, finding, rest })
}
