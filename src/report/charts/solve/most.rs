//! The distribution of the most cards of a deal; what is not proven stands at both of its bounds.

use plotters::style::text_anchor::HPos;

use super::curves::break_even;
use crate::report::bounds::mean_between;
use crate::report::charts::axis::Axis;
use crate::report::charts::canvas::{ChartError, Page};
use crate::report::charts::frame::{Frame, Key, Mark, Marker, TEXT};
use crate::report::charts::text;
use crate::report::figures::{fixed, share};
use crate::report::solve::SolveReport;

pub(super) const TITLE: &str = "The most cards of a deal";
pub(super) const HEIGHT: u32 = 940;

/// A bar so many times as high as the next is cut: it would dwarf all others.
const TOWER: f64 = 2.5;

pub(super) fn caption(report: &SolveReport<'_>) -> String {
    let Some(most) = report.most_cards() else { return String::new() };
    let answers = report.answers.len().max(1) as f64;
    let open = report.answers.len() as u64 - most.proven.min(report.answers.len() as u64);
    let open = match open {
        0 => "All are proven.".to_string(),
        _ => format!(
            "{} of deals are not proven and stand twice, lighter: at the cards that were reached, and at those that are not \
             ruled out.",
            share(open as f64 / answers)
        ),
    };
    format!(
        "How often so many cards were the most that can be brought up; {} on average. {open}",
        mean_between(most.cards).both()
    )
}

pub(super) fn draw(page: &Page<'_, '_>, report: &SolveReport<'_>) -> Result<(), ChartError> {
    let palette = page.palette;
    let Some(most) = report.most_cards() else { return Ok(()) };
    let all = report.bounds.all();
    let answers = report.answers.len().max(1) as f64;
    let percent = |deals: u64| deals as f64 / answers * 100.0;
    // Proven, then those that may be: at their least and at their most.
    let bars: Vec<[f64; 2]> = (0..=all)
        .map(|cards| {
            let proven = most.histogram_proven[cards];
            let open = most.histogram_least[cards] + most.histogram_most[cards] - 2 * proven;
            [percent(proven), percent(proven + open)]
        })
        .collect();
    let mut heights: Vec<f64> = bars.iter().map(|bar| bar[1]).collect();
    heights.sort_by(|a, b| b.total_cmp(a));
    let (first, second) = (heights[0], heights.get(1).copied().unwrap_or(0.0));
    let cut = second > 0.0 && first > TOWER * second;
    let top = if cut { 1.5 * second } else { first.max(0.01) * 1.06 };

    let mut markers = Vec::new();
    if let Some(cards) = break_even(report) {
        let label = format!("break-even: the player does not lose from {cards} cards on");
        markers.push(Marker { at: f64::from(cards) - 0.5, label, colour: palette.ink });
    }
    let label = format!("mean {}", mean_between(most.cards).both());
    markers.push(Marker { at: most.cards.least, label, colour: palette.muted });
    let keys = [
        Key { mark: Mark::Area(1.0), colour: palette.clairvoyant, text: "proven" },
        Key { mark: Mark::Area(0.3), colour: palette.clairvoyant, text: "not proven: at least, and at most" },
    ];
    let keys = if most.proven == report.answers.len() as u64 { &keys[..1] } else { &keys };
    let mut y = Axis::new("share of deals, %", (0.0, top), 5, |v, d| format!("{}%", fixed(v, d)));
    // The name of a tick at the very top would meet the title above it.
    if let Some(&tick) = y.ticks.last() {
        y.range.1 = y.range.1.max(tick * 1.06);
    }
    let frame = Frame {
        height: HEIGHT,
        title: TITLE,
        subtitle: &report.subtitle(),
        keys,
        markers: &markers,
        x: Axis::whole("most cards on the foundations", all, all.div_ceil(52) * 4),
        y,
        side: None,
    };
    let plot = frame.draw(page)?;
    for (cards, &[proven, may]) in bars.iter().enumerate().filter(|(_, bar)| bar[1] > 0.0) {
        let x = cards as f64;
        let (left, right) = (plot.x(x - 0.4), plot.x(x + 0.4).max(plot.x(x - 0.4) + 1));
        let tower = cut && may >= first;
        // Of a bar that is cut the parts are kept in proportion.
        let sure = plot.y(if tower { top * proven / may } else { proven });
        if proven > 0.0 {
            page.fill([(left, sure.min(plot.bottom - 2)), (right, plot.bottom)], palette.clairvoyant, 1.0)?;
        }
        if may > proven {
            page.fill([(left, plot.y(may).min(sure - 1)), (right, sure)], palette.clairvoyant, 0.3)?;
        }
        if tower {
            let up = plot.top;
            page.line(vec![(left - 8, up + 40), (right + 8, up + 24)], palette.paper, 8)?;
            let open = if may > proven { format!(" to {}%", fixed(may, 1)) } else { String::new() };
            let said = format!("{cards}: {}%{open} of deals (bar cut)", fixed(proven, 1));
            let width = text::width(&said, TEXT).ceil() as i32;
            let corners = [(left - 20 - width, up + 10), (left - 10, up + 50)];
            page.fill(corners, palette.paper, 1.0)?;
            page.text(&said, (left - 14, up + 30), TEXT, palette.ink, HPos::Right)?;
        }
    }
    page.line(vec![(plot.left, plot.bottom), (plot.right, plot.bottom)], palette.muted, 2)
}
