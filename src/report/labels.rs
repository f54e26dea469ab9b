//! Names of entries in tables and charts, short and in full.

use std::collections::BTreeMap;

use super::run::Run;
use crate::format::{fixed, one_line};

/// A short name: the id of the ruleset, and the strategy without folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub rules: String,
    pub player: String,
}

/// Returns distinct labels: strategies that share a stem keep their folders, and what is still alike is numbered.
pub(super) fn labels<'a>(entries: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Vec<Label> {
    let players = short_names(entries.clone().map(|(_, strategy)| strategy));
    let mut seen = BTreeMap::new();
    let label = |((rules, _), player): ((&str, &str), String)| {
        let rules = one_line(rules);
        let times: &mut u32 = seen.entry((rules.clone(), player.clone())).or_default();
        *times += 1;
        let rules = if *times > 1 { format!("{rules}-{times}") } else { rules };
        Label { rules, player }
    };
    entries.zip(players).map(label).collect()
}

pub(super) fn name_in_full(name: &str, id: &str) -> String {
    let (name, id) = (one_line(name), one_line(id));
    if name.is_empty() || name.to_lowercase() == id.to_lowercase() {
        return if name.is_empty() { id } else { name };
    }
    format!("{name} ({id})")
}

pub(super) fn rules_in_full(run: &Run) -> String {
    run.rules.first().map_or(String::new(), |it| name_in_full(&it.name, &it.id))
}

/// The heading of a ruleset under a strategy: `Demon, the casino game (demon-casino), played by greedy`.
pub(super) fn in_full(name: &str, id: &str, strategy: &str) -> String {
    format!("{}, played by {}", name_in_full(name, id), one_line(strategy))
}

pub(super) fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Returns strategies without their folders, except duplicates.
pub(super) fn short_names<'a>(strategies: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let shared = |name: &str| strategies.clone().any(|it| it != name && stem(it) == stem(name));
    strategies.clone().map(|name| one_line(if shared(name) { name } else { stem(name) })).collect()
}

/// Joins words: `a`, `a and b`, `a, b and c`.
pub(super) fn listed(words: &[String], and: &str) -> String {
    match words {
        [most @ .., last] if !most.is_empty() => format!("{} {and} {last}", most.join(", ")),
        words => words.concat(),
    }
}

/// Returns the name of a script without folders and extension, or of a player with its settings; `mix` for several.
pub(super) fn stem(strategy: &str) -> &str {
    if strategy.ends_with('%') && strategy.contains("%,") {
        return "mix";
    }
    let (path, settings) = settings_apart(strategy);
    let name = &strategy[path.rfind(['/', '\\']).map_or(0, |at| at + 1)..];
    name.strip_suffix(".rhai").or(name.strip_suffix(".toml")).filter(|_| settings.is_empty()).unwrap_or(name)
}

/// Splits a player into its name or path, and its settings with their colon.
pub(super) fn settings_apart(strategy: &str) -> (&str, &str) {
    // A colon before a slash is that of a drive.
    let is_drive = |at: usize| strategy[at + 1..].starts_with(['/', '\\']);
    let settings = strategy.match_indices(':').map(|(at, _)| at).find(|&at| !is_drive(at));
    strategy.split_at(settings.unwrap_or(strategy.len()))
}

/// Formats a percentage without trailing zeros: `5%`.
pub(super) fn percent_text(fraction: f64) -> String {
    let digits = fixed(fraction * 100.0, 6);
    format!("{}%", digits.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_short_and_differ() {
        let strategies = ["greedy", "scripts/greedy.rhai", "my/patient.rhai", "my/patient.rhai"];
        let said = labels(strategies.into_iter().map(|strategy| ("house", strategy)));
        let said = said.iter().map(|it| format!("{} {}", it.rules, it.player)).collect::<Vec<_>>().join(", ");
        assert_eq!(said, "house greedy, house scripts/greedy.rhai, house patient, house-2 patient");
        assert_eq!(in_full("Canfield", "canfield", "greedy"), "Canfield, played by greedy");
        let full = in_full("Canfield", "house", "my/patient.rhai");
        assert_eq!(full, "Canfield (house), played by my/patient.rhai");
        let two = ["a:50%,b:50%", "a:60%,b:40%"];
        assert_eq!(short_names(two.into_iter()), two);
        assert_eq!(short_names([two[0], "my/guests.toml"].into_iter()), ["mix", "guests"]);
    }

    #[test]
    fn settings_stay_with_their_player() {
        let policy = "search:level=1,policy=./mine.rhai";
        for (name, said) in [
            ("./my/mine.rhai", "mine"),
            ("C:/my/mine.rhai", "mine"),
            ("./my/mine.rhai:late=2", "mine.rhai:late=2"),
            ("search:level=1", "search:level=1"),
            (policy, policy),
            ("a.rhai:50%,./b.rhai:50%", "mix"),
        ] {
            assert_eq!(stem(name), said);
        }
    }
}
