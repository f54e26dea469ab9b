//! Several batches side by side, such as the rulesets of a shelf, each with its own number of games.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::crash::guard;
use crate::game::Outcome;
use crate::threads::spawn_in;

use super::batch::{Batch, BatchError, Finished, Watcher, simulate};

/// Tells which batch, from 0, has come how far.
type Watch<'w> = dyn Fn(usize, &Finished) + Sync + 'w;

/// Plays every batch as [`simulate`] does, on `threads` threads (at least 1) that each take a whole batch
/// after the other; a batch's own `threads` are besides. What comes of each is the same at any number of
/// them. Once `stop` is set, what is left is not played.
///
/// # Errors
/// That of the first batch, in their order, that has one.
pub fn simulate_each(
    batches: &[Batch<'_>],
    threads: usize,
    stop: &AtomicBool,
    watch: &Watch<'_>,
) -> Result<Vec<Finished>, BatchError> {
    let next = AtomicUsize::new(0);
    let fault = AtomicBool::new(false);
    let slots: Vec<Mutex<Option<Result<Finished, BatchError>>>> =
        batches.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        // Batches are begun in their order, so all before one with a fault are played, and the first is found.
        while !fault.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(batch) = batches.get(index) else { break };
            let played = guard(|| simulate(batch, stop, &mut Relay { index, watch }));
            let played = played.unwrap_or_else(|crash| Err(BatchError::Crashed(crash)));
            fault.fetch_or(played.is_err(), Ordering::Relaxed);
            *slots[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(played);
        }
    };
    std::thread::scope(|scope| {
        let started = (1..threads.min(batches.len())).try_for_each(|_| spawn_in(scope, work));
        if started.is_err() {
            fault.store(true, Ordering::Relaxed);
        }
        work();
        started.map_err(|error| BatchError::Threads(error.to_string()))
    })?;
    // Only what comes after a fault is not played.
    slots.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

/// Passes on what a batch tells.
struct Relay<'a, 'w> {
    index: usize,
    watch: &'a Watch<'w>,
}

impl Watcher for Relay<'_, '_> {
    fn block(&mut self, _first: u64, so_far: &Finished, _outcomes: &[Vec<Outcome>]) {
        (self.watch)(self.index, so_far);
    }
}
