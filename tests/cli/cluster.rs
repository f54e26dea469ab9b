//! Files for clusters: they are run as the cluster would, and make the report of one machine.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::tempdir;

use crate::run::{Ran, good, names, ran, run as run_program};

const LINE: &str = "simulate canfield -n 6000 --seed 5";

fn cluster(engine: &str, more: &[&str], folder: &Path) -> String {
    let args =
        [&["cluster", engine, "--out", "big", "--files", "files", "--measure", "1"], more, &["--"]].concat();
    good(&args.into_iter().chain(LINE.split(' ')).collect::<Vec<_>>(), folder)
}

/// Runs a script where `saratoga` is found.
fn sh(script: &str, variables: &[(&str, &str)], folder: &Path) -> Ran {
    let program = Path::new(env!("CARGO_BIN_EXE_saratoga")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("sh");
    command
        .arg(script)
        .current_dir(folder)
        .env("PATH", path)
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
    assert!(fs::read_to_string(path.join("files/submit.sh")).unwrap().contains("--dependency=\"afterany:"));
    // Too early: the merge says what is missing, and fails.
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
fn every_engine_has_its_files() {
    for (engine, files) in [
        ("parallel", &["run.sh"][..]),
        ("kubernetes", &["Containerfile", "merge.yaml", "shards.yaml", "submit.sh"]),
        ("github", &["saratoga.yml"]),
    ] {
        let dir = tempdir().unwrap();
        let path = dir.path();
        cluster(engine, &["--shards", "3"], path);
        assert_eq!(names(&path.join("files")), files);
        for name in files {
            let text = fs::read_to_string(path.join("files").join(name)).unwrap();
            if name.ends_with(".sh") {
                let checked =
                    Command::new("sh").arg("-n").arg(path.join("files").join(name)).status().unwrap();
                assert!(checked.success(), "{text}");
            }
            assert!(!text.contains("\t"), "{text}");
        }
        let shards =
            fs::read_to_string(path.join("files").join(files[files.len().saturating_sub(2)])).unwrap();
        assert!(shards.contains("--games=6000 --seed=5 --shard"), "{shards}");
    }
}

/// The merge says what is missing, so that it runs also where shards were given up.
#[test]
fn shards_that_are_given_up_are_merged_too() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    cluster("kubernetes", &["--shards", "3"], path);
    let files = path.join("files");
    // A cluster where the job fails, and one where it is complete.
    for condition in ["failed", "complete"] {
        let kubectl = format!(
            "#!/bin/sh\necho \"$@\" >> {0}/calls\ncase \"$*\" in wait*={condition}*|apply*) exit 0 ;; *) exit 1 ;; esac\n",
            path.display()
        );
        fs::write(path.join("kubectl"), kubectl).unwrap();
        let made = Command::new("chmod").arg("+x").arg(path.join("kubectl")).status().unwrap();
        assert!(made.success());
        let search = format!("{}:{}", path.display(), std::env::var("PATH").unwrap());
        let submitted = Command::new("sh").arg(files.join("submit.sh")).env("PATH", search).output().unwrap();
        assert!(submitted.status.success(), "{}", String::from_utf8_lossy(&submitted.stderr));
        let calls = fs::read_to_string(path.join("calls")).unwrap();
        assert!(calls.ends_with("apply -f merge.yaml\n"), "{calls}");
        assert_eq!(calls.contains("condition=failed"), condition == "failed", "{calls}");
        fs::remove_file(path.join("calls")).unwrap();
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
fn what_has_no_shards_is_refused() {
    let dir = tempdir().unwrap();
    for (line, said) in [
        ("cluster slurm --out x", "required"),
        ("cluster pigeons --out x -- simulate", "pigeons"),
        ("cluster slurm --out x -- deal canfield", "only a command that plays many games"),
        ("cluster slurm --out x -- simulate --out y", "those of the cluster"),
        ("cluster slurm --out x -- simulate nowhere.toml", "cannot be measured"),
        ("cluster slurm --out x -- simulate --sed 1", "--seed"),
        ("cluster github --out x --shards 300 -- simulate -n 1e6", "at most 256"),
    ] {
        let told = run_program(&line.split(' ').collect::<Vec<_>>(), dir.path());
        assert_eq!((told.code, &*told.out), (Some(2), ""), "{line}: {}", told.err);
        assert!(told.err.contains(said), "{line}: {}", told.err);
        assert!(names(dir.path()).is_empty(), "{line}");
    }
}
