//! The character of a game: how long it takes, what there is to decide, what luck and skill make of it, how long there is
//! hope, and which rule matters most. All players play the same deals, and every figure is a mean over deals.

mod deal;
mod figures;

use std::sync::atomic::{AtomicBool, Ordering};

pub use deal::{CharacterError, Characterizing, JUDGE};
pub use figures::{
    Ability, ByMeasure, Character, Characters, ClairvoyantCharacter, Hope, Judged, NEARLY_LOST,
    PlayerCharacter, RuleEffect,
};

use super::blocks::{Stopped, or_missing};
use crate::rules::{Change, Loaded, neighbours, vary};
use deal::Examined;

/// Least number of deals: limits of a 10% quantile need some 40.
pub const LEAST_DEALS: u64 = 50;

/// Plays and examines the deals of every ruleset; `told` receives the index of a ruleset and the number of its deals
/// played, those of the changed rules after the others. The result is the same on any number of threads. Once `stop` is
/// set, only the deals before the first unfinished one count.
///
/// # Errors
/// The first error of a strategy.
pub fn characterize(
    asked: &Characterizing<'_>,
    stop: &AtomicBool,
    told: &mut dyn FnMut(usize, u64),
) -> Result<Characters, CharacterError> {
    let name = |player: usize| asked.players.get(player).map_or(String::new(), |it| it.0.into());
    let mut found = Characters {
        deals: asked.deals,
        judged_deals: asked.judged.min(asked.deals),
        matter: asked.matter,
        nodes: asked.nodes,
        pace: asked.pace,
        beginner: name(asked.beginner),
        examined: name(asked.examined),
        rulesets: Vec::new(),
        interrupted: false,
    };
    let searches = asked.players.last().is_some_and(|(_, make)| make().is_slow());
    let mut missing = false;
    for (i, &(named, loaded)) in asked.rules.iter().enumerate() {
        let rules = Examined { asked, named, loaded, searches, workers: asked.workers.part(i as u64) };
        let mut deals = Vec::new();
        let played = rules.play(stop, &mut |deal| {
            deals.push(deal);
            told(i, deals.len() as u64);
        });
        let played = or_missing(played, &mut missing)?;
        let changed = changed_rules(loaded);
        let mut effects = vec![Vec::new(); changed.len() + 1];
        let rules_played = rules.play_changed(&changed, stop, &mut |deal| {
            effects.iter_mut().zip(deal).for_each(|(all, games)| all.push(games));
            told(i, asked.deals + effects[0].len() as u64);
        });
        let rules_played = or_missing(rules_played, &mut missing)?;
        if played.is_none() || rules_played.is_none() {
            continue;
        }
        found.interrupted |= (deals.len() as u64) < asked.deals || (effects[0].len() as u64) < asked.deals;
        if deals.len() as u64 >= LEAST_DEALS {
            found.rulesets.push(rules.character(&deals, &changed, &effects));
        }
        if stop.load(Ordering::Relaxed) {
            found.interrupted |= i + 1 < asked.rules.len();
            break;
        }
    }
    if missing { Err(Stopped::Missing) } else { Ok(found) }
}

/// Returns the rules changed by one step that make a valid ruleset.
fn changed_rules(loaded: &Loaded) -> Vec<(Change, Loaded)> {
    let steps = neighbours(loaded.rules.spec()).into_iter();
    steps.filter_map(|change| Some((change.clone(), vary(loaded, &[change]).ok()?))).collect()
}
