//! Charts as SVG and PNG, in light and dark. Each chart has a file; they share a frame, a canvas, a
//! font and colours.

mod axis;
mod bankroll;
mod cards;
mod clairvoyant;
mod compare;
mod contest;
mod edges;
mod evening;
mod frame;
mod price;
mod pricing;
mod rows;
mod running;
mod shelf;
mod solve;
mod stops;
mod tune;
mod win_rates;

pub(super) use bankroll::bankroll_charts;
pub(super) use compare::compare_charts;
pub use contest::contest_charts;
pub(super) use pricing::price_charts;
pub(super) use shelf::Lane;
pub(super) use solve::solve_charts;
pub(super) use tune::tune_charts;

use std::fmt;
use std::sync::Arc;

use super::chart::{self, canvas, text, theme};
use super::entry::stem;
use super::figures::games;
use super::labels::rules_in_full;
use super::{Entry, Report, Section, entry_ids};
use crate::interrupt;
use crate::stats::Evening;
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
    WinRates(Vec<Entry<'a>>),
    Edges(Vec<Entry<'a>>),
    MeanCards(Vec<Entry<'a>>),
    Cards(Entry<'a>),
    Price(Entry<'a>),
    Running(Entry<'a>),
    Stops(Entry<'a>),
    Evening(Entry<'a>, &'a Evening),
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

/// All charts of a report: those over all entries, then each entry's own. A chart that has nothing to
/// show is left out, such as the edges where no deck has a price.
pub fn charts<'a>(report: &Report<'a>) -> Vec<Chart<'a>> {
    let mut charts = shared(report);
    for i in 0..report.sections.len() {
        charts.extend(own(report, i));
    }
    charts
}

/// The charts that compare all entries.
pub(super) fn shared<'a>(report: &Report<'a>) -> Vec<Chart<'a>> {
    let entries: Vec<Entry<'a>> = report.sections.iter().map(|s| s.entry).collect();
    let mut charts = Vec::new();
    if !entries.is_empty() {
        charts.push(Chart { name: "win-rates".into(), plot: Plot::WinRates(entries.clone()) });
    }
    if edges::with_edge(&entries).next().is_some() {
        charts.push(Chart { name: "house-edge".into(), plot: Plot::Edges(entries.clone()) });
    }
    if clairvoyant::applies(&entries) {
        charts.push(Chart { name: "mean-cards".into(), plot: Plot::MeanCards(entries) });
    }
    charts
}

/// The charts of one section.
pub(super) fn own<'a>(report: &Report<'a>, section: usize) -> Vec<Chart<'a>> {
    let Some(Section { entry, evening, .. }) = report.sections.get(section).copied() else {
        return Vec::new();
    };
    let before =
        if report.sections.len() > 1 { format!("{}-", slug(report, section)) } else { String::new() };
    let mut charts = Vec::new();
    let mut add = |name: &str, plot| charts.push(Chart { name: format!("{before}{name}"), plot });
    add("cards", Plot::Cards(entry));
    if price::applies(&entry) {
        add("price", Plot::Price(entry));
    }
    if running::applies(&entry) {
        add("running-edge", Plot::Running(entry));
    }
    if stops::applies(&entry) {
        add("stopping", Plot::Stops(entry));
    }
    if let Some(evening) = evening.filter(|evening| evening::applies(&entry, evening)) {
        add("evening", Plot::Evening(entry, evening));
    }
    charts
}

/// The win rates of the shelf, a lane for each ruleset with an estimate for each player.
pub(super) fn shelf_chart<'a>(players: &[&'a str], lanes: Vec<Lane<'a>>) -> Chart<'a> {
    Chart { name: "win-rates".into(), plot: Plot::Shelf(shelf::Shelf::new(players, lanes)) }
}

/// A name for files and links that no other section has: `canfield-greedy`.
pub(super) fn slug(report: &Report<'_>, section: usize) -> String {
    let entries: Vec<Entry<'_>> = report.sections.iter().map(|s| s.entry).collect();
    entry_ids(&entries).swap_remove(section)
}

/// The line under a title that says which games a chart is about.
fn subtitle(entry: &Entry<'_>) -> String {
    let (rules, strategy, games) = (rules_in_full(entry), stem(entry.strategy), games(entry.summary.games));
    format!("{rules}, played by {strategy}: {games}, seed {}", entry.seed)
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
            Plot::WinRates(_) => win_rates::TITLE,
            Plot::Edges(_) => edges::TITLE,
            Plot::MeanCards(_) => clairvoyant::TITLE,
            Plot::Cards(_) => cards::TITLE,
            Plot::Price(_) => price::TITLE,
            Plot::Running(_) => running::TITLE,
            Plot::Stops(_) => stops::TITLE,
            Plot::Evening(..) => evening::TITLE,
            Plot::Contest(picture) => picture.title(),
            Plot::Shelf(_) => shelf::TITLE,
        };
        title.into()
    }

    /// What is seen in it, and how sure that is.
    pub fn caption(&self) -> String {
        match &self.plot {
            Plot::WinRates(entries) => win_rates::caption(entries),
            Plot::Edges(entries) => edges::caption(entries),
            Plot::MeanCards(entries) => clairvoyant::caption_of_cards(entries),
            Plot::Cards(entry) => cards::caption(entry),
            Plot::Price(entry) => price::caption(entry),
            Plot::Running(entry) => running::caption(entry),
            Plot::Stops(entry) => stops::caption(entry),
            Plot::Evening(entry, evening) => evening::caption(entry, evening),
            Plot::Contest(picture) => picture.caption(),
            Plot::Shelf(rows) => shelf::caption(rows),
            Plot::Own(picture) => picture.caption(),
            Plot::Value(chart) => chart.caption.clone(),
        }
    }

    fn height(&self) -> u32 {
        match &self.plot {
            Plot::WinRates(entries) => win_rates::height(entries),
            Plot::Edges(entries) => edges::height(entries),
            Plot::MeanCards(entries) => clairvoyant::height(entries),
            Plot::Cards(_) => cards::HEIGHT,
            Plot::Price(_) => price::HEIGHT,
            Plot::Running(_) => running::HEIGHT,
            Plot::Stops(entry) => stops::height(entry),
            Plot::Evening(..) => evening::HEIGHT,
            Plot::Contest(picture) => picture.height(),
            Plot::Shelf(rows) => shelf::height(rows),
            Plot::Own(picture) => picture.height(),
            Plot::Value(chart) => chart.whole_height(),
        }
    }

    fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError> {
        match &self.plot {
            Plot::WinRates(entries) => win_rates::draw(page, entries),
            Plot::Edges(entries) => edges::draw(page, entries),
            Plot::MeanCards(entries) => clairvoyant::draw(page, entries),
            Plot::Cards(entry) => cards::draw(page, entry),
            Plot::Price(entry) => price::draw(page, entry),
            Plot::Running(entry) => running::draw(page, entry),
            Plot::Stops(entry) => stops::draw(page, entry),
            Plot::Evening(entry, evening) => evening::draw(page, entry, evening),
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
