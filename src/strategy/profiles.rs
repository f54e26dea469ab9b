//! Kinds of patrons: how well people play, as strategies with a share of slips.

use crate::rules::{MoveUnit, Spec};

/// The player that searches, which is of a layer above.
pub(crate) const SEARCH: &str = "search";

/// A kind of patron: a name, the strategy that it stands for, and what it is.
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

/// Whether any part of a run moves: there `greedy`, which moves whole piles, plays so poorly that slips help it.
pub(crate) fn parts_move(rules: &Spec) -> bool {
    rules.tableau.unit == MoveUnit::Sequence
}

/// The strategy that a kind of patron stands for where any part of a run moves, if it is another one there.
pub(crate) fn where_parts_move(name: &str) -> Option<&'static str> {
    (name == "ordinary").then_some("patient:slip=20")
}

/// Who plays under these rules as a name says.
pub(crate) fn under<'n>(name: &'n str, rules: &Spec) -> &'n str {
    where_parts_move(name).filter(|_| parts_move(rules)).unwrap_or(name)
}

/// A kind of patron and the settings that somebody wrote behind it.
pub(crate) fn settings(name: &str) -> Option<(&str, &str)> {
    name.split_once(':').filter(|(profile, _)| meant(profile).is_some())
}

/// The strategy that a kind of patron stands for.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    PROFILES.iter().find(|(profile, ..)| *profile == name).map(|(_, strategy, _)| *strategy)
}
