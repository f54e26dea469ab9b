//! Kinds of patrons: how well people play, modelled as strategies with an error rate.

use crate::rules::{MoveUnit, Spec};

/// Name of the searching strategy, which belongs to a higher layer.
pub(crate) const SEARCH: &str = "search";

/// Kinds of patrons: name, strategy, and description.
pub(crate) const PROFILES: &[(&str, &str, &str)] = &[
    ("beginner", "greedy:slip=50", "Beginner: greedy, but one decision in two is a slip."),
    (
        "ordinary",
        "greedy:slip=20",
        "Ordinary: greedy, or patient where any part of a run moves, but one decision in five is a slip.",
    ),
    ("expert", "patient", "Expert: the same as patient."),
    ("shark", "search:level=2", "Shark: the same as search:level=2."),
];

/// Returns whether any part of a run moves: then `greedy`, which moves whole piles, plays so poorly that errors improve
/// it.
pub(crate) fn parts_move(rules: &Spec) -> bool {
    rules.tableau.unit == MoveUnit::Sequence
}

/// Returns the strategy that represents a kind of patron if any part of a run moves, in case it is a different one.
pub(crate) fn where_parts_move(name: &str) -> Option<&'static str> {
    (name == "ordinary").then_some("patient:slip=20")
}

/// Returns the strategy that a name denotes under these rules.
pub(crate) fn under<'n>(name: &'n str, rules: &Spec) -> &'n str {
    where_parts_move(name).filter(|_| parts_move(rules)).unwrap_or(name)
}

/// Splits a name into a kind of patron and the settings that follow it.
pub(crate) fn settings(name: &str) -> Option<(&str, &str)> {
    name.split_once(':').filter(|(profile, _)| meant(profile).is_some())
}

/// Returns the strategy that represents a kind of patron.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    PROFILES.iter().find(|(profile, ..)| *profile == name).map(|(_, strategy, _)| *strategy)
}
