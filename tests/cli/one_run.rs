//! A run is identified regardless of whether defaults are given explicitly and how numbers are written, and every other
//! run differs.

use std::fs;

use tempfile::tempdir;

use crate::run::{good, run};

/// A command, equivalent forms, and different commands.
pub const RUNS: [(&str, &[&str], &[&str]); 25] = [
    (
        "simulate",
        &[
            "simulate canfield",
            "simulate -s greedy",
            "simulate -n 100k",
            "simulate --games 100_000",
            "simulate --night 200",
        ],
        &[
            "simulate draw-one",
            "simulate -s patient",
            "simulate -n 99k",
            "simulate --seed 2",
            "simulate --night 199",
        ],
    ),
    (
        "simulate -n 3000",
        &["simulate canfield -s greedy -n 3e3", "simulate -n 3k", "simulate -n 3.0k"],
        &["simulate -n 3_001"],
    ),
    (
        "simulate --precision 1pp",
        &["simulate --precision 1.0pp -n 1G"],
        &["simulate --precision 1", "simulate --precision 1pp -n 10M"],
    ),
    (
        "simulate --clairvoyant",
        &["simulate --clairvoyant=200 --clairvoyant-nodes 2e5", "simulate --clairvoyant=0.2k"],
        &["simulate", "simulate --clairvoyant=201"],
    ),
    (
        "simulate --patrons greedy:60%,patient:40%",
        &["simulate --patrons greedy:60.0%,patient:40%"],
        &["simulate -s greedy --patrons greedy:60%,patient:40%", "simulate --patrons greedy:61%,patient:39%"],
    ),
    (
        "compare -s patient -s greedy",
        &[
            "compare canfield -s patient -s greedy -n 1M --measure cards",
            "compare -s patient -s greedy --alpha 5% --beta 0.05 --show 0",
        ],
        &[
            "compare -s greedy -s patient",
            "compare -s patient -s greedy --alpha 4%",
            "compare -s patient -s greedy --difference 0.1",
        ],
    ),
    (
        "compare -s patient -s greedy --difference 0.1",
        &["compare -s patient -s greedy --difference 0.10 --alpha 5%"],
        &["compare -s patient -s greedy --difference 0.2"],
    ),
    (
        "compare -s patient -s greedy --alpha 7%",
        &["compare -s patient -s greedy --alpha 0.07"],
        &["compare -s patient -s greedy"],
    ),
    (
        "compare -s patient -s greedy --measure wins --difference 0.5pp",
        &["compare -s patient -s greedy --measure wins --difference 0.50pp"],
        &["compare -s patient -s greedy --measure wins --difference 0.6pp"],
    ),
    (
        "compare -s patient -s greedy -s hoarder",
        &["compare -s patient -s greedy -s hoarder -n 100k"],
        &["compare -s patient -s greedy -s hoarder -n 1M"],
    ),
    (
        "compare --rules canfield,superior",
        &["compare --rules canfield,superior -s greedy"],
        &["compare --rules superior,canfield"],
    ),
    (
        "sweep --vary stock.draw=1..3",
        &[
            "sweep canfield --vary stock.draw=1..3 -s greedy --precision 1pp",
            "sweep --rules canfield --vary stock.draw=1..3 --budget 1e7 --target-edge 0%",
        ],
        &[
            "sweep --vary stock.draw=1..4",
            "sweep --vary stock.draw=1..3 --budget 9M",
            "sweep draw-one --vary stock.draw=1..3",
        ],
    ),
    (
        "sweep --vary stock.draw=1..3 -n 2k",
        &["sweep --vary stock.draw=1..3 -n 2_000"],
        &["sweep --vary stock.draw=1..3"],
    ),
    (
        "price",
        &[
            "price canfield -s greedy -n 1e5 --variant-games 20k",
            "price --at 52 --target-edge 5.0% --round 1.00",
            "price --at $52.00",
        ],
        &["price --at 53", "price --variant-games 19k", "price --target-edge 6%", "price -s patient"],
    ),
    ("price -n 5k", &["price -n 5k --variant-games 5000"], &["price -n 5k --variant-games 20k"]),
    (
        "bankroll",
        &[
            "bankroll canfield -s greedy --at 52",
            "bankroll --bank 5,000 --decks 200 --bootstrap 500 --search-games 2k",
        ],
        &["bankroll -s patient", "bankroll --bank 5001", "bankroll --patrons greedy:100%"],
    ),
    (
        "bankroll --patrons greedy:60%,patient:40%",
        &["bankroll --patrons greedy:60%,patient:40.0% --at 52.00"],
        &["bankroll --patrons patient:40%,greedy:60%"],
    ),
    (
        "plan",
        &[
            "plan canfield --best shark",
            "plan --target-edge 5.0%..10% --bank $5000 --clairvoyant 0.2k --nodes 3e5",
        ],
        &["plan --at 60", "plan --best expert", "plan --target-edge 5%..9%"],
    ),
    ("plan --at 60", &["plan --at 60.00"], &["plan --at 61", "plan"]),
    (
        "tune canfield tunable --no-write",
        &["tune canfield tunable --no-write --deals 2e3 -n 1e5 --measure cards"],
        &["tune canfield tunable --no-write --deals 3k"],
    ),
    (
        "bracket",
        &[
            "bracket canfield -n 1k --choose 200",
            "bracket -s greedy -s patient -s hoarder -s search:level=2 --nodes 300_000",
        ],
        &["bracket -s greedy", "bracket --choose 201", "bracket -n 999"],
    ),
    (
        "contest racing-demon -n 1k",
        &[
            "contest racing-demon -n 1_000 --factors 0.5,0.67,0.8,1,1.25,1.5,2",
            "contest racing-demon --matches 1000 --players 4",
            "contest racing-demon -n 1k --speed 1.0",
        ],
        &[
            "contest racing-demon -n 1k --players 5",
            "contest racing-demon -n 1k --speed 2",
            "contest racing-demon -n 1k --no-factors",
        ],
    ),
    (
        "contest racing-demon -n 1k --no-factors -s patient",
        &[
            "contest racing-demon -n 1k --factors= -s patient",
            "contest racing-demon -n 1k --no-factors -s patient -s patient -s patient -s patient",
        ],
        &["contest racing-demon -n 1k -s patient", "contest racing-demon -n 1k --no-factors -s greedy"],
    ),
    (
        "solve",
        &[
            "solve canfield -n 100 --goal win --seconds 10",
            "solve --memory 1GiB --seconds 10.0",
            "solve --memory 1024MiB",
        ],
        &[
            "solve -n 101",
            "solve --goal cards",
            "solve --nodes 1k",
            "solve --memory 512MiB",
            "solve --seconds 9",
        ],
    ),
    (
        "solve -s greedy --nodes 1k",
        &["solve -s greedy --nodes 1e3 --goal cards"],
        &["solve -s greedy --nodes 1k --seconds 10", "solve --nodes 1k"],
    ),
];

#[test]
fn what_means_the_same_is_one_run() {
    for (line, same, others) in RUNS {
        let dir = tempdir().unwrap();
        let out = dir.path().join("out");
        // With this many shards the last has no block to compute.
        let shard = ["--shard", "100000/100000", "--out", "out", "-q"];
        let words = |line: &'static str| line.split_whitespace().chain(shard).collect::<Vec<_>>();
        good(&words(line), dir.path());
        let made = fs::read(out.join("shard-100000-of-100000.blocks")).unwrap();
        for again in same {
            let ran = run(&words(again), dir.path());
            assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{line} is also {again}");
        }
        for other in others {
            let ran = run(&words(other), dir.path());
            assert_eq!(ran.code, Some(2), "{line} is not {other}: {}", ran.err);
            assert!(ran.err.contains("another run is kept in"), "{line} is not {other}: {}", ran.err);
        }
        assert!(fs::read(out.join("shard-100000-of-100000.blocks")).unwrap() == made, "{line}");
    }
}
