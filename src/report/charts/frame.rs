//! What all charts share: headings, keys, axes, marked values, and simple shapes in pixels.

use plotters::chart::ChartBuilder;
use plotters::style::RGBColor;
use plotters::style::text_anchor::{HPos, VPos};

use super::axis::{Axis, place};
use super::canvas::{ChartError, Page, WIDTH};
use super::text;
pub(super) use crate::report::chart::page::{Done, LINE, MARGIN, TEXT};
use crate::report::chart::page::{Point, TITLE, stroke, style};

/// Between a marked line and its label.
const GAP: i32 = 14;

impl Page<'_, '_> {
    /// A broken vertical line.
    pub fn dashes(&self, x: i32, top: i32, bottom: i32, colour: RGBColor) -> Done {
        for y in (top..bottom).step_by(18) {
            self.line(vec![(x, y), (x, (y + 11).min(bottom))], colour, 3)?;
        }
        Ok(())
    }

    /// Title and subtitle; returns where the next line's middle is.
    pub fn heading(&self, title: &str, subtitle: &str) -> Result<i32, ChartError> {
        let room = f64::from(WIDTH as i32 - 2 * MARGIN);
        self.text(&text::elide(title, TITLE, room), (MARGIN, 44), TITLE, self.palette.ink, HPos::Left)?;
        self.text(&text::elide(subtitle, TEXT, room), (MARGIN, 96), TEXT, self.palette.muted, HPos::Left)?;
        Ok(96 + LINE + 6)
    }

    /// A line of keys that say what marks mean.
    pub fn keys(&self, keys: &[Key<'_>], y: i32) -> Done {
        let mut x = MARGIN;
        for key in keys {
            match key.mark {
                Mark::Area(alpha) => self.fill([(x, y - 12), (x + 36, y + 12)], key.colour, alpha)?,
                Mark::Line => self.line(vec![(x, y), (x + 36, y)], key.colour, 5)?,
            }
            self.text(key.text, (x + 50, y), TEXT, self.palette.ink, HPos::Left)?;
            x += 50 + text::width(&text::clean(key.text), TEXT) as i32 + 44;
        }
        Ok(())
    }
}

/// How a key shows its colour.
pub(super) enum Mark {
    /// An area of this opacity.
    Area(f64),
    Line,
}

/// One entry of a line of keys.
pub(super) struct Key<'t> {
    pub mark: Mark,
    pub colour: RGBColor,
    pub text: &'t str,
}

/// A value of the x axis that is marked with a line and named above the plot.
pub(super) struct Marker {
    pub at: f64,
    pub label: String,
    pub colour: RGBColor,
}

/// Everything around the data of a chart.
pub(super) struct Frame<'t> {
    pub height: u32,
    pub title: &'t str,
    pub subtitle: &'t str,
    pub keys: &'t [Key<'t>],
    /// Each gets a line of its own above the plot, so that labels never meet.
    pub markers: &'t [Marker],
    pub x: Axis,
    pub y: Axis,
    /// Pixels kept free for rows' names and values.
    pub side: Option<(i32, i32)>,
}

/// Where the data goes: a rectangle in pixels and the ranges it shows.
pub(super) struct Plot {
    pub left: i32,
    pub right: i32,
    pub top: i32,
    pub bottom: i32,
    x: (f64, f64),
    y: (f64, f64),
}

impl Plot {
    /// Pixel of a value, kept inside the plot.
    pub fn x(&self, value: f64) -> i32 {
        place(value, self.x, self.left, self.right)
    }

    /// Pixel of a value, kept inside the plot.
    pub fn y(&self, value: f64) -> i32 {
        place(value, self.y, self.bottom, self.top)
    }

    pub fn at(&self, x: f64, y: f64) -> Point {
        (self.x(x), self.y(y))
    }
}

impl Frame<'_> {
    /// Draws all but the data; says where the data goes.
    pub fn draw(&self, page: &Page<'_, '_>) -> Result<Plot, ChartError> {
        let palette = page.palette;
        let mut y = page.heading(self.title, self.subtitle)?;
        if !self.keys.is_empty() {
            page.keys(self.keys, y)?;
            y += LINE + 4;
        }
        let markers_top = y;
        y += LINE * self.markers.len() as i32;
        let title_line = y;
        if !self.y.title.is_empty() {
            y += LINE;
        }
        let widest = self.y.labels().map(|label| text::width(&short(&label), TEXT)).fold(0.0, f64::max);
        // The last name of the x axis may reach as far beyond the plot as half its width.
        let last = self.x.labels().last().map_or(0.0, |label| text::width(&label, TEXT) / 2.0);
        let sides = (MARGIN + widest.ceil() as i32 + 24, MARGIN + (last.ceil() as i32).max(30));
        let (left, right) = self.side.unwrap_or(sides);
        let plot = Plot {
            left,
            right: WIDTH as i32 - right,
            top: y - LINE / 2 + 6,
            bottom: self.height as i32 - 110,
            x: self.x.range,
            y: self.y.range,
        };
        self.axes(page, &plot)?;
        self.mark(page, &plot, markers_top)?;
        if !self.y.title.is_empty() {
            let title = text::elide(&self.y.title, TEXT, f64::from(plot.right - MARGIN));
            page.boxed(&title, (MARGIN, title_line), palette.muted, HPos::Left)?;
        }
        let middle = (plot.left + plot.right) / 2;
        let title = text::elide(&self.x.title, TEXT, f64::from(plot.right - plot.left));
        page.text(&title, (middle, self.height as i32 - 34), TEXT, palette.muted, HPos::Center)?;
        Ok(plot)
    }

    fn axes(&self, page: &Page<'_, '_>, plot: &Plot) -> Done {
        let palette = page.palette;
        let mut chart = ChartBuilder::on(page.area)
            .margin_top(plot.top)
            .margin_right(WIDTH as i32 - plot.right)
            .margin_bottom(self.height as i32 - plot.bottom - 56)
            .x_label_area_size(56)
            .y_label_area_size(plot.left)
            .build_cartesian_2d(self.x.scale(), self.y.scale())?;
        let x_label = |v: &f64| short(&self.x.label(*v));
        let y_label = |v: &f64| short(&self.y.label(*v));
        let mut mesh = chart.configure_mesh();
        mesh.max_light_lines(0)
            .bold_line_style(stroke(palette.grid, 2))
            .axis_style(stroke(palette.muted, 2))
            .label_style(style(palette.ink, TEXT, HPos::Left, VPos::Top))
            .x_label_formatter(&x_label)
            .y_label_formatter(&y_label);
        if self.y.ticks.is_empty() {
            mesh.disable_y_axis();
        }
        mesh.draw()?;
        Ok(())
    }

    /// Draws the marked values. Labels stand right of their lines from left to right, then those that
    /// only have room on the left, from right to left: so none is crossed by a line that starts above it
    /// on its own side.
    fn mark(&self, page: &Page<'_, '_>, plot: &Plot, top: i32) -> Done {
        let edge = WIDTH as i32 - MARGIN;
        let mut marks: Vec<(bool, i32, String, RGBColor)> = Vec::new();
        for marker in self.markers {
            let x = plot.x(marker.at);
            let label = text::elide(&marker.label, TEXT, f64::from(edge - MARGIN));
            let flipped = x + GAP + text::width(&label, TEXT).ceil() as i32 > edge;
            marks.push((flipped, x, label, marker.colour));
        }
        marks.sort_by_key(|&(flipped, x, ..)| (flipped, if flipped { -x } else { x }));
        let line = |i: usize| top + LINE * i as i32;
        for (i, (_, x, _, colour)) in marks.iter().enumerate() {
            page.dashes(*x, line(i) - LINE / 2 + 2, plot.bottom, *colour)?;
        }
        for (i, (flipped, x, label, colour)) in marks.iter().enumerate() {
            let width = text::width(label, TEXT).ceil() as i32;
            if !flipped {
                page.boxed(label, (x + GAP, line(i)), *colour, HPos::Left)?;
            } else if x - GAP - width >= MARGIN {
                page.boxed(label, (x - GAP, line(i)), *colour, HPos::Right)?;
            } else {
                page.boxed(label, (edge, line(i)), *colour, HPos::Right)?;
            }
        }
        Ok(())
    }
}

/// A tick's label, cut where a ruleset calls its money by a whole sentence.
fn short(label: &str) -> String {
    text::elide(label, TEXT, 300.0)
}
