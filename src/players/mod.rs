//! Layer 4: who plays, by name. Native strategies and scripts as [`strategy`] has them, and above
//! them the player that searches: [`search`].

pub mod exact;
pub mod search;

use std::sync::Arc;

use crate::strategy::{self, LoadError, StrategySource};

use search::SearchMaker;

/// The players of this layer, with what they do.
pub const PLAYERS: &[(&str, &str)] =
    &[("search", "Search: looks ahead over deals that agree with what it has seen.")];

/// Names of all players that need no file, sorted, each with its first line.
pub fn names() -> Vec<(&'static str, &'static str)> {
    let mut all = strategy::names();
    all.extend(PLAYERS);
    all.sort_unstable();
    all
}

/// The player of a name: `search` with its settings, or what [`strategy::load`] finds.
///
/// # Errors
/// As with [`strategy::load`], and settings that the player cannot have.
pub fn load(name_or_path: &str) -> Result<StrategySource, LoadError> {
    load_with(name_or_path, strategy::load)
}

/// The player that a file names; paths of scripts, that of a policy too, are from the file `from`.
///
/// # Errors
/// As with [`load`].
pub(crate) fn load_beside(name: &str, from: &str) -> Result<StrategySource, LoadError> {
    load_with(name, |name| strategy::load_beside(name, from))
}

fn load_with(
    name: &str,
    load: impl Fn(&str) -> Result<StrategySource, LoadError>,
) -> Result<StrategySource, LoadError> {
    match search::settings(name) {
        None => load(name).map_err(|error| match error {
            LoadError::Unknown { name, .. } => strategy::unknown_among(&name, &names()),
            other => other,
        }),
        Some(settings) => SearchMaker::read(&settings, load)
            .map(|maker| StrategySource::made(name, Arc::new(maker)))
            .map_err(|reason| LoadError::Player { name: "search".into(), reason }),
    }
}
