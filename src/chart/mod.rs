//! Charts are data. A chart is a value that says what is measured along its axes, which marks show the data, and what was
//! found; every experiment makes its own from its results. One function draws any chart, as SVG and PNG, in light and dark:
//! it knows no experiment. Places are in the units of the axes, colours are roles, and where texts go, how often ticks are
//! named and what is left out for want of room is decided in drawing.
//!
//! A new chart is a function of an experiment that returns a [`Chart`], and its name in the document of that experiment.

mod axis;
mod canvas;
mod cells;
mod columns;
mod layout;
mod marks;
mod panel;
mod plot;
mod rows;
mod shades;
#[cfg(test)]
mod tests;
mod text;
mod theme;

pub(crate) use axis::{Axis, both_sides, padded, span};
pub use canvas::ChartError;
pub(crate) use marks::{Bar, Cell, Hues, Key, Mark, Marker, Role, Row, Stand, WHOLE, scaled};
pub(crate) use shades::Shades;
pub use theme::Theme;
pub(crate) use theme::css;

use crate::interrupt;
use crate::text::is_drawn;
use canvas::{Done, Page, TEXT};
use layout::Layout;
use marks::Symbol;

/// Height of a plot, and of a row, in pixels: two to a unit of a page.
const PLOT: i32 = 620;
const ROW: i32 = 54;
/// Room for the name of a row.
const NAMES: f64 = 560.0;

/// A picture as a value.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Name of its files without what follows, such as `house-edge`; reports refer to charts by it.
    pub(crate) name: String,
    /// What was found, in a sentence.
    pub(crate) title: String,
    /// Which games it is about.
    pub(crate) subtitle: String,
    /// What is seen in it, and how sure that is.
    pub(crate) caption: String,
    pub(crate) keys: Vec<Key>,
    /// What the colours of cells mean.
    pub(crate) shades: Option<Shades>,
    /// Each gets a line of its own above the plot, so that labels never meet.
    pub(crate) markers: Vec<Marker>,
    /// One plot, or several of the same axes.
    pub(crate) panels: Vec<Panel>,
    /// Pixels of each plot.
    pub(crate) height: i32,
}

/// A plot.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    /// What tells it from the other plots of its chart.
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub marks: Vec<Mark>,
    /// What stands right of the plot.
    pub beside: Vec<Beside>,
    /// What the column of figures right of rows is called.
    pub beside_title: String,
    /// Intervals of rows that are too narrow to be seen stand once more beside the plot, in this unit.
    pub magnified: Option<String>,
    /// A value of the x axis with words for its two sides above the plot.
    pub divide: Option<Divide>,
}

/// A text right of a plot: the figure of a row with its interval, or the name of a line.
#[derive(Clone, Debug)]
pub(crate) struct Beside {
    /// Where along the y axis.
    pub at: f64,
    pub text: String,
    pub more: String,
    pub role: Role,
}

/// See [`Panel::divide`].
#[derive(Clone, Debug)]
pub(crate) struct Divide {
    pub at: f64,
    pub left: (String, Role),
    pub right: (String, Role),
}

impl Divide {
    /// An edge of 0: the player gains on the left of it, the house on the right.
    pub fn sides() -> Divide {
        let (left, right) = ("← player gains".into(), "house gains →".into());
        Divide { at: 0.0, left: (left, Role::Player), right: (right, Role::House) }
    }
}

impl Panel {
    pub fn new(x: Axis, y: Axis, marks: Vec<Mark>) -> Panel {
        Panel {
            title: String::new(),
            x,
            y,
            marks,
            beside: Vec::new(),
            beside_title: String::new(),
            magnified: None,
            divide: None,
        }
    }
}

/// A file of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartFile {
    /// Its name without a folder, such as `house-edge-dark.svg`.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl Chart {
    /// A chart of one plot; what it is called and says is to be filled in.
    pub(crate) fn plot(x: Axis, y: Axis, marks: Vec<Mark>) -> Chart {
        Chart { panels: vec![Panel::new(x, y, marks)], height: PLOT, ..Chart::default() }
    }

    /// A chart of estimates under each other. Marks in `behind` lie under the estimates; the i-th row is between `i` and
    /// `i + 1` of the y axis.
    pub(crate) fn rows(x: Axis, rows: Vec<Row>, unit: &str, behind: Vec<Mark>) -> Chart {
        let named = rows.iter().map(|row| row.name.clone());
        let mut panel = Panel::new(x, Axis::rows("", named), behind);
        for (i, row) in rows.into_iter().enumerate() {
            let at = i as f64 + 0.5;
            let (text, more) = (row.said.value, row.said.interval);
            panel.beside.push(Beside { at, text, more, role: Role::Ink });
            let (estimate, bounds, role) = (row.estimate, row.bounds, row.role);
            panel.marks.push(Mark::Interval { row: at, estimate, bounds, role });
        }
        panel.magnified = Some(unit.into());
        let height = panel.y.ticks.len().max(1) as i32 * ROW;
        Chart { panels: vec![panel], height, ..Chart::default() }
    }

    /// Words for the sides of a value of the x axis, above the plot.
    pub(crate) fn divided(mut self, divide: Divide) -> Chart {
        if let Some(panel) = self.panels.first_mut() {
            panel.divide = Some(divide);
        }
        self
    }

    /// Name of its files without what follows, such as `house-edge`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What was found, in a sentence.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What is seen in it, and how sure that is.
    pub fn caption(&self) -> &str {
        &self.caption
    }

    /// Which form of the words of cells there is room for, if any is.
    pub(crate) fn form(&self) -> Option<usize> {
        Layout::of(self).form.map(|(form, _)| form)
    }

    /// Pixels of the whole picture.
    fn whole_height(&self) -> i32 {
        Layout::of(self).height
    }

    fn words(&self) -> [&str; 2] {
        [&self.title, &self.caption]
    }

    /// Draws it, whatever it shows.
    fn draw(&self, page: &Page<'_>) -> Done {
        let marks = self.panels.iter().flat_map(|panel| &panel.marks);
        debug_assert_eq!(self.keys.iter().find(|key| !key.is_true(marks.clone())), None, "{}", self.name);
        let layout = Layout::of(self);
        layout.draw(page, self)?;
        for (i, panel) in self.panels.iter().enumerate() {
            panel.draw(page, &layout.plot(panel, i), self)?;
        }
        layout.draw_measure(page, self)
    }

    /// The chart as an SVG document, 800 units wide.
    ///
    /// # Errors
    /// What the drawing library says, of a picture it cannot draw.
    pub fn svg(&self, theme: Theme) -> Result<String, ChartError> {
        canvas::svg(self.whole_height(), Some(theme), self.words(), &|page| self.draw(page))
    }

    /// The chart as an SVG element for an HTML page, in colours that the page's CSS properties
    /// `--c-paper`, `--c-ink` and so on give, or those of the light theme without them.
    ///
    /// # Errors
    /// What the drawing library says, of a picture it cannot draw.
    pub fn inline_svg(&self) -> Result<String, ChartError> {
        canvas::svg(self.whole_height(), None, self.words(), &|page| self.draw(page))
    }

    /// The chart as a PNG file, 1600 pixels wide.
    ///
    /// # Errors
    /// What the drawing library says, of a picture it cannot draw.
    pub fn png(&self, theme: Theme) -> Result<Vec<u8>, ChartError> {
        canvas::png(self.whole_height(), theme, &|page| self.draw(page))
    }

    /// The chart in the letters of the program's own font: a name, given with what the thing is called besides, goes by
    /// that where the font lacks some of its letters.
    fn in_own_letters<'n>(&self, names: impl IntoIterator<Item = (&'n str, &'n str)>) -> Chart {
        let mut chart = self.clone();
        for (name, id) in names.into_iter().filter(|(name, _)| !name.chars().all(is_drawn)) {
            let both = format!("{name} ({id})");
            let panels = chart.panels.iter_mut().map(|panel| &mut panel.title);
            for text in panels.chain([&mut chart.title, &mut chart.subtitle]) {
                *text = text.replace(&both, id).replace(name, id);
            }
        }
        chart
    }

    /// Its four files: SVG and PNG, light and dark; no PNG once the program was asked to stop. Names are given each with what
    /// bitmaps call the thing where their font lacks letters of the name.
    ///
    /// # Errors
    /// What the drawing library says, of a picture it cannot draw.
    pub fn files<'n>(
        &self,
        names: impl IntoIterator<Item = (&'n str, &'n str)>,
    ) -> Result<Vec<ChartFile>, ChartError> {
        let mut files = Vec::with_capacity(4);
        let bitmap = self.in_own_letters(names);
        for (theme, after) in [(Theme::Light, ""), (Theme::Dark, "-dark")] {
            let name = |kind: &str| format!("{}{after}.{kind}", self.name);
            files.push(ChartFile { name: name("svg"), bytes: self.svg(theme)?.into_bytes() });
            // They take most of the time of a report, and who has asked to stop is waiting.
            if !interrupt::requested() {
                files.push(ChartFile { name: name("png"), bytes: bitmap.png(theme)? });
            }
        }
        Ok(files)
    }
}

/// Two names of a row as one, cut to fit.
pub(crate) fn pair(first: &str, second: &str) -> String {
    text::pair(first, second, TEXT, NAMES)
}
