//! The scripts that look ahead, on the page of the shelf.

use std::sync::atomic::AtomicBool;

use crate::lab::{self, GridPlayer, GridRun};
use crate::rules::{Loaded, Rules};
use crate::strategy::StrategySource;

use super::args::RunArgs;
use super::error::CliError;
use super::input::load_strategy;
use super::progress::Runs;

/// The scripts of the shelf that play sampled deals on.
pub(super) const SCRIPTS: [&str; 3] = ["foresight", "chooser", "sampler"];

/// Games that are played in one go at least.
const PIECE: u64 = 5;

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
) -> Result<Vec<Vec<GridRun>>, CliError> {
    let players: Vec<StrategySource> = SCRIPTS.into_iter().map(load_strategy).collect::<Result<_, _>>()?;
    let makers: Vec<_> = players.iter().map(|player| || player.instantiate()).collect();
    let grid: Vec<GridPlayer<'_>> =
        makers.iter().map(|make| GridPlayer { strategy: make, games, piece: PIECE }).collect();
    let played: Vec<&Loaded> = rulesets.iter().filter(|loaded| plays(loaded)).collect();
    let rules: Vec<(&str, &Rules)> = played.iter().map(|it| (&*it.id, &it.rules)).collect();
    let progress = Runs::new(rules.len() * grid.len(), run.quiet);
    let watch = |ruleset: usize, player: usize, last| {
        progress.piece(&format!("{} by {}", played[ruleset].id, SCRIPTS[player]), last);
    };
    let mut runs = lab::simulate_grid(&rules, &grid, run.seed, run.threads(), stop, &watch)?.into_iter();
    let of = |loaded| if plays(loaded) { runs.next().unwrap_or_default() } else { Vec::new() };
    Ok(rulesets.iter().map(of).collect())
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
