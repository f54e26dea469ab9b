//! Chart of the coverage of intervals.

use crate::chart::{Axis, Chart, Hues, Key, Mark, Role};
use crate::format::{count, fixed};

/// Coverage: the share of samples whose interval of the house edge contains the true value.
#[derive(Clone, Debug, PartialEq)]
pub struct CoveragePoint {
    /// The games simulated.
    pub case: String,
    /// Method of the interval.
    pub method: String,
    /// Mean number of games per sample.
    pub games: f64,
    /// Whether a precision ended the samples rather than a number of games.
    pub stopped: bool,
    /// The coverage.
    pub covered: f64,
    /// Number of samples.
    pub samples: u64,
}

/// Nominal coverage, in percent.
const PROMISED: f64 = 95.0;

/// Draws the coverage by number of games, with a line for each case and method.
pub fn coverage_chart(points: &[CoveragePoint]) -> Chart {
    let mut methods: Vec<&str> = Vec::new();
    let mut lines: Vec<(&str, &str, bool)> = Vec::new();
    for it in points {
        let line = (it.case.as_str(), it.method.as_str(), it.stopped);
        if !lines.contains(&line) {
            lines.push(line);
        }
        if !methods.contains(&line.1) {
            methods.push(line.1);
        }
    }
    let hues = Hues::new(methods.iter().map(|it| it.to_string()));
    let log = |games: f64| games.max(1.0).log10();
    let mut marks = vec![Mark::level(PROMISED, Role::Ink, true)];
    for &(case, method, stopped) in &lines {
        let of = points
            .iter()
            .filter(|it| (it.case.as_str(), it.method.as_str(), it.stopped) == (case, method, stopped));
        let mut on: Vec<(f64, f64)> = of.map(|it| (log(it.games), 100.0 * it.covered)).collect();
        on.sort_by(|a, b| a.0.total_cmp(&b.0));
        let hue = hues.of(method);
        if !stopped {
            marks.push(Mark::line(on.clone(), hue));
        }
        marks.push(Mark::dots(on, hue, if stopped { 9 } else { 5 }));
    }
    let ends = points.iter().map(|it| log(it.games));
    let (from, to) = ends.fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
    let least = points.iter().filter(|it| Some(&it.method.as_str()) == methods.first()).map(|it| it.covered);
    let least = 100.0 * least.fold(1.0, f64::min);
    let keys = methods.iter().map(|method| Key::line(hues.of(method), method.to_string()));
    let x =
        Axis::powers(
            "games of a sample (logarithmic scale)",
            (from.min(to), to),
            |n| count(n.round() as u64),
        );
    let y = Axis::percent("samples whose 95% interval holds the true house edge", (0.0, 102.0), 6);
    Chart {
        name: "coverage".into(),
        title: format!("The intervals hold the true house edge in {}% of samples or more", fixed((least * 10.0).floor() / 10.0, 1)),
        subtitle: "canfield, single-pass, draw-one, bsd, and a jackpot: a win pays $50,000 and comes in about 1 of 50,000 games".into(),
        caption: "How often the 95% interval of the house edge holds the true one, by the games of a sample, for the method \
                  of the program and for Student's. The dashed line is what is promised. Large dots: samples that ended when \
                  they were precise enough (--precision)."
            .into(),
        keys: keys.collect(),
        ..Chart::plot(x, y, marks)
    }
}
