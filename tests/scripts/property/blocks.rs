//! Arbitrary bytes as the block file of a run.

use std::fs;
use std::sync::LazyLock;

use saratoga::lab::{About, Batch, BatchError, Checkpoint, Making, Matchup, WHOLE, Workers, simulate};
use saratoga::rules::{self, Rules};
use saratoga::stats::{Tally, summarize};

use super::{CHOICES, Choices};
use crate::common::blocks::{blocks, plan, seal};
use crate::common::play::{batch, greedy};

static CANFIELD: LazyLock<Rules> = LazyLock::new(|| rules::load("canfield").expect("it is there").rules);

const GAMES: u64 = 2_500;

/// Plays all games; returns `None` if a stored block does not belong to the run.
fn play(workers: Workers<'_>) -> Option<Tally> {
    let entries = vec![Matchup { id: "canfield", rules: &CANFIELD, strategy: &greedy }];
    let batch = Batch { workers, ..batch(entries, 1, 0..GAMES, 1) };
    match simulate(&batch, &mut ()) {
        Ok(mut finished) => finished.tallies.pop(),
        Err(BatchError::Missing) => None,
        Err(error) => panic!("this strategy has no faults: {error}"),
    }
}

/// The file of a complete run, the places of its blocks, and its counts.
type Sound = (Vec<u8>, Vec<(usize, usize)>, Tally);

static SOUND: LazyLock<Sound> = LazyLock::new(|| {
    let dir = tempfile::tempdir().expect("there is room");
    let path = dir.path().join(WHOLE);
    let about = About { plan: plan(), shard: None };
    let checkpoint = Checkpoint::create(&path, &about, Making::All).expect("there is room");
    let tally = play(Workers::new(1).keeping(&checkpoint)).expect("nothing was kept");
    checkpoint.sync();
    (fs::read(&path).expect("it was written"), blocks(&path), tally)
});

/// Arbitrary bytes as the blocks of a run are rejected or resumed, to the same result unless a checksum was forged.
pub fn block_files(bytes: &[u8]) {
    let (file, forged) = match bytes {
        [CHOICES, choices @ ..] => mutated(&mut Choices::new(choices)),
        _ => (bytes.to_vec(), false),
    };
    let dir = tempfile::tempdir().expect("there is room");
    let path = dir.path().join(WHOLE);
    fs::write(&path, &file).expect("there is room");
    let Ok(checkpoint) = Checkpoint::resume(&path, &plan(), Making::All) else {
        assert_eq!(fs::read(&path).expect("it is there"), file, "what is refused is left as it was");
        return;
    };
    let Some(tally) = play(Workers::new(2).keeping(&checkpoint)) else {
        assert!(forged && checkpoint.foreign().is_some(), "only a block of another program is refused later");
        return;
    };
    assert_eq!(tally.games(), GAMES);
    assert!(forged || tally == SOUND.2, "a block that a checksum holds is the truth");
    summarize(&tally, CANFIELD.spec(), vec![]);
    drop(checkpoint);
    // Blocks computed since are stored, so nothing is left to compute.
    let again = Checkpoint::resume(&path, &plan(), Making::None).expect("it is a file of blocks");
    assert_eq!(play(Workers::new(1).keeping(&again)), Some(tally));
}

/// A valid file with some bytes changed or cut off, or with a forged block with a valid checksum.
fn mutated(choices: &mut Choices<'_>) -> (Vec<u8>, bool) {
    let mut file = SOUND.0.clone();
    let mut forged = false;
    for _ in 0..1 + choices.below(3) {
        let at = choices.below(file.len().max(1));
        match choices.below(6) {
            0 => file.truncate(at),
            1 => file.extend(choices.number().to_le_bytes()),
            2 => file.extend(vec![0; at]),
            3 => forged |= forge(&mut file, choices),
            4 => drop(file.splice(at..at, [0])),
            _ => {
                if let Some(byte) = file.get_mut(at) {
                    *byte ^= 1 << choices.below(8);
                }
            }
        }
    }
    (file, forged)
}

/// Changes a block, whose checksums are then right.
fn forge(file: &mut [u8], choices: &mut Choices<'_>) -> bool {
    let (at, length) = choices.pick(&SOUND.1);
    let is_there = at + length <= file.len();
    if is_there {
        for _ in 0..1 + choices.below(8) {
            file[at + choices.below(length)] = choices.below(256) as u8;
        }
        seal(file, (at, length));
    }
    is_there
}
