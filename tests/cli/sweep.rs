//! Every cell of a `sweep` has figures or a reason, and every shape of sweep its charts. What is said of several holds for all
//! at once.

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
        let csv = lab.bytes("out/tables/every-cell.csv");
        let rows: Vec<_> = csv::Reader::from_reader(&*csv).into_records().collect::<Result<_, _>>().unwrap();
        assert_eq!(rows.len(), list(&lab.data("out/summary.json")["cells"]).len());
    }
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
    lab.write("five.toml", five["ruleset"].as_str().unwrap());
    lab.write("six.toml", six["ruleset"].as_str().unwrap());
    let compared = lab.json("compare --rules six.toml,five.toml -s greedy -n 1500 --all-games --no-report");
    for figure in ["cards", "win_rate"] {
        assert_eq!(difference[figure], compared["pairs"][0][figure]);
    }
}

/// Statements about several entries or cells use simultaneous intervals, in terminal and data.
#[test]
fn claims_over_several_hold_at_once() {
    let lab = Lab::new();
    for (line, key, said) in [
        (
            "simulate canfield single-pass -s greedy -s patient -n 2k",
            "entries",
            "combinations of rules and player",
        ),
        ("sweep canfield --vary stock.redeals=4..7 --games 2k", "cells", "Of 4 cells the house gains in"),
    ] {
        has(&lab.told(line), &format!("{said}|(95% confidence for all"));
        let data = lab.json(line);
        for it in list(&data[key]) {
            let [(low, value, high), (own_low, own, own_high)] = [&it["at_once"], &it["summary"]].map(|of| {
                let edge = &of["house_edge"];
                (number(&edge["low"]), number(edge), number(&edge["high"]))
            });
            assert!(low < own_low && value == own && high > own_high, "{it}");
            let side = [(low > 0.0, "house"), (high < 0.0, "player"), (true, "open")];
            assert_eq!(it["side"], side.into_iter().find(|it| it.0).unwrap().1);
        }
        for side in ["house", "player", "open"] {
            let count = list(&data[key]).iter().filter(|it| it["side"] == side).count();
            assert_eq!(data["sides"][side], count, "{side}");
        }
    }
    assert!(!lab.good("simulate -n 1k --json").contains("at_once"));
}
