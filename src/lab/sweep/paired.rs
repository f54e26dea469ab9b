//! The same deals under the rules that cells are compared with.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::super::batch::{BLOCK, Pairing};
use super::super::player::{GameError, Player};
use crate::cards::Seed;
use crate::stats::GameWorth;

/// Deals of each cell that are compared, from the first. More would say little more, and what the other rules came to on
/// them is kept.
pub const MOST_COMPARED: u64 = 250_000;

/// What a block of games came to.
type Block = Arc<Vec<GameWorth>>;

/// What the games came to under the rules that cells are compared with, block by block, as far as it was needed. It is
/// found again after an interruption, rather than kept.
pub(super) struct Bases {
    /// Whether the player of each takes its time: then blocks are games.
    slow: Vec<bool>,
    blocks: Mutex<BTreeMap<(usize, u64), Block>>,
}

/// A thread's player of one of these rules.
pub(super) type BasePlayer<'a> = Option<(usize, Player<'a>)>;

impl Bases {
    pub fn new(slow: Vec<bool>) -> Bases {
        Bases { slow, blocks: Mutex::default() }
    }

    /// What games of a seed came to under base `base`, in order.
    ///
    /// # Errors
    /// The fault of the strategy there.
    pub fn games<'a>(
        &self,
        (base, pairing): (usize, &'a Pairing<'a>),
        seed: Seed,
        games: Range<u64>,
        player: impl Fn(&'a Pairing<'a>) -> Player<'a>,
        worker: &mut BasePlayer<'a>,
    ) -> Result<Vec<GameWorth>, GameError> {
        let size = if self.slow[base] { 1 } else { BLOCK };
        let mut all = Vec::new();
        let mut next = games.start;
        while next < games.end {
            let (block, first) = (next / size, next / size * size);
            let end = games.end.min(first + size);
            let known = self.lock().get(&(base, block)).cloned();
            let known = match known {
                Some(known) => known,
                None => {
                    if worker.as_ref().is_none_or(|(at, _)| *at != base) {
                        *worker = Some((base, player(pairing)));
                    }
                    let Some((_, player)) = worker else { break };
                    let worth = |game| {
                        let outcome = player.play(seed, game)?;
                        Ok(GameWorth::of(pairing.rules.spec(), &outcome))
                    };
                    let played: Block = Arc::new((first..first + size).map(worth).collect::<Result<_, _>>()?);
                    self.lock().insert((base, block), played.clone());
                    played
                }
            };
            all.extend_from_slice(&known[(next - first) as usize..(end - first) as usize]);
            next = end;
        }
        Ok(all)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<(usize, u64), Block>> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
