//! Points of a match by player: how they are spread, and their mean.

use crate::report::charts::axis::{Axis, padded, span};
use crate::report::charts::canvas::{ChartError, Page};
use crate::report::charts::rows::{self, Row};
use crate::report::contest::{ContestReport, mean_of, subtitle};
use crate::report::entry::stem;
use crate::report::figures::fixed;

pub(super) const TITLE: &str = "Points of a match";
/// Half of all matches, and nine in ten: what lies between these shares of them.
const PARTS: [[f64; 2]; 2] = [[0.05, 0.95], [0.25, 0.75]];

pub(super) fn height(report: &ContestReport<'_>) -> u32 {
    rows::height(report.summary.players.len(), 0)
}

pub(super) fn caption(_: &ContestReport<'_>) -> String {
    "The points that each player had at the end of a match: half of all matches lie in the short bar, nine in ten in \
     the long one. The line is the mean, and the narrow box about it the mean's 95% interval."
        .into()
}

/// The least points that at least this share of matches does not exceed.
fn quantile(histogram: &[(i64, u64)], part: f64) -> Option<f64> {
    let all: u64 = histogram.iter().map(|(_, matches)| matches).sum();
    let rank = (part * all as f64).ceil().max(1.0) as u64;
    let mut seen = 0;
    let points = histogram.iter().find(|(_, matches)| {
        seen += matches;
        seen >= rank
    });
    points.map(|(points, _)| *points as f64)
}

pub(super) fn draw(page: &Page<'_, '_>, report: &ContestReport<'_>) -> Result<(), ChartError> {
    let players = report.spec.players.iter().zip(&report.summary.players);
    let row = |(player, it): (&crate::contest::PlayerSpec, &crate::stats::StandingSummary)| Row {
        name: rows::pair(&player.name, stem(&player.strategy)),
        estimate: it.points.estimate(),
        bounds: None,
        colour: page.palette.ink,
        said: mean_of(it.points, report.summary.matches),
    };
    let rows: Vec<Row> = players.map(row).collect();
    let parts = |part: [f64; 2]| {
        let bounds = report.summary.players.iter().map(move |it| part.map(|q| quantile(&it.histogram, q)));
        bounds.map(|[low, high]| low.zip(high)).collect::<Vec<_>>()
    };
    let bars = PARTS.map(parts);
    let ends = bars[0].iter().flatten().flat_map(|&(low, high)| [low, high]);
    let means = report.summary.players.iter().map(|it| it.points.value);
    let (low, high) = padded(span(ends.chain(means)).unwrap_or((0.0, 1.0)), 0.06);
    // Less than a point is nothing to magnify.
    let range = if high - low < 2.0 { (low - 1.0, high + 1.0) } else { (low, high) };
    let x = |ticks| Axis::new("points of a match", range, ticks, fixed);
    rows::draw(page, &rows, (TITLE, &subtitle(report), "points"), x, 0, |plot| {
        for (bars, (half, alpha)) in bars.iter().zip([(9, 0.25), (13, 0.5)]) {
            for (i, bar) in bars.iter().enumerate() {
                let Some((low, high)) = *bar else { continue };
                let y = plot.y(rows.len() as f64 - i as f64 - 0.5);
                let (low, high) = (plot.x(low), plot.x(high));
                page.fill([(low, y - half), (high.max(low + 2), y + half)], page.palette.series[0], alpha)?;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_of_the_sample() {
        let histogram = [(-3, 1), (0, 2), (10, 1)];
        let at = |part| quantile(&histogram, part);
        assert_eq!(
            [at(0.0), at(0.25), at(0.26), at(0.75), at(0.76), at(1.0)].map(Option::unwrap),
            [-3.0, -3.0, 0.0, 0.0, 10.0, 10.0]
        );
        assert_eq!(quantile(&[], 0.5), None);
    }
}
