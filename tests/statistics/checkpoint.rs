//! Blocks on the disk: whatever is cut off, left out, given twice or damaged, nothing counts twice and nothing is lost in
//! silence.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use saratoga::lab::{
    About, Batch, BatchError, Checkpoint, FileEnd, Making, Pairing, RunPlan, Shard, WHOLE, Workers, absorb,
    file_name, scan_blocks, simulate,
};
use saratoga::rules::{self, Rules};
use saratoga::stats::Tally;
use saratoga::strategy::{Greedy, Strategy};

const GAMES: u64 = 9_500;

fn greedy() -> Box<dyn Strategy> {
    Box::new(Greedy)
}

fn plan() -> RunPlan {
    RunPlan { saratoga: "1.0.0".into(), command: "simulate".into(), ..RunPlan::default() }
}

fn played(rules: &Rules, workers: Workers<'_>) -> Result<Tally, BatchError> {
    let entries = vec![Pairing { id: "canfield", rules, strategy: &greedy }];
    let batch = Batch { entries, seed: 1, games: 0..GAMES, precision: None, workers, each_game: false };
    simulate(&batch, &AtomicBool::new(false), &mut ()).map(|mut it| it.tallies.remove(0))
}

/// The blocks of a shard, or of all, in a file of a folder.
fn made(rules: &Rules, folder: &Path, shard: Option<Shard>) -> PathBuf {
    let path = folder.join(file_name(shard));
    let making = shard.map_or(Making::All, Making::Shard);
    let checkpoint = Checkpoint::create(&path, &About { plan: plan(), shard }, making).unwrap();
    let ended = played(rules, Workers::keeping(2, &checkpoint));
    assert_eq!(ended.is_ok(), shard.is_none());
    path
}

/// A run may add to a file while it is looked at, also in the middle of a block.
#[test]
fn a_file_that_grows_is_not_taken_for_damaged() {
    let rules = rules::load("canfield").unwrap().rules;
    let dir = tempfile::tempdir().unwrap();
    let path = made(&rules, dir.path(), None);
    let whole = fs::read(&path).unwrap();
    let mut ends = Vec::new();
    scan_blocks(&path, |_, (at, length), _| ends.push(at as usize + length as usize)).unwrap();
    fs::write(&path, &whole[..ends[5] + 9]).unwrap();
    let mut found = 0;
    let scanned = scan_blocks(&path, |_, _, _| {
        found += 1;
        fs::write(&path, &whole[..ends[8] + 9]).unwrap();
    });
    assert_eq!(scanned.unwrap().end, FileEnd::Whole);
    assert!((6..=9).contains(&found), "{found}");
}

/// A loss of power at any byte of the last blocks costs those blocks and no other.
#[test]
fn a_torn_end_costs_the_last_blocks_alone() {
    let rules = rules::load("canfield").unwrap().rules;
    let dir = tempfile::tempdir().unwrap();
    let path = made(&rules, dir.path(), None);
    let truth = played(&rules, Workers::new(1)).unwrap();
    let whole = fs::read(&path).unwrap();
    let mut ends = Vec::new();
    scan_blocks(&path, |_, (at, length), _| ends.push(at as usize + length as usize)).unwrap();
    assert_eq!((ends.len(), ends.last()), (10, Some(&whole.len())));
    for cut in ends[6]..whole.len() {
        // Cut off, and filled with zeros as some disks do.
        for filled in [false, true] {
            let mut bytes = whole[..cut].to_vec();
            if filled {
                bytes.resize(whole.len(), 0);
            }
            fs::write(&path, &bytes).unwrap();
            let (checkpoint, scanned) = Checkpoint::resume(&path, &plan(), Making::All).unwrap();
            let sound = ends.iter().filter(|&&end| end <= cut).count();
            assert_eq!(checkpoint.kept(), sound as u64, "cut at {cut}");
            assert_eq!(scanned.sound as usize, ends[sound - 1]);
            if cut % 16 == 0 {
                assert_eq!(played(&rules, Workers::keeping(2, &checkpoint)).unwrap(), truth);
                drop(checkpoint);
                let mut blocks = 0;
                scan_blocks(&path, |_, _, _| blocks += 1).unwrap();
                assert_eq!(blocks, 10);
            }
        }
    }
}

/// Whatever bit of a block's frame is flipped, what comes after it is not taken for the end of a run that was killed.
#[test]
fn a_flipped_bit_amid_a_file_is_told() {
    let rules = rules::load("canfield").unwrap().rules;
    let dir = tempfile::tempdir().unwrap();
    let path = made(&rules, dir.path(), None);
    let whole = fs::read(&path).unwrap();
    let mut frames = Vec::new();
    scan_blocks(&path, |_, (at, _), _| frames.push(at - 24)).unwrap();
    for (number, &at) in frames.iter().enumerate() {
        let after = (frames.len() - 1 - number) as u64;
        // Its head, of which the length comes first, and some of what it holds.
        for bit in 0..30 * 8 {
            let mut bytes = whole.clone();
            bytes[at as usize + bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &bytes).unwrap();
            let mut sound = 0;
            let scanned = scan_blocks(&path, |_, _, _| sound += 1).unwrap();
            assert_eq!((sound, scanned.sound), (number, at));
            match after {
                // Nobody can tell it from a block that was not written to its end, unless it says to be shorter than it is.
                0 if bit >= 32 => {
                    assert_eq!(scanned.end, FileEnd::Torn(whole.len() as u64 - at), "bit {bit}")
                }
                0 => assert!(scanned.end != FileEnd::Whole, "bit {bit}"),
                _ => assert_eq!(scanned.end, FileEnd::Damaged { at, after }, "block {number}, bit {bit}"),
            }
        }
    }
    // Two that are damaged, with sound ones between them.
    let mut bytes = whole.clone();
    bytes[frames[2] as usize + 1] ^= 64;
    bytes[frames[5] as usize + 40] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let scanned = scan_blocks(&path, |_, _, _| ()).unwrap();
    assert_eq!(scanned.end, FileEnd::Damaged { at: frames[2], after: frames.len() as u64 - 4 });
}

/// Subsets of shards, some twice, some damaged: what is merged is the truth, or it is refused, or what is missing is named.
#[test]
fn nothing_counts_twice_or_is_lost() {
    let rules = rules::load("canfield").unwrap().rules;
    let dir = tempfile::tempdir().unwrap();
    let truth = played(&rules, Workers::new(1)).unwrap();
    let of = 4;
    let shards: Vec<(PathBuf, Vec<u8>)> = (1..=of)
        .map(|number| {
            let path = made(&rules, dir.path(), Shard::new(number, of));
            let bytes = fs::read(&path).unwrap();
            (path, bytes)
        })
        .collect();
    let tries: u64 = std::env::var("SARATOGA_MERGES").map_or(400, |it| it.parse().unwrap());
    let mut rng = StdRng::seed_from_u64(20);
    let mut seen = [0; 3];
    for number in 0..tries {
        let folder = dir.path().join(number.to_string());
        fs::create_dir(&folder).unwrap();
        let mut sources = Vec::new();
        let (mut times, mut damaged, mut cut) = (vec![0; of as usize], false, false);
        for (i, (path, bytes)) in shards.iter().enumerate() {
            for copy in 0..[1, 1, 1, 1, 1, 1, 1, 0, 1, 2][rng.random_range(0..10)] {
                let mut bytes = bytes.clone();
                match rng.random_range(0..16) {
                    0 => {
                        let at = rng.random_range(0..bytes.len());
                        bytes[at] ^= 1 << rng.random_range(0..8);
                        damaged = true;
                    }
                    1 => {
                        bytes.truncate(rng.random_range(0..bytes.len()));
                        cut = true;
                    }
                    _ => {}
                }
                let name = format!("{copy}-{}", path.file_name().unwrap().to_str().unwrap());
                fs::write(folder.join(&name), bytes).unwrap();
                sources.push(folder.join(name));
                times[i] += 1;
            }
        }
        let merged = absorb(&folder.join(WHOLE), &sources);
        match merged {
            Err(faults) => {
                assert!(!faults.faults.is_empty());
                assert!(!folder.join(WHOLE).exists(), "nothing is written of what is refused");
                assert!(times.iter().any(|&n| n > 1) || damaged || cut || sources.is_empty(), "{faults:?}");
                seen[0] += 1;
            }
            Ok(merged) => match played(&rules, Workers::keeping(1, &merged.checkpoint)) {
                Ok(tally) => {
                    assert_eq!(tally, truth);
                    seen[1] += 1;
                }
                Err(BatchError::Missing) => {
                    let missing: Vec<u64> =
                        merged.checkpoint.missing().into_iter().flat_map(|it| it.blocks).collect();
                    assert!(!missing.is_empty() && merged.checkpoint.kept() + missing.len() as u64 == 10);
                    assert!(times.contains(&0) || damaged || cut);
                    seen[2] += 1;
                }
                Err(error) => panic!("{error}"),
            },
        }
        fs::remove_dir_all(&folder).unwrap();
    }
    assert!(seen.iter().all(|&n| n > tries / 20), "{seen:?}");
}

/// A later merge adds what is new to what was merged.
#[test]
fn merges_add_up() {
    let rules = rules::load("canfield").unwrap().rules;
    let dir = tempfile::tempdir().unwrap();
    let truth = played(&rules, Workers::new(1)).unwrap();
    let target = dir.path().join(WHOLE);
    let paths: Vec<PathBuf> = (1..=3).map(|number| made(&rules, dir.path(), Shard::new(number, 3))).collect();
    for (i, path) in paths.iter().enumerate() {
        let merged = absorb(&target, std::slice::from_ref(path)).unwrap();
        let ended = played(&rules, Workers::keeping(1, &merged.checkpoint));
        assert_eq!(ended.is_ok(), i == 2, "{i}");
    }
    // Again, which adds nothing.
    let before = fs::read(&target).unwrap();
    let merged = absorb(&target, &paths).unwrap();
    assert_eq!(played(&rules, Workers::keeping(1, &merged.checkpoint)).unwrap(), truth);
    assert_eq!(fs::read(&target).unwrap(), before);
}
