//! A stage of a run: its blocks that are stored, computed here, or left to other shards.

use std::sync::atomic::Ordering;

use super::{Checkpoint, Making, StageProgress, lock};

impl Checkpoint {
    /// Begins the next stage, which has this many blocks, or at most this many if `open`.
    pub(in super::super) fn begin(&self, stage: u64, blocks: u64, open: bool) -> Stage<'_> {
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

/// Blocks in the first round of an open stage; each later round has as many as all before it.
const FIRST_ROUND: u64 = 64;

/// Status of a block.
pub(in super::super) enum Found<B> {
    /// Stored.
    Kept(B),
    /// To be computed here.
    ToMake,
    /// Computed by another shard.
    Elsewhere,
    /// Stored, but of another run, which makes the other blocks useless.
    Foreign,
}

impl Stage<'_> {
    /// Looks up a block; `read` decodes one, if it belongs to this run.
    pub fn find<B>(&self, block: u64, read: impl Fn(&[u8]) -> Option<B>) -> Found<B> {
        let checkpoint = self.checkpoint;
        if let Some(&(source, place)) = checkpoint.kept.get(&(self.number, block)) {
            let mut file = lock(source.map_or(&checkpoint.file, |source| &checkpoint.sources[source]));
            let bytes = file.read(place);
            drop(file);
            if let Some(found) = bytes.ok().and_then(|bytes| read(&bytes)) {
                self.count(block);
                return Found::Kept(found);
            }
            // A block with a valid checksum may still come from another program.
            lock(&checkpoint.foreign).get_or_insert((self.number, block));
            return Found::Foreign;
        }
        match self.checkpoint.making {
            Making::All => Found::ToMake,
            Making::Shard(shard) if shard.makes(block) => Found::ToMake,
            Making::Shard(_) | Making::None => Found::Elsewhere,
        }
    }

    /// Returns whether a stored block of another run was found.
    pub fn has_foreign(&self) -> bool {
        lock(&self.checkpoint.foreign).is_some()
    }

    /// Returns the first block at or after `block` that is to be computed here and is not stored.
    pub fn next(&self, block: u64) -> u64 {
        match self.checkpoint.making {
            Making::Shard(shard) => shard.next(block),
            _ => block,
        }
    }

    /// Counts a block computed by this run.
    fn count(&self, block: u64) {
        if !matches!(self.checkpoint.making, Making::Shard(shard) if !shard.makes(block)) {
            self.checkpoint.stage_done.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Stores a computed block and returns whether to continue: a failed write is only reported, but ends a shard,
    /// whose blocks are its only result.
    pub fn keep(&self, block: u64, bytes: &[u8]) -> bool {
        let checkpoint = self.checkpoint;
        let (written, due) = {
            let mut file = lock(&checkpoint.file);
            let written = file.put((self.number, block), bytes);
            (written, file.due())
        };
        // Only this thread waits for the disk.
        let synced = due.map_or(Ok(()), |file| file.sync_data());
        if let Err(error) = written.map(drop).and(synced) {
            checkpoint.failed(&error);
            if matches!(checkpoint.making, Making::Shard(_)) {
                return false;
            }
            checkpoint.unsaved.fetch_add(1, Ordering::Relaxed);
        }
        checkpoint.made.fetch_add(1, Ordering::Relaxed);
        self.count(block);
        true
    }

    /// Records that a block cannot be stored, and returns whether to continue.
    pub fn lost(&self, why: &dyn std::fmt::Display) -> bool {
        lock(&self.checkpoint.fault).get_or_insert_with(|| why.to_string());
        !matches!(self.checkpoint.making, Making::Shard(_))
    }

    /// Returns the end of the round that contains `block`. If the results decide how many blocks are needed, no shard
    /// computes the next round before all blocks of this one exist.
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

    /// Records the missing blocks of a round, starting with the first. A shard need not know which they are, and
    /// there may be many.
    pub fn note_missing(&self, first: u64) {
        if matches!(self.checkpoint.making, Making::Shard(_)) {
            return;
        }
        let nowhere = |&block: &u64| !self.checkpoint.kept.contains_key(&(self.number, block));
        lock(&self.checkpoint.missing).extend((first..self.round_end(first)).filter(nowhere));
    }
}
