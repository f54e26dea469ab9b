//! Win rates by ruleset and strategy with their intervals.

use super::axis::{Axis, padded, span};
use super::canvas::{ChartError, Page};
use super::clairvoyant;
use super::rows::{self, Row};
use crate::report::bounds::percent_between;
use crate::report::figures::{fixed, percent};
use crate::report::labels::labels;
use crate::report::{Clairvoyant, Entry};

pub(super) const TITLE: &str = "Games won";

pub(super) fn height(entries: &[Entry<'_>]) -> u32 {
    rows::height(clairvoyant::count(entries, |_| true, |_| true), 0)
}

pub(super) fn caption(entries: &[Entry<'_>]) -> String {
    let best = entries
        .iter()
        .zip(labels(entries))
        .max_by(|(a, _), (b, _)| a.summary.win_rate.value.total_cmp(&b.summary.win_rate.value));
    let which = match best {
        Some((best, label)) if entries.len() > 1 => format!(
            " Most are won in {} by {}: {}.",
            label.rules,
            label.player,
            percent(best.summary.win_rate).both()
        ),
        Some((only, _)) => format!(" Here: {}.", percent(only.summary.win_rate).both()),
        None => String::new(),
    };
    format!(
        "The share of games in which all cards went up (line), with its 95% interval (box). Intervals too \
         narrow to be seen stand once more beside the plot, magnified.{which}{}",
        clairvoyant::caption(entries)
    )
}

pub(super) fn draw(page: &Page<'_, '_>, entries: &[Entry<'_>]) -> Result<(), ChartError> {
    let row = |entry: &Entry<'_>, name: String| {
        let estimate = entry.summary.win_rate;
        Some(Row { name, estimate, bounds: None, colour: page.palette.series[0], said: percent(estimate) })
    };
    let bounds = |known: &Clairvoyant| Some((known.winnable.share, percent_between(known.winnable.share)));
    let rows = clairvoyant::with(entries, page.palette, row, bounds);
    let shown = rows.iter().flat_map(|r| [r.estimate.value, r.estimate.high]).map(|v| v * 100.0);
    let most = span(shown).map_or(1.0, |(_, high)| high.max(0.01));
    let range = (0.0, padded((0.0, most), 0.06).1.min(100.0));
    let x = |ticks| Axis::new("games won, % of all games", range, ticks, |v, d| format!("{}%", fixed(v, d)));
    let rows = scaled(rows);
    let subtitle = "share of games won by ruleset and strategy, with 95% intervals (Wilson)";
    rows::draw(page, &rows, (TITLE, subtitle, "points"), x, 0, |_| Ok(()))
}

/// Rows in percent, as the axis is.
pub(super) fn scaled(mut rows: Vec<Row>) -> Vec<Row> {
    for row in &mut rows {
        let e = &mut row.estimate;
        (e.value, e.low, e.high) = (e.value * 100.0, e.low * 100.0, e.high * 100.0);
        row.bounds = row.bounds.map(|(least, most)| (least * 100.0, most * 100.0));
    }
    rows
}
