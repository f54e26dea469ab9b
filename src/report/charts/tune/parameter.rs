//! Every candidate over one parameter.

use super::super::Picture;
use super::super::axis::{Axis, padded, span};
use super::super::canvas::{ChartError, Page};
use super::super::frame::{Frame, Key, Mark, Marker};
use crate::report::figures::{count, fixed, money};
use crate::report::labels::rules_in_full;
use crate::report::tune::TuneReport;
use crate::stats::Measure;

#[derive(Debug)]
pub(super) struct OverParameter<'a> {
    pub report: &'a TuneReport<'a>,
    pub index: usize,
}

const HEIGHT: u32 = 700;

/// Which games the dots are about.
fn in_the_race(report: &TuneReport<'_>) -> String {
    let Some(first) = report.fresh.entries.first() else { return String::new() };
    let games = count(report.raced.games);
    format!("{}: {games} games of the race, seed {}", rules_in_full(&first.entry), first.entry.seed)
}

impl OverParameter<'_> {
    fn written(&self, value: f64) -> String {
        self.report.parameters.get(self.index).map_or(String::new(), |it| it.write(value.round() as i64))
    }
}

impl Picture for OverParameter<'_> {
    fn title(&self) -> String {
        let name = self.report.parameters.get(self.index).map_or("", |it| it.name.as_str());
        format!("{name} and {}", self.report.measured())
    }

    fn caption(&self) -> String {
        let found =
            self.report.raced.winner.get(self.index).map_or(String::new(), |&v| self.written(v as f64));
        format!(
            "The candidates that stayed in the race after its first heat, each at its value of this parameter (the others \
             differ too): the larger the dot, the more heats it stayed in. The values found are green; here {found}. Small dots are uncertain, and those \
             of different generations had different deals; the highest are higher by luck too."
        )
    }

    fn height(&self) -> u32 {
        HEIGHT
    }

    fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError> {
        let (report, index) = (self.report, self.index);
        let Some(parameter) = report.parameters.get(index) else { return Ok(()) };
        let palette = page.palette;
        let unit = if report.measure == Measure::Wins { 100.0 } else { 1.0 };
        // Most of what is tried is far behind after one heat, and would press the others together.
        let all = report.raced.candidates.iter().filter(|it| it.heats > 0);
        let stayed = |heats| all.clone().filter(move |it| it.heats >= heats);
        let mut played: Vec<_> =
            if stayed(2).next().is_some() { stayed(2).collect() } else { all.clone().collect() };
        // What was found is drawn last, over the others.
        played.sort_by_key(|it| it.values == report.raced.winner);
        let means = played.iter().map(|it| it.mean() * unit);
        let range = padded(span(means).unwrap_or((0.0, 1.0)), 0.08);
        let range = if range.1 - range.0 < 1e-9 { (range.0 - 1.0, range.1 + 1.0) } else { range };
        let (low, high) = parameter.bounds();
        let (low, high) = (low as f64, high as f64);
        let casino = report.casino().cloned();
        let measure = report.measure;
        let y = Axis::new(report.measured(), range, 6, move |v, d| match (measure, &casino) {
            (Measure::Money, Some(casino)) => money(v, casino, d == 0),
            (Measure::Wins, _) => format!("{}%", fixed(v, d)),
            _ => fixed(v, d),
        });
        let truth = high - low <= 1.0;
        let shown = parameter.clone();
        let wide = (high - low).max(1.0);
        let ticks = if truth { 2 } else { wide.min(10.0) as usize };
        let mut x =
            Axis::new(&parameter.name, (low - wide * 0.05, high + wide * 0.05), ticks, move |v, _| {
                shown.write(v.round() as i64)
            });
        // Only whole numbers are values.
        x.ticks.retain(|tick| (tick - tick.round()).abs() < 1e-9);
        let default = [Marker {
            at: parameter.default as f64,
            label: format!("default {}", parameter.write(parameter.default)),
            colour: palette.muted,
        }];
        let keys = [
            Key { mark: Mark::Area(1.0), colour: palette.series[0], text: "values found" },
            Key { mark: Mark::Area(1.0), colour: palette.muted, text: "other candidates" },
        ];
        let frame = Frame {
            height: HEIGHT,
            title: &self.title(),
            subtitle: &in_the_race(report),
            keys: &keys,
            markers: &default,
            x,
            y,
            side: None,
        };
        let plot = frame.draw(page)?;
        for candidate in &played {
            let Some(&value) = candidate.values.get(index) else { continue };
            let found = candidate.values == report.raced.winner;
            let colour = if found { palette.series[0] } else { palette.muted };
            let radius = 4 + 3 * candidate.heats.min(8) as u32;
            page.dot((plot.x(value as f64), plot.y(candidate.mean() * unit)), radius, colour)?;
        }
        Ok(())
    }
}
