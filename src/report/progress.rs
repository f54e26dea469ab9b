//! Figures of a run in progress, for a progress line.

use crate::contest::ContestSpec;
use crate::format::{ascii, edge, games, one_line, percent};
use crate::rules::Spec;
use crate::stats::{ContestTally, Tally, running_point};

/// Formats the house edge so far with its interval; for a free deck, the games so far.
pub fn running_figure(tally: &Tally, rules: &Spec) -> String {
    let figure = match running_point(tally, rules) {
        Some(point) => format!("house edge {}", edge(point.edge).both()),
        None => games(tally.games()),
    };
    ascii(&figure)
}

/// Formats the first player's win rate so far.
pub fn running_wins(tally: &ContestTally, spec: &ContestSpec) -> String {
    let name = spec.players.first().map_or(String::new(), |player| one_line(&player.name));
    ascii(&format!("{name} wins {}", percent(tally.at_speed(spec, 0, 1.0).win_rate).both()))
}
