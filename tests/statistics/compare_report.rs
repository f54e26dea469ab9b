//! Reports of comparisons of every kind: charts are well formed, pages are self-contained, all results are present.

use std::sync::atomic::AtomicBool;

use crate::statistics::looks;
use saratoga::diagnostic::SourceText;
use saratoga::lab::{Compared, Comparison, Contender, Matchup, Workers, compare};
use saratoga::report::{Run, RunRules, RunStrategy, compare_document};
use saratoga::rules::{self, Rules};
use saratoga::stats::{Measure, SequentialTest};
use saratoga::strategy;

/// Plays entries of a ruleset and a strategy each; `called` are their names in the report.
fn play(
    entries: &[(&str, &str)],
    called: &[(&str, &str)],
    measure: Measure,
    test: Option<SequentialTest>,
    budget: u64,
) -> Compared {
    let rules: Vec<Rules> = entries.iter().map(|(rules, _)| rules::load(rules).unwrap().rules).collect();
    let sources: Vec<_> = entries.iter().map(|(_, name)| strategy::load(name).unwrap()).collect();
    let makers: Vec<_> = sources.iter().map(|source| || source.instantiate()).collect();
    let called = if called.is_empty() { entries } else { called };
    let entries =
        called.iter().zip(rules.iter().zip(&makers)).map(|(&(id, strategy), (rules, make))| Contender {
            id,
            strategy,
            replay: format!("saratoga replay canfield -s {strategy} --seed 7"),
            pairing: Matchup { id: "rules", rules, strategy: make },
        });
    let comparison = Comparison {
        entries: entries.collect(),
        seed: 7,
        given: None,
        budget,
        measure,
        test,
        fit_difference: false,
        play_all: budget == 2_001,
        show: 3,
        workers: Workers::new(2),
    };
    compare(&comparison, &AtomicBool::new(false), &mut |_| {}).unwrap()
}

fn run() -> Run {
    let text = SourceText { name: "sample.toml".into(), text: "extends = \"canfield\"\n".into() };
    Run {
        version: "9.9.9",
        command: "saratoga compare sample.toml --seed 7".into(),
        seed: 7,
        deals: None,
        rules: vec![RunRules { id: "sample".into(), name: "Sample".into(), files: vec![text.into()] }],
        strategies: vec![RunStrategy { name: "mine".into(), text: Some("fn score(view, m) { 1 }".into()) }],
        interrupted: None,
    }
}

fn test(difference: f64, reach: u64) -> Option<SequentialTest> {
    Some(SequentialTest { difference, alpha: 0.05, beta: 0.1, reach })
}

/// Every answer, every measure, one game, players that never differ, long names, many entries, stages of a stake.
fn shapes() -> Vec<(&'static str, Compared)> {
    let two = [("canfield", "hoarder"), ("canfield", "greedy")];
    let back = [("canfield", "greedy"), ("canfield", "hoarder")];
    let same = [("canfield", "greedy"), ("canfield", "scripts/greedy.rhai")];
    let rules = [("draw-one", "greedy"), ("canfield", "greedy")];
    let staged = [("bsd", "cautious"), ("bsd", "greedy")];
    let players = ["greedy", "random", "hoarder", "reserve-first", "scripts/greedy.rhai", "racer"];
    let many: Vec<_> = players.iter().map(|&name| ("canfield", name)).collect();
    let long = "my scripts/a-player-with-a-name-that-is-<far>-too-\"long\"-for-any-&-column";
    let other = "my scripts/another-player-with-a-name-that-is-<far>-too-\"long\"-as-well.rhai";
    let called = [("the-house-variant-<&\"1\">", long), ("the-house-variant-<&\"1\">", other)];
    let three = [called[0], called[1], ("canfield", "greedy")];
    vec![
        ("a", play(&two, &[], Measure::Cards, test(0.4, 52), 20_000)),
        ("b", play(&back, &called, Measure::Cards, test(0.4, 52), 20_000)),
        ("same", play(&same, &[], Measure::Wins, test(0.01, 1), 20_000)),
        ("open", play(&two, &called, Measure::Money, test(1.0, 26_000), 5_500)),
        ("one game", play(&two, &[], Measure::Cards, test(0.1, 52), 1)),
        ("one game of equals", play(&same, &[], Measure::Money, test(50.0, 26_000), 1)),
        ("played on", play(&rules, &[], Measure::Wins, test(0.005, 1), 2_001)),
        ("staged", play(&staged, &[], Measure::Money, test(50.0, 40_000), 3_000)),
        ("many", play(&many, &[], Measure::Cards, None, 2_000)),
        ("many by money", play(&many[..3], &[], Measure::Money, None, 1)),
        ("many with long names", play(&[many[0], many[2], many[4]], &three, Measure::Cards, None, 500)),
        ("many by wins", play(&many[..4], &[], Measure::Wins, None, 1_500)),
    ]
}

#[test]
fn whatever_the_shape_all_is_told() {
    let run = run();
    for (shape, compared) in shapes() {
        let document = compare_document(&run, &compared);
        let names: Vec<&str> = document.charts().map(|chart| chart.name()).collect();
        let two = ["test", "running-difference", "wins", "differences"];
        let wanted: &[&str] = if shape.starts_with("many") { &["ranking", "pairs"] } else { &two };
        assert_eq!(names, wanted, "{shape}");
        looks::charts(&document, "seed 7");
        let page = looks::page(&document);
        for part in ["saratoga compare sample.toml --seed 7", "To quote", "9.9.9", "sample.toml"] {
            assert!(page.contains(part), "{shape}: {part}");
        }
        let text = looks::terminal(&document);
        let answer = match shape {
            "a" => "hoarder is better than greedy",
            "same" => "Neither greedy nor scripts/greedy.rhai is better",
            "open" => "Undecided after ",
            "one game" => "One deal is too little for an answer",
            "played on" => "draw-one is better than canfield",
            "many" => "The best by cards",
            _ => "",
        };
        assert!(text.contains(answer) || text.contains("is the best of"), "{shape}: {text}");
        data_agree(shape, &compared, &serde_json::from_str(&run.json(&compared).unwrap()).unwrap());
    }
}

fn data_agree(shape: &str, compared: &Compared, data: &serde_json::Value) {
    let entries = compared.entries.len();
    let pairs = data["pairs"].as_array().unwrap();
    assert_eq!(data["entries"].as_array().unwrap().len(), entries, "{shape}");
    assert_eq!(pairs.len(), entries * (entries - 1) / 2, "{shape}");
    assert_eq!(data["test"].is_null(), shape.starts_with("many"), "{shape}");
    for pair in pairs {
        let deals = pair["card_differences"].as_array().unwrap().iter();
        let deals: u64 = deals.map(|it| it[1].as_u64().unwrap()).sum();
        assert_eq!(Some(deals), data["games"].as_u64(), "{shape}");
        let measured = match compared.measure {
            Measure::Cards => "cards",
            Measure::Wins => "win_rate",
            Measure::Money => "money",
        };
        let [own, all] = ["low", "high"].map(|side| {
            [&pair[measured][side], &pair["adjusted"][side]].map(|limit| limit.as_f64().unwrap())
        });
        // The simultaneous interval for all pairs is the wider one, and for one pair the same.
        assert!(own[1] <= own[0] && all[1] >= all[0], "{shape}");
        assert_eq!(own[0] == own[1], entries == 2, "{shape}");
    }
}
