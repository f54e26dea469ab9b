//! The scripts that look ahead, on the page of the shelf.

use std::sync::atomic::AtomicBool;

use crate::lab::{Measured, Pairing, Workers, measure};
use crate::rules::Loaded;
use crate::strategy::StrategySource;

use super::args::RunArgs;
use super::error::CliError;
use super::input::load_strategy;
use super::progress::Runs;

/// The scripts of the shelf that play sampled deals on.
pub(super) const SCRIPTS: [&str; 3] = ["foresight", "chooser", "sampler"];

/// Whether they play a ruleset: with more packs a game takes them minutes.
fn plays(loaded: &Loaded) -> bool {
    loaded.rules.spec().deal.packs == 1
}

/// Plays so many games of each ruleset of one pack; for each ruleset, a run of each script or none.
pub(super) fn play(
    rulesets: &[Loaded],
    games: u64,
    run: &RunArgs,
    stop: &AtomicBool,
) -> Result<Vec<Vec<Measured>>, CliError> {
    let players: Vec<StrategySource> = SCRIPTS.into_iter().map(load_strategy).collect::<Result<_, _>>()?;
    let played = rulesets.iter().filter(|loaded| plays(loaded)).count();
    let progress = Runs::new(played * players.len(), run.quiet);
    let one = |loaded: &Loaded, player: &StrategySource| {
        let make = || player.instantiate();
        let entry = Pairing { id: &loaded.id, rules: &loaded.rules, strategy: &make };
        let name = format!("{} by {}", loaded.id, player.id());
        let workers = (run.seed, Workers::new(run.threads()));
        measure(entry, 0..games, workers, stop, |so_far| progress.piece(&name, so_far.games == games))
    };
    let each = |loaded| {
        let players = players.iter().filter(|_| plays(loaded));
        players.map(|player| one(loaded, player)).collect::<Result<_, _>>()
    };
    Ok(rulesets.iter().map(each).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::script::SHELF;

    #[test]
    fn no_script_that_plays_sampled_deals_on_is_left_out() {
        let mut all: Vec<&str> =
            SHELF.iter().filter(|(_, text)| text.contains(".playout(")).map(|(name, _)| *name).collect();
        let mut scripts = SCRIPTS.to_vec();
        all.sort_unstable();
        scripts.sort_unstable();
        assert_eq!(all, scripts);
    }
}
