//! Blocks of several files brought together in one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

use super::file::{About, BlockFile, FileEnd, Place, scan};
use super::{Checkpoint, Making, RunPlan, WHOLE};

/// Why files cannot be merged, one line for each fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeError(pub Vec<String>);

/// Files that were brought together.
#[derive(Debug)]
pub struct Absorbed {
    /// All blocks, with those that were in the file before.
    pub checkpoint: Checkpoint,
    /// What the run is of.
    pub plan: RunPlan,
    /// Of how many shards the files are; `None` where there are none of a shard.
    pub shards: Option<u64>,
}

/// Most faults that are told.
const MOST_FAULTS: usize = 20;

/// A block that is known: from which file it is counted, in which it was read last, and the checksum of what it holds.
struct Known {
    source: usize,
    file: usize,
    sum: u32,
}

/// Copies the blocks of all `sources` to `target`, a file that is made, or added to where it is there. Every file is read
/// from its first byte to its last, and memory is used by the number of blocks, not by what they hold.
///
/// # Errors
/// Files of several runs, of different numbers of shards, damaged ones, and blocks that are in two of them. Then nothing was
/// written.
pub fn absorb(target: &Path, sources: &[PathBuf], making: Making) -> Result<Absorbed, MergeError> {
    let mut faults = Vec::new();
    let mut first: Option<(About, &Path)> = None;
    let mut shards: Option<(u64, &Path)> = None;
    let mut known: HashMap<(u64, u64), Known> = HashMap::new();
    let has_target = target.exists();
    // Files that were merged before have the blocks of others, and are no sources that others could overlap with.
    let earlier = sources.len();
    let is_merged = |path: &Path| path.file_name().is_some_and(|name| name == WHOLE);
    let files = sources.iter().map(PathBuf::as_path).enumerate();
    let files = has_target.then_some((earlier, target)).into_iter().chain(files);
    for (file, path) in files {
        let shown = path.display();
        let source = if is_merged(path) { earlier } else { file };
        let mut overlaps: HashMap<usize, u64> = HashMap::new();
        let mut unlike = 0u64;
        let scanned = scan(path, |key, _, bytes| {
            let sum = crc32fast::hash(bytes);
            match known.entry(key) {
                Entry::Vacant(free) => drop(free.insert(Known { source, file, sum })),
                Entry::Occupied(mut held) => {
                    // Of two in one file the later counts.
                    unlike += u64::from(held.get().sum != sum && held.get().file != file);
                    (held.get_mut().sum, held.get_mut().file) = (sum, file);
                    // A file may have a block twice where two runs had it in turn; an earlier merge has those of its files.
                    if ![source, earlier].contains(&held.get().source) && source != earlier {
                        *overlaps.entry(held.get().source).or_default() += 1;
                    }
                    if source != earlier {
                        held.get_mut().source = source;
                    }
                }
            }
        });
        let scanned = match scanned {
            Ok(scanned) => scanned,
            Err(why) => {
                faults.push(format!("{shown}: {why}"));
                continue;
            }
        };
        if let FileEnd::Damaged(at) = scanned.end {
            faults.push(format!("{shown} is damaged at byte {at}: make that shard again with --restart"));
        }
        if unlike > 0 {
            faults.push(format!("{shown} contradicts other files in {unlike} blocks"));
            // Games made again are the same, and took another time.
            faults.push(match has_target {
                true => format!(
                    "  where a shard was made again, remove {}, which holds what was merged before, and merge again",
                    target.display()
                ),
                false => "  where a shard was made twice, keep one of its files, and merge again".into(),
            });
        }
        for (other, blocks) in overlaps {
            faults.push(format!(
                "{shown} and {} have {blocks} blocks in common, which would count twice",
                sources[other].display()
            ));
        }
        match &first {
            Some((about, path)) if !about.plan.is(&scanned.about.plan) => {
                faults.push(format!("{shown} is of another run than {}:", path.display()));
                faults.extend(
                    about.plan.differences(&scanned.about.plan).into_iter().map(|it| format!("  {it}")),
                );
            }
            Some(_) => {}
            None => first = Some((scanned.about.clone(), path)),
        }
        if let Some(shard) = scanned.about.shard {
            match shards {
                Some((of, other)) if of != shard.of() => faults.push(format!(
                    "{shown} is one of {} shards, and {} one of {of}",
                    shard.of(),
                    other.display()
                )),
                _ => shards = Some((shard.of(), path)),
            }
        }
        if faults.len() > MOST_FAULTS {
            faults.push("and so on".into());
            break;
        }
    }
    if !faults.is_empty() {
        return Err(MergeError(faults));
    }
    let Some((about, _)) = first else {
        return Err(MergeError(vec!["there are no files of blocks".into()]));
    };
    let plan = about.plan;
    drop(known);
    let told = |error: std::io::Error| {
        MergeError(vec![format!("cannot write {}: {}", target.display(), crate::files::reason(&error))])
    };
    let mut kept: HashMap<(u64, u64), (Option<usize>, Place)> = HashMap::new();
    let mut file = if has_target {
        let scanned = scan(target, |key, place, _| {
            kept.insert(key, (None, place));
        });
        let scanned = scanned.map_err(|why| MergeError(vec![format!("{}: {why}", target.display())]))?;
        BlockFile::resume(target, scanned.sound).map_err(told)?
    } else {
        BlockFile::create(target, &About { plan: plan.clone(), shard: None }).map_err(told)?
    };
    for path in sources {
        let mut fault = None;
        let scanned = scan(path, |key, _, bytes| {
            if fault.is_none()
                && let Entry::Vacant(free) = kept.entry(key)
            {
                match file.put(key, bytes) {
                    Ok(place) => drop(free.insert((None, place))),
                    Err(error) => fault = Some(error),
                }
            }
        });
        scanned.map_err(|why| MergeError(vec![format!("{}: {why}", path.display())]))?;
        if let Some(error) = fault {
            return Err(told(error));
        }
    }
    file.sync().map_err(told)?;
    let checkpoint = Checkpoint { kept, ..Checkpoint::new(making, file) };
    Ok(Absorbed { checkpoint, plan, shards: shards.map(|(of, _)| of) })
}
