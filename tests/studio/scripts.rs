//! Scripts through the page's requests: the checks, the games and the results of the command line.

use std::sync::Arc;

use saratoga::diagnostic::SourceText;
use saratoga::lab::GameRunner;
use saratoga::rules;
use saratoga::session::{Dealt, Session};
use saratoga::strategy::script::Profiled;
use serde_json::{Value, json};

use crate::program::has;
use crate::{CANFIELD, studio};

const SCRIPT: &str = "fn score(view, m) {\n    if m.to_foundation { return 100; }\n    if m.from_tableau { return -1; }\n    \
    if m.from_reserve {\n        return 90;\n    }\n    if view.cards > 51 { print(\"never\"); }\n    if m.is_draw || m.is_redeal { 1 } else { 50 }\n}\n";

fn asked(text: &str) -> Value {
    json!({
        "script": { "name": "mine.rhai", "text": text },
        "rules": { "name": "rules.toml", "text": CANFIELD },
        "seed": "7", "games": 20, "rival": "greedy",
    })
}

#[test]
fn faults_are_those_of_the_command_line() {
    let (dir, studio) = studio();
    for text in [
        SCRIPT,
        "fn score(view, m) {\n    m.cards + 1\n}\n",
        "fn choose(view) {",
        "fn score(view, m) { let x = 1; x.rank }\n",
    ] {
        let told = studio.post("/api/script", &json!({ "name": "mine.rhai", "text": text })).json();
        dir.write("mine.rhai", text);
        let check = dir.run("scripts check ./mine.rhai");
        let (sound, said) = (check.code == Some(0), check.out + &*check.err);
        assert_eq!(told["sound"], sound, "{text} {said}");
        for fault in told["faults"].as_array().unwrap() {
            let place = format!("{}:{}", fault["line"], fault["column"]);
            has(&said, &format!("{}|{place}", fault["message"].as_str().unwrap()));
        }
        for function in told["functions"].as_array().unwrap().iter().filter(|_| sound) {
            let how = if function["compiled"] == true { "compiled" } else { "interpreted" };
            let name = function["name"].as_str().unwrap();
            assert!(said.lines().any(|line| line.contains(name) && line.contains(how)), "{name}");
        }
    }
    let words = studio.get("/assets/words.json").json();
    assert!(words.as_array().unwrap().iter().any(|it| it["name"] == "reserve_top" && it["owner"] == "View"));
}

#[test]
fn the_profile_counts_what_the_library_counts() {
    let (_dir, studio) = studio();
    let told = studio.post("/api/profile", &asked(SCRIPT)).last();
    let loaded = rules::load("canfield").unwrap();
    let source = Arc::new(SourceText::of("mine.rhai", SCRIPT));
    let (profiled, profile) = Profiled::new("mine.rhai", &source).unwrap();
    let mut player = GameRunner::new("canfield", &loaded.rules, Box::new(profiled));
    (0..20).for_each(|game| assert!(player.play(7, game).unwrap().moves > 0));
    let runs: Vec<Option<u64>> = profile.lines().iter().map(|line| line.map(|it| it.runs)).collect();
    let shown = told["lines"].as_array().unwrap().iter().map(|line| line[0].as_u64());
    assert_eq!(shown.collect::<Vec<_>>(), runs);
    assert_eq!((&told["games"], &told["done"]), (&json!(20), &json!(true)));
    let shares: f64 = told["lines"].as_array().unwrap().iter().filter_map(|line| line[1].as_f64()).sum();
    assert!((shares - 1.0).abs() < 1e-6, "{shares}");
}

#[test]
fn every_move_has_the_score_of_the_script() {
    let (_dir, studio) = studio();
    let loaded = rules::load("canfield").unwrap();
    let source = Arc::new(SourceText::of("mine.rhai", SCRIPT));
    let strategy = saratoga::strategy::StrategySource::from_script("./mine.rhai", source).unwrap();
    let mut session = Session::new(Dealt::of_seed("./rules.toml", loaded.rules, 7, 3));
    let mut choices: Vec<String> = Vec::new();
    for _ in 0..12 {
        let body = json!({
            "name": "rules.toml", "text": CANFIELD, "seed": "7", "game": "3", "choices": choices,
            "script": { "name": "mine.rhai", "text": SCRIPT },
        });
        let hint = studio.post("/api/hint", &body).json();
        assert_eq!(hint, serde_json::to_value(session.hint(&strategy).unwrap()).unwrap());
        let word = hint["choice"].as_str().unwrap().to_string();
        session.play_to_the_end(&word).unwrap();
        choices.push(word);
    }
}

#[test]
fn the_comparison_is_that_of_the_command_line() {
    let (dir, studio) = studio();
    dir.write("mine.rhai", SCRIPT);
    let mut body = asked(SCRIPT);
    body["games"] = json!(20_000);
    let told = studio.post("/api/compare", &body).last();
    let known = dir.json("compare -s ./mine.rhai -s greedy -n 20000 --seed 7");
    assert_eq!(told["games"], known["games"], "{told}");
    let estimate = &known["test"]["estimate"];
    assert_eq!(told["difference"], json!([estimate["value"], estimate["low"], estimate["high"]]), "{told}");
    assert_eq!(told["verdict"], "b");
    assert!(told["answer"].as_str().unwrap().starts_with("greedy is better than ./mine.rhai."), "{told}");
}

#[test]
fn scripts_are_read_and_saved_in_the_folder_only() {
    let (dir, studio) = studio();
    dir.write("scripts/other.rhai", SCRIPT);
    let save = |name: &str, text: &str, known: Option<&str>| {
        studio.post("/api/save", &json!({ "name": name, "text": text, "known": known })).status
    };
    assert_eq!(save("scripts/mine.rhai", SCRIPT, None), 200);
    assert_eq!(dir.read("scripts/mine.rhai"), SCRIPT);
    assert_eq!(save("scripts/mine.rhai", "other", None), 409);
    for bad in ["../mine.rhai", "/tmp/mine.rhai", "mine.sh", "mine.rhai/..", ".mine.rhai", "a\u{202e}.rhai"] {
        assert_eq!(save(bad, SCRIPT, None), 403, "{bad}");
        assert_eq!(studio.post("/api/file", &json!({ "name": bad })).status, 403, "{bad}");
        let judged = studio.post("/api/script", &json!({ "name": bad, "text": "" })).json();
        assert_eq!(judged["sound"], false);
    }
    assert_eq!(studio.post("/api/shelf", &json!({ "name": "../secret" })).status, 403);
    let shelf = studio.post("/api/shelf", &json!({ "name": "patient" })).json();
    assert!(shelf["text"].as_str().unwrap().starts_with("// Patient"));
    assert!(studio.get("/scripts").text().contains("file:scripts/mine.rhai"));
}

#[test]
fn a_script_that_never_ends_is_stopped_and_told_of() {
    let (dir, studio) = studio();
    let endless = "fn score(view, m) {\n    loop { }\n    1\n}\n";
    let profiled = studio.post("/api/profile", &asked(endless)).last();
    let compared = studio.post("/api/compare", &asked(endless)).last();
    for told in [&profiled, &compared] {
        let failed = told["failed"].as_str().unwrap_or_else(|| panic!("{told}"));
        assert!(failed.contains("mine.rhai:2") && failed.contains("operations"), "{failed}");
        assert!(!failed.contains(dir.path().to_str().unwrap()), "{failed}");
    }
}
