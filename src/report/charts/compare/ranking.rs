//! Several entries from the best to the worst, and the differences of all pairs.

use crate::report::charts::axis::{Axis, padded, span};
use crate::report::charts::canvas::{ChartError, Page};
use crate::report::charts::frame::TEXT;
use crate::report::charts::rows::{self, Row};
use crate::report::charts::text;
use crate::report::compare::{CompareReport, Ranking, less, own, said, subtitle};
use crate::report::figures::{fixed, gain_estimate, mean, money, percent};
use crate::rules::Casino;
use crate::stats::{Estimate, Measure};

pub(super) const PAIRS: &str = "Every pair on the same deals";

/// Room for a name.
const NAME: f64 = 520.0;

pub(super) fn title(report: &CompareReport<'_>) -> String {
    let what = match report.measure {
        Measure::Cards => "cards a game",
        Measure::Wins => "games won",
        Measure::Money => "the player's net a game",
    };
    format!("Ranking by {what}")
}

pub(super) fn height(report: &CompareReport<'_>) -> u32 {
    rows::height(report.entries.len(), 0)
}

pub(super) fn height_of_pairs(report: &CompareReport<'_>) -> u32 {
    rows::height(report.compared.pairs.len(), 1)
}

pub(super) fn caption(report: &CompareReport<'_>) -> String {
    let ranking = Ranking::of(report);
    let doubt = match ranking.alike.len() {
        0 => "No two share one: every place is certain.",
        _ => "Those who share one cannot be told apart, whatever their places.",
    };
    format!(
        "The best at the top, each mean (line) with its own 95% interval (box). The letters are groups. {doubt} They follow \
         from the differences deal by deal, which are surer than these intervals."
    )
}

pub(super) fn caption_of_pairs(_: &CompareReport<'_>) -> String {
    "How much the better placed of each pair is ahead of the other, deal by deal, with intervals that hold for all pairs at \
     once in 95% of runs (Bonferroni). A pair whose interval crosses 0 (grey) cannot be told apart."
        .into()
}

/// A mean of the measure, in units that are drawn, and as a text of the axis.
fn drawn(measure: Measure) -> f64 {
    if measure == Measure::Wins { 100.0 } else { 1.0 }
}

fn scaled(e: Estimate, unit: f64) -> Estimate {
    Estimate { value: e.value * unit, low: e.low * unit, high: e.high * unit }
}

fn tick(measure: Measure, casino: Casino) -> impl Fn(f64, usize) -> String + Clone {
    move |v, d| match measure {
        Measure::Cards => fixed(v, d),
        Measure::Wins => format!("{}%", fixed(v, d)),
        Measure::Money => money(v, &casino, d == 0 && v.abs() >= 1000.0),
    }
}

fn unit(measure: Measure) -> &'static str {
    match measure {
        Measure::Cards => "cards",
        Measure::Wins => "points",
        Measure::Money => "cents",
    }
}

pub(super) fn draw(page: &Page<'_, '_>, report: &CompareReport<'_>) -> Result<(), ChartError> {
    let Some(first) = report.entries.first() else { return Ok(()) };
    let casino = &first.entry.rules.casino;
    let (palette, measure, names) = (page.palette, report.measure, report.names());
    let ranking = Ranking::of(report);
    // The colour of who is sure to be the best, and of who may be.
    let top = ranking.letters.get(ranking.order.first().copied().unwrap_or(0)).cloned().unwrap_or_default();
    let alone =
        !ranking.alike.iter().any(|(a, b)| ranking.order.first().is_some_and(|best| a == best || b == best));
    let row = |&entry: &usize| {
        let estimate = own(report, entry)?;
        let may_be_best = ranking.letters[entry].chars().any(|letter| top.contains(letter));
        let colour = match (may_be_best, alone) {
            (true, true) => palette.house,
            (true, false) => palette.series[0],
            (false, _) => palette.muted,
        };
        let said = match measure {
            Measure::Cards => mean(estimate),
            Measure::Wins => percent(estimate),
            Measure::Money => gain_estimate(estimate, casino),
        };
        let name = format!("{} ({})", names[entry], ranking.letters[entry]);
        let estimate = scaled(estimate, drawn(measure));
        Some(Row { name: text::elide(&name, TEXT, NAME), estimate, bounds: None, colour, said })
    };
    let rows: Vec<Row> = ranking.order.iter().filter_map(row).collect();
    let all = rows.iter().flat_map(|row| [row.estimate.low, row.estimate.high]);
    let (low, high) = padded(span(all).unwrap_or((0.0, 1.0)), 0.08);
    let range = if high - low < 1e-9 { (low - 1.0, high + 1.0) } else { (low, high) };
    let label = tick(measure, casino.clone());
    let x = |ticks| Axis::new("mean of all deals", range, ticks, label.clone());
    rows::draw(page, &rows, (&title(report), &subtitle(report), unit(measure)), x, 0, |_| Ok(()))
}

pub(super) fn draw_pairs(page: &Page<'_, '_>, report: &CompareReport<'_>) -> Result<(), ChartError> {
    let Some(first) = report.entries.first() else { return Ok(()) };
    let casino = &first.entry.rules.casino;
    let (palette, measure, names) = (page.palette, report.measure, report.names());
    let (ranking, tail) = (Ranking::of(report), report.tail());
    let mut rows = Vec::new();
    for (place, &a) in ranking.order.iter().enumerate() {
        for &b in &ranking.order[place + 1..] {
            let Some(pair) = report.compared.pairs.iter().find(|it| (it.a, it.b) == (a.min(b), a.max(b)))
            else {
                continue;
            };
            let e = pair.tally.difference(measure, tail);
            let e = if a > b { Estimate { value: -e.value, low: -e.high, high: -e.low } } else { e };
            let colour = if ranking.alike.contains(&(a, b)) { palette.muted } else { palette.house };
            let half = NAME / 2.0;
            let name = less(&text::elide(&names[a], TEXT, half), &text::elide(&names[b], TEXT, half));
            let said = said(measure, e, casino);
            rows.push(Row { name, estimate: scaled(e, drawn(measure)), bounds: None, colour, said });
        }
    }
    let all = rows.iter().flat_map(|row| [row.estimate.low, row.estimate.high]).chain([0.0]);
    let (low, high) = padded(span(all).unwrap_or((0.0, 1.0)), 0.06);
    let range = if high - low < 1e-9 { (low - 1.0, high + 1.0) } else { (low, high) };
    let label = tick(measure, casino.clone());
    let x = |ticks| Axis::new("difference; 0: no difference", range, ticks, label.clone());
    rows::draw(page, &rows, (PAIRS, &subtitle(report), unit(measure)), x, 1, |plot| {
        let zero = plot.x(0.0);
        page.line(vec![(zero, plot.top), (zero, plot.bottom)], palette.ink, 3)
    })
}
