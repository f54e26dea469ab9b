//! The house edge against the price of the deck.
//!
//! What a deck pays back does not change with its price while the player plays alike, so the edge at
//! price `p` is `1 - payout / p`, and the limits of the mean net give those of the edge.

use super::axis::{Axis, padded, span};
use super::canvas::{ChartError, Page};
use super::edges::side;
use super::frame::{Frame, Key, Mark, Marker};
use super::subtitle;
use crate::report::Entry;
use crate::report::figures::{edge as edge_in_words, fixed, money, money_estimate};
use crate::rules::Casino;
use crate::stats::Estimate;

pub(super) const TITLE: &str = "House edge by price of the deck";
pub(super) const HEIGHT: u32 = 1000;
/// Points of the curve, closer together where it bends more.
const STEPS: usize = 48;

/// Mean paid back on a deck, cents.
fn payout(entry: &Entry<'_>) -> Estimate {
    let stake = entry.rules.casino.stake as f64;
    let net = entry.summary.net;
    Estimate { value: stake + net.value, low: stake + net.low, high: stake + net.high }
}

/// The edge of the house at a price in cents, as a fraction.
fn edge(payout: Estimate, price: f64) -> Estimate {
    let at = |paid: f64| 1.0 - paid / price;
    Estimate { value: at(payout.value), low: at(payout.high), high: at(payout.low) }
}

/// The least and the greatest price shown, cents; none where there is nothing to show.
fn prices(entry: &Entry<'_>) -> Option<(f64, f64)> {
    let s = entry.summary;
    let marked = [entry.rules.casino.stake as f64, s.fair_price?.value, s.price_for_5_percent?.value];
    let (low, high) = span(marked.into_iter().filter(|&p| p > 0.0))?;
    let finite = payout(entry).value.is_finite();
    finite.then_some((low * 0.7, high * 1.3))
}

/// Whether there is anything to draw: a price, and a payout that is a number. A stake bought in steps has no
/// one price.
pub(super) fn applies(entry: &Entry<'_>) -> bool {
    entry.rules.casino.stake > 0 && entry.summary.house_edge.is_some() && prices(entry).is_some()
}

pub(super) fn caption(entry: &Entry<'_>) -> String {
    let casino = &entry.rules.casino;
    let said = |price: Option<Estimate>| price.map_or(String::new(), |p| money_estimate(p, casino).both());
    format!(
        "What the house would keep at other prices if this player played alike (line), with its 95% interval \
         (band). Fair is {}; an edge of 5% needs {}.",
        said(entry.summary.fair_price),
        said(entry.summary.price_for_5_percent),
    )
}

fn markers(page: &Page<'_, '_>, entry: &Entry<'_>) -> Vec<Marker> {
    let s = entry.summary;
    let casino = &entry.rules.casino;
    let stake = casino.stake as f64;
    let palette = page.palette;
    let now = edge(payout(entry), stake);
    let mut markers = vec![Marker {
        at: stake / 100.0,
        label: format!("price now {}: edge {}", money(stake, casino, false), edge_in_words(now).value),
        colour: side(now, palette),
    }];
    for (name, price) in [("fair price", s.fair_price), ("5% edge at", s.price_for_5_percent)] {
        if let Some(price) = price.filter(|price| price.value.is_finite() && price.value > 0.0) {
            let label = format!("{name} {}", money_estimate(price, casino).both());
            markers.push(Marker { at: price.value / 100.0, label, colour: palette.ink });
        }
    }
    markers
}

pub(super) fn draw(page: &Page<'_, '_>, entry: &Entry<'_>) -> Result<(), ChartError> {
    let palette = page.palette;
    let Some((low, high)) = prices(entry) else { return Ok(()) };
    let payout = payout(entry);
    let casino = entry.rules.casino.clone();
    let curve: Vec<(f64, Estimate)> = (0..=STEPS)
        .map(|i| low * (high / low).powf(i as f64 / STEPS as f64))
        .map(|price| (price, edge(payout, price)))
        .collect();
    let values = curve.iter().flat_map(|(_, e)| [e.value, e.low, e.high]).map(|v| (v * 100.0).max(-1000.0));
    let (bottom, top) = span(values.chain([0.0])).unwrap_or((0.0, 1.0));
    let keys = [
        Key { mark: Mark::Line, colour: palette.series[0], text: "house edge" },
        Key { mark: Mark::Area(0.3), colour: palette.series[0], text: "95% interval" },
        Key { mark: Mark::Area(0.25), colour: palette.house, text: "house gains" },
        Key { mark: Mark::Area(0.25), colour: palette.player, text: "player gains" },
    ];
    let frame = Frame {
        height: HEIGHT,
        title: TITLE,
        subtitle: &subtitle(entry),
        keys: &keys,
        markers: &markers(page, entry),
        x: Axis::new(&price_title(&casino), (low / 100.0, high / 100.0), 8, move |v, d| {
            money(v * 100.0, &casino, d == 0)
        }),
        y: Axis::new("house edge, % of the price", padded((bottom, top), 0.05), 6, |v, d| {
            format!("{}%", fixed(v, d))
        }),
        side: None,
    };
    let plot = frame.draw(page)?;
    let zero = plot.y(0.0);
    page.fill([(plot.left, plot.top), (plot.right, zero)], palette.house, 0.12)?;
    page.fill([(plot.left, zero), (plot.right, plot.bottom)], palette.player, 0.12)?;
    page.line(vec![(plot.left, zero), (plot.right, zero)], palette.ink, 3)?;
    let along = |pick: fn(&Estimate) -> f64| -> Vec<(i32, i32)> {
        curve.iter().map(|(price, e)| plot.at(price / 100.0, pick(e) * 100.0)).collect()
    };
    page.band(&along(|e| e.high), &along(|e| e.low), palette.series[0], 0.3)?;
    page.line(along(|e| e.value), palette.series[0], 5)?;
    let s = entry.summary;
    let stake = Some(entry.rules.casino.stake as f64);
    let prices = [stake, s.fair_price.map(|e| e.value), s.price_for_5_percent.map(|e| e.value)];
    for price in prices.into_iter().flatten() {
        if price.is_finite() && price > 0.0 {
            let at = plot.at(price / 100.0, edge(payout, price).value * 100.0);
            page.dot(at, 10, palette.ink)?;
        }
    }
    Ok(())
}

fn price_title(casino: &Casino) -> String {
    match casino.currency.trim() {
        "" => "price of the deck".into(),
        currency => format!("price of the deck, {currency}"),
    }
}
