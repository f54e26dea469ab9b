//! Money on the command line: nights, prices, mixes of patrons and changed rules follow from the games that are counted, and who
//! came follows from a night.

use serde_json::Value;

use crate::common::program::{Lab, close, has, lines, list, mean_cards, number};

const NIGHT: &str = "-n 3000 --bootstrap 100 --decks 20";

#[test]
fn a_night_follows_from_the_histogram() {
    let lab = Lab::new();
    let found = lab.json(&format!("bankroll canfield --at 60 --bank 2000 {NIGHT}"));
    assert!(lab.names().is_empty(), "no report is asked for");
    let games: Vec<(f64, f64)> = list(&found["patrons"][0]["tally"]["histogram"])
        .iter()
        .enumerate()
        .map(|(cards, n)| (6000.0 - 500.0 * cards as f64, number(n)))
        .collect();
    let mean = games.iter().map(|(gain, n)| gain * n).sum::<f64>() / 3000.0;
    let sd = (games.iter().map(|(gain, n)| (gain - mean).powi(2) * n).sum::<f64>() / 3000.0).sqrt();
    let night = &found["bankroll"];
    close(number(&night["profit"]), 20.0 * mean);
    close(number(&night["deck_sd"]), sd);
    close(number(&night["n0"]), (sd / mean).powi(2));
    assert_eq!((night["bank"].as_i64(), night["greatest_loss"].as_i64()), (Some(200_000), Some(20_000)));
    for figure in ["profit", "losing_night", "ruin", "bank_for_1_percent", "volatility_index"] {
        let [low, value, high] = ["low", "value", "high"].map(|key| number(&night[figure][key]));
        assert!(low <= value && value <= high, "{figure}");
    }
    assert_eq!(list(&night["fan"]).len(), 20);
    // A stake that is bought in steps has a night, but no price.
    let staged = lab.json(&format!("bankroll bsd -s cautious {NIGHT}"))["bankroll"].take();
    assert!(staged["volatility_index"].is_null() && staged["price"].is_null());
    let simulated = lab.json("simulate bsd -s cautious -n 3000");
    close(-number(&staged["deck_profit"]), number(&simulated["entries"][0]["summary"]["net"]));
}

#[test]
fn patrons_play_games_of_their_own() {
    let lab = Lab::new();
    let found = lab.json(&format!("bankroll canfield --patrons greedy:75%,reserve-first:25% {NIGHT}"));
    let patrons = list(&found["patrons"]);
    let profit = |patron: &Value| 5200.0 - 500.0 * mean_cards(&patron["tally"]["histogram"]);
    let mixed = 20.0 * (0.75 * profit(&patrons[0]) + 0.25 * profit(&patrons[1]));
    close(number(&found["bankroll"]["profit"]), mixed);
    // The second plays games 3000 to 5999.
    let alone = |n: u32| lab.json(&format!("simulate canfield -s reserve-first -n {n}"));
    let [first, both] = [3000, 6000].map(|n| alone(n)["entries"][0]["summary"]["histogram"].take());
    for cards in 0..=52 {
        let own = number(&patrons[1]["tally"]["histogram"][cards]);
        assert_eq!(own, number(&both[cards]) - number(&first[cards]));
    }
}

const GUESTS: &str = "[[patron]]\nname = \"tourist\"\nstrategy = \"greedy\"\nslip = 35\nshare = 60\n\
                      [[patron]]\nname = \"regular\"\nstrategy = \"./mine.rhai\"\nshare = 40\ndecks_each = 4\n";

/// Runs a command, and the command that its report names: both find the same.
fn twice(lab: &Lab, line: &str) -> Value {
    let first = lab.json(line);
    let again = first["command"].as_str().unwrap().strip_prefix("saratoga ").unwrap();
    assert_eq!(lab.json(again), first, "{line}");
    first
}

#[test]
fn a_mix_is_a_player_like_any_other() {
    let script = include_str!("../../scripts/patient.rhai");
    let lab = Lab::with(&[("guests.toml", GUESTS), ("mine.rhai", script)]);
    let mix = "--patrons greedy:40%,patient:60%";
    let played = twice(&lab, &format!("simulate canfield -n 4000 {mix} -s greedy -s patient"));
    let edges = [0, 1, 2].map(|i| number(&played["entries"][i]["summary"]["house_edge"]));
    assert_eq!(played["entries"][2]["strategy"], "greedy:40%,patient:60%");
    // The games are the same, so only who played which can differ.
    assert!((edges[2] - 0.4 * edges[0] - 0.6 * edges[1]).abs() < 0.05, "{edges:?}");
    for line in [
        format!("compare -n 2000 -s greedy {mix} --show 1"),
        format!("price canfield -n 2000 {mix} --variant-games 0"),
        format!("sweep canfield -n 500 --vary stock.redeals=3..4 -s greedy {mix}"),
        "sweep canfield -n 500 --vary stock.redeals=3..4 --patrons guests.toml".into(),
    ] {
        twice(&lab, &line);
    }
}

#[test]
fn a_file_says_who_comes() {
    let script = include_str!("../../scripts/patient.rhai");
    let lab = Lab::with(&[
        ("guests.toml", GUESTS),
        ("apart.toml", &GUESTS.replace("decks_each = 4", "")),
        ("mine.rhai", script),
        ("night.csv", "cards\n5\n9\n"),
    ]);
    let line = "bankroll canfield --at 60 --patrons guests.toml -n 2000 --bootstrap 100 --decks 8";
    let found = twice(&lab, line);
    let patrons = list(&found["patrons"]);
    assert_eq!((&patrons[0]["name"], &patrons[0]["strategy"]), (&"tourist".into(), &"greedy:slip=35".into()));
    assert_eq!((&patrons[1]["name"], &patrons[1]["decks_each"]), (&"regular".into(), &4.into()));
    let [tourist, regular] = [0, 1].map(|i| number(&patrons[i]["share_of_night"]));
    assert!(tourist > 0.6 && (tourist + regular - 1.0).abs() < 1e-9, "{tourist}");
    // Decks bought one after the other make a night less certain, and no deck dearer.
    let apart = lab.json(&line.replace("guests", "apart"));
    let of = |found: &Value, key: &str| number(&found["bankroll"][key]);
    for same in ["deck_profit", "deck_sd"] {
        close(of(&found, same), of(&apart, same));
    }
    for more in ["sd", "n0", "volatility_index"] {
        assert!(of(&found, more) > of(&apart, more), "{more}");
    }
    has(&lab.told(line), "buy 60% and 40%|share of this night|decks each");
    has(&lab.told("estimate night.csv --at 60 --patrons guests.toml -n 1000"), "`decks_each` is not used");
    let plan = "plan canfield --patrons guests.toml --best patient -n 2000 --search-games 1000 --bootstrap 100 \
                --clairvoyant 0 --decks 8 --nights 2";
    assert_eq!(twice(&lab, plan)["rulesets"][0]["players"][1]["decks_each"], 4);
}

#[test]
fn changed_rules_are_played_on_the_same_shuffles() {
    let rules = "extends = \"canfield\"\n[stock]\nredeals = 1\n[casino]\nstake = 50\n";
    let lab = Lab::with(&[("one.toml", rules)]);
    let found = lab.json("price canfield --at 50 --target-edge 40% -n 4000 --variant-games 1000");
    let variants = list(&found["variants"]);
    assert_eq!(variants.len(), 17);
    let distance = |it: &Value| number(&it["at_price"]["distance"]);
    assert!(variants.windows(2).all(|two| distance(&two[0]) <= distance(&two[1])));
    // The unchanged ruleset is one of them.
    assert!(variants.iter().any(|it| it["change"].is_null()));
    let is_one = |it: &&Value| it["change"]["key"] == "stock.redeals" && it["change"]["value"] == "1";
    let one = variants.iter().find(is_one).unwrap();
    let alone = lab.json("simulate ./one.toml -n 1000")["entries"][0]["summary"]["house_edge"].take();
    assert_eq!(one["edges"][0], alone);
    // Chosen among many, it has a simultaneous interval.
    let chosen = &one["at_price"]["edge"];
    assert_eq!((&chosen["value"], &one["at_price"]["cents"]), (&alone["value"], &5000.into()));
    assert!(number(&chosen["low"]) < number(&alone["low"]), "{chosen}");
    assert_eq!(one["round_price"]["cents"].as_i64().unwrap() % 100, 0);
}

const MEASURED: &str = "--at 60 --patrons ordinary:70%,patient:30% -n 20000";

/// Writes a night of these games of a player, and returns its cards.
fn night(lab: &Lab, file: &str, player: &str, games: &str) -> Vec<i64> {
    let shown = lab.good(&format!("replay canfield -s {player} --game {games} --seed 5 --json"));
    let cards: Vec<i64> = lines(&shown).iter().map(|game| game["cards"].as_i64().unwrap()).collect();
    let rows: String = cards.iter().map(|cards| format!("{cards}\n")).collect();
    lab.write(file, format!("cards\n{rows}"));
    cards
}

#[test]
fn a_night_says_who_came() {
    let lab = Lab::new();
    let ordinary = night(&lab, "weak.csv", "ordinary", "0..400");
    night(&lab, "strong.csv", "search:level=1", "0..120");
    let [weak, strong] = ["weak", "strong"].map(|name| lab.json(&format!("estimate {name}.csv {MEASURED}")));
    // The edge is computed from the shares.
    for found in [&weak, &strong] {
        let of = |i: usize, key: &str| number(&found["players"][i][key]);
        close(of(0, "share") + of(1, "share"), 1.0);
        let edge: f64 = (0..2).map(|i| of(i, "share") * of(i, "edge")).sum();
        assert!((edge - number(&found["edge"])).abs() < 0.005, "{edge} {}", found["edge"]);
    }
    assert!(number(&weak["players"][0]["share"]) > number(&strong["players"][0]["share"]));
    assert!(number(&weak["edge"]) > number(&strong["edge"]));
    assert!(weak["too_bad_after"].is_null() && number(&strong["too_bad_after"]) <= 120.0);
    assert!(number(&weak["chance"]) > 0.01 && number(&strong["chance"]) < 1e-4);
    // Neither kind plays like that, so no edge of theirs is shown.
    assert_eq!((&weak["unexplained"], &strong["unexplained"]), (&false.into(), &true.into()));
    assert!(number(&strong["fit"]) < 1e-4);
    let told = lab.told(&format!("estimate strong.csv {MEASURED}"));
    has(&told, "No mix of these kinds explains the night|Was the sum luck? No|an alarm after|trusted");
    assert!(!told.contains("leave the house") && !told.contains("after the night"), "{told}");
    let paid = 500 * ordinary.iter().sum::<i64>();
    assert_eq!(weak["paid"].as_i64(), Some(paid));
    close(number(&weak["kept"]), 1.0 - paid as f64 / 400.0 / 6000.0);
}
