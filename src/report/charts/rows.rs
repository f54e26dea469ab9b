//! Estimates under each other, one row for each entry: the frame of the charts that compare.

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::axis::{Axis, place};
use super::canvas::{ChartError, Page, WIDTH};
use super::frame::{Done, Frame, LINE, MARGIN, Plot, TEXT};
use super::text;
use crate::report::figures::{Said, fixed};
use crate::stats::Estimate;

/// Height of a row.
const ROW: i32 = 54;
/// Pixels that a tick of the x axis needs.
const TICK: i32 = 110;
/// Pixels of the strip that shows intervals magnified, and how narrow the widest must be for it.
const STRIP: i32 = 150;
const BLOT: i32 = 60;
/// Room for names, and at least for the plot between names and values.
const NAMES: f64 = 560.0;

/// One row: what it is called, its figure, in which colour and words.
pub(super) struct Row {
    pub name: String,
    pub estimate: Estimate,
    /// Where the figure is not known but between bounds, these; the estimate is then about the lower.
    pub bounds: Option<(f64, f64)>,
    pub colour: RGBColor,
    pub said: Said,
}

/// Pixels that a chart of so many rows needs under `above` lines of text.
pub(super) fn height(rows: usize, above: i32) -> u32 {
    (144 + above * LINE + rows.max(1) as i32 * ROW + 110) as u32
}

/// Rows in percent, as the axis is.
pub(super) fn scaled(mut rows: Vec<Row>) -> Vec<Row> {
    for row in &mut rows {
        let e = &mut row.estimate;
        (e.value, e.low, e.high) = (e.value * 100.0, e.low * 100.0, e.high * 100.0);
        row.bounds = row.bounds.map(|(least, most)| (least * 100.0, most * 100.0));
    }
    rows
}

/// Two names as one, cut to fit; the second keeps at least two fifths of the room.
pub(super) fn pair(first: &str, second: &str) -> String {
    let room = NAMES - text::width(", ", TEXT);
    let (first, second) = (text::clean(first), text::clean(second));
    let short = text::elide(&second, TEXT, (room - text::width(&first, TEXT)).max(room * 0.4));
    let first = text::elide(&first, TEXT, room - text::width(&short, TEXT));
    format!("{first}, {short}")
}

/// Draws the frame, the names and the values of rows, in this unit, and lets `behind` draw before the estimates. `x` is
/// given how many ticks there is room for.
pub(super) fn draw(
    page: &Page<'_, '_>,
    rows: &[Row],
    (title, subtitle, unit): (&str, &str, &str),
    x: impl Fn(usize) -> Axis,
    above: i32,
    behind: impl Fn(&Plot) -> Done,
) -> Result<(), ChartError> {
    let widest = |texts: &mut dyn Iterator<Item = String>| {
        texts.map(|t| text::width(&t, TEXT)).fold(0.0, f64::max).ceil() as i32
    };
    let names = widest(&mut rows.iter().map(|r| r.name.clone()));
    let values = widest(&mut rows.iter().map(|r| r.said.value.clone()));
    let intervals = widest(&mut rows.iter().map(|r| r.said.interval.clone()));
    let figures = values + intervals + 20;
    let free = WIDTH as i32 - 2 * MARGIN - names - figures - 70;
    let strip = lens(rows, x(3).range, free);
    let side = (MARGIN + names + 30, MARGIN + figures + 40 + strip.map_or(0, |_| STRIP + 24));
    let room = (WIDTH as i32 - side.0 - side.1).max(300);
    // The free line above the rows is that of the title of the y axis.
    let y = Axis::rows(rows.len(), if above > 0 { " " } else { "" });
    let frame = Frame {
        height: height(rows.len(), above),
        title,
        subtitle,
        keys: &[],
        markers: &[],
        x: x((room / TICK) as usize),
        y,
        side: Some(side),
    };
    let plot = frame.draw(page)?;
    behind(&plot)?;
    for (i, row) in rows.iter().enumerate() {
        let y = plot.y(rows.len() as f64 - i as f64 - 0.5);
        let ink = page.palette.ink;
        page.text(&row.name, (plot.left - 24, y), TEXT, ink, HPos::Right)?;
        let value_edge = WIDTH as i32 - MARGIN - intervals - 20;
        page.text(&row.said.value, (value_edge, y), TEXT, ink, HPos::Right)?;
        let muted = page.palette.muted;
        page.text(&row.said.interval, (WIDTH as i32 - MARGIN, y), TEXT, muted, HPos::Right)?;
        whisker(page, row, y, |value| plot.x(value))?;
    }
    match strip {
        Some(reach) => magnified(page, &plot, rows, reach, unit),
        None => Ok(()),
    }
}

/// The widest reach of an interval from its figure, where the widest would be a blot in a plot of so
/// many pixels.
fn lens(rows: &[Row], (low, high): (f64, f64), pixels: i32) -> Option<f64> {
    let own = rows.iter().filter(|row| row.bounds.is_none());
    let reach = own.flat_map(|r| [r.estimate.high - r.estimate.value, r.estimate.value - r.estimate.low]);
    let reach = reach.filter(|r| r.is_finite()).fold(0.0, f64::max);
    let wide = 2.0 * reach / (high - low) * f64::from(pixels);
    (reach > 0.0 && wide < f64::from(BLOT)).then_some(reach)
}

/// All intervals once more beside the plot, each about its own figure, to one scale.
fn magnified(page: &Page<'_, '_>, plot: &Plot, rows: &[Row], reach: f64, unit: &str) -> Done {
    let (left, right) = (plot.right + 24, plot.right + 24 + STRIP);
    page.fill([(left, plot.top), (right, plot.bottom)], page.palette.grid, 0.35)?;
    for (i, row) in rows.iter().enumerate().filter(|(_, row)| row.bounds.is_none()) {
        let e = row.estimate;
        let y = plot.y(rows.len() as f64 - i as f64 - 0.5);
        whisker(page, row, y, |value| place(value - e.value, (-reach, reach), left + 6, right - 6))?;
    }
    let middle = (left + right) / 2;
    let points = format!("±{}", fixed(reach, (1.0 - reach.log10()).ceil().clamp(0.0, 8.0) as usize));
    page.text(&points, (middle, plot.bottom + 28), TEXT, page.palette.ink, HPos::Center)?;
    page.text(unit, (middle, plot.bottom + 28 + LINE - 8), TEXT, page.palette.muted, HPos::Center)
}

/// The interval as a box with the figure as a thin line in it, where `x` puts values; of bounds both are lines, and what
/// lies between them is darker.
fn whisker(page: &Page<'_, '_>, row: &Row, y: i32, x: impl Fn(f64) -> i32) -> Done {
    let e = row.estimate;
    if e.low.is_finite() && e.high.is_finite() {
        let (low, high) = (x(e.low), x(e.high));
        page.fill([(low, y - 9), (high.max(low + 1), y + 9)], row.colour, 0.45)?;
    }
    if let Some((least, most)) = row.bounds.filter(|(least, most)| least < most) {
        let (least, most) = (x(least), x(most));
        page.fill([(least, y - 9), (most, y + 9)], row.colour, 0.45)?;
        page.line(vec![(most, y - 17), (most, y + 17)], row.colour, 4)?;
    }
    if e.value.is_finite() {
        let x = x(e.value);
        page.line(vec![(x, y - 17), (x, y + 17)], row.colour, 4)
    } else {
        Ok(())
    }
}
