//! A file of finished blocks. It is only appended to; a run that is killed, or a machine that loses its power, leaves a torn
//! end at most, which is cut off.
//!
//! After a first line it has one frame for each block: the length of what it holds and a checksum (CRC-32), both 32 bits;
//! the stage of the run and the number of the block in it, both 64 bits, and what the block holds. Numbers have their
//! least byte first. Where the highest bit of the stage is set, what the block holds ends with a checksum of its answer alone:
//! the times that were measured are no part of it. The first frame holds what the run is of, as JSON.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::damage::{FileEnd, end_at};
use super::frame::{BlockKey, HEAD, MOST, SUMMED, frame, framed};
use super::plan::RunPlan;
use super::shard::Shard;

/// The first line.
const MAGIC: &[u8] = b"saratoga blocks 2\n";
/// The stage of the first frame.
const ABOUT: u64 = u64::MAX;
/// The disk is made sure of so often: what a loss of power costs.
const SYNC: Duration = Duration::from_secs(2);

/// What the file is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The run.
    pub plan: RunPlan,
    /// Which part of it; `None` for all.
    pub shard: Option<Shard>,
}

/// Where a block is in a file: its first byte, and how many it has, with the checksum of its answer.
pub type Place = (u64, u32);

/// What a block holds.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    /// All of it.
    pub bytes: &'a [u8],
    /// A checksum of its answer, without the times that were measured: blocks with the same answer are the same.
    pub answer: u32,
}

impl<'a> Held<'a> {
    /// Of the frame of a stage.
    fn of(stage: u64, bytes: &'a [u8]) -> Held<'a> {
        match bytes.split_last_chunk() {
            Some((bytes, sum)) if stage & SUMMED != 0 => Held { bytes, answer: u32::from_le_bytes(*sum) },
            _ => Held { bytes, answer: crc32fast::hash(bytes) },
        }
    }
}

/// What a file has.
#[derive(Debug)]
pub struct Scanned {
    /// What it is of.
    pub about: About,
    /// Bytes up to the end of the last sound block.
    pub sound: u64,
    /// What comes after.
    pub end: FileEnd,
}

/// Whether a file is no more than the cut-off beginning of a run's: then nothing is lost with it.
pub fn is_cut_short(path: &Path, about: &About) -> bool {
    let Ok(beginning) = beginning(about) else { return false };
    let found = crate::files::read(path, beginning.len() as u64);
    found.is_ok_and(|found| found.len() < beginning.len() && beginning.starts_with(&found))
}

/// The first bytes of a file.
fn beginning(about: &About) -> io::Result<Vec<u8>> {
    Ok([MAGIC, &framed((ABOUT, 0), &[&serde_json::to_vec(about)?])].concat())
}

/// A file that is being read, up to where its blocks begin.
struct Opened {
    from: BufReader<File>,
    about: About,
    at: u64,
    length: u64,
}

/// Opens a file, and reads what it is of.
fn opened(path: &Path) -> Result<Opened, String> {
    let told = |error: io::Error| crate::files::reason(&error);
    let kind = std::fs::symlink_metadata(path).map_err(told)?.file_type();
    match kind {
        _ if kind.is_dir() => return Err("it is a folder".into()),
        _ if kind.is_symlink() => return Err("it is a link, and only regular files are read".into()),
        _ if !kind.is_file() => return Err("it is no regular file".into()),
        _ => {}
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
    let Some((ABOUT, _)) = frame(&mut from, &mut bytes).map_err(told)? else {
        return Err("its beginning is damaged".into());
    };
    let about =
        serde_json::from_slice(&bytes).map_err(|_| "its beginning is of another version of saratoga")?;
    Ok(Opened { from, about, at: (MAGIC.len() + HEAD + bytes.len()) as u64, length })
}

/// What a file is of, of which only the beginning is read.
///
/// # Errors
/// Those of reading, and what is no such file, in the middle of a sentence.
pub fn about(path: &Path) -> Result<About, String> {
    opened(path).map(|it| it.about)
}

/// Reads a file from its beginning, and tells every block that is sound, in order.
///
/// # Errors
/// Those of reading, and what is no such file, in the middle of a sentence.
pub fn scan(path: &Path, mut found: impl FnMut(BlockKey, Place, Held<'_>)) -> Result<Scanned, String> {
    let told = |error: io::Error| crate::files::reason(&error);
    let Opened { mut from, about, mut at, length } = opened(path)?;
    let mut bytes = Vec::new();
    let end = loop {
        // It may have grown since it was opened.
        if at >= length {
            break FileEnd::Whole;
        }
        match frame(&mut from, &mut bytes).map_err(told)? {
            Some((stage, block)) => {
                let place = (at + HEAD as u64, bytes.len() as u32);
                found((stage & !SUMMED, block), place, Held::of(stage, &bytes));
            }
            None => break end_at(&mut from, at, length, bytes.len()).map_err(told)?,
        }
        at += (HEAD + bytes.len()) as u64;
    };
    Ok(Scanned { about, sound: at, end })
}

/// A file of blocks that a run adds to.
#[derive(Debug)]
pub struct BlockFile {
    file: File,
    /// Up to where it is sound.
    end: u64,
    synced: Instant,
}

impl BlockFile {
    /// A new file; what was there is gone.
    ///
    /// # Errors
    /// Those of writing.
    pub fn create(path: &Path, about: &About) -> io::Result<BlockFile> {
        let beginning = beginning(about)?;
        // What is at the path is replaced, never written to: it may be a link.
        crate::files::put_durably(path, &beginning)?;
        BlockFile::resume(path, beginning.len() as u64)
    }

    /// A file that is there, from where it is sound.
    ///
    /// # Errors
    /// Those of writing.
    pub fn resume(path: &Path, sound: u64) -> io::Result<BlockFile> {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        file.set_len(sound)?;
        Ok(BlockFile { file, end: sound, synced: Instant::now() })
    }

    /// A file that is only read.
    ///
    /// # Errors
    /// Those of opening it.
    pub fn reader(path: &Path) -> io::Result<BlockFile> {
        Ok(BlockFile { file: File::open(path)?, end: 0, synced: Instant::now() })
    }

    /// Adds a block, and tells where it is.
    ///
    /// # Errors
    /// Those of writing, as of a full disk: then the file is as it was before.
    pub fn put(&mut self, (stage, block): BlockKey, held: Held<'_>) -> io::Result<Place> {
        let frame = framed((stage | SUMMED, block), &[held.bytes, &held.answer.to_le_bytes()]);
        let length = frame.len() - HEAD;
        if length > MOST {
            return Err(io::Error::other("the block is too large to be kept"));
        }
        let place = (self.end + HEAD as u64, length as u32);
        self.append(&frame)?;
        Ok(place)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.file.seek(SeekFrom::Start(self.end)).and_then(|_| self.file.write_all(bytes));
        match written {
            Ok(()) => self.end += bytes.len() as u64,
            Err(_) => drop(self.file.set_len(self.end)),
        }
        written
    }

    /// Reads a block.
    ///
    /// # Errors
    /// Those of reading.
    pub fn read(&mut self, (at, length): Place) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length as usize];
        self.file.seek(SeekFrom::Start(at))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// A handle to make sure of the disk with, if it is time to.
    pub fn due(&mut self) -> Option<File> {
        if self.synced.elapsed() < SYNC {
            return None;
        }
        self.synced = Instant::now();
        self.file.try_clone().ok()
    }

    /// Makes sure that all is on the disk.
    ///
    /// # Errors
    /// What the system says.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }
}
