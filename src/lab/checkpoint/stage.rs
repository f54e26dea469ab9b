//! A stage of a run: its blocks that are kept, made, or left to others.

use std::sync::atomic::Ordering;

use super::file::Held;
use super::{Checkpoint, Making, Missing, StageProgress, lock};

impl Checkpoint {
    /// Begins the next stage, which has so many blocks, or at most so many where `open`.
    pub(in super::super) fn begin(&self, stage: u64, blocks: u64, open: bool) -> Stage<'_> {
        lock(&self.times).begin();
        let begun = self.next_stage.fetch_add(1, Ordering::Relaxed);
        let of = match self.making {
            Making::Shard(shard) => shard.blocks_of(blocks),
            _ => blocks,
        };
        self.stage_done.store(0, Ordering::Relaxed);
        let stages = *lock(&self.stages);
        *lock(&self.progress) = StageProgress { stage: begun, stages, done: 0, of, open };
        Stage { checkpoint: self, number: stage, blocks, open }
    }
}

/// A stage of a run.
pub(in super::super) struct Stage<'a> {
    checkpoint: &'a Checkpoint,
    number: u64,
    blocks: u64,
    open: bool,
}

/// Blocks of the first round of a stage whose results decide how many are needed; each later round has as many as all before.
const FIRST_ROUND: u64 = 64;

/// What is known of a block.
pub(in super::super) enum Found<B> {
    /// It is kept.
    Kept(B),
    /// It is to be made here.
    ToMake,
    /// Somebody else makes it.
    Elsewhere,
}

impl Stage<'_> {
    /// What is known of a block; `read` reads one, if it is of this run.
    pub fn find<B>(&self, block: u64, read: impl Fn(&[u8]) -> Option<B>) -> Found<B> {
        let checkpoint = self.checkpoint;
        if let Some(&(source, place)) = checkpoint.kept.get(&(self.number, block)) {
            let file = source.map_or(&checkpoint.file, |source| &checkpoint.sources[source]);
            let bytes = lock(file).read(place).ok();
            if let Some(found) = bytes.and_then(|bytes| read(&bytes)) {
                self.count(block);
                return Found::Kept(found);
            }
            // What a checksum holds may still be of another program.
            lock(&checkpoint.unusable).insert((self.number, block));
        }
        if self.makes(block) {
            return Found::ToMake;
        }
        Found::Elsewhere
    }

    /// Whether a block that is nowhere is made here.
    fn makes(&self, block: u64) -> bool {
        match self.checkpoint.making {
            Making::All => true,
            Making::Shard(shard) => shard.makes(block),
            Making::None => false,
        }
    }

    /// The first block from `block` on that is made here, if it is not kept.
    pub fn next(&self, block: u64) -> u64 {
        match self.checkpoint.making {
            Making::Shard(shard) => shard.next(block),
            _ => block,
        }
    }

    /// Counts a block of this run's own.
    fn count(&self, block: u64) {
        if !matches!(self.checkpoint.making, Making::Shard(shard) if !shard.makes(block)) {
            self.checkpoint.stage_done.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Keeps a block that was made, and says whether to go on: what cannot be written is only told, but a shard is nothing
    /// without it.
    pub fn keep(&self, block: u64, held: Held<'_>) -> bool {
        let checkpoint = self.checkpoint;
        let (written, due) = {
            let mut file = lock(&checkpoint.file);
            let written = file.put((self.number, block), held);
            (written, file.due())
        };
        // The disk is waited for by this thread alone.
        let synced = due.map_or(Ok(()), |file| file.sync_data());
        if let Err(error) = written.map(drop).and(synced) {
            checkpoint.failed(&error);
            if matches!(checkpoint.making, Making::Shard(_)) {
                return false;
            }
        }
        checkpoint.made.fetch_add(1, Ordering::Relaxed);
        lock(&checkpoint.times).made();
        self.count(block);
        true
    }

    /// Notes that a block cannot be kept, and says whether to go on.
    pub fn lost(&self, why: &dyn std::fmt::Display) -> bool {
        lock(&self.checkpoint.fault).get_or_insert_with(|| why.to_string());
        !matches!(self.checkpoint.making, Making::Shard(_))
    }

    /// The block before which the round ends that `block` is of. Where results decide how many blocks are needed, nobody makes
    /// those of the next round before all of this one are there.
    pub fn round_end(&self, block: u64) -> u64 {
        if !self.open {
            return self.blocks;
        }
        let mut end = FIRST_ROUND;
        while end <= block && end < self.blocks {
            end = end.saturating_mul(2);
        }
        end.min(self.blocks)
    }

    /// Notes the blocks of a round that are nowhere, from the first of them on. A shard does not care which they are, and they
    /// may be many.
    pub fn note_missing(&self, first: u64) {
        if matches!(self.checkpoint.making, Making::Shard(_)) {
            return;
        }
        let end = self.round_end(first);
        // All of them were looked for by now.
        let unusable = lock(&self.checkpoint.unusable);
        let is_unusable = |block: u64| unusable.contains(&(self.number, block));
        let nowhere =
            |&block: &u64| !self.checkpoint.kept.contains_key(&(self.number, block)) || is_unusable(block);
        let blocks: Vec<u64> = (first..end).filter(nowhere).collect();
        let unusable = blocks.iter().filter(|&&block| is_unusable(block)).count() as u64;
        lock(&self.checkpoint.missing).push(Missing { stage: self.number, blocks, unusable });
    }
}
