//! Simple shapes in pixels, and the sizes that all charts share.

use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBColor, ShapeStyle, TextStyle};

use super::canvas::{ChartError, Page};
use super::text::{self, SIZE_PER_EM};

/// Em of titles, texts and tick labels, pixels.
pub(super) const TITLE: f64 = 36.0;
pub(super) const TEXT: f64 = 26.0;
/// Space around everything, and height of a line of text.
pub(super) const MARGIN: i32 = 32;
pub(super) const LINE: i32 = 42;

pub(super) type Point = (i32, i32);
pub(super) type Done = Result<(), ChartError>;

fn stroke(colour: RGBColor, width: u32) -> ShapeStyle {
    ShapeStyle { color: colour.to_rgba(), filled: false, stroke_width: width }
}

fn style(colour: RGBColor, em: f64, h: HPos, v: VPos) -> TextStyle<'static> {
    let font = FontDesc::new(FontFamily::SansSerif, em * SIZE_PER_EM, FontStyle::Normal);
    font.color(&colour).pos(Pos::new(h, v))
}

impl Page<'_, '_> {
    /// Text whose vertical middle is at `at`.
    pub fn text(&self, text: &str, at: Point, em: f64, colour: RGBColor, h: HPos) -> Done {
        Ok(self.area.draw(&Text::new(text, at, style(colour, em, h, VPos::Center)))?)
    }

    /// Text on a piece of blank paper, so that lines behind it do not cross it.
    pub fn boxed(&self, text: &str, at: Point, colour: RGBColor, h: HPos) -> Done {
        let width = text::width(text, TEXT).ceil() as i32 + 6;
        let (left, right) = match h {
            HPos::Right => (at.0 - width, at.0 + 4),
            HPos::Center => (at.0 - width / 2, at.0 + width / 2),
            HPos::Left => (at.0 - 4, at.0 + width),
        };
        self.fill([(left, at.1 - LINE / 2 + 2), (right, at.1 + LINE / 2 - 2)], self.palette.paper, 1.0)?;
        self.text(text, at, TEXT, colour, h)
    }

    pub fn line(&self, points: Vec<Point>, colour: RGBColor, width: u32) -> Done {
        Ok(self.area.draw(&PathElement::new(points, stroke(colour, width)))?)
    }

    /// A broken line.
    pub fn broken(&self, points: &[Point], colour: RGBColor, width: u32) -> Done {
        const STEP: f64 = 18.0;
        const DRAWN: f64 = 11.0;
        for pair in points.windows(2) {
            let [(x0, y0), (x1, y1)] = [pair[0], pair[1]].map(|(x, y)| (f64::from(x), f64::from(y)));
            let length = (x1 - x0).hypot(y1 - y0);
            let at = |d: f64| {
                let share = (d / length).min(1.0);
                ((x0 + (x1 - x0) * share).round() as i32, (y0 + (y1 - y0) * share).round() as i32)
            };
            let mut d = 0.0;
            while d < length {
                self.line(vec![at(d), at(d + DRAWN)], colour, width)?;
                d += STEP;
            }
        }
        Ok(())
    }

    pub fn fill(&self, corners: [Point; 2], colour: RGBColor, alpha: f64) -> Done {
        Ok(self.area.draw(&Rectangle::new(corners, colour.mix(alpha).filled()))?)
    }

    /// The space between two lines over the same places.
    pub fn band(&self, upper: &[Point], lower: &[Point], colour: RGBColor, alpha: f64) -> Done {
        let outline: Vec<Point> = upper.iter().chain(lower.iter().rev()).copied().collect();
        Ok(self.area.draw(&Polygon::new(outline, colour.mix(alpha)))?)
    }

    pub fn dot(&self, at: Point, radius: u32, colour: RGBColor) -> Done {
        Ok(self.area.draw(&Circle::new(at, radius, colour.filled()))?)
    }
}
