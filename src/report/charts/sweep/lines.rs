//! A figure along one axis, a line with its band of intervals for each strategy or ruleset.

use std::sync::Arc;

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::super::Picture;
use super::super::axis::{Axis, padded, span};
use super::super::canvas::{ChartError, Page, WIDTH};
use super::super::frame::{Done, Frame, MARGIN, Marker, Plot, TEXT};
use super::super::text;
use super::{line_colour, title, who_wins};
use crate::report::figures::fixed;
use crate::report::sweep::{Board, BoardCell, Measure, Play, line_decimals};
use crate::stats::Estimate;

const HEIGHT: u32 = 900;
/// Between the names at the ends of lines.
const APART: i32 = 34;
/// Pixels that the words for a side may need.
const BESIDE: i32 = 240;
/// The least part of the axis between two values for which values stand at their numbers.
const CROWDED: f64 = 0.05;

#[derive(Debug)]
pub(super) struct Lines {
    pub board: Arc<Board>,
    pub measure: Measure,
    pub x: usize,
    pub series: Option<usize>,
}

/// A value's place along the axis with what its games say.
struct Point {
    x: f64,
    estimate: Estimate,
}

impl Lines {
    /// Where values stand: at their numbers where all are and none crowd, else one beside the other.
    fn places(&self) -> Vec<f64> {
        let axis = &self.board.axes[self.x];
        let numbers: Option<Vec<f64>> =
            axis.numbers.as_ref().and_then(|numbers| numbers.iter().copied().collect());
        let roomy = |numbers: &Vec<f64>| {
            let whole = numbers.last().unwrap_or(&0.0) - numbers.first().unwrap_or(&0.0);
            numbers.windows(2).all(|pair| pair[1] - pair[0] >= whole * CROWDED)
        };
        numbers.filter(roomy).unwrap_or_else(|| (0..axis.labels.len()).map(|i| i as f64).collect())
    }

    /// The cells of one line, by value along the axis.
    fn on(&self, line: usize) -> Vec<Option<&BoardCell>> {
        let value = |x: usize| {
            let mut at = vec![0; self.board.axes.len()];
            at[self.x] = x;
            if let Some(series) = self.series {
                at[series] = line;
            }
            self.board.cell(&at)
        };
        (0..self.board.axes[self.x].labels.len()).map(value).collect()
    }

    fn lines(&self) -> Vec<String> {
        self.series.map_or(vec![String::new()], |series| self.board.axes[series].labels.clone())
    }

    /// The figure in the unit of the axis.
    fn scaled(&self, e: Estimate) -> Estimate {
        let k = if self.measure == Measure::Cards { 1.0 } else { 100.0 };
        Estimate { value: e.value * k, low: e.low * k, high: e.high * k }
    }

    fn y_axis(&self) -> Axis {
        let all = self.board.cells.iter().filter_map(|cell| self.measure.value(cell));
        let mut values: Vec<f64> =
            all.map(|e| self.scaled(e)).flat_map(|e| [e.value, e.low, e.high]).collect();
        match self.measure {
            Measure::Edge => values.extend([0.0, self.board.line * 100.0]),
            _ => values.push(0.0),
        }
        let (low, high) = span(values).unwrap_or((0.0, 1.0));
        let range = padded((low, high), 0.06);
        let range = if self.measure == Measure::Edge { range } else { (low.min(0.0), range.1) };
        let measure = self.measure;
        let name = match measure {
            Measure::Edge => "house edge, % of the stake",
            Measure::Wins => "games won, % of all games",
            Measure::Cards => "mean cards on the foundations",
        };
        Axis::new(name, range, 9, move |v, d| match measure {
            Measure::Edge => measure.short(v / 100.0, d),
            Measure::Wins => format!("{}%", fixed(v, d)),
            Measure::Cards => fixed(v, d),
        })
    }

    fn x_axis(&self, places: &[f64]) -> Axis {
        let axis = &self.board.axes[self.x];
        let (low, high) = (places[0], places[places.len() - 1]);
        let range = if high > low { padded((low, high), 0.04) } else { (low - 1.0, high + 1.0) };
        let names: Vec<(f64, String)> = places.iter().copied().zip(axis.labels.clone()).collect();
        let label = move |v: f64| {
            let found = names.iter().find(|(place, _)| (place - v).abs() < 1e-9);
            found.map_or(String::new(), |(_, name)| name.clone())
        };
        Axis::places(&axis.name, range, places.to_vec(), label)
    }

    /// Where the ruleset as it stands is, if that is one place.
    fn markers(&self, places: &[f64], colour: RGBColor) -> Vec<Marker> {
        let written = self.board.cells.iter().filter(|cell| cell.as_written).map(|cell| cell.at[self.x]);
        let mut at: Vec<usize> = written.collect();
        at.dedup();
        match at[..] {
            [one] => vec![Marker { at: places[one], label: "the rules as they stand".into(), colour }],
            _ => Vec::new(),
        }
    }

    /// Who wins above and below an edge of 0, and the target where there is one.
    fn sides(&self, page: &Page<'_, '_>, plot: &Plot, marker: Option<f64>) -> Done {
        let palette = page.palette;
        let zero = plot.y(0.0);
        page.fill([(plot.left, plot.top), (plot.right, zero)], palette.house, 0.08)?;
        page.fill([(plot.left, zero), (plot.right, plot.bottom)], palette.player, 0.08)?;
        page.line(vec![(plot.left, zero), (plot.right, zero)], palette.ink, 3)?;
        let line = self.board.line;
        if line != 0.0 {
            let y = plot.y(line * 100.0);
            for x in (plot.left..plot.right).step_by(22) {
                page.line(vec![(x, y), ((x + 13).min(plot.right), y)], palette.ink, 3)?;
            }
            let name = format!("target {}", self.measure.short(line, line_decimals(line)));
            page.text(&name, (plot.right - 10, y - 20), TEXT, palette.ink, HPos::Right)?;
        }
        // Each where the lines leave room: above a falling line on the right, below it on the left.
        let middle = |first: bool| {
            let of = |cells: Vec<Option<&BoardCell>>| {
                let mut values = cells.into_iter().flatten().filter_map(|cell| self.measure.value(cell));
                if first { values.next() } else { values.next_back() }
            };
            let ends = (0..self.lines().len()).filter_map(|line| of(self.on(line)));
            ends.map(|e| e.value).sum::<f64>()
        };
        let falls = middle(true) > middle(false);
        // Beside the marked value, not across its line.
        let marked = marker.map_or(plot.left, |at| plot.x(at));
        let place = |right: bool| match right {
            true if marked > plot.right - BESIDE => (marked - 14, HPos::Right),
            true => (plot.right - 14, HPos::Right),
            false if marked < plot.left + BESIDE => (marked + 14, HPos::Left),
            false => (plot.left + 14, HPos::Left),
        };
        if zero - plot.top > 44 {
            let (x, h) = place(falls);
            page.text("the house wins", (x, plot.top + 24), TEXT, palette.house, h)?;
        }
        if plot.bottom - zero > 44 {
            let (x, h) = place(!falls);
            page.text("the player wins", (x, plot.bottom - 24), TEXT, palette.player, h)?;
        }
        Ok(())
    }

    /// One line with its band, in runs that no missing cell breaks.
    fn draw_line(&self, page: &Page<'_, '_>, plot: &Plot, line: usize, places: &[f64]) -> Done {
        let colour = line_colour(line, page.palette);
        let numbers = self.board.axes[self.x].numbers.as_ref();
        let mut run: Vec<Point> = Vec::new();
        for (i, (x, cell)) in places.iter().zip(self.on(line)).enumerate() {
            // What is no number, such as `unlimited`, stands by itself.
            let joined = numbers.is_some_and(|numbers| numbers[i].is_some());
            if !joined {
                draw_run(page, plot, &run, colour)?;
                run.clear();
            }
            let point = cell.and_then(|cell| self.measure.value(cell));
            if let Some(e) = point {
                run.push(Point { x: *x, estimate: self.scaled(e) });
            }
            if point.is_none() || !joined {
                draw_run(page, plot, &run, colour)?;
                run.clear();
            }
        }
        draw_run(page, plot, &run, colour)
    }

    /// The names of lines at their right ends, moved apart where they would meet.
    fn names(&self, page: &Page<'_, '_>, plot: &Plot) -> Done {
        let mut names: Vec<(i32, usize, String)> = Vec::new();
        for (line, name) in self.lines().into_iter().enumerate() {
            let last =
                self.on(line).into_iter().flatten().filter_map(|cell| self.measure.value(cell)).next_back();
            if let (Some(e), false) = (last, name.is_empty()) {
                names.push((plot.y(self.scaled(e).value), line, name));
            }
        }
        names.sort();
        let mut below = plot.top - APART;
        for (y, _, _) in &mut names {
            *y = (*y).max(below + APART);
            below = *y;
        }
        let mut above = plot.bottom + APART;
        for (y, _, _) in names.iter_mut().rev() {
            *y = (*y).min(above - APART);
            above = *y;
        }
        for (y, line, name) in names {
            page.text(&name, (plot.right + 14, y), TEXT, line_colour(line, page.palette), HPos::Left)?;
        }
        Ok(())
    }
}

fn draw_run(page: &Page<'_, '_>, plot: &Plot, run: &[Point], colour: RGBColor) -> Done {
    let along = |value: fn(&Estimate) -> f64| -> Vec<(i32, i32)> {
        run.iter().map(|p| plot.at(p.x, value(&p.estimate))).collect()
    };
    if run.len() > 1 {
        page.band(&along(|e| e.high), &along(|e| e.low), colour, 0.3)?;
        page.line(along(|e| e.value), colour, 4)?;
    }
    for point in run {
        let (x, low) = plot.at(point.x, point.estimate.low);
        let high = plot.y(point.estimate.high);
        page.line(vec![(x, low), (x, high)], colour, 3)?;
        page.dot(plot.at(point.x, point.estimate.value), 7, colour)?;
    }
    Ok(())
}

impl Picture for Lines {
    fn title(&self) -> String {
        title(&self.board, self.measure)
    }

    fn caption(&self) -> String {
        format!("{} The bands are 95% intervals.", who_wins(&self.board, self.measure))
    }

    fn height(&self) -> u32 {
        HEIGHT
    }

    fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError> {
        let places = self.places();
        if places.is_empty() {
            return Ok(());
        }
        let widest = |texts: &mut dyn Iterator<Item = String>| {
            texts.map(|t| text::width(&t, TEXT)).fold(0.0, f64::max).ceil() as i32
        };
        let y = self.y_axis();
        let right = MARGIN + widest(&mut self.lines().into_iter()) + 24;
        let side = Some((MARGIN + widest(&mut y.labels()) + 24, right.min(WIDTH as i32 / 3)));
        let markers = self.markers(&places, page.palette.muted);
        let title = self.title();
        let frame = Frame {
            height: HEIGHT,
            title: &title,
            subtitle: &self.board.subtitle,
            keys: &[],
            markers: &markers,
            x: self.x_axis(&places),
            y,
            side,
        };
        let plot = frame.draw(page)?;
        if self.measure == Measure::Edge {
            self.sides(page, &plot, markers.first().map(|marker| marker.at))?;
        }
        for line in 0..self.lines().len() {
            self.draw_line(page, &plot, line, &places)?;
            for (x, cell) in places.iter().zip(self.on(line)) {
                if cell.is_some_and(|cell| matches!(cell.play, Play::Impossible)) {
                    let at = (plot.x(*x), plot.bottom - 20);
                    page.text("no game", at, TEXT * 0.8, page.palette.muted, HPos::Center)?;
                }
            }
        }
        self.names(page, &plot)
    }
}
