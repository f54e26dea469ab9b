//! Page of a chart: a drawing area of plotters, in the colours of a theme.

use std::error::Error;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{DashedPathElement, PathElement, Rectangle};
use plotters::prelude::{Color, DrawingBackend, RGBColor, ShapeStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub(super) use super::text::TEXT;
use super::text::{self, clean};
use super::theme::{Role, Theme};

/// Pixels per unit of a page, in every picture: sharp on high-resolution screens, and half units in SVG.
pub(super) const SCALE: u32 = 2;
/// Width of every chart in pixels: 800 units.
pub(super) const WIDTH: i32 = 800 * SCALE as i32;
/// Em of titles, pixels.
pub(super) const TITLE: f64 = 36.0;
/// Space around everything, and height of a line of text.
pub(super) const MARGIN: i32 = 32;
pub(super) const LINE: i32 = 42;
pub(super) type Point = (i32, i32);
pub(super) type Done = Result<(), ChartError>;

/// A chart that could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a chart could not be drawn: {0}")]
pub struct ChartError(pub(super) String);

impl<E: Error + Send + Sync> From<DrawingAreaErrorKind<E>> for ChartError {
    fn from(error: DrawingAreaErrorKind<E>) -> ChartError {
        ChartError(error.to_string())
    }
}

pub(super) struct Page<DB: DrawingBackend> {
    pub area: DrawingArea<DB, Shift>,
    theme: Theme,
}

impl<DB: DrawingBackend> Page<DB> {
    /// Creates a blank page on a whole surface.
    pub fn new(surface: DB, theme: Theme) -> Result<Page<DB>, ChartError> {
        let page = Page { area: surface.into_drawing_area(), theme };
        page.area.fill(&page.colour(Role::Paper))?;
        Ok(page)
    }

    pub fn colour(&self, role: Role) -> RGBColor {
        role.colour(self.theme)
    }

    pub fn stroke(&self, role: Role, width: u32) -> ShapeStyle {
        self.colour(role).stroke_width(width)
    }

    pub fn shade(&self, role: Role, shade: f64) -> ShapeStyle {
        self.colour(role).mix(shade).filled()
    }

    /// Draws text whose vertical middle is at `at`.
    pub fn text(&self, words: &str, at: Point, em: f64, role: Role, h: HPos) -> Done {
        if words.is_empty() {
            return Ok(());
        }
        let style = text::font(em).color(&self.colour(role)).pos(Pos::new(h, VPos::Center));
        Ok(self.area.draw_text(&clean(words), &style, at)?)
    }

    /// Draws text, made smaller or with names cut if it is wider than `room`: see [`text::fit`].
    pub fn fitted(&self, words: &str, at: Point, room: i32, role: Role, h: HPos) -> Done {
        let (words, em) = text::fit(words, TEXT, f64::from(room));
        self.text(&words, at, em, role, h)
    }

    /// Draws text on a blank background, so that lines behind it do not cross it.
    pub fn boxed(&self, words: &str, (x, y): Point, em: f64, role: Role, h: HPos) -> Done {
        let (wide, half) = (text::width(words, em).ceil() as i32 + 6, LINE / 2 - 2);
        let (left, right) = if let HPos::Right = h { (x - wide, x + 4) } else { (x - 4, x + wide) };
        self.fill([(left, y - half), (right, y + half)], Role::Paper, 1.0)?;
        self.text(words, (x, y), em, role, h)
    }

    pub fn line(&self, points: &[Point], role: Role, width: u32) -> Done {
        Ok(self.area.draw(&PathElement::new(points, self.stroke(role, width)))?)
    }

    pub fn broken(&self, points: &[Point], role: Role, width: u32) -> Done {
        let points = points.iter().copied();
        Ok(self.area.draw(&DashedPathElement::new(points, 11, 7, self.stroke(role, width)))?)
    }

    /// Draws a rectangle from its upper left corner to its lower right one.
    pub fn fill(&self, corners: [Point; 2], role: Role, shade: f64) -> Done {
        Ok(self.area.draw(&Rectangle::new(corners, self.shade(role, shade)))?)
    }
}
