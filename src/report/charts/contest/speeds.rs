//! What speed is worth: how often the first player wins against the player's relative speed.

use crate::report::charts::axis::{Axis, padded, span};
use crate::report::charts::canvas::{ChartError, Page};
use crate::report::charts::frame::{Frame, Key, Mark, Marker};
use crate::report::contest::{ContestReport, factor, fair_share, player_of_speeds, subtitle};
use crate::report::figures::{fixed, percent, share};
use crate::rules::file::decimal;
use crate::stats::SpeedPoint;

pub(super) const TITLE: &str = "What speed is worth";
pub(super) const HEIGHT: u32 = 900;
/// The most that is shown, in percent: room for the name of 100%.
const MOST: f64 = 105.0;

pub(super) fn caption(report: &ContestReport<'_>) -> String {
    let name = player_of_speeds(report);
    let (first, last) = (report.speeds.first(), report.speeds.last());
    let said = |point: &SpeedPoint| {
        format!("{} at {} times the speed", percent(point.win_rate).both(), factor(point.factor))
    };
    let found = match (first, last) {
        (Some(first), Some(last)) if report.speeds.len() > 1 => {
            format!(" {name} wins {}, and {}.", said(first), said(last))
        }
        (Some(only), _) => format!(" {name} wins {}.", said(only)),
        _ => String::new(),
    };
    let nothing = if !report.spec.speed_matters() {
        " A number of deals on foundations of one's own is not won by being fast."
    } else {
        ""
    };
    format!(
        "The share of matches that {name} won alone (line) with its 95% interval (band), where only {name} is slower or \
         faster than in the contest and all others play as before.{found}{nothing}"
    )
}

pub(super) fn draw(page: &Page<'_, '_>, report: &ContestReport<'_>) -> Result<(), ChartError> {
    let palette = page.palette;
    let points = report.speeds;
    let place = |point: &SpeedPoint| point.factor.max(1e-6).log10();
    let fair = fair_share(report.summary);
    let rates = points.iter().flat_map(|p| [p.win_rate.low, p.win_rate.high]).chain([fair]);
    let (low, high) = span(rates).unwrap_or((0.0, 1.0));
    let (bottom, top) = padded((low * 100.0, high * 100.0), 0.08);
    let (left, right) = span(points.iter().map(place).chain([0.0])).unwrap_or((-0.1, 0.1));
    let range = padded((left, right), 0.04);
    // A lone speed stands in the middle.
    let range = if right - left < 1e-3 { (left - 0.1, right + 0.1) } else { range };
    let name = player_of_speeds(report);
    let (line, fair_words) = (format!("{name} wins"), format!("fair share {}", share(fair)));
    let keys = [
        Key { mark: Mark::Line, colour: palette.house, text: &line },
        Key { mark: Mark::Area(0.28), colour: palette.house, text: "95% interval" },
        Key { mark: Mark::Line, colour: palette.muted, text: &fair_words },
    ];
    let as_written = report.spec.players.first().map_or(0, |player| player.speed);
    let markers = [Marker {
        at: 0.0,
        label: format!("as in the contest: {}/s", decimal(as_written.into())),
        colour: palette.ink,
    }];
    let x = format!("speed of {name}, times that in the contest (logarithmic scale)");
    let frame = Frame {
        height: HEIGHT,
        title: TITLE,
        subtitle: &subtitle(report),
        keys: &keys,
        markers: &markers,
        x: Axis::places(&x, range, points.iter().map(place).collect(), |v| factor(10f64.powf(v))),
        y: Axis::new("matches won, % of all matches", (bottom.max(0.0), top.min(MOST)), 6, |v, d| {
            format!("{}%", fixed(v, d))
        }),
        side: None,
    };
    let plot = frame.draw(page)?;
    let level = plot.y(fair * 100.0);
    page.line(vec![(plot.left, level), (plot.right, level)], palette.muted, 3)?;
    let along = |pick: fn(&SpeedPoint) -> f64| -> Vec<(i32, i32)> {
        points.iter().map(|p| plot.at(place(p), pick(p) * 100.0)).collect()
    };
    let (upper, lower) = (along(|p| p.win_rate.high), along(|p| p.win_rate.low));
    let values = along(|p| p.win_rate.value);
    if points.len() > 1 {
        page.band(&upper, &lower, palette.house, 0.28)?;
        page.line(values.clone(), palette.house, 5)?;
    }
    for ((at, high), low) in values.into_iter().zip(upper).zip(lower) {
        page.line(vec![high, low], palette.house, 3)?;
        page.dot(at, 9, palette.house)?;
    }
    Ok(())
}
