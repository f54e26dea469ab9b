//! A file of finished blocks, only ever appended to. If a run is killed or the machine loses power, at most a torn
//! end is left, which is cut off. Any other damage is refused, with its position.
//!
//! After a first line the file has one frame for each block: the number of bytes of the block (32 bits), the stage of
//! the run and the index of the block in it (64 bits each), a checksum of the block and one of all preceding header
//! bytes (CRC-32), and the block itself. Numbers are little-endian. The first frame holds the description of the run,
//! as JSON.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::plan::{RunPlan, Shard};
use crate::files::reason;

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

/// Result of scanning a file.
#[derive(Debug)]
pub struct Scanned {
    /// The description of the run.
    pub about: About,
    /// Bytes up to the end of the last valid block.
    pub sound: u64,
}

/// Why a file cannot be used, as part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScanError {
    /// It cannot be read, is not a file of blocks, or is damaged.
    #[error("{0}")]
    Unsound(String),
    /// A block differs from its copy in another file.
    #[error("block {} of stage {} at byte {at} differs from its copy at byte {before} of {}", key.1, key.0, other.display())]
    Differs {
        /// The block.
        key: BlockKey,
        /// Where its frame begins.
        at: u64,
        /// The same in the other file.
        before: u64,
        /// The other file.
        other: PathBuf,
    },
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
    about.plan.check().map_err(|why| format!("its beginning is of no run: {why}"))?;
    Ok(Opened { from, about, at: (MAGIC.len() + HEAD + bytes.len()) as u64, length })
}

/// Reads the description of a file, and nothing after it.
///
/// # Errors
/// Failures to read, or that this is no such file, as part of a sentence.
pub fn about(path: &Path) -> Result<About, String> {
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

/// Position of each block of one or several files. A block may have copies, which must be equal except for the times that they
/// took.
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
        match self.last.insert(key, (file, at, hash)) {
            Some((other, before, of)) if of != hash && other == file => Err(ScanError::Unsound(format!(
                "block {} of stage {} at byte {at} differs from its copy at byte {before}",
                key.1, key.0
            ))),
            Some((other, before, of)) if of != hash => {
                Err(ScanError::Differs { key, at, before, other: self.files[other].clone() })
            }
            _ => Ok(()),
        }
    }

    /// Returns the file with the last copy of a block, and the byte at which its frame begins.
    pub fn place(&self, key: BlockKey) -> Option<(&Path, u64)> {
        self.last.get(&key).map(|&(file, at, _)| (&*self.files[file], at))
    }
}

/// Reads a file from the beginning and passes every block to `found`, in order. `copies` has the blocks of the files before.
///
/// # Errors
/// Failures to read, that this is no such file, or the position of damage before its end or of a block that differs from a
/// copy.
pub fn scan(
    path: &Path,
    copies: &mut Copies,
    mut found: impl FnMut(BlockKey, Place, &[u8]),
) -> Result<Scanned, ScanError> {
    let told = |error: io::Error| ScanError::Unsound(reason(&error));
    copies.files.push(path.into());
    let Opened { mut from, about, mut at, length } = opened(path).map_err(ScanError::Unsound)?;
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
                return Err(ScanError::Unsound(format!("it is damaged at byte {at}")));
            }
        }
        at += (HEAD + bytes.len()) as u64;
    }
    Ok(Scanned { about, sound: at })
}

/// A file of blocks that a run reads and may append to.
#[derive(Debug)]
pub struct BlockFile {
    file: File,
    /// End of the valid part.
    end: u64,
    synced: Instant,
}

impl BlockFile {
    /// Creates a file, replacing any existing one.
    ///
    /// # Errors
    /// Failures to write.
    pub fn create(path: &Path, about: &About) -> io::Result<BlockFile> {
        let beginning = [MAGIC, &framed(ABOUT, &serde_json::to_vec(about)?)].concat();
        // The path may be a link, so it is replaced and never written through.
        crate::files::put_durably(path, &beginning)?;
        BlockFile::resume(path, beginning.len() as u64)
    }

    /// Opens an existing file to append after its valid part.
    ///
    /// # Errors
    /// Failures to write.
    pub fn resume(path: &Path, sound: u64) -> io::Result<BlockFile> {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        file.set_len(sound)?;
        Ok(BlockFile { file, end: sound, synced: Instant::now() })
    }

    /// Opens a file read-only.
    ///
    /// # Errors
    /// Failures to open it.
    pub fn reader(path: &Path) -> io::Result<BlockFile> {
        Ok(BlockFile { file: File::open(path)?, end: 0, synced: Instant::now() })
    }

    /// Appends a block and returns its location.
    ///
    /// # Errors
    /// Failures to write, such as a full disk; the file is then left as before.
    pub fn put(&mut self, key: BlockKey, bytes: &[u8]) -> io::Result<Place> {
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

    /// Reads a block.
    ///
    /// # Errors
    /// Failures to read.
    pub fn read(&mut self, (at, length): Place) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length as usize];
        self.file.seek(SeekFrom::Start(at))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Returns a handle for a sync if one is due.
    pub fn due(&mut self) -> Option<File> {
        if self.synced.elapsed() < SYNC {
            return None;
        }
        self.synced = Instant::now();
        self.file.try_clone().ok()
    }

    /// Writes all blocks through to the disk.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }
}
