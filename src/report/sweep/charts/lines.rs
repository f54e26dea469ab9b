//! A figure along one axis, a line with its band of intervals for each strategy or ruleset.

use super::super::board::line_decimals;
use super::super::board::{Board, BoardCell, CellState, Measure};
use super::common::{drawn, measured, range_in_words, tick};
use crate::chart::{Axis, Beside, Chart, Hues, Key, Mark, Marker, Role, Stand, WHOLE, padded, span};
use crate::stats::Estimate;

/// The least part of the axis between two values for which values stand at their numbers.
const CROWDED: f64 = 0.05;

struct Lines<'b> {
    board: &'b Board,
    measure: Measure,
    x: usize,
    series: Option<usize>,
}

pub(super) fn chart(board: &Board, measure: Measure, x: usize, series: Option<usize>) -> Chart {
    Lines { board, measure, x, series }.chart()
}

impl Lines<'_> {
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

    /// The figures of one line, in the unit of the axis.
    fn figures(&self, line: usize) -> Vec<Option<Estimate>> {
        let figure = |cell: Option<&BoardCell>| Some(drawn(self.measure, self.measure.value(cell?)?));
        self.on(line).into_iter().map(figure).collect()
    }

    fn lines(&self) -> Vec<String> {
        self.series.map_or(vec![String::new()], |series| self.board.axes[series].labels.clone())
    }

    fn y_axis(&self) -> Axis {
        let all = (0..self.lines().len()).flat_map(|line| self.figures(line)).flatten();
        let mut values: Vec<f64> = all.flat_map(|e| [e.value, e.low, e.high]).collect();
        values.push(0.0);
        let edge = self.measure == Measure::Edge;
        values.extend(edge.then_some(self.board.line * 100.0));
        let (low, high) = span(values).unwrap_or((0.0, 1.0));
        let range = padded((low, high), 0.06);
        let range = if edge { range } else { (low.min(0.0), range.1) };
        Axis::new(measured(self.measure), range, 9, tick(self.measure))
    }

    /// Where the ruleset as it stands is, if that is one place.
    fn marker(&self, places: &[f64]) -> Option<Marker> {
        let written = self.board.cells.iter().filter(|cell| cell.as_written).map(|cell| cell.at[self.x]);
        let mut at: Vec<usize> = written.collect();
        at.dedup();
        let [one] = at[..] else { return None };
        Some(Marker::new(places[one], Role::Muted, "the rules as they are"))
    }

    /// Who wins above and below an edge of 0, and the target where there is one.
    fn sides(&self, marks: &mut Vec<Mark>) {
        marks.extend(Mark::sides_above());
        let line = self.board.line;
        if line != 0.0 {
            marks.push(Mark::level(line * 100.0, Role::Ink, true));
            let name = format!("target {}", self.measure.short(line, line_decimals(line)));
            marks.push(Mark::note((WHOLE.1, line * 100.0), name, Role::Ink, Stand::Left));
        }
        // Each where the lines leave room: above a falling line on the right, below it on the left.
        let figures = || (0..self.lines().len()).map(|line| self.figures(line));
        let first: f64 =
            figures().filter_map(|line| line.into_iter().flatten().next()).map(|e| e.value).sum();
        let last: f64 =
            figures().filter_map(|line| line.into_iter().flatten().next_back()).map(|e| e.value).sum();
        let (right, left) = ((WHOLE.1, Stand::Left), (WHOLE.0, Stand::Right));
        let (house, player) = if first > last { (right, left) } else { (left, right) };
        marks.push(Mark::note((house.0, WHOLE.1), "the house gains", Role::House, house.1));
        marks.push(Mark::note((player.0, WHOLE.0), "the player wins", Role::Player, player.1));
    }

    /// One line with its band, in runs that no missing cell breaks.
    fn line(&self, line: usize, role: Role, places: &[f64], marks: &mut Vec<Mark>) {
        let numbers = self.board.axes[self.x].numbers.as_ref();
        let points: Vec<Option<(f64, Estimate)>> =
            places.iter().zip(self.figures(line)).map(|(x, e)| Some((*x, e?))).collect();
        // What is no number, such as `unlimited`, stands by itself.
        let joined = |i: usize| numbers.is_some_and(|numbers| numbers[i].is_some());
        let in_line = points.iter().enumerate().map(|(i, point)| point.filter(|_| joined(i)));
        for run in in_line.collect::<Vec<_>>().split(Option::is_none) {
            let run: Vec<(f64, Estimate)> = run.iter().flatten().copied().collect();
            marks.extend(Mark::curve(&run, role));
        }
        for (x, e) in points.iter().flatten() {
            marks.push(Mark::thin(vec![(*x, e.low), (*x, e.high)], role));
            marks.push(Mark::dots(vec![(*x, e.value)], role, 7));
        }
        for (x, cell) in places.iter().zip(self.on(line)) {
            if cell.is_some_and(|cell| matches!(cell.play, CellState::Impossible)) {
                marks.push(Mark::note((*x, WHOLE.0), "no game", Role::Muted, Stand::Middle));
            }
        }
    }

    fn chart(&self) -> Chart {
        let places = self.places();
        let (Some(&low), Some(&high)) = (places.first(), places.last()) else { return Chart::default() };
        let range = if high > low { padded((low, high), 0.04) } else { (low - 1.0, high + 1.0) };
        let axis = &self.board.axes[self.x];
        let x = Axis::places(axis.name.clone(), range, places.iter().copied().zip(axis.labels.clone()));
        let mut marks = Vec::new();
        if self.measure == Measure::Edge {
            self.sides(&mut marks);
        }
        let hues = Hues::new(self.lines());
        let mut beside = Vec::new();
        for (line, name) in self.lines().into_iter().enumerate() {
            let role = hues.of(&name);
            self.line(line, role, &places, &mut marks);
            if let (Some(e), false) = (self.figures(line).into_iter().flatten().next_back(), name.is_empty())
            {
                beside.push(Beside { at: e.value, text: name, more: String::new(), role });
            }
        }
        let mut chart = Chart::plot(x, self.y_axis(), marks);
        chart.panels[0].beside = beside;
        chart.markers = self.marker(&places).into_iter().collect();
        let first = hues.of(&self.lines().concat());
        chart.keys = vec![match axis.numbers.is_some() {
            true => Key::area(first, 0.28, "95% interval"),
            false => Key::upright(first, "95% interval"),
        }];
        let joined = if axis.numbers.is_some() { "bands" } else { "upright lines" };
        chart.caption =
            format!("{} The {joined} are 95% intervals.", range_in_words(self.board, self.measure));
        chart
    }
}
