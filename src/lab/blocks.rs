//! Blocks of work, computed over threads and delivered in order.
//!
//! A block is the unit of everything that could depend on threads: the blocks delivered, and the point at which a run
//! stops because of its results, are the same on any number of threads. Without the feature `native` the calling
//! thread computes the blocks in turn.

#[cfg(feature = "native")]
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
#[cfg(feature = "native")]
use std::sync::atomic::AtomicU64;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "native")]
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
#[cfg(feature = "native")]
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::crash::{Crash, guard};
use crate::strategy::StrategyError;
#[cfg(feature = "native")]
use crate::threads::on_pool;

#[cfg(feature = "native")]
use super::checkpoint::{Checkpoint, Found, Stage, with_times};

/// Interval between checks for a request to stop while no block arrives.
#[cfg(feature = "native")]
const TICK: Duration = Duration::from_millis(20);

/// Threads that run blocks, and the checkpoint that stores the results.
#[derive(Clone, Copy, Debug)]
pub struct Workers<'a> {
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Stops the run once it is set.
    pub stop: &'a AtomicBool,
    /// Checkpoint that stores finished blocks, if any.
    #[cfg(feature = "native")]
    pub checkpoint: Option<&'a Checkpoint>,
    /// Id of the current stage, unique in the run.
    stage: u64,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a> Workers<'a> {
    /// Creates threads without a checkpoint, which nothing stops.
    pub fn new(threads: usize) -> Workers<'a> {
        Workers {
            threads,
            stop: &NEVER,
            #[cfg(feature = "native")]
            checkpoint: None,
            stage: 0,
        }
    }

    /// Makes a flag stop the run.
    pub fn heeding(self, stop: &'a AtomicBool) -> Workers<'a> {
        Workers { stop, ..self }
    }

    /// Stores finished blocks in a checkpoint.
    #[cfg(feature = "native")]
    pub fn keeping(self, checkpoint: &'a Checkpoint) -> Workers<'a> {
        Workers { checkpoint: Some(checkpoint), ..self }
    }

    /// Returns whether the run is to stop.
    pub fn stopped(self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns the workers of a part of this stage. Parts may have parts; the id of each depends only on its
    /// position, not on the stages run before, so that a shard can start the next part while one is incomplete.
    pub fn part(self, part: u64) -> Workers<'a> {
        // The mixer of SplitMix64 (Steele, Lea and Flood 2014): a run has few stages, so that ids do not collide.
        let mut z = self.stage.wrapping_add((part + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Workers { stage: (z ^ z >> 31) & (u64::MAX >> 1), ..self }
    }

    /// Returns the workers with at most this many threads.
    pub fn at_most(self, threads: usize) -> Workers<'a> {
        Workers { threads: self.threads.min(threads), ..self }
    }
}

/// Cooperative cancellation flag: stops workers within their blocks on request, or when the run is over.
pub(super) struct StopFlag<'a> {
    asked: &'a AtomicBool,
    over: AtomicBool,
}

impl<'a> StopFlag<'a> {
    /// Creates a flag that follows `asked` with a short delay.
    pub fn new(asked: &'a AtomicBool) -> StopFlag<'a> {
        StopFlag { asked, over: AtomicBool::new(false) }
    }

    /// Returns the flag that workers poll.
    pub fn flag(&self) -> &AtomicBool {
        &self.over
    }

    /// Stops all workers.
    pub fn stop(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Returns whether to stop.
    pub fn stopped(&self) -> bool {
        if self.asked.load(Ordering::Relaxed) {
            self.stop();
        }
        self.over.load(Ordering::Relaxed)
    }

    /// Returns the result of a block; nothing, and stops the run, if the strategy was interrupted, which is no error.
    pub fn unless_interrupted<B, E>(
        &self,
        made: Result<B, E>,
        of: impl Fn(&E) -> &StrategyError,
    ) -> Option<Result<B, E>> {
        if made.as_ref().is_err_and(|error| *of(error) == StrategyError::Interrupted) {
            self.stop();
            return None;
        }
        Some(made)
    }
}

/// Reason why blocks were not completed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Stopped<E> {
    /// Error of a block.
    #[error(transparent)]
    Fault(E),
    /// A panic, which is a bug in the program.
    #[error("internal error: {0}")]
    Crashed(Crash),
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(String),
    /// Blocks of other shards are needed.
    #[error("blocks of other shards are missing")]
    Missing,
}

impl<E> Stopped<E> {
    /// Converts the error of a block.
    pub(super) fn map<F>(self, fault: impl FnOnce(E) -> F) -> Stopped<F> {
        match self {
            Stopped::Fault(error) => Stopped::Fault(fault(error)),
            Stopped::Crashed(crash) => Stopped::Crashed(crash),
            Stopped::Threads(why) => Stopped::Threads(why),
            Stopped::Missing => Stopped::Missing,
        }
    }
}

/// Returns the result of a part of a run; notes missing blocks, as a shard may still run its share of other parts.
pub(super) fn or_missing<T, E>(
    part: Result<T, Stopped<E>>,
    missing: &mut bool,
) -> Result<Option<T>, Stopped<E>> {
    match part {
        Err(Stopped::Missing) => {
            *missing = true;
            Ok(None)
        }
        part => part.map(Some),
    }
}

#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// Games, deals or other items, by index.
    pub items: Range<u64>,
    /// Number of items of a block; the last may have fewer.
    pub size: u64,
    /// Whether the results decide how many blocks are needed.
    #[cfg_attr(not(feature = "native"), expect(dead_code, reason = "there are no shards"))]
    pub open: bool,
}

impl Blocks {
    /// A stage that needs all of these items.
    pub fn all(items: Range<u64>, size: u64) -> Blocks {
        Blocks { items, size, open: false }
    }

    fn count(&self) -> u64 {
        self.items.end.saturating_sub(self.items.start).div_ceil(self.size)
    }

    /// Returns the items of a block, of which there is at least one.
    fn items(&self, block: u64) -> Range<u64> {
        let first = self.items.start + block * self.size;
        first..first.saturating_add(self.size).min(self.items.end)
    }
}

/// Result of a block that a checkpoint can store.
pub(super) trait Cacheable: Send + Serialize + DeserializeOwned {
    /// Returns the times in it, seconds. Everything else is the same whenever the block is computed.
    #[cfg_attr(not(feature = "native"), expect(dead_code, reason = "no block is stored"))]
    fn times(&mut self) -> Vec<&mut f64> {
        Vec::new()
    }
}

/// Encodes a block, with its times at the end.
#[cfg(feature = "native")]
fn written<B: Cacheable>(block: &mut B) -> postcard::Result<Vec<u8>> {
    let times: Vec<f64> = block.times().into_iter().map(std::mem::take).collect();
    let bytes = postcard::to_stdvec(block);
    block.times().into_iter().zip(&times).for_each(|(it, time)| *it = *time);
    Ok(with_times(bytes?, &postcard::to_stdvec(&times)?))
}

#[cfg(feature = "native")]
fn read<B: Cacheable>(bytes: &[u8]) -> Option<B> {
    let (mut block, rest) = postcard::take_from_bytes::<B>(bytes).ok()?;
    let times: Vec<f64> = postcard::from_bytes(rest).ok()?;
    let places = block.times();
    let fit = places.len() == times.len();
    places.into_iter().zip(times).for_each(|(it, time)| *it = time);
    fit.then_some(block)
}

/// Has workers compute blocks 0, 1, 2 ... until all are done, `take` has enough, or `halt` is set. Each thread has one
/// worker; `make` returns nothing if it was stopped. `take` receives the blocks in order; unfinished blocks are dropped
/// at the end. With a checkpoint, stored blocks that pass `fit` are not computed again. Fails with the error of the
/// first failed block, after all blocks before it were delivered; a panic of `take`; or missing blocks of other shards.
#[cfg(feature = "native")]
pub(super) fn in_order<W, B: Cacheable, E: Send>(
    workers: Workers<'_>,
    blocks: &Blocks,
    halt: &StopFlag<'_>,
    worker: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, Range<u64>) -> Option<Result<B, E>> + Sync,
    fits: impl Fn(Range<u64>, &B) -> bool + Sync,
    mut take: impl FnMut(Range<u64>, B) -> ControlFlow<()>,
) -> Result<(), Stopped<E>> {
    let count = blocks.count();
    let stage = workers.checkpoint.map(|it| it.begin(workers.stage, count, blocks.open));
    let stage = stage.as_ref();
    let (next, end) = (AtomicU64::new(0), AtomicU64::new(count));
    // After the first block of another shard nothing is delivered, so that later ones need not be looked up.
    let only_own = AtomicBool::new(false);
    let after = |index: u64| match stage.filter(|_| only_own.load(Ordering::Relaxed)) {
        Some(stage) => stage.next(index),
        None => index,
    };
    let claim = || {
        let mut claimed = 0;
        let _ = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |index| {
            claimed = after(index);
            Some(claimed.saturating_add(1))
        });
        claimed
    };
    let find = |index: u64| match stage {
        Some(stage) => {
            let whole = |bytes: &[u8]| read(bytes).filter(|block| fits(blocks.items(index), block));
            stage.find(index, whole)
        }
        None => Found::ToMake,
    };
    // Returns whether to go on.
    let keep = |index: u64, block: &mut B| match stage.map(|stage| (stage, written(block))) {
        None => true,
        Some((stage, Ok(bytes))) => stage.keep(index, &bytes),
        Some((stage, Err(error))) => stage.lost(&error),
    };
    // The result of a block, which is nothing for one of another shard; no result if the run is to stop.
    let produce = |seat: &mut Option<W>, index: u64| match find(index) {
        Found::Kept(block) => Some(Ok(Some(block))),
        Found::Elsewhere => {
            // Blocks of the next round depend on blocks of this one that other shards compute.
            if let Some(stage) = stage {
                end.fetch_min(stage.round_end(index), Ordering::Relaxed);
                only_own.store(true, Ordering::Relaxed);
            }
            Some(Ok(None))
        }
        Found::Foreign => {
            halt.stop();
            None
        }
        Found::ToMake => match make(seat.get_or_insert_with(&worker), blocks.items(index))? {
            Ok(mut block) => {
                if !keep(index, &mut block) {
                    halt.stop();
                    return None;
                }
                Some(Ok(Some(block)))
            }
            Err(fault) => Some(Err(Stopped::Fault(fault))),
        },
    };
    // A worker takes block after block and reuses its state, such as a script engine.
    let work = |results: SyncSender<Made<B, E>>| {
        let mut seat = None;
        while !halt.stopped() {
            let index = claim();
            if index >= end.load(Ordering::Relaxed) {
                break;
            }
            let produced = guard(|| produce(&mut seat, index));
            let Some(block) = produced.unwrap_or_else(|crash| Some(Err(Stopped::Crashed(crash)))) else {
                break;
            };
            let last = block.is_err();
            if results.send((index, block)).is_err() || last {
                break;
            }
        }
    };
    let work = &work;
    let (sender, receiver) = sync_channel(2 * workers.threads);
    let job = |_| {
        let sender = sender.clone();
        move || work(sender)
    };
    let jobs = (0..workers.threads).map(job).collect();
    // Only workers hold senders now, so that the channel closes when the last of them ends.
    drop(sender);
    on_pool(jobs, || {
        let take = |index, block| take(blocks.items(index), block);
        let taken = guard(|| deliver_in_order(&receiver, halt, stage, take));
        halt.stop();
        // Closing the receiver releases workers that wait for room to send.
        drop(receiver);
        taken.unwrap_or_else(|crash| Err(Stopped::Crashed(crash)))
    })
    .map_err(Stopped::Threads)?
}

/// Message of a worker: a block's index and result; no block for one of another shard.
#[cfg(feature = "native")]
type Made<B, E> = (u64, Result<Option<B>, Stopped<E>>);

/// Delivers blocks in order as they arrive, up to the first that another shard computes.
#[cfg(feature = "native")]
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
        match arriving.recv_timeout(TICK) {
            Ok((index, block)) => drop(waiting.insert(index, block)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        while missing.is_none()
            && let Some(block) = waiting.remove(&taken)
        {
            match block? {
                Some(block) => {
                    if take(taken, block).is_break() {
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
            waiting.retain(|_, block| block.is_err());
        }
        halt.stopped();
    }
    if stage.is_some_and(Stage::has_foreign) {
        return Err(Stopped::Missing);
    }
    let Some((first, stage)) = missing.zip(stage) else { return Ok(()) };
    if let Some(fault) = waiting.into_values().find_map(Result::err) {
        return Err(fault);
    }
    if !halt.asked.load(Ordering::Relaxed) {
        stage.note_missing(first);
        return Err(Stopped::Missing);
    }
    Ok(())
}

/// Computes the blocks in turn on the calling thread, until all are done, `take` has enough, or `halt` is set.
#[cfg(not(feature = "native"))]
pub(super) fn in_order<W, B: Cacheable, E: Send>(
    _: Workers<'_>,
    blocks: &Blocks,
    halt: &StopFlag<'_>,
    worker: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, Range<u64>) -> Option<Result<B, E>> + Sync,
    _fits: impl Fn(Range<u64>, &B) -> bool + Sync,
    mut take: impl FnMut(Range<u64>, B) -> ControlFlow<()>,
) -> Result<(), Stopped<E>> {
    let work = || {
        let mut worker = worker();
        for index in (0..blocks.count()).take_while(|_| !halt.stopped()) {
            let Some(block) = make(&mut worker, blocks.items(index)) else { break };
            if take(blocks.items(index), block.map_err(Stopped::Fault)?).is_break() {
                break;
            }
        }
        Ok(())
    };
    guard(work).unwrap_or_else(|crash| Err(Stopped::Crashed(crash)))
}
