//! The charts of reports, as documents hold them.

use std::marker::PhantomData;
use std::ops::Deref;

use super::{ContestReport, Report, chart, contest, simulate};

pub(super) use super::simulate::slug;
pub(super) use chart::css;
pub use chart::{ChartError, ChartFile, Theme};

/// One chart of a report.
#[derive(Clone, Debug)]
pub struct Chart<'a>(chart::Chart, PhantomData<&'a ()>);

impl From<chart::Chart> for Chart<'_> {
    fn from(chart: chart::Chart) -> Self {
        Chart(chart, PhantomData)
    }
}

impl Deref for Chart<'_> {
    type Target = chart::Chart;

    fn deref(&self) -> &chart::Chart {
        &self.0
    }
}

/// All charts of a report.
pub fn charts(report: &Report<'_>) -> Vec<Chart<'static>> {
    simulate::charts(report).into_iter().map(Chart::from).collect()
}

/// All charts of a contest.
pub fn contest_charts(report: &ContestReport<'_>) -> Vec<Chart<'static>> {
    contest::contest_charts(report).into_iter().map(Chart::from).collect()
}

pub(super) fn shared(report: &Report<'_>) -> Vec<Chart<'static>> {
    simulate::shared(report).into_iter().map(Chart::from).collect()
}

pub(super) fn own(report: &Report<'_>, section: usize) -> Vec<Chart<'static>> {
    simulate::own(report, section).into_iter().map(Chart::from).collect()
}
