//! The charts of a comparison: of two entries the test, the running difference, the wins and the spread of differences; of
//! more the ranking and every pair.

mod many;
mod spread;
mod test;

pub(super) use many::{pairs, ranking};
pub(super) use spread::{differences, wins};
pub(super) use test::{running, test};

use super::CompareReport;
use super::words::subtitle;
use crate::chart::{Chart, Hues, Role};
use crate::figures::{fixed, money};
use crate::report::labels::upper_first;
use crate::rules::Casino;
use crate::stats::Measure;

/// The first two entries, each with its colour.
struct Two {
    a: String,
    b: String,
    hues: [Role; 2],
}

impl Two {
    fn of(report: &CompareReport<'_>) -> Two {
        let mut names = report.names().into_iter();
        let [a, b] = [names.next().unwrap_or_default(), names.next().unwrap_or_default()];
        let hues = Hues::new([a.clone(), b.clone()]);
        let hues = [hues.of(&a), hues.of(&b)];
        Two { a, b, hues }
    }
}

/// A chart with its name and the line that says which deals it is about.
fn named(name: &str, report: &CompareReport<'_>, chart: Chart) -> Chart {
    Chart { name: name.into(), title: upper_first(&chart.title), subtitle: subtitle(report), ..chart }
}

/// The measure in the unit of charts: rates in percent.
pub(in crate::report) fn unit(measure: Measure) -> f64 {
    if measure == Measure::Wins { 100.0 } else { 1.0 }
}

/// What a difference of the measure is counted in.
pub(in crate::report) fn unit_name(measure: Measure) -> &'static str {
    match measure {
        Measure::Cards => "cards",
        Measure::Wins => "points",
        Measure::Money => "cents",
    }
}

/// The name of a value on an axis of the measure.
fn tick(measure: Measure, casino: &Casino) -> impl Fn(f64, usize) -> String {
    move |v, d| match measure {
        Measure::Cards => fixed(v, d),
        Measure::Wins => format!("{}%", fixed(v, d)),
        Measure::Money => money(v, casino, d == 0 && v.abs() >= 1000.0),
    }
}
