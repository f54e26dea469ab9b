//! The shelf, and the names of the players that a script may ask.

use std::collections::BTreeSet;

use crate::diagnostic::did_you_mean;

use super::super::native::NATIVE;
use super::super::profiles::{PROFILES, SEARCH, meant};
use super::super::settings::split;
use super::names::{Meaning, NAMES, Thought};

/// Every shelf script: its name and its text, sorted by name.
pub const SHELF: &[(&str, &str)] = &[
    ("cautious", include_str!("../../../scripts/cautious.rhai")),
    ("chooser", include_str!("../../../scripts/chooser.rhai")),
    ("foresight", include_str!("../../../scripts/foresight.rhai")),
    ("greedy", include_str!("../../../scripts/greedy.rhai")),
    ("hoarder", include_str!("../../../scripts/hoarder.rhai")),
    ("patient", include_str!("../../../scripts/patient.rhai")),
    ("racer", include_str!("../../../scripts/racer.rhai")),
    ("reserve-first", include_str!("../../../scripts/reserve-first.rhai")),
    ("sampler", include_str!("../../../scripts/sampler.rhai")),
    ("tunable", include_str!("../../../scripts/tunable.rhai")),
];

/// Lists the strategies whose names need no path, including that of the higher layer.
fn shelf() -> impl Iterator<Item = &'static str> + Clone {
    let scripts = SHELF.iter().map(|(name, _)| *name);
    let profiles = PROFILES.iter().map(|(name, ..)| *name);
    scripts.chain(NATIVE.iter().map(|(name, _)| *name)).chain(profiles).chain([SEARCH])
}

/// Returns whether a name is that of a strategy of the shelf, possibly followed by settings.
pub fn is_on_shelf(name: &str) -> bool {
    shelf().any(|known| known == split(name).0)
}

/// Describes the allowed players.
pub fn allowed() -> String {
    let all = |is_kind: bool| {
        let names = shelf().filter(|name| may_not(name).is_none() && meant(name).is_some() == is_kind);
        names.collect::<BTreeSet<&str>>().into_iter().collect::<Vec<_>>().join(", ")
    };
    format!(
        "allowed: {}, with their settings; {}; functions of this script with the parameters `(view, m)` or `(view)`",
        all(false),
        all(true)
    )
}

/// Explains why a strategy of this name cannot be asked, whatever its settings.
pub fn may_not(name: &str) -> Option<&'static str> {
    let plain = split(name).0;
    let plain = split(meant(plain).unwrap_or(plain)).0;
    let text = SHELF.iter().find(|(known, _)| *known == plain).map_or("", |(_, text)| text);
    match () {
        () if plain == SEARCH => {
            Some("it searches deals of its own, which a player that is asked may not do")
        }
        () if plays_on(text) => {
            Some("it plays sampled deals on itself, which a player that is asked may not do")
        }
        () => None,
    }
}

/// Explains what is wrong with a name that is not a strategy of the shelf, and suggests another.
pub fn unknown(method: &str, name: &str) -> (String, Option<&'static str>) {
    let message = format!(
        "`{method}` was given \"{name}\", which is no strategy of the shelf and no function of this script with the \
         parameters `(view, m)` or `(view)`"
    );
    (message, did_you_mean(split(name).0, shelf().filter(|name| may_not(name).is_none())))
}

/// Returns whether a script plays out sampled deals, so that its games take long.
pub fn plays_on(text: &str) -> bool {
    text.contains(&format!(".{}(", Thought::Playout))
}

/// Returns whether a script looks at positions ahead, its own or those of sampled deals.
pub fn looks_ahead(text: &str) -> bool {
    let mut thinks = NAMES.iter().filter(|name| matches!(name.meaning, Meaning::Think(_)));
    thinks.any(|name| text.contains(&format!(".{}(", name.name)))
}
