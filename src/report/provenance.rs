//! Provenance: everything needed to reproduce a report: the program's version, the command line, the seed, and the
//! rules and strategies as played. Every report has it, in its page and its JSON.

use std::sync::Arc;

use serde::Serialize;

use crate::cards::Seed;
use crate::diagnostic::SourceText;
use crate::format::count;

/// The text of a file that a run depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Source<'a> {
    /// Its shelf name or its path.
    pub name: &'a str,
    /// Its contents.
    pub text: &'a str,
}

impl<'a> Source<'a> {
    /// Returns all texts.
    pub fn all(texts: &'a [Arc<SourceText>]) -> Vec<Source<'a>> {
        texts.iter().map(|it| Source { name: &it.name, text: &it.text }).collect()
    }
}

/// Returns a text, followed by those it extends.
pub(crate) fn whole_text(sources: &[Source<'_>]) -> String {
    let texts: Vec<String> = sources
        .iter()
        .enumerate()
        .map(|(i, s)| if i == 0 { s.text.to_string() } else { format!("# {} says:\n\n{}", s.name, s.text) })
        .collect();
    texts.join("\n")
}

/// A ruleset as played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RulesSource<'a> {
    /// Name on the shelf, or that of its file.
    pub id: &'a str,
    /// Its title.
    pub name: &'a str,
    /// Its file as written, then those that it extends.
    pub files: Vec<Source<'a>>,
}

/// A strategy as played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ScriptSource<'a> {
    /// Its shelf name or the path of its script.
    pub name: &'a str,
    /// The script; `None` for a strategy that is part of the program.
    pub text: Option<&'a str>,
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

/// Everything needed to reproduce a report. In JSON these are the first fields of the object; rules and strategies
/// appear with their results.
#[derive(Clone, Debug, Serialize)]
pub struct Provenance<'a> {
    /// Version of the program.
    pub saratoga: &'a str,
    /// The command line that reproduces the report.
    pub command: String,
    /// The seed of all deals.
    pub seed: Seed,
    /// The deals, if they do not come from the seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deals: Option<&'a DealsSource>,
    /// The rulesets, without duplicates.
    #[serde(skip)]
    pub rules: Vec<RulesSource<'a>>,
    /// The strategies, without duplicates.
    #[serde(skip)]
    pub strategies: Vec<ScriptSource<'a>>,
    /// The players of a contest and their teams.
    #[serde(skip)]
    pub players: Vec<&'a str>,
}

impl<'a> Provenance<'a> {
    /// Creates the provenance of a run; duplicates among rulesets and strategies are removed.
    pub(super) fn new(
        (saratoga, command): (&'a str, impl Into<String>),
        seed: Seed,
        rules: impl IntoIterator<Item = RulesSource<'a>>,
        strategies: impl IntoIterator<Item = ScriptSource<'a>>,
    ) -> Provenance<'a> {
        let (rules, strategies) = (once(rules), once(strategies));
        Provenance {
            saratoga,
            command: command.into(),
            seed,
            deals: None,
            rules,
            strategies,
            players: Vec::new(),
        }
    }
}

/// Removes duplicates, keeping the order of first occurrence.
fn once<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for it in all {
        if !seen.contains(&it) {
            seen.push(it);
        }
    }
    seen
}
