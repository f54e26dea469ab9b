//! Report folders: results are printed whatever happens to the folder, and reports are written completely or not at
//! all.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Child;

use crate::common::program::{Lab, Ran, busy, files, has, names, run_in, signal};

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
    "rules page -n 2 --patient-games 1 --matches 1",
];

/// A limit on the size of files, in blocks of 512 bytes, acts like a full disk.
const FULL: &str = "trap '' 25; ulimit -f 8";

/// Returns the output without times, which differ from run to run, and the report's location.
fn figures(out: &str) -> Vec<&str> {
    let lines = out.lines().take_while(|line| !line.starts_with("What it took"));
    let told = |line: &&str| !["Played at ", "Report: ", "Page: "].iter().any(|word| line.starts_with(word));
    lines.filter(|line| told(line) && !line.is_empty()).collect()
}

#[test]
fn one_chart_in_the_way_is_refused_before_playing() {
    for line in REPORTS {
        let lab = Lab::new();
        let told = lab.good(&format!("{line} --out good"));
        assert!(figures(&told).len() > 2 && told.ends_with(": good/index.html\n"), "{line}: {told}");
        let chart = names(&lab.at("good/charts")).remove(0);
        fs::create_dir_all(lab.at("out/charts").join(&chart).join("mine")).unwrap();
        lab.refused(
            &format!("{line} --out out"),
            &format!("cannot write out/charts/{chart}: there is a folder"),
        );
        assert_eq!(
            (names(&lab.at("out")), lab.names()),
            (vec!["charts".into()], vec!["good".into(), "out".into()])
        );
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
        let lab = Lab::new();
        let told = lab.limited(FULL, &format!("{line} --out out"));
        assert_eq!(told.code, Some(1), "{line}: {}", told.err);
        assert!(figures(&told.out).len() > 2, "{line}: {}", told.out);
        has(&told.err, "File too large");
        // Only the finished blocks remain, if there was room for them.
        assert!(files(lab.path()).keys().all(|name| blocks(name)), "{line}");
        let _ = fs::remove_dir_all(lab.at("out"));
        lab.good(&format!("{line} --out out"));
        let report = || files(lab.path()).into_iter().filter(|(name, _)| !blocks(name)).collect::<Vec<_>>();
        let before = report();
        let other = format!("{} --restart --out out", line.replace("-n 2", "-n 3"));
        assert_eq!(lab.limited(FULL, &other).code, Some(1), "{line}");
        assert!(report() == before, "{line}");
    }
    // Failing to write a script must not lose the result of hours of search.
    let lab = Lab::with(&[("mine.rhai", include_str!("../../scripts/tunable.rhai"))]);
    let line =
        "tune canfield mine.rhai --candidates 8 --generations 1 --deals 200 -n 200 --restart --out out";
    let tune = lab.limited("trap '' 25; ulimit -f 0", line);
    assert_eq!(tune.code, Some(1), "{}{}", tune.out, tune.err);
    assert!(tune.out.contains("LATE") && tune.err.contains("File too large"), "{}{}", tune.out, tune.err);
    assert_eq!(lab.names(), ["mine.rhai"]);
}

/// Starts a run that goes on until it is stopped, and waits for some blocks of its games.
fn endless(lab: &Lab) -> Child {
    let mut child = lab.start("simulate -n 1G --out out --threads 1 -q");
    while lab.at("out/run.blocks").metadata().map_or(0, |it| it.len()) < 4_000 {
        busy(&mut child, 0.01);
    }
    child
}

#[test]
fn a_folder_that_is_taken_away_loses_no_figures() {
    let lab = Lab::new();
    let child = endless(&lab);
    fs::remove_dir_all(lab.at("out")).unwrap();
    signal("INT", &child);
    let told = Ran::end(child);
    assert_eq!(told.code, Some(1), "{}", told.err);
    assert!(figures(&told.out).len() > 2, "{}", told.out);
    has(&told.err, "cannot write out: the folder was taken away");
    assert!(lab.names().is_empty());
}

#[test]
fn one_run_at_a_time_writes_to_a_folder() {
    let lab = Lab::new();
    let mut child = endless(&lab);
    for line in REPORTS {
        lab.refused(&format!("{line} --out out"), "another run is writing to out");
    }
    // It is the same folder under another name.
    symlink("out", lab.at("link")).unwrap();
    assert_eq!(lab.run(&format!("{} --out ./link", REPORTS[0])).code, Some(2));
    signal("KILL", &child);
    child.wait().unwrap();
    // The remains of a killed run do not lock anybody out.
    lab.good(&format!("{} --out out --restart", REPORTS[0]));
    assert_eq!(lab.names(), ["link", "out"]);
    assert_eq!(names(&lab.at("out")), ["charts", "index.html", "run.blocks", "summary.json", "tables"]);
}

#[test]
fn links_are_never_followed() {
    const PLANTED: [&str; 10] = [
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
    for line in ["simulate -n 50 --csv --out out", "sweep --vary stock.draw=1,3 --budget 2k --out out"] {
        let lab = Lab::with(&[("victim", "mine"), ("out/mine.txt", "")]);
        let unharmed = || assert_eq!(lab.read("victim"), "mine", "{line}");
        PLANTED.iter().for_each(|name| symlink("../victim", lab.at("out").join(name)).unwrap());
        symlink("victim", lab.at(".out.lock")).unwrap();
        // Both places for a lock are taken.
        assert_eq!(lab.run(line).code, Some(2), "{line}");
        unharmed();
        fs::remove_file(lab.at("out/.saratoga.lock")).unwrap();
        lab.good(line);
        unharmed();
        assert!(lab.at("out/index.html").symlink_metadata().unwrap().is_file(), "{line}");
        fs::remove_file(lab.at(".out.lock")).unwrap();
        assert_eq!(lab.run(line).code, Some(0), "{line}");
        unharmed();
    }
    // A script to be overwritten. Drawing on is certainly better than its default, so there is a script to write.
    let script = "const STOP = param(3, 0..=9);
fn score(view, m) { if view.cards > STOP { -1 } else if m.to_foundation { 9 } else if m.is_draw { 3 } else { 5 } }
";
    let lab = Lab::with(&[("victim", "mine"), ("mine.rhai", script)]);
    for name in ["new.rhai", "new.rhai.part"] {
        symlink("victim", lab.at(name)).unwrap();
    }
    lab.told(
        "tune single-pass mine.rhai --candidates 10 --generations 1 --deals 200 -n 500 --write new.rhai",
    );
    assert_eq!(lab.read("victim"), "mine");
    assert!(
        lab.at("new.rhai").symlink_metadata().unwrap().is_file() && lab.read("new.rhai").contains("param(9")
    );
}

/// The options of shards may come from a stranger.
#[test]
fn a_merge_writes_no_file_of_its_shards_over_another_or_elsewhere() {
    let lab = Lab::with(&[("victim.txt", "mine"), ("here/near.txt", "mine")]);
    let far = lab.at("far.txt");
    let line = "solve canfield -n 1 --nodes 1000 --shard 1/1 --quiet";
    for (named, shard) in [("victim.txt", "a"), (far.to_str().unwrap(), "b"), ("new.txt", "c")] {
        lab.good(&format!("{line} --write-deals open={named} --out {shard}"));
    }
    let merged = lab.run("merge a --out merged");
    assert_eq!(merged.code, Some(0), "{}", merged.err);
    has(&merged.err, "victim.txt is not written|--write-deals=open=victim.txt");
    assert_eq!(lab.read("victim.txt"), "mine");
    let inside = run_in("merge ../b --out merged", &lab.at("here"));
    has(&inside.err, "far.txt is not written");
    assert!(!far.exists());
    lab.good("merge c --quiet");
    has(&lab.read("new.txt"), "of 1 deal are open");
    // The command that is named writes it.
    lab.good("solve canfield -n 1 --nodes 1000 --quiet --write-deals open=victim.txt --out merged");
    has(&lab.read("victim.txt"), "of 1 deal are open");
}

#[test]
fn what_is_beside_a_report_stays() {
    let kept = ["out/mine.txt", "out/mine/deep.txt", "out/charts/mine.txt"];
    let lab = Lab::with(&kept.map(|name| (name, name)));
    lab.write("out/index.html", "old");
    let line = "simulate -n 50 --csv -q --out";
    lab.good(&format!("{line} fresh"));
    lab.good(&format!("{line} out"));
    // Into the current folder, and over a previous report.
    let inside = run_in(&format!("{line} ."), &lab.at("out"));
    assert_eq!(inside.code, Some(0), "{}", inside.err);
    lab.good(&format!("{line} out"));
    let (fresh, out) = (files(&lab.at("fresh")), files(&lab.at("out")));
    for (name, bytes) in fresh.iter().filter(|(name, _)| !name.ends_with("run.blocks")) {
        // The folder's name appears in none of its files.
        assert!(out[name] == *bytes, "{}", name.display());
    }
    kept.iter().for_each(|name| assert_eq!(lab.read(name), *name));
    assert_eq!((out.len(), lab.names()), (fresh.len() + kept.len(), vec!["fresh".into(), "out".into()]));
}
