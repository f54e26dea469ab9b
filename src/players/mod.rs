//! Layer 4: who plays, by name. Native strategies and scripts as [`strategy`] has them, and above
//! them the player that searches: [`search`].

pub mod exact;
pub mod search;

use std::sync::Arc;

use crate::strategy::{self, LoadError, Setting, StrategySource, split_settings};

use search::{Options, SearchMaker};

/// The players of this layer, with what they do.
pub const PLAYERS: &[(&str, &str)] =
    &[("search", "Search: looks ahead in deals that agree with all it has seen, as a careful person would.")];

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
    of_this_layer(name_or_path).unwrap_or_else(|| strategy::load(name_or_path))
}

/// The player that a file names; paths of scripts are from the file `from`.
///
/// # Errors
/// As with [`load`].
pub(crate) fn load_beside(name: &str, from: &str) -> Result<StrategySource, LoadError> {
    of_this_layer(name).unwrap_or_else(|| strategy::load_beside(name, from))
}

/// A player of this layer, if the name is that of one.
fn of_this_layer(name_or_path: &str) -> Option<Result<StrategySource, LoadError>> {
    let (name, settings) = split_settings(name_or_path);
    (name == "search").then(|| search(name_or_path, &settings))
}

fn search(name: &str, settings: &[Setting]) -> Result<StrategySource, LoadError> {
    let fault = |reason: String| LoadError::Player { name: "search".into(), reason };
    let options = Options::read(settings).map_err(|error| fault(error.to_string()))?;
    let policy = match options.policy.as_str() {
        "search" => {
            return Err(fault("its policy cannot be `search`; a policy plays thousands of games".into()));
        }
        policy => strategy::load(policy).map_err(|error| fault(format!("its policy: {error}")))?,
    };
    Ok(StrategySource::made(name, Arc::new(SearchMaker { options: Arc::new(options), policy })))
}
