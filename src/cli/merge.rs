//! `saratoga merge`: the shards of a run brought together.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::figures::{count, plural};
use crate::files::{Lock, LockError, make_folder, reason};
use crate::lab::{Absorbed, Shard, WHOLE, absorb, block_files};

use super::args::{MergeArgs, Merged};
use super::error::CliError;
use super::kept_faults::no_locks;
use super::merge_faults::{Part, told};
use super::terminal::note;

/// Most commands that are printed.
const MOST_COMMANDS: usize = 40;

/// What is said of blocks that are as good as nothing, after how many.
const UNUSABLE: &str = "kept, but damaged or of another program";

/// The command of the blocks, which is to be run and makes none.
pub(super) struct Again {
    pub args: Vec<OsString>,
    pub merged: Merged,
    /// Held until it has run: nobody else merges there meanwhile.
    pub lock: Lock,
}

pub(super) fn run(args: &MergeArgs) -> Result<Again, CliError> {
    let first = args.folders.first().ok_or_else(|| CliError::input("no folder was given"))?;
    let out = args.out.as_ref().unwrap_or(first);
    let target = out.join(WHOLE);
    let sources = sources(&args.folders, args.out.as_deref(), &target)?;
    let cannot = |error: io::Error| {
        CliError::lines(&[
            &format!("cannot write to {}: {}", out.display(), reason(&error)),
            "give a folder for what is merged with --out",
        ])
    };
    make_folder(out).map_err(cannot)?;
    let lock = Lock::of(&target).map_err(|error| match error {
        LockError::Io(error) => cannot(error),
        LockError::Unsupported => no_locks(out),
        LockError::Busy => CliError::input(format!("another run or merge is writing to {}", out.display())),
    })?;
    let absorbed = absorb(&target, &sources).map_err(|error| told(&error))?;
    absorbed.notes.iter().filter(|_| !args.quiet).for_each(|it| note(it));
    let mut options: Vec<OsString> = vec!["--out".into(), out.into()];
    options.extend(args.threads.map(|threads| format!("--threads={threads}").into()));
    options.extend(args.json.then(|| "--json".into()));
    options.extend(args.quiet.then(|| "--quiet".into()));
    let Absorbed { checkpoint, plan, shards, .. } = absorbed;
    let words = [OsString::from("saratoga"), plan.command.clone().into()];
    let args = words.into_iter().chain(options).chain(plan.words.iter().map(OsString::from)).collect();
    Ok(Again { args, merged: Merged { checkpoint, plan, shards, folder: out.clone() }, lock })
}

/// The files of blocks in these folders, and in that of the merge if it is there, but for the one that is written.
fn sources(folders: &[PathBuf], merged: Option<&Path>, target: &Path) -> Result<Vec<PathBuf>, CliError> {
    // A file counts once by however many paths it is given, and the one that is written is no source.
    let mut known: HashSet<PathBuf> = target.canonicalize().into_iter().collect();
    let mut all = Vec::new();
    for folder in folders {
        let found = block_files(folder).map_err(|error| {
            CliError::input(format!("cannot read {}: {}", folder.display(), reason(&error)))
        })?;
        if found.is_empty() {
            return Err(CliError::input(format!(
                "there are no blocks in {}: runs keep them with --out, or with --shard K/N --out",
                folder.display()
            )));
        }
        all.extend(found);
    }
    // The commands of what is missing make it there, beside what is merged so far.
    all.extend(merged.and_then(|folder| block_files(folder).ok()).unwrap_or_default());
    all.retain(|path| path.canonicalize().map_or(true, |it| known.insert(it)));
    Ok(all)
}

impl Merged {
    /// The shard that makes a block.
    fn shard_of(&self, block: u64) -> Option<Shard> {
        self.shards.and_then(|of| Shard::new(block % of + 1, of))
    }

    /// Which blocks are missing, and the commands that make them.
    pub(super) fn incomplete(&self) -> CliError {
        let again = |shard| Part { plan: &self.plan, shard, folder: &self.folder }.command(false);
        let mut by_shard: BTreeMap<Option<Shard>, u64> = BTreeMap::new();
        let mut unusable = 0;
        for missing in self.checkpoint.missing() {
            unusable += missing.unusable;
            for block in missing.blocks {
                *by_shard.entry(self.shard_of(block)).or_default() += 1;
            }
        }
        let all: u64 = by_shard.values().sum();
        let (is, them) = if all == 1 { ("is", "it") } else { ("are", "them") };
        let of_these = match unusable {
            0 => String::new(),
            n => format!(" ({} {UNUSABLE})", count(n)),
        };
        let mut lines = vec![format!(
            "{} {is} missing{of_these}; these commands make {them}, after which merge again:",
            plural(all, "block")
        )];
        lines.extend(by_shard.keys().take(MOST_COMMANDS).map(|&shard| format!("  {}", again(shard))));
        if by_shard.len() > MOST_COMMANDS {
            lines.push(format!("  and {} more", by_shard.len() - MOST_COMMANDS));
        }
        CliError::Run(lines.join("\n"))
    }
}
