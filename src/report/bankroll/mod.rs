//! The report on a night of the house: its profit, its risk of ruin, and how far luck reaches.

mod charts;
mod document;
mod json;
mod tables;
mod unseen;
mod words;

pub(super) use charts::bankroll_charts;
pub use document::bankroll_document;
pub use json::bankroll_json;
pub(super) use tables::bankroll_tables;
pub(super) use unseen::findings as unseen_wins;
pub(super) use words::{decks_estimate, decks_to, risk, risk_of_bank};

use super::labels::short_names;
use super::patrons::Guest;
use super::provenance::{Provenance, RulesSource, ScriptSource, Source};
use crate::cards::Seed;
use crate::rules::Spec;
use crate::stats::{Bankroll, Tally};

/// One of the players who buy the decks.
#[derive(Clone, Copy, Debug)]
pub struct BankrollPatron<'a> {
    /// Who it is.
    pub guest: Guest<'a>,
    /// Its games.
    pub tally: &'a Tally,
}

impl<'a> BankrollPatron<'a> {
    fn source(&self) -> ScriptSource<'a> {
        ScriptSource { name: self.guest.strategy, text: self.guest.script }
    }
}

/// A night, and all that its report shows.
#[derive(Clone, Debug)]
pub struct BankrollReport<'a> {
    /// The command line that makes it again.
    pub command: String,
    /// Version of the program.
    pub version: &'a str,
    /// The ruleset's name on the shelf, or that of its file.
    pub id: &'a str,
    /// What the ruleset is called.
    pub name: &'a str,
    /// The ruleset at the price at which the deck is sold.
    pub rules: &'a Spec,
    /// The ruleset's file as written, then those that it extends.
    pub files: &'a [Source<'a>],
    /// Who buys the decks.
    pub patrons: Vec<BankrollPatron<'a>>,
    /// The seed of the games.
    pub seed: Seed,
    /// What the night comes to.
    pub bankroll: &'a Bankroll,
}

impl<'a> BankrollReport<'a> {
    fn provenance(&self) -> Provenance<'a> {
        let run = (self.version, self.command.clone());
        let scripts = self.patrons.iter().map(BankrollPatron::source);
        Provenance::new(run, self.seed, [self.rules_source()], scripts)
    }

    fn rules_source(&self) -> RulesSource<'a> {
        RulesSource { id: self.id, name: self.name, files: self.files.to_vec() }
    }

    /// What its patrons are called, no two alike.
    fn names(&self) -> Vec<String> {
        short_names(&self.patrons.iter().map(|it| it.guest.name).collect::<Vec<_>>())
    }
}
