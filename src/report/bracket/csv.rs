//! Brackets as comma-separated values: a row for each ruleset and measure, in full precision.

use super::{BracketPoint, BracketReport};
use crate::report::csv::{Row, table};
use crate::stats::{Bracket, Width};

const HEAD: [&str; 17] = [
    "rules",
    "key",
    "value",
    "measure",
    "deals",
    "undecided",
    "upper_bound",
    "lower",
    "lower_low",
    "lower_high",
    "upper",
    "upper_low",
    "upper_high",
    "width",
    "width_sampling",
    "width_undecided",
    "width_hidden",
];

/// A row for each ruleset and each of cards, wins, net (cents) and house edge (a fraction).
pub fn bracket_csv(report: &BracketReport<'_>) -> String {
    let mut rows = vec![HEAD.into_iter().fold(Row::default(), Row::field)];
    for point in &report.points {
        let found = &point.brackets;
        let measures = [
            ("cards", Some(found.cards)),
            ("wins", Some(found.wins)),
            ("net_cents", Some(found.net)),
            ("house_edge", found.house_edge),
        ];
        let known = measures.into_iter().filter_map(|(measure, bracket)| Some((measure, bracket?)));
        rows.extend(known.map(|(measure, bracket)| row(point, measure, &bracket)));
    }
    table(rows)
}

fn row(point: &BracketPoint<'_>, measure: &str, bracket: &Bracket) -> Row {
    let (key, value) = (point.key.unwrap_or_default(), point.value.as_deref().unwrap_or_default());
    let of = if point.is_trivial() { "rules" } else { "clairvoyant" };
    let row = Row::default().text(point.id).text(key).text(value).field(measure);
    let row = row.field(point.found.deals()).field(point.undecided()).field(of);
    let row = row.estimate(Some(bracket.lower)).estimate(Some(bracket.upper));
    let Width { total, sampling, undecided, hidden } = bracket.width;
    row.field(total).field(sampling).field(undecided).field(hidden)
}
