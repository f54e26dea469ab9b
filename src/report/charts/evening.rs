//! The house's profit over an evening: a fan of quantiles.

use super::axis::{Axis, padded, span};
use super::canvas::{ChartError, Page};
use super::frame::{Frame, Key, Mark};
use super::subtitle;
use crate::report::Entry;
use crate::report::figures::{count, fixed, money, share};
use crate::stats::Evening;

pub(super) const TITLE: &str = "The house's profit over an evening";
pub(super) const HEIGHT: u32 = 900;

/// Decks and quantiles that can be drawn, from the start of the evening: no deck, no profit.
fn points(evening: &Evening) -> Vec<(u32, [f64; 5])> {
    let given = evening.decks.iter().copied().zip(evening.quantiles.iter().copied());
    std::iter::once((0, [0.0; 5]))
        .chain(given.filter(|(decks, q)| *decks > 0 && q.iter().all(|v| v.is_finite())))
        .collect()
}

/// Fewer games show too little of luck to foretell any.
const FEWEST_GAMES: u64 = 30;

pub(super) fn applies(entry: &Entry<'_>, evening: &Evening) -> bool {
    entry.summary.games >= FEWEST_GAMES && points(evening).len() > 1
}

pub(super) fn caption(entry: &Entry<'_>, evening: &Evening) -> String {
    let casino = &entry.rules.casino;
    match points(evening).last() {
        Some((decks, [low, _, median, _, high])) => format!(
            "What luck does to the house's profit (line: median; bands: half, and nine in ten, of all evenings). \
             After {} decks half of all evenings bring {} or more and nine in ten lie between {} and {}; {} of \
             evenings end with a loss for the house.",
            count(u64::from(*decks)),
            money(*median, casino, false),
            money(*low, casino, false),
            money(*high, casino, false),
            share(evening.losing_probability),
        ),
        None => String::new(),
    }
}

pub(super) fn draw(page: &Page<'_, '_>, entry: &Entry<'_>, evening: &Evening) -> Result<(), ChartError> {
    let palette = page.palette;
    let points = points(evening);
    let casino = entry.rules.casino.clone();
    let decks = points.last().map_or(1, |(decks, _)| *decks);
    let values = points.iter().flat_map(|(_, q)| q.iter().copied()).map(|cents| cents / 100.0);
    let range = padded(span(values).unwrap_or((0.0, 1.0)), 0.06);
    let loss = format!(
        "house loses: {} of evenings of {} decks",
        share(evening.losing_probability),
        count(u64::from(decks))
    );
    let keys = [
        Key { mark: Mark::Line, colour: palette.house, text: "median" },
        Key { mark: Mark::Area(0.5), colour: palette.house, text: "half of evenings" },
        Key { mark: Mark::Area(0.22), colour: palette.house, text: "9 in 10" },
        Key { mark: Mark::Area(0.25), colour: palette.player, text: &loss },
    ];
    let unit = match casino.currency.trim() {
        "" => "profit of the house".into(),
        currency => format!("profit of the house, {currency}"),
    };
    let frame = Frame {
        height: HEIGHT,
        title: TITLE,
        subtitle: &subtitle(entry),
        keys: &keys,
        markers: &[],
        x: Axis::new(
            if entry.summary.stakes.is_some() { "hands offered" } else { "decks sold" },
            (0.0, f64::from(decks)),
            8,
            fixed,
        ),
        y: Axis::new(&unit, range, 6, move |v, d| money(v * 100.0, &casino, d == 0)),
        side: None,
    };
    let plot = frame.draw(page)?;
    let zero = plot.y(0.0);
    page.fill([(plot.left, zero), (plot.right, plot.bottom)], palette.player, 0.12)?;
    let along = |i: usize| -> Vec<(i32, i32)> {
        points.iter().map(|(decks, q)| plot.at(f64::from(*decks), q[i] / 100.0)).collect()
    };
    page.band(&along(4), &along(0), palette.house, 0.22)?;
    page.band(&along(3), &along(1), palette.house, 0.36)?;
    page.line(vec![(plot.left, zero), (plot.right, zero)], palette.ink, 3)?;
    page.line(along(2), palette.house, 5)
}
