//! Matches of a contest as JSON, with everything needed to play them again.

use serde::Serialize;
use serde_json::{Value, json};

use super::ContestReport;
use crate::contest::{ContestSpec, Foundations, Goal, PlayerSpec};
use crate::report::provenance::{Provenance, RulesSource, ScriptSource, Source};
use crate::rules::file::Word;
use crate::stats::{ContestSummary, SpeedPoint};

#[derive(Serialize)]
struct Object<'a> {
    id: &'a str,
    #[serde(flatten)]
    provenance: Provenance<'a>,
    matches: u64,
    /// Every key, as it was played.
    contest: Value,
    files: &'a [Source<'a>],
    rules: RulesSource<'a>,
    /// By player.
    strategies: Vec<ScriptSource<'a>>,
    summary: &'a ContestSummary,
    /// The first player at other speeds.
    speeds: &'a [SpeedPoint],
}

fn object<'a>(report: &'a ContestReport<'a>) -> Object<'a> {
    Object {
        id: report.id,
        provenance: report.provenance(),
        matches: report.summary.matches,
        contest: contest(report.spec),
        files: report.files,
        rules: report.rules_source(),
        strategies: report.strategies().collect(),
        summary: report.summary,
        speeds: report.speeds,
    }
}

/// A contest's keys, nested as in its file.
fn contest(spec: &ContestSpec) -> Value {
    let goal = match spec.goal {
        Goal::Deals(deals) => json!({ "deals": deals }),
        Goal::Target { points, max_rounds } => json!({ "target": points, "max_rounds": max_rounds }),
    };
    let ends = (spec.foundations == Foundations::Shared).then(|| spec.deal_ends.word());
    json!({
        "name": spec.name,
        "also": spec.also,
        "about": spec.about,
        "source": spec.source,
        "rules": spec.rules,
        "foundations": spec.foundations.word(),
        "score": spec.score,
        "deal_ends": ends,
        "match": goal,
        "clock": { "gather": thousandths(spec.gather) },
        "player": spec.players.iter().map(player).collect::<Vec<_>>(),
    })
}

fn player(player: &PlayerSpec) -> Value {
    json!({
        "name": player.name,
        "strategy": player.strategy,
        "speed": thousandths(player.speed),
        "jitter": thousandths(player.jitter),
        "team": player.team,
    })
}

fn thousandths(n: u32) -> f64 {
    f64::from(n) / 1000.0
}

/// The `summary.json` of a contest, one object: what was played and what came of it. Nothing in it depends on the
/// clock of the machine or on the number of threads.
///
/// # Errors
/// None that these types can cause; serde's interface has one.
pub fn contest_json(report: &ContestReport<'_>) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(&object(report))? + "\n")
}

/// The same as a JSON array of one, for standard output.
///
/// # Errors
/// As [`contest_json`].
pub fn contest_array(report: &ContestReport<'_>) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(&[object(report)])? + "\n")
}
