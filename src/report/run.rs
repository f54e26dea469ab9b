//! Description of a run for the page, the terminal and the JSON, created once by the driver.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::provenance::{DealsSource, Provenance, RulesSource, ScriptSource, Source};
use crate::cards::Seed;
use crate::diagnostic::SourceText;
use crate::format::one_line;
use crate::rules::Loaded;
use crate::strategy::StrategySource;

/// A run of an experiment. In JSON its fields come first in the object of the results.
#[derive(Clone, Debug, Serialize)]
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
    #[serde(serialize_with = "texts")]
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

fn texts<S: Serializer>(files: &[Arc<SourceText>], serializer: S) -> Result<S::Ok, S::Error> {
    Source::all(files).serialize(serializer)
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

    /// Where the deals are from: `seed 7`, or a file.
    pub(super) fn source(&self) -> String {
        self.deals.as_ref().map_or_else(|| format!("seed {}", self.seed), |deals| one_line(&deals.file))
    }

    /// Returns the texts of rulesets and strategies for a page.
    pub(super) fn provenance(&self) -> Provenance<'_> {
        let rules = self.rules.iter().map(|it| RulesSource {
            id: &it.id,
            name: &it.name,
            files: Source::all(&it.files),
        });
        let strategies =
            self.strategies.iter().map(|it| ScriptSource { name: &it.name, text: it.text.as_deref() });
        let command = (self.version, self.command.clone());
        Provenance { deals: self.deals.as_ref(), ..Provenance::new(command, self.seed, rules, strategies) }
    }
}
