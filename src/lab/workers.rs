//! Who makes the blocks of a run.

#[cfg(not(feature = "native"))]
use std::marker::PhantomData;

#[cfg(feature = "native")]
use super::checkpoint::Checkpoint;

/// Who makes blocks: threads, and where finished blocks are kept.
#[derive(Clone, Copy, Debug)]
pub struct Workers<'a> {
    /// Threads, at least 1.
    pub threads: usize,
    /// Where blocks are kept, if they are.
    #[cfg(feature = "native")]
    pub checkpoint: Option<&'a Checkpoint>,
    /// The stage of the run that they are at, which no other has.
    stage: u64,
    /// What it borrows where nothing is kept.
    #[cfg(not(feature = "native"))]
    kept: PhantomData<&'a ()>,
}

impl Workers<'_> {
    /// Threads that keep nothing.
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
    /// Threads whose finished blocks are kept.
    #[cfg(feature = "native")]
    pub fn keeping(threads: usize, checkpoint: &'a Checkpoint) -> Workers<'a> {
        Workers { threads, checkpoint: Some(checkpoint), stage: 0 }
    }

    /// The same at one of the parts of what they do. Parts have parts of their own; each has its place in the run whatever is done
    /// before it, so that shards can go on with the next while one is not whole.
    pub fn part(self, part: u64) -> Workers<'a> {
        // The mixer of SplitMix64 (Steele, Lea and Flood 2014): the stages of a run are few, and do not meet.
        let mut z = self.stage.wrapping_add((part + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Workers { stage: (z ^ z >> 31) & (u64::MAX >> 1), ..self }
    }

    /// The stage that they are at.
    #[cfg(feature = "native")]
    pub(super) fn stage(&self) -> u64 {
        self.stage
    }

    /// The same with no more threads than these.
    pub fn at_most(self, threads: usize) -> Workers<'a> {
        Workers { threads: self.threads.min(threads), ..self }
    }
}
