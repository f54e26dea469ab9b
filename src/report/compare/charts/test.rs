//! The path of the test between the regions of its answers, and the difference as deals accumulate.

use super::super::CompareReport;
use super::super::words::{amount, llr, said, size, verdict_in_short};
use super::{Two, named, tick, unit};
use crate::chart::{Axis, Chart, Key, Mark, Marker, Role, Stand, WHOLE, padded, scaled, span};
use crate::figures::{Side, count, fixed, plural};
use crate::lab::Tested;
use crate::stats::{Estimate, Measure, Verdict};

/// Share of the deals from which on everything of the running difference is in the picture.
const SETTLED: u64 = 10;

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

/// None before the first block of deals.
pub(in super::super) fn test(report: &CompareReport<'_>) -> Option<Chart> {
    let tested = report.compared.tested.as_ref()?;
    let Two { a, b, hues } = Two::of(report);
    let size = amount(tested, report);
    let moments = moments(report, tested);
    let last = moments.last().filter(|moment| moment.games > 0.0)?;
    let most = moments.iter().map(|it| it.llr.abs().max(it.found * 1.35)).fold(1.0, f64::max) * 1.06;
    let role = match tested.verdict {
        Some(Verdict::A) => hues[0],
        Some(Verdict::B) => hues[1],
        _ => Role::Ink,
    };
    let found = |sign: f64| moments.iter().map(|it| (it.games, sign * it.found)).collect::<Vec<_>>();
    let (upper, lower) = (found(1.0), found(-1.0));
    let mut marks = vec![
        Mark::band(upper.iter().map(|(x, y)| (*x, *y, WHOLE.1)).collect(), hues[0], 0.2),
        Mark::band(lower.iter().map(|(x, y)| (*x, WHOLE.0, *y)).collect(), hues[1], 0.2),
        Mark::thin(upper, hues[0]),
        Mark::thin(lower, hues[1]),
    ];
    let wedge: Vec<(f64, f64)> = moments.iter().filter_map(|it| Some((it.games, it.ruled_out?))).collect();
    if let Some((_, width)) = wedge.last() {
        let side = |sign: f64| Mark::thin(wedge.iter().map(|(x, y)| (*x, sign * y)).collect(), Role::Muted);
        marks.push(Mark::band(wedge.iter().map(|(x, y)| (*x, -y, *y)).collect(), Role::Muted, 0.25));
        marks.extend([side(1.0), side(-1.0)]);
        // Where the wedge is high and long enough for its name.
        if *width > 0.1 * most && last.games - wedge[0].0 > 0.45 * last.games {
            marks.push(Mark::note(
                (WHOLE.1, -0.08 * most),
                format!("no difference of {size}"),
                Role::Ink,
                Stand::Left,
            ));
        }
    }
    marks.extend([
        Mark::level(0.0, Role::Muted, false),
        Mark::line(moments.iter().map(|it| (it.games, it.llr)).collect(), role),
        Mark::dots(vec![(last.games, last.llr)], role, 11),
        Mark::note((WHOLE.0, WHOLE.1), format!("{a} is better"), hues[0], Stand::Right),
        Mark::note((WHOLE.0, WHOLE.0), format!("{b} is better"), hues[1], Stand::Right),
    ]);
    let standing = &tested.standing;
    let stands = format!("after {}: {}", plural(standing.games, "deal"), llr(standing.llr()));
    // Where the run went on, the answer is not at its end.
    let marker = tested.verdict.filter(|_| (standing.games as f64) < last.games).map(|_| {
        let label = format!("the test's answer, after {}", plural(standing.games, "deal"));
        Marker::new(standing.games as f64, Role::Muted, label)
    });
    let x = Axis::new("deals played", (0.0, last.games), 8, |v, _| count(v.round() as u64));
    let y = format!("LLR of \"{a} ahead by {size}\" against \"{b} ahead by {size}\"");
    let title = match tested.verdict {
        Some(Verdict::A) => format!("The test: {a} is better than {b}"),
        Some(Verdict::B) => format!("The test: {b} is better than {a}"),
        Some(Verdict::NoDifference) => format!("The test: no difference of {size} between {a} and {b}"),
        None => format!("The test of {a} against {b}: undecided"),
    };
    let chart = Chart {
        title,
        caption: format!(
            "The log-likelihood ratio (LLR) of \"{a} is ahead by {size}\" against \"{b} is ahead by \
                 {size}\" after each block of deals. It starts at 0. The region where it ends is the \
                 answer; outside all of them there is none yet: {}.",
            verdict_in_short(tested, &[a.clone(), b.clone()], report)
        ),
        keys: vec![Key::line(role, stands)],
        markers: marker.into_iter().collect(),
        ..Chart::plot(x, Axis::new(y, (-most, most), 8, fixed), marks)
    };
    Some(named("test", report, chart))
}

/// The difference as deals accumulate, with its band.
pub(in super::super) fn running(report: &CompareReport<'_>) -> Option<Chart> {
    let tested = report.compared.tested.as_ref()?;
    let casino = &report.entries.first()?.entry.rules.casino;
    let Two { a, b, hues } = Two::of(report);
    let (measure, unit) = (report.measure, unit(report.measure));
    let points = &report.compared.course;
    let last = points.last()?;
    let late = points.iter().filter(|it| it.games >= last.games.div_ceil(SETTLED));
    let d = tested.test.difference;
    let marked = [0.0, d, -d].into_iter().chain([tested.estimate.low, tested.estimate.high]);
    let shown = late.flat_map(|it| [it.difference.low, it.difference.high]).chain(marked);
    let range = padded(span(shown.map(|v| v * unit)).unwrap_or((-1.0, 1.0)), 0.08);
    let plain = last.difference;
    let role = match Side::of(plain) {
        Side::House => hues[0],
        Side::Player => hues[1],
        Side::Open => Role::Ink,
    };
    let course: Vec<(f64, Estimate)> =
        points.iter().map(|it| (it.games as f64, scaled(it.difference, unit))).collect();
    let end = last.games as f64;
    let mut marks = [d, -d].map(|at| Mark::level(at * unit, Role::Muted, true)).to_vec();
    marks.push(Mark::level(0.0, Role::Ink, false));
    marks.extend(Mark::curve(&course, role));
    marks.push(Mark::dots(vec![(end, plain.value * unit)], role, 9));
    let stands = format!("after {}: {}", plural(last.games, "deal"), said(measure, plain, casino).both());
    let mut keys = vec![Key::line(role, stands), Key::area(role, 0.28, "95% interval")];
    let corrected = said(measure, tested.estimate, casino);
    let mut told = String::new();
    if !tested.played_on {
        let at_end = scaled(tested.estimate, unit);
        marks.push(Mark::limits(end, at_end, Role::Ink, 5));
        marks.push(Mark::line(vec![(end * 0.985, at_end.value), (end, at_end.value)], Role::Ink));
        keys.push(Key::upright(Role::Ink, format!("corrected for stopping: {}", corrected.value)));
        told = format!(" The mark at the end is the estimate corrected for stopping: {}.", corrected.both());
    }
    let what = match measure {
        Measure::Cards => "cards a game",
        Measure::Wins => "of games won",
        Measure::Money => "a game",
    };
    let e = tested.estimate;
    let turned = Estimate { value: -e.value, low: -e.high, high: -e.low };
    let ahead = |by: Estimate| said(measure, by, casino).value.trim_start_matches('+').to_string();
    let title = match Side::of(e) {
        Side::House => format!("{a} is {} {what} ahead of {b}", ahead(e)),
        Side::Player => format!("{b} is {} {what} ahead of {a}", ahead(turned)),
        Side::Open => format!("{a} and {b} cannot be distinguished: {} {what}", corrected.value),
    };
    let x = Axis::new("deals played", (0.0, end), 8, |v, _| count(v.round() as u64));
    let points_of = tick(measure, casino);
    let y = Axis::new(format!("above 0: {a} ahead; below 0: {b} ahead"), range, 6, |v, d| {
        points_of(v, d).replace('%', " pp")
    });
    let chart = Chart {
        title,
        caption: format!(
            "The mean difference over the deals so far (line) with the 95% interval that a run of that \
                 length has if its length was fixed beforehand (band). Above 0 {a} is ahead, below it {b}; \
                 the dashed lines are {} either way.{told}",
            size(measure, d, casino)
        ),
        keys,
        ..Chart::plot(x, y, marks)
    };
    Some(named("running-difference", report, chart))
}
