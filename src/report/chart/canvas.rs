//! What charts are drawn on: one backend for both kinds of picture, and the bytes that come of it.

use std::fmt;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::prelude::{BitMapBackend, SVGBackend};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

use super::text::{self, SIZE_PER_EM};
use super::theme::{Palette, Theme, hex};

/// Pixels of every picture for one unit of a page: sharp on fine screens, and half units in SVG.
const SCALE: u32 = 2;
/// Width of every chart in pixels: 800 units.
pub(super) const WIDTH: u32 = 800 * SCALE;

/// A chart that could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartError(String);

impl fmt::Display for ChartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a chart could not be drawn: {}", self.0)
    }
}

impl std::error::Error for ChartError {}

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for ChartError {
    fn from(error: DrawingAreaErrorKind<E>) -> ChartError {
        ChartError(error.to_string())
    }
}

/// A picture in the making.
pub(super) enum Sheet<'a> {
    Svg(SVGBackend<'a>),
    Png(BitMapBackend<'a>),
}

/// The drawing area of a whole chart.
pub(super) type Area<'a> = DrawingArea<Sheet<'a>, Shift>;
type Drawn = Result<(), DrawingErrorKind<ChartError>>;

fn own<E: std::error::Error + Send + Sync>(done: Result<(), DrawingErrorKind<E>>) -> Drawn {
    done.map_err(|e| DrawingErrorKind::DrawingError(ChartError(e.to_string())))
}

/// Calls the same method of whichever backend there is.
macro_rules! either {
    ($sheet:expr, $backend:ident => $call:expr) => {
        match $sheet {
            Sheet::Svg($backend) => own($call),
            Sheet::Png($backend) => own($call),
        }
    };
}

impl DrawingBackend for Sheet<'_> {
    type ErrorType = ChartError;

    fn get_size(&self) -> (u32, u32) {
        match self {
            Sheet::Svg(b) => b.get_size(),
            Sheet::Png(b) => b.get_size(),
        }
    }

    fn ensure_prepared(&mut self) -> Drawn {
        either!(self, b => b.ensure_prepared())
    }

    fn present(&mut self) -> Drawn {
        either!(self, b => b.present())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn {
        either!(self, b => b.draw_pixel(point, color))
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        either!(self, b => b.draw_line(from, to, style))
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        either!(self, b => b.draw_rect(upper_left, bottom_right, style, fill))
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        either!(self, b => b.draw_path(path, style))
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        either!(self, b => b.draw_circle(center, radius, style, fill))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        vert: I,
        style: &S,
    ) -> Drawn {
        either!(self, b => b.fill_polygon(vert, style))
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, pos: BackendCoord) -> Drawn {
        let text = &text::clean(text);
        match self {
            Sheet::Svg(b) => own(b.draw_text(text, style, pos)),
            // plotters' own glyphs lose their side bearings and need a font of the system.
            Sheet::Png(b) => {
                let (w, h) = b.get_size();
                let color = style.color();
                let turn = style.transform();
                own(text::draw(text, style.size() / SIZE_PER_EM, style.anchor(), |x, y, coverage| {
                    let (dx, dy) = turn.transform(x, y);
                    let (x, y) = (pos.0 + dx, pos.1 + dy);
                    if x < 0 || y < 0 || x >= w as i32 || y >= h as i32 {
                        return Ok(());
                    }
                    b.draw_pixel((x, y), BackendColor { alpha: color.alpha * coverage, rgb: color.rgb })
                }))
            }
        }
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<ChartError>> {
        let em = style.size() / SIZE_PER_EM;
        Ok((text::width(text, em).ceil() as u32, em.ceil() as u32))
    }
}

/// A page being drawn on and the colours to use.
pub(super) struct Page<'p, 'a> {
    pub area: &'p Area<'a>,
    pub palette: &'p Palette,
}

/// What draws a chart on a page.
pub(super) type Draw<'d> = &'d dyn Fn(&Page<'_, '_>) -> Result<(), ChartError>;

fn paint(sheet: Sheet<'_>, theme: Theme, draw: Draw<'_>) -> Result<(), ChartError> {
    let area = sheet.into_drawing_area();
    let palette = theme.palette();
    area.fill(&palette.paper)?;
    draw(&Page { area: &area, palette })?;
    area.present()?;
    Ok(())
}

/// The chart as an SVG document for one theme. `title` and `about` are for readers who hear it.
pub(super) fn svg(
    height: u32,
    theme: Theme,
    title: &str,
    about: &str,
    draw: Draw<'_>,
) -> Result<String, ChartError> {
    let size = format!(r#" width="{}" height="{}""#, WIDTH / SCALE, height / SCALE);
    document(height, theme, title, about, &size, draw)
}

/// The chart as an SVG element for an HTML page, whose CSS properties give the colours.
pub(super) fn inline_svg(
    height: u32,
    title: &str,
    about: &str,
    draw: Draw<'_>,
) -> Result<String, ChartError> {
    let mut svg = document(height, Theme::Light, title, about, r#" class="chart""#, draw)?;
    // Quotes in texts are escaped, so what is replaced can only be a whole attribute.
    for (name, colour) in Theme::Light.palette().named() {
        let colour = hex(colour);
        svg = svg.replace(&format!("\"{colour}\""), &format!("\"var({name}, {colour})\""));
    }
    Ok(svg)
}

fn document(
    height: u32,
    theme: Theme,
    title: &str,
    about: &str,
    attributes: &str,
    draw: Draw<'_>,
) -> Result<String, ChartError> {
    let mut raw = String::new();
    paint(Sheet::Svg(SVGBackend::with_string(&mut raw, (WIDTH, height))), theme, draw)?;
    let body = raw.split_once('>').map_or("", |(_, body)| body);
    let (title, about) = (escape(title), escape(about));
    let body = body
        .replace(r#" font-family="sans-serif""#, "")
        .replace(r#" opacity="1""#, "")
        .replace("\n</text>", "</text>");
    Ok(format!(
        concat!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}"{attributes} role="img" "#,
            r#"aria-label="{title}" "#,
            r#"font-family="system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif">"#,
            "\n<title>{title}</title>\n<desc>{about}</desc>{body}"
        ),
        w = WIDTH,
        h = height,
        attributes = attributes,
        title = title,
        about = about,
        body = body
    ))
}

fn escape(text: &str) -> String {
    text::clean(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The chart as a PNG file.
pub(super) fn png(height: u32, theme: Theme, draw: Draw<'_>) -> Result<Vec<u8>, ChartError> {
    let mut pixels = vec![0; (WIDTH * height * 3) as usize];
    paint(Sheet::Png(BitMapBackend::with_buffer(&mut pixels, (WIDTH, height))), theme, draw)?;
    let mut bytes = Vec::new();
    let fault = |e: png::EncodingError| ChartError(e.to_string());
    let mut encoder = png::Encoder::new(&mut bytes, WIDTH, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // 144 dots an inch: shown at 800 units wide by programs that look.
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: 5669, yppu: 5669, unit: png::Unit::Meter }));
    let mut writer = encoder.write_header().map_err(fault)?;
    writer.write_image_data(&pixels).map_err(fault)?;
    writer.finish().map_err(fault)?;
    Ok(bytes)
}
