//! Finished blocks of a run, kept on the disk: so that a run that was interrupted goes on where it was, and several machines
//! can each make a part of it.
//!
//! A run has stages, such as the games that find a price and those at that price, and each has its blocks. What a run asks for
//! next depends on nothing but the blocks before. So a run that finds blocks which are already there is the same run, to the last
//! byte, as one that makes them all.

mod file;
mod merge;
mod plan;
mod shard;
mod workers;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use file::{BlockFile, BlockKey, Place, scan};

pub use file::{About, FileEnd, Held, Scanned, is_cut_short, scan as scan_blocks};
pub use merge::{Absorbed, MergeError, absorb};
pub use plan::{RunPlan, SavedText};
pub use shard::{MOST_SHARDS, Shard};
pub use workers::Workers;

/// What files of blocks are called: `run.blocks`, `shard-2-of-16.blocks`.
pub const EXTENSION: &str = "blocks";
/// The file of a whole run.
pub const WHOLE: &str = "run.blocks";

/// The file of a part, or of the whole.
pub fn file_name(shard: Option<Shard>) -> String {
    shard.map_or(WHOLE.into(), |it| format!("shard-{}-of-{}.{EXTENSION}", it.number(), it.of()))
}

/// The files of blocks in a folder, by name.
///
/// # Errors
/// Those of reading it.
pub fn block_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if path.extension().is_some_and(|it| it == EXTENSION) && entry.file_type()?.is_file() {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

/// Which blocks are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// All that are not kept.
    All,
    /// Those of a shard.
    Shard(Shard),
    /// None: those that are kept are enough, or the run stops at the first that is not.
    None,
    /// None, and those that are not kept are left out.
    Partial,
}

/// Blocks of a stage that neither are kept nor are made here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The stage.
    pub stage: u64,
    /// The blocks, from the first, up to where the run cannot know yet whether it needs them.
    pub blocks: Vec<u64>,
}

/// How far the stage under way is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct StageProgress {
    /// The stage, in the order in which the run begins them, from 0.
    pub stage: u32,
    /// Blocks that are made or were kept.
    pub done: u64,
    /// Blocks to be made here, kept ones included; at most, where results decide how many are needed.
    pub of: u64,
    /// Whether results decide how many are needed.
    pub open: bool,
}

/// Blocks of a run, found and added to.
#[derive(Debug)]
pub struct Checkpoint {
    making: Making,
    /// Where new blocks go.
    file: Mutex<BlockFile>,
    /// Kept blocks: the file, of `sources`, or `file` itself where there is none, and the place in it.
    kept: HashMap<BlockKey, (Option<usize>, Place)>,
    /// Files of other shards.
    sources: Vec<Mutex<BlockFile>>,
    next_stage: AtomicU32,
    stage_done: AtomicU64,
    progress: Mutex<StageProgress>,
    missing: Mutex<Vec<Missing>>,
    /// Blocks that were made by this run.
    made: AtomicU64,
    /// Blocks that are nowhere and were left out.
    left_out: AtomicU64,
    /// Why a block could not be written, once.
    fault: Mutex<Option<String>>,
    started: Instant,
}

/// Why blocks cannot be gone on with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResumeError {
    /// They are of another run, which differs in this.
    Another(Vec<String>),
    /// The file cannot be read or written, in the middle of a sentence.
    Unreadable(String),
}

/// What is known of a block.
pub(super) enum Found {
    /// It is kept.
    Kept(Vec<u8>),
    /// It is to be made here.
    ToMake,
    /// Somebody else makes it.
    Elsewhere,
}

impl Checkpoint {
    /// Goes on with a file, of which `scanned` tells the end and `kept` the blocks.
    pub(crate) fn new(making: Making, file: BlockFile) -> Checkpoint {
        Checkpoint {
            making,
            file: Mutex::new(file),
            kept: HashMap::new(),
            sources: Vec::new(),
            next_stage: AtomicU32::new(0),
            stage_done: AtomicU64::new(0),
            progress: Mutex::default(),
            missing: Mutex::default(),
            made: AtomicU64::new(0),
            left_out: AtomicU64::new(0),
            fault: Mutex::default(),
            started: Instant::now(),
        }
    }

    /// Begins a run's blocks in `path` anew.
    ///
    /// # Errors
    /// Those of writing.
    pub fn create(path: &Path, about: &About, making: Making) -> io::Result<Checkpoint> {
        BlockFile::create(path, about).map(|file| Checkpoint::new(making, file))
    }

    /// Goes on with the blocks in `path`, if they are those of a run.
    ///
    /// # Errors
    /// Another run, and those of reading and writing. Then the file is as it was.
    pub fn resume(path: &Path, plan: &RunPlan, making: Making) -> Result<(Checkpoint, Scanned), ResumeError> {
        let mut kept = HashMap::new();
        let scanned = scan(path, |key, place, _| {
            kept.insert(key, (None, place));
        });
        let scanned = scanned.map_err(ResumeError::Unreadable)?;
        let differences = scanned.about.plan.differences(plan);
        if !differences.is_empty() {
            return Err(ResumeError::Another(differences));
        }
        let file = BlockFile::resume(path, scanned.sound)
            .map_err(|error| ResumeError::Unreadable(crate::files::reason(&error)))?;
        Ok((Checkpoint { kept, ..Checkpoint::new(making, file) }, scanned))
    }

    /// Also finds the blocks of another file of the run, which is only read.
    ///
    /// # Errors
    /// Those of reading, in the middle of a sentence.
    pub fn also(&mut self, path: &Path) -> Result<(), String> {
        let source = self.sources.len();
        let kept = &mut self.kept;
        scan(path, |key, place, _| {
            kept.entry(key).or_insert((Some(source), place));
        })?;
        let file = BlockFile::reader(path).map_err(|error| crate::files::reason(&error))?;
        self.sources.push(Mutex::new(file));
        Ok(())
    }

    /// Which blocks are made.
    pub fn making(&self) -> Making {
        self.making
    }

    /// Blocks that are kept since before this run.
    pub fn kept(&self) -> u64 {
        self.kept.len() as u64
    }

    /// Blocks that this run made, and for how long.
    pub fn made(&self) -> (u64, std::time::Duration) {
        (self.made.load(Ordering::Relaxed), self.started.elapsed())
    }

    /// How far the stage under way is.
    pub fn progress(&self) -> StageProgress {
        StageProgress { done: self.stage_done.load(Ordering::Relaxed), ..*lock(&self.progress) }
    }

    /// The blocks that the run still needs from elsewhere.
    pub fn missing(&self) -> Vec<Missing> {
        lock(&self.missing).clone()
    }

    /// Blocks that are nowhere and were left out.
    pub fn left_out(&self) -> u64 {
        self.left_out.load(Ordering::Relaxed)
    }

    /// Why a block could not be written, if one could not; told once.
    pub fn fault(&self) -> Option<String> {
        lock(&self.fault).take()
    }

    /// Makes sure that all is on the disk.
    pub fn sync(&self) {
        if let Err(error) = lock(&self.file).sync() {
            self.failed(&error);
        }
    }

    fn failed(&self, error: &io::Error) {
        lock(&self.fault).get_or_insert_with(|| crate::files::reason(error));
    }

    /// Begins the next stage, which has so many blocks, or at most so many where `open`.
    pub(super) fn begin(&self, stage: u64, blocks: u64, open: bool) -> Stage<'_> {
        let begun = self.next_stage.fetch_add(1, Ordering::Relaxed);
        let of = match self.making {
            Making::Shard(shard) => shard.blocks_of(blocks),
            _ => blocks,
        };
        self.stage_done.store(0, Ordering::Relaxed);
        *lock(&self.progress) = StageProgress { stage: begun, done: 0, of, open };
        Stage { checkpoint: self, number: stage, blocks, open }
    }
}

/// A stage of a run.
pub(super) struct Stage<'a> {
    checkpoint: &'a Checkpoint,
    number: u64,
    blocks: u64,
    open: bool,
}

/// Blocks of the first round of a stage whose results decide how many are needed; each later round has as many as all before.
const FIRST_ROUND: u64 = 64;

impl Stage<'_> {
    /// What is known of a block.
    pub fn find(&self, block: u64) -> Found {
        let checkpoint = self.checkpoint;
        if let Some(&(source, place)) = checkpoint.kept.get(&(self.number, block)) {
            let file = source.map_or(&checkpoint.file, |source| &checkpoint.sources[source]);
            // What cannot be read is made again.
            if let Ok(bytes) = lock(file).read(place) {
                self.count(block);
                return Found::Kept(bytes);
            }
        }
        if self.makes(block) {
            return Found::ToMake;
        }
        Found::Elsewhere
    }

    /// Whether a block that is nowhere is made here.
    pub fn makes(&self, block: u64) -> bool {
        match self.checkpoint.making {
            Making::All => true,
            Making::Shard(shard) => shard.makes(block),
            Making::None | Making::Partial => false,
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

    /// Whether blocks that are nowhere are left out.
    pub fn is_partial(&self) -> bool {
        self.checkpoint.making == Making::Partial
    }

    /// Counts a block that is left out, and would have been needed.
    pub fn leave_out(&self) {
        self.checkpoint.left_out.fetch_add(1, Ordering::Relaxed);
    }

    /// The block before which it is looked for blocks: all, or, where results decide how many are needed and blocks are left
    /// out, the end of the last round of which there is one. Nobody knows whether more would have been needed.
    pub fn looked_to(&self) -> u64 {
        if !self.open || !self.is_partial() {
            return self.blocks;
        }
        let of_this = self.checkpoint.kept.keys().filter(|(stage, _)| *stage == self.number);
        self.round_end(of_this.map(|&(_, block)| block).max().unwrap_or(0))
    }

    /// Notes the blocks of a round that are nowhere, from the first of them on. A shard does not care which they are, and they
    /// may be many.
    pub fn note_missing(&self, first: u64) {
        if matches!(self.checkpoint.making, Making::Shard(_)) {
            return;
        }
        let end = self.round_end(first);
        let nowhere = |&block: &u64| !self.checkpoint.kept.contains_key(&(self.number, block));
        let blocks = (first..end).filter(nowhere).collect();
        lock(&self.checkpoint.missing).push(Missing { stage: self.number, blocks });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
