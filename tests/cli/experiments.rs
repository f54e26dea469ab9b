//! Every experiment, that is, every command with a report: it is in the lists of the tests and in the guides; its own command
//! makes its report again to the byte, at any number of threads, after an interruption and in shards; and a run is known by
//! what it means.

use std::fs;
use std::path::Path;

use saratoga::lab::WHOLE;
use serde_json::Value;

use crate::common::program::{Lab, files, has};
use crate::json_schema::valid;

/// A small run of each experiment.
pub const LINES: &[&str] = &[
    "simulate canfield bsd -s greedy -s patient -n 4500",
    "simulate canfield -n 3000 --csv --clairvoyant=6 --clairvoyant-nodes 20k",
    "compare -s patient -s greedy -n 20k --show 3",
    "sweep canfield --vary stock.draw=1..3 --precision 5pp --budget 40k",
    "price canfield -n 3000 --variant-games 1000",
    "bankroll canfield --patrons greedy:60%,tunable:late=3:40% -n 3000 --decks 10 --bootstrap 100",
    "plan canfield --patrons greedy:60%,patient:40% --best greedy -n 3000 --decks 10 --nights 2 --bootstrap 100 \
     --clairvoyant 4 --nodes 5k",
    "tune canfield tunable --candidates 4 --generations 2 --deals 500 -n 2000 --no-write",
    "design canfield --vary stock.draw=1..3 --vary stock.redeals=0..2 --want wins(ordinary)=1%..8% --want edge=3%..6% \
     --want minutes=min --price round=1 -n 2000 --variants 3",
    "bracket single-pass -s greedy -s search:level=1 -n 12 --nodes 2k --vary stock.redeals=0,1",
    "character single-pass klondike -s beginner -s greedy -s search:level=1 -n 50 --judged 4 --nodes 2k",
    "contest racing-demon -s racer -s greedy -s greedy -s greedy -n 40 --factors 0.5,2",
    "solve single-pass -s greedy -n 12 --nodes 20k",
    "estimate night.csv --rules canfield --patrons greedy:50%,patient:50% -n 1000",
];

/// The night of `estimate`, `night.csv`.
pub const NIGHT: &str = "cards\n5\n52\n11\n1\n7\n";

/// Experiments that keep no blocks, so that their runs are neither resumed nor shared.
const KEEP_NOTHING: [&str; 1] = ["estimate"];

fn command(line: &str) -> &str {
    line.split_whitespace().next().unwrap()
}

fn experiments(lab: &Lab) -> Vec<String> {
    let help = lab.good("--help");
    let (_, commands) = help.split_once("\nCommands:\n").expect("the help lists the commands");
    let names = commands.lines().map_while(|line| line.split_whitespace().next());
    let reports =
        |name: &&str| *name != "help" && lab.good(&format!("{name} --help")).contains("--no-report");
    names.filter(reports).map(String::from).collect()
}

#[test]
fn every_experiment_is_in_every_list() {
    let [readme, script] = ["README.md", "reports/regenerate"].map(|it| fs::read_to_string(it).unwrap());
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let gallery = script.split("GALLERY='\n").nth(1).and_then(|rest| rest.split("\n'").next()).unwrap();
    let lists: [(&str, Vec<&str>, &[&str]); 4] = [
        ("LINES of tests/cli/experiments.rs", LINES.to_vec(), &[]),
        ("tests/data/same-runs.txt", RUNS.lines().filter(|line| !line.is_empty()).collect(), &KEEP_NOTHING),
        (
            "GALLERY of reports/regenerate",
            gallery.lines().filter_map(|it| it.split_whitespace().nth(2)).collect(),
            &[],
        ),
        ("the table of commands in README.md", rows.collect(), &[]),
    ];
    let experiments = experiments(&Lab::new());
    assert!(experiments.len() > 10, "{experiments:?}");
    let missing = lists.iter().flat_map(|(place, lines, without)| {
        let needed = experiments.iter().filter(|name| !without.contains(&&***name));
        let lacking = needed.filter(|name| !lines.iter().any(|line| command(line) == **name));
        lacking.map(move |name| format!("add a line of {name} to {place}"))
    });
    let missing: Vec<String> = missing.collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

fn schema() -> Value {
    serde_json::from_slice(&fs::read("reports/summary.schema.json").unwrap()).unwrap()
}

/// Checks that two folders hold the same report; their blocks may be in another order.
pub fn same(line: &str, a: &Path, b: &Path) {
    let report = |folder| {
        let named = files(folder).into_iter().map(|(name, bytes)| (name.display().to_string(), bytes));
        named
            .filter(|(name, _)| !name.ends_with(".blocks") && !name.ends_with(".progress"))
            .collect::<Vec<_>>()
    };
    let (a, b) = (report(a), report(b));
    assert!(a.len() > 6 && a.iter().map(|it| &it.0).eq(b.iter().map(|it| &it.0)), "{line}");
    // Only the time of a search depends on the machine.
    let timed =
        |name: &str| ["deals.csv", "summary.json", "index.html"].contains(&name) || name.contains("took");
    for ((name, a), (_, b)) in a.iter().zip(&b) {
        assert!(line.starts_with("solve") && timed(name) || a == b, "{line}: {name} differs");
    }
}

/// Makes the report of a run in every way.
fn made_in_every_way(lines: &[&str]) {
    let schema = schema();
    for line in lines {
        let lab = Lab::with(&[("night.csv", NIGHT)]);
        lab.good(&format!("{line} --out whole -q --threads 1"));
        let summary = lab.data("whole/summary.json");
        valid(&schema, &summary, line).unwrap();
        let again = summary["command"].as_str().unwrap().strip_prefix("saratoga ").unwrap();
        lab.good(&format!("{again} --out again -q --threads 3"));
        same(line, &lab.at("whole"), &lab.at("again"));
        if KEEP_NOTHING.contains(&command(line)) {
            continue;
        }
        // Cut off within its last block.
        let blocks = lab.bytes(&format!("whole/{WHOLE}"));
        lab.write(&format!("cut/{WHOLE}"), &blocks[..blocks.len() - 140]);
        lab.good(&format!("{line} --out cut -q"));
        same(line, &lab.at("whole"), &lab.at("cut"));
        // In shards. There are few rounds: whatever does not depend on results is played in the first.
        let most = match command(line) {
            "design" | "sweep" | "tune" => 12,
            "compare" | "plan" | "solve" => 3,
            _ if line.contains("--clairvoyant") => 2,
            _ => 1,
        };
        let merged = (0..most).any(|_| {
            for shard in ["1/3", "2/3", "3/3"] {
                lab.good(&format!("{line} --shard {shard} --out parts -q"));
            }
            let merged = lab.run("merge parts -q");
            if merged.code != Some(0) {
                has(&merged.err, "missing|/3 --out parts");
            }
            merged.code == Some(0)
        });
        assert!(merged, "{line} takes more than {most} rounds");
        same(line, &lab.at("whole"), &lab.at("parts"));
    }
}

#[test]
fn runs_and_comparisons_are_made_in_every_way() {
    made_in_every_way(&LINES[..4]);
}

#[test]
fn nights_and_plans_are_made_in_every_way() {
    made_in_every_way(&LINES[4..7]);
}

#[test]
fn searches_and_contests_are_made_in_every_way() {
    made_in_every_way(&LINES[7..]);
}

const SAMPLE: &str = "compare-canfield-patient+greedy-1";

#[test]
fn the_sample_is_current_to_the_byte() {
    let lab = Lab::new();
    let sample = Path::new("reports").join(SAMPLE);
    let stamp = fs::read_to_string(sample.join("stamp")).unwrap();
    let command = stamp.lines().find_map(|line| line.strip_prefix("saratoga ")).unwrap();
    lab.good(&format!("{command} --quiet --out {SAMPLE}"));
    // Its charts are embedded in its page.
    for file in ["index.html", "summary.json"] {
        let same = lab.bytes(&format!("{SAMPLE}/{file}")) == fs::read(sample.join(file)).unwrap();
        assert!(same, "{file} has changed: run `reports/regenerate --only {SAMPLE}` and look at it");
    }
    // The schema refuses what is not of the convention.
    let mut summary = lab.data(&format!("{SAMPLE}/summary.json"));
    summary["entries"][0]["houseEdge"] = 1.into();
    assert!(valid(&schema(), &summary, "another key").is_err());
}

const RUNS: &str = include_str!("../data/same-runs.txt");

#[test]
fn what_means_the_same_is_one_run() {
    let blocks = "out/shard-100000-of-100000.blocks";
    // With this many shards the last has no block to compute.
    let shard = |line: &str| format!("{line} --shard 100000/100000 --out out -q");
    let (mut lab, mut run, mut made) = (Lab::new(), "", Vec::new());
    for line in RUNS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let with = |options: &str| shard(&format!("{} {options}", command(run)));
        if let Some(same) = line.strip_prefix('=') {
            assert_eq!(lab.good(&with(same)), "", "{run} is also {same}");
        } else if let Some(other) = line.strip_prefix('!') {
            lab.refused(&with(other), "another run is kept in");
            assert!(lab.bytes(blocks) == made, "{run}");
        } else {
            (lab, run) = (Lab::new(), line);
            lab.good(&shard(run));
            made = lab.bytes(blocks);
        }
    }
}
