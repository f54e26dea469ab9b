//! How many deals were decided within how many positions.

use crate::report::charts::axis::Axis;
use crate::report::charts::canvas::{ChartError, Page};
use crate::report::charts::frame::{Frame, Key, Mark};
use crate::report::figures::{count, fixed, share};
use crate::report::solve::SolveReport;
use crate::solver::Verdict;

pub(super) const TITLE: &str = "Deals decided within so many positions";
pub(super) const HEIGHT: u32 = 820;

/// The positions that each deal with such an answer took, ascending.
fn nodes(report: &SolveReport<'_>, which: impl Fn(Verdict) -> bool) -> Vec<u64> {
    let some = report.answers.iter().filter(|answer| which(answer.verdict));
    let mut nodes: Vec<u64> = some.map(|answer| answer.nodes.max(1)).collect();
    nodes.sort_unstable();
    nodes
}

fn open(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(_))
}

pub(super) fn caption(report: &SolveReport<'_>) -> String {
    let all = report.answers.len().max(1);
    let decided = nodes(report, |verdict| !open(verdict));
    let half = decided.get(all.div_ceil(2) - 1);
    let half = half.map_or(String::new(), |&nodes| {
        format!(" Half of the deals were decided within {} positions.", count(nodes))
    });
    format!(
        "The share of deals that were known to be won, or lost, after so many positions were expanded; the rest was still open.\
         {half} In the end {} were decided.",
        share(decided.len() as f64 / all as f64)
    )
}

pub(super) fn draw(page: &Page<'_, '_>, report: &SolveReport<'_>) -> Result<(), ChartError> {
    let palette = page.palette;
    let all = report.answers.len().max(1) as f64;
    let last = report.answers.iter().map(|answer| answer.nodes).max().unwrap_or(1).max(10) as f64;
    let keys = [
        Key { mark: Mark::Line, colour: palette.ink, text: "decided" },
        Key { mark: Mark::Line, colour: palette.player, text: "can be won" },
        Key { mark: Mark::Line, colour: palette.house, text: "lost" },
    ];
    let frame = Frame {
        height: HEIGHT,
        title: TITLE,
        subtitle: &report.subtitle(),
        keys: &keys,
        markers: &[],
        x: Axis::powers("positions expanded", (0.0, last.log10() * 1.01), |v| count(v.round() as u64)),
        y: Axis::new("share of deals, %", (0.0, 104.0), 5, |v, d| format!("{}%", fixed(v, d))),
        side: None,
    };
    let plot = frame.draw(page)?;
    let lines = [
        (nodes(report, |verdict| verdict == Verdict::Lost), palette.house),
        (nodes(report, |verdict| verdict == Verdict::Won), palette.player),
        (nodes(report, |verdict| !open(verdict)), palette.ink),
    ];
    for (nodes, colour) in lines {
        let mut points = vec![plot.at(0.0, 0.0)];
        for (i, &n) in nodes.iter().enumerate() {
            let x = (n as f64).log10();
            points.push(plot.at(x, i as f64 / all * 100.0));
            points.push(plot.at(x, (i + 1) as f64 / all * 100.0));
        }
        points.push((plot.right, plot.at(0.0, nodes.len() as f64 / all * 100.0).1));
        points.dedup();
        page.line(points, colour, 4)?;
    }
    page.line(vec![(plot.left, plot.bottom), (plot.right, plot.bottom)], palette.muted, 2)
}
