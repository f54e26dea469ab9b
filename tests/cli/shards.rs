//! Runs that are interrupted, or made in parts, end with the bytes of one that is not.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use tempfile::tempdir;

use crate::run::{command, good, names, run as run_program};

/// Every command that keeps blocks, at a small size.
const LINES: [&str; 11] = [
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

/// The files of a report, without the blocks beside it.
fn report(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for name in names(folder) {
        let path = folder.join(&name);
        if path.is_dir() {
            all.extend(report(&path).into_iter().map(|(within, bytes)| (format!("{name}/{within}"), bytes)));
        } else if !name.ends_with(".blocks") && !name.ends_with(".progress") {
            all.push((name, fs::read(path).unwrap()));
        }
    }
    all
}

fn same(line: &str, a: &Path, b: &Path) {
    let (a, b) = (report(a), report(b));
    let named = |all: &[(String, Vec<u8>)]| all.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(named(&a), named(&b), "{line}");
    assert!(!a.is_empty(), "{line}: there is no report");
    for ((name, a), (_, b)) in a.iter().zip(&b) {
        // Only the time that a search took depends on the machine.
        if line.starts_with("solve")
            && (name == "deals.csv"
                || name == "summary.json"
                || name == "index.html"
                || name.contains("took"))
        {
            continue;
        }
        assert!(a == b, "{line}: {name} differs");
    }
}

fn words<'a>(line: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    line.split_whitespace().chain(more.iter().copied()).collect()
}

#[test]
fn shards_make_the_report_of_one_machine() {
    for line in LINES {
        let dir = tempdir().unwrap();
        let path = dir.path();
        let whole = run_program(&words(line, &["--out", "whole", "-q"]), path);
        assert_eq!(whole.code, Some(0), "{line}: {}", whole.err);
        let mut rounds = 0;
        loop {
            rounds += 1;
            assert!(rounds < 20, "{line} never ends");
            for shard in ["1/3", "2/3", "3/3"] {
                let part = run_program(&words(line, &["--shard", shard, "--out", "parts", "-q"]), path);
                assert_eq!((part.code, &*part.err), (Some(0), ""), "{line}");
            }
            let merged = run_program(&["merge", "parts", "-q"], path);
            match merged.code {
                Some(0) => break,
                code => assert_eq!(code, Some(1), "{line}: {}", merged.err),
            }
            assert!(
                merged.err.contains("missing") && merged.err.contains("/3 --out parts"),
                "{line}: {}",
                merged.err
            );
        }
        same(line, &path.join("whole"), &path.join("parts"));
        // Rounds are few: what does not hang on results is made in the first.
        let most = match line.split_once(' ').unwrap().0 {
            "sweep" | "tune" => 12,
            "compare" | "plan" | "solve" => 3,
            _ if line.contains("--clairvoyant") => 2,
            _ => 1,
        };
        assert!(rounds <= most, "{line}: {rounds} rounds");
    }
}

/// Who follows the commands comes to the end, also where the shards lie in several folders.
#[test]
fn commands_of_several_folders_lead_to_the_end() {
    let line = "sweep canfield --vary stock.redeals=0..2 --budget 20k";
    let dir = tempdir().unwrap();
    let run = |line: &str, more: &[&str]| run_program(&words(line, more), dir.path());
    for (shard, folder) in [("1/2", "ann"), ("2/2", "bob")] {
        assert_eq!(run(line, &["--shard", shard, "--out", folder, "-q"]).code, Some(0));
    }
    for round in 0.. {
        assert!(round < 20, "it never ends");
        let asked = run("merge ann bob --out both -q", &[]);
        if asked.code == Some(0) {
            break;
        }
        for command in asked.err.lines().filter_map(|line| line.trim().strip_prefix("saratoga ")) {
            assert!(command.ends_with("--out both"), "{command}");
            assert_eq!(run(command, &["-q"]).code, Some(0), "{command}");
        }
    }
    assert_eq!(run(line, &["--out", "whole", "-q"]).code, Some(0));
    same(line, &dir.path().join("whole"), &dir.path().join("both"));
}

#[test]
fn a_run_that_was_cut_off_ends_with_the_same_bytes() {
    for line in LINES {
        let dir = tempdir().unwrap();
        let path = dir.path();
        let made = run_program(&words(line, &["--out", "out", "-q"]), path);
        assert_eq!(made.code, Some(0), "{line}: {}", made.err);
        fs::rename(path.join("out"), path.join("whole")).unwrap();
        let blocks = fs::read(path.join("whole/run.blocks")).unwrap();
        for part in [1, 2] {
            fs::create_dir(path.join("out")).unwrap();
            let cut = blocks.len() - 70 * part;
            fs::write(path.join("out/run.blocks"), &blocks[..cut]).unwrap();
            let again = run_program(&words(line, &["--out", "out", "-q"]), path);
            assert_eq!(again.code, Some(0), "{line}: {}", again.err);
            same(line, &path.join("whole"), &path.join("out"));
            fs::remove_dir_all(path.join("out")).unwrap();
        }
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
        let started = Instant::now();
        while size() < before + 3000 && started.elapsed() < Duration::from_secs(20) {
            if child.try_wait().unwrap().is_some() {
                break;
            }
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
    // The same in other words, on other threads.
    let same = ["simulate", "mine.toml", "--games=2k", "--threads", "1", "--out", "out"];
    let again = run_program(&same, path);
    assert_eq!(again.code, Some(0));
    assert_eq!(again.err, "resuming: 2 blocks kept; --restart starts again\n");
    for (more, said) in [
        (&["--seed", "2"][..], "--seed: 1 saved, 2 requested"),
        (&["-s", "patient"], "--strategy: greedy saved, patient requested"),
        (&["--precision", "1pp"], "--precision: none saved, 1pp requested"),
    ] {
        let refused = run_program(&[&args[..], more].concat(), path);
        assert_eq!((refused.code, &*refused.out), (Some(2), ""), "{}", refused.err);
        assert!(refused.err.contains("another run is kept in out/run.blocks"), "{}", refused.err);
        assert!(refused.err.contains(said), "{}", refused.err);
        assert!(refused.err.contains("--restart") && refused.err.contains("--out out-2"), "{}", refused.err);
    }
    fs::write(path.join("mine.toml"), "extends = \"canfield\"\n[stock]\ndraw = 1\n").unwrap();
    let refused = run_program(&args, path);
    assert!(refused.err.contains("ruleset mine: one text saved, another requested"), "{}", refused.err);
    good(&[&args[..], &["--restart"]].concat(), path);
    let other = run_program(&["price", "canfield", "-n", "1000", "--out", "out"], path);
    assert!(other.err.contains("command: simulate saved, price requested"), "{}", other.err);
}

#[test]
fn shards_that_do_not_fit_are_refused() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let shard = |line: &str, shard: &str, out: &str| {
        good(&words(line, &["--shard", shard, "--out", out, "-q"]), path);
    };
    let line = "simulate canfield -n 4000";
    shard(line, "1/2", "a");
    let refused = |folders: &[&str], said: &[&str]| {
        let told = run_program(&[&["merge"], folders, &["-q"]].concat(), path);
        assert!(told.code == Some(1) || told.code == Some(2), "{}", told.err);
        assert_eq!(told.out, "");
        for said in said {
            assert!(told.err.contains(said), "{said}: {}", told.err);
        }
        told
    };
    let gap = refused(
        &["a"],
        &["2 blocks are missing", "saratoga simulate canfield --games=4000 --shard 2/2 --out a"],
    );
    assert_eq!(gap.code, Some(1));
    shard(line, "2/2", "b");
    fs::create_dir(path.join("c")).unwrap();
    fs::copy(path.join("b/shard-2-of-2.blocks"), path.join("c/shard-2-of-2.blocks")).unwrap();
    shard(line, "3/3", "thirds");
    refused(&["b", "thirds"], &["one of 3 shards", "one of 2"]);
    shard("simulate canfield -n 4000 --seed 2", "1/2", "seed");
    refused(&["b", "seed"], &["of another run", "--seed: 1 saved, 2 requested"]);
    let file = path.join("c/shard-2-of-2.blocks");
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes.len() - 300;
    bytes[at] ^= 1;
    fs::write(&file, &bytes).unwrap();
    refused(&["a", "c"], &["damaged at byte", "simulate canfield --games=4000 --shard 2/2 --out c"]);
    fs::write(&file, "something else").unwrap();
    refused(&["a", "c"], &["it is no file of blocks"]);
    fs::create_dir(path.join("empty")).unwrap();
    refused(&["empty"], &["no blocks in empty"]);
    refused(&["nowhere"], &["cannot read nowhere"]);
    refused(&["a", "--out", "part"], &["2 blocks are missing"]);
    // What was merged is merged with what comes later.
    good(&["merge", "a", "b", "--out", "part", "-q"], path);
    good(&words(line, &["--out", "whole", "-q"]), path);
    same(line, &path.join("whole"), &path.join("part"));
}

/// Times are no part of an answer: a shard that was made twice counts once, and answers that contradict are refused.
#[test]
fn a_shard_that_was_made_twice_counts_once() {
    for line in ["simulate canfield -n 4000 -s greedy -s patient", "solve single-pass -n 12 --nodes 5k"] {
        let dir = tempdir().unwrap();
        let path = dir.path();
        for (shard, out) in [("1/2", "parts"), ("2/2", "parts"), ("2/2", "again")] {
            good(&words(line, &["--shard", shard, "--out", out, "-q"]), path);
        }
        let name = "shard-2-of-2.blocks";
        let read = |folder: &str| fs::read(path.join(folder).join(name)).unwrap();
        assert!(read("parts") != read("again"), "{line}: the times are the same");
        let merged = run_program(&["merge", "parts", "again", "--out", "both"], path);
        assert_eq!(merged.code, Some(0), "{line}: {}", merged.err);
        assert!(merged.err.contains("in common, with the same answers: they count once"), "{}", merged.err);
        // The first given counts, with its times.
        let one = good(&["merge", "parts", "--out", "one", "-q"], path);
        assert_eq!(one.lines().take(8).collect::<Vec<_>>(), merged.out.lines().take(8).collect::<Vec<_>>());
        assert!(
            fs::read(path.join("one/summary.json")).unwrap()
                == fs::read(path.join("both/summary.json")).unwrap()
        );
        // Made again where it was, after a merge.
        good(&words(line, &["--shard", "2/2", "--out", "parts", "--restart", "-q"]), path);
        good(&["merge", "parts", "--out", "one", "-q"], path);
        // Another answer of which the checksums are sound.
        let bytes = read("again");
        let mut last = 0;
        saratoga::lab::scan_blocks(&path.join("again").join(name), |_, (at, _), _| last = at as usize)
            .unwrap();
        let forged = |byte: usize| {
            let mut bytes = bytes.clone();
            bytes[last + byte] ^= 1;
            let end = bytes.len() - 4;
            let answer = crc32fast::hash(&bytes[last..end]);
            bytes[end..].copy_from_slice(&answer.to_le_bytes());
            let sum = crc32fast::hash(&[&bytes[last - 16..last], &bytes[last..]].concat());
            bytes[last - 20..last - 16].copy_from_slice(&sum.to_le_bytes());
            bytes
        };
        fs::write(path.join("again").join(name), forged(3)).unwrap();
        let refused = run_program(&["merge", "parts", "again", "--out", "other"], path);
        assert_eq!(refused.code, Some(2), "{line}: {}", refused.err);
        assert!(
            refused.err.contains("contradicts parts/shard-2-of-2.blocks in 1 block"),
            "{line}: {}",
            refused.err
        );
    }
}

/// What a search finds hangs on the memory of its thread, which the command tells, and not on how many there are.
#[test]
fn shards_of_searches_are_made_on_any_number_of_threads() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    // So little memory that answers hang on it.
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
    // And resumed on others.
    good(&words(line, &["--shard", "1/3", "--threads", "2", "--out", "parts", "-q"]), path);
}

#[test]
fn bad_shards_are_told() {
    let dir = tempdir().unwrap();
    for (line, said) in [
        ("simulate --shard 0/4 --out x", "there is no shard 0 of 4"),
        ("simulate --shard 5/4 --out x", "there is no shard 5 of 4"),
        ("simulate --shard 1/0 --out x", "1 to 100000"),
        ("simulate --shard 2 --out x", "K/N"),
        ("simulate --shard 1/2 -n 10", "--shard needs --out"),
        ("estimate night.csv --shard 1/2 --out x", "unexpected argument"),
        ("rules page --shard 1/2 --out x", "keeps no blocks"),
        ("status nowhere", "cannot read nowhere"),
        ("status .", "there are no blocks in ."),
        ("merge", "required"),
    ] {
        let told = run_program(&words(line, &[]), dir.path());
        assert_eq!((told.code, &*told.out), (Some(2), ""), "{line}: {}", told.err);
        assert!(told.err.contains(said) || line.starts_with("estimate"), "{line}: {}", told.err);
    }
}

#[test]
fn status_tells_how_far_shards_are() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    for shard in ["1/4", "3/4"] {
        good(&["simulate", "canfield", "-n", "8000", "--shard", shard, "--out", "parts", "-q"], path);
    }
    fs::remove_file(path.join("parts/shard-3-of-4.progress")).unwrap();
    let told = good(&["status", "parts"], path);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 3, "{told}");
    assert_eq!(lines[0], "saratoga simulate canfield --games=8000");
    assert!(lines[1].contains("shard-1-of-4") && lines[1].contains("finished"), "{told}");
    assert!(lines[1].contains("stage 1 of 1: 2 of 2 blocks (100%)"), "{told}");
    assert!(lines[2].contains("shard-3-of-4") && lines[2].contains("stopped"), "{told}");
    let json: serde_json::Value = serde_json::from_str(&good(&["status", "parts", "--json"], path)).unwrap();
    assert_eq!((json[0]["shard"].as_str(), json[0]["blocks"].as_u64()), (Some("1/4"), Some(2)));
}

/// A run that has ended was at the last of the stages that it told of.
#[test]
fn status_tells_how_many_stages_there_are() {
    let dir = tempdir().unwrap();
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
        // A shard says at its end how far it came.
        good(&words(line, &["--shard", "1/1", "--out", &out, "-q"]), dir.path());
        let told = good(&["status", &out, "--json"], dir.path());
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        let stage = &told[0]["stage"];
        let at = stage["stage"].as_u64().map(|last| last + 1);
        assert_eq!((at, stage["stages"].as_u64()), (Some(stages), Some(stages)), "{line}: {stage}");
    }
}

/// Of bytes 32k is another number than of games.
#[test]
fn commands_of_shards_have_sizes_as_they_were_written() {
    let dir = tempdir().unwrap();
    let line = "solve single-pass -n 2e0 --nodes 1k --memory 32k --shard 1/2 --out parts -q";
    good(&words(line, &[]), dir.path());
    let early = run_program(&["merge", "parts", "-q"], dir.path());
    assert!(early.err.contains("--games=2 --nodes=1000 --memory=32k --shard 2/2"), "{}", early.err);
}
