//! Strategies by name. They are native strategies and scripts as in [`strategy`](crate::strategy), the searching
//! strategy in [`search`], and patrons, of whom one plays each game.

pub mod exact;
mod load;
mod patrons;
pub mod search;

use crate::game::{MoveList, View};
use crate::strategy::{LoadError, MoveValue, StrategyError, StrategySource, mix};
use crate::units::Patrons;

pub use load::{PLAYERS, is_profile, names, slow_policy};
pub use patrons::{House, Level, Patron, is_patron_file, levels};

/// Loads a strategy by name: `search` with its settings, or what [`strategy::load`](crate::strategy::load) finds.
/// Patrons with their shares, or the path of a file of patrons, are a strategy too: one of them plays each game.
///
/// # Errors
/// As with [`strategy::load`](crate::strategy::load), and for invalid settings.
pub fn load(name_or_path: &str) -> Result<StrategySource, LoadError> {
    if name_or_path.ends_with(".toml") {
        return Ok(House::load(&Patrons::File(name_or_path.into()))?.mix());
    }
    mixed(name_or_path, load::load_one)
}

/// Evaluates every legal move, in order, on deals sampled by the strategy `search` of this name with its settings: the
/// same deals for all moves. Returns `None` for other strategies. The playouts continue clairvoyantly, so the values
/// are too high; they serve to compare moves.
///
/// # Errors
/// Returns the error of the strategy's policy, or that the program is stopping.
pub fn evaluate_moves(
    name: &str,
    view: &View<'_>,
    legal: &MoveList,
) -> Option<Result<Vec<MoveValue>, StrategyError>> {
    search::evaluate_moves(name, crate::strategy::load, view, legal)
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
    mixed(name, |name| load::load_one_beside(name, from))
}

/// Loads one strategy, or patrons with their shares.
fn mixed(
    name: &str,
    load: impl Fn(&str) -> Result<StrategySource, LoadError>,
) -> Result<StrategySource, LoadError> {
    let Some(shares) = patrons::named(name) else { return load(name) };
    let each = shares?.into_iter().map(|it| Ok((load(&it.strategy)?, it.parts())));
    Ok(mix(None, each.collect::<Result<_, _>>()?))
}
