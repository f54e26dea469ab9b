//! Prices as JSON, with everything needed to find them again.

use serde_json::{Value, json};

use super::PriceReport;
use crate::lab::{AtPrice, RankedVariant};
use crate::report::payments::more_payments;
use crate::stats::Term;

/// The name of a term in JSON.
fn key(term: Term) -> String {
    match term {
        Term::DeckPrice => "deck_price".into(),
        Term::PayPerCard => "pay_per_card".into(),
        Term::WinBonus => "win_bonus".into(),
        Term::StepPay(from) => format!("pay_per_card_after_{from}"),
        Term::StepBonus(from) => format!("bonus_for_{from}_cards"),
        Term::JackpotStart => "jackpot_start".into(),
        Term::RedealFee => "redeal_fee".into(),
    }
}

/// Values by term.
fn by_term(report: &PriceReport<'_>, values: impl Iterator<Item = Value>) -> Value {
    Value::Object(report.terms().into_iter().map(key).zip(values).collect())
}

fn at_price(at: &AtPrice) -> Value {
    json!({ "cents": at.cents, "edge": at.edge, "distance": at.distance })
}

fn variant(it: &RankedVariant) -> Value {
    json!({
        "change": it.change.as_ref().map(|change| json!({ "key": change.key(), "value": change.shown() })),
        "edges": it.edges,
        "at_price": at_price(&it.here),
        "round_price": it.round.as_ref().map(at_price),
    })
}

/// The results as one JSON object. Money is in cents, edges are fractions, limits that nothing bounds are `null`. Nothing
/// in it depends on the clock of the machine or on the number of threads.
///
/// # Errors
/// None that these types can cause; serde's interface has one.
pub fn price_json(report: &PriceReport<'_>) -> Result<String, serde_json::Error> {
    let results = report.results;
    let casino = &report.rules.casino;
    let mut players = Vec::new();
    for ((player, prices), tally) in report.players.iter().zip(&results.players).zip(&results.tallies) {
        let mut offers = Vec::new();
        for offer in &prices.offers {
            offers.push(match offer {
                Ok(offer) => serde_json::to_value(offer)?,
                Err(none) => serde_json::to_value(none)?,
            });
        }
        players.push(json!({
            "strategy": player.source(),
            "looks_at_prices": player.looks_at_prices(),
            "games": tally.games(),
            "wins": tally.wins(),
            "undecided": tally.undecided().iter().sum::<u64>(),
            "histogram": tally.histogram(),
            "edge": prices.edge,
            "offers": by_term(report, offers.into_iter()),
        }));
    }
    let mut common = Vec::new();
    for it in &results.common {
        common.push(serde_json::to_value(it)?);
    }
    let impossible = results.impossible.iter();
    serde_json::to_string_pretty(&json!({
        "id": report.id,
        "saratoga": report.version,
        "command": report.command,
        "seed": report.seed,
        "target_edge": report.target,
        "rules": report.rules_source(),
        "terms": {
            "deck_price": casino.stake,
            "pay_per_card": casino.pays_per_card,
            "win_bonus": casino.pays_for_win,
            "other_payments": more_payments(casino),
            "redeal_fees": casino.redeal_fees,
            "currency": casino.currency,
        },
        "players": players,
        "against_each": by_term(report, common.into_iter()),
        "variant_games": results.variant_games,
        "round_step": report.round,
        "variants": results.variants.iter().map(variant).collect::<Vec<_>>(),
        "impossible": impossible
            .map(|(change, why)| json!({ "key": change.key(), "value": change.shown(), "why": why }))
            .collect::<Vec<_>>(),
    }))
}
