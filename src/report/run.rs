//! A run: what makes a report again. Made once, by the driver, and read by the page, the terminal and the JSON.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::provenance::{DealsSource, Provenance, RulesSource, ScriptSource, Source};
use crate::cards::Seed;
use crate::diagnostic::SourceText;
use crate::rules::Loaded;
use crate::strategy::StrategySource;

/// A run of an experiment. In JSON its fields come first in the object of the results.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// Version of the program.
    #[serde(rename = "saratoga")]
    pub version: &'static str,
    /// The command line that makes it again.
    pub command: String,
    /// The seed of everything dealt.
    pub seed: Seed,
    /// The deals, where they are not those of the seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deals: Option<DealsSource>,
    /// The rulesets, each once.
    pub rules: Vec<RunRules>,
    /// The strategies, each once.
    pub strategies: Vec<RunStrategy>,
    /// What the figures are of, where it was stopped early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<String>,
}

/// A ruleset as it was played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunRules {
    /// Its name on the shelf, or that of its file.
    pub id: String,
    /// Its title.
    pub name: String,
    /// Its file as written, then those that it extends.
    #[serde(serialize_with = "texts")]
    pub files: Vec<Arc<SourceText>>,
}

/// A strategy as it played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunStrategy {
    /// Its shelf name or the path of its script.
    pub name: String,
    /// The script; `None` for a strategy that is part of the program.
    pub text: Option<String>,
}

impl RunRules {
    /// The texts of a loaded ruleset.
    pub fn new(loaded: &Loaded) -> RunRules {
        RunRules { id: loaded.id.clone(), name: loaded.rules.name().into(), files: loaded.sources.clone() }
    }
}

impl RunStrategy {
    /// The name and text of a loaded strategy.
    pub fn new(source: &StrategySource) -> RunStrategy {
        RunStrategy { name: source.name().into(), text: source.text().map(String::from) }
    }
}

fn texts<S: Serializer>(files: &[Arc<SourceText>], serializer: S) -> Result<S::Ok, S::Error> {
    Source::all(files).serialize(serializer)
}

impl Run {
    /// A result as one JSON object, with the run before it.
    ///
    /// # Errors
    /// None that these types can cause; serde's interface has one.
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

    /// The rulesets' and strategies' texts for a page.
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
