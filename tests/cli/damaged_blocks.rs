//! Kept blocks that are damaged, or of another program: what they cost is told, and nothing of it is a wrong figure.

use std::fs;
use std::path::Path;

use saratoga::lab::scan_blocks;
use serde_json::Value;
use tempfile::tempdir;

use crate::run::{good, limited, run};

/// Bytes of a frame before what it holds.
const HEAD: usize = 24;
const LINE: &str = "simulate canfield -n 9000";

fn words<'a>(line: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    line.split_whitespace().chain(more.iter().copied()).collect()
}

/// Where the frames of blocks begin in a file, and how many bytes they hold.
fn frames(file: &Path) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    scan_blocks(file, |_, (at, length), _| all.push((at as usize - HEAD, length as usize))).unwrap();
    all
}

/// Makes the block at a place none of the run, with a checksum of what it then holds.
fn forge(file: &Path, place: usize) {
    let (at, length) = frames(file)[place];
    let mut bytes = fs::read(file).unwrap();
    bytes[at + HEAD..at + HEAD + length].fill(0xff);
    let sum = crc32fast::hash(&bytes[at + 8..at + HEAD + length]);
    bytes[at + 4..at + 8].copy_from_slice(&sum.to_le_bytes());
    fs::write(file, bytes).unwrap();
}

/// Flips a bit of the length of the block at a place, which then reaches beyond the file. Gives its first byte.
fn flip(file: &Path, place: usize) -> usize {
    let at = frames(file)[place].0;
    let mut bytes = fs::read(file).unwrap();
    bytes[at + 2] ^= 1;
    fs::write(file, bytes).unwrap();
    at
}

fn shards(folder: &str, path: &Path) {
    for shard in ["1/3", "2/3", "3/3"] {
        // One thread makes the blocks in their order.
        good(&words(LINE, &["--shard", shard, "--out", folder, "-q", "--threads", "1"]), path);
    }
}

fn same(a: &Path, b: &Path) {
    for name in ["index.html", "summary.json"] {
        assert!(fs::read(a.join(name)).unwrap() == fs::read(b.join(name)).unwrap(), "{name}");
    }
}

#[test]
fn kept_blocks_that_cannot_be_used_are_counted_and_made_again() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    good(&words(LINE, &["--out", "whole", "-q"]), path);
    shards("parts", path);
    // The second of shard 2 of 3, which is block 4.
    let file = path.join("parts/shard-2-of-3.blocks");
    forge(&file, 1);
    let early = run(&["merge", "parts", "-q"], path);
    assert_eq!(early.code, Some(1), "{}", early.err);
    let told = "1 block is missing (1 kept, but damaged or of another program); these commands make it";
    assert!(early.err.contains(told) && early.err.contains("--shard 2/3"), "{}", early.err);
    // The command makes it, and says so.
    let again = run(&words(LINE, &["--shard", "2/3", "--out", "parts", "-q"]), path);
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(again.err.contains("1 kept block in parts cannot be read or is none of this run: made again"));
    // The merge before it has the other still.
    for more in [&[][..], &["--out", "fresh"]] {
        let refused = run(&[&["merge", "parts", "-q"], more].concat(), path);
        assert_eq!(refused.code, Some(2), "{}", refused.err);
        let told = "parts/shard-2-of-3.blocks contradicts parts/run.blocks in 1 block\n";
        assert!(refused.err.contains(told), "{}", refused.err);
        assert!(refused.err.contains("remove parts/run.blocks"), "{}", refused.err);
    }
    fs::remove_file(path.join("parts/run.blocks")).unwrap();
    // Also where a later merge finds both in the shard's file.
    for _ in 0..2 {
        good(&["merge", "parts", "-q"], path);
        same(&path.join("parts"), &path.join("whole"));
    }
}

#[test]
fn a_run_makes_blocks_again_that_cannot_be_used() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    good(&words(LINE, &["--out", "whole", "-q"]), path);
    fs::create_dir(path.join("out")).unwrap();
    let file = path.join("out/run.blocks");
    fs::copy(path.join("whole/run.blocks"), &file).unwrap();
    forge(&file, 2);
    forge(&file, 7);
    let again = run(&words(LINE, &["--out", "out", "-q"]), path);
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(again.err.contains("2 kept blocks in out cannot be read or are none of this run: made again"));
    same(&path.join("out"), &path.join("whole"));
    assert_eq!(run(&words(LINE, &["--out", "out", "-q"]), path).err, "");
}

#[test]
fn damage_amid_a_file_is_told() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    good(&words(LINE, &["--out", "whole", "-q"]), path);
    fs::create_dir(path.join("out")).unwrap();
    let file = path.join("out/run.blocks");
    fs::copy(path.join("whole/run.blocks"), &file).unwrap();
    let count = frames(&file).len();
    let at = flip(&file, 3);
    let told = format!("damaged at byte {at}, with {} sound blocks after it", count - 4);
    let status = good(&["status", "out"], path);
    assert!(status.contains(&told), "{status}");
    let status: Value = serde_json::from_str(&good(&["status", "out", "--json"], path)).unwrap();
    assert_eq!((status[0]["state"].as_str(), status[0]["fault"].as_str()), (Some("damaged"), Some(&*told)));
    let again = run(&words(LINE, &["--out", "out", "-q"]), path);
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(again.err.contains(&format!("{told}: all from there on is made again")), "{}", again.err);
    same(&path.join("out"), &path.join("whole"));
    // A block that was not written to its end is what a run leaves that is killed.
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 10]).unwrap();
    assert_eq!(run(&words(LINE, &["--out", "out", "-q"]), path).err, "");
}

#[test]
fn merges_say_what_damage_costs() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    good(&words(LINE, &["--out", "whole", "-q"]), path);
    shards("parts", path);
    let at = flip(&path.join("parts/shard-2-of-3.blocks"), 0);
    let told = format!("parts/shard-2-of-3.blocks is damaged at byte {at}, with 2 sound blocks after it");
    let refused = run(&["merge", "parts", "-q"], path);
    assert_eq!((refused.code, &*refused.out), (Some(2), ""), "{}", refused.err);
    assert!(refused.err.contains(&format!("{told}: all from there on is lost")), "{}", refused.err);
    // The same command makes it again, with --restart or without.
    let again = run(&words(LINE, &["--shard", "2/3", "--out", "parts", "-q"]), path);
    assert!(again.err.contains("all from there on is made again"), "{}", again.err);
    good(&["merge", "parts", "-q"], path);
    same(&path.join("parts"), &path.join("whole"));
    // What was merged is made again from the shards.
    flip(&path.join("parts/run.blocks"), 2);
    let refused = run(&["merge", "parts", "-q"], path);
    assert!(
        refused.err.contains("parts/run.blocks is damaged")
            && refused.err.contains("move it away, and merge again")
    );
    // And a shard that looks there for what others made says that it does not find all.
    let shard = run(&words(LINE, &["--shard", "2/3", "--out", "parts", "-q"]), path);
    assert!(shard.err.contains("warning: parts/run.blocks is damaged"), "{}", shard.err);
    fs::remove_file(path.join("parts/run.blocks")).unwrap();
    good(&["merge", "parts", "-q"], path);
    same(&path.join("parts"), &path.join("whole"));
}

/// A file that may not grow any more is like a full disk: what was finished before stays, and no figure is lost with it.
#[cfg(unix)]
#[test]
fn a_disk_without_room_keeps_what_was_finished() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let line = "simulate canfield -n 150k";
    good(&words(line, &["--out", "whole", "-q"]), path);
    let all = frames(&path.join("whole/run.blocks")).len() as u64;
    for (limit, code) in [("ulimit -f 20", 1), ("trap '' 25; ulimit -f 20", 1)] {
        for more in [&[][..], &["--json"]] {
            let _ = fs::remove_dir_all(path.join("out"));
            let args = words(line, &[&["--out", "out", "-q"], more].concat());
            // Blocks of 512 bytes: some of the blocks have room, and no page has.
            let full = limited(limit, &args, path);
            assert_eq!(full.code, Some(code), "{limit} {more:?}: {}", full.err);
            assert!(
                full.err.contains("warning: cannot write out/run.blocks: File too large"),
                "{}",
                full.err
            );
            assert!(full.out.contains("150,000") || full.out.contains("150000"), "{}", full.out);
            assert!(!path.join("out/index.html").exists());
            let kept = frames(&path.join("out/run.blocks")).len() as u64;
            assert!(kept > 10 && kept < all, "{kept} of {all}");
            let again = run(&words(line, &["--out", "out"]), path);
            assert_eq!(again.code, Some(0), "{}", again.err);
            assert!(again.err.contains(&format!("resuming: {kept} blocks kept")), "{}", again.err);
            same(&path.join("out"), &path.join("whole"));
        }
    }
}

/// Somebody may make room long before the end.
#[cfg(unix)]
#[test]
fn what_cannot_be_written_is_told_at_once() {
    use std::io::{BufRead, BufReader};
    let dir = tempdir().unwrap();
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -f 8; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_saratoga")]);
    shell.args(words("simulate canfield -n 1e9", &["--out", "out", "-q"])).current_dir(dir.path());
    let mut child =
        shell.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let runs = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(runs && line.starts_with("warning: cannot write out/run.blocks"), "{line}");
}
