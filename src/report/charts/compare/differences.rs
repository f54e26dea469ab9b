//! How the differences in cards are spread.

use std::cmp::Ordering;

use super::two;
use crate::report::charts::axis::Axis;
use crate::report::charts::canvas::{ChartError, Page};
use crate::report::charts::frame::{Frame, Key, Mark, Marker};
use crate::report::compare::{CompareReport, less, subtitle};
use crate::report::figures::{difference, fixed, share};
use crate::stats::{PairSummary, TAIL};

pub(super) const HEIGHT: u32 = 900;

pub(super) fn title(report: &CompareReport<'_>) -> String {
    let [a, b] = two(report);
    format!("Differences in cards, deal by deal: {}", less(&a, &b))
}

fn summary(report: &CompareReport<'_>) -> Option<PairSummary> {
    report.compared.pairs.first().map(|pair| pair.tally.summary(TAIL))
}

pub(super) fn caption(report: &CompareReport<'_>) -> String {
    let Some(summary) = summary(report) else { return String::new() };
    let [a, b] = two(report);
    let of = |deals: u64| share(deals as f64 / summary.games.max(1) as f64);
    format!(
        "How often one had so many cards more than the other on the same deal. {a} had more on {} of deals, {b} on {}, and \
         on {} they had as many. The mean difference is {}.",
        of(summary.more_cards.a),
        of(summary.more_cards.b),
        of(summary.more_cards.same),
        difference(summary.cards).both()
    )
}

pub(super) fn draw(page: &Page<'_, '_>, report: &CompareReport<'_>) -> Result<(), ChartError> {
    let palette = page.palette;
    let Some(summary) = summary(report) else { return Ok(()) };
    let [a, b] = two(report);
    let games = summary.games.max(1) as f64;
    let percent = |deals: u64| deals as f64 / games * 100.0;
    let differ = summary.card_differences.iter().filter(|(x, _)| *x != 0);
    let highest = differ.clone().map(|&(_, deals)| percent(deals)).fold(0.0, f64::max);
    let same = percent(summary.more_cards.same);
    // The bar of deals without a difference says little, and is cut where it would dwarf the others.
    let cut = highest > 0.0 && same > 1.6 * highest;
    let top = if cut { 1.3 * highest } else { highest.max(same).max(0.01) * 1.04 };
    let reach = differ.map(|(x, _)| x.unsigned_abs()).max().unwrap_or(1).max(5) as f64 + 1.0;
    let of = |deals: u64| share(deals as f64 / games);
    let texts = [
        format!("{a} more: {}", of(summary.more_cards.a)),
        format!("{b} more: {}", of(summary.more_cards.b)),
        format!("equal: {}{}", of(summary.more_cards.same), if cut { " (bar cut)" } else { "" }),
    ];
    let colours = [palette.house, palette.player, palette.muted];
    let keys: Vec<Key<'_>> =
        texts.iter().zip(colours).map(|(text, colour)| Key { mark: Mark::Area(1.0), colour, text }).collect();
    let marker = Marker {
        at: summary.cards.value,
        label: format!("mean {}", difference(summary.cards).both()),
        colour: palette.ink,
    };
    let mut y = Axis::new("share of deals, %", (0.0, top), 5, |v, d| format!("{}%", fixed(v, d)));
    // The name of a tick at the very top would meet the title above it.
    if let Some(&tick) = y.ticks.last() {
        y.range.1 = y.range.1.max(tick * 1.04);
    }
    let frame = Frame {
        height: HEIGHT,
        title: &title(report),
        subtitle: &subtitle(report),
        keys: &keys,
        markers: std::slice::from_ref(&marker),
        x: Axis::new(&format!("cards of {a} − cards of {b}"), (-reach, reach), 12, |v, d| {
            let text = fixed(v, d);
            if v > 0.0 { format!("+{text}") } else { text }
        }),
        y,
        side: None,
    };
    let plot = frame.draw(page)?;
    for &(x, deals) in &summary.card_differences {
        let colour = match x.cmp(&0) {
            Ordering::Greater => colours[0],
            Ordering::Less => colours[1],
            Ordering::Equal => colours[2],
        };
        let (left, right) = (plot.x(x as f64 - 0.42), plot.x(x as f64 + 0.42));
        let up = plot.y(percent(deals)).min(plot.bottom - 2);
        page.fill([(left, up), (right.max(left + 1), plot.bottom)], colour, 1.0)?;
        if x == 0 && cut {
            page.line(vec![(left - 8, up + 40), (right + 8, up + 24)], palette.paper, 8)?;
        }
    }
    page.line(vec![(plot.left, plot.bottom), (plot.right, plot.bottom)], palette.muted, 2)
}
