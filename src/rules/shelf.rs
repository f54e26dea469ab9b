//! The shelf: the rulesets of `rulesets/`, embedded in the program so that it runs from anywhere.

macro_rules! shelf {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../rulesets/", $name, ".toml")))),*]
    };
}

/// Every ruleset of the shelf with its text, sorted by name.
const SHELF: &[(&str, &str)] = shelf![
    "acme",
    "american-toad",
    "bsd",
    "bsd-1986",
    "candike",
    "canfield",
    "canfield-rush",
    "casino-canfield",
    "chameleon",
    "demon-1900",
    "demon-casino",
    "demon-two-packs",
    "double-canfield",
    "draw-one",
    "duke",
    "dutchess",
    "eagle-wing",
    "exorcism",
    "exorcism-die-draw",
    "exorcism-die-game",
    "exorcism-die-pass",
    "exorcism-up",
    "gate",
    "klondike",
    "klondike-draw-one",
    "klondike-worry-back",
    "little-gate",
    "minerva",
    "munger",
    "mystique",
    "nerts",
    "quadruple-canfield",
    "racing-demon",
    "rainbow",
    "rainfall",
    "selective",
    "single-pass",
    "storehouse",
    "superior",
    "thoughtful",
    "thoughtful-strict",
    "triple-canfield",
    "variegated",
];

/// Returns the rulesets of the shelf, each with its text, sorted by name.
pub const fn shelf() -> &'static [(&'static str, &'static str)] {
    SHELF
}
