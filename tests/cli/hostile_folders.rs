//! Report folders: results are printed whatever happens to the folder, and reports are written completely or not at
//! all.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::tempdir;

use crate::cli::run::{command, files, good, limited, names, ran, run as run_program, words};

/// Every command that writes a report, with few games.
const REPORTS: [&str; 10] = [
    "simulate -n 50",
    "simulate -n 50 --csv",
    "compare -s greedy -s random -n 50",
    "sweep --vary stock.draw=1,3 --budget 2k",
    "price -n 50 --variant-games 10",
    "bankroll -n 1000 --decks 5 --bootstrap 100",
    "tune canfield tunable --candidates 2 --generations 1 --deals 10 -n 50 --no-write",
    "solve single-pass -n 2 --nodes 200",
    "contest nerts -n 2 --no-factors",
    "rules page -n 10 --patient-games 2 --matches 1",
];

/// A limit on the size of files, in blocks of 512 bytes, acts like a full disk.
const FULL: &str = "trap '' 25; ulimit -f 8";

fn with_out<'a>(line: &'a str, out: &'a str) -> Vec<&'a str> {
    [&words(line)[..], &["--out", out]].concat()
}

/// Returns the output without times, which differ from run to run, and the report's location.
fn figures(out: &str) -> Vec<&str> {
    let lines = out.lines().take_while(|line| !line.starts_with("What it took"));
    let told = |line: &&str| !["Played at ", "Report: ", "Page: "].iter().any(|word| line.starts_with(word));
    lines.filter(|line| told(line) && !line.is_empty()).collect()
}

#[test]
fn one_chart_in_the_way_is_refused_before_playing() {
    for line in REPORTS {
        let dir = tempdir().unwrap();
        let told = good(&with_out(line, "good"), dir.path());
        assert!(figures(&told).len() > 2 && told.ends_with(": good/index.html\n"), "{line}: {told}");
        let chart = names(&dir.path().join("good/charts")).remove(0);
        fs::create_dir_all(dir.path().join("out/charts").join(&chart).join("mine")).unwrap();
        let ran = run_program(&with_out(line, "out"), dir.path());
        assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{line}: {}", ran.err);
        let why = format!("cannot write out/charts/{chart}: there is a folder");
        assert!(ran.err.contains(&why), "{line}: {}", ran.err);
        assert_eq!(names(&dir.path().join("out")), ["charts"], "{line}");
        assert_eq!(names(dir.path()), ["good", "out"], "{line}");
    }
}

#[test]
fn a_full_disk_leaves_the_report_that_was() {
    let blocks = |name: &Path| name.display().to_string().starts_with("out/run.");
    for line in [
        "simulate -n 2000 --csv",
        "sweep --vary stock.draw=1,3 --budget 4k",
        "solve single-pass -n 2 --nodes 200",
    ] {
        let dir = tempdir().unwrap();
        let told = limited(FULL, &with_out(line, "out"), dir.path());
        assert_eq!(told.code, Some(1), "{line}: {}", told.err);
        assert!(figures(&told.out).len() > 2, "{line}: {}", told.out);
        assert!(told.err.contains("File too large"), "{line}: {}", told.err);
        // Only the finished blocks remain, if there was room for them.
        assert!(files(dir.path()).keys().all(|name| blocks(name)), "{line}");
        let _ = fs::remove_dir_all(dir.path().join("out"));
        good(&with_out(line, "out"), dir.path());
        let report = || files(dir.path()).into_iter().filter(|(name, _)| !blocks(name)).collect::<Vec<_>>();
        let before = report();
        let other = line.replace("-n 2", "-n 3") + " --restart";
        assert_eq!(limited(FULL, &with_out(&other, "out"), dir.path()).code, Some(1), "{line}");
        assert!(report() == before, "{line}");
    }
    let dir = tempdir().unwrap();
    let csv = limited(FULL, &with_out("simulate -n 3000 --csv", "out"), dir.path());
    assert!(csv.err.starts_with("warning: cannot write games.csv: File too large"), "{}", csv.err);
    assert!(csv.err.trim_end().lines().count() == 4 && csv.out.contains("3,000"), "{}{}", csv.err, csv.out);
    // Failing to write a script must not lose the result of hours of search.
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("mine.rhai"), saratoga::strategy::load("tunable").unwrap().text().unwrap())
        .unwrap();
    let line = "tune canfield mine.rhai --candidates 8 --generations 1 --deals 200 -n 200 --restart";
    let tune = limited("trap '' 25; ulimit -f 0", &with_out(line, "out"), dir.path());
    assert_eq!(tune.code, Some(1), "{}{}", tune.out, tune.err);
    assert!(tune.out.contains("LATE") && tune.err.contains("File too large"), "{}{}", tune.out, tune.err);
    assert_eq!(names(dir.path()), ["mine.rhai"]);
}

/// Starts a run that goes on until it is killed, and waits for its folder.
fn endless(folder: &Path) -> Child {
    let args = ["simulate", "-n", "1G", "--out", "out", "--threads", "1", "-q"];
    let child = command(&args, folder).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    while !(folder.join(".out.lock").exists() && folder.join("out").exists()) {
        assert!(started.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    // A few blocks of games, so that there are results.
    std::thread::sleep(Duration::from_millis(1500));
    child
}

fn signal(name: &str, child: &Child) {
    let kill = format!("kill -{name} {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
}

#[test]
fn a_folder_that_is_taken_away_loses_no_figures() {
    let dir = tempdir().unwrap();
    let child = endless(dir.path());
    fs::remove_dir_all(dir.path().join("out")).unwrap();
    signal("INT", &child);
    let told = ran(child.wait_with_output().unwrap());
    assert_eq!(told.code, Some(1), "{}", told.err);
    assert!(figures(&told.out).len() > 2, "{}", told.out);
    assert!(told.err.contains("cannot write out: the folder was taken away"), "{}", told.err);
    assert!(names(dir.path()).is_empty());
}

#[test]
fn one_run_at_a_time_writes_to_a_folder() {
    let dir = tempdir().unwrap();
    let mut child = endless(dir.path());
    for line in REPORTS {
        let told = run_program(&with_out(line, "out"), dir.path());
        assert_eq!((told.code, &*told.out), (Some(2), ""), "{line}: {}", told.err);
        assert!(told.err.contains("another run is writing to out"), "{line}: {}", told.err);
    }
    // It is the same folder under another name.
    symlink("out", dir.path().join("link")).unwrap();
    assert_eq!(run_program(&with_out(REPORTS[0], "./link"), dir.path()).code, Some(2));
    assert!(dir.path().join("out").exists());
    signal("KILL", &child);
    child.wait().unwrap();
    // The remains of a killed run do not lock anybody out.
    good(&[&with_out(REPORTS[0], "out")[..], &["--restart"]].concat(), dir.path());
    assert_eq!(names(dir.path()), ["link", "out"]);
    assert_eq!(
        names(&dir.path().join("out")),
        ["charts", "index.html", "run.blocks", "summary.json", "tables"]
    );
}

#[test]
fn links_are_never_followed() {
    for line in ["simulate -n 50 --csv", "sweep --vary stock.draw=1,3 --budget 2k"] {
        let dir = tempdir().unwrap();
        let path = dir.path();
        fs::create_dir(path.join("out")).unwrap();
        fs::write(path.join("victim"), "mine").unwrap();
        let planted = [
            "index.html",
            "summary.json",
            "games.csv",
            "cells.csv",
            ".saratoga-probe",
            "index.html.part",
            "summary.json.part",
            "run.progress",
            "games.csv.part",
            ".saratoga.lock",
        ];
        planted.iter().for_each(|name| symlink("../victim", path.join("out").join(name)).unwrap());
        symlink("victim", path.join(".out.lock")).unwrap();
        let told = run_program(&with_out(line, "out"), path);
        assert_eq!(fs::read_to_string(path.join("victim")).unwrap(), "mine", "{line}");
        // Both places for a lock are taken.
        assert_eq!(told.code, Some(2), "{line}: {}", told.err);
        fs::remove_file(path.join("out/.saratoga.lock")).unwrap();
        good(&with_out(line, "out"), path);
        assert_eq!(fs::read_to_string(path.join("victim")).unwrap(), "mine", "{line}");
        assert!(path.join("out/index.html").symlink_metadata().unwrap().is_file(), "{line}");
        fs::remove_file(path.join(".out.lock")).unwrap();
        assert_eq!(run_program(&with_out(line, "out"), path).code, Some(0), "{line}");
        assert_eq!(fs::read_to_string(path.join("victim")).unwrap(), "mine", "{line}");
    }
    // A script to be overwritten.
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("victim"), "mine").unwrap();
    for name in ["new.rhai", "new.rhai.part"] {
        symlink("victim", dir.path().join(name)).unwrap();
    }
    // Drawing on is certainly better than its default, so there is a script to write.
    let script = "const STOP = param(3, 0..=9);
fn score(view, m) { if view.cards > STOP { -1 } else if m.to_foundation { 9 } else if m.is_draw { 3 } else { 5 } }
";
    fs::write(dir.path().join("mine.rhai"), script).unwrap();
    let line = "tune single-pass mine.rhai --candidates 10 --generations 1 --deals 200 -n 500 --no-report -q --write new.rhai";
    good(&line.split(' ').collect::<Vec<_>>(), dir.path());
    assert_eq!(fs::read_to_string(dir.path().join("victim")).unwrap(), "mine");
    assert!(dir.path().join("new.rhai").symlink_metadata().unwrap().is_file());
    assert!(fs::read_to_string(dir.path().join("new.rhai")).unwrap().contains("param(9"));
}

#[test]
fn what_is_beside_a_report_stays() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    good(&with_out("simulate -n 50 --csv", "fresh"), path);
    let fresh = files(&path.join("fresh"));
    let kept = ["mine.txt", "mine/deep.txt", "charts/mine.txt"];
    fs::create_dir_all(path.join("out/mine")).unwrap();
    fs::create_dir_all(path.join("out/charts")).unwrap();
    kept.iter().for_each(|name| fs::write(path.join("out").join(name), name).unwrap());
    fs::write(path.join("out/index.html"), "old").unwrap();
    good(&with_out("simulate -n 50 --csv", "out"), path);
    // Into the current folder, and over a previous report.
    good(&with_out("simulate -n 50 --csv -q", "."), &path.join("out"));
    good(&with_out("simulate -n 50 --csv -q", "out"), path);
    let out = files(&path.join("out"));
    for (name, bytes) in fresh.iter().filter(|(name, _)| !name.ends_with("run.blocks")) {
        // The folder's name appears in none of its files.
        assert!(out[name] == *bytes, "{}", name.display());
    }
    for name in kept {
        assert_eq!(out[Path::new(name)], name.as_bytes());
    }
    assert_eq!(out.len(), fresh.len() + kept.len());
    assert_eq!(names(path), ["fresh", "out"]);
}
