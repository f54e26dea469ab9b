//! Every cell of a `sweep` has figures or a reason, and every shape of sweep its charts.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::cli::run::{good, names, run};

const SMALL: [&str; 8] = [
    "sweep",
    "canfield",
    "--vary",
    "stock.draw=1,3,60",
    "--vary",
    "stock.redeals=0,unlimited",
    "--budget",
    "20k",
];

fn json(args: &[&str], dir: &Path) -> Value {
    serde_json::from_str(&good(&[args, &["--json"]].concat(), dir)).unwrap()
}

#[test]
fn cells_have_figures_or_reasons() {
    let dir = tempfile::tempdir().unwrap();
    let sweep = json(&SMALL, dir.path());
    assert!(names(dir.path()).is_empty());
    let cells = sweep["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 6);
    assert_eq!(cells[3]["values"]["stock.redeals"], "unlimited");
    assert_eq!(cells[3]["as_written"], true);
    // An exact second opinion: the same games, played by simulate.
    let games = cells[3]["summary"]["games"].to_string();
    let alone = json(&["simulate", "canfield", "-n", &games, "--no-report"], dir.path());
    for key in ["cards", "win_rate", "house_edge", "histogram"] {
        assert_eq!(cells[3]["summary"][key], alone["entries"][0]["summary"][key], "{key}");
    }
    assert_eq!(cells[4]["summary"], Value::Null);
    assert!(cells[4]["impossible"][0].as_str().unwrap().contains("`stock.draw` cannot be 60"));
    // A cell plays a ruleset that anyone can save and play.
    let text = cells[0]["ruleset"].as_str().unwrap();
    fs::write(dir.path().join("cell.toml"), text).unwrap();
    let games = cells[0]["summary"]["games"].to_string();
    let alone = json(&["simulate", "cell.toml", "-n", &games, "--no-report"], dir.path());
    assert_eq!(cells[0]["summary"]["histogram"], alone["entries"][0]["summary"]["histogram"]);
}

#[test]
fn every_shape_has_its_charts() {
    let dir = tempfile::tempdir().unwrap();
    let three = [&SMALL[..], &["--vary", "reserve.size=10,13"]].concat();
    let one = [
        "sweep",
        "--vary",
        "stock.redeals=0..2,unlimited",
        "-s",
        "greedy",
        "-s",
        "patient",
        "--budget",
        "16k",
    ];
    for (args, charts) in [
        (&SMALL[..], &["house-edge", "mean-cards", "win-rate"][..]),
        (&three, &["house-edge", "mean-cards", "win-rate"]),
        (&one, &["house-edge", "mean-cards", "win-rate"]),
    ] {
        let _ = fs::remove_dir_all(dir.path().join("out"));
        let told = good(&[args, &["--out", "out"]].concat(), dir.path());
        assert!(told.contains("What matters most is "), "{told}");
        if args.contains(&"stock.draw=1,3,60") {
            let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains("other cell: `stock.draw` cannot be 60") || args.len() > 8, "{words}");
            assert!(words.contains("cells: `stock.draw` cannot be 60") || args.len() == 8, "{words}");
        }
        assert!(told.lines().all(|line| line.chars().count() <= 100), "{told}");
        let out = dir.path().join("out");
        assert_eq!(
            names(&out),
            ["cells.csv", "charts", "index.html", "run.blocks", "summary.json", "tables"]
        );
        let files = names(&out.join("charts"));
        assert_eq!(files.len(), 4 * charts.len());
        for chart in charts {
            for name in [format!("{chart}.svg"), format!("{chart}-dark.svg")] {
                let text = fs::read_to_string(out.join("charts").join(&name)).unwrap();
                roxmltree::Document::parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
                assert!(text.contains("Canfield, played by greedy"), "{name}");
            }
        }
        let csv = fs::read_to_string(out.join("cells.csv")).unwrap();
        let width = |line: &str| line.matches(',').count();
        let summary: Value =
            serde_json::from_str(&fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
        assert_eq!(csv.lines().count(), 1 + summary["cells"].as_array().unwrap().len());
        let first = csv.lines().next().unwrap();
        for line in csv.lines().filter(|line| !line.contains('"')) {
            assert_eq!(width(line), width(first), "{line}");
        }
    }
}

#[test]
fn settings_are_part_of_names() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["sweep", "-s", "greedy", "-s", "tunable", "--set", "late=4", "--budget", "2k"];
    let sweep = json(&args, dir.path());
    assert_eq!(sweep["command"], "saratoga sweep -s greedy -s tunable --budget 2000 --set late=4 --seed 1");
    assert_eq!(sweep["axes"][0]["values"][1], "tunable:late=4");
    assert_eq!(sweep["cells"][1]["values"]["strategy"], "tunable:late=4");
}

#[test]
fn decks_and_deals_are_told_as_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let told = |args: &[&str]| {
        let told = good(&[&["sweep", "--no-report", "--budget", "2k"], args].concat(), dir.path());
        told.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let free = told(&["--vary", "casino.stake=0", "--target-edge", "5%"]);
    assert!(free.contains("an edge of 5% was ignored"), "{free}");
    assert!(free.contains("1 cell of 2,000."), "{free}");
    assert!(free.contains("Most: ") && free.contains(" mean cards, with price of the deck 0"), "{free}");
    let mixed = told(&["--vary", "casino.stake=0,52"]);
    assert!(mixed.contains("Of 1 cell with a price the house gains in "), "{mixed}");
    assert!(mixed.contains("; 1 has no price."), "{mixed}");
    assert!(mixed.contains("all on the same deals"), "{mixed}");
    let packs = told(&["--rules", "canfield,american-toad"]);
    assert!(packs.contains("cells of the same pack are dealt the same deals"), "{packs}");
}

/// The games of a slow strategy are cached one by one, in shards too, except for those of the comparison.
#[test]
fn each_game_of_a_slow_player_is_a_block() {
    let dir = tempfile::tempdir().unwrap();
    let line = "sweep --vary stock.redeals=1,unlimited -s search:worlds=2,judged=1,nodes=1 -n 3 -q";
    let args: Vec<&str> = line.split(' ').collect();
    good(&[&args[..], &["--out", "whole"]].concat(), dir.path());
    for shard in ["1/2", "2/2"] {
        good(&[&args[..], &["--out", "parts", "--shard", shard]].concat(), dir.path());
    }
    let status = json(&["status", "whole", "parts"], dir.path());
    let blocks: Vec<u64> =
        status.as_array().unwrap().iter().map(|it| it["blocks"].as_u64().unwrap()).collect();
    assert_eq!(blocks.iter().sum::<u64>(), 12, "{status}");
    assert!(blocks.contains(&6) && blocks.iter().all(|&blocks| blocks > 0), "{status}");
    good(&["merge", "parts", "-q"], dir.path());
    let summary = |folder: &str| fs::read_to_string(dir.path().join(folder).join("summary.json")).unwrap();
    assert_eq!(summary("whole"), summary("parts"));
}

/// The difference between a cell and named rules equals the result of `compare` for the two rulesets.
#[test]
fn cells_are_compared_with_rules_that_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["sweep", "--vary", "stock.redeals=5,6", "-n", "1500", "--against", "stock.redeals=5"];
    let sweep = json(&args, dir.path());
    assert_eq!(sweep["against"], "stock.redeals=5");
    assert!(
        sweep["command"].as_str().unwrap().contains(" --against stock.redeals=5 "),
        "{}",
        sweep["command"]
    );
    let [five, six] = [0, 1].map(|cell| &sweep["cells"][cell]);
    assert_eq!(five["difference"], Value::Null);
    let difference = &six["difference"];
    assert_eq!(difference["games"], 1500);
    let value = |of: &Value| of["value"].as_f64().unwrap();
    for (figure, unpaired) in [("house_edge", "house_edge"), ("win_rate", "win_rate"), ("cards", "cards")] {
        let plain = value(&six["summary"][unpaired]) - value(&five["summary"][unpaired]);
        assert!((value(&difference[figure]) - plain).abs() < 1e-9, "{figure}: {plain} {difference}");
    }
    for (cell, redeals) in [(five, "five"), (six, "six")] {
        fs::write(dir.path().join(format!("{redeals}.toml")), cell["ruleset"].as_str().unwrap()).unwrap();
    }
    let compared = [
        "compare",
        "--rules",
        "six.toml,five.toml",
        "-s",
        "greedy",
        "-n",
        "1500",
        "--all-games",
        "--no-report",
    ];
    let compared = json(&compared, dir.path());
    assert_eq!(difference["cards"], compared["pairs"][0]["cards"]);
    assert_eq!(difference["win_rate"], compared["pairs"][0]["win_rate"]);
    for (against, said) in [
        ("stock.redeals=1,2", "`stock.redeals=1,2` is 2 values; cells are compared with one"),
        ("stock.redeals", "--against `stock.redeals` names no values"),
        ("reserve.size=60", "the rules of --against are no valid ruleset"),
    ] {
        let refused = run(&["sweep", "--vary", "stock.redeals=5,6", "--against", against], dir.path());
        assert_eq!(refused.code, Some(2));
        assert!(refused.err.contains(said), "{}", refused.err);
    }
}

/// `-n` means games per cell here.
#[test]
fn every_cell_gets_the_games_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["sweep", "--vary", "stock.draw=1,60,3", "-n", "2500", "--out", "out", "--json"];
    let found: serde_json::Value = serde_json::from_str(&good(&args, dir.path())).unwrap();
    let games: Vec<_> =
        found["cells"].as_array().unwrap().iter().map(|cell| cell["summary"]["games"].as_u64()).collect();
    assert_eq!(games, [Some(2500), None, Some(2500)], "{found}");
    assert_eq!((&found["games_per_cell"], &found["rounds"]), (&2500.into(), &1.into()));
    assert!(found["command"].as_str().unwrap().contains(" -n 2500 "), "{}", found["command"]);
    let again = run(&args, dir.path());
    assert!(again.err.starts_with("resuming: 6 blocks kept"), "{}", again.err);
    let other = run(&["sweep", "--vary", "stock.draw=1,60,3", "--out", "out"], dir.path());
    assert!(other.err.contains("--games: 2500 saved, none requested"), "{}", other.err);
}
