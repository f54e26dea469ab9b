//! Parts shared by several charts: colours, subtitles, and the title of an axis of edges.

use crate::chart::{Hues, Role};
use crate::format::games;
use crate::report::Entry;
use crate::report::entry::stem;
use crate::report::labels::{labels, rules_in_full};

/// Returns the colours of the players of a report.
pub(super) fn hues(entries: &[Entry<'_>]) -> Hues {
    Hues::new(labels(entries).into_iter().map(|label| label.player))
}

/// Returns the subtitle that says which games a chart shows.
pub(super) fn subtitle(entry: &Entry<'_>) -> String {
    let (rules, strategy, games) = (rules_in_full(entry), stem(entry.strategy), games(entry.summary.games));
    format!("{rules}, played by {strategy}: {games}, {}", entry.source())
}

/// Returns the title of an axis of edges.
pub(super) fn edge_axis(entries: &[Entry<'_>]) -> &'static str {
    match entries.iter().all(|entry| entry.summary.stakes.is_none()) {
        true => "house edge, % of the deck's price",
        false => "house edge, % of the stake",
    }
}

/// Returns the colour of the side that gains with this many cards.
pub(super) fn side_of_cards(cards: usize, turn: usize) -> Role {
    if cards < turn { Role::House } else { Role::Player }
}
