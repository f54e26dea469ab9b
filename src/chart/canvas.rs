//! What charts are drawn on: simple shapes in pixels, written as SVG or painted into a bitmap.

use std::cell::RefCell;
use std::fmt::{self, Write};

use plotters_backend::text_anchor::HPos;
use plotters_backend::{BackendColor, BackendStyle, DrawingBackend, DrawingErrorKind};
use plotters_bitmap::BitMapBackend;

use super::marks::Role;
pub(super) use super::text::TEXT;
use super::text::{self, escape};
use super::theme::{Theme, hex};

/// Pixels of every picture for one unit of a page: sharp on fine screens, and half units in SVG.
const SCALE: u32 = 2;
/// Width of every chart in pixels: 800 units.
pub(super) const WIDTH: i32 = 800 * SCALE as i32;
/// Em of titles, texts and tick labels, pixels.
pub(super) const TITLE: f64 = 36.0;
/// Space around everything, and height of a line of text.
pub(super) const MARGIN: i32 = 32;
pub(super) const LINE: i32 = 42;

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

impl std::error::Error for ChartError {}

impl<E: std::error::Error + Send + Sync> From<DrawingErrorKind<E>> for ChartError {
    fn from(error: DrawingErrorKind<E>) -> ChartError {
        ChartError(error.to_string())
    }
}

enum Surface<'p> {
    Svg(String),
    Bitmap(BitMapBackend<'p>),
}

/// How the shapes of an SVG name their colours.
#[derive(Clone, Copy)]
enum Colours {
    Of(Theme),
    /// As CSS properties of the page around it; without those as in the light theme.
    Css,
}

/// A picture in the making.
pub(super) struct Page<'p> {
    surface: RefCell<Surface<'p>>,
    colours: Colours,
}

/// How a bitmap paints a shape.
struct Style(BackendColor, u32);

impl BackendStyle for Style {
    fn color(&self) -> BackendColor {
        self.0
    }

    fn stroke_width(&self) -> u32 {
        self.1
    }
}

impl Page<'_> {
    /// The colour as SVG writes it.
    fn name(&self, role: Role) -> String {
        match self.colours {
            Colours::Of(theme) => hex(role.rgb(theme)),
            Colours::Css => format!("var({}, {})", role.property(), hex(role.rgb(Theme::Light))),
        }
    }

    fn style(&self, role: Role, alpha: f64, width: u32) -> Style {
        let theme = if let Colours::Of(theme) = self.colours { theme } else { Theme::Light };
        Style(BackendColor { alpha, rgb: role.rgb(theme) }, width)
    }

    /// Draws a shape: as an SVG element from its attributes, or by painting.
    fn shape(
        &self,
        element: fmt::Arguments<'_>,
        paint: impl FnOnce(&mut BitMapBackend<'_>) -> Result<(), ChartError>,
    ) -> Done {
        match &mut *self.surface.borrow_mut() {
            Surface::Svg(svg) => writeln!(svg, "<{element}/>").map_err(|e| ChartError(e.to_string())),
            Surface::Bitmap(bitmap) => paint(bitmap),
        }
    }

    /// Text whose vertical middle is at `at`.
    pub fn text(&self, words: &str, at: Point, em: f64, role: Role, h: HPos) -> Done {
        let words = text::clean(words);
        match &mut *self.surface.borrow_mut() {
            Surface::Svg(svg) => {
                let anchor = match h {
                    HPos::Left => "",
                    HPos::Center => r#" text-anchor="middle""#,
                    HPos::Right => r#" text-anchor="end""#,
                };
                writeln!(
                    svg,
                    r#"<text x="{}" y="{}" dy="0.5ex"{anchor} font-size="{em}" fill="{}">{}</text>"#,
                    at.0,
                    at.1,
                    self.name(role),
                    escape(&words)
                )
                .map_err(|e| ChartError(e.to_string()))
            }
            // The font of the program: plotters' own glyphs need one of the system.
            Surface::Bitmap(bitmap) => {
                let (w, h_of) = bitmap.get_size();
                let ink = self.style(role, 1.0, 1).0;
                text::draw(&words, em, h, |x, y, coverage| {
                    let (x, y) = (at.0 + x, at.1 + y);
                    if x < 0 || y < 0 || x >= w as i32 || y >= h_of as i32 {
                        return Ok(());
                    }
                    Ok(bitmap.draw_pixel((x, y), BackendColor { alpha: coverage, ..ink })?)
                })
            }
        }
    }

    /// Text that is drawn smaller, or in which names are cut, where it is wider than `room`: see [`text::fit`].
    pub fn fitted(&self, words: &str, at: Point, room: i32, role: Role, h: HPos) -> Done {
        let (words, em) = text::fit(words, TEXT, f64::from(room));
        self.text(&words, at, em, role, h)
    }

    /// Text on a piece of blank paper, so that lines behind it do not cross it.
    pub fn boxed(&self, words: &str, at: Point, em: f64, role: Role, h: HPos) -> Done {
        let width = text::width(words, em).ceil() as i32 + 6;
        let left = match h {
            HPos::Right => at.0 - width,
            HPos::Center => at.0 - width / 2,
            HPos::Left => at.0 - 4,
        };
        let half = LINE / 2 - 2;
        self.fill([(left, at.1 - half), (left + width + 4, at.1 + half)], Role::Paper, 1.0)?;
        self.text(words, at, em, role, h)
    }

    pub fn line(&self, points: &[Point], role: Role, width: u32) -> Done {
        let (colour, style) = (self.name(role), self.style(role, 1.0, width));
        let list = list(points);
        self.shape(
            format_args!(r#"polyline fill="none" stroke="{colour}" stroke-width="{width}" points="{list}""#),
            |bitmap| Ok(bitmap.draw_path(points.iter().copied(), &style)?),
        )
    }

    /// A broken line.
    pub fn broken(&self, points: &[Point], role: Role, width: u32) -> Done {
        const STEP: f64 = 18.0;
        const DRAWN: f64 = 11.0;
        for pair in points.windows(2) {
            let [(x0, y0), (x1, y1)] = [pair[0], pair[1]].map(|(x, y)| (f64::from(x), f64::from(y)));
            let length = (x1 - x0).hypot(y1 - y0);
            let at = |d: f64| {
                let share = (d / length).min(1.0);
                ((x0 + (x1 - x0) * share).round() as i32, (y0 + (y1 - y0) * share).round() as i32)
            };
            for step in 0..(length / STEP).ceil() as i32 {
                let from = f64::from(step) * STEP;
                self.line(&[at(from), at(from + DRAWN)], role, width)?;
            }
        }
        Ok(())
    }

    /// A rectangle from its upper left corner to its lower right one.
    pub fn fill(&self, [from, to]: [Point; 2], role: Role, alpha: f64) -> Done {
        let (colour, style) = (self.name(role), self.style(role, alpha, 1));
        let (x, y, wide, high) = (from.0, from.1, (to.0 - from.0).max(0), (to.1 - from.1).max(0));
        let opacity = opacity(alpha);
        self.shape(
            format_args!(r#"rect x="{x}" y="{y}" width="{wide}" height="{high}"{opacity} fill="{colour}""#),
            |bitmap| Ok(bitmap.draw_rect(from, to, &style, true)?),
        )
    }

    /// The space between two lines over the same places.
    pub fn band(&self, upper: &[Point], lower: &[Point], role: Role, alpha: f64) -> Done {
        let outline: Vec<Point> = upper.iter().chain(lower.iter().rev()).copied().collect();
        let (colour, style) = (self.name(role), self.style(role, alpha, 1));
        let (list, opacity) = (list(&outline), opacity(alpha));
        self.shape(format_args!(r#"polygon{opacity} fill="{colour}" points="{list}""#), |bitmap| {
            Ok(bitmap.fill_polygon(outline, &style)?)
        })
    }

    pub fn dot(&self, at: Point, radius: u32, role: Role) -> Done {
        let (colour, style) = (self.name(role), self.style(role, 1.0, 1));
        self.shape(
            format_args!(r#"circle cx="{}" cy="{}" r="{radius}" fill="{colour}""#, at.0, at.1),
            |bitmap| Ok(bitmap.draw_circle(at, radius, &style, true)?),
        )
    }
}

fn list(points: &[Point]) -> String {
    points.iter().map(|(x, y)| format!("{x},{y} ")).collect()
}

fn opacity(alpha: f64) -> String {
    if alpha < 1.0 { format!(r#" opacity="{alpha}""#) } else { String::new() }
}

/// What draws a chart on a page.
pub(super) type Draw<'d> = &'d dyn Fn(&Page<'_>) -> Done;

/// The chart as an SVG document for one theme, or as an element of a page whose CSS properties give the colours. The title
/// and what it is about are for readers who hear it.
pub(super) fn svg(
    height: i32,
    theme: Option<Theme>,
    [title, about]: [&str; 2],
    draw: Draw<'_>,
) -> Result<String, ChartError> {
    let colours = theme.map_or(Colours::Css, Colours::Of);
    let page = Page { surface: RefCell::new(Surface::Svg(String::new())), colours };
    page.fill([(0, 0), (WIDTH, height)], Role::Paper, 1.0)?;
    draw(&page)?;
    let Surface::Svg(body) = page.surface.into_inner() else { return Ok(String::new()) };
    let scale = SCALE as i32;
    let size = match theme {
        Some(_) => format!(r#" width="{}" height="{}""#, WIDTH / scale, height / scale),
        None => r#" class="chart""#.into(),
    };
    let (title, about) = (escape(&text::clean(title)), escape(&text::clean(about)));
    Ok(format!(
        concat!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}"{size} role="img" "#,
            r#"aria-label="{title}" "#,
            r#"font-family="system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif">"#,
            "\n<title>{title}</title>\n<desc>{about}</desc>\n{body}</svg>\n"
        ),
        w = WIDTH,
        h = height,
        size = size,
        title = title,
        about = about,
        body = body
    ))
}

/// The chart as a PNG file.
pub(super) fn png(height: i32, theme: Theme, draw: Draw<'_>) -> Result<Vec<u8>, ChartError> {
    let size = (WIDTH as u32, height.max(1) as u32);
    let mut pixels = vec![0; (size.0 * size.1 * 3) as usize];
    let surface = RefCell::new(Surface::Bitmap(BitMapBackend::with_buffer(&mut pixels, size)));
    let page = Page { surface, colours: Colours::Of(theme) };
    page.fill([(0, 0), (WIDTH, height)], Role::Paper, 1.0)?;
    draw(&page)?;
    drop(page);
    let mut bytes = Vec::new();
    let fault = |e: png::EncodingError| ChartError(e.to_string());
    let mut encoder = png::Encoder::new(&mut bytes, size.0, size.1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // 144 dots an inch: shown at 800 units wide by programs that look.
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: 5669, yppu: 5669, unit: png::Unit::Meter }));
    let mut writer = encoder.write_header().map_err(fault)?;
    writer.write_image_data(&pixels).map_err(fault)?;
    writer.finish().map_err(fault)?;
    Ok(bytes)
}
