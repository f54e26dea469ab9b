//! Checkpoints: finished blocks of a run, kept on disk, so that an interrupted run can resume and several machines
//! can share one run.
//!
//! A run has stages, such as the games that find a price and those at that price, and each stage has blocks. What a
//! run requests next depends only on the blocks before. So a run that finds stored blocks gives the same bytes as one
//! that computes them all.
//!
//! The file of blocks is only ever appended to. If a run is killed or the machine loses power, at most a torn
//! end is left, which is cut off. Any other damage is refused, with its position.
//!
//! After a first line the file has one frame for each block: the number of bytes of the block (32 bits), the stage of
//! the run and the index of the block in it (64 bits each), a checksum of the block and one of all preceding header
//! bytes (CRC-32), and the block itself. Numbers are little-endian. The first frame holds the description of the run,
//! as JSON.

mod plan;

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::files::reason;
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
    pub fn create(path: &Path, about: &About, making: Making) -> io::Result<Checkpoint> {
        BlockFile::create(path, about).map(|file| Checkpoint::new(making, file))
    }

    /// Resumes the checkpoint at `path`, if it belongs to the run of `plan`. If that fails, the file is left as before.
    pub fn resume(path: &Path, plan: &RunPlan, making: Making) -> Result<Checkpoint, ResumeError> {
        let (mut kept, mut copies) = (HashMap::new(), Copies::default());
        let scanned = scan_blocks(path, &mut copies, |key, place, _| {
            kept.insert(key, (0, place));
        });
        let (about, sound) = scanned.map_err(|fault| ResumeError::Unreadable(fault.why))?;
        if !about.plan.is(plan) {
            return Err(ResumeError::Another(about.plan.differences(plan)));
        }
        let file = BlockFile::resume(path, sound).map_err(|error| ResumeError::Unreadable(reason(&error)))?;
        Ok(Checkpoint { kept, copies, ..Checkpoint::new(making, file) })
    }

    /// Adds another file of the run as a source of the blocks that are `wanted`. An error is a part of a sentence.
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

    /// Copies the blocks of another file of the run that are not stored yet. An error is a part of a sentence.
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

    /// Returns the file with a stored block that does not belong to this run, if one was found, and the byte at which
    /// it begins.
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

    /// Stores a block and returns whether to continue: a failed write ends only a shard, which has no other result.
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

    /// Records the missing blocks of a round from the first on. There may be many, which a shard need not know.
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

const MAGIC: &[u8] = b"saratoga blocks 5\n";
const ABOUT: BlockKey = (u64::MAX, 0);
/// Bytes of a frame's header.
const HEAD: usize = 4 + 8 + 8 + 4 + 4;
/// Maximum bytes of a block.
const MOST: usize = 64 << 20;
/// Maximum run of zeros that a loss of power leaves at the end: a run writes far less between two syncs.
const MOST_ZEROS: u64 = 1 << 30;
/// Interval between syncs to the disk: the work that a loss of power can cost.
const SYNC: Duration = Duration::from_secs(2);

/// Key of a block in a run: its stage and its index in the stage.
pub type BlockKey = (u64, u64);

/// Location of a block in a file: offset and length in bytes.
pub type Place = (u64, u32);

/// Description of the run that a file belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The run.
    pub plan: RunPlan,
    /// The shard; `None` for the whole run.
    pub shard: Option<Shard>,
}

/// Why a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct ScanError {
    /// The reason, as part of a sentence.
    pub why: String,
    /// Whether a block differs from its copy in another file, so that either may be wrong.
    pub of_two: bool,
}

impl From<String> for ScanError {
    fn from(why: String) -> ScanError {
        ScanError { why, of_two: false }
    }
}

fn framed((stage, block): BlockKey, bytes: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(HEAD + bytes.len());
    frame.extend((bytes.len() as u32).to_le_bytes());
    frame.extend(stage.to_le_bytes());
    frame.extend(block.to_le_bytes());
    frame.extend(crc32fast::hash(bytes).to_le_bytes());
    frame.extend(crc32fast::hash(&frame).to_le_bytes());
    frame.extend(bytes);
    frame
}

/// Reads the block of the next frame; if it is invalid, returns the length that its header claims.
fn frame(from: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<Result<BlockKey, usize>> {
    let mut head = [0; HEAD];
    let number = |head: &[u8]| head.iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    let is_sum = |head: &[u8], of: &[u8]| number(head) == u64::from(crc32fast::hash(of));
    let whole = read_whole(from, &mut head)? && is_sum(&head[24..], &head[..24]);
    let length = number(&head[..4]) as usize;
    if !whole || length > MOST {
        return Ok(Err(0));
    }
    bytes.resize(length, 0);
    match read_whole(from, bytes)? && is_sum(&head[20..24], bytes) {
        true => Ok(Ok((number(&head[4..12]), number(&head[12..20])))),
        false => Ok(Err(length)),
    }
}

/// Fills a buffer; returns false at the end of the file.
fn read_whole(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match from.read_exact(buffer) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        read => read.map(|()| true),
    }
}

/// Checks whether the rest of a file is zeros, which disks leave in place of data not yet written.
fn is_zeros(from: &mut (impl BufRead + Seek), at: u64) -> io::Result<bool> {
    from.seek(SeekFrom::Start(at))?;
    loop {
        let bytes = from.fill_buf()?;
        if bytes.is_empty() || bytes.iter().any(|&byte| byte != 0) {
            return Ok(bytes.is_empty());
        }
        let read = bytes.len();
        from.consume(read);
    }
}

/// A file opened for reading, positioned at its first block.
struct Opened {
    from: BufReader<File>,
    about: About,
    at: u64,
    length: u64,
}

/// Opens a file and reads its description.
fn opened(path: &Path) -> Result<Opened, String> {
    let told = |error: io::Error| reason(&error);
    if std::fs::symlink_metadata(path).map_err(told)?.is_symlink() {
        return Err("it is a link, and only regular files are read".into());
    }
    let file = crate::files::open(path, u64::MAX).map_err(told)?;
    let length = file.metadata().map_err(told)?.len();
    let mut from = BufReader::with_capacity(1 << 18, file);
    let mut magic = Vec::new();
    from.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic).map_err(told)?;
    if magic != MAGIC {
        return Err("it is no file of blocks, or one of another version of saratoga".into());
    }
    let mut bytes = Vec::new();
    if frame(&mut from, &mut bytes).map_err(told)? != Ok(ABOUT) {
        return Err("its beginning is damaged".into());
    }
    let about: About =
        serde_json::from_slice(&bytes).map_err(|_| "its beginning is of another version of saratoga")?;
    Ok(Opened { from, about, at: (MAGIC.len() + HEAD + bytes.len()) as u64, length })
}

/// Reads the description of a file, and nothing after it. An error is a part of a sentence.
pub fn about_blocks(path: &Path) -> Result<About, String> {
    opened(path).map(|it| it.about)
}

/// Appends the times that a block took, which no two runs have in common, and their length.
pub fn with_times(mut block: Vec<u8>, times: &[u8]) -> Vec<u8> {
    block.extend(times);
    // The last byte is rarely 0, unlike those that a loss of power leaves.
    block.extend((times.len() as u32).to_be_bytes());
    block
}

/// Returns the part of a block that all its copies have in common.
fn without_times(bytes: &[u8]) -> &[u8] {
    let split = bytes.split_last_chunk().and_then(|(before, length)| {
        before.get(..before.len().checked_sub(u32::from_be_bytes(*length) as usize)?)
    });
    split.unwrap_or(bytes)
}

/// Position of each block of one or several files. Copies must be equal, except for the times that they took.
#[derive(Debug, Default)]
pub struct Copies {
    /// Has a random key, so that nobody can forge a block with the hash of another.
    hasher: RandomState,
    files: Vec<PathBuf>,
    /// Last copy of each block: its file, the byte at which its frame begins, and its hash.
    last: HashMap<BlockKey, (usize, u64, u64)>,
}

impl Copies {
    /// Adds a copy in the last file.
    fn note(&mut self, key: BlockKey, at: u64, bytes: &[u8]) -> Result<(), ScanError> {
        let (file, hash) = (self.files.len() - 1, self.hasher.hash_one(without_times(bytes)));
        let Some((other, before, of)) = self.last.insert(key, (file, at, hash)) else { return Ok(()) };
        if of == hash {
            return Ok(());
        }
        let (stage, block) = key;
        let mut why =
            format!("block {block} of stage {stage} at byte {at} differs from its copy at byte {before}");
        let of_two = other != file;
        if of_two {
            why += &format!(" of {}", self.files[other].display());
        }
        Err(ScanError { why, of_two })
    }

    /// Returns the file with the last copy of a block, and the byte at which its frame begins.
    pub fn place(&self, key: BlockKey) -> Option<(&Path, u64)> {
        self.last.get(&key).map(|&(file, at, _)| (&*self.files[file], at))
    }
}

/// Passes every block of a file to `found`, in order, and returns its description and the bytes up to the end of the
/// last valid block. Fails at damage before that, and at a block that differs from a copy in `copies`, also of files
/// before.
pub fn scan_blocks(
    path: &Path,
    copies: &mut Copies,
    mut found: impl FnMut(BlockKey, Place, &[u8]),
) -> Result<(About, u64), ScanError> {
    let told = |error: io::Error| reason(&error);
    copies.files.push(path.into());
    let Opened { mut from, about, mut at, length } = opened(path)?;
    let mut bytes = Vec::new();
    // The file may have grown since it was opened.
    while at < length {
        match frame(&mut from, &mut bytes).map_err(told)? {
            Ok(key) => {
                copies.note(key, at, &bytes)?;
                found(key, (at + HEAD as u64, bytes.len() as u32), &bytes);
            }
            Err(held) => {
                let end = at + (HEAD + held) as u64;
                let torn =
                    end >= length || length - end <= MOST_ZEROS && is_zeros(&mut from, end).map_err(told)?;
                if torn {
                    break;
                }
                return Err(format!("it is damaged at byte {at}").into());
            }
        }
        at += (HEAD + bytes.len()) as u64;
    }
    Ok((about, at))
}

/// A file of blocks that a run reads and may append to.
#[derive(Debug)]
struct BlockFile {
    file: File,
    /// End of the valid part.
    end: u64,
    synced: Instant,
}

impl BlockFile {
    fn create(path: &Path, about: &About) -> io::Result<BlockFile> {
        let beginning = [MAGIC, &framed(ABOUT, &serde_json::to_vec(about)?)].concat();
        // The path may be a link, so it is replaced and never written through.
        crate::files::put_durably(path, &beginning)?;
        BlockFile::resume(path, beginning.len() as u64)
    }

    /// Opens an existing file to append after its valid part.
    fn resume(path: &Path, sound: u64) -> io::Result<BlockFile> {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        file.set_len(sound)?;
        Ok(BlockFile { file, end: sound, synced: Instant::now() })
    }

    fn reader(path: &Path) -> io::Result<BlockFile> {
        Ok(BlockFile { file: File::open(path)?, end: 0, synced: Instant::now() })
    }

    /// Appends a block and returns its location. If that fails, such as on a full disk, the file is left as before.
    fn put(&mut self, key: BlockKey, bytes: &[u8]) -> io::Result<Place> {
        if bytes.len() > MOST {
            return Err(io::Error::other("the block is too large to be kept"));
        }
        let (frame, place) = (framed(key, bytes), (self.end + HEAD as u64, bytes.len() as u32));
        let written = self.file.seek(SeekFrom::Start(self.end)).and_then(|_| self.file.write_all(&frame));
        match written {
            Ok(()) => self.end += frame.len() as u64,
            Err(_) => drop(self.file.set_len(self.end)),
        }
        written.map(|()| place)
    }

    fn read(&mut self, (at, length): Place) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length as usize];
        self.file.seek(SeekFrom::Start(at))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn due(&mut self) -> Option<File> {
        if self.synced.elapsed() < SYNC {
            return None;
        }
        self.synced = Instant::now();
        self.file.try_clone().ok()
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }
}
