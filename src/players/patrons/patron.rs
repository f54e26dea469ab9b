//! One kind of patrons, and several by name.

use crate::strategy::{LoadError, StrategySource};
use crate::units::{PatronShare, Patrons, patrons};

/// One of several kinds of players.
#[derive(Clone, Debug)]
pub struct Patron {
    /// What it is called in reports.
    pub name: String,
    /// How it plays.
    pub strategy: StrategySource,
    /// The share of the decks that it buys.
    pub share: PatronShare,
    /// So many decks are bought in a row by each.
    pub decks_each: u32,
}

/// The patrons of a name like `greedy:70%,patient:30%`; `None` if it is that of one strategy.
pub(in crate::players) fn named(name: &str) -> Option<Result<Vec<PatronShare>, LoadError>> {
    let (_, share) = name.rsplit_once(':')?;
    share.trim().strip_suffix('%')?.parse::<f64>().ok()?;
    match patrons(name) {
        Ok(Patrons::Shares(shares)) => Some(Ok(shares)),
        Ok(Patrons::File(_)) => None,
        Err(reason) => Some(Err(LoadError::Player { name: name.into(), reason })),
    }
}
