//! Who plays, by name. Native strategies and scripts as [`strategy`](crate::strategy) has them, and above
//! them the player that searches: [`search`]; and patrons, of whom one plays each game.

pub mod exact;
mod levels;
mod load;
mod patrons;
#[cfg(test)]
mod profile_tests;
pub mod search;

use crate::game::{MoveList, View};
use crate::strategy::{LoadError, StrategyError, StrategySource, Weighed, mix};
use crate::units::Patrons;

pub use levels::{Level, levels};
pub use load::{PLAYERS, is_profile, names, slow_policy};
pub use patrons::{House, Patron, is_patron_file};

/// The player of a name: `search` with its settings, or what [`strategy::load`](crate::strategy::load) finds. Patrons with
/// their shares, or the path of a file of patrons, are a player too: one of them plays each game.
///
/// # Errors
/// As with [`strategy::load`](crate::strategy::load), and settings that the player cannot have.
pub fn load(name_or_path: &str) -> Result<StrategySource, LoadError> {
    if name_or_path.ends_with(".toml") {
        return Ok(House::load(&Patrons::File(name_or_path.into()))?.mix());
    }
    mixed(name_or_path, load::load_one)
}

/// What every legal move comes to in deals that the player `search` of this name, with its settings, samples: the same deals
/// for all, and the moves in their order. `None` for other players. The player thinks on as one who knows every card, so that
/// the values are too high; they say which move is better.
///
/// # Errors
/// The fault of the player's policy, or that the program is to stop.
pub fn weigh_moves(
    name: &str,
    view: &View<'_>,
    legal: &MoveList,
) -> Option<Result<Vec<Weighed>, StrategyError>> {
    search::weigh_moves(name, crate::strategy::load, view, legal)
}

/// Refuses a player of whom one that is `search` may think more about a decision than these counts of its settings allow.
///
/// # Errors
/// The first setting that is too high, as a sentence.
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

/// The player that a file names; paths of scripts, that of a policy too, are from the file `from`.
///
/// # Errors
/// As with [`load`].
pub(crate) fn load_beside(name: &str, from: &str) -> Result<StrategySource, LoadError> {
    mixed(name, |name| load::load_one_beside(name, from))
}

/// One player, or patrons with their shares.
fn mixed(
    name: &str,
    load: impl Fn(&str) -> Result<StrategySource, LoadError>,
) -> Result<StrategySource, LoadError> {
    let Some(shares) = patrons::named(name) else { return load(name) };
    let each = shares?.into_iter().map(|it| Ok((load(&it.strategy)?, it.parts())));
    Ok(mix(None, each.collect::<Result<_, _>>()?))
}
