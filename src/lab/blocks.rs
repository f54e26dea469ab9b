//! Blocks of work over threads, handed on in their order.
//!
//! A block is the unit of everything that could depend on threads: what is handed on is the same at
//! any number of them, and so is where a run that is stopped by its own results stops.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// What a worker makes of a block.
type Made<B, E> = (u64, Result<B, E>);

/// Has blocks 0, 1, 2 ... made by workers, until `make` says that there is no such block, `take` has
/// enough, or `stop` is set. Each thread has one worker. Blocks reach `take` in their order.
///
/// # Errors
/// The error of the first block that has one, after all before it were taken; outside it, that the
/// threads could not be started.
pub(super) fn in_order<W, B: Send, E: Send>(
    threads: usize,
    stop: &AtomicBool,
    worker: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, u64) -> Option<Result<B, E>> + Sync,
    take: impl FnMut(u64, B) -> ControlFlow<()>,
) -> Result<Result<(), E>, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| error.to_string())?;
    let next = AtomicU64::new(0);
    let done = AtomicBool::new(false);
    // A worker takes block after block and keeps what it has set up, such as a script engine.
    let work = |results: SyncSender<Made<B, E>>| {
        let mut worker = worker();
        while !stop.load(Ordering::Relaxed) && !done.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(block) = make(&mut worker, index) else { break };
            if results.send((index, block)).is_err() {
                break;
            }
        }
    };
    let (sender, receiver) = sync_channel(2 * threads);
    Ok(pool.in_place_scope(|scope| {
        for _ in 0..threads {
            let (sender, work) = (sender.clone(), &work);
            scope.spawn(move |_| work(sender));
        }
        drop(sender);
        let taken = hand_on(&receiver, take);
        done.store(true, Ordering::Relaxed);
        // A worker may wait for room to send in: take what it has, so that it sees that all is done.
        receiver.iter().for_each(drop);
        taken
    }))
}

/// Hands on block after block as they arrive, in their order.
fn hand_on<B, E>(
    arriving: &Receiver<Made<B, E>>,
    mut take: impl FnMut(u64, B) -> ControlFlow<()>,
) -> Result<(), E> {
    let mut waiting = BTreeMap::new();
    let mut taken = 0;
    for (index, block) in arriving {
        waiting.insert(index, block);
        while let Some(block) = waiting.remove(&taken) {
            if take(taken, block?).is_break() {
                return Ok(());
            }
            taken += 1;
        }
    }
    Ok(())
}
