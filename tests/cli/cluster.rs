//! Files for clusters: run as by a cluster, they make the same report as a single machine.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cli::experiments::same;
use crate::common::program::{Lab, has, names, run_in, shell};

/// A stand-in for GNU parallel that supports what the files use.
const PARALLEL: &str = "#!/bin/sh
while [ $# -gt 1 ]; do case $1 in --joblog) echo begun > \"$2\" ;; esac; shift; done
while read -r number; do sh -c \"$(printf %s \"$1\" | sed \"s/{}/$number/g\")\" || exit 1; done
";

fn executable(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Rules and results are relative to the folder where the files were made, wherever the scripts are started.
#[test]
fn a_job_array_makes_the_report_of_one_machine() {
    let lab = Lab::with(&[("the 'house' #1/my house: #1.toml", "extends = \"canfield\"\n")]);
    let here = lab.at("the 'house' #1");
    let line = "simulate 'my house: #1.toml' -n 6000 --seed 5";
    let run = |line: &str| run_in(line, &here);
    let made = run(&format!(
        "cluster slurm --out 'big one' --files files --measure 1 --shards 4 --partition long --memory 3G --cores 2 -- {line}"
    ));
    assert_eq!(made.code, Some(0), "{}", made.err);
    has(&made.out, "6 blocks in its first stage|4 shards|core-hours|expected 95% interval");
    assert_eq!(names(&here.join("files")), ["merge.sbatch", "shards.sbatch", "submit.sh"]);
    let shards = fs::read_to_string(here.join("files/shards.sbatch")).unwrap();
    for option in ["--partition=long", "--mem=3G", "--cpus-per-task=2", "--array=1-4", "--requeue"] {
        has(&shards, &format!("#SBATCH {option}\n"));
    }
    has(&fs::read_to_string(here.join("files/submit.sh")).unwrap(), "--dependency=\"afterany:");
    let sh = |script: &str, number: &str| {
        let script = format!("\"$PWD/the 'house' #1/files/{script}\"");
        shell(&format!("SLURM_ARRAY_TASK_ID={number} sh {script}"), lab.path())
    };
    // Too early: the merge reports what is missing, and fails.
    assert_eq!(sh("shards.sbatch", "2").code, Some(0));
    let early = sh("merge.sbatch", "");
    assert_eq!(early.code, Some(1));
    has(&early.err, "4 blocks are missing");
    for number in ["1", "3", "4", "2"] {
        let shard = sh("shards.sbatch", number);
        assert_eq!((shard.code, &*shard.err), (Some(0), ""));
    }
    let merged = sh("merge.sbatch", "");
    assert_eq!(merged.code, Some(0), "{}", merged.err);
    run(&format!("{line} --out whole -q"));
    same(line, &here.join("big one"), &here.join("whole"));
}

/// Words that GNU parallel would replace reach the program unchanged; tested with GNU parallel if installed. A sweep
/// runs in rounds: a single script runs them all, also when it is repeated.
#[test]
fn parallel_goes_on_until_the_last_round() {
    let lab = Lab::new();
    let here = lab.at("a {} {1} {#} b");
    fs::create_dir(&here).unwrap();
    let rules = "my {} {1} {.} {= $_ = 7 =} it is {%}.toml";
    fs::write(here.join(rules), "extends = \"canfield\"\n").unwrap();
    let run = |line: &str| run_in(line, &here);
    let real = Command::new("parallel").arg("--version").stdin(Stdio::null()).output();
    let stand_in = lab.at("parallel");
    if !real.is_ok_and(|it| String::from_utf8_lossy(&it.stdout).starts_with("GNU parallel")) {
        println!("GNU parallel is not here: what it does is played");
        executable(&stand_in, PARALLEL);
    }
    let line = format!("sweep '{rules}' --vary stock.redeals=0..2 --budget 20k");
    let out = here.join("big {} {2} {//}");
    let made = run(&format!(
        "cluster parallel --out 'big {{}} {{2}} {{//}}' --files files --measure 1 --shards 2 -- {line}"
    ));
    assert_eq!(made.code, Some(0), "{}", made.err);
    let all = || shell("PATH=\"$PWD/..:$PATH\" sh files/run.sh", &here);
    let first = all();
    assert_eq!(first.code, Some(0), "{}", first.err);
    run(&format!("{line} --out whole -q"));
    same(&line, &here.join("whole"), &out);
    // A repeated run after an interruption in the last round; the logs of all earlier rounds tell nothing new.
    executable(&stand_in, PARALLEL);
    let interrupted =
        || ["shard-2-of-2", "run"].map(|it| fs::remove_file(out.join(format!("{it}.blocks"))).unwrap());
    interrupted();
    let logs: Vec<String> =
        names(&here.join("files")).into_iter().filter(|it| it.ends_with(".log")).collect();
    assert!(logs.iter().any(|name| name.ends_with("-2.log")), "{logs:?}");
    logs.iter().skip(2).for_each(|name| fs::remove_file(here.join("files").join(name)).unwrap());
    let resumes = PARALLEL
        .replace("while read", "[ -z \"$old\" ] || exit 0\nwhile read")
        .replace("echo begun", "[ -e \"$2\" ] && old=yes; echo begun");
    executable(&stand_in, &resumes);
    let again = all();
    assert_eq!(again.code, Some(0), "{}", again.err);
    same(&line, &here.join("whole"), &out);
    // Blocks that cannot be computed are reported, and not requested forever.
    interrupted();
    executable(&stand_in, "#!/bin/sh\nexit 0\n");
    let never = all();
    assert!(never.code == Some(1) && never.err.contains("missing"), "{}", never.err);
}
