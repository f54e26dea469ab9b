//! The designer: its form and its text, and results equal to those of the command line.

use serde_json::{Value, json};

use crate::client::{Studio, next_event};
use crate::{CANFIELD, asked, studio};

const HOUSE: &str = "extends = \"canfield\"\n\n[stock]\nredeals = 1 # two passes\n\n[casino]\nstake = 30\n";

/// Returns the last results of each strategy.
fn last(studio: &Studio, body: &Value) -> Vec<Value> {
    let events = studio.post("/api/play", body).events();
    let of = |i: usize| events.iter().rev().find(|it| it["strategy"] == i).unwrap().clone();
    (0..body["strategies"].as_array().unwrap().len()).map(of).collect()
}

#[test]
fn figures_are_those_of_the_command_line() {
    let (dir, studio) = studio();
    let script =
        "fn score(view, m) {\n    if m.is_draw { return 1; }\n    if m.is_redeal { return 0; }\n    5\n}\n";
    dir.write("mine.rhai", script);
    dir.write("mine.toml", HOUSE);
    let players = ["greedy", "patient", "./mine.rhai"];
    let played = last(&studio, &asked(HOUSE, &players, 4_500));
    let told = dir.json("simulate ./mine.toml -s greedy -s patient -s ./mine.rhai -n 4500 --seed 7");
    for (i, name) in players.iter().enumerate() {
        assert_eq!((&played[i]["done"], &played[i]["name"]), (&json!(true), &json!(name)));
        assert_eq!(played[i]["summary"], told["entries"][i]["summary"], "{name}");
    }
    // A player that searches plays fewer games.
    let played = last(&studio, &asked(CANFIELD, &["search:level=1"], 3)).remove(0);
    assert_eq!((&played["slow"], &played["wanted"], &played["games"]), (&json!(true), &json!(3), &json!(3)));
    let told = dir.json("simulate -s search:level=1 -n 3 --seed 7");
    assert_eq!(played["summary"]["histogram"], told["entries"][0]["summary"]["histogram"]);
}

/// However fast the machine is, the first figures are those of few games, which soon tell the edge within a point.
#[test]
fn the_first_figures_come_early_and_few_games_tell_the_edge_within_a_point() {
    let (_dir, studio) = studio();
    let many = asked(CANFIELD, &["greedy"], 10_000_000);
    let (mut stream, mut event) = studio.begin("/api/play", &many);
    assert!(event["games"].as_u64().unwrap() <= 100_000, "{event}");
    let wide = |event: &Value| event["edge"][2].as_f64().unwrap() - event["edge"][1].as_f64().unwrap() > 2.0;
    while wide(&event) {
        event = next_event(&mut stream).expect("another event");
    }
    drop(stream);
    let told = last(&studio, &asked(CANFIELD, &["greedy"], 50_000));
    assert!(!wide(&told[0]), "{}", told[0]["edge"]);
}

#[test]
fn the_price_is_the_one_at_which_the_edge_is_the_wanted_one() {
    let (_dir, studio) = studio();
    let mut body = asked(HOUSE, &["greedy"], 2_000);
    body["target"] = json!(0.25);
    let price = |body: &Value| {
        let said = last(&studio, body).remove(0)["said"].clone();
        let said = said.as_array().unwrap().iter().find(|it| it["id"] == "price").unwrap().clone();
        (said["what"].as_str().unwrap().to_string(), said["value"].as_str().unwrap().to_string())
    };
    let (what, value) = price(&body);
    assert_eq!(what, "price for 25% edge");
    let cents = value.trim_start_matches('$').split('.').collect::<Vec<_>>();
    let price = format!("{}.{}", cents[0], &cents[1][..2]);
    body["text"] = json!(HOUSE.replace("stake = 30", &format!("stake = {price}")));
    let edge = last(&studio, &body).remove(0)["edge"][0].as_f64().unwrap();
    assert!((edge - 25.0).abs() < 0.05, "{price}: {edge}");
}

#[test]
fn the_difference_from_the_pinned_rules_is_the_paired_one() {
    let (_dir, studio) = studio();
    let mut body = asked(HOUSE, &["greedy"], 2_500);
    body["pinned"] = json!({ "name": "other.toml", "text": HOUSE });
    let said = |body: &Value, id: &str| {
        let played = last(&studio, body).remove(0);
        let all = played["difference"].as_array().cloned().unwrap_or_default();
        all.iter().find(|it| it["id"] == id).map(|it| (it["value"].clone(), it["side"].clone()))
    };
    // The same rules have no difference, and the house gains more with half the redeals.
    assert_eq!(said(&body, "cards").unwrap().0, "0.00");
    body["pinned"]["text"] = json!(CANFIELD);
    let (cards, edge) = (said(&body, "cards").unwrap().0, said(&body, "edge").unwrap());
    assert!(cards.as_str().unwrap().starts_with('−'), "{cards}");
    let mean = |text: &str| {
        let it = last(&studio, &asked(text, &["greedy"], 2_500)).remove(0);
        (it["summary"]["cards"]["value"].as_f64().unwrap(), it["edge"][0].as_f64().unwrap())
    };
    let (own, other) = (mean(HOUSE), mean(CANFIELD));
    let number = |value: &Value| {
        let text = value.as_str().unwrap().replace('−', "-").replace('+', "");
        text.split('\u{a0}').next().unwrap().parse::<f64>().unwrap()
    };
    assert!((number(&cards) - (own.0 - other.0)).abs() < 0.01, "{cards}");
    assert!((number(&edge.0) - (own.1 - other.1)).abs() < 0.1, "{edge:?}");
    // Another pack has other shuffles.
    body["pinned"]["text"] = json!("extends = \"demon-two-packs\"\n");
    assert_eq!(said(&body, "cards"), None);
}

#[test]
fn faults_are_those_of_the_command_line_with_line_and_column() {
    let (dir, studio) = studio();
    let text = "extends = \"canfield\"\n[stock]\nredeals = -1\ndarw = 3\n[tableau]\nbuild = \"down\"\n";
    dir.write("mine.toml", text);
    let judged = studio.post("/api/rules", &json!({ "name": "mine.toml", "text": text })).json();
    let checked = dir.run("rules check ./mine.toml").err;
    let faults = judged["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 3, "{judged}");
    for fault in faults {
        let place = format!("mine.toml:{}:{}", fault["line"], fault["column"]);
        assert!(checked.contains(&place), "{place}: {checked}");
        assert!(checked.contains(fault["message"].as_str().unwrap()), "{fault}");
    }
    assert_eq!(studio.post("/api/play", &asked(text, &["greedy"], 10)).json()["faults"], judged["faults"]);
}

#[test]
fn a_variant_is_changed_saved_and_opened_again() {
    let (dir, studio) = studio();
    let change = |text: &str, key: &str, value: &str| {
        let body = json!({ "name": "mine.toml", "text": text, "change": { "key": key, "value": value } });
        studio.post("/api/rules", &body).json()
    };
    let judged = change(HOUSE, "stock.redeals", "2");
    let text = judged["text"].as_str().unwrap().to_string();
    assert_eq!(text, HOUSE.replace("redeals = 1", "redeals = 2"));
    assert_eq!((&judged["values"]["stock.redeals"], &judged["parent"]), (&json!("2"), &json!("canfield")));
    let refused = change(HOUSE, "stock.draw", "[3,");
    assert_eq!((&refused["text"], refused["refused"].is_string()), (&json!(HOUSE), true));
    let save = |text: &str, known: Value, replace: bool| {
        let body = json!({ "name": "mine.toml", "text": text, "known": known, "replace": replace });
        studio.post("/api/save", &body).status
    };
    assert_eq!(save(&text, Value::Null, false), 200);
    assert_eq!(studio.post("/api/file", &json!({ "name": "mine.toml" })).json()["text"], text);
    assert!(studio.get("/").text().contains("value=\"file:mine.toml\""));
    // Somebody else wrote to it: it is replaced only on request.
    dir.write("mine.toml", "# other\n");
    assert_eq!(save(HOUSE, json!(text), false), 409);
    assert_eq!(dir.read("mine.toml"), "# other\n");
    assert_eq!(save(HOUSE, json!(text), true), 200);
    assert_eq!(dir.read("mine.toml"), HOUSE);
    // With an error nothing is written, and no temporary files remain.
    assert_eq!(save("redeals = 1\n", json!(HOUSE), false), 422);
    assert_eq!(dir.names(), ["mine.toml"]);
}

#[test]
fn every_key_of_the_guide_has_its_place_in_the_form() {
    let (_dir, studio) = studio();
    let page = studio.get("/").text();
    for table in saratoga::rules::form() {
        for key in table.keys.iter().filter(|key| key.path != "extends") {
            assert!(page.contains(&format!("data-path=\"{}\"", key.path)), "{}", key.path);
        }
    }
}

fn swept(key: &str, games: u64) -> Value {
    json!({ "name": "mine.toml", "text": HOUSE, "strategy": "greedy", "seed": 7, "games": games, "key": key })
}

#[test]
fn a_swept_number_has_the_edge_of_each_value() {
    let (dir, studio) = studio();
    let points = studio.post("/api/sweep", &swept("stock.redeals", 2_000)).events();
    let point = |value: &str| points.iter().find(|it| it["value"] == value).unwrap().clone();
    assert_eq!((points.len(), &point("1")["own"]), (10, &json!(true)));
    for value in ["1", "4", "unlimited"] {
        let quoted = if value == "unlimited" { "\"unlimited\"" } else { value };
        dir.write("it.toml", HOUSE.replace("redeals = 1", &format!("redeals = {quoted}")));
        let told = dir.json("simulate ./it.toml -n 2000 --seed 7");
        for figure in ["house_edge", "cards", "win_rate", "histogram"] {
            let [own, told] =
                [point(value), told["entries"][0].clone()].map(|it| it["summary"][figure].clone());
            assert_eq!(own, told, "{value} {figure}");
        }
    }
    let prizes = studio.post("/api/sweep", &swept("casino.pays_for_win", 100)).events();
    let values: Vec<_> = prizes.iter().map(|it| it["value"].as_str().unwrap()).collect();
    assert_eq!((values[..3].join(" "), &prizes[0]["own"]), ("0 10 20".to_string(), &json!(true)));
    assert_eq!(studio.post("/api/sweep", &swept("name", 100)).status, 422);
}

#[test]
fn a_map_of_two_keys_has_the_edge_of_each_pair() {
    let (dir, studio) = studio();
    let mut body = swept("stock.redeals", 300);
    body["by"] = json!("reserve.size");
    let points = studio.post("/api/sweep", &body).events();
    assert_eq!((points.len(), &points[0]["across"], &points[0]["of"]), (90, &json!(10), &json!(90)));
    let own: Vec<&Value> = points.iter().filter(|it| it["own"] == true).collect();
    assert_eq!(
        (own.len(), &own[0]["value"], &own[0]["by"]),
        (1, &json!("1"), &json!(["reserve.size", "13"]))
    );
    let cell = points.iter().find(|it| it["value"] == "3" && it["by"][1] == "11").unwrap();
    let rules = HOUSE.replace("redeals = 1", "redeals = 3") + "\n[reserve]\nsize = 11\n";
    dir.write("it.toml", rules);
    let told = dir.json("simulate ./it.toml -n 300 --seed 7");
    assert_eq!(cell["summary"]["house_edge"], told["entries"][0]["summary"]["house_edge"]);
    for by in ["stock.redeals", "name", "no.such"] {
        body["by"] = json!(by);
        assert_eq!(studio.post("/api/sweep", &body).status, 422, "{by}");
    }
}
