//! The cells of a sweep as comma-separated values. Rates are fractions; a field without a figure is empty.

use std::fmt::Write;

use super::SweepReport;
use super::json::reasons;
use crate::report::csv::quoted;
use crate::stats::Estimate;

/// A row for each cell: its values, `as_written`, `games`, figures with their limits, and why there is no such game.
pub fn sweep_csv(report: &SweepReport<'_>) -> String {
    let mut text = String::new();
    for axis in &report.plan.axes {
        let _ = write!(text, "{},", quoted(axis.name()));
    }
    text.push_str("as_written,games,wins,house_edge,house_edge_low,house_edge_high,win_rate,win_rate_low,win_rate_high,");
    text.push_str(
        "mean_cards,mean_cards_low,mean_cards_high,net_cents,net_cents_low,net_cents_high,impossible\n",
    );
    for (cell, summary) in report.plan.cells.iter().zip(&report.summaries) {
        for (axis, &value) in report.plan.axes.iter().zip(&cell.at) {
            let _ = write!(text, "{},", quoted(&axis.values()[value]));
        }
        let _ = write!(text, "{}", cell.as_written);
        match summary {
            Some(s) => {
                let _ = write!(text, ",{},{}", s.games, s.wins);
                let figures = [s.house_edge, Some(s.win_rate), Some(s.cards), Some(s.net)];
                figures.into_iter().for_each(|figure| estimate(&mut text, figure));
            }
            None => text.push_str(",0,0,,,,,,,,,,,,"),
        }
        let _ = writeln!(text, ",{}", quoted(&reasons(cell).join(" | ")));
    }
    text
}

fn estimate(text: &mut String, figure: Option<Estimate>) {
    // Writing to a String cannot fail.
    let _ = match figure {
        Some(e) => write!(text, ",{},{},{}", e.value, e.low, e.high),
        None => write!(text, ",,,"),
    };
}
