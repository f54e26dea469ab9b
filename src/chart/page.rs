//! The page of a chart: a drawing area of plotters, in the colours of a theme, and the files made of it.

use std::error::Error;
use std::fmt;

use maud::{PreEscaped, html};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{DashedPathElement, PathElement, Rectangle};
use plotters::prelude::{BitMapBackend, Color, DrawingBackend, RGBColor, SVGBackend, ShapeStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::Chart;
use super::layout::Layout;
pub(super) use super::text::TEXT;
use super::text::{self, clean};
use super::theme::{self, Role, Theme};

/// Pixels of every picture for one unit of a page: sharp on fine screens, and half units in SVG.
const SCALE: u32 = 2;
/// Width of every chart in pixels: 800 units.
pub(super) const WIDTH: i32 = 800 * SCALE as i32;
/// Em of titles, pixels.
pub(super) const TITLE: f64 = 36.0;
/// Space around everything, and height of a line of text.
pub(super) const MARGIN: i32 = 32;
pub(super) const LINE: i32 = 42;
/// Fonts of the reader for an SVG.
const FONTS: &str = "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

pub(super) type Point = (i32, i32);
pub(super) type Done = Result<(), ChartError>;

/// A chart that could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartError(String);

impl fmt::Display for ChartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a chart could not be drawn: {}", self.0)
    }
}

impl Error for ChartError {}

impl<E: Error + Send + Sync> From<DrawingAreaErrorKind<E>> for ChartError {
    fn from(error: DrawingAreaErrorKind<E>) -> ChartError {
        ChartError(error.to_string())
    }
}

/// See the module.
pub(super) struct Page<DB: DrawingBackend> {
    pub area: DrawingArea<DB, Shift>,
    theme: Theme,
}

impl<DB: DrawingBackend> Page<DB> {
    /// Draws a chart on all of a surface.
    fn draw(surface: DB, layout: &Layout<'_>, theme: Theme) -> Done {
        let page = Page { area: surface.into_drawing_area(), theme };
        page.area.fill(&page.colour(Role::Paper))?;
        layout.draw(&page)?;
        Ok(page.area.present()?)
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

    /// Text whose vertical middle is at `at`.
    pub fn text(&self, words: &str, at: Point, em: f64, role: Role, h: HPos) -> Done {
        if words.is_empty() {
            return Ok(());
        }
        let style = text::font(em).color(&self.colour(role)).pos(Pos::new(h, VPos::Center));
        Ok(self.area.draw_text(&clean(words), &style, at)?)
    }

    /// Text that is drawn smaller, or in which names are cut, where it is wider than `room`: see [`text::fit`].
    pub fn fitted(&self, words: &str, at: Point, room: i32, role: Role, h: HPos) -> Done {
        let (words, em) = text::fit(words, TEXT, f64::from(room));
        self.text(&words, at, em, role, h)
    }

    /// Text on a piece of blank paper, so that lines behind it do not cross it.
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

    /// A rectangle from its upper left corner to its lower right one.
    pub fn fill(&self, corners: [Point; 2], role: Role, shade: f64) -> Done {
        Ok(self.area.draw(&Rectangle::new(corners, self.shade(role, shade)))?)
    }
}

impl Chart {
    /// The chart as an SVG document, 800 units wide.
    ///
    /// # Errors
    /// What the drawing library says, of a picture it cannot draw.
    pub fn svg(&self, theme: Theme) -> Result<String, ChartError> {
        self.element(Some(theme))
    }

    /// The chart as an SVG element for an HTML page, in colours that the page's CSS properties `--c-paper`, `--c-ink` and so
    /// on give, or those of the light theme without them.
    ///
    /// # Errors
    /// What the drawing library says, of a picture it cannot draw.
    pub fn inline_svg(&self) -> Result<String, ChartError> {
        self.element(None)
    }

    fn element(&self, theme: Option<Theme>) -> Result<String, ChartError> {
        let layout = Layout::of(self);
        let (width, height) = (WIDTH as u32, layout.height as u32);
        let mut drawn = String::new();
        let surface = SVGBackend::with_string(&mut drawn, (width, height));
        Page::draw(surface, &layout, theme.unwrap_or(Theme::Light))?;
        // The element of plotters has its size in pixels and no words, and its shapes say what needs no saying.
        let shapes = drawn.split_once('\n').map_or("", |(_, shapes)| shapes).trim_end_matches("</svg>\n");
        let needless = [r#" opacity="1""#, r#" stroke="none""#, r#" font-family="inherit""#];
        let shapes = needless.iter().fold(shapes.to_string(), |svg, words| svg.replace(words, ""));
        let shapes = if theme.is_some() { shapes } else { theme::with_properties(shapes) };
        // Its title and caption are for readers who hear it.
        let (title, about) = (clean(&self.title), clean(&self.caption));
        let view = format!("0 0 {width} {height}");
        let [width, height] = [width, height].map(|pixels| theme.map(|_| pixels / SCALE));
        let class = theme.is_none().then_some("chart");
        let element = html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox=(view) width=[width] height=[height] class=[class] role="img"
                aria-label=(title) font-family=(FONTS) {
                title { (title) }
                desc { (about) }
                (PreEscaped(shapes))
            }
        };
        Ok(element.into_string() + "\n")
    }

    /// The chart as a PNG file, 1600 pixels wide.
    ///
    /// # Errors
    /// What the drawing library says, of a picture it cannot draw.
    pub fn png(&self, theme: Theme) -> Result<Vec<u8>, ChartError> {
        let layout = Layout::of(self);
        let (width, height) = (WIDTH as u32, layout.height as u32);
        let mut pixels = vec![0; (width * height * 3) as usize];
        Page::draw(BitMapBackend::with_buffer(&mut pixels, (width, height)), &layout, theme)?;
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        // 144 dots an inch: shown at 800 units wide by programs that look.
        encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: 5669, yppu: 5669, unit: png::Unit::Meter }));
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&pixels)?;
            writer.finish()
        });
        written.map_err(|error| ChartError(error.to_string()))?;
        Ok(bytes)
    }
}
