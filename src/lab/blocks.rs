//! Blocks of work, delivered in order.
//!
//! A block is the unit of everything that could depend on threads: the blocks delivered, and the point at which a run
//! stops because of its results, are the same on any number of threads. Without the feature `native` the calling
//! thread computes the blocks in turn.

use std::ops::ControlFlow;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

#[cfg(not(feature = "native"))]
use crate::crash::guard;

#[cfg(feature = "native")]
use super::checkpoint::{Found, with_times};
#[cfg(feature = "native")]
use super::parallel::make_in_order;
use super::workers::Workers;

pub(super) use super::halt::{StopFlag, Stopped};

/// Message when a run cannot continue without the blocks of other shards.
pub(super) const MISSING: &str = "blocks of other shards are missing";

/// Blocks of one stage of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    /// Number of blocks.
    pub count: u64,
    /// Whether the results decide how many blocks are needed.
    pub open: bool,
}

impl Blocks {
    /// A stage that needs all of this many blocks.
    pub fn all(count: u64) -> Blocks {
        Blocks { count, open: false }
    }
}

/// Result of a block that a checkpoint can store.
pub(super) trait Cacheable: Send + Serialize + DeserializeOwned {
    /// Returns the times in it. Everything else is the same whenever the block is computed.
    #[cfg_attr(not(feature = "native"), expect(dead_code, reason = "no block is stored"))]
    fn times(&mut self) -> Vec<Time<'_>> {
        Vec::new()
    }
}

/// Time in a block.
#[cfg_attr(not(feature = "native"), expect(dead_code, reason = "no block is stored"))]
pub(super) enum Time<'a> {
    Duration(&'a mut Duration),
    Seconds(&'a mut f64),
}

impl Time<'_> {
    /// Replaces it, and returns its bits.
    #[cfg(feature = "native")]
    fn replace(self, bits: u64) -> u64 {
        match self {
            Time::Duration(it) => std::mem::replace(it, Duration::from_nanos(bits)).as_nanos() as u64,
            Time::Seconds(it) => std::mem::replace(it, f64::from_bits(bits)).to_bits(),
        }
    }
}

/// Encodes a block, with its times at the end.
#[cfg(feature = "native")]
fn written<B: Cacheable>(block: &mut B) -> postcard::Result<Vec<u8>> {
    let times: Vec<u64> = block.times().into_iter().map(|it| it.replace(0)).collect();
    let bytes = postcard::to_stdvec(block);
    for (it, time) in block.times().into_iter().zip(&times) {
        it.replace(*time);
    }
    Ok(with_times(bytes?, &postcard::to_stdvec(&times)?))
}

/// Decodes a block.
#[cfg(feature = "native")]
fn read<B: Cacheable>(bytes: &[u8]) -> Option<B> {
    let (mut block, rest) = postcard::take_from_bytes::<B>(bytes).ok()?;
    let times: Vec<u64> = postcard::from_bytes(rest).ok()?;
    let all = block.times();
    let fit = all.len() == times.len();
    for (it, time) in all.into_iter().zip(times) {
        it.replace(time);
    }
    fit.then_some(block)
}

/// Has workers compute blocks 0, 1, 2 ... until all are done, `take` has enough, or `halt` is set. Each thread has
/// one worker. `take` receives the blocks in order; unfinished blocks are dropped at the end. With a checkpoint,
/// stored blocks that pass `fit` are not computed again.
///
/// # Errors
/// The error of the first failed block, after all blocks before it were delivered; a panic of `take`; missing blocks
/// of other shards.
pub(super) fn in_order<W, B, E>(
    workers: Workers<'_>,
    blocks: Blocks,
    halt: &StopFlag<'_>,
    worker: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, u64) -> Option<Result<B, E>> + Sync,
    fits: impl Fn(u64, &B) -> bool + Sync,
    take: impl FnMut(u64, B) -> ControlFlow<()>,
) -> Result<(), Stopped<E>>
where
    B: Cacheable,
    E: Send,
{
    #[cfg(feature = "native")]
    if let Some(checkpoint) = workers.checkpoint {
        let stage = checkpoint.begin(workers.stage(), blocks.count, blocks.open);
        let find = |index: u64| stage.find(index, |bytes| read(bytes).filter(|block| fits(index, block)));
        let keep = |index: u64, block: &mut B| match written(block) {
            Ok(bytes) => stage.keep(index, &bytes),
            Err(error) => stage.lost(&error),
        };
        let cache = (find, keep, Some(&stage));
        return make_in_order(workers.threads, blocks.count, halt, worker, make, cache, take);
    }
    #[cfg(not(feature = "native"))]
    let _ = (blocks.open, fits);
    run_uncached(workers.threads, blocks.count, halt, worker, make, take)
}

/// Like [`in_order`], without a checkpoint.
#[cfg(feature = "native")]
pub(super) fn run_uncached<W, B: Send, E: Send>(
    threads: usize,
    blocks: u64,
    halt: &StopFlag<'_>,
    worker: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, u64) -> Option<Result<B, E>> + Sync,
    take: impl FnMut(u64, B) -> ControlFlow<()>,
) -> Result<(), Stopped<E>> {
    let cache = (|_| Found::ToMake, |_, _: &mut B| true, None);
    make_in_order(threads, blocks, halt, worker, make, cache, take)
}

/// Like [`in_order`], without a checkpoint, on the calling thread.
#[cfg(not(feature = "native"))]
pub(super) fn run_uncached<W, B: Send, E: Send>(
    _: usize,
    blocks: u64,
    halt: &StopFlag<'_>,
    worker: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, u64) -> Option<Result<B, E>> + Sync,
    mut take: impl FnMut(u64, B) -> ControlFlow<()>,
) -> Result<(), Stopped<E>> {
    let work = || {
        let mut worker = worker();
        for index in (0..blocks).take_while(|_| !halt.stopped()) {
            let Some(block) = make(&mut worker, index) else { break };
            if take(index, block.map_err(Stopped::Fault)?).is_break() {
                break;
            }
        }
        Ok(())
    };
    guard(work).unwrap_or_else(|crash| Err(Stopped::Crash(crash)))
}
