//! Charts as data. A chart is a value that describes its axes, the marks that show the data, and the finding; every
//! experiment builds its own from its results. One function draws any chart, as SVG and PNG, in light and dark,
//! independently of the experiment. Positions are in the units of the axes, colours are roles, and the placement of
//! texts, the density of labelled ticks and what is omitted for lack of room are decided when drawing.
//!
//! A new chart is a function of an experiment that returns a [`Chart`], and its place in the document of that
//! experiment.

mod axis;
mod layout;
mod marks;
mod page;
mod plot;
#[cfg(test)]
mod tests;
mod theme;

pub(crate) use crate::format::scaled;
pub(crate) use axis::{Axis, both_sides, both_sides_of_edges, padded, span, up_to_whole};
pub(crate) use marks::{Bar, Cell, Key, Mark, Row, Shades, Stand, WHOLE};
pub use page::ChartError;
pub(crate) use plot::Marker;
pub use theme::Theme;
pub(crate) use theme::{Hues, Role, css};

use crate::interrupt;
use crate::text::undrawn;
use page::TEXT;

/// Height of a plot, and of a row, in pixels: two per unit of a page.
const PLOT: i32 = 620;
const ROW: i32 = 54;
const NAMES: i32 = 560;

/// A chart as a value.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Stem of its file names, such as `house-edge`; reports refer to charts by it.
    pub(crate) name: String,
    /// The finding, as a sentence.
    pub(crate) title: String,
    /// The games it shows.
    pub(crate) subtitle: String,
    /// Explanation of the contents and their uncertainty.
    pub(crate) caption: String,
    pub(crate) keys: Vec<Key>,
    /// Meaning of the colours of cells.
    pub(crate) shades: Option<Shades>,
    /// Markers; each has a separate line above the plot, so that labels never overlap.
    pub(crate) markers: Vec<Marker>,
    /// One plot, or several with the same axes.
    pub(crate) panels: Vec<Panel>,
    /// Height of each plot, pixels.
    pub(crate) height: i32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Panel {
    /// Title that distinguishes it from the other plots of the chart.
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub marks: Vec<Mark>,
    /// Text to the right of the plot.
    pub beside: Vec<Beside>,
    /// Title of the column of figures to the right of rows.
    pub beside_title: String,
    /// Unit in which intervals too narrow to be visible are magnified beside the plot.
    pub magnified: Option<String>,
    /// A value of the x axis with labels for its two sides above the plot.
    pub divide: Option<Divide>,
}

/// A text to the right of a plot: the figure of a row with its interval, or the name of a line.
#[derive(Clone, Debug)]
pub(crate) struct Beside {
    /// Position along the y axis.
    pub at: f64,
    pub text: String,
    pub more: String,
    pub role: Role,
}

#[derive(Clone, Debug)]
pub(crate) struct Divide {
    pub at: f64,
    pub left: (String, Role),
    pub right: (String, Role),
}

impl Divide {
    /// Divides at an edge of 0: the player gains to the left of it, the house to the right.
    pub fn sides() -> Divide {
        let (left, right) = ("← player gains".into(), "house gains →".into());
        Divide { at: 0.0, left: (left, Role::Player), right: (right, Role::House) }
    }
}

/// A file of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartFile {
    /// File name without a folder, such as `house-edge-dark.svg`.
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

impl Chart {
    /// Creates a chart of one plot, with its texts left empty.
    pub(crate) fn plot(x: Axis, y: Axis, marks: Vec<Mark>) -> Chart {
        Chart { panels: vec![Panel { x, y, marks, ..Panel::default() }], height: PLOT, ..Chart::default() }
    }

    /// Creates a chart of estimates as rows. Marks in `behind` lie under the estimates; the i-th row is between `i`
    /// and `i + 1` of the y axis.
    pub(crate) fn rows(x: Axis, rows: Vec<Row>, unit: &str, behind: Vec<Mark>) -> Chart {
        let named = rows.iter().map(|row| row.name.clone());
        let mut panel = Panel { x, y: Axis::rows("", named), marks: behind, ..Panel::default() };
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

    /// Adds labels for the sides of a value of the x axis, above the plot.
    pub(crate) fn divided(mut self, divide: Divide) -> Chart {
        if let Some(panel) = self.panels.first_mut() {
            panel.divide = Some(divide);
        }
        self
    }

    /// Returns the stem of its file names, such as `house-edge`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the finding, as a sentence.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the explanation of the contents and their uncertainty.
    pub fn caption(&self) -> &str {
        &self.caption
    }

    fn texts_mut(&mut self) -> Vec<&mut String> {
        let mut texts = vec![&mut self.title, &mut self.subtitle];
        texts.extend(self.keys.iter_mut().map(|key| &mut key.text));
        texts.extend(self.markers.iter_mut().map(|marker| &mut marker.label));
        for panel in &mut self.panels {
            texts.extend([&mut panel.title, &mut panel.x.title, &mut panel.y.title]);
            texts.extend(panel.x.ticks.iter_mut().chain(&mut panel.y.ticks).map(|tick| &mut tick.name));
            texts.extend(panel.beside.iter_mut().flat_map(|it| [&mut it.text, &mut it.more]));
            for mark in &mut panel.marks {
                match mark {
                    Mark::Note { text, .. } => texts.push(text),
                    Mark::Cells(cells) => {
                        texts.extend(cells.iter_mut().flat_map(|it| it.forms.as_flattened_mut()))
                    }
                    _ => (),
                }
            }
        }
        texts
    }

    /// Returns the chart for bitmaps, with characters of the program's own font only: names with replacements are
    /// replaced, and one sign replaces other characters.
    fn in_own_letters(&self, names: &[(&str, String)]) -> Chart {
        let mut chart = self.clone();
        for text in chart.texts_mut().into_iter().filter(|text| !undrawn(text).is_empty()) {
            for (name, other) in names {
                *text = text.replace(&format!("{name} ({other})"), other).replace(name, other);
            }
            *text = page::drawn(&page::clean(text));
        }
        chart
    }

    /// Draws its four files: SVG and PNG, light and dark; no PNG once the program is interrupted. `names` gives names
    /// that the font of bitmaps cannot render, with their replacements.
    ///
    /// # Errors
    /// Those of the drawing library.
    pub fn files(&self, names: &[(&str, String)]) -> Result<Vec<ChartFile>, ChartError> {
        let mut files = Vec::with_capacity(4);
        let bitmap = self.in_own_letters(names);
        for (theme, after) in [(Theme::Light, ""), (Theme::Dark, "-dark")] {
            let name = |kind: &str| format!("{}{after}.{kind}", self.name);
            files.push(ChartFile { name: name("svg"), bytes: self.svg(theme)?.into_bytes() });
            // They take most of the time of a report, and after an interruption the user is waiting.
            if !interrupt::requested() {
                files.push(ChartFile { name: name("png"), bytes: bitmap.png(theme)? });
            }
        }
        Ok(files)
    }
}

/// Joins two names of a row, cut to fit.
pub(crate) fn pair(first: &str, second: &str) -> String {
    page::pair(first, second, TEXT, f64::from(NAMES))
}
