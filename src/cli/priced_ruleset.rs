//! A ruleset with another price of the deck.

use crate::cli::checkpoint::{ResolvedOption, settled};
use crate::cli::error::CliError;
use crate::cli::input::load_rules;
use crate::rules::{Change, Loaded, vary};
use crate::units::plain;

/// A ruleset as named and priced.
pub(super) struct PricedRuleset {
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
