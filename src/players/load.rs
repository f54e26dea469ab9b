//! Loads one strategy by name: native strategies, scripts, kinds of patrons, and the searching strategy.

use std::sync::Arc;

use crate::strategy::settings::{self, SEARCH};
use crate::strategy::{self, LoadError, StrategySource};

use super::search::{self, SearchMaker};

/// The strategies of this module, with descriptions.
pub const PLAYERS: &[(&str, &str)] =
    &[(SEARCH, "Search: looks ahead over deals that agree with what it has seen.")];

/// Lists the names of all strategies that need no file, sorted, each with the first line of its description.
pub fn names() -> Vec<(&'static str, &'static str)> {
    let mut all = strategy::names();
    all.extend(PLAYERS);
    all.extend(settings::PROFILES.iter().map(|(name, _, about)| (*name, *about)));
    all.sort_unstable();
    all
}

/// Returns whether a name is a kind of patron, which plays like another strategy with occasional errors.
pub fn is_profile(name: &str) -> bool {
    settings::meant(name).is_some()
}

/// Loads a strategy by name: a kind of patron, `search` with its settings, or what `load` finds.
pub(super) fn load_one(
    name: &str,
    load: &impl Fn(&str) -> Result<StrategySource, LoadError>,
) -> Result<StrategySource, LoadError> {
    if let Some(meant) = settings::meant(name) {
        let usual = load_one(meant, load)?.called(name);
        return match settings::where_parts_move(name) {
            None => Ok(usual),
            Some(other) => Ok(strategy::by_rules(name, [usual, load_one(other, load)?])),
        };
    }
    if let Some((profile, settings)) = settings::after_patron(name) {
        let plays = settings::meant(profile).unwrap_or_default();
        let more = if plays.contains(':') { ',' } else { ':' };
        let plain =
            plays.split_once(":slip=").filter(|_| settings.starts_with("slip=")).map(|(plain, _)| plain);
        let meant = plain.map_or(format!("{plays}{more}{settings}"), |plain| format!("{plain}:{settings}"));
        let reason = format!("a kind of patron has no settings; it plays as `{plays}`: write `{meant}`");
        return Err(LoadError::Player { name: profile.into(), reason });
    }
    match search::settings(name) {
        None => load(name).map_err(|error| match error {
            LoadError::Unknown { name, .. } => strategy::unknown_among(&name, &names()),
            other => other,
        }),
        Some(mut settings) => {
            let fault = |reason: String| LoadError::Player { name: SEARCH.into(), reason };
            let slips: Vec<_> = settings.extract_if(.., |(key, _)| key == "slip").collect();
            let maker = SearchMaker::read(&settings, load)?;
            match &slips[..] {
                [] => Ok(StrategySource::made(name, Arc::new(maker))),
                [(_, slip)] => StrategySource::made(settings::join(SEARCH, &settings), Arc::new(maker))
                    .with_error_rate(slip)
                    .map_err(|error| fault(error.to_string())),
                _ => Err(fault("`slip` is set twice".into())),
            }
        }
    }
}

/// Returns the policy of a `search` with this name, if that policy searches too: a game then takes minutes.
pub fn slow_policy(name: &str) -> Option<String> {
    let policy = search::settings(name)?.into_iter().find(|(key, _)| key == "policy")?.1;
    strategy::load(&policy).ok().filter(|source| source.instantiate().is_slow()).map(|_| policy)
}
