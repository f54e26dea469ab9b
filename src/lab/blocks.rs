//! Blocks of work over threads, handed on in their order.
//!
//! A block is the unit of everything that could depend on threads: what is handed on is the same at
//! any number of them, and so is where a run that is stopped by its own results stops.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::crash::{Crash, guard};
use crate::strategy::StrategyError;
use crate::threads::on_pool;

use super::checkpoint::{Found, Stage, Workers};

/// How often it is looked whether somebody asks to stop while no block arrives.
const TICK: Duration = Duration::from_millis(20);

/// What is said of a run that cannot go on without the blocks of other shards.
pub(super) const MISSING: &str = "blocks of other shards are missing";

/// Tells workers to stop at once, amid their blocks: because somebody asked for it, or because all is over.
pub(super) struct Halt<'a> {
    asked: &'a AtomicBool,
    over: AtomicBool,
}

impl<'a> Halt<'a> {
    /// For work that ends soon after `asked` is set.
    pub fn new(asked: &'a AtomicBool) -> Halt<'a> {
        Halt { asked, over: AtomicBool::new(false) }
    }

    /// What those who work look at as often as they can. It is set a [`TICK`] after somebody asked, at the latest.
    pub fn flag(&self) -> &AtomicBool {
        &self.over
    }

    /// Whether somebody asked to stop.
    pub fn was_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Stops all work.
    pub fn stop(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Whether to stop.
    pub fn stopped(&self) -> bool {
        if self.asked.load(Ordering::Relaxed) {
            self.stop();
        }
        self.over.load(Ordering::Relaxed)
    }

    /// What came of a block, or nothing where a strategy was interrupted in it, which is no fault: then all stops.
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

/// Why blocks were not made to the end.
#[derive(Debug)]
pub(super) enum Halted<E> {
    /// A block's own error.
    Fault(E),
    /// A panic: a fault of the program.
    Crash(Crash),
    /// The threads could not be started.
    Threads(String),
    /// Blocks are needed that others make.
    Missing,
}

/// What a worker makes of a block; nothing of one that others make.
type Made<B, E> = (u64, Option<Result<B, Halted<E>>>);

/// Blocks of a stage of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    /// How many there are.
    pub count: u64,
    /// What comes of them decides how many are needed.
    pub open: bool,
}

impl Blocks {
    /// All of so many blocks.
    pub fn all(count: u64) -> Blocks {
        Blocks { count, open: false }
    }
}

/// What comes of a block, as it is kept.
pub(super) trait Keep: Send + Serialize + DeserializeOwned {}

impl<B: Send + Serialize + DeserializeOwned> Keep for B {}

/// Has blocks 0, 1, 2 ... made by workers, until all are, `take` has enough, or `halt` is asked to stop. Each thread has one
/// worker. Blocks reach `take` in their order; one that is not finished by then is dropped. Where blocks are kept, those that are
/// there already and `fit` are not made again.
///
/// # Errors
/// What ended the first block that has an error, after all before it were taken; a panic of `take`; blocks that others make.
pub(super) fn in_order<W, B, E>(
    workers: Workers<'_>,
    blocks: Blocks,
    halt: &Halt<'_>,
    worker: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, u64) -> Option<Result<B, E>> + Sync,
    fits: impl Fn(u64, &B) -> bool + Sync,
    take: impl FnMut(u64, B) -> ControlFlow<()>,
) -> Result<(), Halted<E>>
where
    B: Keep,
    E: Send,
{
    let Some(checkpoint) = workers.checkpoint else {
        return in_order_anew(workers.threads, blocks.count, halt, worker, make, take);
    };
    let stage = checkpoint.begin(workers.stage(), blocks.count, blocks.open);
    let read = |index: u64, bytes: &[u8]| postcard::from_bytes(bytes).ok().filter(|block| fits(index, block));
    let find = |index: u64| stage.find(index, |bytes| read(index, bytes));
    let keep = |index: u64, block: &B| match postcard::to_stdvec(block) {
        Ok(bytes) => stage.keep(index, &bytes),
        Err(error) => stage.lost(&error),
    };
    run(workers.threads, blocks.count, halt, worker, make, (find, keep, Some(&stage)), take)
}

/// As [`in_order`], of blocks that are never kept.
pub(super) fn in_order_anew<W, B: Send, E: Send>(
    threads: usize,
    blocks: u64,
    halt: &Halt<'_>,
    worker: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, u64) -> Option<Result<B, E>> + Sync,
    take: impl FnMut(u64, B) -> ControlFlow<()>,
) -> Result<(), Halted<E>> {
    run(threads, blocks, halt, worker, make, (|_| Found::ToMake, |_, _: &B| true, None), take)
}

fn run<W, B: Send, E: Send>(
    threads: usize,
    blocks: u64,
    halt: &Halt<'_>,
    worker: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, u64) -> Option<Result<B, E>> + Sync,
    (find, keep, stage): (
        impl Fn(u64) -> Found<B> + Sync,
        impl Fn(u64, &B) -> bool + Sync,
        Option<&Stage<'_>>,
    ),
    take: impl FnMut(u64, B) -> ControlFlow<()>,
) -> Result<(), Halted<E>> {
    let next = AtomicU64::new(0);
    let end = AtomicU64::new(blocks);
    // After the first block that others make nothing is handed on, so that theirs need not be looked at.
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
    // A worker takes block after block and keeps what it has set up, such as a script engine.
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
                    // Blocks of the next round depend on those that others make of this one.
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
                    Ok(Some(Ok(block))) if keep(index, &block) => Some(Ok(block)),
                    Ok(Some(Ok(_))) => {
                        halt.stop();
                        break;
                    }
                    Ok(Some(Err(fault))) => Some(Err(Halted::Fault(fault))),
                    Err(crash) => Some(Err(Halted::Crash(crash))),
                },
                Err(crash) => Some(Err(Halted::Crash(crash))),
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
    // Only workers send, so that the last to end ends the blocks.
    drop(sender);
    on_pool(jobs, || {
        let taken = guard(|| hand_on(&receiver, halt, stage, take));
        halt.stop();
        // A worker that waits for room to send in sees by the end of the receiver that all is over.
        drop(receiver);
        taken.unwrap_or_else(|crash| Err(Halted::Crash(crash)))
    })
    .map_err(Halted::Threads)?
}

/// Hands on block after block as they arrive, in their order, up to the first that others make.
fn hand_on<B, E>(
    arriving: &Receiver<Made<B, E>>,
    halt: &Halt<'_>,
    stage: Option<&Stage<'_>>,
    mut take: impl FnMut(u64, B) -> ControlFlow<()>,
) -> Result<(), Halted<E>> {
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
                // Here and not by those who look ahead: how far they are depends on threads.
                None => missing = Some(taken),
            }
            taken += 1;
        }
        if missing.is_some() {
            // What comes after is kept on the disk, and only faults are waited for.
            waiting.retain(|_, block| matches!(block, Some(Err(_))));
        }
        halt.stopped();
    }
    if stage.is_some_and(Stage::has_foreign) {
        return Err(Halted::Missing);
    }
    if let Some(fault) = waiting.into_values().flatten().find_map(Result::err)
        && missing.is_some()
    {
        return Err(fault);
    }
    if let (Some(first), Some(stage), false) = (missing, stage, halt.was_asked()) {
        stage.note_missing(first);
        return Err(Halted::Missing);
    }
    Ok(())
}
