//! The charts of a comparison.

mod differences;
mod ranking;
mod running;
mod test;
mod wins;

use super::canvas::{ChartError, Page};
use super::{Chart, Picture};
use crate::report::compare::CompareReport;

/// Which chart of a comparison.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Test,
    Running,
    Wins,
    Differences,
    Ranking,
    Pairs,
}

/// A chart with what it shows.
#[derive(Clone, Copy, Debug)]
struct Drawn<'a> {
    kind: Kind,
    report: &'a CompareReport<'a>,
}

/// All charts of a comparison, in the order in which they are read: of two entries the test, the running difference,
/// the wins and the spread of differences; of more the ranking and every pair.
pub(in crate::report) fn compare_charts<'a>(report: &'a CompareReport<'a>) -> Vec<Chart<'a>> {
    let kinds: &[(&str, Kind)] = match report.compared.tested.is_some() {
        true => &[
            ("test", Kind::Test),
            ("running-difference", Kind::Running),
            ("wins", Kind::Wins),
            ("differences", Kind::Differences),
        ],
        false => &[("ranking", Kind::Ranking), ("pairs", Kind::Pairs)],
    };
    kinds.iter().map(|&(name, kind)| Chart::of(name, Drawn { kind, report })).collect()
}

impl Picture for Drawn<'_> {
    fn title(&self) -> String {
        match self.kind {
            Kind::Test => test::title(self.report),
            Kind::Running => running::title(self.report),
            Kind::Wins => wins::TITLE.into(),
            Kind::Differences => differences::title(self.report),
            Kind::Ranking => ranking::title(self.report),
            Kind::Pairs => ranking::PAIRS.into(),
        }
    }

    fn caption(&self) -> String {
        match self.kind {
            Kind::Test => test::caption(self.report),
            Kind::Running => running::caption(self.report),
            Kind::Wins => wins::caption(self.report),
            Kind::Differences => differences::caption(self.report),
            Kind::Ranking => ranking::caption(self.report),
            Kind::Pairs => ranking::caption_of_pairs(self.report),
        }
    }

    fn height(&self) -> u32 {
        match self.kind {
            Kind::Test => test::HEIGHT,
            Kind::Running => running::HEIGHT,
            Kind::Wins => wins::HEIGHT,
            Kind::Differences => differences::HEIGHT,
            Kind::Ranking => ranking::height(self.report),
            Kind::Pairs => ranking::height_of_pairs(self.report),
        }
    }

    fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError> {
        match self.kind {
            Kind::Test => test::draw(page, self.report),
            Kind::Running => running::draw(page, self.report),
            Kind::Wins => wins::draw(page, self.report),
            Kind::Differences => differences::draw(page, self.report),
            Kind::Ranking => ranking::draw(page, self.report),
            Kind::Pairs => ranking::draw_pairs(page, self.report),
        }
    }
}

/// The names of the first two entries.
fn two(report: &CompareReport<'_>) -> [String; 2] {
    let mut names = report.names().into_iter();
    [names.next().unwrap_or_default(), names.next().unwrap_or_default()]
}
