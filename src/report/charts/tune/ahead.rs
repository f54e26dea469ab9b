//! The values found beside the defaults, on deals that they were not chosen on.

use super::super::Picture;
use super::super::axis::{Axis, padded, span};
use super::super::canvas::{ChartError, Page};
use super::super::rows::{self, Row};
use crate::report::compare::{own, subtitle};
use crate::report::figures::{fixed, gain_estimate, mean, money, percent};
use crate::report::tune::TuneReport;
use crate::stats::{Estimate, Measure};

#[derive(Debug)]
pub(super) struct Ahead<'a> {
    pub report: &'a TuneReport<'a>,
}

impl Picture for Ahead<'_> {
    fn title(&self) -> String {
        format!("Tuned and not: {}", self.report.measured())
    }

    fn caption(&self) -> String {
        let gain = self.report.gain().map(|gain| self.report.said(gain));
        let gain = gain.map_or(String::new(), |said| {
            format!(" Deal by deal the values found are {} ahead ({}).", said.value, said.interval_in_words())
        });
        format!(
            "The script with the values found ({}) and with its defaults, on deals that they were not chosen on: each \
             mean (line) with its own 95% interval (box).{gain}",
            self.report.values(&self.report.raced.winner, false)
        )
    }

    fn height(&self) -> u32 {
        rows::height(2, 0)
    }

    fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError> {
        let report = self.report;
        let Some(casino) = report.casino() else { return Ok(()) };
        let palette = page.palette;
        let (tuned, defaults) = match report.gain() {
            Some(Estimate { low, .. }) if low > 0.0 => (palette.house, palette.muted),
            Some(Estimate { high, .. }) if high < 0.0 => (palette.muted, palette.house),
            _ => (palette.series[0], palette.series[0]),
        };
        let unit = if report.measure == Measure::Wins { 100.0 } else { 1.0 };
        let row = |(entry, name, colour): (usize, &str, _)| {
            let e = own(&report.fresh, entry)?;
            let said = match report.measure {
                Measure::Cards => mean(e),
                Measure::Wins => percent(e),
                Measure::Money => gain_estimate(e, casino),
            };
            let estimate = Estimate { value: e.value * unit, low: e.low * unit, high: e.high * unit };
            Some(Row { name: name.to_string(), estimate, bounds: None, colour, said })
        };
        let rows: Vec<Row> =
            [(0, "tuned", tuned), (1, "defaults", defaults)].into_iter().filter_map(row).collect();
        let all = rows.iter().flat_map(|row| [row.estimate.low, row.estimate.high]);
        let range = padded(span(all).unwrap_or((0.0, 1.0)), 0.15);
        let measure = report.measure;
        let label = move |v: f64, d: usize, casino: &crate::rules::Casino| match measure {
            Measure::Cards => fixed(v, d),
            Measure::Wins => format!("{}%", fixed(v, d)),
            Measure::Money => money(v, casino, d == 0),
        };
        let x = |ticks| {
            let casino = casino.clone();
            Axis::new(report.measured(), range, ticks, move |v, d| label(v, d, &casino))
        };
        let unit = match measure {
            Measure::Cards => "cards",
            Measure::Wins => "points",
            Measure::Money => "cents",
        };
        rows::draw(page, &rows, (&self.title(), &subtitle(&report.fresh), unit), x, 0, |_| Ok(()))
    }
}
