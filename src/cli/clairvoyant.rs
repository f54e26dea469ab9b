//! `simulate --clairvoyant`: what a player who knows every card could have had of the first games.

use std::sync::atomic::AtomicBool;

use crate::lab::{ClairvoyantBatch, clairvoyant_bounds, memory_of_a_thread, solvable};
use crate::report::Clairvoyant;
use crate::rules::Loaded;

use super::args::SimulateArgs;
use super::error::CliError;
use super::many::{note, threads};
use super::memory;
use super::progress::Line;

/// Deals that are looked at unless the command line says otherwise.
pub(super) const DEALS: &str = "200";
/// Positions that are expanded in a deal at most unless the command line says otherwise: a limit of time would give
/// other figures on other machines.
pub(super) const NODES: &str = "200k";

/// Refuses rulesets under which not all can be known, before any game is played.
pub(super) fn check(args: &SimulateArgs, names: &[String], rules: &[Loaded]) -> Result<(), CliError> {
    let Some(deals) = args.clairvoyant else { return Ok(()) };
    if deals.0 == 0 {
        return Err(CliError::input("--clairvoyant: no deals to look at; at least 1 is expected"));
    }
    let faults = names.iter().zip(rules).filter_map(|(name, loaded)| {
        let refused = solvable(&loaded.rules).err()?;
        Some(CliError::input(format!(
            "--clairvoyant cannot look at {name}: {refused}; choose rules without, or leave --clairvoyant out"
        )))
    });
    CliError::all(faults.collect()).map_or(Ok(()), Err)?;
    let threads = threads_for(args, deals.0);
    let each = memory_of_a_thread(args.clairvoyant_nodes.0);
    let what = format!("--clairvoyant with {threads} threads");
    memory::check(&what, each.saturating_mul(threads as u64), |most| match most / each {
        0 => "ask for fewer --clairvoyant-nodes".into(),
        fit => format!("ask for --threads {fit}, or for fewer --clairvoyant-nodes"),
    })
}

/// Threads that have a deal to solve.
fn threads_for(args: &SimulateArgs, deals: u64) -> usize {
    threads(args.threads).min(usize::try_from(deals).unwrap_or(usize::MAX))
}

/// What is known of each ruleset, on no more deals than games were played; nothing where it was not asked, or the run
/// was stopped before a deal was solved.
pub(super) fn look(
    args: &SimulateArgs,
    rules: &[Loaded],
    games: u64,
    stop: &AtomicBool,
) -> Result<Vec<Option<Clairvoyant>>, CliError> {
    let Some(deals) = args.clairvoyant else { return Ok(vec![None; rules.len()]) };
    let deals = deals.0.min(games);
    let nodes = args.clairvoyant_nodes.0;
    let template = "{wide_bar:.cyan/dim} {human_pos} deals with every card known  {per_sec}  {eta} left";
    let total = deals.saturating_mul(rules.len() as u64);
    let mut line = Line::new(template, Some(total), |rate| format!("{rate:.1} deals/s"), args.quiet);
    let mut found = Vec::new();
    for (i, loaded) in rules.iter().enumerate() {
        let asked = ClairvoyantBatch {
            rules: &loaded.rules,
            seed: args.seed,
            deals,
            nodes,
            threads: threads_for(args, deals),
        };
        let before = i as u64 * deals;
        let bounds = clairvoyant_bounds(&asked, stop, &mut |done| line.show(before + done, String::new));
        let bounds = bounds?;
        found.push((bounds.deals() > 0).then(|| Clairvoyant {
            deals: bounds.deals() as u64,
            nodes,
            winnable: bounds.winnable(),
            most_cards: bounds.most_cards(&loaded.rules.spec().casino),
        }));
    }
    line.clear();
    if !args.quiet {
        for (loaded, found) in rules.iter().zip(&found) {
            match found {
                Some(known) if known.deals == deals => {}
                Some(known) => note(&format!(
                    "interrupted: with every card known {} deals of {} were solved",
                    known.deals, loaded.id
                )),
                None => {
                    note(&format!("interrupted: with every card known no deal of {} was solved", loaded.id))
                }
            }
        }
    }
    Ok(found)
}
