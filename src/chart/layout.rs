//! Where the parts of a chart go: everything around its plots, from the top to the bottom.

use plotters_backend::text_anchor::HPos;

use super::canvas::{Done, LINE, MARGIN, Page, Point, TEXT, TITLE, WIDTH};
use super::cells;
use super::columns::{Columns, STRIP};
use super::plot::Plot;
use super::{Chart, Key, NAMES, Panel, Role, Symbol, text};

/// Height of a further line of a title, and of a subtitle.
const TITLE_LINE: i32 = 46;
const SUBTITLE_LINE: i32 = 36;
/// Pixels for the names of the x axis, and for its title.
const LABELS: i32 = 56;
const FOOT: i32 = 54;
/// Between plots.
const GAP: i32 = 36;
/// Widest name of a value of the y axis, and least width of a plot beside names and figures.
const LABEL: f64 = 300.0;
const LEAST: i32 = 340;
/// A key's mark with the space after it, and the space before the next.
const KEY: i32 = 50;
const NEXT_KEY: i32 = 44;
/// Widest cell of a map.
const CELL: i32 = 260;

/// See the module. Heights of lines of text are those of their middles.
pub(super) struct Layout {
    title: Vec<String>,
    subtitle: Vec<String>,
    /// Of each line the places of its keys, and which.
    keys: Vec<Vec<(i32, usize)>>,
    keys_top: i32,
    shades_top: i32,
    /// Where the first marker is named.
    markers_top: i32,
    title_line: i32,
    plots_top: i32,
    left: i32,
    across: usize,
    wide: i32,
    high: i32,
    /// From one row of plots to the next.
    step: i32,
    columns: Columns,
    /// Of maps the form of the words in cells and their size, if there is room for any.
    pub form: Option<(usize, f64)>,
    pub height: i32,
}

impl Layout {
    pub fn of(chart: &Chart) -> Layout {
        let room = f64::from(WIDTH - 2 * MARGIN);
        let title = text::wrap(&chart.title, TITLE, room);
        let subtitle = text::wrap(&chart.subtitle, TEXT, room);
        let lines = |lines: &[String], high: i32| (lines.len().max(1) as i32 - 1) * high;
        let mut y = 44 + lines(&title, TITLE_LINE) + 52 + lines(&subtitle, SUBTITLE_LINE) + LINE + 6;
        let keys_top = y;
        let keys = keys(chart);
        y += keys.len() as i32 * (LINE + 4);
        let shades_top = y;
        if chart.shades.is_some() {
            y += 2 * LINE + 8;
        }
        let markers_top = y;
        y += LINE * chart.markers.len() as i32;
        let title_line = y;
        let head = |panel: &Panel| {
            !panel.y.title.is_empty() || panel.divide.is_some() || !panel.beside_title.is_empty()
        };
        if chart.panels.iter().any(head) {
            y += LINE;
        }
        let named = if chart.panels.iter().any(|panel| !panel.title.is_empty()) { LINE - 2 } else { 0 };
        let columns = chart.panels.first().map_or(Columns::default(), Columns::of);
        let (left, right) = sides(chart, &columns);
        let (room, high) = (WIDTH - left - right, chart.height.max(1));
        let (across, wide) = across(chart, room, high);
        let ticks = chart.panels.iter().any(|panel| !panel.x.ticks.is_empty());
        let step = named + high + if ticks { LABELS } else { 0 } + 14;
        let plots = chart.panels.len().div_ceil(across).max(1) as i32;
        // The name of a value at the very top stays clear of the line above it.
        let plots_top = y - LINE / 2 + 14 + named;
        let foot = if chart.panels.iter().any(|panel| !panel.x.title.is_empty()) { FOOT } else { 14 };
        let height = plots_top - named + plots * step - 14 + foot;
        // Whole units of a page.
        let height = height + height % 2;
        Layout {
            title,
            subtitle,
            keys,
            keys_top,
            shades_top,
            markers_top,
            title_line,
            plots_top,
            left,
            across,
            wide,
            high,
            step,
            columns,
            form: cells::form(chart, wide, high),
            height,
        }
    }

    /// Where the data of the i-th plot goes.
    pub fn plot(&self, panel: &Panel, i: usize) -> Plot {
        let left = self.left + (i % self.across) as i32 * (self.wide + GAP);
        let top = self.plots_top + (i / self.across) as i32 * self.step;
        Plot {
            left,
            right: left + self.wide,
            top,
            bottom: top + self.high,
            x: panel.x.range,
            y: panel.y.range,
            first: i.is_multiple_of(self.across),
            markers_top: self.markers_top,
            columns: self.columns,
            form: self.form,
        }
    }

    /// Draws everything that is not in a plot, and not about one alone.
    pub fn draw(&self, page: &Page<'_>, chart: &Chart) -> Done {
        let mut y = 44;
        for line in &self.title {
            page.text(line, (MARGIN, y), TITLE, Role::Ink, HPos::Left)?;
            y += TITLE_LINE;
        }
        y = 44 + (self.title.len().max(1) as i32 - 1) * TITLE_LINE + 52;
        for line in &self.subtitle {
            page.text(line, (MARGIN, y), TEXT, Role::Muted, HPos::Left)?;
            y += SUBTITLE_LINE;
        }
        for (i, line) in self.keys.iter().enumerate() {
            let y = self.keys_top + i as i32 * (LINE + 4);
            for &(x, key) in line {
                let key = &chart.keys[key];
                symbol(page, (x, y), key)?;
                page.fitted(&key.text, (x + KEY, y), WIDTH - 2 * MARGIN - KEY, Role::Ink, HPos::Left)?;
            }
        }
        if let Some(shades) = &chart.shades {
            shades.draw(page, self.shades_top + 4)?;
        }
        let Some(panel) = chart.panels.first() else { return Ok(()) };
        if !panel.x.title.is_empty() {
            let right = self.left + self.across as i32 * (self.wide + GAP) - GAP;
            let (title, em) = text::fit(&panel.x.title, TEXT, f64::from(WIDTH - 2 * MARGIN));
            let half = (text::width(&title, em) / 2.0).ceil() as i32;
            let middle =
                ((self.left + right) / 2).clamp(MARGIN + half, (WIDTH - MARGIN - half).max(MARGIN + half));
            page.text(&title, (middle, self.height - 34), em, Role::Muted, HPos::Center)?;
        }
        Ok(())
    }

    /// What the y axis measures, over the lines of markers.
    pub fn draw_measure(&self, page: &Page<'_>, chart: &Chart) -> Done {
        let Some(panel) = chart.panels.first().filter(|panel| !panel.y.title.is_empty()) else {
            return Ok(());
        };
        let (title, em) = text::fit(&panel.y.title, TEXT, f64::from(WIDTH - 2 * MARGIN));
        page.boxed(&title, (MARGIN, self.title_line), em, Role::Muted, HPos::Left)
    }
}

/// What stands before an entry of the legend, its middle left at a place.
fn symbol(page: &Page<'_>, (x, y): Point, key: &Key) -> Done {
    let (middle, right) = (x + 18, x + 36);
    match key.symbol {
        Symbol::Area(shade) => page.fill([(x, y - 12), (right, y + 12)], key.role, shade),
        Symbol::Line(width) => page.line(&[(x, y), (right, y)], key.role, width),
        Symbol::Broken => page.broken(&[(x, y), (right, y)], key.role, 3),
        Symbol::Upright => page.line(&[(middle, y - 15), (middle, y + 15)], key.role, 4),
        Symbol::Interval => {
            page.fill([(x, y - 7), (right, y + 7)], key.role, 0.45)?;
            page.line(&[(middle, y - 13), (middle, y + 13)], key.role, 4)
        }
        Symbol::Dot => page.dot((middle, y), 9, key.role),
        Symbol::Frame => {
            let corners = [(x, y - 12), (right, y - 12), (right, y + 12), (x, y + 12), (x, y - 12)];
            page.line(&corners, key.role, 2)
        }
    }
}

/// The keys in lines.
fn keys(chart: &Chart) -> Vec<Vec<(i32, usize)>> {
    let mut lines: Vec<Vec<(i32, usize)>> = Vec::new();
    let mut x = WIDTH;
    for (i, key) in chart.keys.iter().enumerate() {
        let wide = KEY + text::widest(std::iter::once(&*key.text));
        if x + wide > WIDTH - MARGIN {
            lines.push(Vec::new());
            x = MARGIN;
        }
        if let Some(line) = lines.last_mut() {
            line.push((x, i));
        }
        x += wide + NEXT_KEY;
    }
    lines
}

/// Pixels kept free left and right of the plots.
fn sides(chart: &Chart, columns: &Columns) -> (i32, i32) {
    let Some(panel) = chart.panels.first() else { return (MARGIN, MARGIN) };
    let names = f64::from(text::widest(panel.y.ticks.iter().map(|tick| &*tick.name)));
    // The last name of the x axis may reach as far beyond the plot as half its width.
    let last = panel.x.ticks.last().filter(|_| !panel.x.names);
    let last = MARGIN + (text::widest(last.map(|tick| &*tick.name).into_iter()) / 2).clamp(8, 150);
    if !panel.y.names {
        let ends = text::widest(panel.beside.iter().map(|it| &*it.text));
        let ends = if ends > 0 { (MARGIN + ends + 24).min(WIDTH / 3) } else { 0 };
        return (MARGIN + names.min(LABEL).ceil() as i32 + 24, last.max(ends));
    }
    let figures = columns.width();
    let left = NAMES.min(f64::from(WIDTH - 2 * MARGIN - figures - LEAST)).max(160.0);
    let left = MARGIN + names.min(left).ceil() as i32 + 30;
    let strip = columns.reach(panel, WIDTH - left - figures - MARGIN).map_or(0, |_| STRIP + 24);
    (left, if figures > 0 { MARGIN + figures + strip } else { last })
}

/// How many plots stand beside each other, and how wide each is.
fn across(chart: &Chart, room: i32, high: i32) -> (usize, i32) {
    let n = chart.panels.len().max(1);
    let wide = |across: usize| ((room - GAP * (across as i32 - 1)) / across as i32).max(1);
    let Some(panel) = chart.panels.first().filter(|_| cells::has(chart)) else {
        let across = n.min(2);
        return (across, wide(across));
    };
    // A map is no wider than its cells need to be.
    let columns = panel.x.ticks.len().max(1) as i32;
    let map = |across: usize| wide(across).min(CELL * columns) / columns * columns;
    let most = match n {
        1 | 2 => n,
        4 => 2,
        _ => 3,
    };
    let full = |across: &usize| cells::form(chart, map(*across), high).is_some_and(|(form, _)| form == 0);
    let some = |across: &usize| cells::form(chart, map(*across), high).is_some();
    let fits = (1..=most).rev().find(full).or_else(|| (1..=most).rev().find(some));
    let across = fits.unwrap_or(most);
    (across, map(across).max(1))
}
