//! What a run is of. Runs of one plan make the same blocks, however their command lines are written.

use std::fmt::Display;
use std::sync::Arc;

use crate::diagnostic::SourceText;
use crate::lab::{RunPlan, SavedText};
use crate::players::House;
use crate::report::{Source, whole_text};
use crate::rules::{Loaded, find::stem};
use crate::strategy::StrategySource;

use super::args::Given;

/// An option with the values that hold, whether they were given or not. Without values it says nothing that others do not.
pub(super) type Settled = (&'static str, Vec<String>);

/// An option that is settled by these values.
pub(super) fn settled<V: Display>(name: &'static str, values: impl IntoIterator<Item = V>) -> Settled {
    (name, values.into_iter().map(|value| value.to_string()).collect())
}

/// The plan of a run, of what was given and what a command makes of it.
pub(super) fn run_plan(given: &Given, settled: Vec<Settled>, inputs: Vec<SavedText>) -> RunPlan {
    let mut options: Vec<_> = given.options.iter().map(|it| (it.name.clone(), it.values.clone())).collect();
    options.retain(|(name, _)| settled.iter().all(|(known, _)| known != name));
    let known = settled.into_iter().filter(|(_, values)| !values.is_empty());
    options.extend(known.map(|(name, values)| (name.to_string(), values)));
    options.sort();
    RunPlan {
        saratoga: env!("CARGO_PKG_VERSION").into(),
        command: given.command.clone(),
        options,
        words: given.words.clone(),
        inputs,
    }
}

/// The texts of rulesets and strategies on which the games of a run depend.
pub(super) fn texts<'a>(
    rules: impl IntoIterator<Item = &'a Loaded>,
    strategies: impl IntoIterator<Item = &'a StrategySource>,
) -> Vec<SavedText> {
    let text =
        |kind: &str, name: &str, text: String| SavedText { kind: kind.into(), name: name.into(), text };
    let rules = rules.into_iter().map(|it| text("ruleset", &it.id, text_of(&it.sources)));
    let strategies =
        strategies.into_iter().map(|it| text("strategy", it.name(), it.text().unwrap_or_default().into()));
    let mut all: Vec<SavedText> = Vec::new();
    for text in rules.chain(strategies) {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all
}

/// A text, followed by those it extends, whose folders do not matter.
pub(super) fn text_of(sources: &[Arc<SourceText>]) -> String {
    let names: Vec<String> = sources.iter().map(|it| stem(&it.name)).collect();
    let each = sources.iter().zip(&names).map(|(it, name)| Source { name, text: &it.text });
    whole_text(&each.collect::<Vec<_>>())
}

/// The patrons of a house, as a text on which its games depend.
pub(super) fn patrons_text(house: &House) -> SavedText {
    let each = house.patrons.iter().map(|it| format!("{} {:?} {}", it.name, it.share, it.decks_each));
    SavedText { kind: "patrons".into(), name: String::new(), text: each.collect::<Vec<_>>().join("\n") }
}
