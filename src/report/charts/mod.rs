//! Charts as SVG and PNG, in light and dark. Each chart has a file; they share a frame, a canvas, a
//! font and colours.

mod axis;
mod compare;
mod contest;
mod frame;
mod pricing;
mod rows;
mod shelf;

pub(super) use super::simulate::slug;
pub(super) use compare::compare_charts;
pub use contest::contest_charts;
pub(super) use pricing::price_charts;
pub(super) use shelf::Lane;

use std::fmt;
use std::sync::Arc;

use plotters::style::RGBColor;

use super::chart::{self, canvas, text, theme};
use super::{Report, simulate};
use crate::interrupt;
use crate::stats::Estimate;
use canvas::Page;
pub use chart::{ChartError, ChartFile, Theme};

/// One chart of a report, drawn when its files are asked for.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    name: String,
    plot: Plot<'a>,
}

#[derive(Clone, Debug)]
enum Plot<'a> {
    Contest(contest::Picture<'a>),
    Shelf(shelf::Shelf<'a>),
    Own(Arc<dyn Picture + 'a>),
    Value(Box<chart::Chart>),
}

/// A chart that a report brings along.
trait Picture: fmt::Debug {
    /// What it shows, in a few words.
    fn title(&self) -> String;

    /// What is seen in it, and how sure that is.
    fn caption(&self) -> String;

    /// Pixels, of which a unit of a page has two.
    fn height(&self) -> u32;

    /// Draws it.
    ///
    /// # Errors
    /// What the drawing library says.
    fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError>;
}

/// All charts of a report.
pub fn charts(report: &Report<'_>) -> Vec<Chart<'static>> {
    simulate::charts(report).into_iter().map(Chart::from).collect()
}

pub(super) fn shared(report: &Report<'_>) -> Vec<Chart<'static>> {
    simulate::shared(report).into_iter().map(Chart::from).collect()
}

pub(super) fn own(report: &Report<'_>, section: usize) -> Vec<Chart<'static>> {
    simulate::own(report, section).into_iter().map(Chart::from).collect()
}

/// The colour of the side that an edge is known to favour.
fn side(edge: Estimate, palette: &theme::Palette) -> RGBColor {
    palette.of(chart::Role::of_edge(edge))
}

/// The win rates of the shelf, a lane for each ruleset with an estimate for each player.
pub(super) fn shelf_chart<'a>(players: &[&'a str], lanes: Vec<Lane<'a>>) -> Chart<'a> {
    Chart { name: "win-rates".into(), plot: Plot::Shelf(shelf::Shelf::new(players, lanes)) }
}

impl From<chart::Chart> for Chart<'_> {
    fn from(chart: chart::Chart) -> Self {
        Chart { name: chart.name.clone(), plot: Plot::Value(Box::new(chart)) }
    }
}

impl<'a> Chart<'a> {
    /// A chart of a report's own, with the name of its files.
    fn of(name: impl Into<String>, picture: impl Picture + 'a) -> Chart<'a> {
        Chart { name: name.into(), plot: Plot::Own(Arc::new(picture)) }
    }

    /// Name of its files without what follows, such as `house-edge`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it shows, in a few words.
    pub fn title(&self) -> String {
        let title = match &self.plot {
            Plot::Own(picture) => return picture.title(),
            Plot::Value(chart) => return chart.title.clone(),
            Plot::Contest(picture) => picture.title(),
            Plot::Shelf(_) => shelf::TITLE,
        };
        title.into()
    }

    /// What is seen in it, and how sure that is.
    pub fn caption(&self) -> String {
        match &self.plot {
            Plot::Contest(picture) => picture.caption(),
            Plot::Shelf(rows) => shelf::caption(rows),
            Plot::Own(picture) => picture.caption(),
            Plot::Value(chart) => chart.caption.clone(),
        }
    }

    fn height(&self) -> u32 {
        match &self.plot {
            Plot::Contest(picture) => picture.height(),
            Plot::Shelf(rows) => shelf::height(rows),
            Plot::Own(picture) => picture.height(),
            Plot::Value(chart) => chart.whole_height(),
        }
    }

    fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError> {
        match &self.plot {
            Plot::Contest(picture) => picture.draw(page),
            Plot::Shelf(rows) => shelf::draw(page, rows),
            Plot::Own(picture) => picture.draw(page),
            Plot::Value(chart) => chart.draw(page),
        }
    }

    /// The chart as an SVG document, 800 units wide.
    ///
    /// # Errors
    /// What the drawing library says, of a picture it cannot draw.
    pub fn svg(&self, theme: Theme) -> Result<String, ChartError> {
        canvas::svg(self.height(), theme, &self.title(), &self.caption(), &|page| self.draw(page))
    }

    /// The chart as an SVG element for an HTML page, in colours that the page's CSS properties
    /// `--c-paper`, `--c-ink` and so on give, or those of the light theme without them.
    ///
    /// # Errors
    /// What the drawing library says, of a picture it cannot draw.
    pub fn inline_svg(&self) -> Result<String, ChartError> {
        canvas::inline_svg(self.height(), &self.title(), &self.caption(), &|page| self.draw(page))
    }

    /// The chart as a PNG file, 1600 pixels wide.
    ///
    /// # Errors
    /// What the drawing library says, of a picture it cannot draw.
    pub fn png(&self, theme: Theme) -> Result<Vec<u8>, ChartError> {
        canvas::png(self.height(), theme, &|page| self.draw(page))
    }

    /// Its four files: SVG and PNG, light and dark; no PNG once the program was asked to stop.
    ///
    /// # Errors
    /// What the drawing library says, of a picture it cannot draw.
    pub fn files(&self) -> Result<Vec<ChartFile>, ChartError> {
        let mut files = Vec::with_capacity(4);
        for (theme, after) in [(Theme::Light, ""), (Theme::Dark, "-dark")] {
            let name = |kind: &str| format!("{}{after}.{kind}", self.name);
            files.push(ChartFile { name: name("svg"), bytes: self.svg(theme)?.into_bytes() });
            // They take most of the time of a report, and who has asked to stop is waiting.
            if !interrupt::requested() {
                files.push(ChartFile { name: name("png"), bytes: self.png(theme)? });
            }
        }
        Ok(files)
    }
}

/// The colours of a theme as declarations of CSS properties.
pub(super) fn css(theme: Theme) -> String {
    theme.palette().css()
}
