//! What a file of patrons says beside their names and shares, as columns of a table.

use super::table::{Head, exact, figure, name};
use crate::figures::{FormattedEstimate, number};

/// One of the players who buy the decks.
#[derive(Clone, Copy, Debug)]
pub struct Guest<'a> {
    /// What it is called: by its strategy, unless a file says otherwise.
    pub name: &'a str,
    /// The strategy: its shelf name or the path of its script.
    pub strategy: &'a str,
    /// The share of decks that it buys.
    pub share: f64,
    /// Decks that each of its kind buys, one after the other.
    pub decks_each: u32,
    /// The script; `None` for a strategy that is part of the program.
    pub script: Option<&'a str>,
}

/// The columns that say something.
pub(super) struct More {
    strategy: bool,
    decks: bool,
}

impl More {
    pub fn of<'a>(mut guests: impl Iterator<Item = &'a Guest<'a>> + Clone) -> More {
        More {
            strategy: guests.clone().any(|it| it.name != it.strategy),
            decks: guests.any(|it| it.decks_each > 1),
        }
    }

    /// The same without the decks that each buys.
    pub fn strategies<'a>(guests: impl Iterator<Item = &'a Guest<'a>> + Clone) -> More {
        More { decks: false, ..More::of(guests) }
    }

    pub fn columns(&self) -> Vec<Head> {
        let strategy = self.strategy.then(|| name("plays"));
        strategy.into_iter().chain(self.decks.then(|| figure("decks each"))).collect()
    }

    /// The cells of a player, or of all together.
    pub fn cells(&self, guest: Option<&Guest<'_>>) -> Vec<FormattedEstimate> {
        let strategy = self.strategy.then(|| exact(guest.map_or("", |it| it.strategy)));
        let decks = self.decks.then(|| guest.map_or(exact(""), |it| number(it.decks_each.into())));
        strategy.into_iter().chain(decks).collect()
    }
}

/// What several decks in a row come to.
pub(super) const IN_A_ROW: &str = "Who buys several decks plays them one after the other, so a night is made of visits, which \
                                   follow each other until its decks are sold; the last is cut off. All decks of a visit are \
                                   played by one kind of player, which makes nights differ more; N0 and the volatility index \
                                   allow for it. As a night begins with a new visitor, those who buy many decks have a little \
                                   less of one night than their share.";
