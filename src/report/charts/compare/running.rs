//! The difference as deals accumulate, with its band.

use super::two;
use crate::report::charts::axis::{Axis, padded, span};
use crate::report::charts::canvas::{ChartError, Page};
use crate::report::charts::frame::{Frame, Key, Mark};
use crate::report::compare::{CompareReport, less, said, size, subtitle};
use crate::report::figures::{Side, count, fixed, money};
use crate::stats::{Estimate, Measure};

pub(super) const HEIGHT: u32 = 900;

/// Share of the deals from which on everything is in the picture.
const SETTLED: u64 = 10;

pub(super) fn title(report: &CompareReport<'_>) -> String {
    let [a, b] = two(report);
    let what = match report.measure {
        Measure::Cards => "cards a game",
        Measure::Wins => "games won",
        Measure::Money => "player's net a game",
    };
    format!("{}: {what} as deals accumulate", less(&a, &b))
}

pub(super) fn caption(report: &CompareReport<'_>) -> String {
    let Some((tested, first)) = report.compared.tested.as_ref().zip(report.entries.first()) else {
        return String::new();
    };
    let casino = &first.entry.rules.casino;
    let [a, b] = two(report);
    let corrected = match tested.played_on {
        true => "".into(),
        false => format!(
            " The mark at the end is the estimate without the bias of stopping: {}.",
            said(report.measure, tested.estimate, casino).both()
        ),
    };
    format!(
        "The mean difference over the deals so far (line) with the 95% interval as if there had been so many from the first \
         (band). Above 0 {a} is ahead, below it {b}; the broken lines are {} either way.{corrected}",
        size(report.measure, tested.test.difference, casino)
    )
}

pub(super) fn draw(page: &Page<'_, '_>, report: &CompareReport<'_>) -> Result<(), ChartError> {
    let palette = page.palette;
    let Some((tested, first)) = report.compared.tested.as_ref().zip(report.entries.first()) else {
        return Ok(());
    };
    let casino = first.entry.rules.casino.clone();
    let measure = report.measure;
    // Rates are drawn in percentage points.
    let unit = if measure == Measure::Wins { 100.0 } else { 1.0 };
    let points = &report.compared.course;
    let Some(last) = points.last() else { return Ok(()) };
    let late = points.iter().filter(|it| it.games >= last.games.div_ceil(SETTLED));
    let d = tested.test.difference;
    let marked = [0.0, d, -d].into_iter().chain([tested.estimate.low, tested.estimate.high]);
    let shown = late.flat_map(|it| [it.difference.low, it.difference.high]).chain(marked);
    let (low, high) = span(shown).unwrap_or((-1.0, 1.0));
    let (bottom, top) = padded((low * unit, high * unit), 0.08);
    let plain = last.difference;
    let colour = match Side::of(plain) {
        Side::House => palette.house,
        Side::Player => palette.player,
        Side::Open => palette.series[0],
    };
    let stands = format!("after {} deals: {}", count(last.games), said(measure, plain, &casino).both());
    let corrected = format!("corrected for stopping: {}", said(measure, tested.estimate, &casino).value);
    let mut keys = vec![
        Key { mark: Mark::Line, colour, text: &stands },
        Key { mark: Mark::Area(0.28), colour, text: "95% interval" },
    ];
    if !tested.played_on {
        keys.push(Key { mark: Mark::Line, colour: palette.ink, text: &corrected });
    }
    let [a, b] = two(report);
    let label = move |v: f64, d: usize| match measure {
        Measure::Cards => fixed(v, d),
        Measure::Wins => format!("{} pp", fixed(v, d)),
        Measure::Money => money(v, &casino, d == 0 && v.abs() >= 1000.0),
    };
    let frame = Frame {
        height: HEIGHT,
        title: &title(report),
        subtitle: &subtitle(report),
        keys: &keys,
        markers: &[],
        x: Axis::new("deals played", (0.0, last.games as f64), 8, |v, _| count(v.round() as u64)),
        y: Axis::new(&format!("above 0: {a} ahead; below 0: {b} ahead"), (bottom, top), 6, label),
        side: None,
    };
    let plot = frame.draw(page)?;
    for at in [d, -d] {
        let y = plot.y(at * unit);
        for x in (plot.left..plot.right).step_by(22) {
            page.line(vec![(x, y), ((x + 12).min(plot.right), y)], palette.muted, 2)?;
        }
    }
    let zero = plot.y(0.0);
    page.line(vec![(plot.left, zero), (plot.right, zero)], palette.ink, 3)?;
    let along = |pick: fn(&Estimate) -> f64| -> Vec<(i32, i32)> {
        points.iter().map(|it| plot.at(it.games as f64, pick(&it.difference) * unit)).collect()
    };
    page.band(&along(|e| e.high), &along(|e| e.low), colour, 0.28)?;
    page.line(along(|e| e.value), colour, 5)?;
    let end = |value: f64| plot.at(last.games as f64, value * unit);
    page.dot(end(plain.value), 9, colour)?;
    if !tested.played_on {
        let (x, y) = end(tested.estimate.value);
        let (low, high) = (end(tested.estimate.low).1, end(tested.estimate.high).1);
        page.line(vec![(x + 8, low), (x + 8, high)], palette.ink, 4)?;
        page.line(vec![(x - 4, y), (x + 20, y)], palette.ink, 5)?;
    }
    Ok(())
}
