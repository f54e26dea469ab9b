//! Several entries from the best to the worst, and the differences of all pairs.

use super::super::CompareReport;
use super::super::ranking::{Ranking, own};
use super::super::words::{less, said};
use super::{named, tick, unit, unit_name};
use crate::chart::{Axis, Chart, Hues, Mark, Role, Row, padded, scaled, span};
use crate::figures::{gain_estimate, mean, percent};
use crate::report::labels::upper_first;
use crate::stats::{Estimate, Measure};

pub(in super::super) fn ranking(report: &CompareReport<'_>, ranking: &Ranking) -> Option<Chart> {
    let casino = &report.entries.first()?.entry.rules.casino;
    let (measure, names) = (report.measure, report.names());
    let hues = Hues::new(names.clone());
    let row = |&entry: &usize| {
        let estimate = own(report, entry)?;
        let said = match measure {
            Measure::Cards => mean(estimate),
            Measure::Wins => percent(estimate),
            Measure::Money => gain_estimate(estimate, casino),
        };
        let name = format!("{} ({})", names[entry], ranking.letters[entry]);
        let estimate = scaled(estimate, unit(measure));
        Some(Row::new(name, estimate, hues.of(&names[entry]), said))
    };
    let rows: Vec<Row> = ranking.order.iter().filter_map(row).collect();
    let what = match measure {
        Measure::Cards => "cards a game",
        Measure::Wins => "games won",
        Measure::Money => "the player's net a game",
    };
    let best = *ranking.order.first()?;
    let level = ranking.alike.iter().filter(|(a, b)| *a == best || *b == best).count();
    let said = rows.first().map_or(String::new(), |row| row.said.value.clone());
    let title = match level {
        0 => format!("{} is the best by {what}: {said}", upper_first(&names[best])),
        _ => format!("{} leads by {what} ({said}), but not beyond doubt", upper_first(&names[best])),
    };
    let range = range(&rows, 0.08, None);
    let x = Axis::new(format!("{what}, mean of all deals"), range, 8, tick(measure, casino));
    let doubt = match ranking.alike.len() {
        0 => "No two entries share a letter: every place is certain.",
        _ => "Entries that share a letter cannot be distinguished, whatever their places.",
    };
    let chart = Chart {
        title,
        caption: format!(
            "The best at the top, each mean (line) with its own 95% interval (box). The letters are groups. \
                 {doubt} They follow from the differences deal by deal, which are more precise than these \
                 intervals."
        ),
        ..Chart::rows(x, rows, unit_name(measure), Vec::new())
    };
    Some(named("ranking", report, chart))
}

pub(in super::super) fn pairs(report: &CompareReport<'_>, ranking: &Ranking) -> Option<Chart> {
    let casino = &report.entries.first()?.entry.rules.casino;
    let (measure, names, tail) = (report.measure, report.names(), report.tail());
    let hues = Hues::new(names.clone());
    let mut rows = Vec::new();
    for (place, &a) in ranking.order.iter().enumerate() {
        for &b in &ranking.order[place + 1..] {
            let pair = report.compared.pairs.iter().find(|it| (it.a, it.b) == (a.min(b), a.max(b)));
            let Some(e) = pair.map(|pair| pair.tally.difference(measure, tail)) else { continue };
            let e = if a > b { Estimate { value: -e.value, low: -e.high, high: -e.low } } else { e };
            // Of those that can be told apart the colour of the better.
            let role = if ranking.alike.contains(&(a, b)) { Role::Muted } else { hues.of(&names[a]) };
            let (name, estimate) = (less(&names[a], &names[b]), scaled(e, unit(measure)));
            rows.push(Row::new(name, estimate, role, said(measure, e, casino)));
        }
    }
    let (all, open) = (rows.len(), ranking.alike.len());
    let title = match open {
        0 => "Every pair can be distinguished".to_string(),
        n if n == all => "No pair can be distinguished".into(),
        n => format!("{} of {all} pairs can be distinguished", all - n),
    };
    let range = range(&rows, 0.06, Some(0.0));
    let x = Axis::new("difference; 0: no difference", range, 8, tick(measure, casino));
    let chart = Chart {
        title,
        caption: "How much the better placed of each pair is ahead of the other, deal by deal, with intervals that hold for \
                  all pairs at once in 95% of runs (Bonferroni). A pair whose interval crosses 0 (grey) cannot be \
                  distinguished; any other has the colour of the better."
            .into(),
        ..Chart::rows(x, rows, unit_name(measure), vec![Mark::upright(0.0, Role::Ink, false)])
    };
    Some(named("pairs", report, chart))
}

/// A range that holds all rows, and a value besides.
fn range(rows: &[Row], share: f64, with: Option<f64>) -> (f64, f64) {
    let all = rows.iter().flat_map(|row| [row.estimate.low, row.estimate.high]).chain(with);
    let (low, high) = padded(span(all).unwrap_or((0.0, 1.0)), share);
    if high - low < 1e-9 { (low - 1.0, high + 1.0) } else { (low, high) }
}
