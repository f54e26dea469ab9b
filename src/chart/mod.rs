//! Charts are data. A chart is a value that says what is measured along its axes, which marks show the data, and what was
//! found; every experiment makes its own from its results. One function draws any chart, as SVG and PNG, in light and dark:
//! it knows no experiment. Places are in the units of the axes, colours are roles, and where texts go, how often ticks are
//! named and what is left out for want of room is decided in drawing.
//!
//! A new chart is a function of an experiment that returns a [`Chart`], and its name in the document of that experiment.

mod axis;
mod layout;
mod marks;
mod output;
mod page;
mod plot;
mod shades;
#[cfg(test)]
mod tests;
mod text;
mod theme;

pub(crate) use axis::{Axis, both_sides, both_sides_of_edges, padded, span, up_to_whole};
pub(crate) use marks::{Bar, Cell, Key, Mark, Marker, Row, Stand, WHOLE, scaled};
pub use page::ChartError;
pub(crate) use shades::Shades;
pub use theme::Theme;
pub(crate) use theme::{Hues, Role, css};

use crate::interrupt;
use crate::text::undrawn;
use layout::Layout;
use text::TEXT;

/// Height of a plot, and of a row, in pixels: two to a unit of a page.
const PLOT: i32 = 620;
const ROW: i32 = 54;
/// Room for the name of a row.
const NAMES: i32 = 560;

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
#[derive(Clone, Debug, Default)]
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
        Chart { panels: vec![Panel { x, y, marks, ..Panel::default() }], height: PLOT, ..Chart::default() }
    }

    /// A chart of estimates under each other. Marks in `behind` lie under the estimates; the i-th row is between `i` and
    /// `i + 1` of the y axis.
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

    /// Every text of it that may hold a name.
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

    /// The chart as bitmaps show it, in letters of the program's own font: by another name goes what is called by such a name,
    /// and one sign stands for other letters.
    fn in_own_letters(&self, names: &[(&str, String)]) -> Chart {
        let mut chart = self.clone();
        for text in chart.texts_mut().into_iter().filter(|text| !undrawn(text).is_empty()) {
            for (name, other) in names {
                *text = text.replace(&format!("{name} ({other})"), other).replace(name, other);
            }
            *text = text::drawn(&text::clean(text));
        }
        chart
    }

    /// Its four files: SVG and PNG, light and dark; no PNG once the program was asked to stop. Names that the font of bitmaps
    /// cannot write are given with those that they go by there.
    ///
    /// # Errors
    /// What the drawing library says, of a picture it cannot draw.
    pub fn files(&self, names: &[(&str, String)]) -> Result<Vec<ChartFile>, ChartError> {
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
    text::pair(first, second, TEXT, f64::from(NAMES))
}
