//! Win rates of many rulesets, one row each, with a mark for every player.

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::axis::{Axis, padded, span};
use super::canvas::{ChartError, Page, WIDTH};
use super::frame::{Frame, Key, MARGIN, Mark, TEXT};
use super::text;
use super::theme::Palette;
use crate::report::figures::{fixed, percent};
use crate::stats::Estimate;

pub(super) const TITLE: &str = "Games won on the shelf";

/// Height of a row, and of everything else.
const ROW: i32 = 36;
const REST: i32 = 300;
/// Room for names.
const NAMES: f64 = 420.0;
/// Ticks of the x axis.
const TICKS: usize = 10;

/// One row of the chart.
#[derive(Clone, Debug)]
pub(in crate::report) struct Lane<'a> {
    pub name: &'a str,
    /// By player; none where no games were played.
    pub estimates: Vec<Option<Estimate>>,
}

/// The chart with its rows put in order: the last player's best at the top.
#[derive(Clone, Debug)]
pub(super) struct Shelf<'a> {
    players: Vec<&'a str>,
    lanes: Vec<Lane<'a>>,
}

impl<'a> Shelf<'a> {
    pub fn new(players: &[&'a str], mut lanes: Vec<Lane<'a>>) -> Shelf<'a> {
        let rates = |lane: &Lane<'_>| -> Vec<f64> {
            lane.estimates.iter().rev().map(|e| e.map_or(-1.0, |e| e.value)).collect()
        };
        lanes.sort_by(|a, b| {
            let pairs = rates(b).into_iter().zip(rates(a));
            pairs.map(|(b, a)| b.total_cmp(&a)).find(|order| order.is_ne()).unwrap_or(a.name.cmp(b.name))
        });
        Shelf { players: players.to_vec(), lanes }
    }
}

pub(super) fn height(shelf: &Shelf<'_>) -> u32 {
    (REST + shelf.lanes.len().max(1) as i32 * ROW) as u32
}

pub(super) fn caption(shelf: &Shelf<'_>) -> String {
    let best = shelf.players.iter().enumerate().filter_map(|(i, player)| {
        let played = shelf.lanes.iter().filter_map(|lane| Some((lane.name, (*lane.estimates.get(i)?)?)));
        let (name, rate) = played.max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
        Some(format!("{name} by {player}, {}", percent(rate).both()))
    });
    let best = best.collect::<Vec<_>>().join("; ");
    let best = if best.is_empty() { best } else { format!(" Won most often: {best}.") };
    format!(
        "The share of games in which all cards went up (line), with its 95% interval (box), for each ruleset and \
         player.{best}"
    )
}

/// The colour of a player's marks.
fn colour(player: usize, palette: &Palette) -> RGBColor {
    let colours = [palette.muted, palette.series[0], palette.house, palette.player];
    colours[player % colours.len()]
}

pub(super) fn draw(page: &Page<'_, '_>, shelf: &Shelf<'_>) -> Result<(), ChartError> {
    let palette = page.palette;
    let keys: Vec<Key<'_>> = shelf
        .players
        .iter()
        .enumerate()
        .map(|(i, &text)| Key { mark: Mark::Line, colour: colour(i, palette), text })
        .collect();
    let names: Vec<String> = shelf.lanes.iter().map(|lane| text::elide(lane.name, TEXT, NAMES)).collect();
    let widest = names.iter().map(|name| text::width(name, TEXT)).fold(0.0, f64::max).ceil() as i32;
    let all = shelf.lanes.iter().flat_map(|lane| lane.estimates.iter().flatten());
    let most =
        span(all.flat_map(|e| [e.value, e.high]).map(|v| v * 100.0)).map_or(1.0, |(_, high)| high.max(0.01));
    let range = (0.0, padded((0.0, most), 0.03).1.min(100.0));
    let frame = Frame {
        height: height(shelf),
        title: TITLE,
        subtitle: "share of games won by ruleset and player, with 95% intervals (Wilson)",
        keys: &keys,
        markers: &[],
        x: Axis::new("games won, % of all games", range, TICKS, |v, d| format!("{}%", fixed(v, d))),
        y: Axis::rows(shelf.lanes.len(), ""),
        side: Some((MARGIN + widest + 30, MARGIN + 40)),
    };
    let plot = frame.draw(page)?;
    for (i, (lane, name)) in shelf.lanes.iter().zip(&names).enumerate() {
        let y = plot.y(shelf.lanes.len() as f64 - i as f64 - 0.5);
        if i % 2 == 0 {
            page.fill([(MARGIN, y - ROW / 2), (WIDTH as i32 - MARGIN, y + ROW / 2)], palette.grid, 0.3)?;
        }
        page.text(name, (plot.left - 20, y), TEXT, palette.ink, HPos::Right)?;
        // The first player has the most games, and so the marks that would be hidden.
        for (player, estimate) in lane.estimates.iter().enumerate().rev() {
            let Some(e) = estimate else { continue };
            let colour = colour(player, palette);
            let (low, high) = (plot.x(e.low * 100.0), plot.x(e.high * 100.0));
            page.fill([(low, y - 7), (high.max(low + 1), y + 7)], colour, 0.45)?;
            let x = plot.x(e.value * 100.0);
            page.line(vec![(x, y - 13), (x, y + 13)], colour, 5)?;
        }
    }
    Ok(())
}
