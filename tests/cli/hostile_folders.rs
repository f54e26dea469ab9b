//! Report folders: results are printed whatever happens to the folder, and reports are written completely or not at
//! all.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::cli::experiments::{LINES, NIGHT};
use crate::common::program::{Lab, Ran, files, has, names, signal};

const SIMULATE: &str = "simulate -n 50";

/// Every command that writes a report.
fn reports() -> impl Iterator<Item = &'static str> {
    LINES.iter().copied().chain(["rules page -n 2 --patient-games 1 --matches 1"])
}

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
    for line in reports() {
        let lab = Lab::with(&[("night.csv", NIGHT)]);
        let told = lab.run(&format!("{line} --out good")).out;
        assert!(figures(&told).len() > 2 && told.ends_with(": good/index.html\n"), "{line}: {told}");
        let chart = names(&lab.at("good/charts")).remove(0);
        fs::create_dir_all(lab.at("out/charts").join(&chart).join("mine")).unwrap();
        lab.refused(
            &format!("{line} --out out"),
            &format!("cannot write out/charts/{chart}: there is a folder"),
        );
        assert_eq!(
            (names(&lab.at("out")), lab.names()),
            (vec!["charts".into()], ["good", "night.csv", "out"].map(String::from).to_vec())
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

/// A run that goes on until it is stopped.
const ENDLESS: &str = "simulate -n 1G --out out --threads 1 -q";

#[test]
fn a_folder_that_is_taken_away_loses_no_figures() {
    let lab = Lab::new();
    let child = lab.amid(ENDLESS, "out/run.blocks");
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
    let lab = Lab::with(&[("night.csv", NIGHT)]);
    let mut child = lab.amid(ENDLESS, "out/run.blocks");
    for line in reports() {
        lab.refused(&format!("{line} --out out"), "another run is writing to out");
    }
    // It is the same folder under another name.
    symlink("out", lab.at("link")).unwrap();
    assert_eq!(lab.run(&format!("{SIMULATE} --out ./link")).code, Some(2));
    signal("KILL", &child);
    child.wait().unwrap();
    // The remains of a killed run do not lock anybody out.
    lab.good(&format!("{SIMULATE} --out out --restart"));
    assert_eq!(lab.names(), ["link", "night.csv", "out"]);
    assert_eq!(names(&lab.at("out")), ["charts", "index.html", "run.blocks", "summary.json", "tables"]);
}
