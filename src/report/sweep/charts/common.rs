//! What the charts of a sweep share: units, ticks and words.

use super::super::board::{Board, BoardCell, CellState, Measure};
use super::super::findings::furthest;
use crate::chart::scaled;
use crate::stats::Estimate;

/// A figure in the unit of charts: percent, or cards.
pub(super) fn drawn(measure: Measure, e: Estimate) -> Estimate {
    scaled(e, unit(measure))
}

pub(super) fn unit(measure: Measure) -> f64 {
    if measure == Measure::Cards { 1.0 } else { 100.0 }
}

/// The name of a value of charts.
pub(super) fn tick(measure: Measure) -> impl Fn(f64, usize) -> String + Copy {
    move |v, d| measure.short(v / unit(measure), d)
}

/// What is measured, with its unit.
pub(super) fn measured(measure: Measure) -> &'static str {
    match measure {
        Measure::Edge => "house edge, % of the stake",
        Measure::Wins => "games won, % of all games",
        Measure::Cards => "mean cards on the foundations",
    }
}

/// The lowest and the highest figure with their intervals.
pub(super) fn range_in_words(board: &Board, measure: Measure) -> String {
    let ends = [false, true].map(|highest| furthest(board, measure, highest));
    let [Some(low), Some(high)] = ends else { return "No games were played.".into() };
    let say = |cell: &BoardCell| {
        let said = measure.value(cell).map_or(String::new(), |e| measure.say(e).both());
        format!("{said} with {}", board.label(cell))
    };
    format!("From {} to {}.", say(low), say(high))
}

/// What stands where there is no figure.
pub(super) fn nothing(cell: &BoardCell) -> &'static str {
    if matches!(cell.play, CellState::Impossible) { "no game" } else { "not played" }
}
