//! Interrupted and distributed runs produce the same bytes as uninterrupted ones; obstacles are reported before
//! anything is played, and the suggested commands lead to the report.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use saratoga::lab::{Copies, WHOLE, scan_blocks};
use serde_json::Value;
use tempfile::tempdir;

use crate::cli::run::{self, Ran, command, files, good, limited, run};

/// Every command that keeps blocks, with a small size.
pub const LINES: [&str; 11] = [
    "simulate canfield bsd -s greedy -s patient -n 4500",
    "simulate canfield -n 3000 --csv --clairvoyant=6 --clairvoyant-nodes 20k",
    "compare -s patient -s greedy -n 20k --show 3",
    "sweep canfield --vary stock.draw=1..3 --precision 5pp --budget 40k",
    "price canfield -n 3000 --variant-games 1000",
    "bankroll canfield --patrons greedy:60%,patient:40% -n 3000 --decks 30 --bootstrap 100",
    "plan canfield --patrons greedy:60%,patient:40% --best greedy -n 3000 --decks 30 --nights 3 --bootstrap 100 \
     --clairvoyant 4 --nodes 5k",
    "tune canfield tunable --candidates 4 --generations 2 --deals 1000 -n 3000 --no-write",
    "bracket single-pass -s greedy -s patient -n 12 --nodes 20k",
    "contest racing-demon -s greedy -s greedy -s greedy -s greedy -n 40 --factors 0.5,2",
    "solve single-pass -s greedy -n 12 --nodes 20k",
];

/// A small run, of four blocks.
const LINE: &str = "simulate -n 4000";

/// Returns the files of a report, without the blocks beside it.
fn report(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let named = files(folder).into_iter().map(|(name, bytes)| (name.display().to_string(), bytes));
    named.filter(|(name, _)| !name.ends_with(".blocks") && !name.ends_with(".progress")).collect()
}

fn same(line: &str, a: &Path, b: &Path) {
    let (a, b) = (report(a), report(b));
    let named = |all: &[(String, Vec<u8>)]| all.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(named(&a), named(&b), "{line}");
    assert!(!a.is_empty(), "{line}: there is no report");
    // Only the time of a search depends on the machine.
    let timed =
        |name: &str| ["deals.csv", "summary.json", "index.html"].contains(&name) || name.contains("took");
    for ((name, a), (_, b)) in a.iter().zip(&b) {
        assert!(line.starts_with("solve") && timed(name) || a == b, "{line}: {name} differs");
    }
}

fn words<'a>(line: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&run::words(line)[..], more].concat()
}

/// Makes shards of a run in a folder.
fn shards(line: &str, which: &[&str], folder: &str, path: &Path) {
    for shard in which {
        let made = run(&words(line, &["--shard", shard, "--out", folder, "-q"]), path);
        assert_eq!((made.code, &*made.err), (Some(0), ""), "{line}");
    }
}

/// Checks that the input was rejected with all of these messages.
fn refused(ran: &Ran, said: &[&str]) {
    assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{}", ran.err);
    said.iter().for_each(|said| assert!(ran.err.contains(said), "{said}: {}", ran.err));
}

/// Returns the offset and size of each block in a file.
fn blocks(file: &Path) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    scan_blocks(file, &mut Copies::default(), |_, (at, length), _| all.push((at as usize, length as usize)))
        .unwrap();
    all
}

/// Changes a byte of a file.
fn flip(file: &Path, at: usize) {
    let mut bytes = fs::read(file).unwrap();
    bytes[at] ^= 1;
    fs::write(file, bytes).unwrap();
}

/// Fills the block at a byte, with right checksums.
fn forge(bytes: &mut [u8], (at, length): (usize, usize)) {
    bytes[at..at + length].fill(0xff);
    let sum = crc32fast::hash(&bytes[at..at + length]);
    bytes[at - 8..at - 4].copy_from_slice(&sum.to_le_bytes());
    let sum = crc32fast::hash(&bytes[at - 28..at - 4]);
    bytes[at - 4..at].copy_from_slice(&sum.to_le_bytes());
}

#[test]
fn shards_make_the_report_of_one_machine() {
    for line in LINES {
        let dir = tempdir().unwrap();
        let path = dir.path();
        good(&words(line, &["--out", "whole", "-q"]), path);
        let mut rounds = 0;
        loop {
            rounds += 1;
            assert!(rounds < 20, "{line} never ends");
            shards(line, &["1/3", "2/3", "3/3"], "parts", path);
            let merged = run(&["merge", "parts", "-q"], path);
            if merged.code == Some(0) {
                break;
            }
            assert_eq!(merged.code, Some(1), "{line}: {}", merged.err);
            assert!(
                merged.err.contains("missing") && merged.err.contains("/3 --out parts"),
                "{}",
                merged.err
            );
        }
        same(line, &path.join("whole"), &path.join("parts"));
        // There are few rounds: whatever does not depend on results is played in the first.
        let most = match line.split_once(' ').unwrap().0 {
            "sweep" | "tune" => 12,
            "compare" | "plan" | "solve" => 3,
            _ if line.contains("--clairvoyant") => 2,
            _ => 1,
        };
        assert!(rounds <= most, "{line}: {rounds} rounds");
    }
}

#[test]
fn a_run_that_was_cut_off_ends_with_the_same_bytes() {
    for line in LINES {
        let dir = tempdir().unwrap();
        let (out, whole) = (dir.path().join("out"), dir.path().join("whole"));
        good(&words(line, &["--out", "whole", "-q"]), dir.path());
        let bytes = fs::read(whole.join(WHOLE)).unwrap();
        fs::create_dir(&out).unwrap();
        fs::write(out.join(WHOLE), &bytes[..bytes.len() - 140]).unwrap();
        good(&words(line, &["--out", "out", "-q"]), dir.path());
        same(line, &whole, &out);
    }
}

#[cfg(unix)]
#[test]
fn a_killed_run_goes_on_where_it_was() {
    let dir = tempdir().unwrap();
    let line = "simulate canfield -s greedy -s patient -n 60k";
    good(&words(line, &["--out", "whole", "-q"]), dir.path());
    let args = words(line, &["--out", "out", "-q"]);
    let file = dir.path().join("out/run.blocks");
    let size = || file.metadata().map_or(0, |it| it.len());
    let mut kills = 0;
    loop {
        let before = size();
        let mut child =
            command(&args, dir.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while size() < before + 3000 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = child.kill();
        if child.wait().unwrap().code() == Some(0) {
            break;
        }
        kills += 1;
        assert!(kills < 50 && size() >= before, "it loses what it had");
    }
    assert!(kills > 0, "it was never killed");
    same(line, &dir.path().join("whole"), &dir.path().join("out"));
}

#[test]
fn another_run_is_refused() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    fs::write(path.join("mine.toml"), "extends = \"canfield\"\n").unwrap();
    let args = ["simulate", "mine.toml", "-n", "2000", "--out", "out"];
    good(&args, path);
    let again = run(&["simulate", "mine.toml", "--games=2k", "--threads", "1", "--out", "out"], path);
    assert_eq!((again.code, &*again.err), (Some(0), "resuming: 2 blocks kept; --restart starts again\n"));
    for (more, said) in [
        (&["--seed", "2"][..], "--seed: 1 saved, 2 requested"),
        (&["-s", "patient"], "--strategy: greedy saved, patient requested"),
        (&["--precision", "1pp"], "--precision: none saved, 1pp requested"),
    ] {
        let told = run(&[&args[..], more].concat(), path);
        refused(&told, &["another run is kept in out/run.blocks", said, "--restart", "--out out-2"]);
    }
    fs::write(path.join("mine.toml"), "extends = \"canfield\"\n[stock]\ndraw = 1\n").unwrap();
    refused(&run(&args, path), &["ruleset mine: one text saved, another requested"]);
    good(&[&args[..], &["--restart"]].concat(), path);
    let other = run(&["price", "canfield", "-n", "1000", "--out", "out"], path);
    refused(&other, &["command: simulate saved, price requested"]);
}

/// A shard that does not fit those beside it is rejected before it is played, or by a merge if they were in different
/// folders.
#[test]
fn shards_that_do_not_fit_are_refused() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    shards(LINE, &["1/2"], "a", path);
    shards(LINE, &["3/3"], "thirds", path);
    shards("simulate -n 4000 --seed 2", &["1/2"], "seed", path);
    let shard =
        |more: &[&str]| run(&[&words(LINE, &["-q", "--shard", "2/2", "--out"])[..], more].concat(), path);
    refused(
        &shard(&["seed"]),
        &["another run is kept in seed/shard-1-of-2.blocks", "--seed: 2 saved", "--out seed-2"],
    );
    refused(
        &shard(&["thirds"]),
        &["shard-3-of-3.blocks is one of 3 shards, and 2/2 is one of 2", "--out thirds-2"],
    );
    refused(&run(&["merge", "a", "thirds"], path), &["one of 3 shards", "one of 2"]);
    refused(&run(&["merge", "a", "seed"], path), &["of another run", "--seed: 1 saved, 2 requested"]);
    let gap = run(&["merge", "a", "-q"], path);
    assert_eq!((gap.code, &*gap.out), (Some(1), ""));
    assert!(gap.err.contains("2 blocks are missing"), "{}", gap.err);
    assert!(gap.err.contains("saratoga simulate --games=4000 --shard 2/2 --out a"), "{}", gap.err);
    // A merge does not write to the folder of another run.
    good(&["simulate", "-n", "2000", "--out", "other", "-q"], path);
    let told = run(&["merge", "a", "--out", "other", "-q"], path);
    refused(&told, &["is of another run than other/run.blocks", "for what is merged: --out other-2"]);
    // Restarting all shards of a folder allows other settings, even if some were merged.
    for shard in ["1/2", "2/2"] {
        good(&words(LINE, &["--seed", "3", "--shard", shard, "--out", "a", "--restart", "-q"]), path);
    }
    good(&["merge", "a", "-q"], path);
}

/// Damage to the second of two shards, and the message of a merge.
type Harm = (fn(&Path), &'static str);

const HARMS: [Harm; 4] = [
    (|file| fs::write(file, "notes of mine").unwrap(), "it is no file of blocks"),
    (|file| fs::write(file, &fs::read(file).unwrap()[..60]).unwrap(), "its beginning is damaged"),
    (|file| flip(file, blocks(file)[0].0 + 9), "it is damaged at byte"),
    (|file| fs::remove_file(file).unwrap(), "2 blocks are missing"),
];

#[test]
fn what_a_merge_says_of_a_bad_shard_mends_it() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    good(&words(LINE, &["--out", "whole", "-q"]), path);
    for (i, (harm, said)) in HARMS.into_iter().enumerate() {
        let out = format!("out{i}");
        shards(LINE, &["1/2", "2/2"], &out, path);
        harm(&path.join(&out).join("shard-2-of-2.blocks"));
        let told = run(&["merge", &out, "-q"], path);
        assert!(told.code != Some(0) && told.err.contains(said), "{said}: {}", told.err);
        let line = told.err.lines().find_map(|line| Some(line.split_once("saratoga ")?.1)).unwrap();
        assert!(line.contains("--shard 2/2"), "{line}");
        good(&words(line, &["-q"]), path);
        good(&["merge", &out, "-q"], path);
        same(LINE, &path.join(&out), &path.join("whole"));
    }
    // A shard under another name is not computed again in its place.
    shards(LINE, &["1/2"], "mine", path);
    fs::rename(path.join("mine/shard-1-of-2.blocks"), path.join("mine/mine.blocks")).unwrap();
    HARMS[2].0(&path.join("mine/mine.blocks"));
    refused(&run(&["merge", "mine", "-q"], path), &["move it away, and merge again"]);
}

/// Damage before the end is rejected with its position, and so is a block with a correct checksum that does not belong
/// to the run.
#[test]
fn damage_is_refused_with_its_place() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let args = words(LINE, &["--threads", "1", "--out", "out", "-q"]);
    good(&args, path);
    let file = path.join("out/run.blocks");
    let (sound, (at, length)) = (fs::read(&file).unwrap(), blocks(&file)[1]);
    flip(&file, at + 5);
    let place = format!("it is damaged at byte {}", at - 28);
    refused(&run(&args, path), &["out/run.blocks cannot be resumed", &place, "--restart", "--out out-2"]);
    let status: Value = serde_json::from_str(&good(&["status", "out", "--json"], path)).unwrap();
    assert_eq!(
        (status[0]["state"].as_str(), status[0]["fault"].as_str()),
        (Some("unreadable"), Some(&*place))
    );
    let mut bytes = sound.clone();
    forge(&mut bytes, (at, length));
    fs::write(&file, &bytes).unwrap();
    let foreign = format!("out/run.blocks: the block at byte {} is not of this run", at - 28);
    refused(&run(&args, path), &[&foreign]);
    refused(&run(&["merge", "out", "-q"], path), &[&foreign]);
    assert_eq!(fs::read(&file).unwrap(), bytes, "what is refused stays");
    good(&[&args[..], &["--restart"]].concat(), path);
}

/// A second copy of a block may be there, if it is the same.
#[test]
fn copies_of_a_block_that_differ_are_refused() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    shards(LINE, &["1/2", "2/2"], "out", path);
    let [one, two] = [1, 2].map(|i| path.join(format!("out/shard-{i}-of-2.blocks")));
    let (sound, (at, length)) = (fs::read(&two).unwrap(), blocks(&two)[0]);
    let copy = sound[at - 28..at + length].to_vec();
    let mut forged = copy.clone();
    forge(&mut forged, (28, length));
    // In one file.
    good(&words(LINE, &["--out", "whole", "-q"]), path);
    fs::write(&two, [&sound[..], &copy, &forged].concat()).unwrap();
    let place = format!("at byte {} differs from its copy at byte {}", sound.len() + copy.len(), sound.len());
    let args = words(LINE, &["--shard", "2/2", "--out", "out", "-q"]);
    refused(&run(&args, path), &["shard-2-of-2.blocks cannot be resumed", &place]);
    refused(&run(&["merge", "out", "-q"], path), &["shard-2-of-2.blocks", &place, "--shard 2/2 --restart"]);
    fs::write(&two, [&sound[..], &copy].concat()).unwrap();
    // In two files.
    let other = fs::read(&one).unwrap();
    fs::write(&one, [&other[..], &forged].concat()).unwrap();
    let place = format!("of stage 0 at byte {} differs", at - 28);
    let told = run(&["merge", "out", "-q"], path);
    refused(
        &told,
        &[
            "out/shard-2-of-2.blocks: block",
            &place,
            &format!("copy at byte {} of out/shard-1-of-2.blocks", other.len()),
        ],
    );
    assert!(!path.join("out").join(WHOLE).exists());
    fs::write(&one, &other).unwrap();
    good(&["merge", "out", "-q"], path);
    same(LINE, &path.join("whole"), &path.join("out"));
}

#[test]
fn a_merge_blames_the_shard_with_a_block_of_no_run() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    shards(LINE, &["1/2", "2/2"], "out", path);
    let file = path.join("out/shard-2-of-2.blocks");
    let (mut bytes, block) = (fs::read(&file).unwrap(), blocks(&file)[1]);
    forge(&mut bytes, block);
    fs::write(&file, &bytes).unwrap();
    let told = run(&["merge", "out", "-q"], path);
    let place = format!("out/shard-2-of-2.blocks: the block at byte {} is not of this run", block.0 - 28);
    refused(&told, &[&place]);
    // Its advice is enough: the copy that was merged is gone.
    let line = told.err.lines().find_map(|line| Some(line.split_once("saratoga ")?.1)).unwrap();
    good(&words(line, &["-q"]), path);
    good(&["merge", "out", "-q"], path);
}

#[test]
fn shards_that_were_renamed_are_told() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    shards(LINE, &["2/2"], "out", path);
    let [first, second] = ["out/shard-1-of-2.blocks", "out/shard-2-of-2.blocks"].map(|name| path.join(name));
    fs::rename(&second, &first).unwrap();
    let args = words(LINE, &["--shard", "1/2", "--out", "out", "-q"]);
    let said = "out/shard-1-of-2.blocks holds shard 2/2, and not shard 1/2";
    refused(&run(&args, path), &[said, "its name back, shard-2-of-2.blocks"]);
    fs::rename(&first, &second).unwrap();
    good(&args, path);
    good(&["merge", "out", "-q"], path);
}

/// A file counts once, however many paths it is given by, and a shard that was computed twice counts once.
#[test]
fn nothing_is_counted_twice() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    shards(LINE, &["1/2", "2/2"], "parts", path);
    shards(LINE, &["2/2"], "again", path);
    good(&words(LINE, &["--out", "whole", "-q"]), path);
    fs::copy(path.join("whole/run.blocks"), path.join("again/mine.blocks")).unwrap();
    good(&["merge", "parts", "parts/.", "again", "--out", "merged", "-q"], path);
    same(LINE, &path.join("merged"), &path.join("whole"));
    // A shard looks for its own blocks in merged files.
    let again = run(&words(LINE, &["--shard", "1/2", "--out", "merged"]), path);
    assert!(again.err.contains("shard 1/2 finished: 0 blocks made, 2 were there"), "{}", again.err);
}

/// A size limit on files acts like a full disk: the printed results are complete, a shard fails, and both can be
/// resumed.
#[cfg(unix)]
#[test]
fn a_disk_without_room_keeps_what_was_finished() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let line = "simulate canfield -n 150k";
    good(&words(line, &["--out", "whole", "-q"]), path);
    for (out, more) in [("out", &[][..]), ("part", &["--shard", "1/1"])] {
        let args = words(line, &[&["--out", out], more].concat());
        // Blocks of 512 bytes: there is room for some blocks, and for no page.
        let full = limited("trap '' 25; ulimit -f 20", &args, path);
        assert_eq!(full.code, Some(1), "{}", full.err);
        for said in ["cannot write ", "File too large", "saved", "the same command"] {
            assert!(full.err.contains(said), "{said}: {}", full.err);
        }
        assert!(full.out.contains("150,000") == more.is_empty(), "{}", full.out);
        let again = run(&args, path);
        assert_eq!(again.code, Some(0), "{}", again.err);
        assert!(again.err.contains("blocks kept; --restart starts again"), "{}", again.err);
    }
    same(line, &path.join("out"), &path.join("whole"));
}

#[test]
fn status_tells_how_far_shards_are() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    shards("simulate canfield -n 8000", &["1/4", "3/4"], "parts", path);
    // A run's note about itself may come from anybody.
    let note = "{\"stage\":0,\"done\":1,\"of\":18446744073709551615,\"open\":false,\"made\":18446744073709551615,\
                \"seconds\":1e-300,\"finished\":false}";
    fs::write(path.join("parts/shard-3-of-4.progress"), note).unwrap();
    let told = good(&["status", "parts"], path);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 3, "{told}");
    assert_eq!(lines[0], "saratoga simulate canfield --games=8000");
    assert!(lines[1].contains("shard-1-of-4") && lines[1].contains("finished"), "{told}");
    assert!(lines[1].contains("stage 1 of 1: 2 of 2 blocks (100%)"), "{told}");
    assert!(lines[2].contains("shard-3-of-4") && lines[2].contains("stopped"), "{told}");
    let json: Value = serde_json::from_str(&good(&["status", "parts", "--json"], path)).unwrap();
    assert_eq!((json[0]["shard"].as_str(), json[0]["blocks"].as_u64()), (Some("1/4"), Some(2)));
    let both = run(&["status", "parts", "none"], path);
    assert!(both.code == Some(2) && both.out.contains("parts/shard-1-of-4"), "{}", both.out);
    assert!(both.err.contains("cannot read none"), "{}", both.err);
    // A shard reports at its end how many stages there are.
    for (i, (line, stages)) in [
        ("simulate canfield draw-one -n 1000 --clairvoyant=2 --clairvoyant-nodes 1000", 3),
        ("compare canfield -s greedy -s reserve-first -n 2000", 1),
        ("price canfield -n 1000 --variant-games 100", 2),
        ("bankroll canfield --patrons greedy:50%,reserve-first:50% -n 1000 --bootstrap 100 --decks 9", 2),
        ("plan canfield --patrons greedy:100% --best reserve-first -n 1000 --bootstrap 100 --clairvoyant 2 --nodes 1000 --decks 9", 4),
        ("solve single-pass -n 2 --nodes 1000 -s greedy", 2),
        ("bracket single-pass -s greedy -n 20 --nodes 1000", 2),
        ("sweep --vary stock.redeals=0..1 -n 1000", 1),
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("run-{i}");
        shards(line, &["1/1"], &out, path);
        let told: Value = serde_json::from_str(&good(&["status", &out, "--json"], path)).unwrap();
        let stage = &told[0]["stage"];
        let at = stage["stage"].as_u64().map(|last| last + 1);
        assert_eq!((at, stage["stages"].as_u64()), (Some(stages), Some(stages)), "{line}: {stage}");
    }
}

/// The commands for missing parts have scripts, sizes and limits as given, and need the files of the run.
#[test]
fn commands_of_shards_are_those_of_the_run() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    // 32k differs between bytes and games.
    shards("solve single-pass -n 2e0 --nodes 1k --memory 32k", &["1/2"], "sizes", path);
    let early = run(&["merge", "sizes", "-q"], path);
    assert!(early.err.contains("--games=2 --nodes=1000 --memory=32k --shard 2/2"), "{}", early.err);
    // More than scripts are allowed by default while loading.
    let text = "const N = { let n = 0; while n < 800_000 { n += 1; } n }; fn score(view, m) { N }";
    fs::write(path.join("long.rhai"), text).unwrap();
    shards("simulate -s long.rhai -n 2000 --script-operations 50M", &["1/2"], "parts", path);
    let told = run(&["merge", "parts", "-q"], path);
    let command = "--games=2000 --script-operations=50000000 --shard 2/2 --out parts";
    assert!(told.err.contains(command), "{}", told.err);
    fs::create_dir(path.join("other")).unwrap();
    let elsewhere = run(&["merge", "../parts", "-q"], &path.join("other"));
    refused(&elsewhere, &["the run read long.rhai: call this in the folder"]);
    // The policy script of a searching strategy is part of the run, too.
    let policy = |rank: u32| {
        let text = format!("fn score(view, m) {{ if m.is_draw {{ {rank} }} else {{ 2 }} }}");
        fs::write(path.join("m.rhai"), text).unwrap();
    };
    let line = "simulate single-pass -n 4 -s search:worlds=2,judged=2,nodes=50,policy=./m.rhai";
    policy(1);
    shards(line, &["1/2"], "s", path);
    policy(0);
    let other = run(&words(line, &["--shard", "2/2", "--out", "s", "-q"]), path);
    refused(&other, &["policy=./m.rhai: one text saved, another requested"]);
}

/// The results of a search depend on the memory per thread, which the command contains, and not on the number of
/// threads.
#[test]
fn shards_of_searches_are_made_on_any_number_of_threads() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    // So little memory that answers depend on it.
    let line = "solve canfield -n 12 --nodes 50k --goal cards --memory 32KiB";
    good(&words(line, &["--threads", "1", "--out", "whole", "-q"]), path);
    for (shard, threads) in [("1/3", "1"), ("2/3", "2"), ("3/3", "3")] {
        good(&words(line, &["--shard", shard, "--threads", threads, "--out", "parts", "-q"]), path);
    }
    good(&["merge", "parts", "-q", "--threads", "2"], path);
    let answers = |folder: &str| {
        let text = fs::read_to_string(path.join(folder).join("deals.csv")).unwrap();
        let timeless = |line: &str| line.split(',').take(7).collect::<Vec<_>>().join(",");
        text.lines().map(timeless).collect::<Vec<_>>()
    };
    assert_eq!(answers("whole"), answers("parts"));
    let half = line.replace("32KiB", "16KiB");
    good(&words(&half, &["--threads", "2", "--out", "half", "-q"]), path);
    assert_ne!(answers("whole"), answers("half"));
}
