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

/// Returns a name with its id, if different.
pub(super) fn name_in_full(name: &str, id: &str) -> String {
    let (name, id) = (one_line(name), one_line(id));
    if name.is_empty() || name.to_lowercase() == id.to_lowercase() {
        return if name.is_empty() { id } else { name };
    }
    format!("{name} ({id})")
}

/// Returns the title of the run's first ruleset, with its id if different.
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
        "pack.ranks" => "ranks",
        "pack.suits" => "suits",
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
    let elements: Vec<String> = match value.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
        Some(list) => list.split(',').map(|it| it.trim().to_string()).filter(|it| !it.is_empty()).collect(),
        None => Vec::new(),
    };
    let phrase = match (key, value) {
        ("stock.redeals", "0") => "no redeals",
        ("stock.redeals", "1") => "1 redeal",
        ("stock.redeals", n) => return format!("{n} redeals"),
        ("stock.draw", "1") => "1 card a draw",
        ("stock.draw", n) => return format!("{n} cards a draw"),
        ("stock.draw.die", n) => return format!("a die of {n} faces"),
        ("stock.on_redeal", "turn") => "redeals keep the order",
        ("stock.on_redeal", "shuffle") => "redeals shuffle the stock",
        ("stock.waste", "fanned") => "the waste may be looked through",
        ("stock.waste", "squared") => "only the top of the waste is seen",
        ("stock.opening_draw", "true") => "a first draw is part of the deal",
        ("stock.opening_draw", "false") => "no first draw in the deal",
        ("reserve.size", "0") | ("reserve.piles", "0") => "no reserve",
        ("reserve.size", n) => return format!("a reserve of {n}"),
        ("reserve.piles", "1") => "1 reserve pile",
        ("reserve.piles", n) => return format!("{n} reserve piles"),
        ("reserve.face", "top") => "the top of the reserve face up",
        ("reserve.face", "all") => "the reserve all face up",
        ("reserve.face", "last") => "the reserve face down until its last card",
        ("tableau.deal", _) if elements.is_empty() => "no piles",
        ("tableau.deal", _) if elements.iter().all(|it| *it == elements[0]) => {
            let cards = if elements[0] == "1" { "card" } else { "cards" };
            let piles = if elements.len() == 1 { "pile" } else { "piles" };
            return format!("{} {piles} of {} {cards}", elements.len(), elements[0]);
        }
        ("tableau.deal", _) => return format!("piles of {} cards", listed(&elements, "and")),
        ("tableau.face", "all") => "piles all face up",
        ("tableau.face", "top") => "only the tops of piles face up",
        ("tableau.face", "alternate") => "every other card of the piles face up",
        ("tableau.build", "alternate-color") => "building in alternating colours",
        ("tableau.build", "same-suit") => "building in suit",
        ("tableau.build", "same-color") => "building in one colour",
        ("tableau.build", "any") => "building regardless of suit",
        ("tableau.direction", "down") => "building down",
        ("tableau.direction", "up") => "building up",
        ("tableau.direction", "same") => "building on the same rank",
        ("tableau.wrap", "full") => "building goes round past ace and king",
        ("tableau.wrap", "to-base") => "building stops at the base rank",
        ("tableau.wrap", "none") => "building stops at ace and king",
        ("tableau.move", "single") => "only top cards move",
        ("tableau.move", "whole") => "only whole piles move",
        ("tableau.move", "single-or-whole") => "top cards and whole piles move",
        ("tableau.move", "sequence") => "any run moves",
        ("tableau.max_height", "0") => "piles of any height",
        ("tableau.max_height", n) => return format!("piles of at most {n} cards"),
        ("spaces.auto", "[]") => "no space is filled at once",
        ("spaces.auto", _) => return format!("spaces filled at once from {}", listed(&elements, "or")),
        ("spaces.while_reserve", "[]") => "no space to fill while the reserve lasts",
        ("spaces.while_reserve", _) => {
            return format!("spaces filled from {} while the reserve lasts", listed(&elements, "or"));
        }
        ("spaces.after_reserve", "[]") => "no space to fill after the reserve",
        ("spaces.after_reserve", _) => {
            return format!("spaces filled from {} after the reserve", listed(&elements, "or"));
        }
        ("spaces.rank", "any") => "any card starts a space",
        ("spaces.rank", "base") => "only base cards start a space",
        ("spaces.rank", "below-base") => "only the rank below the base starts a space",
        ("spaces.rank", rank) => return format!("only {rank} starts a space"),
        ("foundation.return", "never") => "foundation cards never return",
        ("foundation.return", "top") => "foundation cards may return",
        ("foundation.return", "top-except-base") => "foundation cards but the base may return",
        ("foundation.base_play", "optional") => "base cards may wait",
        ("foundation.base_play", "forced") => "base cards go up at once",
        _ if value.starts_with(|c: char| c.is_ascii_digit()) => {
            return format!("{} {value}", key_in_words(key));
        }
        _ => return format!("{}: {value}", key_in_words(key)),
    };
    phrase.into()
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
