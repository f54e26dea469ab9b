//! Threads that run the blocks of a run.

#[cfg(not(feature = "native"))]
use std::marker::PhantomData;

#[cfg(feature = "native")]
use super::checkpoint::Checkpoint;

/// Threads that run blocks, and the checkpoint that stores the results.
#[derive(Clone, Copy, Debug)]
pub struct Workers<'a> {
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Checkpoint that stores finished blocks, if any.
    #[cfg(feature = "native")]
    pub checkpoint: Option<&'a Checkpoint>,
    /// Id of the current stage, unique in the run.
    stage: u64,
    /// Lifetime of the checkpoint, in builds without one.
    #[cfg(not(feature = "native"))]
    kept: PhantomData<&'a ()>,
}

impl Workers<'_> {
    /// Creates threads without a checkpoint.
    pub fn new(threads: usize) -> Workers<'static> {
        Workers {
            threads,
            stage: 0,
            #[cfg(feature = "native")]
            checkpoint: None,
            #[cfg(not(feature = "native"))]
            kept: PhantomData,
        }
    }
}

impl<'a> Workers<'a> {
    /// Creates threads with a checkpoint.
    #[cfg(feature = "native")]
    pub fn keeping(threads: usize, checkpoint: &'a Checkpoint) -> Workers<'a> {
        Workers { threads, checkpoint: Some(checkpoint), stage: 0 }
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

    /// Returns the id of the stage.
    #[cfg(feature = "native")]
    pub(super) fn stage(&self) -> u64 {
        self.stage
    }

    /// Returns the workers with at most this many threads.
    pub fn at_most(self, threads: usize) -> Workers<'a> {
        Workers { threads: self.threads.min(threads), ..self }
    }
}
