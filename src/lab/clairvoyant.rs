//! The first deals of a seed for the clairvoyant player, with the dice that these games roll.

use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::cards::Seed;
use crate::rules::Rules;
use crate::solver::besides;
use crate::stats::{ClairvoyantBounds, MostCards, Winnable};

use super::blocks::Workers;
use super::solve::{MEMORY, SolveError, Solved, seeded, solve};

/// Bytes per position of a search: for one pack, for several packs, and for each position in a beam or width
/// search. A position of several packs takes six times as much, and its successors are kept too.
const NODE: u64 = 256;
const NODE_OF_PACKS: u64 = 1536;
const LISTED: u64 = 2 << 10;

/// Returns the maximum memory of a thread, in bytes, if this many positions are expanded per deal.
pub fn memory_of_a_thread(nodes: u64, packs: usize) -> u64 {
    let node = if packs > 1 { NODE_OF_PACKS } else { NODE };
    let memory = (MEMORY as u64).min(nodes.saturating_mul(node)).max(1);
    memory + (besides(MEMORY) as u64).min(nodes.saturating_mul(LISTED))
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

/// Deals to bound.
#[derive(Clone, Copy, Debug)]
pub struct ClairvoyantBatch<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The seed.
    pub seed: Seed,
    /// Number of games of the seed, from game 0.
    pub deals: u64,
    /// Maximum number of positions expanded per deal.
    pub nodes: u64,
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
}

/// Returns the bounds of the deals, the same on any number of threads; `told` receives the number of deals done. Once
/// `stop` is set, the bounds are those of the deals before the first unfinished one; for a part of a run, those of
/// the deals available.
///
/// # Errors
/// Those of [`solve`](fn@solve).
pub fn clairvoyant_bounds(
    asked: &ClairvoyantBatch<'_>,
    stop: &AtomicBool,
    told: &mut dyn FnMut(u64),
) -> Result<ClairvoyantBounds, SolveError> {
    let ClairvoyantBatch { rules, seed, deals, nodes, workers } = *asked;
    let batch = seeded(rules, seed, deals, nodes, workers);
    let mut bounds = ClairvoyantBounds::new(rules.hot.cards, 1);
    solve(&batch, stop, &mut |solved: Solved| {
        // One answer per deal, in order; when a part of a run is reported, some deals are missing.
        bounds.push(solved.bound());
        told(bounds.deals() as u64);
    })?;
    Ok(bounds)
}
