//! Players measured one after another, each on separate games, so that their estimates are independent.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use crate::cards::Seed;
use crate::game::Outcome;
use crate::stats::Tally;

use super::blocks::Workers;

use super::batch::{Batch, BatchError, Finished, Matchup, Watcher, simulate};

/// Result of measuring one player.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Tally of its games.
    pub tally: Tally,
    /// Whether the run was stopped before all games were played.
    pub interrupted: bool,
}

/// Returns the games of a player, by index, if each plays at most `most`.
pub(super) fn own_games(number: usize, most: u64, games: u64) -> Range<u64> {
    let first = most.saturating_mul(number as u64);
    first..first.saturating_add(games)
}

/// Plays the games of one player; `watch` is called after every block.
///
/// # Errors
/// The first error of the strategy.
pub fn measure(
    player: Matchup<'_>,
    games: Range<u64>,
    (seed, workers): (Seed, Workers<'_>),
    stop: &AtomicBool,
    watch: impl FnMut(&Finished),
) -> Result<Measured, BatchError> {
    let spec = player.rules.spec();
    let batch = Batch { entries: vec![player], seed, games, precision: None, workers, each_game: false };
    let played = simulate(&batch, stop, &mut ProgressSink(watch))?;
    let tally = played.tallies.into_iter().next().unwrap_or_else(|| Tally::new(spec));
    Ok(Measured { tally, interrupted: played.interrupted })
}

/// Forwards the progress of a batch, block by block.
pub(super) struct ProgressSink<F>(pub F);

impl<F: FnMut(&Finished)> Watcher for ProgressSink<F> {
    fn block(&mut self, _first: u64, so_far: &Finished, _outcomes: &[Vec<Outcome>]) {
        (self.0)(so_far);
    }
}
