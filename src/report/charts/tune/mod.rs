//! The charts of a tuning.

mod ahead;
mod parameter;

use super::Chart;
use crate::report::tune::TuneReport;

/// What the values found are worth beside the defaults, then every candidate over each parameter.
pub(in crate::report) fn tune_charts<'a>(report: &'a TuneReport<'a>) -> Vec<Chart<'a>> {
    let mut charts = Vec::new();
    if report.found() && report.compared() {
        charts.push(Chart::of("tuned", ahead::Ahead { report }));
    }
    for (index, parameter) in report.parameters.iter().enumerate() {
        let name: String =
            parameter.name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        charts.push(Chart::of(
            format!("parameter-{}", name.to_lowercase()),
            parameter::OverParameter { report, index },
        ));
    }
    charts
}
