//! What players leave on the table: mean cards, and how far from them to the most that the deals allow.

use plotters::style::text_anchor::HPos;

use super::CLAIRVOYANT;
use crate::report::bounds::mean_between;
use crate::report::charts::axis::Axis;
use crate::report::charts::canvas::{ChartError, Page, WIDTH};
use crate::report::charts::frame::{Frame, Key, LINE, MARGIN, Mark, TEXT};
use crate::report::charts::text;
use crate::report::figures::Said;
use crate::report::solve::SolveReport;
use crate::stats::Bounded;

pub(super) const TITLE: &str = "What players leave on the table";

const ROW: i32 = 70;
/// Room for a name.
const NAME: f64 = 420.0;

/// A bar: the cards that were reached on average, with their limits, and the most on these deals.
struct Bar {
    name: String,
    cards: f64,
    limits: (f64, f64),
    most: Bounded,
    said: Said,
    clairvoyant: bool,
}

pub(super) fn height(report: &SolveReport<'_>) -> u32 {
    (96 + 3 * LINE + (report.players.len() as i32 + 1) * ROW + 120) as u32
}

pub(super) fn caption(report: &SolveReport<'_>) -> String {
    let least = report
        .names()
        .into_iter()
        .zip(&report.players)
        .min_by(|(_, a), (_, b)| a.left.cards.least.total_cmp(&b.left.cards.least));
    let who = match least {
        Some((name, it)) if report.players.len() > 1 => {
            format!("The least is left by {name}: {} cards a game.", mean_between(it.left.cards).both())
        }
        Some((name, it)) => format!("{name} leaves {} cards a game.", mean_between(it.left.cards).both()),
        None => String::new(),
    };
    format!(
        "Mean cards of each strategy (bar, with its 95% interval) on deals that were solved, and what more a player who knows \
         every card would bring up: for certain (light), and perhaps, where a deal is not proven (lighter). {who}"
    )
}

fn bars(report: &SolveReport<'_>) -> Vec<Bar> {
    let mut bars: Vec<Bar> = report
        .names()
        .into_iter()
        .zip(&report.players)
        .map(|(name, it)| Bar {
            name: text::elide(&text::clean(&name), TEXT, NAME),
            cards: it.summary.cards.value,
            limits: (it.summary.cards.low, it.summary.cards.high),
            most: it.left.ceiling,
            said: mean_between(it.left.cards),
            clairvoyant: false,
        })
        .collect();
    if let Some(most) = report.most_cards() {
        let reach = mean_between(most.cards);
        bars.push(Bar {
            name: CLAIRVOYANT.into(),
            cards: most.cards.least,
            limits: (most.cards.low, most.cards.high),
            most: most.cards,
            said: Said { value: format!("reaches {}", reach.value), ..reach },
            clairvoyant: true,
        });
    }
    bars
}

pub(super) fn draw(page: &Page<'_, '_>, report: &SolveReport<'_>) -> Result<(), ChartError> {
    let palette = page.palette;
    let bars = bars(report);
    let widest = |of: &dyn Fn(&Bar) -> String| {
        bars.iter().map(|bar| text::width(&of(bar), TEXT)).fold(0.0, f64::max).ceil() as i32
    };
    let names = widest(&|bar| bar.name.clone());
    let intervals = widest(&|bar| bar.said.interval.clone());
    let figures = widest(&|bar| bar.said.value.clone()).max(text::width("cards left", TEXT) as i32);
    let figures = figures + 24 + intervals;
    let keys = [
        Key { mark: Mark::Area(1.0), colour: palette.house, text: "mean cards" },
        Key { mark: Mark::Area(0.45), colour: palette.clairvoyant, text: "left on the table" },
        Key { mark: Mark::Area(0.18), colour: palette.clairvoyant, text: "perhaps left: not proven" },
        Key { mark: Mark::Line, colour: palette.ink, text: "95% interval" },
    ];
    let all = report.bounds.all();
    let frame = Frame {
        height: height(report),
        title: TITLE,
        subtitle: &report.subtitle(),
        keys: &keys,
        markers: &[],
        x: Axis::new("mean cards on the foundations", (0.0, all as f64), 8, |v, _| format!("{v:.0}")),
        y: Axis::rows(bars.len(), " "),
        side: Some((MARGIN + names + 30, MARGIN + figures + 40)),
    };
    let plot = frame.draw(page)?;
    let edge = WIDTH as i32 - MARGIN;
    let head = (edge, plot.top - LINE / 2 + 2);
    page.text("cards left, 95% interval", head, TEXT, palette.muted, HPos::Right)?;
    for (i, bar) in bars.iter().enumerate() {
        let y = plot.y(bars.len() as f64 - i as f64 - 0.5);
        page.text(&bar.name, (plot.left - 24, y), TEXT, palette.ink, HPos::Right)?;
        let colour = if bar.clairvoyant { palette.clairvoyant } else { palette.house };
        let part = |from: f64, to: f64| [(plot.x(from), y - 20), (plot.x(to.max(from)), y + 20)];
        page.fill(part(0.0, bar.cards), colour, 1.0)?;
        let sure = bar.most.least.max(bar.cards);
        if sure > bar.cards {
            page.fill(part(bar.cards, sure), palette.clairvoyant, 0.45)?;
        }
        if bar.most.most > sure {
            page.fill(part(sure, bar.most.most), palette.clairvoyant, 0.18)?;
        }
        let (low, high) = (plot.x(bar.limits.0), plot.x(bar.limits.1));
        page.line(vec![(low, y), (high, y)], palette.ink, 3)?;
        for x in [low, high] {
            page.line(vec![(x, y - 9), (x, y + 9)], palette.ink, 3)?;
        }
        let values = edge - intervals - 24;
        page.text(&bar.said.interval, (edge, y), TEXT, palette.muted, HPos::Right)?;
        page.text(&bar.said.value, (values, y), TEXT, palette.ink, HPos::Right)?;
    }
    page.line(vec![(plot.left, plot.top), (plot.left, plot.bottom)], palette.muted, 2)
}
