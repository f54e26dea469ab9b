//! The summary of answers as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::effort::Spread;
use super::{SolveReport, efforts};
use crate::report::provenance::{Provenance, RulesSource, ScriptSource};
use crate::solver::Goal;
use crate::stats::{MostCards, ShortfallSummary, Summary, Winnable};

#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    provenance: Provenance<'a>,
    rules: RulesSource<'a>,
    file: Option<&'a str>,
    goal: &'static str,
    limits: Limits,
    deals: usize,
    /// Of the die that is rolled for the game; 1 without.
    faces: usize,
    winnable: Winnable,
    /// Answers that a limit left open; a player may since have shown that some of them can be won.
    open: BTreeMap<String, u64>,
    /// Where the most cards were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    most_cards: Option<MostCards>,
    effort: Vec<Row>,
    peak_memory_bytes: usize,
    players: Vec<PlayerObject<'a>>,
}

#[derive(Serialize)]
struct Limits {
    nodes: Option<u64>,
    seconds: Option<f64>,
    memory_bytes: usize,
}

#[derive(Serialize)]
struct Row {
    answers: &'static str,
    deals: u64,
    nodes: Spread,
    seconds: Spread,
}

#[derive(Serialize)]
struct PlayerObject<'a> {
    id: String,
    strategy: ScriptSource<'a>,
    summary: &'a Summary,
    left: &'a ShortfallSummary,
}

fn players<'a>(report: &'a SolveReport<'_>) -> impl Iterator<Item = PlayerObject<'a>> {
    report.names().into_iter().zip(&report.players).map(|(id, it)| PlayerObject {
        id,
        strategy: it.source(),
        summary: &it.summary,
        left: &it.left,
    })
}

/// What the strategies left of the deals, as JSON Lines: one object a strategy, as in the summary.
///
/// # Errors
/// None that these types can cause; serde's interface has one.
pub fn solve_players_json(report: &SolveReport<'_>) -> Result<String, serde_json::Error> {
    players(report).map(|player| serde_json::to_string(&player).map(|line| line + "\n")).collect()
}

/// The summary as one JSON object without a line break at its end. But for seconds and, with a limit on them, what it
/// stopped, nothing in it depends on the machine.
///
/// # Errors
/// None that these types can cause; serde's interface has one.
pub fn solve_summary_json(report: &SolveReport<'_>) -> Result<String, serde_json::Error> {
    let rows = efforts(report).into_iter().map(|it| Row {
        answers: it.which.word(),
        deals: it.deals,
        nodes: it.nodes,
        seconds: it.seconds,
    });
    let limits = &report.limits;
    serde_json::to_string_pretty(&Object {
        provenance: report.provenance(),
        rules: report.rules_source(),
        file: report.file.as_deref(),
        goal: if report.goal == Goal::Cards { "cards" } else { "win" },
        limits: Limits { nodes: limits.nodes, seconds: limits.seconds, memory_bytes: limits.memory },
        deals: report.bounds.deals(),
        faces: report.bounds.faces(),
        winnable: report.winnable(),
        open: report.open_by_limit().into_iter().map(|(limit, n)| (limit.to_string(), n)).collect(),
        most_cards: report.most_cards(),
        effort: rows.collect(),
        peak_memory_bytes: report.bytes(),
        players: players(report).collect(),
    })
}
