//! Checkpoints: finished blocks of a run, kept on disk, so that an interrupted run can resume and several machines
//! can share one run.
//!
//! A run has stages, such as the games that find a price and those at that price, and each stage has blocks. What a
//! run requests next depends only on the blocks before. So a run that finds stored blocks gives the same bytes as one
//! that computes them all.

mod file;
mod plan;
mod shard;
mod stage;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub(super) use file::with_times;
use file::{BlockFile, BlockKey, Place};

pub use file::{About, Copies, ScanError, Scanned, about as about_blocks, scan as scan_blocks};
pub use plan::{RunPlan, SavedText};
pub use shard::{MOST_SHARDS, Shard};
pub(super) use stage::{Found, Stage};

/// Extension of checkpoint files: `run.blocks`, `shard-2-of-16.blocks`.
pub const EXTENSION: &str = "blocks";
/// File name of a whole run.
pub const WHOLE: &str = "run.blocks";

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
    /// File that receives new blocks.
    file: Mutex<BlockFile>,
    /// Location of each stored block: the index of its file in `sources`, or `None` for `file`, and its place there.
    kept: HashMap<BlockKey, (Option<usize>, Place)>,
    /// Files of other shards.
    sources: Vec<Mutex<BlockFile>>,
    /// Files that stored blocks come from, also those that were copied.
    copies: Copies,
    next_stage: AtomicU32,
    /// Number of stages, once known.
    stages: Mutex<Option<u32>>,
    stage_done: AtomicU64,
    progress: Mutex<StageProgress>,
    /// Blocks neither stored nor computed here, up to the first that the run may not need.
    missing: Mutex<Vec<u64>>,
    /// Number of blocks computed by this run, and of those that could not be written.
    made: AtomicU64,
    unsaved: AtomicU64,
    /// First stored block that does not belong to this run.
    foreign: Mutex<Option<BlockKey>>,
    /// First failure to write a block.
    fault: Mutex<Option<String>>,
    started: Instant,
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
            file: Mutex::new(file),
            kept: HashMap::new(),
            sources: Vec::new(),
            copies: Copies::default(),
            next_stage: AtomicU32::new(0),
            stages: Mutex::default(),
            stage_done: AtomicU64::new(0),
            progress: Mutex::default(),
            missing: Mutex::default(),
            made: AtomicU64::new(0),
            unsaved: AtomicU64::new(0),
            foreign: Mutex::default(),
            fault: Mutex::default(),
            started: Instant::now(),
        }
    }

    /// Sets the expected number of stages.
    pub fn expect(&self, stages: Option<u32>) {
        *lock(&self.stages) = stages;
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
            kept.insert(key, (None, place));
        });
        let scanned = scanned.map_err(|fault| ResumeError::Unreadable(fault.to_string()))?;
        if !scanned.about.plan.is(plan) {
            return Err(ResumeError::Another(scanned.about.plan.differences(plan)));
        }
        let file = BlockFile::resume(path, scanned.sound)
            .map_err(|error| ResumeError::Unreadable(crate::files::reason(&error)))?;
        Ok(Checkpoint { kept, copies, ..Checkpoint::new(making, file) })
    }

    /// Adds another file of the run as a read-only source of the blocks that are `wanted`.
    ///
    /// # Errors
    /// Failures to read, or a copy that differs, as part of a sentence.
    pub fn also(&mut self, path: &Path, wanted: impl Fn(u64) -> bool) -> Result<(), String> {
        let source = self.sources.len();
        scan_blocks(path, &mut self.copies, |key, place, _| {
            if wanted(key.1) {
                self.kept.entry(key).or_insert((Some(source), place));
            }
        })
        .map_err(|fault| fault.to_string())?;
        let file = BlockFile::reader(path).map_err(|error| crate::files::reason(&error))?;
        self.sources.push(Mutex::new(file));
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
                written = lock(&self.file).put(key, bytes).map(|place| {
                    self.kept.insert(key, (None, place));
                });
            }
        })
        .map_err(|fault| fault.to_string())?;
        written.map_err(|error| crate::files::reason(&error))
    }

    /// Returns the number of blocks stored before this run; for a shard, only its own.
    pub fn kept(&self) -> u64 {
        match self.making {
            Making::Shard(shard) => self.kept.keys().filter(|(_, block)| shard.makes(*block)).count() as u64,
            _ => self.kept.len() as u64,
        }
    }

    /// Returns the number of blocks that this run computed, and the time since it began.
    pub fn made(&self) -> (u64, Duration) {
        (self.made.load(Ordering::Relaxed), self.started.elapsed())
    }

    /// Returns the number of blocks in the file that the run resumes from.
    pub fn saved(&self) -> u64 {
        self.kept() + self.made().0 - self.unsaved.load(Ordering::Relaxed)
    }

    /// Returns the progress of the current stage.
    pub fn progress(&self) -> StageProgress {
        StageProgress { done: self.stage_done.load(Ordering::Relaxed), ..*lock(&self.progress) }
    }

    /// Returns the blocks that the run still needs from elsewhere.
    pub fn missing(&self) -> Vec<u64> {
        lock(&self.missing).clone()
    }

    /// Returns the file with a stored block that does not belong to this run, if one was found, and the byte at which it begins.
    pub fn foreign(&self) -> Option<(&Path, u64)> {
        lock(&self.foreign).and_then(|key| self.copies.place(key))
    }

    /// Returns the first failure to write a block, if any.
    pub fn fault(&self) -> Option<String> {
        lock(&self.fault).clone()
    }

    /// Writes all blocks through to the disk.
    pub fn sync(&self) {
        if let Err(error) = lock(&self.file).sync() {
            self.failed(&error);
        }
    }

    fn failed(&self, error: &io::Error) {
        lock(&self.fault).get_or_insert_with(|| crate::files::reason(error));
    }
}

/// Locks the mutex, even if a thread panicked while holding it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
