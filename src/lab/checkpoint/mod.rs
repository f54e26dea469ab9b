//! Finished blocks of a run, kept on the disk: so that a run that was interrupted goes on where it was, and several machines
//! can each make a part of it.
//!
//! A run has stages, such as the games that find a price and those at that price, and each has its blocks. What a run asks for
//! next depends on nothing but the blocks before. So a run that finds blocks which are already there is the same run, to the last
//! byte, as one that makes them all.

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

use file::{BlockFile, BlockKey, Place, scan};

pub use file::{About, Scanned, about as about_blocks, scan as scan_blocks};
pub use plan::{RunPlan, SavedText};
pub use shard::{MOST_SHARDS, Shard};
pub(super) use stage::{Found, Stage};

/// What files of blocks are called: `run.blocks`, `shard-2-of-16.blocks`.
pub const EXTENSION: &str = "blocks";
/// The file of a whole run.
pub const WHOLE: &str = "run.blocks";

/// The file of a part, or of the whole.
pub fn file_name(shard: Option<Shard>) -> String {
    shard.map_or(WHOLE.into(), |it| format!("shard-{}-of-{}.{EXTENSION}", it.number(), it.of()))
}

/// The part that a file is of by its name; `None` where it is called like no part.
pub fn shard_of_name(path: &Path) -> Option<Shard> {
    let part = path.file_stem()?.to_str()?.strip_prefix("shard-")?.replacen("-of-", "/", 1).parse().ok()?;
    (path.file_name()?.to_str()? == file_name(Some(part))).then_some(part)
}

/// All in a folder that is called like a file of blocks, by name.
///
/// # Errors
/// Those of reading it.
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

/// Which blocks are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// All that are not kept.
    All,
    /// Those of a shard.
    Shard(Shard),
    /// None: those that are kept are enough, or the run stops at the first that is not.
    None,
}

/// How far the stage under way is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct StageProgress {
    /// The stage, in the order in which the run begins them, from 0.
    pub stage: u32,
    /// The stages of the run; `None` where results decide.
    #[serde(default)]
    pub stages: Option<u32>,
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
    /// All stages, where it is known how many there are.
    stages: Mutex<Option<u32>>,
    stage_done: AtomicU64,
    progress: Mutex<StageProgress>,
    /// Blocks that neither are kept nor are made here, up to where the run cannot know yet whether it needs them.
    missing: Mutex<Vec<u64>>,
    /// Blocks that were made by this run.
    made: AtomicU64,
    /// Which kept block is none of this run.
    foreign: Mutex<Option<String>>,
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

impl Checkpoint {
    fn new(making: Making, file: BlockFile) -> Checkpoint {
        Checkpoint {
            making,
            file: Mutex::new(file),
            kept: HashMap::new(),
            sources: Vec::new(),
            next_stage: AtomicU32::new(0),
            stages: Mutex::default(),
            stage_done: AtomicU64::new(0),
            progress: Mutex::default(),
            missing: Mutex::default(),
            made: AtomicU64::new(0),
            foreign: Mutex::default(),
            fault: Mutex::default(),
            started: Instant::now(),
        }
    }

    /// Notes how many stages there will be.
    pub fn expect(&self, stages: Option<u32>) {
        *lock(&self.stages) = stages;
    }

    /// Starts a run's blocks in `path` over.
    ///
    /// # Errors
    /// Those of writing.
    pub fn create(path: &Path, about: &About, making: Making) -> io::Result<Checkpoint> {
        BlockFile::create(path, about).map(|file| Checkpoint::new(making, file))
    }

    /// Goes on with the blocks in `path`, if they are those of a run.
    ///
    /// # Errors
    /// Another run, damage, and those of reading and writing. Then the file is as it was.
    pub fn resume(path: &Path, plan: &RunPlan, making: Making) -> Result<Checkpoint, ResumeError> {
        let mut kept = HashMap::new();
        let scanned = scan(path, |key, place, _| {
            kept.insert(key, (None, place));
        });
        let scanned = scanned.map_err(ResumeError::Unreadable)?;
        if !scanned.about.plan.is(plan) {
            return Err(ResumeError::Another(scanned.about.plan.differences(plan)));
        }
        let file = BlockFile::resume(path, scanned.sound)
            .map_err(|error| ResumeError::Unreadable(crate::files::reason(&error)))?;
        Ok(Checkpoint { kept, ..Checkpoint::new(making, file) })
    }

    /// Also finds the blocks of another file of the run that are `wanted`. It is only read.
    ///
    /// # Errors
    /// Those of reading, in the middle of a sentence.
    pub fn also(&mut self, path: &Path, wanted: impl Fn(u64) -> bool) -> Result<(), String> {
        let source = self.sources.len();
        scan(path, |key, place, _| {
            if wanted(key.1) {
                self.kept.entry(key).or_insert((Some(source), place));
            }
        })?;
        let file = BlockFile::reader(path).map_err(|error| crate::files::reason(&error))?;
        self.sources.push(Mutex::new(file));
        Ok(())
    }

    /// Copies the blocks of another file of the run that are not there yet.
    ///
    /// # Errors
    /// Those of reading and writing, in the middle of a sentence.
    pub fn absorb(&mut self, path: &Path) -> Result<(), String> {
        let mut written = Ok(());
        scan(path, |key, _, bytes| {
            if written.is_ok() && !self.kept.contains_key(&key) {
                written = lock(&self.file).put(key, bytes).map(|place| {
                    self.kept.insert(key, (None, place));
                });
            }
        })?;
        written.map_err(|error| crate::files::reason(&error))
    }

    /// Blocks that are kept since before this run; of a shard its own.
    pub fn kept(&self) -> u64 {
        match self.making {
            Making::Shard(shard) => self.kept.keys().filter(|(_, block)| shard.makes(*block)).count() as u64,
            _ => self.kept.len() as u64,
        }
    }

    /// Blocks that this run made, and for how long.
    pub fn made(&self) -> (u64, Duration) {
        (self.made.load(Ordering::Relaxed), self.started.elapsed())
    }

    /// How far the stage under way is.
    pub fn progress(&self) -> StageProgress {
        StageProgress { done: self.stage_done.load(Ordering::Relaxed), ..*lock(&self.progress) }
    }

    /// The blocks that the run still needs from elsewhere.
    pub fn missing(&self) -> Vec<u64> {
        lock(&self.missing).clone()
    }

    /// Which kept block is none of this run, if one was found: in the middle of a sentence after its file.
    pub fn foreign(&self) -> Option<String> {
        lock(&self.foreign).clone()
    }

    /// Why a block could not be written, if one could not: of the first.
    pub fn fault(&self) -> Option<String> {
        lock(&self.fault).clone()
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
}

/// Locks, also after a thread has panicked that had the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
