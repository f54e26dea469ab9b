//! The shelf: the contests of `rulesets/contests/`, embedded in the program so that it runs from anywhere.

macro_rules! shelf {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../rulesets/contests/", $name, ".toml")))),*]
    };
}

/// Every contest of the shelf with its text, sorted by name.
const SHELF: &[(&str, &str)] = shelf!["exorcism-competition", "exorcism-teams", "nerts", "racing-demon"];

/// Returns the contests of the shelf, each with its text, sorted by name.
pub const fn shelf() -> &'static [(&'static str, &'static str)] {
    SHELF
}
