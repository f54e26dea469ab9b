//! Strategies by name. They are native strategies and scripts as in [`strategy`], the searching
//! strategy in [`search`], and patrons, of whom one plays each game.

pub mod exact;
mod load;
mod patrons;
pub mod search;

use crate::strategy::{self, LoadError, StrategySource, mix};
use crate::units::Patrons;

use load::load_one;
pub use load::{PLAYERS, is_profile, names, slow_policy};
pub use patrons::{House, Level, Patron, is_patron_file, levels};
pub use search::evaluate_moves;

/// Loads a strategy by name: `search` with its settings, or what [`strategy::load`] finds.
/// Patrons with their shares, or the path of a file of patrons, are a strategy too: one of them plays each game.
///
/// # Errors
/// As with [`strategy::load`], and for invalid settings.
pub fn load(name_or_path: &str) -> Result<StrategySource, LoadError> {
    if name_or_path.ends_with(".toml") {
        return Ok(House::load(&Patrons::File(name_or_path.into()))?.mix());
    }
    mixed(name_or_path, strategy::load)
}

/// Checks that no `search` within a strategy may think more about a decision than these maximum settings.
///
/// # Errors
/// Returns the first setting that is too high, as a sentence.
pub fn check_thought(name: &str, most: &[(&str, u64)]) -> Result<(), String> {
    let names = match patrons::named(name) {
        Some(Ok(shares)) => shares.into_iter().map(|it| it.strategy).collect(),
        _ => vec![name.to_string()],
    };
    for (key, value) in names.iter().filter_map(|name| search::settings(name)).flatten() {
        let most = most.iter().find(|(of, _)| *of == key).map(|(_, most)| *most);
        let count = value.replace('_', "").parse::<u64>().ok();
        if let Some(most) = most.filter(|&most| count.is_some_and(|count| count > most)) {
            return Err(format!("`{key}` is at most {most} here, as somebody waits for it"));
        }
    }
    Ok(())
}

/// Loads a strategy named in a file; paths of scripts, including those of a policy, are relative to the file `from`.
///
/// # Errors
/// As with [`load`].
pub(crate) fn load_beside(name: &str, from: &str) -> Result<StrategySource, LoadError> {
    mixed(name, |name| strategy::load_beside(name, from))
}

/// Loads one strategy, or patrons with their shares; `load` loads what is neither of this module.
fn mixed(
    name: &str,
    load: impl Fn(&str) -> Result<StrategySource, LoadError>,
) -> Result<StrategySource, LoadError> {
    let Some(shares) = patrons::named(name) else { return load_one(name, &load) };
    let each = shares?.into_iter().map(|it| Ok((load_one(&it.strategy, &load)?, it.parts())));
    Ok(mix(None, each.collect::<Result<_, _>>()?))
}
