//! Blocks of work, delivered in their order.
//!
//! A block is the unit of everything that could depend on threads: what is delivered is the same at any number of them, and
//! so is where a run that is stopped by its own results stops. Without the feature `native` the calling thread makes the
//! blocks in turn.

use std::ops::ControlFlow;

use serde::Serialize;
use serde::de::DeserializeOwned;

#[cfg(not(feature = "native"))]
use crate::crash::guard;

#[cfg(feature = "native")]
use super::checkpoint::Found;
#[cfg(feature = "native")]
use super::parallel::make_in_order;
use super::workers::Workers;

pub(super) use super::halt::{StopFlag, Stopped};

/// What is said of a run that cannot go on without the blocks of other shards.
pub(super) const MISSING: &str = "blocks of other shards are missing";

/// Blocks of a stage of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    /// How many there are.
    pub count: u64,
    /// What comes of them decides how many are needed.
    pub open: bool,
}

impl Blocks {
    /// All of this many blocks.
    pub fn all(count: u64) -> Blocks {
        Blocks { count, open: false }
    }
}

/// What comes of a block, as it is kept.
pub(super) trait Cacheable: Send + Serialize + DeserializeOwned {}

impl<B: Send + Serialize + DeserializeOwned> Cacheable for B {}

/// Has blocks 0, 1, 2 ... made by workers, until all are, `take` has enough, or `halt` is asked to stop. Each thread has one
/// worker. Blocks reach `take` in their order; one that is not finished by then is dropped. Where blocks are kept, those that are
/// there already and `fit` are not made again.
///
/// # Errors
/// What ended the first block that has an error, after all before it were taken; a panic of `take`; blocks that others make.
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
        let read =
            |index: u64, bytes: &[u8]| postcard::from_bytes(bytes).ok().filter(|block| fits(index, block));
        let find = |index: u64| stage.find(index, |bytes| read(index, bytes));
        let keep = |index: u64, block: &B| match postcard::to_stdvec(block) {
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

/// As [`in_order`], of blocks that are never kept.
#[cfg(feature = "native")]
pub(super) fn run_uncached<W, B: Send, E: Send>(
    threads: usize,
    blocks: u64,
    halt: &StopFlag<'_>,
    worker: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, u64) -> Option<Result<B, E>> + Sync,
    take: impl FnMut(u64, B) -> ControlFlow<()>,
) -> Result<(), Stopped<E>> {
    let cache = (|_| Found::ToMake, |_, _: &B| true, None);
    make_in_order(threads, blocks, halt, worker, make, cache, take)
}

/// As [`in_order`], of blocks that are never kept: this thread makes them in turn.
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
