//! How two entries differ deal by deal: who won which, and by how many cards.

use std::cmp::Ordering;

use super::super::CompareReport;
use super::{Two, named};
use crate::chart::{Axis, Bar, Beside, Chart, Key, Mark, Marker, Role};
use crate::figures::{difference, fixed, percent, plural, points, share};
use crate::stats::{PairSummary, TAIL, rate};

/// Height of a row.
const ROW: i32 = 84;

fn summary(report: &CompareReport<'_>) -> Option<PairSummary> {
    report.compared.pairs.first().map(|pair| pair.tally.summary(TAIL))
}

/// Deals by who won them.
pub(in super::super) fn wins(report: &CompareReport<'_>) -> Option<Chart> {
    let summary = summary(report)?;
    let wins = summary.wins;
    let Two { a, b, hues } = Two::of(report);
    let rows: [(String, u64, Role); 4] = [
        (format!("{a} only"), wins.a_only, hues[0]),
        (format!("{b} only"), wins.b_only, hues[1]),
        ("both".into(), wins.both, Role::Ink),
        ("neither".into(), wins.neither, Role::Muted),
    ];
    let share = |deals: u64| rate(deals, 0, wins.games());
    // Deals that nobody won tell nothing apart: where they are most, their bar is cut.
    let told = rows[..3].iter().map(|(_, deals, _)| share(*deals).high).fold(0.0, f64::max);
    let neither = share(wins.neither).high;
    let most = if neither > 2.0 * told { told * 1.5 } else { told.max(neither) };
    let most = (most * 108.0).clamp(0.01, 100.0);
    let (mut marks, mut beside) = (Vec::new(), Vec::new());
    for (i, (_, deals, role)) in rows.iter().enumerate() {
        let (at, e) = (i as f64 + 0.5, share(*deals));
        let value = e.value * 100.0;
        marks.push(Mark::Bars(vec![Bar {
            x: (0.0, value),
            y: (at - 0.3, at + 0.3),
            role: *role,
            shade: 0.85,
        }]));
        if value <= most {
            let points = vec![(e.low * 100.0, at), (e.high * 100.0, at)];
            marks.push(Mark::Line { points, role: Role::Muted, width: 9, broken: false });
        }
        let (text, more) = (plural(*deals, "deal"), percent(e).both());
        beside.push(Beside { at, text, more, role: Role::Ink });
    }
    let x = Axis::percent("share of deals", (0.0, most), 5);
    let mut chart = Chart::plot(x, Axis::rows("", rows.iter().map(|row| row.0.clone())), marks);
    chart.panels[0].beside = beside;
    let more = match wins.a_only.cmp(&wins.b_only) {
        Ordering::Greater => format!("{a} won more of the deals that only one of them won"),
        Ordering::Less => format!("{b} won more of the deals that only one of them won"),
        Ordering::Equal => "each won as many deals that the other lost".into(),
    };
    let rates = points(summary.win_rate).both();
    let chart = Chart {
        title: format!(
            "{a} alone won {} of deals, {b} alone {}",
            percent(share(wins.a_only)).value,
            percent(share(wins.b_only)).value
        ),
        caption: format!(
            "Each bar is the share of deals that went that way; the line at its end is its 95% interval. The rates of \
             wins differ by {rates}: {more}."
        ),
        keys: vec![Key::line(Role::Muted, "95% interval")],
        height: rows.len() as i32 * ROW,
        ..chart
    };
    Some(named("wins", report, chart))
}

/// How the differences in cards are spread.
pub(in super::super) fn differences(report: &CompareReport<'_>) -> Option<Chart> {
    let summary = summary(report)?;
    let Two { a, b, hues } = Two::of(report);
    let games = summary.games.max(1) as f64;
    let percent = |deals: u64| deals as f64 / games * 100.0;
    let differ = summary.card_differences.iter().filter(|(x, _)| *x != 0);
    let highest = differ.clone().map(|&(_, deals)| percent(deals)).fold(0.0, f64::max);
    let same = percent(summary.more_cards.same);
    // The bar of deals without a difference says little, and is cut where it would dwarf the others.
    let cut = highest > 0.0 && same > 1.6 * highest;
    let top = if cut { 1.3 * highest } else { (highest.max(same).max(0.01) * 1.04).min(100.0) };
    let reach = differ.map(|(x, _)| x.unsigned_abs()).max().unwrap_or(1).max(5) as f64 + 1.0;
    let bar = |&(x, deals): &(i64, u64)| {
        let role = match x.cmp(&0) {
            Ordering::Greater => hues[0],
            Ordering::Less => hues[1],
            Ordering::Equal => Role::Muted,
        };
        Bar { x: (x as f64 - 0.42, x as f64 + 0.42), y: (0.0, percent(deals)), role, shade: 1.0 }
    };
    let marks = vec![Mark::Bars(summary.card_differences.iter().map(bar).collect())];
    let of = |deals: u64| share(deals as f64 / games);
    let more = &summary.more_cards;
    let [a_more, b_more, equal] = [more.a, more.b, more.same].map(of);
    let mean = difference(summary.cards);
    let x = Axis::new(format!("cards of {a} − cards of {b}"), (-reach, reach), 12, |v, d| {
        let text = fixed(v, d);
        if v > 0.0 { format!("+{text}") } else { text }
    });
    let y = Axis::percent("share of deals, %", (0.0, top), 5);
    let chart = Chart {
        title: format!("{a} brought up more cards on {a_more} of deals, {b} on {b_more}"),
        caption: format!(
            "How often the two differed by each number of cards on the same deal. {a} had more on {a_more} \
                 of deals, {b} on {b_more}, and on {equal} both had the same. The mean difference is {}.",
            mean.both()
        ),
        keys: vec![
            Key::area(hues[0], 1.0, format!("{a} more: {a_more}")),
            Key::area(hues[1], 1.0, format!("{b} more: {b_more}")),
            Key::area(Role::Muted, 1.0, format!("equal: {equal}{}", if cut { " (bar cut)" } else { "" })),
        ],
        markers: vec![Marker::new(summary.cards.value, Role::Ink, format!("mean {}", mean.both()))],
        ..Chart::plot(x, y, marks)
    };
    Some(named("differences", report, chart))
}
