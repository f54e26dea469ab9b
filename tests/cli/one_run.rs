//! A run is identified regardless of whether defaults are given explicitly and how numbers are written, and every other
//! run differs.

use std::fs;

use tempfile::tempdir;

use crate::cli::run::{good, run, words};

/// A command, equivalent options of it, and those of different runs.
pub const RUNS: [(&str, &str, &str); 25] = [
    (
        "simulate",
        "canfield | -s greedy | -n 100k | --games 100_000 | --night 200",
        "draw-one | -s patient | -n 99k | --seed 2 | --night 199",
    ),
    ("simulate -n 3000", "canfield -s greedy -n 3e3 | -n 3k | -n 3.0k", "-n 3_001"),
    ("simulate --precision 1pp", "--precision 1.0pp -n 1G", "--precision 1 | --precision 1pp -n 10M"),
    (
        "simulate --clairvoyant",
        "--clairvoyant=200 --clairvoyant-nodes 2e5 | --clairvoyant=0.2k",
        " | --clairvoyant=201",
    ),
    (
        "simulate --patrons greedy:60%,patient:40%",
        "--patrons greedy:60.0%,patient:40%",
        "-s greedy --patrons greedy:60%,patient:40% | --patrons greedy:61%,patient:39%",
    ),
    (
        "compare -s patient -s greedy",
        "canfield -s patient -s greedy -n 1M --measure cards | -s patient -s greedy --alpha 5% --beta 0.05 --show 0",
        "-s greedy -s patient | -s patient -s greedy --alpha 4% | -s patient -s greedy --difference 0.1",
    ),
    (
        "compare -s patient -s greedy --difference 0.1",
        "-s patient -s greedy --difference 0.10 --alpha 5%",
        "-s patient -s greedy --difference 0.2",
    ),
    ("compare -s patient -s greedy --alpha 7%", "-s patient -s greedy --alpha 0.07", "-s patient -s greedy"),
    (
        "compare -s patient -s greedy --measure wins --difference 0.5pp",
        "-s patient -s greedy --measure wins --difference 0.50pp",
        "-s patient -s greedy --measure wins --difference 0.6pp",
    ),
    (
        "compare -s patient -s greedy -s hoarder",
        "-s patient -s greedy -s hoarder -n 100k",
        "-s patient -s greedy -s hoarder -n 1M",
    ),
    ("compare --rules canfield,superior", "--rules canfield,superior -s greedy", "--rules superior,canfield"),
    (
        "sweep --vary stock.draw=1..3",
        "canfield --vary stock.draw=1..3 -s greedy --precision 1pp | --rules canfield --vary stock.draw=1..3 --budget 1e7 --target-edge 0%",
        "--vary stock.draw=1..4 | --vary stock.draw=1..3 --budget 9M | draw-one --vary stock.draw=1..3",
    ),
    ("sweep --vary stock.draw=1..3 -n 2k", "--vary stock.draw=1..3 -n 2_000", "--vary stock.draw=1..3"),
    (
        "price",
        "canfield -s greedy -n 1e5 --variant-games 20k | --at 52 --target-edge 5.0% --round 1.00 | --at $52.00",
        "--at 53 | --variant-games 19k | --target-edge 6% | -s patient",
    ),
    ("price -n 5k", "-n 5k --variant-games 5000", "-n 5k --variant-games 20k"),
    (
        "bankroll",
        "canfield -s greedy --at 52 | --bank 5,000 --decks 200 --bootstrap 500 --search-games 2k",
        "-s patient | --bank 5001 | --patrons greedy:100%",
    ),
    (
        "bankroll --patrons greedy:60%,patient:40%",
        "--patrons greedy:60%,patient:40.0% --at 52.00",
        "--patrons patient:40%,greedy:60%",
    ),
    (
        "plan",
        "canfield --best shark | --target-edge 5.0%..10% --bank $5000 --clairvoyant 0.2k --nodes 3e5",
        "--at 60 | --best expert | --target-edge 5%..9%",
    ),
    ("plan --at 60", "--at 60.00", "--at 61 | "),
    (
        "tune canfield tunable --no-write",
        "canfield tunable --no-write --deals 2e3 -n 1e5 --measure cards",
        "canfield tunable --no-write --deals 3k",
    ),
    (
        "bracket",
        "canfield -n 1k --choose 200 | -s greedy -s patient -s hoarder -s search:level=2 --nodes 300_000",
        "-s greedy | --choose 201 | -n 999",
    ),
    (
        "contest racing-demon -n 1k",
        "racing-demon -n 1_000 --factors 0.5,0.67,0.8,1,1.25,1.5,2 | racing-demon --matches 1000 --players 4 | racing-demon -n 1k --speed 1.0",
        "racing-demon -n 1k --players 5 | racing-demon -n 1k --speed 2 | racing-demon -n 1k --no-factors",
    ),
    (
        "contest racing-demon -n 1k --no-factors -s patient",
        "racing-demon -n 1k --factors= -s patient | racing-demon -n 1k --no-factors -s patient -s patient -s patient -s patient",
        "racing-demon -n 1k -s patient | racing-demon -n 1k --no-factors -s greedy",
    ),
    (
        "solve",
        "canfield -n 100 --goal win --seconds 10 | --memory 1GiB --seconds 10.0 | --memory 1024MiB",
        "-n 101 | --goal cards | --nodes 1k | --memory 512MiB | --seconds 9",
    ),
    (
        "solve -s greedy --nodes 1k",
        "-s greedy --nodes 1e3 --goal cards",
        "-s greedy --nodes 1k --seconds 10 | --nodes 1k",
    ),
];

#[test]
fn what_means_the_same_is_one_run() {
    for (line, same, others) in RUNS {
        let dir = tempdir().unwrap();
        let out = dir.path().join("out");
        // With this many shards the last has no block to compute.
        let shard = ["--shard", "100000/100000", "--out", "out", "-q"];
        let (command, _) = line.split_once(' ').unwrap_or((line, ""));
        let words = |options: &'static str| [&[command], &words(options)[..], &shard].concat();
        good(&words(line.strip_prefix(command).unwrap()), dir.path());
        let made = fs::read(out.join("shard-100000-of-100000.blocks")).unwrap();
        for again in same.split(" | ") {
            let ran = run(&words(again), dir.path());
            assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{line} is also {again}");
        }
        for other in others.split(" | ") {
            let ran = run(&words(other), dir.path());
            assert_eq!(ran.code, Some(2), "{line} is not {other}: {}", ran.err);
            assert!(ran.err.contains("another run is kept in"), "{line} is not {other}: {}", ran.err);
        }
        assert!(fs::read(out.join("shard-100000-of-100000.blocks")).unwrap() == made, "{line}");
    }
}
