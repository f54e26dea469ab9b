//! Names of entries in tables and charts, short and in full.

use std::collections::BTreeMap;

use super::Entry;
use super::entry::stem;
use crate::format::{fixed, one_line};

/// A short name: the id of the ruleset, and the strategy without folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub rules: String,
    pub player: String,
}

/// Returns a distinct label for each entry: strategies with the same stem keep their folders, and remaining
/// duplicates are numbered.
pub(super) fn labels(entries: &[Entry<'_>]) -> Vec<Label> {
    let shared = |strategy: &str| {
        entries.iter().any(|other| other.strategy != strategy && stem(other.strategy) == stem(strategy))
    };
    let mut seen = BTreeMap::new();
    let label = |entry: &Entry<'_>| {
        let player = if shared(entry.strategy) { entry.strategy } else { stem(entry.strategy) };
        let (rules, player) = (one_line(entry.id), one_line(player));
        let times: &mut u32 = seen.entry((rules.clone(), player.clone())).or_default();
        *times += 1;
        let rules = if *times > 1 { format!("{rules}-{times}") } else { rules };
        Label { rules, player }
    };
    entries.iter().map(label).collect()
}

/// Returns the ruleset's name with its id: `Demon, the casino game (demon-casino)`.
pub(super) fn rules_in_full(entry: &Entry<'_>) -> String {
    name_in_full(&entry.rules.name, entry.id)
}

/// Returns a name with its id, if different.
pub(super) fn name_in_full(name: &str, id: &str) -> String {
    let (name, id) = (one_line(name), one_line(id));
    if name.is_empty() || name.to_lowercase() == id.to_lowercase() {
        return if name.is_empty() { id } else { name };
    }
    format!("{name} ({id})")
}

/// Returns the heading of an entry: `Demon, the casino game (demon-casino), played by greedy`.
pub(super) fn in_full(entry: &Entry<'_>) -> String {
    format!("{}, played by {}", rules_in_full(entry), one_line(entry.strategy))
}

/// Capitalizes a text.
pub(super) fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Describes a key of a ruleset; rare ones as written.
pub(super) fn key_in_words(key: &str) -> &str {
    match key {
        "stock.redeals" => "redeals",
        "stock.draw" => "cards a draw",
        "stock.on_redeal" => "on a redeal",
        "stock.draw.die" => "faces of the die",
        "reserve.size" => "reserve",
        "reserve.piles" => "reserve piles",
        "deal.packs" => "packs",
        "tableau.build" => "building",
        "tableau.move" => "what moves",
        "tableau.max_height" => "highest pile",
        "casino.stake" => "price of the deck",
        "casino.pays_per_card" => "pay per card",
        "casino.pays_for_win" => "bonus for the win",
        "casino.redeal_fee" => "fee of a redeal",
        "end.barren_passes" => "barren passes",
        "end.idle_redeals" => "idle redeals",
        _ => key,
    }
}

/// Describes a key with its value: `no redeals`, `price of the deck 45`.
pub(super) fn rule_in_words(key: &str, value: &str) -> String {
    match (key, value) {
        ("stock.redeals", "0") => "no redeals".into(),
        ("stock.redeals", "1") => "1 redeal".into(),
        ("stock.redeals", n) => format!("{n} redeals"),
        ("stock.draw", "1") => "1 card a draw".into(),
        ("stock.draw", n) => format!("{n} cards a draw"),
        ("stock.draw.die", n) => format!("a die of {n} faces"),
        ("reserve.size", n) => format!("a reserve of {n}"),
        _ if value.starts_with(|c: char| c.is_ascii_digit()) => format!("{} {value}", key_in_words(key)),
        _ => format!("{}: {value}", key_in_words(key)),
    }
}

/// Returns strategies without their folders, except duplicates.
pub(super) fn short_names(strategies: &[&str]) -> Vec<String> {
    let shared = |name: &str| strategies.iter().any(|it| *it != name && stem(it) == stem(name));
    strategies.iter().map(|name| one_line(if shared(name) { name } else { stem(name) })).collect()
}

/// Formats a percentage without trailing zeros: `5%`.
pub(super) fn percent_text(fraction: f64) -> String {
    let digits = fixed(fraction * 100.0, 6);
    format!("{}%", digits.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::{named, sample};
    use super::*;

    #[test]
    fn labels_are_short_and_differ() {
        let (spec, _, summary) = sample();
        let entries = [
            ("canfield", "greedy"),
            ("canfield", "scripts/greedy.rhai"),
            ("canfield", "my/patient.rhai"),
            ("house", "my/patient.rhai"),
            ("house", "my/patient.rhai"),
        ]
        .map(|(id, strategy)| named(id, strategy, &spec, &summary));
        let said: Vec<String> =
            labels(&entries).iter().map(|l| format!("{} {}", l.rules, l.player)).collect();
        assert_eq!(
            said,
            [
                "canfield greedy",
                "canfield scripts/greedy.rhai",
                "canfield patient",
                "house patient",
                "house-2 patient"
            ]
        );
        assert_eq!(in_full(&entries[0]), "Canfield, played by greedy");
        assert_eq!(in_full(&entries[3]), "Canfield (house), played by my/patient.rhai");
    }

    #[test]
    fn scripts_of_one_name_keep_their_folders() {
        let mixes = ["a:50%,b:50%", "greedy", "my/guests.toml"];
        assert_eq!(short_names(&mixes), ["mix", "greedy", "guests"]);
        assert_eq!(short_names(&["a:50%,b:50%", "a:60%,b:40%"]), ["a:50%,b:50%", "a:60%,b:40%"]);
        let names = short_names(&["./mine.rhai", "./x/mine.rhai", "./x/other.rhai", "greedy"]);
        assert_eq!(names, ["./mine.rhai", "./x/mine.rhai", "other", "greedy"]);
    }
}
