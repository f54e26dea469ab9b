//! The charts of solved deals.

mod curves;
mod effort;
mod left;
mod most;

use super::canvas::{ChartError, Page};
use super::theme::Palette;
use super::{Chart, Picture};
use crate::report::solve::SolveReport;
use crate::solver::Goal;
use plotters::style::RGBColor;

/// What the player who knows every card is called in charts.
const CLAIRVOYANT: &str = "clairvoyant";

/// Which chart of solved deals.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Left,
    Curves,
    Most,
    Effort,
}

/// A chart with what it shows.
#[derive(Clone, Copy, Debug)]
struct Drawn<'a> {
    kind: Kind,
    report: &'a SolveReport<'a>,
}

/// All charts of solved deals, in the order in which they are read: with strategies what they leave and how many cards
/// go up; where the most cards were asked how they are spread; what it took.
pub(in crate::report) fn solve_charts<'a>(report: &'a SolveReport<'a>) -> Vec<Chart<'a>> {
    let mut kinds = Vec::new();
    if report.goal == Goal::Cards {
        if !report.players.is_empty() {
            kinds.extend([("left-on-the-table", Kind::Left), ("cards-reached", Kind::Curves)]);
        }
        kinds.push(("most-cards", Kind::Most));
    }
    kinds.push(("effort", Kind::Effort));
    kinds.into_iter().map(|(name, kind)| Chart::of(name, Drawn { kind, report })).collect()
}

impl Picture for Drawn<'_> {
    fn title(&self) -> String {
        match self.kind {
            Kind::Left => left::TITLE,
            Kind::Curves => curves::TITLE,
            Kind::Most => most::TITLE,
            Kind::Effort => effort::TITLE,
        }
        .into()
    }

    fn caption(&self) -> String {
        match self.kind {
            Kind::Left => left::caption(self.report),
            Kind::Curves => curves::caption(self.report),
            Kind::Most => most::caption(self.report),
            Kind::Effort => effort::caption(self.report),
        }
    }

    fn height(&self) -> u32 {
        match self.kind {
            Kind::Left => left::height(self.report),
            Kind::Curves => curves::HEIGHT,
            Kind::Most => most::HEIGHT,
            Kind::Effort => effort::HEIGHT,
        }
    }

    fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError> {
        match self.kind {
            Kind::Left => left::draw(page, self.report),
            Kind::Curves => curves::draw(page, self.report),
            Kind::Most => most::draw(page, self.report),
            Kind::Effort => effort::draw(page, self.report),
        }
    }
}

/// The colour of a strategy by its place; the clairvoyant's is violet.
fn colour(palette: &Palette, place: usize) -> RGBColor {
    [palette.house, palette.player, palette.series[0], palette.ink][place % 4]
}
