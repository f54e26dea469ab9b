//! Steps, fees of redeals and jackpots, on the command line.

use std::fs;

use serde_json::Value;

use crate::cli::run::{good, run};

const RULES: &str = r#"
extends = "canfield"
[casino]
redeal_fee = [0, 1]
[[casino.step]]
from = 20
pays_per_card = 7
bonus = 10
[casino.jackpot]
start = 200
share = 0.02
"#;

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_paid_is_told_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("paid.toml"), RULES).unwrap();
    let args = ["simulate", "./paid.toml", "-s", "greedy", "-n", "2000", "--out", "report", "--csv", "-q"];
    let told = words(&good(&args, folder.path()));
    for part in [
        "from 20 cards on $7.00 for each further card, and $10.00 once",
        "for a win a jackpot that starts at $200.00 and grows by $1.04 with each deck",
        "the first redeal costs nothing and each later one $1.00",
        "decks that win the jackpot",
        "jackpot when it is won",
    ] {
        assert!(told.contains(part), "no {part} in {told}");
    }
    let games = fs::read_to_string(folder.path().join("report/games.csv")).unwrap();
    let mut rows = games.lines();
    let heads: Vec<&str> = rows.next().unwrap().split(',').collect();
    let at = |name: &str| heads.iter().position(|head| *head == name).unwrap();
    let mut net = 0;
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        let number = |name: &str| cells[at(name)].parse::<i64>().unwrap();
        let cards = number("cards");
        let mut pay = 500 * cards.min(20) + 700 * (cards - 20).max(0);
        pay += if cards >= 20 { 1_000 } else { 0 } + if cards == 52 { 20_000 } else { 0 };
        let fees = 100 * (number("redeals") - 1).max(0);
        assert_eq!(number("net_cents"), pay - fees - 5_200, "{row}");
        net += pay - fees - 5_200 + 104;
    }
    let json = good(&["simulate", "./paid.toml", "-n", "2000", "--json", "-q"], folder.path());
    let json: Value = serde_json::from_str(&json).unwrap();
    let find = |name: &str| find(&json, name).unwrap_or_else(|| panic!("no {name}"));
    assert!((find("house_edge")["value"].as_f64().unwrap() + net as f64 / 2_000.0 / 5_200.0).abs() < 1e-9);
    assert!(find("jackpot")["size"]["value"].as_f64().unwrap() > 20_000.0);
}

#[test]
fn a_term_may_be_a_fee_and_may_be_open() {
    let folder = tempfile::tempdir().unwrap();
    let fees = "extends = \"canfield\"\n[[casino.step]]\nfrom = 1\nbonus = -80\n";
    fs::write(folder.path().join("fees.toml"), fees).unwrap();
    let args = ["price", "./fees.toml", "-n", "2000", "--variant-games", "0", "--out", "report", "-q"];
    let told = words(&good(&args, folder.path()));
    assert!(told.contains("Or charge $6.1") && told.contains(" once for 1 card for an edge of 5%"), "{told}");
    assert!(!told.contains("No bonus for 1 card"), "{told}");
    // The cards pay about what an edge of 5% leaves of $58, so a small bonus may do as well as a small fee.
    let args = ["price", "canfield", "--at", "58", "-n", "2000", "--variant-games", "0", "--no-report", "-q"];
    let told = words(&good(&args, folder.path()));
    for part in ["cannot tell whether any bonus for the win gives an edge of 5%", "may be more than nothing"]
    {
        assert!(told.contains(part), "no {part} in {told}");
    }
}

/// Returns the first value of a key, at any depth.
fn find<'a>(json: &'a Value, name: &str) -> Option<&'a Value> {
    match json {
        Value::Object(map) => map.get(name).or_else(|| map.values().find_map(|value| find(value, name))),
        Value::Array(list) => list.iter().find_map(|value| find(value, name)),
        _ => None,
    }
}

#[test]
fn every_amount_can_be_asked_for_and_varied() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("paid.toml"), RULES).unwrap();
    let priced = ["price", "./paid.toml", "-n", "2000", "--variant-games", "100", "--no-report", "-q"];
    let told = words(&good(&priced, folder.path()));
    for part in [
        "pay for each card after 20",
        "bonus for 20 cards",
        "start of the jackpot",
        "fee of each redeal after 1",
    ] {
        assert!(told.contains(part), "no {part} in {told}");
    }
    let varied =
        ["sweep", "./paid.toml", "--vary", "casino.redeal_fee=0..2", "-n", "500", "--no-report", "-q"];
    assert!(good(&varied, folder.path()).contains("fee of a redeal"));
    let solved = ["solve", "./paid.toml", "-n", "2", "--nodes", "1000", "--no-report", "-q"];
    assert!(words(&good(&solved, folder.path())).contains("Fees of redeals are not taken off"));
    let ran = run(&["simulate", "canfield", "-s", "greedy:slip=101", "-n", "10"], folder.path());
    assert!(ran.code == Some(2) && ran.err.contains("a share of decisions from 0% to 100%"), "{}", ran.err);
}
