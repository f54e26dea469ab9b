//! Folders of shards in which something is wrong: it is said before anything is played where it can be, and what is said to do
//! leads to the report.

use std::fs;
use std::path::Path;

use tempfile::tempdir;

use crate::run::{Ran, good, names, run};

const LINE: &str = "simulate -n 4000";

fn words<'a>(line: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    line.split_whitespace().chain(more.iter().copied()).collect()
}

fn shards(folder: &str, path: &Path) {
    for shard in ["1/2", "2/2"] {
        good(&words(LINE, &["--shard", shard, "--out", folder, "-q"]), path);
    }
}

/// Refuses as bad input, and says this.
fn refused(ran: &Ran, said: &[&str]) {
    assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{}", ran.err);
    for said in said {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
}

/// Runs the command of the program that a message ends a line with.
fn follow(told: &str, path: &Path) -> Ran {
    let line = told.lines().find_map(|line| Some(line.split_once("saratoga ")?.1)).expect(told);
    run(&words(line, &["-q"]), path)
}

fn same(a: &Path, b: &Path) {
    for name in ["index.html", "summary.json"] {
        assert!(fs::read(a.join(name)).unwrap() == fs::read(b.join(name)).unwrap(), "{name}");
    }
}

#[test]
fn a_shard_of_a_changed_text_is_refused_before_it_is_played() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let script = |score: u32| {
        fs::write(path.join("m.rhai"), format!("fn score(view, m) {{\n    {score}\n}}\n")).unwrap();
    };
    let shard = |shard, more: &[&str]| {
        let args = words("simulate -s m.rhai -n 4000 -q --out e --shard", &[shard]);
        run(&[&args[..], more].concat(), path)
    };
    script(1);
    assert_eq!(shard("1/2", &[]).code, Some(0));
    assert_eq!(run(&["merge", "e", "-q"], path).code, Some(1));
    script(2);
    for merged in [true, false] {
        let told = "strategy m.rhai: one text saved, another requested; the first line that differs: `1` saved, `2` requested";
        refused(&shard("2/2", &[]), &["another run is kept in e/", told, "--restart", "--out e-2"]);
        assert!(!path.join("e/shard-2-of-2.blocks").exists());
        if merged {
            fs::remove_file(path.join("e/run.blocks")).unwrap();
        }
    }
    // Who restarts all of them comes to the end, also where a part of the other was merged.
    script(1);
    assert_eq!(run(&["merge", "e", "-q"], path).code, Some(1));
    script(2);
    for number in ["2/2", "1/2"] {
        let again = shard(number, &["--restart"]);
        assert_eq!((again.code, &*again.err), (Some(0), ""));
    }
    good(&["merge", "e", "-q"], path);
    good(&words("simulate -s m.rhai -n 4000 --out whole -q", &[]), path);
    same(&path.join("e"), &path.join("whole"));
}

/// The script that a searching player plays its deals on with is a text of the run, too.
#[test]
fn the_policy_of_a_search_is_a_text_of_the_run() {
    let dir = tempdir().unwrap();
    let script = |rank: u32| {
        let text = format!("fn score(view, m) {{ if m.is_draw {{ {rank} }} else {{ 2 }} }}");
        fs::write(dir.path().join("m.rhai"), text).unwrap();
    };
    let shard = |number| {
        let line =
            "simulate single-pass -n 4 -s search:worlds=2,judged=2,nodes=50,policy=./m.rhai --out s -q";
        run(&words(line, &["--shard", number]), dir.path())
    };
    script(1);
    assert_eq!(shard("1/2").code, Some(0));
    script(0);
    refused(&shard("2/2"), &["policy=./m.rhai: one text saved, another requested"]);
    script(1);
    assert_eq!(shard("2/2").code, Some(0));
}

#[test]
fn shards_of_another_number_are_refused_before_they_are_played() {
    let dir = tempdir().unwrap();
    good(&words(LINE, &["--shard", "1/3", "--out", "k", "-q"]), dir.path());
    let told = run(&words(LINE, &["--shard", "1/2", "--out", "k", "-q"]), dir.path());
    refused(&told, &["k/shard-1-of-3.blocks is one of 3 shards, and 1/2 is one of 2", "--out k-2"]);
    assert!(!dir.path().join("k/shard-1-of-2.blocks").exists());
}

/// What is done to the second of two shards, and what a merge says of it.
type Harm = (fn(&Path), &'static str);

const HARMS: [Harm; 5] = [
    (|file| fs::write(file, "notes of mine").unwrap(), "it is no file of blocks"),
    (|file| fs::write(file, "").unwrap(), "it is no file of blocks"),
    (|file| fs::write(file, &fs::read(file).unwrap()[..60]).unwrap(), "its beginning is damaged"),
    (
        |file| {
            let mut bytes = fs::read(file).unwrap();
            let at = bytes.len() - 300;
            bytes[at] ^= 1;
            fs::write(file, bytes).unwrap();
        },
        "is damaged at byte",
    ),
    (|file| fs::remove_file(file).unwrap(), "2 blocks are missing"),
];

#[test]
fn what_a_merge_says_of_a_bad_shard_mends_it() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    good(&words(LINE, &["--out", "whole", "-q"]), path);
    for (i, (harm, said)) in HARMS.into_iter().enumerate() {
        let out = format!("out{i}");
        shards(&out, path);
        harm(&path.join(&out).join("shard-2-of-2.blocks"));
        let told = run(&["merge", &out, "-q"], path);
        assert!(told.code != Some(0) && told.err.contains(said), "{said}: {}", told.err);
        assert!(told.err.contains("--shard 2/2"), "{said}: {}", told.err);
        let again = follow(&told.err, path);
        assert_eq!(again.code, Some(0), "{said}: {}", again.err);
        good(&["merge", &out, "-q"], path);
        same(&path.join(&out), &path.join("whole"));
    }
    // Under another name it is not made again in its place.
    shards("mine", path);
    fs::rename(path.join("mine/shard-2-of-2.blocks"), path.join("mine/mine.blocks")).unwrap();
    HARMS[3].0(&path.join("mine/mine.blocks"));
    refused(&run(&["merge", "mine", "-q"], path), &["move it away, and merge again"]);
    // Of none can be read what the run is of.
    shards("none", path);
    for name in ["shard-1-of-2.blocks", "shard-2-of-2.blocks"] {
        fs::write(path.join("none").join(name), "").unwrap();
    }
    refused(&run(&["merge", "none"], path), &["run the command of shard 1/2 again, with --restart"]);
}

#[cfg(unix)]
#[test]
fn shards_that_were_renamed_are_told_and_nothing_of_them_is_lost() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    good(&words(LINE, &["--out", "whole", "-q"]), path);
    let [first, second] = ["shard-1-of-2.blocks", "shard-2-of-2.blocks"];
    for (harm, said) in [
        ("mv $1 t && mv $2 $1 && mv t $2", "this exchanges them: "),
        ("mv $2 $1", "this gives it its name back: "),
        ("cp $2 $1", "to make shard 1/2 in its place, add --restart"),
    ] {
        shards("out", path);
        let shell = |line: &str, folder: &Path| {
            let mut shell = std::process::Command::new("sh");
            let ran = shell.args(["-c", line, "sh", first, second]).current_dir(folder).status();
            assert!(ran.unwrap().success(), "{line}");
        };
        shell(harm, &path.join("out"));
        let args = words(LINE, &["--shard", "1/2", "--out", "out", "-q"]);
        let told = run(&args, path);
        refused(&told, &["out/shard-1-of-2.blocks holds shard 2/2, and not shard 1/2", said]);
        match told.err.split_once(": mv ") {
            Some((_, line)) => shell(&format!("mv {}", line.trim()), path),
            None => drop(good(&[&args[..], &["--restart"]].concat(), path)),
        }
        good(&args, path);
        good(&["merge", "out", "-q"], path);
        same(&path.join("out"), &path.join("whole"));
        fs::remove_dir_all(path.join("out")).unwrap();
    }
}

/// A folder, or a file where a folder is needed, has no place for what is made.
#[test]
fn what_is_no_file_or_no_folder_is_bad_input() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    for folder in ["part/shard-1-of-2.blocks", "whole/run.blocks", "merged/run.blocks", "page"] {
        fs::create_dir_all(path.join(folder)).unwrap();
    }
    fs::write(path.join("file"), "mine").unwrap();
    shards("good", path);
    let is_file = "it is a file, and a folder is needed";
    let is_folder = "it is a folder";
    for (line, said) in [
        (
            "simulate -n 4000 --shard 1/2 --out part",
            "part/shard-1-of-2.blocks cannot be resumed: it is a folder\n  move it away",
        ),
        ("simulate -n 4000 --shard 1/2 --out part --restart", "it is a folder\n  move it away"),
        ("simulate -n 4000 --shard 2/2 --out merged", "merged/run.blocks cannot be read: it is a folder"),
        ("simulate -n 4000 --shard 2/2 --out merged --restart", "it is a folder\n  move it away"),
        (
            "simulate -n 4000 --out whole",
            "whole/run.blocks cannot be resumed: it is a folder\n  move it away",
        ),
        ("simulate -n 4000 --out whole --restart", "it is a folder\n  move it away"),
        ("merge part", "part/shard-1-of-2.blocks: it is a folder\n    move it away"),
        ("merge good --out merged", is_folder),
        ("scripts profile canfield greedy --page page", is_folder),
        ("scripts profile canfield greedy --page nowhere/page", "there is no such folder"),
        ("simulate -n 4000 --shard 1/2 --out file", is_file),
        ("simulate -n 4000 --out file", is_file),
        ("solve -n 1 --out file", is_file),
        ("rules page --out file", is_file),
        ("merge good --out file", is_file),
        ("merge good --out file/in", "a part of its path is no folder"),
        ("merge file", is_file),
        ("status file", is_file),
        ("cluster parallel --out x --measure 1 --files file -- simulate -n 1000", is_file),
    ] {
        let told = run(&words(line, &[]), path);
        assert_eq!((told.code, &*told.out), (Some(2), ""), "{line}: {}", told.err);
        assert!(told.err.contains(said) && !told.err.contains("os error"), "{line}: {}", told.err);
    }
    assert_eq!(names(path), ["file", "good", "merged", "page", "part", "whole"]);
    assert_eq!(fs::read(path.join("file")).unwrap(), b"mine");
}

#[test]
fn a_shard_counts_its_own_blocks() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    for shard in ["1/3", "2/3", "3/3"] {
        good(&words("simulate -n 12000", &["--shard", shard, "--out", "k", "-q"]), path);
    }
    good(&["merge", "k", "-q"], path);
    let args = words("simulate -n 12000", &["--shard", "1/3", "--out", "k"]);
    for (file, more, told) in [
        (true, &[][..], "0 blocks made, 4 were there"),
        (false, &[], "0 blocks made, 4 were there"),
        (true, &["--restart"], "4 blocks made; once"),
    ] {
        if !file {
            fs::remove_file(path.join("k/shard-1-of-3.blocks")).unwrap();
        }
        let again = run(&[&args[..], more].concat(), path);
        assert_eq!(again.code, Some(0), "{}", again.err);
        assert!(again.err.contains(&format!("shard 1/3 finished: {told}")), "{}", again.err);
    }
    good(&["merge", "k", "-q"], path);
}

#[test]
fn what_is_merged_goes_to_no_folder_of_another_run() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    good(&["simulate", "-n", "2000", "--out", "other", "-q"], path);
    shards("parts", path);
    let told = run(&["merge", "parts", "--out", "other", "-q"], path);
    refused(&told, &["is of another run than other/run.blocks", "--games: 2000 saved, 4000 requested"]);
    refused(&told, &["give another folder for what is merged: --out other-2"]);
    good(&["merge", "parts", "--out", "other-2", "-q"], path);
    let told = run(&["merge", "parts", "other", "--out", "third", "-q"], path);
    refused(&told, &["other/run.blocks is of another run", "to a folder of their own"]);
    assert!(!told.err.contains("remove"), "{}", told.err);
}

/// Blocks that lie in files of different parts are refused, and the way out that is told leads out.
#[test]
fn blocks_of_several_parts_are_refused() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    shards("parts", path);
    good(&words(LINE, &["--out", "whole", "-q"]), path);
    // The whole run under a name of its own.
    fs::copy(path.join("whole/run.blocks"), path.join("parts/mine.blocks")).unwrap();
    let told = run(&["merge", "parts", "--out", "both", "-q"], path);
    refused(&told, &["2 blocks in common, which would count twice", "move one of the two files away"]);
    fs::rename(path.join("parts/mine.blocks"), path.join("mine.blocks")).unwrap();
    good(&["merge", "parts", "--out", "both", "-q"], path);
    same(&path.join("both"), &path.join("whole"));
}

/// What was measured is kept with the answers, so that a merge reports the same again.
#[test]
fn seconds_are_those_of_the_shards() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    for shard in ["1/2", "2/2"] {
        let args = words("solve single-pass -n 6 --nodes 5k -q --out parts --shard", &[shard]);
        good(&args, path);
    }
    let merged = |out| {
        good(&["merge", "parts", "--out", out, "-q"], path);
        ["deals.csv", "index.html"].map(|name| fs::read(path.join(out).join(name)).unwrap())
    };
    assert!(merged("one") == merged("two"));
}

/// What a script is allowed is part of the commands that make what is missing.
#[test]
fn commands_of_shards_allow_scripts_what_they_were_allowed() {
    let dir = tempdir().unwrap();
    // More than is allowed of itself while a script is loaded.
    let text = "const N = { let n = 0; while n < 800_000 { n += 1; } n }; fn score(view, m) { N }";
    fs::write(dir.path().join("long.rhai"), text).unwrap();
    let line = "simulate -s long.rhai -n 2000 --script-operations 50M --shard 1/2 --out parts -q";
    good(&words(line, &[]), dir.path());
    let told = run(&["merge", "parts", "-q"], dir.path());
    assert!(
        told.err.contains("--games=2000 --script-operations=50000000 --shard 2/2 --out parts"),
        "{}",
        told.err
    );
    assert_eq!(follow(&told.err, dir.path()).code, Some(0));
    good(&["merge", "parts", "-q"], dir.path());
}
