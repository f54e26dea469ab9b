//! Output of a chart: SVG for readers and pages, and PNG.

use maud::{PreEscaped, html};
use plotters::prelude::{BitMapBackend, DrawingBackend, SVGBackend};

use super::Chart;
use super::layout::Layout;
use super::page::{ChartError, Done, Page, SCALE, WIDTH};
use super::text::clean;
use super::theme::{self, Theme};

const FONTS: &str = "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

fn draw<DB: DrawingBackend>(surface: DB, layout: &Layout<'_>, theme: Theme) -> Done {
    let page = Page::new(surface, theme)?;
    layout.draw(&page)?;
    Ok(page.area.present()?)
}

impl Chart {
    /// Renders the chart as an SVG document, 800 units wide.
    ///
    /// # Errors
    /// Those of the drawing library.
    pub fn svg(&self, theme: Theme) -> Result<String, ChartError> {
        self.element(Some(theme))
    }

    /// Renders the chart as an SVG element for an HTML page, in the colours of the page's CSS properties `--c-paper`,
    /// `--c-ink` and so on, or by default those of the light theme.
    ///
    /// # Errors
    /// Those of the drawing library.
    pub fn inline_svg(&self) -> Result<String, ChartError> {
        self.element(None)
    }

    fn element(&self, theme: Option<Theme>) -> Result<String, ChartError> {
        let layout = Layout::of(self);
        let (width, height) = (WIDTH as u32, layout.height as u32);
        let mut drawn = String::new();
        let surface = SVGBackend::with_string(&mut drawn, (width, height));
        draw(surface, &layout, theme.unwrap_or(Theme::Light))?;
        // The element of plotters has its size in pixels and no description, and its shapes need none.
        let shapes = drawn.split_once('\n').map_or("", |(_, shapes)| shapes).trim_end_matches("</svg>\n");
        let needless = [r#" opacity="1""#, r#" stroke="none""#, r#" font-family="inherit""#];
        let shapes = needless.iter().fold(shapes.to_string(), |svg, words| svg.replace(words, ""));
        let shapes = if theme.is_some() { shapes } else { theme::with_properties(shapes) };
        // Title and caption are for screen readers.
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

    /// Renders the chart as a PNG file, 1600 pixels wide.
    ///
    /// # Errors
    /// Those of the drawing library.
    pub fn png(&self, theme: Theme) -> Result<Vec<u8>, ChartError> {
        let layout = Layout::of(self);
        let (width, height) = (WIDTH as u32, layout.height as u32);
        let mut pixels = vec![0; (width * height * 3) as usize];
        draw(BitMapBackend::with_buffer(&mut pixels, (width, height)), &layout, theme)?;
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        // 144 dots per inch: 800 units wide in programs that respect it.
        encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: 5669, yppu: 5669, unit: png::Unit::Meter }));
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&pixels)?;
            writer.finish()
        });
        written.map_err(|error| ChartError(error.to_string()))?;
        Ok(bytes)
    }
}
