//! Interrupted and shared runs: the suggested commands lead to the report, and nothing counts twice or is lost.

use std::fs;
use std::path::Path;

use saratoga::lab::WHOLE;

use crate::cli::experiments::same;
use crate::common::blocks::{blocks, seal};
use crate::common::program::{Lab, has};

/// A small run, of four blocks.
const LINE: &str = "simulate -n 4000";
const SECOND: &str = "out/shard-2-of-2.blocks";

fn shards(lab: &Lab, line: &str, which: &[&str], folder: &str) {
    for shard in which {
        lab.good(&format!("{line} --shard {shard} --out {folder} -q"));
    }
}

/// Returns a folder with the whole run, and with both of its shards.
fn halves() -> Lab {
    let lab = Lab::new();
    lab.good(&format!("{LINE} --out whole -q"));
    shards(&lab, LINE, &["1/2", "2/2"], "out");
    lab
}

/// Merges what lies in a folder: it is the whole run.
fn merges(lab: &Lab, folder: &str) {
    lab.good(&format!("merge {folder} -q"));
    same(LINE, &lab.at("whole"), &lab.at(folder));
}

/// Calls the command that a message suggests.
fn follow(lab: &Lab, told: &str) {
    let line = told.lines().find_map(|line| Some(line.split_once("saratoga ")?.1)).unwrap();
    assert!(line.contains("--shard 2/2"), "{line}");
    lab.good(&format!("{line} -q"));
}

fn flip(file: &Path, at: usize) {
    let mut bytes = fs::read(file).unwrap();
    bytes[at] ^= 1;
    fs::write(file, bytes).unwrap();
}

/// Fills the block at a byte, with right checksums.
fn forge(bytes: &mut [u8], (at, length): (usize, usize)) {
    bytes[at..at + length].fill(0xff);
    seal(bytes, (at, length));
}

#[cfg(unix)]
#[test]
fn a_killed_run_goes_on_where_it_was() {
    let lab = Lab::new();
    let line = "simulate canfield -s greedy -s patient -n 60k";
    lab.good(&format!("{line} --out whole -q"));
    let mut child = lab.amid(&format!("{line} --out out -q --threads 1"), "out/run.blocks");
    child.kill().unwrap();
    child.wait().unwrap();
    has(&lab.run(&format!("{line} --out out")).err, "resuming: ");
    same(line, &lab.at("whole"), &lab.at("out"));
}

/// Damage to the second of two shards, and the message of a merge.
type Harm = (fn(&Path), &'static str);

const HARMS: [Harm; 5] = [
    (|file| fs::write(file, "notes of mine").unwrap(), "it is no file of blocks"),
    (|file| fs::write(file, &fs::read(file).unwrap()[..60]).unwrap(), "its beginning is damaged"),
    (|file| flip(file, blocks(file)[0].0 + 9), "it is damaged at byte"),
    (|file| fs::remove_file(file).unwrap(), "2 blocks are missing"),
    (
        |file| {
            let (mut bytes, block) = (fs::read(file).unwrap(), blocks(file)[1]);
            forge(&mut bytes, block);
            fs::write(file, bytes).unwrap();
        },
        "is not of this run",
    ),
];

#[test]
fn what_a_merge_says_of_a_bad_shard_mends_it() {
    let lab = halves();
    for (harm, said) in HARMS {
        harm(&lab.at(SECOND));
        let told = lab.run("merge out -q");
        assert!(told.code != Some(0) && told.err.contains(said), "{said}: {}", told.err);
        follow(&lab, &told.err);
        merges(&lab, "out");
        fs::remove_file(lab.at("out").join(WHOLE)).unwrap();
    }
    // A shard under another name is not computed again in its place.
    shards(&lab, LINE, &["1/2"], "mine");
    fs::rename(lab.at("mine/shard-1-of-2.blocks"), lab.at("mine/mine.blocks")).unwrap();
    flip(&lab.at("mine/mine.blocks"), blocks(&lab.at("mine/mine.blocks"))[0].0 + 9);
    lab.refused("merge mine -q", "move it away, and merge again");
}

/// A second copy of a block may be there, if it is the same; a file counts once, however many paths it is given by.
#[test]
fn nothing_is_counted_twice() {
    let lab = halves();
    lab.write("again/mine.blocks", lab.bytes("whole/run.blocks"));
    lab.good("merge out out/. again --out merged -q");
    same(LINE, &lab.at("merged"), &lab.at("whole"));
    // A shard looks for its own blocks in merged files.
    let again = lab.run(&format!("{LINE} --shard 1/2 --out merged"));
    has(&again.err, "shard 1/2 finished: 0 blocks made, 2 were there");
    // Copies that differ, in one file and in two.
    let (one, two) = (lab.bytes("out/shard-1-of-2.blocks"), lab.bytes(SECOND));
    let (at, length) = blocks(&lab.at(SECOND))[0];
    let copy = two[at - 28..at + length].to_vec();
    let mut forged = copy.clone();
    forge(&mut forged, (28, length));
    lab.write(SECOND, [&two[..], &copy, &forged].concat());
    let place = format!("at byte {} differs from its copy at byte {}", two.len() + copy.len(), two.len());
    lab.refused(
        &format!("{LINE} --shard 2/2 --out out -q"),
        &format!("shard-2-of-2.blocks cannot be resumed|{place}"),
    );
    lab.refused("merge out -q", &format!("shard-2-of-2.blocks|{place}|--shard 2/2 --restart"));
    lab.write(SECOND, [&two[..], &copy].concat());
    lab.write("out/shard-1-of-2.blocks", [&one[..], &forged].concat());
    let other = format!("copy at byte {} of out/shard-1-of-2.blocks", one.len());
    lab.refused(
        "merge out -q",
        &format!("out/shard-2-of-2.blocks: block|at byte {} differs|{other}", at - 28),
    );
    assert!(!lab.at("out").join(WHOLE).exists());
    lab.write("out/shard-1-of-2.blocks", &one);
    merges(&lab, "out");
}
