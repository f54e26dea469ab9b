//! The path of the test between the regions of its answers.

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::two;
use crate::lab::Tested;
use crate::report::charts::axis::Axis;
use crate::report::charts::canvas::{ChartError, Page};
use crate::report::charts::frame::{Frame, Key, Mark, Marker, Plot, TEXT};
use crate::report::charts::text;
use crate::report::compare::{CompareReport, size, subtitle, verdict_in_short};
use crate::report::figures::{count, fixed};
use crate::stats::Verdict;

pub(super) const HEIGHT: u32 = 980;

pub(super) fn title(report: &CompareReport<'_>) -> String {
    let [a, b] = two(report);
    match report.compared.tested.as_ref().and_then(|tested| tested.verdict) {
        Some(Verdict::A) => format!("The test: {a} is better than {b}"),
        Some(Verdict::B) => format!("The test: {b} is better than {a}"),
        Some(Verdict::NoDifference) => format!("The test: no difference between {a} and {b}"),
        None => format!("The test of {a} against {b}: undecided"),
    }
}

pub(super) fn caption(report: &CompareReport<'_>) -> String {
    let Some(tested) = &report.compared.tested else { return String::new() };
    let [a, b] = two(report);
    let size = amount(report, tested);
    format!(
        "The log-likelihood ratio of \"{a} is better by {size}\" against \"{b} is better by {size}\" after each block of \
         deals. It begins at 0 and ends in the region of its answer, or in none where the deals were too few: {}.",
        verdict_in_short(tested, &[a.clone(), b.clone()], report)
    )
}

fn amount(report: &CompareReport<'_>, tested: &Tested) -> String {
    let casino = report.entries.first().map(|it| &it.entry.rules.casino);
    casino.map_or(String::new(), |casino| size(report.measure, tested.test.difference, casino))
}

/// A moment of the test: games, ratio, and the bounds of its answers.
struct Moment {
    games: f64,
    llr: f64,
    found: f64,
    ruled_out: Option<f64>,
}

fn moments(report: &CompareReport<'_>, tested: &Tested) -> Vec<Moment> {
    let test = &tested.test;
    let at = |games: u64, llr: f64, variance: f64| Moment {
        games: games as f64,
        llr,
        found: test.found_at(games, variance),
        ruled_out: test.ruled_out_at(games, variance),
    };
    let states = report.compared.course.iter().filter_map(|point| point.standing);
    let first = at(0, 0.0, tested.standing.variance);
    std::iter::once(first).chain(states.map(|state| at(state.games, state.llr(), state.variance))).collect()
}

pub(super) fn draw(page: &Page<'_, '_>, report: &CompareReport<'_>) -> Result<(), ChartError> {
    let Some(tested) = &report.compared.tested else { return Ok(()) };
    let palette = page.palette;
    let [a, b] = two(report);
    let size = amount(report, tested);
    let moments = moments(report, tested);
    let (last, end) = match moments.last() {
        Some(moment) if moment.games > 0.0 => (moment.games, moment.llr),
        _ => return Ok(()),
    };
    let most = moments.iter().map(|it| it.llr.abs().max(it.found * 1.35)).fold(1.0, f64::max) * 1.06;
    let colour = match tested.verdict {
        Some(Verdict::A) => palette.house,
        Some(Verdict::B) => palette.player,
        _ => palette.ink,
    };
    let stands = format!("LLR after {} deals: {}", count(last as u64), fixed(end, 2));
    let keys = [Key { mark: Mark::Line, colour, text: &stands }];
    // Where the run went on, the answer is not at its end.
    let marker = tested.verdict.filter(|_| (tested.standing.games as f64) < last).map(|_| Marker {
        at: tested.standing.games as f64,
        label: format!("the test's answer, after {} deals", count(tested.standing.games)),
        colour: palette.muted,
    });
    let frame = Frame {
        height: HEIGHT,
        title: &title(report),
        subtitle: &subtitle(report),
        keys: &keys,
        markers: marker.as_slice(),
        x: Axis::new("deals played", (0.0, last), 8, |v, _| count(v.round() as u64)),
        y: Axis::new(
            &format!("LLR of \"{a} better by {size}\" against \"{b} better by {size}\""),
            (-most, most),
            8,
            fixed,
        ),
        side: None,
    };
    let plot = frame.draw(page)?;
    regions(page, &plot, &moments, [&a, &b], &size)?;
    let zero = plot.y(0.0);
    page.line(vec![(plot.left, zero), (plot.right, zero)], palette.muted, 2)?;
    page.line(moments.iter().map(|it| plot.at(it.games, it.llr)).collect(), colour, 6)?;
    page.dot(plot.at(last, end), 11, colour)
}

/// Colours and names the region of each answer.
fn regions(
    page: &Page<'_, '_>,
    plot: &Plot,
    moments: &[Moment],
    [a, b]: [&str; 2],
    size: &str,
) -> Result<(), ChartError> {
    let palette = page.palette;
    let found = |sign: f64| -> Vec<(i32, i32)> {
        moments.iter().map(|it| plot.at(it.games, sign * it.found)).collect()
    };
    let border = |y: i32| -> Vec<(i32, i32)> { moments.iter().map(|it| (plot.x(it.games), y)).collect() };
    let (upper, lower) = (found(1.0), found(-1.0));
    page.band(&border(plot.top), &upper, palette.house, 0.2)?;
    page.band(&lower, &border(plot.bottom), palette.player, 0.2)?;
    page.line(upper, palette.house, 3)?;
    page.line(lower, palette.player, 3)?;
    let wedge: Vec<(f64, f64)> = moments.iter().filter_map(|it| Some((it.games, it.ruled_out?))).collect();
    if let Some((games, width)) = wedge.last() {
        let side = |sign: f64| -> Vec<(i32, i32)> {
            wedge.iter().map(|&(games, width)| plot.at(games, sign * width)).collect()
        };
        page.band(&side(1.0), &side(-1.0), palette.muted, 0.25)?;
        page.line(side(1.0), palette.muted, 3)?;
        page.line(side(-1.0), palette.muted, 3)?;
        let name = format!("no difference of {size}");
        let room = f64::from(plot.x(*games) - plot.x(wedge[0].0));
        if plot.y(-width) - plot.y(*width) > 60 && text::width(&name, TEXT) < room * 0.6 {
            page.text(&name, (plot.right - 16, plot.y(0.0) + 24), TEXT, palette.ink, HPos::Right)?;
        }
    }
    let name = |who: &str, y: i32, colour: RGBColor| {
        page.text(&format!("{who} is better"), (plot.left + 20, y), TEXT, colour, HPos::Left)
    };
    name(a, plot.top + 28, palette.house)?;
    name(b, plot.bottom - 28, palette.player)
}
