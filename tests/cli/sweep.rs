//! Every cell of a `sweep` has figures or a reason, and every shape of sweep its charts.

use serde_json::Value;

use crate::common::program::{Lab, has, list, names, number};

const SMALL: &str = "sweep canfield --vary stock.draw=1,3,60 --vary stock.redeals=0,unlimited";

#[test]
fn cells_have_figures_or_reasons() {
    let lab = Lab::new();
    let cells = lab.json(&format!("{SMALL} --budget 20k"))["cells"].take();
    assert!(lab.names().is_empty());
    assert_eq!(list(&cells).len(), 6);
    assert_eq!(
        (&cells[3]["values"]["stock.redeals"], &cells[3]["as_written"]),
        (&"unlimited".into(), &true.into())
    );
    assert_eq!(cells[4]["summary"], Value::Null);
    has(cells[4]["impossible"][0].as_str().unwrap(), "`stock.draw` cannot be 60");
    // A cell plays a ruleset that anyone can save: simulate plays the same games.
    lab.write("cell.toml", cells[0]["ruleset"].as_str().unwrap());
    for (cell, rules) in [(3, "canfield"), (0, "cell.toml")] {
        let own = &cells[cell]["summary"];
        let alone = lab.json(&format!("simulate {rules} -n {} --no-report", own["games"]));
        for key in ["cards", "win_rate", "house_edge", "histogram"] {
            assert_eq!(own[key], alone["entries"][0]["summary"][key], "{key}");
        }
    }
}

#[test]
fn every_shape_has_its_charts() {
    let lab = Lab::new();
    for line in [
        format!("{SMALL} --budget 20k"),
        format!("{SMALL} --vary reserve.size=10,13 --budget 20k"),
        "sweep --vary stock.redeals=0..2,unlimited -s greedy -s patient --budget 16k".into(),
    ] {
        let told = lab.good(&format!("{line} --out out --restart -q"));
        has(&told, "What matters most is ");
        assert!(told.lines().all(|line| line.chars().count() <= 100), "{told}");
        assert_eq!(names(&lab.at("out/charts")).len(), 12);
        for chart in ["house-edge", "mean-cards", "win-rate"]
            .iter()
            .flat_map(|it| [it.to_string(), format!("{it}-dark")])
        {
            let text = lab.read(&format!("out/charts/{chart}.svg"));
            roxmltree::Document::parse(&text).unwrap_or_else(|e| panic!("{chart}: {e}"));
            assert!(text.contains("Canfield, played by greedy"), "{chart}");
        }
        let csv = lab.bytes("out/cells.csv");
        let rows: Vec<_> = csv::Reader::from_reader(&*csv).into_records().collect::<Result<_, _>>().unwrap();
        assert_eq!(rows.len(), list(&lab.data("out/summary.json")["cells"]).len());
    }
}

#[test]
fn decks_and_deals_are_told_as_they_are() {
    let lab = Lab::new();
    for (options, parts) in [
        (
            "--vary casino.stake=0 --target-edge 5%",
            "an edge of 5% was ignored|1 cell of 2,000.| mean cards, with price",
        ),
        ("--vary casino.stake=0,52", "Of 1 cell with a price the house gains|price: 1|all on the same deals"),
        ("--rules canfield,american-toad", "cells of the same pack are dealt the same deals"),
    ] {
        has(&lab.told(&format!("sweep --budget 2k {options}")), parts);
    }
    // Settings are part of names.
    let sweep = lab.json("sweep -s greedy -s tunable --set late=4 --budget 2k");
    assert_eq!(sweep["command"], "saratoga sweep -s greedy -s tunable --budget 2000 --set late=4 --seed 1");
    assert_eq!(sweep["axes"][0]["values"][1], "tunable:late=4");
    assert_eq!(sweep["cells"][1]["values"]["strategy"], "tunable:late=4");
}

/// The games of a slow strategy are cached one by one, in shards too, except for those of the comparison.
#[test]
fn each_game_of_a_slow_player_is_a_block() {
    let lab = Lab::new();
    let line = "sweep --vary stock.redeals=1,unlimited -s search:worlds=2,judged=1,nodes=1 -n 3 -q";
    lab.good(&format!("{line} --out whole"));
    for shard in ["1/2", "2/2"] {
        lab.good(&format!("{line} --out parts --shard {shard}"));
    }
    let status = lab.json("status whole parts");
    let blocks: Vec<f64> = list(&status).iter().map(|it| number(&it["blocks"])).collect();
    assert_eq!(blocks.iter().sum::<f64>(), 12.0, "{status}");
    assert!(blocks.contains(&6.0) && blocks.iter().all(|&blocks| blocks > 0.0), "{status}");
    lab.good("merge parts -q");
    assert_eq!(lab.read("whole/summary.json"), lab.read("parts/summary.json"));
}

/// The difference between a cell and named rules equals the result of `compare` for the two rulesets.
#[test]
fn cells_are_compared_with_rules_that_are_named() {
    let lab = Lab::new();
    let sweep = lab.json("sweep --vary stock.redeals=5,6 -n 1500 --against stock.redeals=5");
    assert_eq!(sweep["against"], "stock.redeals=5");
    has(sweep["command"].as_str().unwrap(), " --against stock.redeals=5 ");
    let [five, six] = [0, 1].map(|cell| &sweep["cells"][cell]);
    assert_eq!(five["difference"], Value::Null);
    let difference = &six["difference"];
    assert_eq!(difference["games"], 1500);
    for figure in ["house_edge", "win_rate", "cards"] {
        let plain = number(&six["summary"][figure]) - number(&five["summary"][figure]);
        assert!((number(&difference[figure]) - plain).abs() < 1e-9, "{figure}: {plain} {difference}");
    }
    lab.write("five.toml", five["ruleset"].as_str().unwrap());
    lab.write("six.toml", six["ruleset"].as_str().unwrap());
    let compared = lab.json("compare --rules six.toml,five.toml -s greedy -n 1500 --all-games --no-report");
    for figure in ["cards", "win_rate"] {
        assert_eq!(difference[figure], compared["pairs"][0][figure]);
    }
    for (against, said) in [
        ("stock.redeals=1,2", "is 2 values; cells are compared with one"),
        ("stock.redeals", "names no values"),
        ("reserve.size=60", "no valid ruleset"),
    ] {
        lab.refused(&format!("sweep --vary stock.redeals=5,6 --against {against}"), said);
    }
}

/// `-n` means games per cell here.
#[test]
fn every_cell_gets_the_games_asked_for() {
    let lab = Lab::new();
    let line = "sweep --vary stock.draw=1,60,3 -n 2500 --out out";
    let found = lab.json(line);
    let games = [0, 1, 2].map(|cell| found["cells"][cell]["summary"]["games"].as_u64());
    assert_eq!(games, [Some(2500), None, Some(2500)], "{found}");
    assert_eq!((&found["games_per_cell"], &found["rounds"]), (&2500.into(), &1.into()));
    has(&lab.run(line).err, "resuming: 6 blocks kept");
    lab.refused(&line.replace("-n 2500 ", ""), "--games: 2500 saved, none requested");
}
