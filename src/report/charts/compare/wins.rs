//! Deals by who won them.

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::two;
use crate::report::charts::axis::Axis;
use crate::report::charts::canvas::{ChartError, Page, WIDTH};
use crate::report::charts::frame::{Frame, MARGIN, TEXT};
use crate::report::charts::text;
use crate::report::compare::{CompareReport, subtitle};
use crate::report::figures::{count, fixed, percent, points};
use crate::stats::{PairedWins, TAIL, rate};

pub(super) const TITLE: &str = "Who won which deals";
pub(super) const HEIGHT: u32 = 620;

/// Room for names.
const NAMES: f64 = 420.0;

fn wins(report: &CompareReport<'_>) -> Option<PairedWins> {
    report.compared.pairs.first().map(|pair| pair.tally.summary(TAIL).wins)
}

pub(super) fn caption(report: &CompareReport<'_>) -> String {
    let (Some(wins), Some(pair)) = (wins(report), report.compared.pairs.first()) else {
        return String::new();
    };
    let [a, b] = two(report);
    let difference = points(pair.tally.summary(TAIL).win_rate).both();
    let more = match wins.a_only.cmp(&wins.b_only) {
        std::cmp::Ordering::Greater => format!("{a} won more of the deals that only one of them won"),
        std::cmp::Ordering::Less => format!("{b} won more of the deals that only one of them won"),
        std::cmp::Ordering::Equal => "both won as many of the deals that only one of them won".into(),
    };
    format!(
        "Each bar is the share of deals that went that way; the line at its end is its 95% interval (Wilson). The rates of \
         wins differ by {difference} (Newcombe's paired interval): {more}."
    )
}

pub(super) fn draw(page: &Page<'_, '_>, report: &CompareReport<'_>) -> Result<(), ChartError> {
    let palette = page.palette;
    let Some(wins) = wins(report) else { return Ok(()) };
    let [a, b] = two(report);
    let rows: [(String, u64, RGBColor); 4] = [
        (format!("{a} only"), wins.a_only, palette.house),
        (format!("{b} only"), wins.b_only, palette.player),
        ("both".into(), wins.both, palette.series[0]),
        ("neither".into(), wins.neither, palette.muted),
    ];
    let games = wins.games();
    let share = |deals: u64| rate(deals, 0, games);
    // Deals that nobody won tell nothing apart: where they are most, their bar is cut.
    let told = rows[..3].iter().map(|(_, deals, _)| share(*deals).high).fold(0.0, f64::max);
    let most =
        if share(wins.neither).high > 2.0 * told { told * 1.5 } else { told.max(share(wins.neither).high) };
    let most = (most * 108.0).clamp(0.01, 108.0);
    let said: Vec<[String; 2]> = rows
        .iter()
        .map(|(_, deals, _)| [format!("{} deals", count(*deals)), percent(share(*deals)).both()])
        .collect();
    let widest = |column: usize| {
        said.iter().map(|it| text::width(&it[column], TEXT)).fold(0.0, f64::max).ceil() as i32
    };
    let names: Vec<String> = rows.iter().map(|(name, ..)| text::elide(name, TEXT, NAMES)).collect();
    let room = names.iter().map(|name| text::width(name, TEXT)).fold(0.0, f64::max).ceil() as i32;
    let (first, second) = (widest(0), widest(1));
    let frame = Frame {
        height: HEIGHT,
        title: TITLE,
        subtitle: &subtitle(report),
        keys: &[],
        markers: &[],
        x: Axis::new("share of deals", (0.0, most), 5, |v, d| format!("{}%", fixed(v, d))),
        y: Axis::rows(rows.len(), ""),
        side: Some((MARGIN + room + 30, MARGIN + first + second + 80)),
    };
    let plot = frame.draw(page)?;
    for (i, ((_, deals, colour), name)) in rows.iter().zip(&names).enumerate() {
        let y = plot.y(rows.len() as f64 - i as f64 - 0.5);
        let e = share(*deals);
        let [low, value, high] = [e.low, e.value, e.high].map(|share| plot.x(share * 100.0));
        page.text(name, (plot.left - 24, y), TEXT, palette.ink, HPos::Right)?;
        page.fill([(plot.left, y - 26), (value.max(plot.left + 1), y + 26)], *colour, 1.0)?;
        if e.value * 100.0 > most {
            // The bar goes on beyond the picture.
            for x in [plot.right - 60, plot.right - 36] {
                page.line(vec![(x, y + 30), (x + 18, y - 30)], palette.paper, 8)?;
            }
        } else {
            page.fill([(low, y - 5), (high.max(low + 1), y + 5)], palette.ink, 0.55)?;
        }
        let edge = WIDTH as i32 - MARGIN;
        page.text(&said[i][0], (edge - second - 30, y), TEXT, palette.ink, HPos::Right)?;
        page.text(&said[i][1], (edge, y), TEXT, palette.muted, HPos::Right)?;
    }
    page.line(vec![(plot.left, plot.top), (plot.left, plot.bottom)], palette.muted, 2)
}
