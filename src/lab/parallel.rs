//! Blocks over threads.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use crate::crash::guard;
use crate::threads::on_pool;

use super::checkpoint::{Found, Stage};
use super::halt::{StopFlag, Stopped};

/// Interval between checks for a request to stop while no block arrives.
const TICK: Duration = Duration::from_millis(20);

/// Message of a worker: a block's index and result; no result for a block of another shard.
type Made<B, E> = (u64, Option<Result<B, Stopped<E>>>);

/// Has threads, with one worker each, compute blocks, and delivers them in order. `find` looks up a block, and `keep`
/// stores a computed one.
///
/// # Errors
/// The error of the first failed block, after all blocks before it were delivered; a panic of `take`; missing blocks
/// of other shards.
pub(super) fn make_in_order<W, B: Send, E: Send>(
    threads: usize,
    blocks: u64,
    halt: &StopFlag<'_>,
    worker: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, u64) -> Option<Result<B, E>> + Sync,
    (find, keep, stage): (
        impl Fn(u64) -> Found<B> + Sync,
        impl Fn(u64, &mut B) -> bool + Sync,
        Option<&Stage<'_>>,
    ),
    take: impl FnMut(u64, B) -> ControlFlow<()>,
) -> Result<(), Stopped<E>> {
    let next = AtomicU64::new(0);
    let end = AtomicU64::new(blocks);
    // After the first block of another shard nothing is delivered, so that later ones need not be looked up.
    let only_own = AtomicBool::new(false);
    let claim = || {
        let own =
            |index| stage.filter(|_| only_own.load(Ordering::Relaxed)).map_or(index, |it| it.next(index));
        let mut index = next.load(Ordering::Relaxed);
        loop {
            let found = own(index);
            match next.compare_exchange_weak(
                index,
                found.saturating_add(1),
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => break found,
                Err(now) => index = now,
            }
        }
    };
    // A worker takes block after block and reuses its state, such as a script engine.
    let work = |results: SyncSender<Made<B, E>>| {
        let mut seat = None;
        while !halt.stopped() {
            let index = claim();
            if index >= end.load(Ordering::Relaxed) {
                break;
            }
            let block = match guard(|| find(index)) {
                Ok(Found::Kept(block)) => Some(Ok(block)),
                Ok(Found::Elsewhere) => {
                    // Blocks of the next round depend on blocks of this one that other shards compute.
                    if let Some(stage) = stage {
                        end.fetch_min(stage.round_end(index), Ordering::Relaxed);
                        only_own.store(true, Ordering::Relaxed);
                    }
                    None
                }
                Ok(Found::Foreign) => {
                    halt.stop();
                    break;
                }
                Ok(Found::ToMake) => match guard(|| make(seat.get_or_insert_with(&worker), index)) {
                    Ok(None) => break,
                    Ok(Some(Ok(mut block))) => match keep(index, &mut block) {
                        true => Some(Ok(block)),
                        false => {
                            halt.stop();
                            break;
                        }
                    },
                    Ok(Some(Err(fault))) => Some(Err(Stopped::Fault(fault))),
                    Err(crash) => Some(Err(Stopped::Crash(crash))),
                },
                Err(crash) => Some(Err(Stopped::Crash(crash))),
            };
            let last = matches!(block, Some(Err(_)));
            if results.send((index, block)).is_err() || last {
                break;
            }
        }
    };
    let work = &work;
    let (sender, receiver) = sync_channel(2 * threads);
    let job = |_| {
        let sender = sender.clone();
        move || work(sender)
    };
    let jobs = (0..threads).map(job).collect();
    // Only workers hold senders now, so that the channel closes when the last of them ends.
    drop(sender);
    on_pool(jobs, || {
        let taken = guard(|| deliver_in_order(&receiver, halt, stage, take));
        halt.stop();
        // Closing the receiver releases workers that wait for room to send.
        drop(receiver);
        taken.unwrap_or_else(|crash| Err(Stopped::Crash(crash)))
    })
    .map_err(Stopped::Threads)?
}

/// Delivers blocks in order as they arrive, up to the first that another shard computes.
fn deliver_in_order<B, E>(
    arriving: &Receiver<Made<B, E>>,
    halt: &StopFlag<'_>,
    stage: Option<&Stage<'_>>,
    mut take: impl FnMut(u64, B) -> ControlFlow<()>,
) -> Result<(), Stopped<E>> {
    let mut waiting = BTreeMap::new();
    let mut taken = 0;
    let mut missing = None;
    loop {
        let (index, block) = match arriving.recv_timeout(TICK) {
            Ok(made) => made,
            Err(RecvTimeoutError::Timeout) => {
                halt.stopped();
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        waiting.insert(index, block);
        while missing.is_none()
            && let Some(block) = waiting.remove(&taken)
        {
            match block {
                Some(block) => {
                    if take(taken, block?).is_break() {
                        return Ok(());
                    }
                }
                // Decided here and not by the workers, whose progress depends on threads.
                None => missing = Some(taken),
            }
            taken += 1;
        }
        if missing.is_some() {
            // Later blocks are stored on disk; only their errors matter here.
            waiting.retain(|_, block| matches!(block, Some(Err(_))));
        }
        halt.stopped();
    }
    if stage.is_some_and(Stage::has_foreign) {
        return Err(Stopped::Missing);
    }
    if let Some(fault) = waiting.into_values().flatten().find_map(Result::err)
        && missing.is_some()
    {
        return Err(fault);
    }
    if let (Some(first), Some(stage), false) = (missing, stage, halt.was_asked()) {
        stage.note_missing(first);
        return Err(Stopped::Missing);
    }
    Ok(())
}
