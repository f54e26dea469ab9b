//! Result of a sweep: its cells with their figures, and where the house edge crosses the target.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::Casino;
use crate::stats::{
    AtOnce, Crossing, Difference, Estimate, Precision, Side, Sides, Summary, TAIL, crossing, summarize,
};

use super::allocate::{Aim, Standing};
use super::axis::{Axis, AxisKind};
use super::plan::{Against, Cell, Plan};
use super::run::SoFar;

/// Result of a sweep. Nothing in it depends on the clock, the machine, the number of threads or interruptions.
#[derive(Clone, Debug, Serialize)]
pub struct Swept {
    /// Games of all cells.
    pub games: u64,
    /// Rounds, the last of them perhaps unfinished.
    pub rounds: u32,
    /// Whether no round is to come.
    pub finished: bool,
    /// The house edge looked for, a fraction.
    pub target_edge: f64,
    /// The half-width wanted of each cell's interval.
    pub precision: Precision,
    /// Most games of all cells.
    pub budget: u64,
    /// Games of every cell, where they were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games_per_cell: Option<u64>,
    /// What was varied.
    pub axes: Vec<Axis>,
    /// What cells are compared with: `the original rules`, or changes of them.
    pub against: String,
    /// Whether all cells are dealt from the same packs, and so the same deals.
    pub same_deals: bool,
    /// How many cells lie on which side of the target edge.
    pub sides: Sides,
    /// Where the edge crosses the target, where an axis of numbers is drawn along the page.
    pub crossings: Vec<Place>,
    /// The cells; the last axis goes through its values first.
    pub cells: Vec<SweptCell>,
}

/// A cell with its figures.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SweptCell {
    /// The number of its value on each axis.
    #[serde(skip)]
    pub at: Vec<usize>,
    /// Its values by axis.
    pub values: BTreeMap<&'static str, String>,
    /// Whether its rules are those of the ruleset as it stands.
    pub as_written: bool,
    /// Its changes as a ruleset of their own; `None` where no key is varied.
    pub ruleset: Option<String>,
    /// Why its values make no valid ruleset.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub impossible: Vec<String>,
    /// What it pays.
    #[serde(skip)]
    pub casino: Option<Casino>,
    /// Its side of the target edge, with 95% confidence for all cells at once.
    pub side: Option<Side>,
    /// Whether it needs no more games; `None` without a game.
    pub enough: Option<bool>,
    /// Its figures, without the running edge; `None` without a game.
    pub summary: Option<Summary>,
    /// The same with intervals that hold for all cells at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_once: Option<AtOnce>,
    /// Its figures less those of what it is compared with, on the first deals of both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The same with intervals that hold for all compared cells at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference_at_once: Option<Difference>,
}

/// How the cells lie on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One axis along the page, and lines for the values of another where there is one.
    Lines {
        /// The axis along the page.
        x: usize,
        /// The axis of the lines.
        series: Option<usize>,
    },
    /// Two axes, and a map for each value of a third where there is one.
    Maps {
        /// The axis across.
        x: usize,
        /// The axis down.
        y: usize,
        /// The axis of the maps.
        panels: Option<usize>,
    },
}

impl Shape {
    /// That of these axes, for each of which is said whether it is a key, and how many values it has. Rulesets and strategies
    /// are lines or maps of their own; of keys the one with most values goes along the page.
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
    /// The axis along which it lies.
    pub along: &'static str,
    /// The axis whose values are lines of their own.
    pub of: Option<&'static str>,
    /// The value of that axis.
    pub value: Option<String>,
    /// The number of that value.
    #[serde(skip)]
    pub line: Option<usize>,
    /// The values beside it.
    pub between: [String; 2],
    /// Their numbers.
    #[serde(skip)]
    pub ends: Option<[f64; 2]>,
    /// Whether some value on one side and some on the other lie surely beyond the target.
    pub sure: bool,
    /// Where on a straight line between the two; nothing beside a value that is no number. A limit is null where the
    /// target may be crossed beyond the axis.
    #[serde(flatten)]
    pub crossing: Option<Crossing>,
    /// The first number and the last of the axis.
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

    /// The house edge with an interval that holds for all cells at once.
    pub fn edge_at_once(&self) -> Option<Estimate> {
        self.at_once?.edge
    }
}

/// Why a cell is no game, if it is none.
fn reasons(cell: &Cell) -> Vec<String> {
    let Err(faults) = &cell.rules else { return Vec::new() };
    let in_words = |fault: &Diagnostic| match &fault.help {
        Some(help) => format!("{}; {help}", fault.message),
        None => fault.message.clone(),
    };
    faults.iter().filter(|fault| fault.severity == Severity::Error).map(in_words).collect()
}

impl Swept {
    /// The figures of what was played.
    pub fn new(plan: &Plan, against: &Against, so_far: &SoFar, aim: &Aim) -> Swept {
        let cells = 0..plan.cells.len();
        let mut packs = plan.rulesets().map(|loaded| loaded.rules.spec().deal.packs);
        let first = packs.next();
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
            same_deals: packs.all(|packs| Some(packs) == first),
            sides: Sides::default(),
            crossings: Vec::new(),
            cells: cells.map(|index| SweptCell::new(plan, index, against, so_far, aim)).collect(),
        };
        swept.judged()
    }

    /// The same with its sides counted and its crossings found.
    pub(crate) fn judged(mut self) -> Swept {
        self.sides = Sides::of(self.played().map(|cell| cell.side));
        self.crossings = self.find_crossings();
        self
    }

    /// The cells with games.
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

    /// The crossings along axis `x`, of one value of another axis where there is one.
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
