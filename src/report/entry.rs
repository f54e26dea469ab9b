//! One ruleset under one strategy, as used by every report.

use std::collections::BTreeSet;

use serde::Serialize;

use super::provenance::DealsSource;
use crate::cards::Seed;
use crate::format::one_line;
use crate::rules::Spec;
use crate::stats::{AtOnce, MostCards, Summary, Winnable};
use crate::text::slug;

/// Figures of one ruleset under one strategy.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Name of the ruleset, on the shelf or of its file, as used in tables and charts.
    pub id: &'a str,
    /// The ruleset.
    pub rules: &'a Spec,
    /// The strategy: its shelf name or the path of its script.
    pub strategy: &'a str,
    /// The seed of the games, or of the random numbers that go with deals of a file.
    pub seed: Seed,
    /// The file of the deals, if they do not come from the seed.
    pub deals: Option<&'a DealsSource>,
    /// Figures of the games.
    pub summary: &'a Summary,
    /// The same figures with joint confidence for all entries of the report, for statements about several.
    pub at_once: AtOnce,
    /// Result of the clairvoyant player on the first of the deals, if requested.
    pub clairvoyant: Option<&'a Clairvoyant>,
}

impl<'a> Entry<'a> {
    /// Creates an entry on its own.
    pub fn new(
        (id, rules): (&'a str, &'a Spec),
        strategy: &'a str,
        seed: Seed,
        summary: &'a Summary,
    ) -> Entry<'a> {
        let Summary { house_edge: edge, win_rate: wins, cards, .. } = *summary;
        let at_once = AtOnce { edge, wins, cards };
        Entry { id, rules, strategy, seed, deals: None, summary, at_once, clairvoyant: None }
    }

    /// Returns the source of its deals: `seed 7`, or a file.
    pub(super) fn source(&self) -> String {
        self.deals.map_or_else(|| format!("seed {}", self.seed), |deals| one_line(&deals.file))
    }
}

/// Result of the clairvoyant player on the first games of a seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clairvoyant {
    /// Number of games of the seed, from game 0.
    pub deals: u64,
    /// Maximum number of positions expanded in each.
    pub nodes: u64,
    /// Number of winnable deals.
    pub winnable: Winnable,
    /// The most cards, and their value.
    pub most_cards: MostCards,
}

/// Returns a short name for each entry, `rules-strategy`, in lower-case letters, digits and `-`, suitable for a file
/// name. Duplicates get `-2`, `-3`, ... in order.
pub fn entry_ids(entries: &[Entry]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut ids = Vec::new();
    for entry in entries {
        let id = format!("{}-{}", slug(entry.id, 40), slug(stem(entry.strategy), 40));
        let mut free = id.clone();
        let mut number = 2;
        while !taken.insert(free.clone()) {
            free = format!("{id}-{number}");
            number += 1;
        }
        ids.push(free);
    }
    ids
}

/// Returns the name of a script without folders and extension, or of a player with its settings, which may include
/// other scripts; `mix` for several with their shares.
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::{End, Outcome};
    use crate::rules::Score;
    use crate::stats::{Tally, running_point, summarize};

    /// Returns a ruleset with a score, and a tally of 1000 games of it.
    pub fn sample() -> (Spec, Tally, Summary) {
        let score = Score { name: "points".into(), foundation_card: 1, won: 100, ..Score::default() };
        let spec = Spec { name: "Canfield".into(), scores: vec![score], ..Spec::default() };
        let mut tally = Tally::new(&spec);
        for i in 0..1000u16 {
            let cards = if i % 25 == 0 { 52 } else { i % 23 };
            let end = if cards == 52 { End::Won } else { [End::Blocked, End::Barren][usize::from(i % 2)] };
            let moves = 40 + u32::from(i % 50);
            tally.add(&Outcome {
                end,
                cards,
                moves,
                redeals: 3,
                reserve_left: 2,
                complete_suits: 0,
                stake: None,
            });
        }
        let running = running_point(&tally, &spec).into_iter().collect();
        let summary = summarize(&tally, &spec, running);
        (spec, tally, summary)
    }

    /// Returns an entry for such games under these names.
    pub fn named<'a>(id: &'a str, strategy: &'a str, rules: &'a Spec, summary: &'a Summary) -> Entry<'a> {
        Entry::new((id, rules), strategy, 7, summary)
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

    #[test]
    fn ids_are_short_and_distinct() {
        let (spec, _, summary) = sample();
        let entries = ["greedy", "scripts/greedy.rhai", "my/Best One.rhai", "..."]
            .map(|strategy| named("canfield", strategy, &spec, &summary));
        let ids = entry_ids(&entries);
        assert_eq!(ids, ["canfield-greedy", "canfield-greedy-2", "canfield-best-one", "canfield-unnamed"]);
    }
}
