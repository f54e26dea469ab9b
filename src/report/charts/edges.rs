//! House edge by ruleset and strategy with its interval and the zero line.

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::axis::{Axis, padded, span};
use super::canvas::{ChartError, Page};
use super::clairvoyant;
use super::frame::{LINE, TEXT};
use super::rows::{self, Row};
use super::theme::Palette;
use super::win_rates::scaled;
use crate::report::answer::tally_of_sides;
use crate::report::bounds::edge_between;
use crate::report::figures::{Side, edge, fixed};
use crate::report::{Clairvoyant, Entry};
use crate::stats::Estimate;

pub(super) const TITLE: &str = "House edge";

/// The entries that have an edge: those whose deck has a price.
pub(super) fn with_edge<'e, 'a>(entries: &'e [Entry<'a>]) -> impl Iterator<Item = (&'e Entry<'a>, Estimate)> {
    entries.iter().filter_map(|entry| entry.summary.house_edge.map(|edge| (entry, edge)))
}

pub(super) fn height(entries: &[Entry<'_>]) -> u32 {
    let rows = clairvoyant::count(
        entries,
        |entry| entry.summary.house_edge.is_some(),
        |known| known.most_cards.house_edge.is_some(),
    );
    rows::height(rows, 1)
}

/// The colour of the side that an edge is known to favour.
pub(super) fn side(edge: Estimate, palette: &Palette) -> RGBColor {
    match Side::of(edge) {
        Side::House => palette.house,
        Side::Player => palette.player,
        Side::Open => palette.muted,
    }
}

/// What the stakes of some entries are.
enum Stakes {
    /// Prices of decks.
    Prices,
    /// Bought in steps.
    Steps,
    /// Some one, some the other.
    Both,
}

fn stakes(entries: &[Entry<'_>]) -> Stakes {
    let steps = entries.iter().filter(|entry| entry.summary.stakes.is_some()).count();
    match steps {
        0 => Stakes::Prices,
        n if n == entries.len() => Stakes::Steps,
        _ => Stakes::Both,
    }
}

/// The title of an axis of edges.
pub(super) fn axis(entries: &[Entry<'_>]) -> &'static str {
    match stakes(entries) {
        Stakes::Prices => "house edge, % of the deck's price",
        Stakes::Steps | Stakes::Both => "house edge, % of the stake",
    }
}

pub(super) fn caption(entries: &[Entry<'_>]) -> String {
    let found = match entries {
        [only] => only.summary.house_edge.map_or(String::new(), |e| format!("Here: {}.", edge(e).both())),
        _ => tally_of_sides(entries),
    };
    format!(
        "What the house keeps of {} (line), with its 95% interval (box): right of the zero line \
         the house gains, left of it the player. Intervals too narrow to be seen stand once more beside the plot, \
         magnified. {found}{}",
        match stakes(entries) {
            Stakes::Prices => "each deck's price",
            Stakes::Steps => "what is staked",
            Stakes::Both => "each deck's price, or of what is staked where that is bought in steps",
        },
        clairvoyant::caption(entries)
    )
}

pub(super) fn draw(page: &Page<'_, '_>, entries: &[Entry<'_>]) -> Result<(), ChartError> {
    let palette = page.palette;
    let row = |entry: &Entry<'_>, name: String| {
        let e = entry.summary.house_edge?;
        Some(Row { name, estimate: e, bounds: None, colour: side(e, palette), said: edge(e) })
    };
    let bounds = |known: &Clairvoyant| known.most_cards.house_edge.map(|e| (e, edge_between(e)));
    let rows = scaled(clairvoyant::with(entries, palette, row, bounds));
    let values = rows.iter().flat_map(|r| [r.estimate.value, r.estimate.low, r.estimate.high]);
    let (low, high) = span(values.chain([0.0])).unwrap_or((-1.0, 1.0));
    // Some of either side is always seen.
    let (low, high) = padded((low, high), 0.06);
    let least = ((high - low) * 0.12).max(0.01);
    let range = (low.min(-least), high.max(least));
    // Between bounds a figure takes much of the room.
    let measured = if clairvoyant::applies(entries) { "house edge, %" } else { axis(entries) };
    let x = |ticks| Axis::new(measured, range, ticks, |v, d| format!("{}%", fixed(v, d)));
    let subtitle = match stakes(entries) {
        Stakes::Prices => "what the house keeps of the price of a deck, with 95% intervals (Student)",
        Stakes::Steps => "what the house keeps of what is staked, with 95% intervals (Fieller)",
        Stakes::Both => {
            "what the house keeps of the price, or of a stake bought in steps, with 95% intervals"
        }
    };
    rows::draw(page, &rows, (TITLE, subtitle, "points"), x, 1, |plot| {
        let zero = plot.x(0.0);
        page.fill([(plot.left, plot.top), (zero, plot.bottom)], palette.player, 0.12)?;
        page.fill([(zero, plot.top), (plot.right, plot.bottom)], palette.house, 0.12)?;
        page.line(vec![(zero, plot.top - LINE), (zero, plot.bottom)], palette.ink, 3)?;
        let y = plot.top - LINE / 2 - 4;
        page.text("← player gains", (zero - 14, y), TEXT, palette.player, HPos::Right)?;
        page.text("house gains →", (zero + 14, y), TEXT, palette.house, HPos::Left)
    })
}
