//! A figure over two axes as a map of coloured cells, or a map for each value of a third axis.

use super::super::board::line_name;
use super::super::board::{Board, BoardCell, Measure};
use super::common::{measured, nothing, range_in_words, tick, unit};
use crate::chart::{Axis, Cell, Chart, Key, Mark, Panel, Role, Shades, span};
use crate::figures::Side;
use crate::report::labels::upper_first;

/// An edge this far from the line has the strongest shade, or a house, which never wins more than the stake, would look pale
/// beside a player who wins several times as much.
const FAR: f64 = 100.0;
/// A frame lies so far inside its cell.
const INSET: f64 = 0.07;

/// One map.
struct Map<'b> {
    board: &'b Board,
    measure: Measure,
    axes: (usize, usize),
    /// The axis of the maps, and the value of this one.
    panel: Option<(usize, usize)>,
}

pub(super) fn chart(board: &Board, measure: Measure, axes: (usize, usize), panels: Option<usize>) -> Chart {
    let values = panels.map_or(1, |axis| board.axes[axis].labels.len());
    let map = |value: usize| Map { board, measure, axes, panel: panels.map(|axis| (axis, value)) };
    let maps: Vec<Map<'_>> = (0..values).map(map).collect();
    let shades = shades(board, measure);
    let rows = board.axes[axes.1].labels.len();
    let high = match (maps.len(), rows) {
        (1, ..=8) => 92,
        (1, ..=14) => 64,
        (_, ..=8) => 64,
        _ => 44,
    };
    let mut chart = Chart {
        keys: keys(&maps),
        panels: maps.iter().map(|map| map.panel(&shades)).collect(),
        shades: Some(shades),
        height: rows as i32 * high,
        ..Chart::default()
    };
    chart.caption = format!("{}{}", range_in_words(board, measure), words(&chart, &maps));
    chart
}

/// What the caption says of the words in cells: what is drawn of them.
fn words(chart: &Chart, maps: &[Map<'_>]) -> String {
    let Some(form) = chart.form() else { return " The scale names the colours.".into() };
    let cells = || maps.iter().flat_map(|map| map.board.cells.iter().map(|cell| map.words(cell)));
    let shown = |sign: char| cells().any(|forms| forms[form].iter().any(|text| text.contains(sign)));
    let mut text = String::new();
    if shown('±') {
        text.push_str(" After ± stands half the width of the 95% interval.");
    }
    if shown('?') {
        text.push_str(" ? marks a cell that is too close to call, all cells judged at once.");
    }
    text
}

/// The symbols of the maps.
fn keys(maps: &[Map<'_>]) -> Vec<Key> {
    let mut keys = Vec::new();
    let Some(board) = maps.first().map(|map| map.board) else { return keys };
    let borders: Vec<bool> = maps.iter().flat_map(Map::borders).map(|(_, open)| open).collect();
    if !borders.is_empty() {
        let open = if borders.contains(&true) { " (dashed: too close to call)" } else { "" };
        keys.push(Key::line(Role::Ink, format!("heavy line: {}{open}", line_name(board))));
    }
    if board.cells.iter().any(|cell| cell.as_written) {
        keys.push(Key::frame(Role::Ink, "the rules as they are"));
    }
    keys
}

fn shades(board: &Board, measure: Measure) -> Shades {
    let values = board.cells.iter().filter_map(|cell| measure.value(cell)).map(|e| e.value * unit(measure));
    let (low, high) = span(values).unwrap_or((0.0, 1.0));
    let scale = |low: f64, high: f64| {
        let scale = Axis::new("", (low, high), 6, |v, d| tick(measure)(v, d));
        Axis { range: (low, high), ..scale }
    };
    if measure != Measure::Edge {
        let high = if high > low { high } else { low + 1.0 };
        let (below, above) = (Role::Series(0), Role::Series(0));
        let ends = [measured(measure).into(), String::new()];
        return Shades { scale: scale(low, high), centre: low, reach: high - low, below, above, ends };
    }
    let centre = board.line * 100.0;
    let reach = (high - centre).abs().max((low - centre).abs()).clamp(1.0, FAR);
    let (least, most) = (low, high);
    let (low, high) = (low.min(centre).max(centre - reach), high.max(centre).min(centre + reach));
    let mut scale = scale(low, high);
    // The strongest shade stands for everything beyond it too.
    for tick in &mut scale.ticks {
        if tick.at - 1e-9 <= low && least < low {
            tick.name.insert_str(0, "≤ ");
        } else if tick.at + 1e-9 >= high && most > high {
            tick.name.insert_str(0, "≥ ");
        }
    }
    let (first, last) = match board.line == 0.0 {
        true => ("player gains", "house gains"),
        false => ("below the target", "above"),
    };
    let end = |seen: bool, words: &str| if seen { words.to_string() } else { String::new() };
    let ends = [end(low < centre, first), end(high > centre, last)];
    Shades { scale, centre, reach, below: Role::Player, above: Role::House, ends }
}

impl Map<'_> {
    fn cell(&self, x: usize, y: usize) -> Option<&BoardCell> {
        let mut at = vec![0; self.board.axes.len()];
        (at[self.axes.0], at[self.axes.1]) = (x, y);
        if let Some((axis, value)) = self.panel {
            at[axis] = value;
        }
        self.board.cell(&at)
    }

    /// Every place of the map.
    fn places(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let [columns, rows] = [self.axes.0, self.axes.1].map(|axis| self.board.axes[axis].labels.len());
        (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y)))
    }

    /// What is written in a cell and below, from the longest form to the shortest.
    fn words(&self, cell: &BoardCell) -> [[String; 2]; 4] {
        let alone = |text: String| [text, String::new()];
        let Some(e) = self.measure.value(cell) else {
            return [nothing(cell), nothing(cell), "–", "–"].map(|text| alone(text.into()));
        };
        let half = self.measure.half_width(e, 1);
        let open = self.measure == Measure::Edge && self.board.side(cell) == Some(Side::Open);
        let mark = if open { "?" } else { "" };
        let value = |d: usize| format!("{}{mark}", self.measure.short(e.value, d));
        [
            [value(1), format!("±{half:.1}")],
            alone(value(1)),
            alone(value(0)),
            alone(value(0).replace('%', "")),
        ]
    }

    fn panel(&self, shades: &Shades) -> Panel {
        let board = self.board;
        let axis = |axis: usize, way: &str| {
            (format!("{} ({way})", board.axes[axis].name), board.axes[axis].labels.clone())
        };
        let ((across, columns), (down, rows)) = (axis(self.axes.0, "across"), axis(self.axes.1, "down"));
        let drawn = |(x, y): (usize, usize)| {
            let cell = self.cell(x, y)?;
            let fill = self.measure.value(cell).map(|e| shades.of(e.value * unit(self.measure)));
            Some(Cell { x, y, fill, forms: self.words(cell).to_vec() })
        };
        let mut marks = vec![Mark::Cells(self.places().filter_map(drawn).collect())];
        // A rim of paper first, under all of the line.
        for (role, width) in [(Role::Paper, 12), (Role::Ink, 6)] {
            let border = |(ends, broken): ([(f64, f64); 2], bool)| Mark::Line {
                points: ends.to_vec(),
                role,
                width,
                broken,
            };
            marks.extend(self.borders().into_iter().map(border));
        }
        for (x, y) in self.places().filter(|&(x, y)| self.cell(x, y).is_some_and(|cell| cell.as_written)) {
            let [l, t, r, b] =
                [x as f64 + INSET, y as f64 + INSET, x as f64 + 1.0 - INSET, y as f64 + 1.0 - INSET];
            let points = vec![(l, t), (r, t), (r, b), (l, b), (l, t)];
            marks.push(Mark::Line { points, role: Role::Ink, width: 2, broken: false });
        }
        let title = self.panel.map_or(String::new(), |(axis, value)| {
            let axis = &board.axes[axis];
            let label = &axis.labels[value];
            if axis.people { label.clone() } else { upper_first(&format!("{} {label}", axis.name)) }
        });
        let (x, y) = (Axis::columns(across, columns), Axis::rows(down, rows));
        Panel { title, x, y, marks, ..Panel::default() }
    }

    /// The borders between cells on different sides of the line, and whether one of the two is too close to call.
    fn borders(&self) -> Vec<([(f64, f64); 2], bool)> {
        let edge = |x: usize, y: usize| {
            let cell = self.cell(x, y)?;
            let above = Measure::Edge.value(cell)?.value > self.board.line;
            Some((above, self.board.side(cell) == Some(Side::Open)))
        };
        let mut borders = Vec::new();
        for (x, y) in self.places() {
            let Some(here) = edge(x, y) else { continue };
            let mut part = |there: Option<(bool, bool)>, ends: [(usize, usize); 2]| {
                if let Some(there) = there.filter(|it| it.0 != here.0) {
                    borders.push((ends.map(|(x, y)| (x as f64, y as f64)), here.1 || there.1));
                }
            };
            part(edge(x + 1, y), [(x + 1, y), (x + 1, y + 1)]);
            part(edge(x, y + 1), [(x, y + 1), (x + 1, y + 1)]);
        }
        borders
    }
}
