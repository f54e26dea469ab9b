//! Description of a run for the page, the terminal and the JSON, created once by the driver.

use std::sync::Arc;

use serde::Serialize;

use crate::cards::Seed;
use crate::contest::ContestSpec;
use crate::diagnostic::SourceText;
use crate::format::{ascii, count, edge, games, one_line, percent};
use crate::rules::{Loaded, Spec};
use crate::stats::{ContestTally, Tally, running_point};
use crate::strategy::StrategySource;

/// A run of an experiment. In JSON its fields come first in the object of the results.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Run {
    /// Version of the program.
    #[serde(rename = "saratoga")]
    pub version: &'static str,
    /// The command line that reproduces the report.
    pub command: String,
    /// The seed of all deals.
    pub seed: Seed,
    /// The file of the deals, if they do not come from the seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deals: Option<DealsSource>,
    /// The rulesets, without duplicates.
    pub rules: Vec<RunRules>,
    /// The strategies, without duplicates.
    pub strategies: Vec<RunStrategy>,
    /// What the figures cover, if the run was stopped early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<String>,
}

/// A ruleset as played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunRules {
    /// Name on the shelf, or that of its file.
    pub id: String,
    /// Its title.
    pub name: String,
    /// Its file as written, then those that it extends.
    pub files: Vec<Arc<SourceText>>,
}

/// A strategy as played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunStrategy {
    /// Its shelf name or the path of its script.
    pub name: String,
    /// The script; `None` for a strategy that is part of the program.
    pub text: Option<String>,
}

impl RunRules {
    /// Creates it from a loaded ruleset.
    pub fn new(loaded: &Loaded) -> RunRules {
        RunRules { id: loaded.id.clone(), name: loaded.rules.name().into(), files: loaded.sources.clone() }
    }
}

impl RunStrategy {
    /// Creates it from a loaded strategy.
    pub fn new(source: &StrategySource) -> RunStrategy {
        RunStrategy { name: source.name().into(), text: source.text().map(String::from) }
    }
}

impl Run {
    /// Serializes a result as one JSON object, beginning with the run.
    ///
    /// # Errors
    /// None for these types; required by serde's interface.
    pub fn json(&self, result: &impl Serialize) -> Result<String, serde_json::Error> {
        #[derive(Serialize)]
        struct Summary<'a, R> {
            #[serde(flatten)]
            run: &'a Run,
            #[serde(flatten)]
            result: &'a R,
        }
        serde_json::to_string_pretty(&Summary { run: self, result })
    }

    pub(super) fn source(&self) -> String {
        self.deals.as_ref().map_or_else(|| format!("seed {}", self.seed), |deals| one_line(&deals.file))
    }
}

/// Deals of a file, played instead of those of a seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DealsSource {
    /// The file.
    pub file: String,
    /// Number of deals to play, from the first.
    pub deals: u64,
    /// Number of those with an earlier duplicate, which count again.
    #[serde(skip_serializing_if = "is_zero")]
    pub repeated: u64,
    /// Checksum of these deals, with their ids.
    pub crc32: u32,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// Describes the population of the intervals if the deals come from a file.
pub(super) fn of_listed_deals(deals: &DealsSource) -> String {
    let repeated = match deals.repeated {
        0 => String::new(),
        1 => " One of them has the deck of another, and counts all the same.".into(),
        n => format!(" {} of them have the deck of one before them, and count all the same.", count(n)),
    };
    format!(
        "The deals are those of a file. Intervals take them as a random sample of all deals of their kind, such as those that can \
         be won; of these deals alone the figures are exact, but for what chance decides in a game.{repeated}"
    )
}

/// Returns a text, followed by those it extends, each given with its name.
pub(crate) fn whole_text<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let texts: Vec<String> = files
        .into_iter()
        .enumerate()
        .map(|(i, (name, text))| if i == 0 { text.to_string() } else { format!("# {name} says:\n\n{text}") })
        .collect();
    texts.join("\n")
}

pub(super) fn named(files: &[Arc<SourceText>]) -> impl Iterator<Item = (&str, &str)> {
    files.iter().map(|it| (&*it.name, &*it.text))
}

/// Formats the house edge so far with its interval; for a free deck, the games so far.
pub fn running_figure(tally: &Tally, rules: &Spec) -> String {
    let figure = match running_point(tally, rules) {
        Some(point) => format!("house edge {}", edge(point.edge).both()),
        None => games(tally.games()),
    };
    ascii(&figure)
}

/// Formats the first player's win rate so far.
pub fn running_wins(tally: &ContestTally, spec: &ContestSpec) -> String {
    let name = spec.players.first().map_or(String::new(), |player| one_line(&player.name));
    ascii(&format!("{name} wins {}", percent(tally.at_speed(spec, 0, 1.0).win_rate).both()))
}
