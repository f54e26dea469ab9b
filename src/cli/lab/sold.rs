//! A ruleset with another price of the deck, and what the reports of prices and nights share.

use crate::cli::error::CliError;
use crate::cli::input::load_rules;
use crate::cli::keeping::{ResolvedOption, settled};
use crate::rules::{Change, Loaded, vary};
use crate::strategy::StrategySource;
use crate::units::plain;

/// A ruleset as named and priced.
pub(in crate::cli) struct PricedRuleset {
    /// The name on the command line.
    pub named: String,
    /// The ruleset as in its file.
    pub file: Loaded,
    /// The ruleset with the requested price.
    pub loaded: Loaded,
}

impl PricedRuleset {
    /// Loads a ruleset, with the deck at `price` cents, if given.
    pub fn load(named: &str, price: Option<i64>) -> Result<PricedRuleset, CliError> {
        let file = load_rules(named)?;
        let loaded = match price {
            Some(_) if file.rules.spec().casino.is_staged() => {
                return Err(CliError::input(format!(
                    "--at sets the price of a deck, but {} sells the stake in stages; change its `[[casino.stage]]` instead",
                    file.id
                )));
            }
            Some(cents) => {
                let value = format!("{}.{:02}", cents / 100, cents % 100);
                let change = Change::new("casino.stake", &value).map_err(CliError::input)?;
                let sold = vary(&file, &[change]).map_err(CliError::Faults)?;
                Loaded { id: file.id.clone(), ..sold }
            }
            None => file.clone(),
        };
        Ok(PricedRuleset { named: named.to_string(), file, loaded })
    }

    /// Returns the price of the deck, even if it is the ruleset's own.
    pub fn settled_price(&self) -> ResolvedOption {
        settled("--at", [plain(self.loaded.rules.spec().casino.stake)])
    }
}

/// Refuses a player who is named twice, even if only the settings make them equal.
pub(in crate::cli) fn all_differ(players: &[StrategySource]) -> Result<(), CliError> {
    let earlier = |i: usize| players[..i].iter().find(|other| players[i].is_same(other));
    match (0..players.len()).find_map(|i| Some((&players[i], earlier(i)?))) {
        None => Ok(()),
        Some((player, other)) if player.name() == other.name() => Err(CliError::input(format!(
            "{} is named twice, perhaps because of --set: name each strategy once",
            player.name()
        ))),
        Some((player, other)) => Err(CliError::input(format!(
            "{} and {} are the same player: name one of them, with the shares of both",
            other.name(),
            player.name()
        ))),
    }
}
