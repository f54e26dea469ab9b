//! One kind of patron, and several by name.

use crate::strategy::{LoadError, StrategySource};
use crate::units::{PatronShare, Patrons, patrons};

/// A kind of patron.
#[derive(Clone, Debug)]
pub struct Patron {
    /// Its name in reports.
    pub name: String,
    /// How it plays.
    pub strategy: StrategySource,
    /// Its share of the decks.
    pub share: PatronShare,
    /// Number of decks in a row that each buys.
    pub decks_each: u32,
}

/// Parses a name like `greedy:70%,patient:30%`; returns `None` if it names a single strategy.
pub(in crate::players) fn named(name: &str) -> Option<Result<Vec<PatronShare>, LoadError>> {
    let (_, share) = name.rsplit_once(':')?;
    share.trim().strip_suffix('%')?.parse::<f64>().ok()?;
    match patrons(name) {
        Ok(Patrons::Shares(shares)) => Some(Ok(shares)),
        Ok(Patrons::File(_)) => None,
        Err(reason) => Some(Err(LoadError::Player { name: name.into(), reason })),
    }
}
