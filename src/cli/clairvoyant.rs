//! `simulate --clairvoyant`: the clairvoyant player on the first games.

use crate::lab::SolveError;
use crate::lab::Workers;
use std::sync::atomic::AtomicBool;

use crate::lab::{ClairvoyantBatch, clairvoyant_bounds, memory_of_a_thread, solvable};
use crate::memory;
use crate::report::Clairvoyant;
use crate::rules::Loaded;

use super::args::SimulateArgs;
use super::error::CliError;
use super::progress::{FORESEEN, Line};
use super::terminal::note;

/// Refuses rulesets with chance inside the game, before any game is played.
pub(super) fn check(args: &SimulateArgs, names: &[String], rules: &[Loaded]) -> Result<(), CliError> {
    let Some(deals) = args.clairvoyant else { return Ok(()) };
    if deals.0 == 0 {
        return Err(CliError::input("--clairvoyant needs at least 1 deal"));
    }
    let faults = names.iter().zip(rules).filter_map(|(name, loaded)| {
        let refused = solvable(&loaded.rules).err()?;
        Some(CliError::input(format!(
            "--clairvoyant does not work for {name}: {refused}; choose other rules, or leave --clairvoyant out"
        )))
    });
    CliError::all(faults.collect()).map_or(Ok(()), Err)?;
    let threads = threads_for(args, deals.0);
    let packs = rules.iter().map(|loaded| loaded.rules.spec().deal.packs.into()).max().unwrap_or(1);
    let each = memory_of_a_thread(args.clairvoyant_nodes.0, packs);
    let what = format!("--clairvoyant with {threads} threads");
    memory::check(&what, each.saturating_mul(threads as u64), |most| match most / each {
        0 => "ask for fewer --clairvoyant-nodes".into(),
        fit => format!("ask for --threads {fit}, or for fewer --clairvoyant-nodes"),
    })
    .map_err(CliError::input)
}

/// Returns the number of threads with a deal to solve.
fn threads_for(args: &SimulateArgs, deals: u64) -> usize {
    args.run.threads().min(usize::try_from(deals).unwrap_or(usize::MAX))
}

/// Solves for each ruleset at most as many deals as games were played; returns nothing if not requested, or if the
/// run was stopped before a deal was solved.
pub(super) fn look(
    args: &SimulateArgs,
    rules: &[Loaded],
    games: u64,
    (stop, workers): (&AtomicBool, Workers<'_>),
) -> Result<Vec<Option<Clairvoyant>>, CliError> {
    let Some(deals) = args.clairvoyant else { return Ok(vec![None; rules.len()]) };
    let deals = deals.0.min(games);
    let nodes = args.clairvoyant_nodes.0;
    let total = deals.saturating_mul(rules.len() as u64);
    let mut line = Line::bar(FORESEEN, total, args.run.quiet);
    let (mut found, mut missing) = (Vec::new(), false);
    for (i, loaded) in rules.iter().enumerate() {
        let asked = ClairvoyantBatch {
            rules: &loaded.rules,
            seed: args.run.seed,
            deals,
            nodes,
            workers: workers.part(i as u64).at_most(usize::try_from(deals).unwrap_or(usize::MAX)),
        };
        let before = i as u64 * deals;
        let bounds = clairvoyant_bounds(&asked, stop, &mut |done| line.show(before + done, String::new));
        if matches!(bounds, Err(SolveError::Missing)) {
            missing = true;
            continue;
        }
        let bounds = bounds?;
        found.push((bounds.deals() > 0).then(|| Clairvoyant {
            deals: bounds.deals() as u64,
            nodes,
            winnable: bounds.winnable(),
            most_cards: bounds.most_cards(loaded.rules.spec()),
        }));
    }
    drop(line);
    if missing {
        return Err(CliError::Missing);
    }
    if !args.run.quiet {
        for (loaded, found) in rules.iter().zip(&found) {
            match found {
                Some(known) if known.deals == deals => {}
                Some(known) => note(&format!(
                    "interrupted: the perfect-information bound is from {} deals of {}",
                    known.deals, loaded.id
                )),
                None => note(&format!(
                    "interrupted: no deal of {} was solved for the perfect-information bound",
                    loaded.id
                )),
            }
        }
    }
    Ok(found)
}
