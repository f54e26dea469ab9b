//! What it is worth to a player to stop at each step of the stake.

use plotters::style::text_anchor::HPos;

use super::axis::{Axis, padded, span};
use super::canvas::{ChartError, Page};
use super::frame::{LINE, TEXT};
use super::rows::{self, Row};
use super::subtitle;
use crate::report::Entry;
use crate::report::figures::{gain_estimate, games, money};
use crate::report::stakes::worth;
use crate::stats::Estimate;

pub(super) const TITLE: &str = "What stopping is worth";

/// The steps at which games were stopped, and what that was worth each.
fn stops(entry: &Entry<'_>) -> Vec<(String, Estimate)> {
    let stages = entry.summary.stakes.iter().flat_map(|stakes| &stakes.stages);
    let stopped = stages.filter_map(|stage| {
        let worth = stage.worth_of_stopping.filter(|e| e.low.is_finite() && e.high.is_finite())?;
        Some((format!("{}, {} stopped", stage.at, games(stage.stopped)), worth))
    });
    stopped.collect()
}

pub(super) fn applies(entry: &Entry<'_>) -> bool {
    !stops(entry).is_empty()
}

pub(super) fn height(entry: &Entry<'_>) -> u32 {
    rows::height(stops(entry).len(), 1)
}

pub(super) fn caption(entry: &Entry<'_>) -> String {
    let all = entry.summary.stakes.as_ref().and_then(|stakes| worth(entry, stakes));
    let all = all.map_or(String::new(), |worth| format!(" Over all games it comes to {worth}."));
    format!(
        "What the player took away more by stopping at a step than by buying it and all that came after it, on \
         average over the games stopped there (line), with its 95% interval (box).{all}"
    )
}

pub(super) fn draw(page: &Page<'_, '_>, entry: &Entry<'_>) -> Result<(), ChartError> {
    let palette = page.palette;
    let casino = entry.rules.casino.clone();
    let row = |(name, worth): (String, Estimate)| {
        let colour = match worth {
            e if e.low > 0.0 => palette.player,
            e if e.high < 0.0 => palette.house,
            _ => palette.muted,
        };
        let dollars = |cents: f64| cents / 100.0;
        let estimate =
            Estimate { value: dollars(worth.value), low: dollars(worth.low), high: dollars(worth.high) };
        Row { name, estimate, bounds: None, colour, said: gain_estimate(worth, &casino) }
    };
    let rows: Vec<Row> = stops(entry).into_iter().map(row).collect();
    let values = rows.iter().flat_map(|r| [r.estimate.value, r.estimate.low, r.estimate.high]);
    let (low, high) = padded(span(values.chain([0.0])).unwrap_or((-1.0, 1.0)), 0.06);
    let least = ((high - low) * 0.12).max(0.01);
    let range = (low.min(-least), high.max(least));
    let x = |ticks| {
        let casino = casino.clone();
        let title = format!("worth of stopping, {} a game stopped", casino.currency.trim());
        Axis::new(&title, range, ticks, move |v, d| money(v * 100.0, &casino, d == 0))
    };
    rows::draw(page, &rows, (TITLE, &subtitle(entry), casino.currency.trim()), x, 1, |plot| {
        let zero = plot.x(0.0);
        page.line(vec![(zero, plot.top - LINE), (zero, plot.bottom)], palette.ink, 3)?;
        let y = plot.top - LINE / 2 - 4;
        page.text("← better to buy on", (zero - 14, y), TEXT, palette.house, HPos::Right)?;
        page.text("better to stop →", (zero + 14, y), TEXT, palette.player, HPos::Left)
    })
}
