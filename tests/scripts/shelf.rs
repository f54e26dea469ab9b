//! The shelf's scripts decide and play the same compiled and interpreted.

use crate::common::scale;
use crate::scripts::support::positions::positions;
use crate::scripts::support::{both, both_play};
use rayon::prelude::*;
use saratoga::cards::Seed;
use saratoga::rules;
use saratoga::strategy::script::SHELF;

/// Returns the shelf's scripts; those that sample deals sample one, not dozens.
fn shelf() -> impl Iterator<Item = (&'static str, String)> {
    let few = |text: &str| {
        let deals = [("= param(4, 1", 1), ("= param(8, 1", 1), ("= param(20, 1", 1), ("= param(40, 1", 2)];
        deals
            .iter()
            .fold(text.to_string(), |text, (many, few)| text.replace(many, &format!("= param({few}, 1")))
    };
    SHELF.iter().map(move |(name, text)| (*name, few(text)))
}

#[test]
fn the_shelfs_scripts_decide_the_same_both_ways() {
    let positions = positions(7, 60, 30 * scale().min(10) as usize);
    assert!(positions.len() > 2000, "{}", positions.len());
    for (name, text) in shelf() {
        let mut both = both(&text).unwrap();
        let faults = positions.iter().filter_map(|position| both.everything(position).err());
        let faults: Vec<String> = faults.take(3).map(|difference| difference.to_string()).collect();
        assert!(faults.is_empty(), "{name}: {}", faults.join("\n"));
        assert_eq!(both.compiled.bailouts(), 0, "{name} has no faults");
    }
}

/// The rulesets played: long games and short ones, a staged stake, packs, dice, a base to choose.
const PLAYED: [(&str, u64); 7] = [
    ("canfield", 1),
    ("demon-casino", 1),
    ("single-pass", 1),
    ("bsd", 4),
    ("double-canfield", 10),
    ("exorcism-die-draw", 10),
    ("selective", 10),
];

/// Returns the number of games of each script on the first rulesets; the others get a fraction of them.
fn games() -> u64 {
    if scale() >= 12 { 100_000 } else { 150 * scale() }
}

#[test]
fn the_shelfs_scripts_play_the_same_games_both_ways() {
    for (ruleset, part) in PLAYED {
        let rules = rules::load(ruleset).unwrap().rules;
        for (name, text) in shelf() {
            // A game with sampled deals takes as long as dozens without.
            let part = if text.contains(".playout(") { 10 * part } else { part };
            let games = (games() / part).max(20);
            let blocks: Vec<u64> = (0..games.div_ceil(BLOCK)).collect();
            blocks.par_iter().for_each(|block| {
                let mut play = both_play(&rules, &text, SEED);
                for game in block * BLOCK..games.min((block + 1) * BLOCK) {
                    let played = play(game).unwrap_or_else(|it| panic!("{name} on {ruleset}, {it}"));
                    assert!(played.is_ok(), "{name} on {ruleset}, game {game}");
                }
            });
        }
    }
}

const SEED: Seed = 2026;

const BLOCK: u64 = 50;
