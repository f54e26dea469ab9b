//! Brackets as JSON, with everything needed to find them again.

use serde_json::{Value, json};

use super::{BracketPoint, BracketReport};
use crate::stats::{Bracket, Gain, Measure, Summary};

fn bracket(bracket: &Bracket) -> Value {
    json!({
        "lower": bracket.lower,
        "upper": bracket.upper,
        "proven": bracket.proven,
        "width": bracket.width,
    })
}

fn player(report: &BracketReport<'_>, point: &BracketPoint<'_>, i: usize) -> Value {
    let figures = |s: &Summary| {
        json!({
            "games": s.games,
            "wins": s.wins,
            "undecided": s.undecided,
            "cards": s.cards,
            "win_rate": s.win_rate,
            "net": s.net,
            "house_edge": s.house_edge,
        })
    };
    let best: Vec<&str> = Measure::ALL
        .iter()
        .zip(point.found.chosen)
        .filter(|&(_, chosen)| chosen == i)
        .map(|(measure, _)| measure.word())
        .collect();
    json!({
        "strategy": report.players.get(i).map(|it| it.name),
        "chosen_for": best,
        "judged": figures(&point.summaries[i]),
        "choosing": figures(&point.choosing[i]),
    })
}

fn point(report: &BracketReport<'_>, point: &BracketPoint<'_>) -> Value {
    let found = point.found;
    let brackets = &point.brackets;
    json!({
        "id": point.id,
        "change": point.key.zip(point.value.as_ref()).map(|(key, value)| json!({ "key": key, "value": value })),
        "name": point.spec.name,
        "deals": found.deals(),
        "complete": !found.interrupted,
        "upper_bound": {
            "of": if point.is_trivial() { "rules" } else { "clairvoyant" },
            "why": found.refused.as_ref().map(ToString::to_string),
            "undecided": point.undecided(),
            "winnable": found.bounds.winnable(),
            "most_cards": found.bounds.most_cards(point.spec).cards,
        },
        "cards": bracket(&brackets.cards),
        "wins": bracket(&brackets.wins),
        "net": bracket(&brackets.net),
        "house_edge": brackets.house_edge.as_ref().map(bracket),
        "gains": point.gain().map(|gain| match gain {
            Gain::House => "house",
            Gain::Player => "player",
            _ => "open",
        }),
        "would_tell": point.gain().filter(|gain| !matches!(gain, Gain::House | Gain::Player)),
        "players": (0..point.summaries.len()).map(|i| player(report, point, i)).collect::<Vec<_>>(),
    })
}

/// The results as one JSON object. Money is in cents; rates and edges are fractions. Nothing in it depends on the clock of
/// the machine or on the number of threads.
///
/// # Errors
/// None that these types can cause; serde's interface has one.
pub fn bracket_json(report: &BracketReport<'_>) -> Result<String, serde_json::Error> {
    let provenance = report.provenance();
    serde_json::to_string_pretty(&json!({
        "saratoga": report.version,
        "command": report.command,
        "seed": report.seed,
        "games": report.games,
        "choosing_games": report.choosing,
        "nodes": report.nodes,
        "varied": report.varied,
        "rules": provenance.rules,
        "strategies": provenance.strategies,
        "points": report.points.iter().map(|it| point(report, it)).collect::<Vec<_>>(),
    }))
}
