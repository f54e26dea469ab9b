//! The report on what a casino should ask and pay: the terms that give an edge, and the rules that would.

mod charts;
mod document;
mod json;
mod tables;
mod terms;
mod words;

pub use document::price_document;
pub use json::price_json;

use super::labels::short_names;
use super::provenance::{Provenance, RulesSource, ScriptSource, Source};
use crate::cards::Seed;
use crate::lab::PriceFinished;
use crate::rules::Spec;
use crate::stats::Term;

/// A player of the games.
#[derive(Clone, Copy, Debug)]
pub struct PricePlayer<'a> {
    /// The strategy: its shelf name or the path of its script.
    pub name: &'a str,
    /// The script; `None` for a strategy that is part of the program.
    pub script: Option<&'a str>,
}

impl<'a> PricePlayer<'a> {
    fn source(&self) -> ScriptSource<'a> {
        ScriptSource { name: self.name, text: self.script }
    }

    /// Whether it looks at what a deck costs or pays, as a script may and `search` does, so that it may play otherwise at
    /// other prices.
    pub fn looks_at_prices(&self) -> bool {
        let code = |script: &str| {
            let lines = script.lines().map(|line| line.split("//").next().unwrap_or(line));
            lines.into_iter().any(|line| {
                ["pays_per_card", ".stake", "redeal_fee", ".pay("].iter().any(|name| line.contains(name))
            })
        };
        self.name == "search" || self.name.starts_with("search:") || self.script.is_some_and(code)
    }
}

/// What was found, and all that its report shows.
#[derive(Clone, Debug)]
pub struct PriceReport<'a> {
    /// The command line that makes it again.
    pub command: String,
    /// Version of the program.
    pub version: &'a str,
    /// The ruleset's name on the shelf, or that of its file.
    pub id: &'a str,
    /// What the ruleset is called.
    pub name: &'a str,
    /// The ruleset at the price of the deck that is thought of.
    pub rules: &'a Spec,
    /// The ruleset's file as written, then those that it extends.
    pub files: &'a [Source<'a>],
    /// The players.
    pub players: Vec<PricePlayer<'a>>,
    /// The seed of the games.
    pub seed: Seed,
    /// The house edge asked for, a fraction.
    pub target: f64,
    /// Round prices are whole multiples of this, cents.
    pub round: i64,
    /// What the games say.
    pub results: &'a PriceFinished,
}

impl<'a> PriceReport<'a> {
    fn provenance(&self) -> Provenance<'a> {
        let run = (self.version, self.command.clone());
        let scripts = self.players.iter().map(PricePlayer::source);
        Provenance::new(run, self.seed, [self.rules_source()], scripts)
    }

    fn rules_source(&self) -> RulesSource<'a> {
        RulesSource { id: self.id, name: self.name, files: self.files.to_vec() }
    }

    /// What may be set for the edge.
    pub(super) fn terms(&self) -> Vec<Term> {
        Term::all(&self.rules.casino)
    }

    /// What its players are called, no two alike.
    pub(super) fn names(&self) -> Vec<String> {
        short_names(&self.players.iter().map(|it| it.name).collect::<Vec<_>>())
    }
}
