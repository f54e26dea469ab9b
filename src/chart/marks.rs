//! Elements of a chart: marks in the units of its axes, their drawing, the legend, and the colours of cells with their
//! scale.

use plotters::element::{Circle, Polygon};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

use super::page::{Done, LINE, MARGIN, Page, Point, TEXT, WIDTH};
use super::plot::{Frame, GAP, Plot};
use super::theme::Role;
use super::{Axis, page};
use crate::format::{FormattedEstimate, scaled};
use crate::stats::Estimate;

/// An entry of the legend: a small sample of the chart's marks, and its meaning.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    pub text: String,
    /// Drawn in a plot from 0 to 1 in both directions.
    pub sample: Mark,
}

impl Key {
    fn new(text: impl Into<String>, sample: Mark) -> Key {
        Key { text: text.into(), sample }
    }

    pub fn line(role: Role, text: impl Into<String>) -> Key {
        Key::new(text, Mark::line(vec![(0.0, 0.5), (1.0, 0.5)], role))
    }

    pub fn thin(role: Role, text: impl Into<String>) -> Key {
        Key::new(text, Mark::level(0.5, role, false))
    }

    pub fn broken(role: Role, text: impl Into<String>) -> Key {
        Key::new(text, Mark::level(0.5, role, true))
    }

    /// Creates a key for a vertical line, such as that of an interval on a bar.
    pub fn upright(role: Role, text: impl Into<String>) -> Key {
        Key::new(text, Mark::Line { points: vec![(0.5, 0.0), (0.5, 1.0)], role, width: 4, broken: false })
    }

    /// Creates a key for an estimate in a row.
    pub fn interval(role: Role, text: impl Into<String>) -> Key {
        let estimate = Estimate { value: 0.5, low: 0.0, high: 1.0 };
        Key::new(text, Mark::Interval { row: 0.5, estimate, bounds: None, role })
    }

    pub fn dot(role: Role, text: impl Into<String>) -> Key {
        Key::new(text, Mark::dots(vec![(0.5, 0.5)], role, 9))
    }

    /// Creates a key for a frame around a cell.
    pub fn frame(role: Role, text: impl Into<String>) -> Key {
        let points = vec![(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)];
        Key::new(text, Mark::Line { points, role, width: 2, broken: false })
    }

    /// Creates a key for an area, a band or a bar.
    pub fn area(role: Role, shade: f64, text: impl Into<String>) -> Key {
        Key::new(text, Mark::area(WHOLE, WHOLE, role, shade))
    }

    /// Returns whether a mark of the chart looks like the sample, if any has this colour.
    pub(super) fn is_true<'m>(&self, mut marks: impl Iterator<Item = &'m Mark> + Clone) -> bool {
        let alike = |mark: &Mark| match (&self.sample, mark) {
            (Mark::Line { broken: a, .. }, Mark::Line { broken: b, .. }) => a == b,
            (Mark::Area { .. }, Mark::Area { .. } | Mark::Band { .. } | Mark::Bars(_)) => true,
            (Mark::Dots { .. }, Mark::Dots { .. }) | (Mark::Interval { .. }, Mark::Interval { .. }) => true,
            _ => false,
        };
        let same = |mark: &&Mark| self.sample.colours().iter().all(|colour| mark.colours().contains(colour));
        !marks.clone().any(|mark| same(&mark)) || marks.any(|mark| same(&mark) && alike(mark))
    }
}

/// A rectangle of data. If it extends beyond the plot, it is drawn cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bar {
    pub x: (f64, f64),
    pub y: (f64, f64),
    pub role: Role,
    pub shade: f64,
}

/// One cell of a map, from (`x`, `y`) to the next whole number on both axes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    pub x: usize,
    pub y: usize,
    /// Its colour; a cell without one is crossed out.
    pub fill: Option<(Role, f64)>,
    /// Text in it and below, from the longest form to the shortest: all cells of a map get the first form that fits.
    pub forms: Vec<[String; 2]>,
}

impl Cell {
    /// Relative size of the text below a figure.
    pub(super) const BELOW: f64 = 0.72;

    /// Returns one of the forms of its words, or its last.
    pub(super) fn form(&self, form: usize) -> Option<&[String; 2]> {
        self.forms.get(form).or(self.forms.last())
    }
}

/// Side of its position on which a text is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stand {
    Left,
    Middle,
    Right,
}

/// A part of a plot. Infinite coordinates mean its border; NaN is left out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    Area {
        x: (f64, f64),
        y: (f64, f64),
        role: Role,
        shade: f64,
    },
    /// Area between the low and the high value at each position.
    Band {
        points: Vec<(f64, f64, f64)>,
        role: Role,
        shade: f64,
    },
    /// A line of this width in pixels, not drawn beyond the plot.
    Line {
        points: Vec<(f64, f64)>,
        role: Role,
        width: u32,
        broken: bool,
    },
    /// Points with a radius in pixels.
    Dots {
        points: Vec<(f64, f64)>,
        role: Role,
        radius: u32,
    },
    Bars(Vec<Bar>),
    /// An estimate in a row: its interval as a box, the figure as a line; with bounds, a line for each.
    Interval {
        row: f64,
        estimate: Estimate,
        bounds: Option<(f64, f64)>,
        role: Role,
    },
    Cells(Vec<Cell>),
    Note {
        at: (f64, f64),
        text: String,
        role: Role,
        stand: Stand,
    },
}

/// Range from border to border.
pub(crate) const WHOLE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
/// Opacity of the two sides of a background.
const SIDE: f64 = 0.1;

impl Mark {
    pub fn is_cells(&self) -> bool {
        matches!(self, Mark::Cells(_))
    }

    /// Returns the row, the estimate and the colour of an interval without bounds.
    pub fn as_interval(&self) -> Option<(f64, Estimate, Role)> {
        match *self {
            Mark::Interval { row, estimate, bounds: None, role } => Some((row, estimate, role)),
            _ => None,
        }
    }

    fn colours(&self) -> Vec<Role> {
        match self {
            Mark::Dots { points, .. } | Mark::Line { points, .. } if points.is_empty() => Vec::new(),
            Mark::Area { role, .. } | Mark::Band { role, .. } | Mark::Line { role, .. } => vec![*role],
            Mark::Dots { role, .. } | Mark::Interval { role, .. } => vec![*role],
            Mark::Bars(bars) => bars.iter().map(|bar| bar.role).collect(),
            Mark::Cells(_) | Mark::Note { .. } => Vec::new(),
        }
    }

    pub fn line(points: Vec<(f64, f64)>, role: Role) -> Mark {
        Mark::Line { points, role, width: 5, broken: false }
    }

    pub fn thin(points: Vec<(f64, f64)>, role: Role) -> Mark {
        Mark::Line { points, role, width: 3, broken: false }
    }

    /// Draws the limits of an estimate as a vertical line; nothing if they are missing.
    pub fn limits(x: f64, e: Estimate, role: Role, width: u32) -> Mark {
        let points = if has_limits(e.low, e.high) { vec![(x, e.low), (x, e.high)] } else { Vec::new() };
        Mark::Line { points, role, width, broken: false }
    }

    /// Draws a horizontal line at a value of the y axis.
    pub fn level(y: f64, role: Role, broken: bool) -> Mark {
        Mark::Line { points: vec![(WHOLE.0, y), (WHOLE.1, y)], role, width: 3, broken }
    }

    /// Draws a vertical line at a value of the x axis.
    pub fn upright(x: f64, role: Role, broken: bool) -> Mark {
        Mark::Line { points: vec![(x, WHOLE.0), (x, WHOLE.1)], role, width: 3, broken }
    }

    pub fn band(points: Vec<(f64, f64, f64)>, role: Role, shade: f64) -> Mark {
        Mark::Band { points, role, shade }
    }

    pub fn dots(points: Vec<(f64, f64)>, role: Role, radius: u32) -> Mark {
        Mark::Dots { points, role, radius }
    }

    pub fn area(x: (f64, f64), y: (f64, f64), role: Role, shade: f64) -> Mark {
        Mark::Area { x, y, role, shade }
    }

    pub fn note(at: (f64, f64), text: impl Into<String>, role: Role, stand: Stand) -> Mark {
        Mark::Note { at, text: text.into(), role, stand }
    }

    /// Draws estimates along an axis: the line of the figures on the band of their intervals.
    pub fn curve(points: &[(f64, Estimate)], role: Role) -> [Mark; 2] {
        let band = points.iter().map(|(x, e)| (*x, e.low, e.high)).collect();
        [Mark::band(band, role, 0.28), Mark::line(points.iter().map(|(x, e)| (*x, e.value)).collect(), role)]
    }

    /// Draws the house's side above an edge of 0 and the player's below it.
    pub fn sides_above() -> [Mark; 3] {
        [
            Mark::area(WHOLE, (0.0, WHOLE.1), Role::House, SIDE),
            Mark::area(WHOLE, (WHOLE.0, 0.0), Role::Player, SIDE),
            Mark::level(0.0, Role::Ink, false),
        ]
    }

    /// Names the two sides where curves leave room: above on the right if they fall, otherwise on the left.
    pub fn sides_named(falls: bool, [house, player]: [&str; 2]) -> [Mark; 2] {
        let (right, left) = ((WHOLE.1, Stand::Left), (WHOLE.0, Stand::Right));
        let (above, below) = if falls { (right, left) } else { (left, right) };
        [
            Mark::note((above.0, WHOLE.1), house, Role::House, above.1),
            Mark::note((below.0, WHOLE.0), player, Role::Player, below.1),
        ]
    }

    /// Draws the house's side right of an edge of 0 and the player's left of it.
    pub fn sides_along() -> [Mark; 2] {
        [
            Mark::area((0.0, WHOLE.1), WHOLE, Role::House, SIDE),
            Mark::area((WHOLE.0, 0.0), WHOLE, Role::Player, SIDE),
        ]
    }
}

impl<DB: DrawingBackend> Plot<'_, DB> {
    pub(super) fn mark(&self, mark: &Mark) -> Done {
        let page = self.page;
        match mark {
            &Mark::Area { x, y, role, shade } => {
                page.fill([self.at((x.0, y.0)), self.at((x.1, y.1))], role, shade)?;
            }
            Mark::Band { points, role, shade } => {
                let gap = |&(x, low, high): &(f64, f64, f64)| x.is_nan() || !has_limits(low, high);
                for run in points.split(gap).filter(|run| run.len() > 1) {
                    let lower = run.iter().rev().map(|&(x, low, _)| self.at((x, low)));
                    let upper = run.iter().map(|&(x, _, high)| self.at((x, high)));
                    let outline: Vec<Point> = upper.chain(lower).collect();
                    page.area.draw(&Polygon::new(outline, page.shade(*role, *shade)))?;
                }
            }
            Mark::Line { points, role, width, broken } => {
                let draw = if *broken { Page::broken } else { Page::line };
                for run in inside(points, self.y) {
                    draw(page, &steps(run.into_iter().map(|point| self.at(point))), *role, *width)?;
                }
            }
            Mark::Dots { points, role, radius } => {
                for &at in points.iter().filter(|(x, y)| !x.is_nan() && shows(self.y, *y)) {
                    page.area.draw(&Circle::new(self.at(at), *radius, page.shade(*role, 1.0)))?;
                }
            }
            Mark::Bars(bars) => bars.iter().try_for_each(|bar| self.bar(bar))?,
            &Mark::Interval { row, estimate, bounds, role } => self.interval(row, estimate, bounds, role)?,
            Mark::Cells(cells) => cells.iter().try_for_each(|cell| self.cell(cell))?,
            Mark::Note { at, text, role, stand } => self.note(*at, text, *role, *stand)?,
        }
        Ok(())
    }

    fn bar(&self, &Bar { x, y, role, shade }: &Bar) -> Done {
        if [x.0, x.1, y.0, y.1].iter().any(|v| v.is_nan()) {
            return Ok(());
        }
        let (a, b) = (self.at((x.0, y.0)), self.at((x.1, y.1)));
        let (left, right, top, bottom) = (a.0.min(b.0), a.0.max(b.0), a.1.min(b.1), a.1.max(b.1));
        let beyond = |range, end: f64| end.is_finite() && !shows(range, end);
        let up = beyond(self.y, y.1) || bottom == self.frame.bottom;
        // Even a bar of one game in a million is visible.
        let top = if up && y.0 != y.1 { top.min(bottom - 2) } else { top };
        self.page.fill([(left, top), (right.max(left + 1), bottom)], role, shade)?;
        // Indicates that the bar continues beyond the plot.
        if beyond(self.y, y.1) {
            self.page.line(&[(left - 8, top + 40), (right + 8, top + 24)], Role::Paper, 8)?;
        }
        for x in [right - 60, right - 36].into_iter().filter(|_| beyond(self.x, x.1)) {
            self.page.line(&[(x, bottom + 4), (x + 18, top - 4)], Role::Paper, 8)?;
        }
        Ok(())
    }

    /// Draws the interval as a box with the figure as a line in it; with bounds, the area between both is darker.
    pub(super) fn interval(&self, row: f64, e: Estimate, bounds: Option<(f64, f64)>, role: Role) -> Done {
        let y = self.y(row);
        let high = (self.y(row + 0.5) - self.y(row - 0.5)).abs();
        let (half, tall) = ((high / 6).clamp(5, 9), (high / 3).clamp(9, 17));
        let spread = |low: f64, high: f64| {
            let (low, high) = (self.x(low), self.x(high));
            self.page.fill([(low, y - half), (high.max(low + 1), y + half)], role, 0.45)
        };
        let figure = |x: i32| self.page.line(&[(x, y - tall), (x, y + tall)], role, 4);
        if e.low.is_finite() && e.high.is_finite() {
            spread(e.low, e.high)?;
        }
        if let Some((least, most)) = bounds.filter(|(least, most)| least < most) {
            spread(least, most)?;
            figure(self.x(most))?;
        }
        if e.value.is_finite() { figure(self.x(e.value)) } else { Ok(()) }
    }

    fn cell(&self, cell: &Cell) -> Done {
        let page = self.page;
        let [from, to] = [0, 1].map(|next| self.at(((cell.x + next) as f64, (cell.y + next) as f64)));
        let (right, left) = ((to.0, from.1), (from.0, to.1));
        match cell.fill {
            Some((role, shade)) => page.fill([from, to], role, shade)?,
            None => {
                page.line(&[from, to], Role::Grid, 2)?;
                page.line(&[left, right], Role::Grid, 2)?;
            }
        }
        page.line(&[from, right, to, left, from], Role::Paper, 2)?;
        let Some((form, em)) = self.form else { return Ok(()) };
        let Some([words, below]) = cell.form(form) else { return Ok(()) };
        let (x, y) = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
        let ink = if cell.fill.is_some() { Role::Ink } else { Role::Muted };
        let lift = if below.is_empty() { 0.0 } else { em };
        page.text(words, (x, y - (lift * 0.55) as i32), em, ink, HPos::Center)?;
        page.text(below, (x, y + (lift * 0.65) as i32), em * Cell::BELOW, ink, HPos::Center)
    }

    /// Draws a text in the plot. It stays in the picture, beside a marked line rather than across it.
    fn note(&self, at: (f64, f64), words: &str, role: Role, stand: Stand) -> Done {
        let Frame { left, right, top, bottom } = self.frame;
        // A side of 0 lower than a line of text has no label.
        let side = matches!(role, Role::House | Role::Player) && at.1.is_infinite();
        if side && self.y.0 < 0.0 && self.y.1 > 0.0 && (self.y(at.1) - self.y(0.0)).abs() < LINE {
            return Ok(());
        }
        let (words, em) = page::fit(words, TEXT, f64::from(right - left - 2 * GAP));
        let width = page::width(&words, em).ceil() as i32;
        let (first, last) = (left + GAP, (right - GAP - width).max(left + GAP));
        // Starting with the better side of a line.
        let sides = |x: i32| match stand {
            Stand::Left => [x - GAP - width, x + GAP],
            Stand::Middle | Stand::Right => [x + GAP, x - GAP - width],
        };
        let x = if stand == Stand::Middle { self.x(at.0) - width / 2 } else { sides(self.x(at.0))[0] };
        let mut x = x.clamp(first, last);
        for &line in &self.marked {
            if (x - 8..x + width + 8).contains(&line) {
                x = sides(line).into_iter().find(|x| (first..=last).contains(x)).unwrap_or(x);
            }
        }
        let y = self.y(at.1).clamp(top + 24, (bottom - 24).max(top + 24));
        self.page.text(&words, (x, y), em, role, HPos::Left)
    }
}

/// Returns whether an interval has any limit.
fn has_limits(low: f64, high: f64) -> bool {
    !low.is_nan() && !high.is_nan() && (low.is_finite() || high.is_finite())
}

/// Returns whether a value is in a range of either direction.
fn shows((from, to): (f64, f64), value: f64) -> bool {
    (from.min(to)..=from.max(to)).contains(&value)
}

/// Removes points within a level line, which would make it rough.
fn steps(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for point in points {
        if matches!(kept[..], [.., a, b] if a.1 == b.1 && b.1 == point.1) {
            kept.pop();
        }
        if kept.last() != Some(&point) {
            kept.push(point);
        }
    }
    kept
}

/// Returns the parts of a line that lie in the range of the y axis, cut where it leaves it.
fn inside(points: &[(f64, f64)], (from, to): (f64, f64)) -> Vec<Vec<(f64, f64)>> {
    let (low, high) = (from.min(to), from.max(to));
    let mut runs: Vec<Vec<(f64, f64)>> = Vec::new();
    for pair in points.windows(2) {
        // Infinite heights mean the borders.
        let ends = [pair[0], pair[1]].map(|(x, y)| (x, if y.is_finite() { y } else { y.clamp(low, high) }));
        let [(x0, y0), (x1, y1)] = ends;
        let share = |border: f64| (border - y0) / (y1 - y0);
        let (enters, leaves) = match y0 == y1 {
            true => (0.0, if (low..=high).contains(&y0) { 1.0 } else { 0.0 }),
            false => (share(low).min(share(high)).max(0.0), share(low).max(share(high)).min(1.0)),
        };
        if [x0, y0, x1, y1].iter().any(|it| it.is_nan()) || enters >= leaves {
            continue;
        }
        let cut = |share: f64| (x0 + (x1 - x0) * share, (y0 + (y1 - y0) * share).clamp(low, high));
        let first = if enters > 0.0 { cut(enters) } else { ends[0] };
        let last = if leaves < 1.0 { cut(leaves) } else { ends[1] };
        match runs.last_mut().filter(|run| run.last() == Some(&first)) {
            Some(run) => run.push(last),
            None => runs.push(vec![first, last]),
        }
    }
    runs
}

#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub name: String,
    /// Estimate in the unit of the axis.
    pub estimate: Estimate,
    /// Bounds, if the figure is known only between them; the estimate is then that of the lower one.
    pub bounds: Option<(f64, f64)>,
    pub role: Role,
    pub said: FormattedEstimate,
}

impl Row {
    pub fn new(name: impl Into<String>, estimate: Estimate, role: Role, said: FormattedEstimate) -> Row {
        Row { name: name.into(), estimate, bounds: None, role, said }
    }

    /// Returns the figures and limits of rows.
    pub fn ends(rows: &[Row]) -> impl Iterator<Item = f64> {
        rows.iter().flat_map(|row| [row.estimate.value, row.estimate.low, row.estimate.high])
    }

    /// Converts the row to percent, for such an axis.
    pub fn percent(mut self) -> Row {
        self.estimate = scaled(self.estimate, 100.0);
        self.bounds = self.bounds.map(|(least, most)| (least * 100.0, most * 100.0));
        self
    }
}

/// Weakest and strongest shade, as opacity over the page: text stays readable on each, light or dark.
const WEAKEST: f64 = 0.1;
const STRONGEST: f64 = 0.58;
/// Number of steps of the scale, its size in pixels, and its minimum size beside long words.
const STEPS: i32 = 60;
const LONGEST: i32 = 720;
const SHORTEST: i32 = 480;

/// Colour scale of cells.
#[derive(Clone, Debug)]
pub(crate) struct Shades {
    /// The quantity, with the labelled values.
    pub scale: Axis,
    /// The value at which the colours divide.
    pub centre: f64,
    /// Distance from the centre at which the shade is strongest.
    pub reach: f64,
    pub below: Role,
    pub above: Role,
    /// Meaning of the two ends of the scale.
    pub ends: [String; 2],
}

impl Shades {
    /// Returns the colour and opacity of a figure.
    pub fn of(&self, value: f64) -> (Role, f64) {
        let reach = if self.reach.is_finite() && self.reach > 1e-9 { self.reach } else { 1.0 };
        let share = ((value - self.centre) / reach).clamp(-1.0, 1.0);
        let role = if share > 0.0 { self.above } else { self.below };
        (role, WEAKEST + (STRONGEST - WEAKEST) * if share.is_nan() { 0.0 } else { share.abs() })
    }

    /// Draws the scale, with its middle at height `y` and labels below it.
    pub(super) fn draw<DB: DrawingBackend>(&self, page: &Page<DB>, y: i32) -> Done {
        let room = WIDTH - 2 * MARGIN - 40;
        let wide = |words: &str| page::widest([words]);
        let long = (room - wide(&self.ends[0]) - wide(&self.ends[1])).clamp(SHORTEST, LONGEST);
        let [first, last] =
            self.ends.each_ref().map(|end| page::elide(end, TEXT, f64::from(room - long) / 2.0));
        let left = MARGIN + wide(&first) + if first.is_empty() { 30 } else { 20 };
        page.text(&first, (MARGIN, y), TEXT, Role::Ink, HPos::Left)?;
        let frame = Frame { left, right: left + long, top: y - 15, bottom: y + 15 };
        let bar = Plot::new(page, frame, self.scale.range, self.scale.range);
        let (low, high) = self.scale.range;
        let value = |step: f64| low + (high - low) * step / f64::from(STEPS);
        for step in (0..STEPS).map(f64::from) {
            let (role, shade) = self.of(value(step + 0.5));
            bar.mark(&Mark::area((value(step), value(step + 1.0)), WHOLE, role, shade))?;
        }
        if low < self.centre && self.centre < high {
            let x = bar.x(self.centre);
            page.line(&[(x, y - 19), (x, y + 19)], Role::Ink, 5)?;
        }
        let mut free = MARGIN;
        for tick in &self.scale.ticks {
            let (x, half) = (bar.x(tick.at), wide(&tick.name) / 2 + 1);
            page.line(&[(x, y + 15), (x, y + 21)], Role::Muted, 2)?;
            if x - half >= free {
                page.text(&tick.name, (x, y + 40), TEXT, Role::Ink, HPos::Center)?;
                free = x + half + 16;
            }
        }
        page.text(&last, (left + long + 20, y), TEXT, Role::Ink, HPos::Left)
    }
}
