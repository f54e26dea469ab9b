//! How far a run is, in a small file beside its blocks, for `saratoga status`.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::lab::{Checkpoint, StageProgress};

/// It is written so often in the first minute.
const EVERY: Duration = Duration::from_secs(2);
/// And so often later: thousands of shards may share a disk.
const LATER: Duration = Duration::from_secs(10);

/// How far a run is, or was when it last said so.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ProgressNote {
    /// The stage under way.
    #[serde(flatten)]
    pub stage: StageProgress,
    /// Blocks that the process made.
    pub made: u64,
    /// Seconds that it has run, by a clock that never jumps.
    pub seconds: f64,
    /// Seconds from the beginning of its first stage until its first block was made, and until its last.
    #[serde(default)]
    pub until: (f64, f64),
    /// When this was written, in seconds since 1970, by the clock of the machine.
    pub written: u64,
    /// Nothing is left to be made here.
    pub finished: bool,
    /// The process has ended.
    #[serde(default)]
    pub over: bool,
    /// A number of the machine on which it runs, where the system has one: the same until it is started again.
    #[serde(default)]
    pub machine: u64,
}

/// The number of this machine; 0 where the system has none.
pub(super) fn machine() -> u64 {
    let boot = crate::files::read(Path::new("/proc/sys/kernel/random/boot_id"), 64).unwrap_or_default();
    boot.iter()
        .filter(|byte| byte.is_ascii_hexdigit())
        .fold(0, |sum, &byte| sum << 4 ^ sum >> 60 ^ u64::from(byte))
}

/// The file of this kind that goes with a file of blocks.
pub(super) fn beside(blocks: &Path) -> PathBuf {
    blocks.with_extension("progress")
}

/// The seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Writes how far a run is, at times. What cannot be written is left.
pub(super) struct Watch {
    path: PathBuf,
}

impl Watch {
    pub fn new(path: PathBuf) -> Watch {
        Watch { path }
    }

    /// Writes it every few seconds until `over` says that the run has ended.
    pub fn follow(&self, checkpoint: &Checkpoint, over: &dyn Fn(Duration) -> bool) {
        // The first stage begins at once.
        let mut wait = EVERY / 10;
        while !over(wait) {
            self.write(checkpoint, false, false);
            wait = if checkpoint.made().1 < Duration::from_secs(60) { EVERY } else { LATER };
        }
    }

    /// Writes it.
    pub fn write(&self, checkpoint: &Checkpoint, finished: bool, over: bool) {
        let (made, elapsed) = checkpoint.made();
        let stage = checkpoint.progress();
        let seconds = elapsed.as_secs_f64();
        let machine = machine();
        let times = checkpoint.times();
        let until = (times.first.as_secs_f64(), times.last.as_secs_f64());
        let note = ProgressNote { stage, made, seconds, until, written: now(), finished, over, machine };
        if let Ok(bytes) = serde_json::to_vec(&note) {
            let _ = crate::files::put(&self.path, &bytes, true);
        }
    }
}
