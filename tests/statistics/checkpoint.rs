//! Blocks on the disk: whatever is cut off, left out, given twice or damaged, nothing counts twice and nothing is lost
//! silently.

use std::fs;
use std::path::{Path, PathBuf};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use saratoga::lab::{
    About, Batch, BatchError, Checkpoint, Copies, Making, Shard, WHOLE, Workers, file_name, scan_blocks,
    simulate,
};
use saratoga::stats::Tally;

use crate::common::blocks::{blocks, plan};
use crate::common::play::{Sides, batch};

/// Plays ten blocks of games.
fn played(workers: Workers<'_>) -> Result<Tally, BatchError> {
    Sides::new(&[("canfield", "greedy")]).entries(|entries| {
        let batch = Batch { workers, ..batch(entries, 1, 0..9_500, 1) };
        simulate(&batch, &mut ()).map(|mut it| it.tallies.remove(0))
    })
}

/// Plays the blocks of a shard, or of all, into a file of a folder.
fn made(folder: &Path, shard: Option<Shard>) -> PathBuf {
    let path = folder.join(file_name(shard));
    let making = shard.map_or(Making::All, Making::Shard);
    let checkpoint = Checkpoint::create(&path, &About { plan: plan(), shard }, making).unwrap();
    assert_eq!(played(Workers::new(2).keeping(&checkpoint)).is_ok(), shard.is_none());
    path
}

/// A power failure at any byte of the last blocks loses those blocks and no others.
#[test]
fn a_torn_end_costs_the_last_blocks_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = made(dir.path(), None);
    let truth = played(Workers::new(1)).unwrap();
    let whole = fs::read(&path).unwrap();
    let ends: Vec<usize> = blocks(&path).into_iter().map(|(at, length)| at + length).collect();
    assert_eq!((ends.len(), ends.last()), (10, Some(&whole.len())));
    for cut in ends[6]..whole.len() {
        // Cut off, or filled with zeros as some disks do.
        for filled in [false, true] {
            let mut bytes = whole[..cut].to_vec();
            bytes.resize(if filled { whole.len() } else { cut }, 0);
            fs::write(&path, &bytes).unwrap();
            let checkpoint = Checkpoint::resume(&path, &plan(), Making::All).unwrap();
            let sound = ends.iter().filter(|&&end| end <= cut).count();
            assert_eq!(checkpoint.kept(), sound as u64, "cut at {cut}");
            if cut % 32 == 0 {
                assert_eq!(played(Workers::new(2).keeping(&checkpoint)).unwrap(), truth);
                drop(checkpoint);
                assert_eq!(blocks(&path).len(), 10);
            }
        }
    }
    // A run may append to a file while it is read, even in the middle of a block.
    fs::write(&path, &whole[..ends[5] + 9]).unwrap();
    let mut found = 0;
    let scanned = scan_blocks(&path, &mut Copies::default(), |_, _, _| {
        found += 1;
        fs::write(&path, &whole[..ends[8] + 9]).unwrap();
    });
    assert!(scanned.is_ok() && (6..=9).contains(&found), "{found}");
}

/// A flipped bit in a frame is reported with its position; in the last frame it may be taken for the end of a killed
/// run.
#[test]
fn a_flipped_bit_is_told_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let path = made(dir.path(), None);
    let whole = fs::read(&path).unwrap();
    let frames: Vec<usize> = blocks(&path).into_iter().map(|(at, _)| at - 28).collect();
    for (number, &at) in frames.iter().enumerate() {
        // Its header, and some of its contents.
        for bit in 0..34 * 8 {
            let mut bytes = whole.clone();
            bytes[at + bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &bytes).unwrap();
            let mut sound = 0;
            let scanned = scan_blocks(&path, &mut Copies::default(), |_, _, _| sound += 1);
            assert_eq!(sound, number);
            if number + 1 == frames.len() && bit >= 28 * 8 {
                assert_eq!(scanned.unwrap().1, at as u64);
            } else {
                assert_eq!(scanned.unwrap_err().to_string(), format!("it is damaged at byte {at}"));
            }
        }
    }
    // Many zeros at the end do not come from a power failure, and are not read into memory.
    let long = fs::OpenOptions::new().write(true).open(&path).unwrap();
    fs::write(&path, &whole).unwrap();
    long.set_len(whole.len() as u64 + (64 << 20)).unwrap();
    assert_eq!(scan_blocks(&path, &mut Copies::default(), |_, _, _| ()).unwrap().1, whole.len() as u64);
    long.set_len(whole.len() as u64 + (5 << 30)).unwrap();
    let told = scan_blocks(&path, &mut Copies::default(), |_, _, _| ()).unwrap_err();
    assert_eq!(told.to_string(), format!("it is damaged at byte {}", whole.len()));
}

/// Subsets of shards, some twice, some cut off: the merged result is correct, or what is missing is named.
#[test]
fn nothing_counts_twice_or_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let truth = played(Workers::new(1)).unwrap();
    let shards: Vec<(PathBuf, Vec<u8>)> = (1..=4)
        .map(|number| made(dir.path(), Shard::new(number, 4)))
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    let tries: u64 = std::env::var("SARATOGA_MERGES").map_or(100, |it| it.parse().unwrap());
    let mut rng = ChaCha8Rng::seed_from_u64(20);
    let mut seen = [0; 2];
    for number in 0..tries {
        let folder = dir.path().join(number.to_string());
        fs::create_dir(&folder).unwrap();
        let target = folder.join(WHOLE);
        let about = About { plan: plan(), shard: None };
        let mut merged = Checkpoint::create(&target, &about, Making::None).unwrap();
        let mut whole = true;
        for (path, bytes) in &shards {
            let copies = [1, 1, 1, 1, 1, 1, 1, 0, 1, 2][rng.random_range(0..10)];
            let mut sound = 0;
            for _ in 0..copies {
                let cut = rng.random_range(0..16) == 0;
                let length = if cut { rng.random_range(400..bytes.len()) } else { bytes.len() };
                let name = folder.join(path.file_name().unwrap());
                fs::write(&name, &bytes[..length]).unwrap();
                sound += usize::from(!cut);
                merged.absorb(&name).unwrap();
            }
            whole &= sound > 0;
        }
        drop(merged);
        let merged = Checkpoint::resume(&target, &plan(), Making::None).unwrap();
        match played(Workers::new(1).keeping(&merged)) {
            Ok(tally) => {
                assert_eq!(tally, truth);
                seen[0] += 1;
            }
            Err(BatchError::Missing) => {
                let missing = merged.missing().len() as u64;
                assert!(missing > 0 && merged.kept() + missing == 10 && !whole);
                seen[1] += 1;
            }
            Err(error) => panic!("{error}"),
        }
        fs::remove_dir_all(&folder).unwrap();
    }
    assert!(seen.iter().all(|&n| n > tries / 20), "{seen:?}");
}
