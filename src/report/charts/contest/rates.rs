//! Matches won, by side and by seat, against the fair share.

use plotters::style::text_anchor::HPos;

use crate::report::charts::axis::{Axis, padded, span};
use crate::report::charts::canvas::{ChartError, Page};
use crate::report::charts::frame::{LINE, TEXT};
use crate::report::charts::rows::scaled;
use crate::report::charts::rows::{self, Row};
use crate::report::charts::text;
use crate::report::contest::{ContestReport, answer, fair_share, subtitle};
use crate::report::entry::stem;
use crate::report::figures::{fixed, one_line, percent, share};
use crate::stats::Estimate;

pub(super) const WINS: &str = "Matches won";
pub(super) const SEATS: &str = "Matches won by seat";

pub(super) fn height(rows: usize) -> u32 {
    rows::height(rows, 1)
}

pub(super) fn caption_of_wins(report: &ContestReport<'_>) -> String {
    let said = answer(report);
    format!(
        "The share of matches that each won alone (line), with its 95% interval (box). The upright line is the fair \
         share: what each would win if all were equally good. {}{}",
        said.finding, said.rest
    )
}

pub(super) fn caption_of_seats(_: &ContestReport<'_>) -> String {
    "The share of matches won alone by whoever sat at the seat (line), with its 95% interval (box). The players move \
     on by one seat from match to match, so every seat's share should be the mean of all (upright line); of many \
     intervals one in twenty misses by chance."
        .into()
}

pub(super) fn draw_wins(page: &Page<'_, '_>, report: &ContestReport<'_>) -> Result<(), ChartError> {
    let rates = report.summary.sides.iter().map(|side| {
        let player = report.spec.players.iter().find(|player| player.name == side.name);
        let name = match (player, &side.players[..]) {
            (Some(player), [_]) => rows::pair(&side.name, stem(&player.strategy)),
            _ => rows::pair(&side.name, &side.players.join(", ")),
        };
        (name, side.win_rate)
    });
    let fair = (fair_share(report.summary), "fair share");
    draw(page, report, WINS, rates.collect(), fair)
}

pub(super) fn draw_seats(page: &Page<'_, '_>, report: &ContestReport<'_>) -> Result<(), ChartError> {
    let seats = &report.summary.seats;
    let rates = seats.iter().map(|seat| (one_line(&seat.name), seat.win_rate));
    let mean = seats.iter().map(|seat| seat.win_rate.value).sum::<f64>() / seats.len().max(1) as f64;
    draw(page, report, SEATS, rates.collect(), (mean, "mean of all seats"))
}

/// Rates under each other, and a line at what all would have if they were equal.
fn draw(
    page: &Page<'_, '_>,
    report: &ContestReport<'_>,
    title: &str,
    rates: Vec<(String, Estimate)>,
    (fair, called): (f64, &str),
) -> Result<(), ChartError> {
    let palette = page.palette;
    let row = |(name, estimate): (String, Estimate)| {
        let colour = match estimate {
            Estimate { low, .. } if low > fair => palette.house,
            Estimate { high, .. } if high < fair => palette.player,
            _ => palette.muted,
        };
        Row { name, estimate, bounds: None, colour, said: percent(estimate) }
    };
    let rows = scaled(rates.into_iter().map(row).collect());
    let fair = fair * 100.0;
    let shown = rows.iter().flat_map(|row| [row.estimate.low, row.estimate.high]).chain([fair]);
    // From nothing on, unless all lie so close together that nothing could be told apart.
    let (low, high) = span(shown).unwrap_or((0.0, 1.0));
    let low = if high - low < low / 2.0 { padded((low, high), 0.3).0 } else { 0.0 };
    let range = (low, padded((low, high.max(0.01)), 0.06).1.min(100.0));
    let x =
        |ticks| Axis::new("matches won, % of all matches", range, ticks, |v, d| format!("{}%", fixed(v, d)));
    rows::draw(page, &rows, (title, &subtitle(report), "points"), x, 1, |plot| {
        let at = plot.x(fair);
        page.line(vec![(at, plot.top - LINE), (at, plot.bottom)], palette.ink, 3)?;
        let label = format!("{called} {}", share(fair / 100.0));
        let right = at + 14 + text::width(&label, TEXT).ceil() as i32 <= plot.right;
        let (x, side) = if right { (at + 14, HPos::Left) } else { (at - 14, HPos::Right) };
        page.text(&label, (x, plot.top - LINE / 2 - 4), TEXT, palette.ink, side)
    })
}
