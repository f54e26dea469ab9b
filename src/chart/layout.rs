//! Layout of a chart: the positions of its parts, from top to bottom, and the parts around its plots; and its output as
//! SVG for readers and pages, and as PNG.

use maud::{PreEscaped, html};
use plotters::prelude::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::style::text_anchor::HPos;

use super::page::{ChartError, Done, LINE, MARGIN, Page, Point, SCALE, TEXT, TITLE, WIDTH, clean};
use super::plot::{Columns, Frame, Plot, STRIP};
use super::theme::{self, Theme};
use super::{Cell, Chart, Key, Mark, NAMES, Panel, Role, page};

/// Height of a further line of a title, and of a subtitle.
const TITLE_LINE: i32 = 46;
const SUBTITLE_LINE: i32 = 36;
/// Pixels for the labels of the x axis, and for its title.
const LABELS: i32 = 56;
const FOOT: i32 = 54;
const GAP: i32 = 36;
/// Maximum width of a label of the y axis, and minimum width of a plot beside names and figures.
const LABEL: i32 = 300;
const LEAST: i32 = 340;
/// Width of a sample in the legend, the space before its text, and the space before the next sample.
const SAMPLE: i32 = 36;
const KEY: i32 = 50;
const NEXT_KEY: i32 = 44;
/// Maximum width of a cell of a map, and the em of the words in it.
const CELL: i32 = 260;
const WORDS: (f64, f64) = (16.0, 30.0);

/// Layout of a chart. Heights of lines of text are those of their middles.
pub(super) struct Layout<'c> {
    chart: &'c Chart,
    lines: Vec<(String, Point, f64, Role)>,
    /// Start of the sample of each key.
    keys: Vec<Point>,
    shades: i32,
    /// Height of the first marker's label.
    markers: i32,
    /// Height of the y axis's title.
    measure: i32,
    frames: Vec<Frame>,
    across: usize,
    /// The form of the words in the cells of a map and their em, if there is room for any.
    pub form: Option<(usize, f64)>,
    pub height: i32,
}

impl<'c> Layout<'c> {
    pub fn of(chart: &'c Chart) -> Layout<'c> {
        let mut lines = Vec::new();
        let mut write = |words: &str, em: f64, role: Role, first: i32, line: i32| {
            let mut y = first - line;
            for words in page::wrap(words, em, f64::from(WIDTH - 2 * MARGIN)) {
                y += line;
                lines.push((words, (MARGIN, y), em, role));
            }
            y.max(first)
        };
        let y = write(&chart.title, TITLE, Role::Ink, 44, TITLE_LINE);
        let y = write(&chart.subtitle, TEXT, Role::Muted, y + 52, SUBTITLE_LINE);
        let (keys, shades) = keys(&chart.keys, y + LINE + 6);
        let markers = shades + if chart.shades.is_some() { 2 * LINE + 8 } else { 0 };
        let measure = markers + LINE * chart.markers.len() as i32;
        let head = |it: &Panel| !it.y.title.is_empty() || it.divide.is_some() || !it.beside_title.is_empty();
        let any =
            |has: &dyn Fn(&Panel) -> bool, high: i32| if chart.panels.iter().any(has) { high } else { 0 };
        let named = any(&|panel| !panel.title.is_empty(), LINE - 2);
        // The label of a value at the very top stays clear of the line above it.
        let top = measure + any(&head, LINE) - LINE / 2 + 14 + named;
        let (left, right) = sides(chart);
        let high = chart.height.max(1);
        let (across, wide) = across(chart, WIDTH - left - right, high);
        let step = named + high + any(&|panel| !panel.x.ticks.is_empty(), LABELS) + 14;
        let frame = |i: usize| {
            let left = left + (i % across) as i32 * (wide + GAP);
            let top = top + (i / across) as i32 * step;
            Frame { left, right: left + wide, top, bottom: top + high }
        };
        let rows = chart.panels.len().div_ceil(across).max(1) as i32;
        let foot = any(&|panel| !panel.x.title.is_empty(), FOOT - 14);
        let height = top - named + rows * step + foot;
        Layout {
            chart,
            lines,
            keys,
            shades,
            markers,
            measure,
            frames: (0..chart.panels.len()).map(frame).collect(),
            across,
            form: form(chart, wide, high),
            // Whole units of a page.
            height: height + height % 2,
        }
    }

    /// Draws the chart.
    pub fn draw<DB: DrawingBackend>(&self, page: &Page<DB>) -> Done {
        let chart = self.chart;
        let marks = chart.panels.iter().flat_map(|panel| &panel.marks);
        debug_assert_eq!(chart.keys.iter().find(|key| !key.is_true(marks.clone())), None, "{}", chart.name);
        for (words, at, em, role) in &self.lines {
            page.text(words, *at, *em, *role, HPos::Left)?;
        }
        for (key, &(x, y)) in chart.keys.iter().zip(&self.keys) {
            let frame = Frame { left: x, right: x + SAMPLE, top: y - 12, bottom: y + 12 };
            Plot::new(page, frame, (0.0, 1.0), (0.0, 1.0)).mark(&key.sample)?;
            page.fitted(&key.text, (x + KEY, y), WIDTH - 2 * MARGIN - KEY, Role::Ink, HPos::Left)?;
        }
        if let Some(shades) = &chart.shades {
            shades.draw(page, self.shades + 4)?;
        }
        for (i, (panel, frame)) in chart.panels.iter().zip(&self.frames).enumerate() {
            let mut plot = Plot::new(page, *frame, panel.x.range, panel.y.range);
            plot.form = self.form;
            let markers = (i == 0).then_some((&*chart.markers, self.markers));
            plot.draw(panel, i.is_multiple_of(self.across), markers)?;
        }
        let (Some(panel), Some(first)) = (chart.panels.first(), self.frames.first()) else { return Ok(()) };
        let fitted = |title: &str| page::fit(title, TEXT, f64::from(WIDTH - 2 * MARGIN));
        let (title, em) = fitted(&panel.x.title);
        let right = self.frames.iter().map(|frame| frame.right).max().unwrap_or(first.right);
        let half = (page::width(&title, em) / 2.0).ceil() as i32 + MARGIN;
        let middle = ((first.left + right) / 2).clamp(half, (WIDTH - half).max(half));
        page.text(&title, (middle, self.height - 34), em, Role::Muted, HPos::Center)?;
        // Drawn over the lines of markers.
        let (title, em) = fitted(&panel.y.title);
        page.boxed(&title, (MARGIN, self.measure), em, Role::Muted, HPos::Left)
    }
}

/// Returns the positions of the keys, in lines starting at a height, and the height below them.
fn keys(keys: &[Key], mut y: i32) -> (Vec<Point>, i32) {
    let mut places = Vec::new();
    let mut x = MARGIN;
    for key in keys {
        let wide = KEY + page::widest([&*key.text]);
        if x > MARGIN && x + wide > WIDTH - MARGIN {
            (x, y) = (MARGIN, y + LINE + 4);
        }
        places.push((x, y));
        x += wide + NEXT_KEY;
    }
    (places, if keys.is_empty() { y } else { y + LINE + 4 })
}

/// Returns the pixels kept free left and right of the plots.
fn sides(chart: &Chart) -> (i32, i32) {
    let Some(panel) = chart.panels.first() else { return (MARGIN, MARGIN) };
    let names = page::widest(panel.y.ticks.iter().map(|tick| &*tick.name));
    // The last label of the x axis may extend beyond the plot by half its width.
    let last = panel.x.ticks.last().filter(|_| !panel.x.names);
    let last = MARGIN + (page::widest(last.map(|tick| &*tick.name)) / 2).clamp(8, 150);
    if !panel.y.names {
        let ends = page::widest(panel.beside.iter().map(|it| &*it.text));
        let ends = if ends > 0 { (MARGIN + ends + 24).min(WIDTH / 3) } else { 0 };
        return (MARGIN + names.min(LABEL) + 24, last.max(ends));
    }
    let columns = Columns::of(panel);
    let figures = columns.width();
    let left = MARGIN + names.min(NAMES.min(WIDTH - 2 * MARGIN - figures - LEAST).max(160)) + 30;
    let strip = columns.reach(panel, WIDTH - left - figures - MARGIN).map_or(0, |_| STRIP);
    (left, if figures > 0 { MARGIN + figures + strip } else { last })
}

/// Returns how many plots fit side by side, and the width of each.
fn across(chart: &Chart, room: i32, high: i32) -> (usize, i32) {
    let n = chart.panels.len().max(1);
    let wide = |across: usize| ((room - GAP * (across as i32 - 1)) / across as i32).max(1);
    let Some(panel) = chart.panels.first().filter(|_| cells(chart).next().is_some()) else {
        return (n.min(2), wide(n.min(2)));
    };
    // A map is only as wide as its cells need.
    let columns = panel.x.ticks.len().max(1) as i32;
    let map = |across: usize| (wide(across).min(CELL * columns) / columns * columns).max(1);
    let most = match n {
        1 | 2 => n,
        4 => 2,
        _ => 3,
    };
    let forms = || (1..=most).rev().map(|across| (across, form(chart, map(across), high)));
    let full = forms().find(|(_, form)| form.is_some_and(|it| it.0 == 0));
    let across = full.or_else(|| forms().find(|(_, form)| form.is_some())).map_or(most, |(across, _)| across);
    (across, map(across))
}

fn cells(chart: &Chart) -> impl Iterator<Item = &Cell> {
    let marks = chart.panels.iter().flat_map(|panel| &panel.marks);
    marks.filter_map(|mark| if let Mark::Cells(cells) = mark { Some(cells) } else { None }).flatten()
}

/// Returns the longest form of the cells' words that fits in plots of this size, and the largest em at which it fits.
fn form(chart: &Chart, wide: i32, high: i32) -> Option<(usize, f64)> {
    let panel = chart.panels.first()?;
    let wide = f64::from(wide) / panel.x.ticks.len().max(1) as f64 - 8.0;
    let high = f64::from(high) / panel.y.ticks.len().max(1) as f64;
    let forms = cells(chart).map(|cell| cell.forms.len()).max()?;
    (0..forms).find_map(|form| {
        let widest =
            |i: usize| f64::from(page::widest(cells(chart).filter_map(|it| Some(&*it.form(form)?[i]))));
        let (words, below) = (widest(0), widest(1) * Cell::BELOW);
        let lines = if below > 0.0 { (high - 20.0) / 2.0 } else { high - 6.0 };
        let em = (wide * TEXT / words.max(below)).min(lines).min(WORDS.1);
        (em >= WORDS.0).then_some((form, em))
    })
}

const FONTS: &str = "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

fn draw<DB: DrawingBackend>(surface: DB, layout: &Layout<'_>, theme: Theme) -> Done {
    let page = Page::new(surface, theme)?;
    layout.draw(&page)?;
    Ok(page.area.present()?)
}

impl Chart {
    /// Returns the form of the cells' words that fits, if any.
    pub(crate) fn form(&self) -> Option<usize> {
        Layout::of(self).form.map(|(form, _)| form)
    }

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
