//! Checkpoints: finished blocks of a run, kept on disk, so that an interrupted run can resume and several machines
//! can share one run.
//!
//! A run has stages, such as the games that find a price and those at that price, and each stage has blocks. What a
//! run requests next depends only on the blocks before. So a run that finds stored blocks gives the same bytes as one
//! that computes them all.

mod file;
mod plan;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::files::reason;

pub(super) use file::with_times;
use file::{BlockFile, BlockKey, Place};

pub use file::{About, Copies, ScanError, Scanned, about as about_blocks, scan as scan_blocks};
pub use plan::{MOST_SHARDS, RunPlan, SavedText, Shard};

/// Extension of checkpoint files: `run.blocks`, `shard-2-of-16.blocks`.
const EXTENSION: &str = "blocks";
/// File name of a whole run.
pub const WHOLE: &str = "run.blocks";
/// Blocks in the first round of an open stage; each later round has as many as all before it.
const FIRST_ROUND: u64 = 64;

/// Returns the file name of a shard, or of the whole run.
pub fn file_name(shard: Option<Shard>) -> String {
    shard.map_or(WHOLE.into(), |it| format!("shard-{}-of-{}.{EXTENSION}", it.number(), it.of()))
}

/// Returns the shard that a file name denotes, if any.
pub fn shard_of_name(path: &Path) -> Option<Shard> {
    let part = path.file_stem()?.to_str()?.strip_prefix("shard-")?.replacen("-of-", "/", 1).parse().ok()?;
    (path.file_name()?.to_str()? == file_name(Some(part))).then_some(part)
}

/// Lists the checkpoint files of a folder, sorted by name.
///
/// # Errors
/// Failures to read the folder.
pub fn block_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in crate::files::read_folder(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == EXTENSION) {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

/// Which blocks a run computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// All that are not stored.
    All,
    /// Those of one shard.
    Shard(Shard),
    /// None: the run uses stored blocks only, and stops at the first that is missing.
    None,
}

impl Making {
    fn is_elsewhere(self, block: u64) -> bool {
        matches!(self, Making::Shard(shard) if !shard.makes(block))
    }
}

/// Progress of the current stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct StageProgress {
    /// Index of the stage, in the order in which the run begins them.
    pub stage: u32,
    /// Number of stages; `None` if the results decide.
    #[serde(default)]
    pub stages: Option<u32>,
    /// Blocks computed or loaded.
    pub done: u64,
    /// Blocks to compute here, including stored ones; a maximum if the results decide how many are needed.
    pub of: u64,
    /// Whether the results decide how many blocks are needed.
    pub open: bool,
}

/// Stored blocks of a run, read and appended to.
#[derive(Debug)]
pub struct Checkpoint {
    making: Making,
    /// The file that receives new blocks, then those of other shards.
    files: Vec<Mutex<BlockFile>>,
    /// Location of each stored block: the index of its file and its place there.
    kept: HashMap<BlockKey, (usize, Place)>,
    /// Files that stored blocks come from, also those that were copied.
    copies: Copies,
    state: Mutex<State>,
    started: Instant,
}

#[derive(Debug, Default)]
struct State {
    progress: StageProgress,
    begun: u32,
    /// Blocks neither stored nor computed here, up to the first that the run may not need.
    missing: Vec<u64>,
    /// Number of blocks computed by this run, and of those that could not be written.
    made: u64,
    unsaved: u64,
    /// First stored block that does not belong to this run.
    foreign: Option<BlockKey>,
    /// First failure to write a block.
    fault: Option<String>,
}

/// Reason why a checkpoint cannot be resumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResumeError {
    /// It belongs to another run, which differs in these points.
    Another(Vec<String>),
    /// The file cannot be read or written; the text is part of a sentence.
    Unreadable(String),
}

impl Checkpoint {
    fn new(making: Making, file: BlockFile) -> Checkpoint {
        Checkpoint {
            making,
            files: vec![Mutex::new(file)],
            kept: HashMap::new(),
            copies: Copies::default(),
            state: Mutex::default(),
            started: Instant::now(),
        }
    }

    /// Sets the expected number of stages.
    pub fn expect(&self, stages: Option<u32>) {
        lock(&self.state).progress.stages = stages;
    }

    /// Creates the checkpoint of a run at `path`, replacing any existing one.
    ///
    /// # Errors
    /// Failures to write.
    pub fn create(path: &Path, about: &About, making: Making) -> io::Result<Checkpoint> {
        BlockFile::create(path, about).map(|file| Checkpoint::new(making, file))
    }

    /// Resumes the checkpoint at `path`, if it belongs to the run of `plan`.
    ///
    /// # Errors
    /// Another run, damage, or failures to read and write. The file is then left as before.
    pub fn resume(path: &Path, plan: &RunPlan, making: Making) -> Result<Checkpoint, ResumeError> {
        let (mut kept, mut copies) = (HashMap::new(), Copies::default());
        let scanned = scan_blocks(path, &mut copies, |key, place, _| {
            kept.insert(key, (0, place));
        });
        let scanned = scanned.map_err(|fault| ResumeError::Unreadable(fault.to_string()))?;
        if !scanned.about.plan.is(plan) {
            return Err(ResumeError::Another(scanned.about.plan.differences(plan)));
        }
        let file = BlockFile::resume(path, scanned.sound)
            .map_err(|error| ResumeError::Unreadable(reason(&error)))?;
        Ok(Checkpoint { kept, copies, ..Checkpoint::new(making, file) })
    }

    /// Adds another file of the run as a read-only source of the blocks that are `wanted`.
    ///
    /// # Errors
    /// Failures to read, or a copy that differs, as part of a sentence.
    pub fn also(&mut self, path: &Path, wanted: impl Fn(u64) -> bool) -> Result<(), String> {
        let source = self.files.len();
        scan_blocks(path, &mut self.copies, |key, place, _| {
            if wanted(key.1) {
                self.kept.entry(key).or_insert((source, place));
            }
        })
        .map_err(|fault| fault.to_string())?;
        self.files.push(Mutex::new(BlockFile::reader(path).map_err(|error| reason(&error))?));
        Ok(())
    }

    /// Copies the blocks of another file of the run that are not stored yet.
    ///
    /// # Errors
    /// Failures to read and write, as part of a sentence.
    pub fn absorb(&mut self, path: &Path) -> Result<(), String> {
        let mut written = Ok(());
        scan_blocks(path, &mut self.copies, |key, _, bytes| {
            if written.is_ok() && !self.kept.contains_key(&key) {
                let put = lock(&self.files[0]).put(key, bytes);
                written = put.map(|place| {
                    self.kept.insert(key, (0, place));
                });
            }
        })
        .map_err(|fault| fault.to_string())?;
        written.map_err(|error| reason(&error))
    }

    /// Returns the number of blocks stored before this run; for a shard, only its own.
    pub fn kept(&self) -> u64 {
        self.kept.keys().filter(|(_, block)| !self.making.is_elsewhere(*block)).count() as u64
    }

    /// Returns the number of blocks that this run computed, and the time since it began.
    pub fn made(&self) -> (u64, Duration) {
        (lock(&self.state).made, self.started.elapsed())
    }

    /// Returns the number of blocks in the file that the run resumes from.
    pub fn saved(&self) -> u64 {
        let state = lock(&self.state);
        self.kept() + state.made - state.unsaved
    }

    /// Returns the progress of the current stage.
    pub fn progress(&self) -> StageProgress {
        lock(&self.state).progress
    }

    /// Returns the blocks that the run still needs from elsewhere.
    pub fn missing(&self) -> Vec<u64> {
        lock(&self.state).missing.clone()
    }

    /// Returns the file with a stored block that does not belong to this run, if one was found, and the byte at which it begins.
    pub fn foreign(&self) -> Option<(&Path, u64)> {
        lock(&self.state).foreign.and_then(|key| self.copies.place(key))
    }

    /// Returns the first failure to write a block, if any.
    pub fn fault(&self) -> Option<String> {
        lock(&self.state).fault.clone()
    }

    /// Writes all blocks through to the disk.
    pub fn sync(&self) {
        if let Err(error) = lock(&self.files[0]).sync() {
            lock(&self.state).fault.get_or_insert_with(|| reason(&error));
        }
    }

    /// Begins the next stage, which has this many blocks, or at most this many if `open`.
    pub(super) fn begin(&self, stage: u64, blocks: u64, open: bool) -> Stage<'_> {
        let of = match self.making {
            Making::Shard(shard) => shard.blocks_of(blocks),
            _ => blocks,
        };
        let mut state = lock(&self.state);
        let stages = state.progress.stages;
        state.progress = StageProgress { stage: state.begun, stages, done: 0, of, open };
        state.begun += 1;
        Stage { checkpoint: self, number: stage, blocks, open }
    }
}

/// A stage of a run: its blocks that are stored, computed here, or left to other shards.
pub(super) struct Stage<'a> {
    checkpoint: &'a Checkpoint,
    number: u64,
    blocks: u64,
    open: bool,
}

pub(super) enum Found<B> {
    Kept(B),
    ToMake,
    /// Computed by another shard.
    Elsewhere,
    /// Stored, but of another run, which makes the other blocks useless.
    Foreign,
}

impl Stage<'_> {
    /// Looks up a block; `read` decodes one, if it belongs to this run.
    pub fn find<B>(&self, block: u64, read: impl Fn(&[u8]) -> Option<B>) -> Found<B> {
        let Checkpoint { making, files, kept, state, .. } = self.checkpoint;
        let Some(&(file, place)) = kept.get(&(self.number, block)) else {
            let makes = *making != Making::None && !making.is_elsewhere(block);
            return if makes { Found::ToMake } else { Found::Elsewhere };
        };
        let bytes = lock(&files[file]).read(place);
        if let Some(found) = bytes.ok().and_then(|bytes| read(&bytes)) {
            lock(state).progress.done += u64::from(!making.is_elsewhere(block));
            return Found::Kept(found);
        }
        // A block with a valid checksum may still come from another program.
        lock(state).foreign.get_or_insert((self.number, block));
        Found::Foreign
    }

    /// Returns whether a stored block of another run was found.
    pub fn has_foreign(&self) -> bool {
        lock(&self.checkpoint.state).foreign.is_some()
    }

    /// Returns the first block at or after `block` that this run computes.
    pub fn next(&self, block: u64) -> u64 {
        match self.checkpoint.making {
            Making::Shard(shard) => shard.next(block),
            _ => block,
        }
    }

    /// Stores a computed block and returns whether to continue: a failed write is only reported, but ends a shard,
    /// whose blocks are its only result.
    pub fn keep(&self, block: u64, bytes: &[u8]) -> bool {
        let Checkpoint { making, files, state, .. } = self.checkpoint;
        let (written, due) = {
            let mut file = lock(&files[0]);
            (file.put((self.number, block), bytes), file.due())
        };
        // Only this thread waits for the disk.
        let synced = due.map_or(Ok(()), |file| file.sync_data());
        let mut state = lock(state);
        if let Err(error) = written.map(drop).and(synced) {
            state.fault.get_or_insert_with(|| reason(&error));
            if matches!(making, Making::Shard(_)) {
                return false;
            }
            state.unsaved += 1;
        }
        state.made += 1;
        state.progress.done += 1;
        true
    }

    /// Records that a block cannot be stored, and returns whether to continue.
    pub fn lost(&self, why: &dyn std::fmt::Display) -> bool {
        lock(&self.checkpoint.state).fault.get_or_insert_with(|| why.to_string());
        !matches!(self.checkpoint.making, Making::Shard(_))
    }

    /// Returns the end of the round that contains `block`. If the results decide how many blocks are needed, no shard
    /// computes the next round before all blocks of this one exist.
    pub fn round_end(&self, block: u64) -> u64 {
        let mut end = if self.open { FIRST_ROUND } else { self.blocks };
        while end <= block && end < self.blocks {
            end = end.saturating_mul(2);
        }
        end.min(self.blocks)
    }

    /// Records the missing blocks of a round, starting with the first. A shard need not know which they are, and
    /// there may be many.
    pub fn note_missing(&self, first: u64) {
        let Checkpoint { making, kept, state, .. } = self.checkpoint;
        if !matches!(making, Making::Shard(_)) {
            let nowhere = |&block: &u64| !kept.contains_key(&(self.number, block));
            lock(state).missing.extend((first..self.round_end(first)).filter(nowhere));
        }
    }
}

/// Locks the mutex, even if a thread panicked while holding it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
