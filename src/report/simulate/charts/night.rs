//! The house's profit over a night: a fan of quantiles.

use super::common::subtitle;
use crate::chart::{Axis, Chart, Key, Mark, Role, WHOLE, padded, span};
use crate::format::{count, fixed, money, share};
use crate::report::Entry;
use crate::stats::Night;

/// Minimum number of games to predict the luck of a night.
const FEWEST_GAMES: u64 = 30;

pub(super) fn chart(entry: &Entry<'_>, night: &Night) -> Option<Chart> {
    let casino = &entry.rules.casino;
    let given = night.decks.iter().copied().zip(night.quantiles.iter().copied());
    let given = given.filter(|(decks, q)| *decks > 0 && q.iter().all(|v| v.is_finite()));
    // At the start of the night: no decks, no profit.
    let points: Vec<(u32, [f64; 5])> = std::iter::once((0, [0.0; 5])).chain(given).collect();
    let [_, .., (decks, [lowest, _, median, _, highest])] = points[..] else { return None };
    if entry.summary.games < FEWEST_GAMES {
        return None;
    }
    let range = span(points.iter().flat_map(|(_, q)| q.map(|cents| cents / 100.0))).unwrap_or((0.0, 1.0));
    let loses = share(night.losing_probability);
    let band = |low: usize, high: usize| {
        points.iter().map(|(decks, q)| (f64::from(*decks), q[low] / 100.0, q[high] / 100.0)).collect()
    };
    let line = points.iter().map(|(decks, q)| (f64::from(*decks), q[2] / 100.0)).collect();
    let marks = vec![
        Mark::area(WHOLE, (WHOLE.0, 0.0), Role::Player, 0.12),
        Mark::band(band(0, 4), Role::House, 0.22),
        Mark::band(band(1, 3), Role::House, 0.36),
        Mark::level(0.0, Role::Ink, false),
        Mark::line(line, Role::House),
    ];
    let sold = if entry.summary.stakes.is_some() { "hands offered" } else { "decks sold" };
    let x = Axis::new(sold, (0.0, f64::from(decks)), 8, fixed);
    let y = Axis::money("profit of the house", casino, padded(range, 0.06), 6);
    let decks = count(u64::from(decks));
    let sum = |cents: f64| money(cents, casino, false);
    Some(Chart {
        name: "night".into(),
        title: format!(
            "A typical night of {decks} decks {} {}; {loses} end with a loss",
            if median < 0.0 { "costs the house" } else { "brings the house" },
            money(median.abs(), casino, true)
        ),
        subtitle: subtitle(entry),
        caption: format!(
            "How luck changes the house's profit during the night. Line: median; bands: the middle half \
                 of all nights, and nine in ten. After {decks} decks, half of all nights bring {} or \
                 more and nine in ten lie between {} and {}; {loses} of nights end with a loss for the \
                 house.",
            sum(median),
            sum(lowest),
            sum(highest),
        ),
        keys: vec![
            Key::line(Role::House, "median"),
            Key::area(Role::House, 0.5, "half of nights"),
            Key::area(Role::House, 0.22, "9 in 10"),
            Key::area(Role::Player, 0.12, format!("house loses: {loses} of nights of {decks} decks")),
        ],
        ..Chart::plot(x, y, marks)
    })
}
