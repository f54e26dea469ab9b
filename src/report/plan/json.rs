//! A plan as JSON, with everything needed to find it again.

use serde_json::json;

use super::{PlanReport, PlannedRules, words};
use crate::stats::Estimate;

/// The results as one JSON object. Money is in cents, limits that nothing bounds are `null`. Nothing in it depends on the
/// clock of the machine or on the number of threads.
///
/// # Errors
/// None that these types can cause; serde's interface has one.
pub fn plan_json(report: &PlanReport<'_>) -> Result<String, serde_json::Error> {
    let rulesets: Vec<_> = report.rulesets.iter().map(|rules| ruleset(report, rules)).collect();
    let all = json!({
        "saratoga": report.version,
        "command": report.command,
        "seed": report.seed,
        "target": { "low": report.target.0, "high": report.target.1 },
        "price_given": report.given,
        "round": report.round,
        "rulesets": rulesets,
    });
    serde_json::to_string_pretty(&all)
}

fn ruleset(report: &PlanReport<'_>, rules: &PlannedRules<'_>) -> serde_json::Value {
    let found = rules.found;
    let shares = report.shares(rules);
    let players = report.players.iter().zip(&found.tallies).enumerate().map(|(i, (player, tally))| {
        let gain = report.gain_of(rules, i);
        json!({
            "name": player.name,
            "strategy": { "name": player.strategy, "text": player.script },
            "share": player.share,
            "share_of_night": shares[i],
            "decks_each": player.decks_each,
            "games": tally.games(),
            "wins": tally.wins(),
            "histogram": tally.histogram(),
            "edge": report.edge_against(rules, i),
            "net": Estimate { value: -gain.value, low: -gain.high, high: -gain.low },
        })
    });
    json!({
        "id": rules.id,
        "rules": rules.source(),
        "price": rules.price(),
        "offer": found.offer,
        "currency": rules.casino().currency,
        "edge": rules.edge(),
        "players": players.collect::<Vec<_>>(),
        "bankroll": found.bankroll,
        "decks_of_the_best_until_the_edge_is_gone": report.decks_of_the_best(rules),
        "hit_frequency": words::hit_frequency(report, rules),
        "rtp_bands": found.bands,
        "pay_table": found.pay_table,
        "season": found.season,
        "every_card_known": found.known.as_ref().map(|(deals, known)| json!({
            "deals": deals,
            "most_cards": known,
        })),
    })
}
