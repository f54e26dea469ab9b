//! What a night says as JSON, with everything needed to find it again.

use serde_json::json;

use super::{EstimateReport, words};
use crate::figures::ascii;
use crate::stats::{House, NightRow};

/// The results as one JSON object. Money is in cents. Nothing in it depends on the clock of the machine or on the number of
/// threads.
///
/// # Errors
/// None that these types can cause; serde's interface has one.
pub fn estimate_json(report: &EstimateReport<'_>) -> Result<String, serde_json::Error> {
    let casino = &report.rules.casino;
    let players = report.guests.iter().zip(report.tallies).zip(&report.found.shares);
    let players = players.map(|((guest, tally), share)| {
        json!({
            "name": guest.name,
            "strategy": { "name": guest.strategy, "text": guest.script },
            "share_expected": guest.share,
            "decks_each": guest.decks_each,
            "share": share,
            "games": tally.games(),
            "histogram": tally.histogram(),
            "edge": House::new(tally, casino).edge(),
        })
    });
    let results = report.results.iter().map(|row| match row {
        NightRow::Each { cards, decks } => json!({ "cards": cards, "decks": decks }),
        NightRow::Together { decks, paid } => json!({ "decks": decks, "paid": paid }),
    });
    let found = report.found;
    serde_json::to_string_pretty(&json!({
        "id": report.id,
        "saratoga": report.version,
        "command": report.command,
        "seed": report.seed,
        "rules": { "id": report.id, "name": report.name, "files": report.files },
        "price": casino.stake,
        "currency": casino.currency,
        "night": report.night,
        "results": results.collect::<Vec<_>>(),
        "prior_decks": report.weight,
        "alpha": report.alpha,
        "players": players.collect::<Vec<_>>(),
        "warnings": words::unexplained(report)
            .iter()
            .chain(&words::unused(report))
            .map(|it| ascii(&format!("{}{}", it.finding, it.rest)))
            .collect::<Vec<_>>(),
        "unexplained": found.unexplained,
        "fit": found.fit,
        "edge": found.edge,
        "edge_expected": found.edge_before,
        "chance_of_losing_edge": found.losing,
        "decks": found.decks,
        "paid": found.paid,
        "paid_expected": found.expected,
        "kept": found.kept,
        "chance": found.chance,
        "chance_of_less": found.chance_of_less,
        "too_bad_after": found.too_bad_after,
        "evidence": found.course,
        "draws": found.draws,
        "effective_draws": found.effective_draws,
    }))
}
