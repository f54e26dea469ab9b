//! Interrupted and shared runs: obstacles are reported with their place before anything is played, the suggested commands lead
//! to the report, and nothing counts twice or is lost.

use std::fs;
use std::path::Path;

use saratoga::lab::{Copies, WHOLE, scan_blocks};

use crate::cli::experiments::same;
use crate::common::program::{Lab, has, run_in};

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

fn blocks(file: &Path) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    let mut copies = Copies::default();
    scan_blocks(file, &mut copies, |_, (at, length), _| all.push((at as usize, length as usize))).unwrap();
    all
}

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

#[cfg(unix)]
#[test]
fn a_killed_run_goes_on_where_it_was() {
    let lab = Lab::new();
    let line = "simulate canfield -s greedy -s patient -n 60k";
    lab.good(&format!("{line} --out whole -q"));
    let size = || lab.at("out/run.blocks").metadata().map_or(0, |it| it.len());
    let mut kills = 0;
    loop {
        let before = size();
        let mut child = lab.start(&format!("{line} --out out -q"));
        while size() < before + 3000 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let _ = child.kill();
        if child.wait().unwrap().code() == Some(0) {
            break;
        }
        kills += 1;
        assert!(kills < 50 && size() >= before, "it loses what it had");
    }
    assert!(kills > 0, "it was never killed");
    same(line, &lab.at("whole"), &lab.at("out"));
}

#[test]
fn another_run_is_refused() {
    let lab = Lab::with(&[("mine.toml", "extends = \"canfield\"\n")]);
    let line = "simulate mine.toml -n 2000 --out out";
    lab.good(line);
    let again = lab.run("simulate mine.toml --games=2k --threads 1 --out out");
    assert_eq!((again.code, &*again.err), (Some(0), "resuming: 2 blocks kept; --restart starts again\n"));
    for (more, said) in [
        ("--seed 2", "--seed: 1 saved, 2 requested"),
        ("-s patient", "--strategy: greedy saved, patient requested"),
        ("--precision 1pp", "--precision: none saved, 1pp requested"),
    ] {
        lab.refused(
            &format!("{line} {more}"),
            &format!("is kept in out/run.blocks|{said}|--restart|--out out-2"),
        );
    }
    lab.write("mine.toml", "extends = \"canfield\"\n[stock]\ndraw = 1\n");
    lab.refused(line, "ruleset mine: one text saved, another requested");
    lab.good(&format!("{line} --restart"));
    lab.refused("price canfield -n 1000 --out out", "command: simulate saved, price requested");
    // The policy script of a searching strategy is part of the run, too.
    let policy = |rank| format!("fn score(view, m) {{ if m.is_draw {{ {rank} }} else {{ 2 }} }}");
    let line = "simulate single-pass -n 4 -s search:worlds=2,judged=2,nodes=50,policy=./m.rhai";
    lab.write("m.rhai", policy(1));
    shards(&lab, line, &["1/2"], "s");
    lab.write("m.rhai", policy(0));
    lab.refused(
        &format!("{line} --shard 2/2 --out s -q"),
        "policy=./m.rhai: one text saved, another requested",
    );
}

/// A shard that does not fit those beside it is rejected before it is played, or by a merge if they were in different
/// folders.
#[test]
fn shards_that_do_not_fit_are_refused() {
    let lab = halves();
    shards(&lab, LINE, &["1/2"], "a");
    shards(&lab, LINE, &["3/3"], "thirds");
    shards(&lab, "simulate -n 4000 --seed 2", &["1/2"], "seed");
    let second = format!("{LINE} -q --shard 2/2 --out");
    lab.refused(&format!("{second} seed"), "seed/shard-1-of-2.blocks|--seed: 2 saved|--out seed-2");
    lab.refused(&format!("{second} thirds"), "shard-3-of-3.blocks is one of 3 shards|--out thirds-2");
    lab.refused("merge a thirds", "one of 3 shards|one of 2");
    lab.refused("merge a seed", "of another run|--seed: 1 saved, 2 requested");
    // A gap is refused with the command that fills it, also from another folder.
    let gap = lab.run("merge a -q");
    assert_eq!((gap.code, &*gap.out), (Some(1), ""));
    has(&gap.err, "2 blocks are missing|saratoga simulate --games=4000 --shard 2/2 --out a");
    lab.good("simulate -n 2000 --out other -q");
    lab.refused("merge a --out other -q", "is of another run than other/run.blocks|--out other-2");
    // A shard under another's name.
    fs::copy(lab.at(SECOND), lab.at("a/shard-2-of-2.blocks")).unwrap();
    fs::rename(lab.at("a/shard-2-of-2.blocks"), lab.at("a/shard-1-of-2.blocks")).unwrap();
    let said = "a/shard-1-of-2.blocks holds shard 2/2|its name back, shard-2-of-2.blocks";
    lab.refused(&format!("{LINE} --shard 1/2 --out a -q"), said);
    // Restarting all shards of a folder allows other settings, even if some were merged.
    for shard in ["1/2", "2/2"] {
        lab.good(&format!("{LINE} --seed 3 --shard {shard} --out out --restart -q"));
    }
    lab.good("merge out -q");
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

/// A size limit on files acts like a full disk: the printed results are complete, a shard fails, and both can be
/// resumed.
#[cfg(unix)]
#[test]
fn a_disk_without_room_keeps_what_was_finished() {
    let lab = Lab::new();
    let line = "simulate canfield -n 150k";
    lab.good(&format!("{line} --out whole -q"));
    for out in ["out", "part --shard 1/1"] {
        // Blocks of 512 bytes: there is room for some blocks, and for no page.
        let full = lab.limited("trap '' 25; ulimit -f 20", &format!("{line} --out {out}"));
        assert_eq!(full.code, Some(1), "{}", full.err);
        has(&full.err, "cannot write |File too large|saved|the same command");
        assert!(full.out.contains("150,000") == (out == "out"), "{}", full.out);
        let again = lab.run(&format!("{line} --out {out}"));
        assert_eq!(again.code, Some(0), "{}", again.err);
        has(&again.err, "blocks kept; --restart starts again");
    }
    same(line, &lab.at("out"), &lab.at("whole"));
}

#[test]
fn status_tells_how_far_shards_are() {
    let lab = Lab::new();
    shards(&lab, "simulate canfield -n 8000", &["1/4", "3/4"], "parts");
    // A run's note about itself may come from anybody.
    let note = "{\"stage\":0,\"done\":1,\"of\":18446744073709551615,\"open\":false,\"made\":18446744073709551615,\
                \"seconds\":1e-300,\"finished\":false}";
    lab.write("parts/shard-3-of-4.progress", note);
    let told = lab.good("status parts");
    let rows: Vec<&str> = told.lines().collect();
    assert_eq!((rows.len(), rows[0]), (3, "saratoga simulate canfield --games=8000"), "{told}");
    has(rows[1], "shard-1-of-4|finished|stage 1 of 1: 2 of 2 blocks (100%)");
    has(rows[2], "shard-3-of-4|stopped");
    let json = lab.json("status parts");
    assert_eq!((&json[0]["shard"], &json[0]["blocks"]), (&"1/4".into(), &2.into()));
    let both = lab.run("status parts none");
    assert!(both.code == Some(2) && both.out.contains("parts/shard-1-of-4"), "{}", both.out);
    has(&both.err, "cannot read none");
    // Damage has its place.
    flip(&lab.at("parts/shard-1-of-4.blocks"), blocks(&lab.at("parts/shard-1-of-4.blocks"))[0].0 + 5);
    let json = lab.json("status parts");
    assert_eq!(json[0]["state"], "unreadable");
    has(json[0]["fault"].as_str().unwrap(), "it is damaged at byte ");
    lab.refused(
        "simulate canfield -n 8000 --shard 1/4 --out parts -q",
        "cannot be resumed|at byte|--restart",
    );
}

/// The commands for missing parts have scripts, sizes and limits as given, and need the files of the run.
#[test]
fn commands_of_shards_are_those_of_the_run() {
    // More than scripts are allowed by default while loading.
    let text = "const N = { let n = 0; while n < 800_000 { n += 1; } n }; fn score(view, m) { N }";
    let lab = Lab::with(&[("long.rhai", text), ("other/here", "")]);
    for (line, folder, said) in [
        // 32k differs between bytes and games.
        ("solve single-pass -n 2e0 --nodes 1k --memory 32k", "sizes", "--games=2 --nodes=1000 --memory=32k"),
        ("simulate -s long.rhai -n 2000 --script-operations 50M", "parts", "--script-operations=50000000"),
    ] {
        shards(&lab, line, &["1/2"], folder);
        has(&lab.run(&format!("merge {folder} -q")).err, &format!("{said} --shard 2/2 --out {folder}"));
    }
    let told = run_in("merge ../parts", &lab.at("other")).err;
    has(&told, "the run read long.rhai: call this in the folder");
}

/// The results of a search depend on the memory per thread, which the command contains, and not on the number of
/// threads.
#[test]
fn shards_of_searches_are_made_on_any_number_of_threads() {
    let lab = Lab::new();
    // So little memory that answers depend on it.
    let line = |memory| format!("solve canfield -n 12 --nodes 50k --goal cards --memory {memory}KiB -q");
    lab.good(&format!("{} --threads 1 --out whole", line(32)));
    for shard in 1..=3 {
        lab.good(&format!("{} --threads {shard} --shard {shard}/3 --out parts", line(32)));
    }
    lab.good("merge parts -q --threads 2");
    lab.good(&format!("{} --threads 2 --out half", line(16)));
    let answers = |folder: &str| {
        let text = lab.read(&format!("{folder}/deals.csv"));
        let timeless = |line: &str| line.split(',').take(7).collect::<Vec<_>>().join(",");
        text.lines().map(timeless).collect::<Vec<_>>()
    };
    assert_eq!(answers("whole"), answers("parts"));
    assert_ne!(answers("whole"), answers("half"));
}
