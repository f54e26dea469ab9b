//! One plot: its scale, its grid and labels, marked values, and the text beside it.

use plotters::coord::CoordTranslate;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{Cartesian2d, DrawingBackend};
use plotters::style::text_anchor::HPos;

use super::axis::{Axis, Tick};
use super::page::{Done, LINE, MARGIN, Page, Point, TEXT, WIDTH};
use super::{Beside, Panel, Role, page};
use crate::format::fixed;
use crate::stats::Estimate;

/// Gap between a marked line and its label.
pub(super) const GAP: i32 = 14;
/// Minimum distance between vertically adjacent labels, and between the ends of horizontally adjacent ones.
const APART: i32 = 34;
const BETWEEN: i32 = 14;
const LEAST: f64 = 18.0;
/// Maximum width of a column of figures beside rows.
const COLUMN: i32 = 420;
/// Width of the strip of magnified intervals including the space before it, and the width of the widest interval
/// below which it is drawn.
pub(super) const STRIP: i32 = 174;
const BLOT: i32 = 60;

/// Data area of a plot, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub left: i32,
    pub right: i32,
    pub top: i32,
    pub bottom: i32,
}

/// A value of the x axis with a dashed line, labelled above the plot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Marker {
    pub at: f64,
    pub label: String,
    pub role: Role,
}

impl Marker {
    pub fn new(at: f64, role: Role, label: impl Into<String>) -> Marker {
        Marker { at, label: label.into(), role }
    }
}

pub(super) struct Plot<'p, DB: DrawingBackend> {
    pub page: &'p Page<DB>,
    pub frame: Frame,
    /// The values at both ends of each axis.
    pub x: (f64, f64),
    pub y: (f64, f64),
    coordinates: Cartesian2d<RangedCoordf64, RangedCoordf64>,
    /// Marked positions on the x axis.
    pub marked: Vec<i32>,
    /// The form of the words in cells and their em, if there is room for any.
    pub form: Option<(usize, f64)>,
}

impl<'p, DB: DrawingBackend> Plot<'p, DB> {
    pub fn new(page: &'p Page<DB>, frame: Frame, x: (f64, f64), y: (f64, f64)) -> Plot<'p, DB> {
        let pixels = (frame.left..frame.right, frame.bottom..frame.top);
        let coordinates = Cartesian2d::new(x.0..x.1, y.0..y.1, pixels);
        Plot { page, frame, x, y, coordinates, marked: Vec::new(), form: None }
    }

    /// Returns the pixel of a point; values out of range are clamped to the border.
    pub fn at(&self, point: (f64, f64)) -> Point {
        let kept = |value: f64, (a, b): (f64, f64)| value.max(a.min(b)).min(a.max(b));
        self.coordinates.translate(&(kept(point.0, self.x), kept(point.1, self.y)))
    }

    pub fn x(&self, value: f64) -> i32 {
        self.at((value, 0.0)).0
    }

    pub fn y(&self, value: f64) -> i32 {
        self.at((0.0, value)).1
    }

    /// Draws a whole panel. The first in a row labels the values of the y axis, and the first of all the marked
    /// values, starting at a height.
    pub fn draw(&mut self, panel: &Panel, names: bool, marked: Option<(&[Marker], i32)>) -> Done {
        let (page, frame) = (self.page, self.frame);
        let above = frame.top - LINE / 2 + 2;
        page.fitted(&panel.title, (frame.left, above), frame.right - frame.left, Role::Ink, HPos::Left)?;
        let cells = panel.marks.iter().any(|mark| mark.is_cells());
        self.rows(&panel.y, names, cells)?;
        self.columns(&panel.x)?;
        if !cells {
            let Frame { left, right, top, bottom } = frame;
            page.line(&[(left, top), (left, bottom)], Role::Muted, 2)?;
            page.line(&[(left, bottom), (right, bottom)], Role::Muted, 2)?;
        }
        if let Some((markers, top)) = marked {
            self.markers(markers, top)?;
        }
        panel.marks.iter().try_for_each(|mark| self.mark(mark))?;
        if let Some(divide) = &panel.divide {
            let (x, y) = (self.x(divide.at), above - 6);
            page.line(&[(x, frame.top - LINE), (x, frame.bottom)], Role::Ink, 3)?;
            let ((left, left_role), (right, right_role)) = (&divide.left, &divide.right);
            page.fitted(left, (x - GAP, y), x - GAP - MARGIN, *left_role, HPos::Right)?;
            page.fitted(right, (x + GAP, y), WIDTH - MARGIN - x - GAP, *right_role, HPos::Left)?;
        }
        if panel.y.names { self.figures(panel) } else { self.ends(&panel.beside) }
    }

    /// Draws the labels of the y axis and their grid.
    fn rows(&self, axis: &Axis, names: bool, cells: bool) -> Done {
        let (page, frame) = (self.page, self.frame);
        let high = (frame.bottom - frame.top) / axis.ticks.len().max(1) as i32;
        let dense = axis.names && !cells && high < 40;
        let half = APART.min(high) / 2;
        let takes = |tick: &Tick| (self.y(tick.at) - half, self.y(tick.at) + half);
        for (i, tick) in apart(&axis.ticks, takes).into_iter().enumerate() {
            let y = self.y(tick.at);
            if dense && i.is_multiple_of(2) {
                page.fill([(MARGIN, y - high / 2), (WIDTH - MARGIN, y + high / 2)], Role::Grid, 0.3)?;
            }
            if !axis.names {
                page.line(&[(frame.left, y), (frame.right, y)], Role::Grid, 2)?;
            }
            if names {
                let room = frame.left - MARGIN - GAP;
                page.fitted(&tick.name, (frame.left - GAP, y), room, Role::Ink, HPos::Right)?;
            }
        }
        Ok(())
    }

    /// Draws the labels of the x axis and their grid. If column labels would overlap, they are smaller, on two lines,
    /// or only every third, fourth ... is drawn.
    fn columns(&self, axis: &Axis) -> Done {
        let (page, frame) = (self.page, self.frame);
        let name = |tick: &Tick, em: f64, room: f64, down: i32| {
            let (name, em) = page::fit(&tick.name, em, room);
            let half = (page::width(&name, em) / 2.0).ceil() as i32 + MARGIN / 2;
            let at = (self.x(tick.at).clamp(half, WIDTH - half), frame.bottom + down);
            page.text(&name, at, em, Role::Ink, HPos::Center)
        };
        if !axis.names {
            let takes = |tick: &Tick| {
                let half = (page::widest([&*tick.name]).min(300) + BETWEEN) / 2;
                (self.x(tick.at) - half, self.x(tick.at) + half)
            };
            for tick in apart(&axis.ticks, takes) {
                let x = self.x(tick.at);
                page.line(&[(x, frame.top), (x, frame.bottom)], Role::Grid, 2)?;
                name(tick, TEXT, 300.0, 28)?;
            }
            return Ok(());
        }
        let pitch = f64::from(frame.right - frame.left) / axis.ticks.len().max(1) as f64;
        let widest = f64::from(page::widest(axis.ticks.iter().map(|tick| &*tick.name)));
        let em = (TEXT * (pitch - 8.0) / widest).min(TEXT);
        let every = match em {
            LEAST.. => 1,
            _ if axis.ticks.len() <= 3 => 1,
            _ => (((widest * LEAST / TEXT).min(200.0) + 8.0) / pitch).ceil().max(1.0) as usize,
        };
        // Words cannot be guessed from their neighbours, so all are shown, on two alternating lines.
        let words = axis.ticks.iter().filter(|tick| tick.name.starts_with(char::is_alphabetic)).count();
        let staggered = every == 2 && words > axis.ticks.len() / 2;
        for (i, tick) in axis.ticks.iter().enumerate().step_by(if staggered { 1 } else { every }) {
            let down = if staggered { 18 + 22 * (i % 2) as i32 } else { 28 };
            name(tick, em.max(LEAST), pitch * every as f64 - 6.0, down)?;
        }
        Ok(())
    }

    /// Draws the marked values, and records their positions. Labels to the right of their lines come first, from left
    /// to right, then those that only have room on the left, from right to left: so none is crossed by a line that
    /// starts above it on its side.
    fn markers(&mut self, markers: &[Marker], top: i32) -> Done {
        let edge = WIDTH - MARGIN;
        let fitted = |marker: &Marker| page::fit(&marker.label, TEXT, f64::from(edge - MARGIN - 10));
        let wide = |marker: &Marker| page::widest([&*marker.label]).min(edge - MARGIN - 10);
        let flipped = |x: i32, marker: &Marker| x + GAP + wide(marker) > edge;
        let mut markers: Vec<(i32, &Marker)> = markers.iter().map(|it| (self.x(it.at), it)).collect();
        markers.sort_by_key(|&(x, it)| if flipped(x, it) { (true, -x) } else { (false, x) });
        let lines = || markers.iter().zip((top..).step_by(LINE as usize));
        for (&(x, marker), y) in lines() {
            self.page.broken(&[(x, y - LINE / 2 + 2), (x, self.frame.bottom)], marker.role, 3)?;
        }
        for (&(x, marker), y) in lines() {
            let (label, em) = fitted(marker);
            let (at, side) = match flipped(x, marker) {
                false => (x + GAP, HPos::Left),
                true if x - GAP - wide(marker) >= MARGIN => (x - GAP, HPos::Right),
                true => (edge, HPos::Right),
            };
            self.page.boxed(&label, (at, y), em, marker.role, side)?;
        }
        self.marked = markers.into_iter().map(|(x, _)| x).collect();
        Ok(())
    }

    /// Draws the names at the ends of lines, moved apart if they would overlap.
    fn ends(&self, names: &[Beside]) -> Done {
        let mut names: Vec<(i32, &Beside)> = names.iter().map(|it| (self.y(it.at), it)).collect();
        names.sort_by_key(|name| name.0);
        let mut below = i32::MIN / 2;
        for (y, _) in &mut names {
            *y = (*y).max(below + APART);
            below = *y;
        }
        let mut above = self.frame.bottom + APART;
        for (y, it) in names.into_iter().rev() {
            above = y.min(above - APART);
            let left = self.frame.right + GAP;
            self.page.fitted(&it.text, (left, above), WIDTH - MARGIN - left, it.role, HPos::Left)?;
        }
        Ok(())
    }

    /// Draws the columns of figures beside rows, and magnified intervals if they are too narrow to be visible.
    fn figures(&self, panel: &Panel) -> Done {
        let (columns, edge) = (Columns::of(panel), WIDTH - MARGIN);
        for it in &panel.beside {
            let y = self.y(it.at);
            let end = edge - columns.intervals - 20;
            self.page.text(&it.text, (end, y), columns.em, it.role, HPos::Right)?;
            self.page.text(&it.more, (edge, y), columns.em, Role::Muted, HPos::Right)?;
        }
        let above = (edge, self.frame.top - LINE / 2 + 2);
        self.page.fitted(&panel.beside_title, above, WIDTH / 3, Role::Muted, HPos::Right)?;
        match (columns.reach(panel, edge - columns.width() - self.frame.left), &panel.magnified) {
            (Some(reach), Some(unit)) => self.magnify(panel, reach, unit),
            _ => Ok(()),
        }
    }

    /// Draws all intervals magnified beside the plot, each around its own figure, on one scale.
    fn magnify(&self, panel: &Panel, reach: f64, unit: &str) -> Done {
        let (page, right) = (self.page, self.frame.right + STRIP);
        let frame = Frame { left: self.frame.right + 24, right, ..self.frame };
        page.fill([(frame.left, frame.top), (frame.right, frame.bottom)], Role::Grid, 0.35)?;
        let inner = Frame { left: frame.left + 6, right: right - 6, ..frame };
        let strip = Plot::new(page, inner, (-reach, reach), self.y);
        for (row, e, role) in panel.marks.iter().filter_map(|mark| mark.as_interval()) {
            let around = Estimate { value: 0.0, low: e.low - e.value, high: e.high - e.value };
            strip.interval(row, around, None, role)?;
        }
        let (middle, below) = ((frame.left + frame.right) / 2, frame.bottom + 28);
        let points = format!("±{}", fixed(reach, (1.0 - reach.log10()).ceil().clamp(0.0, 8.0) as usize));
        page.fitted(&points, (middle, below), STRIP - 24, Role::Ink, HPos::Center)?;
        page.fitted(unit, (middle, below + LINE - 8), STRIP - 24, Role::Muted, HPos::Center)
    }
}

/// Returns the ticks whose labels do not overlap, given the pixels that each takes: all, or every second, third ...
/// including zero; if they are not evenly spaced, each that is clear of the one before it.
fn apart(ticks: &[Tick], takes: impl Fn(&Tick) -> (i32, i32)) -> Vec<&Tick> {
    let clear = |a: &Tick, b: &Tick| {
        let (a, b) = (takes(a), takes(b));
        a.1 <= b.0 || b.1 <= a.0
    };
    let zero = ticks.iter().position(|tick| tick.at == 0.0).unwrap_or(0);
    let every = |n: usize| ticks.iter().skip(zero % n).step_by(n).collect::<Vec<_>>();
    let fits = |n: &usize| every(*n).windows(2).all(|pair| clear(pair[0], pair[1]));
    let n = (1..=ticks.len()).find(fits).unwrap_or(1);
    let steps: Vec<f64> = ticks.windows(2).map(|pair| pair[1].at - pair[0].at).collect();
    if n == 1 || steps.iter().all(|step| (step - steps[0]).abs() <= 1e-6 * step.abs()) {
        return every(n);
    }
    let mut kept: Vec<&Tick> = Vec::new();
    for tick in ticks {
        if kept.last().is_none_or(|last| clear(last, tick)) {
            kept.push(tick);
        }
    }
    kept
}

/// Widths of the columns of figures beside rows.
#[derive(Clone, Copy, Default)]
pub(super) struct Columns {
    figures: i32,
    intervals: i32,
    /// Em at which no text is wider than its column.
    em: f64,
}

impl Columns {
    pub fn of(panel: &Panel) -> Columns {
        if !panel.y.names {
            return Columns::default();
        }
        let figures = page::widest(panel.beside.iter().map(|it| &*it.text));
        let intervals = page::widest(panel.beside.iter().map(|it| &*it.more));
        let share = (f64::from(COLUMN) / f64::from(figures.max(intervals).max(1))).min(1.0);
        let scaled = |wide: i32| (f64::from(wide) * share).ceil() as i32;
        Columns { figures: scaled(figures), intervals: scaled(intervals), em: TEXT * share }
    }

    /// Returns the width of both, with the space between them and before them.
    pub fn width(&self) -> i32 {
        if self.figures + self.intervals == 0 { 0 } else { self.figures + self.intervals + 60 }
    }

    /// Returns the widest half of an interval, if the widest would be only a spot in a plot of this many pixels.
    pub fn reach(&self, panel: &Panel, pixels: i32) -> Option<f64> {
        panel.magnified.as_ref()?;
        let intervals = panel.marks.iter().filter_map(|mark| mark.as_interval());
        let reach = intervals.map(|(_, e, _)| (e.high - e.value).max(e.value - e.low));
        let reach = reach.filter(|reach| reach.is_finite()).fold(0.0, f64::max);
        let wide = 2.0 * reach / (panel.x.range.1 - panel.x.range.0) * f64::from(pixels);
        (reach > 0.0 && wide < f64::from(BLOT)).then_some(reach)
    }
}
