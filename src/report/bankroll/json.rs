//! A night as JSON, with everything needed to find it again.

use serde_json::json;

use super::{BankrollReport, unseen};
use crate::figures::ascii;
use crate::report::payments::more_payments;
use crate::stats::{House, LEVELS};

/// The results as one JSON object. Money is in cents, limits that nothing bounds are `null`. Nothing in it depends on the
/// clock of the machine or on the number of threads.
///
/// # Errors
/// None that these types can cause; serde's interface has one.
pub fn bankroll_json(report: &BankrollReport<'_>) -> Result<String, serde_json::Error> {
    let casino = &report.rules.casino;
    let patrons = report.patrons.iter().zip(&report.bankroll.shares).map(|(it, share_of_night)| {
        json!({
            "name": it.guest.name,
            "strategy": it.source(),
            "share": it.guest.share,
            "share_of_night": share_of_night,
            "decks_each": it.guest.decks_each,
            "games": it.tally.games(),
            "wins": it.tally.wins(),
            "undecided": it.tally.undecided().iter().sum::<u64>(),
            "histogram": it.tally.histogram(),
            "edge": House::new(it.tally, casino).edge(),
        })
    });
    serde_json::to_string_pretty(&json!({
        "id": report.id,
        "saratoga": report.version,
        "command": report.command,
        "seed": report.seed,
        "rules": report.rules_source(),
        "terms": {
            "deck_price": casino.stake,
            "pay_per_card": casino.pays_per_card,
            "win_bonus": casino.pays_for_win,
            "other_payments": more_payments(casino),
            "redeal_fees": casino.redeal_fees,
            "currency": casino.currency,
        },
        "edge": report.bankroll.edge(),
        "patrons": patrons.collect::<Vec<_>>(),
        "levels": LEVELS,
        "warnings": unseen::findings(report)
            .iter()
            .map(|it| ascii(&format!("{}{}", it.finding, it.rest)))
            .collect::<Vec<_>>(),
        "bankroll": report.bankroll,
    }))
}
