//! The first deals of a seed for a player who knows every card, with the dice that these games have.

use std::sync::atomic::AtomicBool;

use crate::cards::{Deck, Seed};
use crate::game::{Chance, SeededChance};
use crate::rules::Rules;
use crate::solver::{Goal, besides};
use crate::stats::ClairvoyantBounds;

use super::solve::{SolveBatch, SolveDeal, SolveError, SolveLimits, Solved, game_die, solve};
use super::workers::Workers;

/// Bytes for the positions of a thread: the same on every machine, so that the answers are.
pub(super) const MEMORY: usize = 256 << 20;

/// Bytes that a search uses for each of its positions, of one pack and of several, and for each in a beam or a width
/// search. A position of several packs takes six times as much, and those that follow it are kept too.
const NODE: u64 = 256;
const NODE_OF_PACKS: u64 = 1536;
const LISTED: u64 = 2 << 10;

/// The most bytes that a thread uses where this many positions are looked at in each deal.
pub fn memory_of_a_thread(nodes: u64, packs: usize) -> u64 {
    let node = if packs > 1 { NODE_OF_PACKS } else { NODE };
    let memory = (MEMORY as u64).min(nodes.saturating_mul(node)).max(1);
    memory + (besides(MEMORY) as u64).min(nodes.saturating_mul(LISTED))
}

/// Deals to be looked at.
#[derive(Clone, Copy, Debug)]
pub struct ClairvoyantBatch<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The seed.
    pub seed: Seed,
    /// Games of the seed, from the first.
    pub deals: u64,
    /// Most positions expanded in a deal.
    pub nodes: u64,
    /// Who makes the blocks.
    pub workers: Workers<'a>,
}

/// The bounds of the deals, the same at any number of threads; `told` is given how many there are. Once `stop` is
/// set, they are those of the deals before the first that is not answered; of a part of a run, those of the deals that are
/// there.
///
/// # Errors
/// As [`solve`](fn@solve).
pub fn clairvoyant_bounds(
    asked: &ClairvoyantBatch<'_>,
    stop: &AtomicBool,
    told: &mut dyn FnMut(u64),
) -> Result<ClairvoyantBounds, SolveError> {
    let ClairvoyantBatch { rules, seed, deals, nodes, workers } = *asked;
    let batch = SolveBatch {
        rules,
        deals,
        deal: &|game| SolveDeal {
            id: game.to_string(),
            deck: Deck::shuffled(rules.deck_shape(), seed, game),
            face: game_die(rules).map(|faces| SeededChance::new(seed, game).roll(faces)),
        },
        goal: Goal::Cards,
        limits: SolveLimits { nodes: Some(nodes), seconds: None, memory_bytes: MEMORY },
        workers,
    };
    let mut bounds = ClairvoyantBounds::new(rules.hot.cards, 1);
    solve(&batch, stop, &mut |solved: Solved| {
        // One answer a deal, in their order; where a part of a run is reported, not of every deal.
        bounds.push(solved.bound());
        told(bounds.deals() as u64);
    })?;
    Ok(bounds)
}
