//! The searching player on the page of the shelf, beside every script on the same deals.

use crate::lab::Workers;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::lab::{self, Comparison, Pairing};
use crate::report::ShelfBeside;
use crate::rules::{Loaded, Rules};
use crate::stats::{Measure, TAIL, Tally, summarize};
use crate::strategy::StrategySource;

use super::args::RunArgs;
use super::error::CliError;
use super::input::load_strategy;
use super::progress::Runs;

/// The player.
pub(super) const PLAYER: &str = "search:level=2";

/// The scripts of the shelf that it is beside, greedy in its faster form.
const SCRIPTS: [&str; 7] = ["greedy", "patient", "hoarder", "reserve-first", "cautious", "racer", "tunable"];

/// The deals of a ruleset where one of a single pack has so many: a game of several packs takes it many times longer.
pub(super) fn deals(of_one_pack: u64, rules: &Rules) -> u64 {
    let packs = u64::from(rules.spec().deal.packs).max(1);
    of_one_pack.div_ceil(packs * packs)
}

/// What came of a ruleset.
pub(super) struct Played {
    /// Of the searching player.
    pub tally: Tally,
    /// Beside the best of the scripts, where deals were played.
    pub beside: Option<ShelfBeside>,
    pub interrupted: bool,
}

/// Plays the first deals of each ruleset with the searching player and every script.
pub(super) fn play(
    rulesets: &[Loaded],
    of_one_pack: u64,
    run: &RunArgs,
    stop: &AtomicBool,
) -> Result<Vec<Played>, CliError> {
    let names = std::iter::once(PLAYER).chain(SCRIPTS);
    let players: Vec<StrategySource> = names.map(load_strategy).collect::<Result<_, _>>()?;
    let makers: Vec<_> = players.iter().map(|player| || player.instantiate()).collect();
    let progress = Runs::new(rulesets.len(), run.quiet);
    let mut all = Vec::new();
    for loaded in rulesets {
        let (rules, deals) = (&loaded.rules, deals(of_one_pack, &loaded.rules));
        if stop.load(Ordering::Relaxed) {
            all.push(Played { tally: Tally::new(rules.spec()), beside: None, interrupted: true });
            continue;
        }
        let entries = makers.iter().map(|make| Pairing { id: &loaded.id, rules, strategy: make });
        let comparison = Comparison {
            entries: entries.collect(),
            seed: run.seed,
            given: None,
            budget: deals,
            measure: Measure::Money,
            test: None,
            fit_difference: false,
            play_all: true,
            show: 0,
            workers: Workers::new(run.threads()),
        };
        let told = |games| format!("{} by {PLAYER}: {games} of {deals} deals", loaded.id);
        let compared = lab::compare(&comparison, stop, &mut |underway| {
            progress.piece(&told(underway.games), false);
        })?;
        progress.piece(&told(compared.games), true);
        let net = |script: usize| summarize(&compared.tallies[script], rules.spec(), Vec::new()).net.value;
        let best = (1..players.len()).max_by(|&a, &b| net(a).total_cmp(&net(b)).then(b.cmp(&a)));
        let beside = best.filter(|_| compared.games > 0).and_then(|best| {
            let pair = compared.pairs.iter().find(|pair| (pair.a, pair.b) == (0, best))?;
            let script = summarize(&compared.tallies[best], rules.spec(), Vec::new());
            Some(ShelfBeside { name: SCRIPTS[best - 1].into(), script, difference: pair.tally.summary(TAIL) })
        });
        let tally = compared.tallies.into_iter().next().unwrap_or_else(|| Tally::new(rules.spec()));
        all.push(Played { tally, beside, interrupted: compared.interrupted });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::{self, script::SHELF};

    /// Every strategy of the shelf that plays by a plan is one of those it is beside.
    #[test]
    fn no_script_is_left_out() {
        let mut all: Vec<&str> = strategy::names().into_iter().map(|(name, _)| name).collect();
        // Those that play sampled deals on take as long as the searching player does.
        let slow = |name: &str| SHELF.iter().any(|(it, text)| *it == name && text.contains(".playout("));
        all.retain(|name| *name != "random" && !slow(name));
        let mut scripts = SCRIPTS.to_vec();
        scripts.sort_unstable();
        assert_eq!(all, scripts);
    }
}
