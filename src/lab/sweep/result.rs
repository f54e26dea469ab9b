//! Result of a sweep: its cells with their figures, and the places where the house edge crosses the target.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::Casino;
use crate::stats::{AtOnce, Difference, Estimate, Precision, Side, Sides, Summary, TAIL, summarize};

use super::plan::{Against, Axis, AxisKind, Cell, Plan};
use super::{Aim, SoFar, Standing};

/// Result of a sweep, independent of the clock, the machine, the number of threads and interruptions.
#[derive(Clone, Debug, Serialize)]
pub struct Swept {
    /// Number of games, all cells together.
    pub games: u64,
    /// Number of rounds; the last may be unfinished.
    pub rounds: u32,
    /// Whether no more rounds follow.
    pub finished: bool,
    /// The house edge of interest, a fraction.
    pub target_edge: f64,
    /// The half-width wanted for each cell's interval.
    pub precision: Precision,
    /// Maximum number of games, all cells together.
    pub budget: u64,
    /// Fixed number of games per cell, if given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games_per_cell: Option<u64>,
    /// The axes.
    pub axes: Vec<Axis>,
    /// Name of the baseline rules: `the original rules`, or the changes.
    pub against: String,
    /// Whether all cells use the same packs, and so the same deals.
    pub same_deals: bool,
    /// Number of cells on either side of the target edge.
    pub sides: Sides,
    /// Places where the edge crosses the target, if an axis of numbers is horizontal.
    pub crossings: Vec<Place>,
    /// The cells, with the last axis varying fastest.
    pub cells: Vec<SweptCell>,
}

/// A cell with its figures.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SweptCell {
    /// Index of its value on each axis.
    #[serde(skip)]
    pub at: Vec<usize>,
    /// Its values by axis.
    pub values: BTreeMap<&'static str, String>,
    /// Whether its rules are those of the ruleset as written.
    pub as_written: bool,
    /// Its changes as a ruleset file; `None` if no key is varied.
    pub ruleset: Option<String>,
    /// The faults that make its values invalid.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub impossible: Vec<String>,
    /// The terms of its casino.
    #[serde(skip)]
    pub casino: Option<Casino>,
    /// Its side of the target edge, with joint 95% confidence for all cells.
    pub side: Option<Side>,
    /// Whether it needs no more games; `None` if invalid.
    pub enough: Option<bool>,
    /// Its figures, without the running edge; `None` if invalid.
    pub summary: Option<Summary>,
    /// The same figures, with joint confidence for all cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_once: Option<AtOnce>,
    /// Its figures minus those of its baseline, on the first deals of both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The same differences, with joint confidence for all compared cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference_at_once: Option<Difference>,
}

/// Layout of the cells on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One horizontal axis, with lines for the values of another, if any.
    Lines {
        /// The horizontal axis.
        x: usize,
        /// The axis of the lines.
        series: Option<usize>,
    },
    /// Two axes, with a map for each value of a third, if any.
    Maps {
        /// The horizontal axis.
        x: usize,
        /// The vertical axis.
        y: usize,
        /// The axis of the maps.
        panels: Option<usize>,
    },
}

impl Shape {
    /// Chooses the layout for these axes, given for each whether it is a key, and its number of values. Rulesets and
    /// strategies become lines or maps of their own; of several keys, the one with most values is horizontal.
    pub fn of(axes: &[(bool, usize)]) -> Shape {
        let mut order: Vec<usize> = (0..axes.len()).collect();
        order.sort_by_key(|&i| (!axes[i].0, Reverse(axes[i].1)));
        match order[..] {
            [x, other] if !axes[other].0 => Shape::Lines { x, series: Some(other) },
            [x, y] => Shape::Maps { x, y, panels: None },
            [x, y, panels, ..] => Shape::Maps { x, y, panels: Some(panels) },
            _ => Shape::Lines { x: 0, series: None },
        }
    }
}

/// A place where the edge crosses the target, along one line of the chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// The axis of the crossing.
    pub along: &'static str,
    /// The axis whose values are the lines.
    pub of: Option<&'static str>,
    /// The line's value on that axis.
    pub value: Option<String>,
    /// The index of that value.
    #[serde(skip)]
    pub line: Option<usize>,
    /// The neighbouring values.
    pub between: [String; 2],
    /// Their numbers.
    #[serde(skip)]
    pub ends: Option<[f64; 2]>,
    /// Whether a value on either side is beyond the target with confidence.
    pub sure: bool,
    /// Position on a straight line between the two; `None` beside a value that is no number. A limit is null if the
    /// crossing may lie beyond the axis.
    #[serde(flatten)]
    pub crossing: Option<Crossing>,
    /// First and last number of the axis.
    #[serde(skip)]
    pub axis: Option<[f64; 2]>,
}

impl SweptCell {
    fn new(plan: &Plan, index: usize, against: &Against, so_far: &SoFar, aim: &Aim) -> SweptCell {
        let cell = &plan.cells[index];
        let values = plan.axes.iter().zip(&cell.at);
        let mut swept = SweptCell {
            at: cell.at.clone(),
            values: values.map(|(axis, &value)| (axis.name(), axis.values()[value].clone())).collect(),
            as_written: cell.as_written,
            impossible: reasons(cell),
            ..SweptCell::default()
        };
        let Ok(loaded) = &cell.rules else { return swept };
        let spec = loaded.rules.spec();
        swept.casino = Some(spec.casino.clone());
        if plan.axes.iter().any(|axis| matches!(axis.kind(), AxisKind::Key(_))) {
            swept.ruleset = loaded.sources.first().map(|text| text.text.clone());
        }
        let Some(tally) = so_far.tallies[index].as_ref().filter(|tally| tally.games() > 0) else {
            return swept;
        };
        let played = so_far.tallies.iter().flatten().filter(|tally| tally.games() > 0).count();
        let at_once = AtOnce::of(tally, spec, played);
        swept.side = at_once.edge.map(|e| Side::between(e.low - aim.line, e.high - aim.line));
        swept.at_once = Some(at_once);
        swept.enough = Some(Standing::of(tally, spec, aim).enough());
        swept.summary = Some(summarize(tally, spec, Vec::new()));
        if let Some(tally) = so_far.differences[index].as_ref().filter(|tally| tally.games() > 0) {
            let base = against.rules[cell.ruleset].rules.spec();
            let compared = so_far.differences.iter().flatten().count();
            swept.difference = Some(tally.summary_at(TAIL, spec, base));
            swept.difference_at_once = Some(tally.summary_at(TAIL / compared as f64, spec, base));
        }
        swept
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.summary.as_ref().map_or(0, |summary| summary.games)
    }

    /// Returns the house edge with joint confidence for all cells.
    pub fn edge_at_once(&self) -> Option<Estimate> {
        self.at_once?.edge
    }
}

/// Returns the faults that make a cell invalid.
fn reasons(cell: &Cell) -> Vec<String> {
    let Err(faults) = &cell.rules else { return Vec::new() };
    let in_words = |fault: &Diagnostic| match &fault.help {
        Some(help) => format!("{}; {help}", fault.message),
        None => fault.message.clone(),
    };
    faults.iter().filter(|fault| fault.severity == Severity::Error).map(in_words).collect()
}

impl Swept {
    /// Computes the result of the games so far.
    pub fn new(plan: &Plan, against: &Against, so_far: &SoFar, aim: &Aim) -> Swept {
        let cells = 0..plan.cells.len();
        let mut shapes = plan.rulesets().map(|loaded| loaded.rules.deck_shape());
        let first = shapes.next();
        let swept = Swept {
            games: so_far.games(),
            rounds: so_far.round,
            finished: so_far.finished,
            target_edge: aim.line,
            precision: aim.precision,
            budget: aim.budget,
            games_per_cell: aim.each,
            axes: plan.axes.clone(),
            against: against.name.clone(),
            same_deals: shapes.all(|shape| Some(shape) == first),
            sides: Sides::default(),
            crossings: Vec::new(),
            cells: cells.map(|index| SweptCell::new(plan, index, against, so_far, aim)).collect(),
        };
        swept.judged()
    }

    /// Counts the sides of its cells and finds its crossings.
    pub fn judged(mut self) -> Swept {
        self.sides = Sides::of(self.played().map(|cell| cell.side));
        self.crossings = self.find_crossings();
        self
    }

    /// Returns the cells with games.
    pub fn played(&self) -> impl Iterator<Item = &SweptCell> {
        self.cells.iter().filter(|cell| cell.summary.is_some())
    }

    fn find_crossings(&self) -> Vec<Place> {
        let axes: Vec<(bool, usize)> = self
            .axes
            .iter()
            .map(|axis| (matches!(axis.kind(), AxisKind::Key(_)), axis.values().len()))
            .collect();
        let Shape::Lines { x, series } = Shape::of(&axes) else { return Vec::new() };
        let Some(numbers) = self.axes.get(x).and_then(Axis::numbers) else { return Vec::new() };
        let lines = series.map_or(1, |series| axes[series].1);
        (0..lines).flat_map(|line| self.crossings_of_line(x, &numbers, series.map(|it| (it, line)))).collect()
    }

    /// Returns the crossings along axis `x`, for one value of the other axis, if any.
    fn crossings_of_line(
        &self,
        x: usize,
        numbers: &[Option<f64>],
        series: Option<(usize, usize)>,
    ) -> Vec<Place> {
        let on_line =
            self.cells.iter().filter(|cell| series.is_none_or(|(axis, value)| cell.at[axis] == value));
        let points: Vec<(usize, Estimate)> =
            on_line.filter_map(|cell| Some((cell.at[x], cell.edge_at_once()?))).collect();
        let in_order: Vec<(f64, Estimate)> =
            points.iter().map_while(|&(value, edge)| Some((numbers[value]?, edge))).collect();
        let line = self.target_edge;
        let above = |points: &[(usize, Estimate)]| points.iter().any(|(_, edge)| edge.low > line);
        let below = |points: &[(usize, Estimate)]| points.iter().any(|(_, edge)| edge.high < line);
        let mut places = Vec::new();
        for (i, pair) in points.windows(2).enumerate() {
            let [(from, a), (to, b)] = [pair[0], pair[1]];
            if (a.value > line) == (b.value > line) {
                continue;
            }
            let (left, right) = points.split_at(i + 1);
            places.push(Place {
                along: self.axes[x].name(),
                of: series.map(|(axis, _)| self.axes[axis].name()),
                value: series.map(|(axis, value)| self.axes[axis].values()[value].clone()),
                line: series.map(|(_, value)| value),
                between: [from, to].map(|value| self.axes[x].values()[value].clone()),
                ends: numbers[from].zip(numbers[to]).map(|(left, right)| [left, right]),
                sure: above(left) && below(right) || below(left) && above(right),
                crossing: crossing(&in_order, i, line),
                axis: in_order.first().zip(in_order.last()).map(|(first, last)| [first.0, last.0]),
            });
        }
        places
    }
}

/// A point on an axis at which a figure crosses a line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Crossing {
    /// The point, by linear interpolation.
    pub at: f64,
    /// The lower limit of the point; `None` if the crossing may lie beyond the last value on that side.
    pub low: Option<f64>,
    /// The upper limit; see `low`.
    pub high: Option<f64>,
}

/// Returns where the figure crosses the line between point `i` and the next. Each point is a value of the axis,
/// ascending or descending, and the figure there. The limits enclose every value whose linearly interpolated interval
/// contains the line. `None` without such points.
pub fn crossing(points: &[(f64, Estimate)], i: usize, line: f64) -> Option<Crossing> {
    let [(left, from), (right, to), ..] = points.get(i..)? else { return None };
    let at = left + (right - left) * (line - from.value) / (to.value - from.value);
    let low = reach(points[..=i].iter().rev().copied(), at, points.get(i + 1).copied(), line);
    let high = reach(points[i + 1..].iter().copied(), at, Some(points[i]), line);
    Some(Crossing { at, low, high })
}

/// Returns the limit of a crossing on one side, given the points away from it; `behind` is the neighbouring point on
/// the other side. `None` if even the last point does not exclude the line.
fn reach(
    points: impl Iterator<Item = (f64, Estimate)>,
    at: f64,
    behind: Option<(f64, Estimate)>,
    line: f64,
) -> Option<f64> {
    let mut before = behind?;
    let mut first = true;
    for next in points {
        // The point of this segment at which a limit passes the line, if any.
        let leaves = |limit: fn(&Estimate) -> f64, beyond: fn(f64, f64) -> bool| {
            let (a, b) = (limit(&before.1), limit(&next.1));
            let from = if first { at } else { before.0 };
            beyond(b, line).then(|| {
                let x = before.0 + (next.0 - before.0) * (line - a) / (b - a);
                // Never nearer than the crossing itself, or than the start of the segment.
                if next.0 < before.0 { x.min(from) } else { x.max(from) }
            })
        };
        let found = leaves(|e| e.low, |limit, line| limit > line)
            .or_else(|| leaves(|e| e.high, |limit, line| limit < line));
        if found.is_some() {
            return found;
        }
        before = next;
        first = false;
    }
    None
}
