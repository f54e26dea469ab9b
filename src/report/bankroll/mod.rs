//! The report on an evening of the house: its profit, its risk of ruin, and how far luck reaches.

mod charts;
mod json;
mod sheets;
mod unseen;
mod words;

use charts::bankroll_charts;
pub use json::bankroll_json;
use words::{hands, risk, subtitle};

use super::Source;
use super::document::{Attached, Block, Document};
use super::json::whole_text;
use super::price::short_names;
use crate::cards::Seed;
use crate::rules::Spec;
use crate::stats::{Bankroll, Tally};

/// One of the players who buy the decks.
#[derive(Clone, Copy, Debug)]
pub struct BankrollPatron<'a> {
    /// The strategy: its shelf name or the path of its script.
    pub name: &'a str,
    /// The share of decks that it buys.
    pub share: f64,
    /// The script; `None` for a strategy that is part of the program.
    pub script: Option<&'a str>,
    /// Its games.
    pub tally: &'a Tally,
}

/// An evening, and all that its report shows.
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
    /// What the evening comes to.
    pub bankroll: &'a Bankroll,
}

impl BankrollReport<'_> {
    /// What its patrons are called, no two alike.
    fn names(&self) -> Vec<String> {
        short_names(&self.patrons.iter().map(|it| it.name).collect::<Vec<_>>())
    }
}

/// The report as a document.
pub fn bankroll_document<'a>(report: &'a BankrollReport<'a>) -> Document<'a> {
    let mut blocks: Vec<Block<'a>> =
        bankroll_charts(report).into_iter().map(|chart| Block::Chart(chart.into())).collect();
    blocks.push(Block::Table(sheets::evening(report)));
    blocks.push(Block::Table(sheets::banks(report)));
    if report.patrons.len() > 1 {
        blocks.push(Block::Table(sheets::patrons(report)));
    }
    let scripts = report.patrons.iter().filter_map(|patron| {
        Some(Attached { title: format!("The script {}", patron.name), text: patron.script?.to_string() })
    });
    let rules = Attached { title: format!("The ruleset {}", report.id), text: whole_text(report.files) };
    Document {
        title: words::title(report),
        command: report.command.clone(),
        version: report.version.into(),
        seed: report.seed,
        findings: words::findings(report).into_iter().chain(unseen::findings(report)).collect(),
        warning: words::WARNING.into(),
        played: words::played(report),
        cards: words::cards(report),
        blocks,
        notes: words::notes(report),
        attached: std::iter::once(rules).chain(scripts).collect(),
    }
}
