//! The shelf: the rulesets of `rulesets/`, compiled into the program so that it runs from anywhere.

macro_rules! shelf {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../rulesets/", $name, ".toml")))),*]
    };
}

/// Every ruleset of the shelf with its text, sorted by name.
const SHELF: &[(&str, &str)] = shelf![
    "canfield",
    "demon-1900",
    "demon-casino",
    "draw-one",
    "exorcism",
    "exorcism-die-draw",
    "exorcism-die-game",
    "exorcism-die-pass",
    "exorcism-up",
    "nerts",
    "racing-demon",
    "rainbow",
    "single-pass",
    "storehouse",
    "superior",
    "thoughtful",
    "thoughtful-strict",
];

/// The rulesets of the shelf, each with its text, sorted by name.
pub const fn shelf() -> &'static [(&'static str, &'static str)] {
    SHELF
}
