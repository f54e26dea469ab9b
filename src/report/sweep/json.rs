//! A sweep as JSON, with everything needed to play it again.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::board::{Board, BoardCell, CellState, Measure};
use super::crossings::{Place, axes, places};
use super::{SweepReport, rules_source};
use crate::diagnostic::Severity;
use crate::figures::Side;
use crate::lab::sweep::{Aim, Cell};
use crate::report::answer::Sides;
use crate::report::provenance::{Provenance, RulesSource, ScriptSource};
use crate::stats::{Difference, Estimate, Precision, Summary};

#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    provenance: Provenance<'a>,
    /// Played by all cells.
    games: u64,
    rounds: u32,
    /// Whether no round is to come.
    finished: bool,
    target_edge: f64,
    precision: Value,
    budget: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    games_per_cell: Option<u64>,
    axes: Vec<Value>,
    rules: Vec<RulesSource<'a>>,
    strategies: Vec<ScriptSource<'a>>,
    /// What cells are compared with.
    against: &'a str,
    /// How many cells lie on which side of the target edge.
    sides: Sides,
    /// Where the edge crosses the target edge, where one axis of numbers is drawn along the page.
    crossings: Vec<Value>,
    cells: Vec<CellObject<'a>>,
}

#[derive(Serialize)]
struct CellObject<'a> {
    /// By axis.
    values: BTreeMap<&'static str, &'a str>,
    as_written: bool,
    /// The changes as a ruleset of their own; none where nothing is changed.
    ruleset: Option<&'a str>,
    /// Why there is no such game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    impossible: Vec<String>,
    /// `house`, `player` or `open`: on which side of the target edge it lies, with 95% confidence for all cells at once.
    side: Option<&'static str>,
    /// The interval by which that is judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    house_edge_at_once: Option<Estimate>,
    enough: Option<bool>,
    summary: Option<Short<'a>>,
    /// Its figures less those of what it is compared with, on the first deals of both.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
}

/// The figures of a cell.
#[derive(Serialize)]
struct Short<'a> {
    games: u64,
    wins: u64,
    undecided: u64,
    house_edge: &'a Option<crate::stats::Estimate>,
    win_rate: crate::stats::Estimate,
    cards: crate::stats::Estimate,
    cards_sd: f64,
    net: crate::stats::Estimate,
    net_sd: f64,
    histogram: &'a [u64],
}

impl<'a> Short<'a> {
    fn of(s: &'a Summary) -> Short<'a> {
        Short {
            games: s.games,
            wins: s.wins,
            undecided: s.undecided,
            house_edge: &s.house_edge,
            win_rate: s.win_rate,
            cards: s.cards,
            cards_sd: s.cards_sd,
            net: s.net,
            net_sd: s.net_sd,
            histogram: &s.histogram,
        }
    }
}

/// Why a cell is no game, if it is none.
pub(super) fn reasons(cell: &Cell) -> Vec<String> {
    let Err(faults) = &cell.rules else { return Vec::new() };
    let errors = faults.iter().filter(|fault| fault.severity == Severity::Error);
    let said = |fault: &crate::diagnostic::Diagnostic| match &fault.help {
        Some(help) => format!("{}; {help}", fault.message),
        None => fault.message.clone(),
    };
    errors.map(said).collect()
}

/// The sweep as one JSON value without a line break at its end. Nothing in it depends on the clock, the machine,
/// the number of threads or interruptions.
///
/// # Errors
/// None that these types can cause; serde's interface has one.
pub fn sweep_json(report: &SweepReport<'_>) -> Result<String, serde_json::Error> {
    let plan = report.plan;
    let Aim { precision, line, budget, each } = report.aim;
    let precision = match precision {
        Precision::Cards(width) => json!({ "of": "cards", "half_width": width }),
        Precision::Edge(width) => json!({ "of": "house_edge", "half_width": width }),
    };
    let board = Board::new(report);
    let played = board.cells.iter().filter(|cell| matches!(cell.play, CellState::Played { .. }));
    let axes = plan.axes.iter().map(|axis| json!({ "name": axis.name(), "values": axis.values() }));
    let object = Object {
        provenance: report.provenance(),
        games: report.so_far.games(),
        rounds: report.so_far.round,
        finished: report.so_far.finished,
        target_edge: line,
        precision,
        budget,
        games_per_cell: each,
        axes: axes.collect(),
        rules: report.rules.iter().map(rules_source).collect(),
        strategies: report.scripts().collect(),
        against: &report.against.name,
        crossings: crossings(&board),
        sides: Sides::of(played.map(|cell| board.side(cell))),
        cells: board
            .cells
            .iter()
            .enumerate()
            .map(|(i, shown)| cell_object(report, i, &board, shown))
            .collect(),
    };
    serde_json::to_string_pretty(&object)
}

/// Every crossing, with limits that hold for all cells at once; a limit is null where the line may be crossed beyond the axis.
fn crossings(board: &Board) -> Vec<Value> {
    let Some((along, series)) = axes(board) else { return Vec::new() };
    let object = |place: Place<'_>| {
        json!({
            "along": board.axes[along].key,
            "of": series.map(|series| &board.axes[series].key),
            "value": place.of,
            "between": place.between,
            "sure": place.sure,
            "at": place.crossing.map(|it| it.at),
            "low": place.crossing.and_then(|it| it.low),
            "high": place.crossing.and_then(|it| it.high),
        })
    };
    places(board).into_iter().map(object).collect()
}

fn cell_object<'a>(
    report: &'a SweepReport<'a>,
    index: usize,
    board: &Board,
    shown: &BoardCell,
) -> CellObject<'a> {
    let plan = report.plan;
    let cell = &plan.cells[index];
    let values = plan.axes.iter().zip(&cell.at).map(|(axis, &value)| (axis.name(), &*axis.values()[value]));
    let changed = plan.axes.iter().any(|axis| matches!(axis.kind(), crate::lab::sweep::AxisKind::Key(_)));
    let text = cell.rules.as_ref().ok().and_then(|rules| rules.sources.first());
    let summary = report.summaries[index].as_ref();
    CellObject {
        values: values.collect(),
        as_written: cell.as_written,
        ruleset: text.filter(|_| changed).map(|text| &*text.text),
        impossible: reasons(cell),
        side: board.side(shown).map(Side::word),
        house_edge_at_once: Measure::Edge.of_chosen(shown),
        enough: report.standing(index).map(|standing| standing.enough()),
        summary: summary.map(Short::of),
        difference: report.difference(index, 1),
    }
}
