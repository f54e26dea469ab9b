//! The cells of a sweep as comma-separated values. Rates are fractions; a field without a figure is empty.

use super::SweepReport;
use super::json::reasons;
use crate::report::csv::{Row, table};

const FIGURES: [&str; 4] = ["house_edge", "win_rate", "mean_cards", "net_cents"];

/// What a cell has more than what it is compared with, on the `compared` first deals.
const DIFFERENCES: [&str; 3] = ["more_house_edge", "more_win_rate", "more_mean_cards"];

/// A row for each cell: its values, `as_written`, `games`, figures with their limits, the same less what the cell is
/// compared with, and why there is no such game.
pub fn sweep_csv(report: &SweepReport<'_>) -> String {
    let axes = || report.plan.axes.iter();
    let mut head = axes().fold(Row::default(), |row, axis| row.text(axis.name()));
    head = ["as_written", "games", "wins"].into_iter().fold(head, Row::field);
    for figure in FIGURES {
        head = head.field(figure).field(format!("{figure}_low")).field(format!("{figure}_high"));
    }
    head = head.field("compared");
    for figure in DIFFERENCES {
        head = head.field(figure).field(format!("{figure}_low")).field(format!("{figure}_high"));
    }
    let mut rows = vec![head.field("impossible")];
    for (i, (cell, summary)) in report.plan.cells.iter().zip(&report.summaries).enumerate() {
        let values = axes().zip(&cell.at);
        let row = values.fold(Row::default(), |row, (axis, &value)| row.text(&axis.values()[value]));
        let s = summary.as_ref();
        let row = row.field(cell.as_written);
        let row = row.field(s.map_or(0, |s| s.games)).field(s.map_or(0, |s| s.wins));
        let row = row.estimate(s.and_then(|s| s.house_edge)).estimate(s.map(|s| s.win_rate));
        let row = row.estimate(s.map(|s| s.cards)).estimate(s.map(|s| s.net));
        let less = report.difference(i, 1);
        let less = less.as_ref();
        let row = row.field(less.map_or(0, |it| it.games)).estimate(less.and_then(|it| it.house_edge));
        let row = row.estimate(less.map(|it| it.win_rate)).estimate(less.map(|it| it.cards));
        rows.push(row.text(&reasons(cell).join(" | ")));
    }
    table(rows)
}
