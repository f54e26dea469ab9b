//! A tuning as JSON, with everything needed to make it again.

use serde_json::{Map, Value, json};

use super::TuneReport;
use crate::strategy::script::{Parameter, ParameterKind};

fn value(parameter: &Parameter, value: i64) -> Value {
    match parameter.kind {
        ParameterKind::Number(..) => value.into(),
        ParameterKind::Truth => (value != 0).into(),
    }
}

fn values(report: &TuneReport<'_>, of: &[i64]) -> Value {
    let each = report.parameters.iter().zip(of);
    Value::Object(each.map(|(it, &of)| (it.name.clone(), value(it, of))).collect::<Map<_, _>>())
}

/// The whole tuning as one object.
///
/// # Errors
/// What cannot be said in JSON; nothing that a run gives.
pub fn tune_json(report: &TuneReport<'_>) -> serde_json::Result<String> {
    let parameter = |it: &Parameter| {
        let (low, high) = it.bounds();
        json!({ "name": it.name, "default": value(it, it.default), "from": value(it, low), "to": value(it, high) })
    };
    let candidate = |it: &crate::lab::tune::Candidate| {
        json!({
            "values": values(report, &it.values),
            "generation": it.generation + 1,
            "heats": it.heats,
            "deals": it.deals,
            "mean": it.mean(),
        })
    };
    let entry = |it: &crate::report::compare::ComparedEntry<'_>| json!({ "strategy": it.script_source(), "summary": report.compared().then_some(it.entry.summary) });
    let first = report.fresh.entries.first();
    serde_json::to_string_pretty(&json!({
        "saratoga": report.version,
        "command": report.command,
        "seed": first.map(|it| it.entry.seed),
        "measure": report.measure,
        "rules": first.map(|it| it.rules_source()),
        "parameters": report.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "found": values(report, &report.raced.winner),
        "written": report.written,
        "race": {
            "games": report.raced.games,
            "first_deal": report.first,
            "interrupted": report.raced.interrupted,
            "candidates": report.raced.candidates.iter().map(candidate).collect::<Vec<_>>(),
        },
        "fresh": {
            "games": report.fresh.compared.games,
            "entries": report.fresh.entries.iter().map(entry).collect::<Vec<_>>(),
            "gain": report.gain().filter(|_| report.found()),
        },
    }))
}
