//! Files for clusters: run as by a cluster, they make the same report as a single machine.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::tempdir;

use crate::cli::run::{Ran, good, names, ran, run as run_program};

const LINE: &str = "simulate canfield -n 6000 --seed 5";

fn cluster(engine: &str, more: &[&str], folder: &Path) -> String {
    let args =
        [&["cluster", engine, "--out", "big", "--files", "files", "--measure", "1"], more, &["--"]].concat();
    good(&args.into_iter().chain(LINE.split(' ')).collect::<Vec<_>>(), folder)
}

/// Runs a script with `saratoga` on its path.
fn sh(script: &str, variables: &[(&str, &str)], folder: &Path) -> Ran {
    let mut command = Command::new("sh");
    command
        .arg(script)
        .current_dir(folder)
        .env("PATH", path_with_program())
        .stdin(Stdio::null())
        .envs(variables.iter().copied());
    ran(command.output().unwrap())
}

#[test]
fn a_job_array_makes_the_report_of_one_machine() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let told =
        cluster("slurm", &["--shards", "4", "--partition", "long", "--memory", "3G", "--cores", "2"], path);
    assert!(told.contains("6 blocks in its first stage") && told.contains("4 shards"), "{told}");
    assert!(told.contains("core-hours") && told.contains("expected 95% interval"), "{told}");
    assert_eq!(names(&path.join("files")), ["merge.sbatch", "shards.sbatch", "submit.sh"]);
    let shards = fs::read_to_string(path.join("files/shards.sbatch")).unwrap();
    for line in ["--partition=long", "--mem=3G", "--cpus-per-task=2", "--array=1-4", "--requeue"] {
        assert!(shards.contains(&format!("#SBATCH {line}\n")), "{shards}");
    }
    // They can be started from anywhere.
    let sh = |script: &str, variables: &[(&str, &str)], folder: &Path| {
        sh(folder.join(script).to_str().unwrap(), variables, Path::new("/"))
    };
    assert!(fs::read_to_string(path.join("files/submit.sh")).unwrap().contains("--dependency=\"afterany:"));
    // Too early: the merge reports what is missing, and fails.
    assert_eq!(sh("files/shards.sbatch", &[("SLURM_ARRAY_TASK_ID", "2")], path).code, Some(0));
    let early = sh("files/merge.sbatch", &[], path);
    assert!(early.code == Some(1) && early.err.contains("4 blocks are missing"), "{}", early.err);
    for number in ["1", "3", "4", "2"] {
        let shard = sh("files/shards.sbatch", &[("SLURM_ARRAY_TASK_ID", number)], path);
        assert_eq!((shard.code, &*shard.err), (Some(0), ""));
    }
    let merged = sh("files/merge.sbatch", &[], path);
    assert_eq!(merged.code, Some(0), "{}", merged.err);
    good(&LINE.split(' ').chain(["--out", "whole", "-q"]).collect::<Vec<_>>(), path);
    for name in ["index.html", "summary.json"] {
        let read = |folder: &str| fs::read(path.join(folder).join(name)).unwrap();
        assert!(read("big") == read("whole"), "{name}");
    }
}

#[test]
fn arrays_that_a_cluster_may_refuse_are_told() {
    let dir = tempdir().unwrap();
    let line = "cluster slurm --out big --files files --measure 1 --shards 1001 -- simulate canfield -n 2e6";
    let told = run_program(&line.split(' ').collect::<Vec<_>>(), dir.path());
    assert_eq!(told.code, Some(0), "{}", told.err);
    assert!(told.err.contains("MaxArraySize"), "{}", told.err);
}

#[test]
fn control_characters_are_refused() {
    let dir = tempdir().unwrap();
    for (line, said) in [
        ("cluster slurm --out x --memory 2G\n#SBATCH\u{a0}--wrap=x -- simulate", "such as 4G"),
        ("cluster slurm --out n\nl -- simulate -n 10", "\"n\\nl\" has a control character"),
        ("cluster parallel --out x -- simulate a\tb.toml -n 10", "control character"),
    ] {
        let told = run_program(&line.split(' ').collect::<Vec<_>>(), dir.path());
        assert_eq!((told.code, &*told.out), (Some(2), ""), "{line}: {}", told.err);
        assert!(told.err.contains(said), "{line}: {}", told.err);
        assert!(names(dir.path()).is_empty(), "{line}");
    }
}

/// A stand-in for GNU parallel that supports what the files use.
const PARALLEL: &str = "#!/bin/sh
while [ $# -gt 1 ]; do case $1 in --joblog) echo begun > \"$2\" ;; esac; shift; done
while read -r number; do sh -c \"$(printf %s \"$1\" | sed \"s/{}/$number/g\")\" || exit 1; done
";

/// Words that GNU parallel would replace reach the program unchanged; tested with GNU parallel if installed.
#[cfg(unix)]
#[test]
fn no_word_is_replaced_by_parallel() {
    let dir = tempdir().unwrap();
    let here = dir.path().join("a {} {1} {#} b");
    fs::create_dir(&here).unwrap();
    let rules = "my {} {1} {.} {= $_ = 7 =} it's {%}.toml";
    fs::write(here.join(rules), "extends = \"canfield\"\n").unwrap();
    let out = "big {} {2} {//}";
    let args = ["cluster", "parallel", "--out", out, "--files", "files", "--measure", "1", "--shards", "3"];
    good(&[&args[..], &["--", "simulate", rules, "-n", "3000"]].concat(), &here);
    let real = Command::new("parallel").arg("--version").stdin(Stdio::null()).output();
    let real = real.is_ok_and(|it| String::from_utf8_lossy(&it.stdout).starts_with("GNU parallel"));
    if !real {
        println!("GNU parallel is not here: what it does is played");
        executable(&dir.path().join("parallel"), PARALLEL);
    }
    let search = format!("{}:{}", dir.path().display(), path_with_program());
    let ran = sh("files/run.sh", &[("PATH", &search)], &here);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(here.join(out).join("index.html").exists());
    let made = names(&here.join(out));
    assert_eq!(made.iter().filter(|name| name.ends_with(".blocks")).count(), 4, "{made:?}");
    assert_eq!(names(dir.path()).iter().filter(|name| *name != "parallel").count(), 1);
}

/// A sweep runs in rounds: a single script runs them all.
#[cfg(unix)]
#[test]
fn parallel_goes_on_until_the_last_round() {
    let (line, dir) = ("sweep canfield --vary stock.redeals=0..2 --budget 20k", tempdir().unwrap());
    let (path, line): (_, Vec<_>) = (dir.path(), line.split(' ').collect());
    let args =
        ["cluster", "parallel", "--out", "big", "--files", "files", "--measure", "1", "--shards", "2", "--"];
    good(&[&args[..], &line].concat(), path);
    executable(&path.join("parallel"), PARALLEL);
    let search = format!("{}:{}", path.display(), path_with_program());
    let ran = sh("files/run.sh", &[("PATH", &search)], path);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let logs = names(&path.join("files"));
    assert!(logs.iter().any(|name| name.ends_with("-2.log")), "{logs:?}");
    // A repeated run after an interruption in the last round; the logs of all earlier rounds tell nothing new.
    fs::remove_file(path.join("big/shard-2-of-2.blocks")).unwrap();
    fs::remove_file(path.join("big/run.blocks")).unwrap();
    logs.iter()
        .filter(|name| name.ends_with(".log"))
        .skip(2)
        .for_each(|name| fs::remove_file(path.join("files").join(name)).unwrap());
    let resumes = PARALLEL
        .replace("while read", "[ -z \"$old\" ] || exit 0\nwhile read")
        .replace("echo begun", "[ -e \"$2\" ] && old=yes; echo begun");
    executable(&path.join("parallel"), &resumes);
    let ran = sh("files/run.sh", &[("PATH", &search)], path);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    executable(&path.join("parallel"), PARALLEL);
    good(&[&line[..], &["--out", "whole", "-q"]].concat(), path);
    for name in ["index.html", "summary.json"] {
        let read = |folder: &str| fs::read(path.join(folder).join(name)).unwrap();
        assert!(read("big") == read("whole"), "{name}");
    }
    // Blocks that cannot be computed are reported, and not requested forever.
    fs::remove_file(path.join("big/run.blocks")).unwrap();
    fs::remove_file(path.join("big/shard-2-of-2.blocks")).unwrap();
    executable(&path.join("parallel"), "#!/bin/sh\nexit 0\n");
    let ran = sh("files/run.sh", &[("PATH", &search)], path);
    assert!(ran.code == Some(1) && ran.err.contains("missing"), "{}", ran.err);
}

#[cfg(unix)]
fn executable(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Returns the search path with this program's directory first.
fn path_with_program() -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_saratoga")).parent().unwrap();
    format!("{}:{}", program.display(), std::env::var("PATH").unwrap())
}

/// A shard uses all cores: there is memory for them, or the plan says that there is not.
#[test]
fn shards_have_memory_for_all_of_their_cores() {
    let dir = tempdir().unwrap();
    let plan = |line: &str| {
        let told = run_program(&line.split(' ').collect::<Vec<_>>(), dir.path());
        assert_eq!(told.code, Some(0), "{line}: {}", told.err);
        let shards = fs::read_to_string(dir.path().join("cluster/shards.sbatch")).unwrap();
        let memory = shards.lines().find_map(|line| line.strip_prefix("#SBATCH --mem=")).unwrap().to_string();
        (told.out, memory)
    };
    let begin = "cluster slurm --out big --measure 1 --shards 2";
    let solve = "solve single-pass -n 8 --nodes 1k --memory";
    for (cores, command, memory, each) in [
        (1, format!("{solve} 64MiB"), "2G", Some(96)),
        (8, format!("{solve} 512M"), "6G", Some(640)),
        (8, "bracket single-pass -s greedy -n 8 --nodes 1M".into(), "3G", Some(320)),
        (16, "simulate canfield -n 3000".into(), "2G", None),
    ] {
        let (told, has) = plan(&format!("{begin} --cores {cores} -- {command}"));
        assert_eq!(has, memory, "{command}: {told}");
        let wanted = each.map(|_| format!("{memory} of memory a shard, for {cores} thread"));
        assert!(wanted.is_none_or(|wanted| told.contains(&wanted)), "{command}: {told}");
        assert_eq!(told.contains("of memory a shard"), each.is_some(), "{told}");
        assert!(
            each.is_none_or(|each| told.contains(&format!("may use {each} MiB each"))),
            "{command}: {told}"
        );
    }
    let (told, has) = plan(&format!("{begin} --memory 2G --cores 4 -- {solve} 512MiB"));
    assert!(has == "2G" && told.contains("too little for 4 threads"), "{told}");
    assert!(told.contains("ask for --memory 3G"), "{told}");
}

/// Rules and results are relative to the folder where the files were made, wherever the scripts are started.
#[cfg(unix)]
#[test]
fn paths_are_from_where_the_files_were_made() {
    let dir = tempdir().unwrap();
    let here = dir.path().join("the 'house' #1");
    fs::create_dir(&here).unwrap();
    fs::write(here.join("my house: #1.toml"), "extends = \"canfield\"\n").unwrap();
    executable(&dir.path().join("parallel"), PARALLEL);
    let search = format!("{}:{}", dir.path().display(), path_with_program());
    for engine in ["slurm", "parallel"] {
        let args = ["cluster", engine, "--out", engine, "--files", engine, "--measure", "1", "--shards", "2"];
        let line = ["--", "simulate", "my house: #1.toml", "-n", "2000", "-s", "greedy"];
        let out = format!("{engine} results");
        good(&[&args[..2], &["--out", &out], &args[4..], &line].concat(), &here);
        let begin = |script: &str, number: &str| {
            let folder = here.join(engine);
            let variables = [("SLURM_ARRAY_TASK_ID", number), ("PATH", &search)];
            let ran = sh(script, &variables, &folder);
            assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{engine}: {script}");
        };
        if engine == "slurm" {
            begin("shards.sbatch", "1");
            begin("shards.sbatch", "2");
            begin("merge.sbatch", "");
        } else {
            begin("./run.sh", "");
            assert!(names(&here.join("parallel")).iter().any(|name| name.ends_with("-1.log")));
        }
        assert!(here.join(&out).join("index.html").exists());
        assert_eq!(names(&here.join(engine)).len(), if engine == "slurm" { 3 } else { 2 });
    }
}
