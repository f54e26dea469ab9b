//! Blocks of several files brought together in one.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::file::{About, BlockFile, Place, scan};
use super::frame::{BlockKey, blocks_in_words};
use super::{Checkpoint, Making, RunPlan, Shard, WHOLE, shard_of_name};

/// Why files cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeError {
    /// What is wrong, file by file.
    pub faults: Vec<MergeFault>,
    /// What the run is of, where a file can be read that says it.
    pub plan: Option<Box<RunPlan>>,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeFault {
    /// In lines.
    pub said: Vec<String>,
    /// What can be done.
    pub way_out: WayOut,
}

/// What can be done where files cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WayOut {
    /// As it says.
    Said(String),
    /// What the file holds is made again: what is damaged of it, or all of it `anew`.
    MakeAgain {
        /// The file.
        path: PathBuf,
        /// The part that it is of, as far as can be told.
        part: Option<Shard>,
        /// Nothing of it can be used.
        anew: bool,
    },
    /// What is merged goes to another folder than that of this file.
    Elsewhere(PathBuf),
}

impl MergeFault {
    fn of(said: String, way_out: WayOut) -> MergeFault {
        MergeFault { said: vec![said], way_out }
    }
}

impl From<String> for MergeError {
    fn from(said: String) -> MergeError {
        MergeError { faults: vec![MergeFault::of(said, WayOut::Said(String::new()))], plan: None }
    }
}

/// Files that were brought together.
#[derive(Debug)]
pub struct Absorbed {
    /// All blocks, with those that were in the file before.
    pub checkpoint: Checkpoint,
    /// What the run is of.
    pub plan: RunPlan,
    /// Of how many shards the files are; `None` where there are none of a shard.
    pub shards: Option<u64>,
    /// What a person should know of the files, a sentence each.
    pub notes: Vec<String>,
}

/// What can be done of files that do not belong together.
const PARTED: &str =
    "only shards of one run are merged: move the files of one of the two to a folder of their own";

/// Most faults that are told.
const MOST_FAULTS: usize = 20;

/// A block that is known: from which file it is counted, in which it was read first and last, and the checksums of all that it
/// held there first, and of its answer. There are many.
struct Known {
    source: u32,
    first: u32,
    last: u32,
    sum: u32,
    answer: u32,
}

/// Copies the blocks of all `sources` to `target`, a file that is made, or added to where it is there. Every file is read
/// from its first byte to its last, and memory is used by the number of blocks, not by what they hold.
///
/// # Errors
/// Files of several runs, of different numbers of shards, damaged ones, and blocks that are in two of them, unless both are of
/// one shard that was made twice, with the same answers. Then nothing was written.
pub fn absorb(target: &Path, sources: &[PathBuf]) -> Result<Absorbed, MergeError> {
    let mut faults = Vec::new();
    let mut first: Option<(About, &Path)> = None;
    let mut shards: Option<(u64, &Path)> = None;
    let mut known: HashMap<BlockKey, Known> = HashMap::new();
    // Blocks that are in one file twice.
    let mut doubled: HashSet<BlockKey> = HashSet::new();
    // Which part each of the sources is.
    let mut parts: Vec<Option<Shard>> = vec![None; sources.len()];
    let mut notes = Vec::new();
    let has_target = target.exists();
    // Files that were merged before have the blocks of others, and are no sources that others could overlap with.
    let earlier = sources.len();
    let is_merged = |path: &Path| path.file_name().is_some_and(|name| name == WHOLE);
    let files = sources.iter().map(PathBuf::as_path).enumerate();
    let files = has_target.then_some((earlier, target)).into_iter().chain(files);
    for (file, path) in files {
        let shown = path.display();
        let (file, earlier) = (file as u32, earlier as u32);
        let source = if is_merged(path) { earlier } else { file };
        let mut overlaps: BTreeMap<u32, u64> = BTreeMap::new();
        // Blocks that contradict those of another file.
        let mut unlike: HashMap<BlockKey, u32> = HashMap::new();
        let scanned = scan(path, |key, _, block| {
            let (sum, answer) = (crc32fast::hash(block.bytes), block.answer);
            match known.entry(key) {
                Entry::Vacant(free) => {
                    free.insert(Known { source, first: file, last: file, sum, answer });
                }
                Entry::Occupied(mut held) => {
                    let held = held.get_mut();
                    // A file may have a block twice where two runs had it in turn, or it was made again; the later counts.
                    if held.last == file {
                        doubled.insert(key);
                    }
                    if held.first == file {
                        (held.sum, held.answer) = (sum, answer);
                    } else if held.sum != sum && held.answer != answer {
                        unlike.insert(key, held.first);
                    } else {
                        unlike.remove(&key);
                    }
                    held.last = file;
                    // An earlier merge has the blocks of its files.
                    if ![source, earlier].contains(&held.source) && source != earlier {
                        *overlaps.entry(held.source).or_default() += 1;
                    }
                    if source != earlier {
                        held.source = source;
                    }
                }
            }
        });
        let scanned = match scanned {
            Ok(scanned) => scanned,
            Err(why) => {
                let way_out = WayOut::MakeAgain { path: path.into(), part: shard_of_name(path), anew: true };
                faults.push(MergeFault::of(format!("{shown}: {why}"), way_out));
                continue;
            }
        };
        let part = scanned.about.shard;
        if let Some(damage) = scanned.end.damage() {
            let way_out = WayOut::MakeAgain { path: path.into(), part, anew: false };
            faults.push(MergeFault::of(format!("{shown} is {damage}: all from there on is lost"), way_out));
        }
        let mut contradicted: BTreeMap<u32, u64> = BTreeMap::new();
        unlike.values().for_each(|&other| *contradicted.entry(other).or_default() += 1);
        for (other, blocks) in contradicted {
            let other = sources.get(other as usize).map_or(target, PathBuf::as_path);
            let blocks = blocks_in_words(blocks, "");
            // Blocks made again have the same answers, unless a limit of seconds ended a search, or a machine is at fault.
            let way_out = match is_merged(other) {
                true => format!(
                    "where a shard was made again, remove {}, which holds what was merged before, and merge again",
                    other.display()
                ),
                false => "where a shard was made twice, move one of its files away, and merge again".into(),
            };
            let said = format!("{shown} contradicts {} in {blocks}", other.display());
            faults.push(MergeFault::of(said, WayOut::Said(way_out)));
        }
        for (other, blocks) in overlaps {
            let (blocks, other) = (blocks_in_words(blocks, ""), other as usize);
            let common = format!("{shown} and {} have {blocks} in common", sources[other].display());
            if part.is_some() && parts[other] == part {
                notes.push(format!("{common}, with the same answers: they count once"));
            } else {
                let way_out = "move one of the two files away, and merge again".into();
                faults.push(MergeFault::of(
                    format!("{common}, which would count twice"),
                    WayOut::Said(way_out),
                ));
            }
        }
        if let Some(of_file) = parts.get_mut(file as usize) {
            *of_file = part;
        }
        match &first {
            Some((about, path)) if !about.plan.is(&scanned.about.plan) => {
                let differences = about.plan.differences(&scanned.about.plan);
                let said = format!("{shown} is of another run than {}:", path.display());
                faults.push(MergeFault {
                    said: [said].into_iter().chain(differences).collect(),
                    way_out: match *path == target {
                        true => WayOut::Elsewhere(target.into()),
                        false => WayOut::Said(PARTED.into()),
                    },
                });
            }
            Some(_) => {}
            None => first = Some((scanned.about.clone(), path)),
        }
        if let Some(shard) = part {
            match shards {
                Some((of, other)) if of != shard.of() => faults.push(MergeFault::of(
                    format!("{shown} is one of {} shards, and {} one of {of}", shard.of(), other.display()),
                    WayOut::Said(PARTED.into()),
                )),
                _ => shards = Some((shard.of(), path)),
            }
        }
        if faults.len() > MOST_FAULTS {
            faults.push(MergeFault::of("and so on".into(), WayOut::Said(String::new())));
            break;
        }
    }
    if !faults.is_empty() {
        return Err(MergeError { faults, plan: first.map(|(about, _)| Box::new(about.plan)) });
    }
    let Some((about, _)) = first else {
        return Err("there are no files of blocks".to_string().into());
    };
    let plan = about.plan;
    drop(known);
    let told = |error: std::io::Error| {
        MergeError::from(format!("cannot write {}: {}", target.display(), crate::files::reason(&error)))
    };
    let mut kept: HashMap<BlockKey, (Option<usize>, Place)> = HashMap::new();
    // Of the blocks that are in one file twice: from which they are.
    let mut from: HashMap<BlockKey, &Path> = HashMap::new();
    let mut file = if has_target {
        let scanned = scan(target, |key, place, _| {
            kept.insert(key, (None, place));
        });
        let scanned = scanned.map_err(|why| format!("{}: {why}", target.display()))?;
        BlockFile::resume(target, scanned.sound).map_err(told)?
    } else {
        BlockFile::create(target, &About { plan: plan.clone(), shard: None }).map_err(told)?
    };
    for path in sources {
        let mut fault = None;
        let scanned = scan(path, |key, _, held| {
            let later = from.get(&key).is_some_and(|it| *it == path);
            if fault.is_some() || kept.contains_key(&key) && !later {
                return;
            }
            match file.put(key, held) {
                Ok(place) => drop(kept.insert(key, (None, place))),
                Err(error) => fault = Some(error),
            }
            if doubled.contains(&key) {
                from.insert(key, path);
            }
        });
        scanned.map_err(|why| format!("{}: {why}", path.display()))?;
        if let Some(error) = fault {
            return Err(told(error));
        }
    }
    file.sync().map_err(told)?;
    let checkpoint = Checkpoint { kept, ..Checkpoint::new(Making::None, file) };
    Ok(Absorbed { checkpoint, plan, shards: shards.map(|(of, _)| of), notes })
}
