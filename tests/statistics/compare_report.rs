//! Reports of comparisons of every shape: charts are well formed, pages stand alone, all figures are there.

use saratoga::lab::Workers;
use std::sync::atomic::AtomicBool;

use saratoga::chart::Theme;
use saratoga::lab::{Compared, Comparison, Pairing, compare};
use saratoga::report::{
    CompareReport, ComparedEntry, Source, compare_document, compare_json, document_files, document_html,
    document_terminal,
};
use saratoga::rules::{self, Rules};
use saratoga::stats::{Measure, SequentialTest, Summary, summarize};
use saratoga::strategy;

/// A comparison that was played.
struct Played {
    ids: Vec<String>,
    names: Vec<String>,
    rules: Vec<Rules>,
    compared: Compared,
    summaries: Vec<Summary>,
    measure: Measure,
    budget: u64,
}

/// Plays entries of a ruleset and a strategy each; `called` are the names that the report has for them.
fn play(
    entries: &[(&str, &str)],
    called: &[(&str, &str)],
    measure: Measure,
    test: Option<SequentialTest>,
    budget: u64,
) -> Played {
    let rules: Vec<Rules> = entries.iter().map(|(rules, _)| rules::load(rules).unwrap().rules).collect();
    let sources: Vec<_> = entries.iter().map(|(_, name)| strategy::load(name).unwrap()).collect();
    let makers: Vec<_> = sources.iter().map(|source| || source.instantiate()).collect();
    let sides = rules.iter().zip(&makers);
    let comparison = Comparison {
        entries: sides.map(|(rules, make)| Pairing { id: "rules", rules, strategy: make }).collect(),
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
    let compared = compare(&comparison, &AtomicBool::new(false), &mut |_| {}).unwrap();
    let summaries = compared
        .tallies
        .iter()
        .zip(&rules)
        .map(|(tally, rules)| summarize(tally, rules.spec(), Vec::new()))
        .collect();
    let called = if called.is_empty() { entries } else { called };
    Played {
        ids: called.iter().map(|(id, _)| id.to_string()).collect(),
        names: called.iter().map(|(_, name)| name.to_string()).collect(),
        rules,
        compared,
        summaries,
        measure,
        budget,
    }
}

impl Played {
    fn with<T>(&self, f: impl FnOnce(&CompareReport<'_>) -> T) -> T {
        let entry = |i: usize| ComparedEntry {
            entry: saratoga::report::PairingResult::new(
                (&self.ids[i], self.rules[i].spec()),
                &self.names[i],
                7,
                &self.summaries[i],
            ),
            rules: vec![Source { name: "sample.toml", text: "extends = \"canfield\"\n" }],
            script: Some("fn score(view, m) { 1 }"),
            replay: format!("saratoga replay canfield -s {} --seed 7", self.names[i]),
        };
        f(&CompareReport {
            command: "saratoga compare sample.toml --seed 7",
            version: "9.9.9",
            budget: self.budget,
            measure: self.measure,
            entries: (0..self.ids.len()).map(entry).collect(),
            compared: &self.compared,
            deals: None,
        })
    }
}

fn test(difference: f64, reach: u64) -> Option<SequentialTest> {
    Some(SequentialTest { difference, alpha: 0.05, beta: 0.1, reach })
}

/// Every answer, every measure, one game, players that never differ, long names, many entries, steps of a stake.
fn shapes() -> Vec<(&'static str, Played)> {
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
fn charts_are_drawn_whatever_the_shape() {
    for (shape, played) in shapes() {
        played.with(|report| {
            let document = compare_document(report);
            let names: Vec<&str> = document.charts().map(|chart| chart.name()).collect();
            let two = ["test", "running-difference", "wins", "differences"];
            let wanted: &[&str] = if shape.starts_with("many") { &["ranking", "pairs"] } else { &two };
            assert_eq!(names, wanted, "{shape}");
            for chart in document.charts() {
                for svg in [chart.svg(Theme::Dark).unwrap(), chart.inline_svg().unwrap()] {
                    let xml = roxmltree::Document::parse(&svg).unwrap_or_else(|e| panic!("{shape}: {e}"));
                    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{shape} {}", chart.name());
                    let texts: Vec<&str> = xml.descendants().filter_map(|node| node.text()).collect();
                    let said = texts.iter().any(|text| text.contains("seed 7"));
                    assert!(said, "{shape} {}: {texts:?}", chart.name());
                    assert!(svg.contains("role=\"img\"") && !svg.contains(" id="), "{shape}");
                }
                assert!(chart.png(Theme::Light).unwrap().len() > 1000);
            }
        });
    }
}

#[test]
fn pages_stand_alone_and_say_it_all() {
    for (shape, played) in shapes() {
        played.with(|report| {
            let document = compare_document(report);
            let page = document_html(&document).unwrap().replace("http://www.w3.org/2000/svg", "");
            for outside in ["http:", "https:", "<script", "src=", "<link", "@import", "url(", "NaN", "inf "] {
                assert!(!page.contains(outside), "{shape}: {outside}");
            }
            for part in ["saratoga compare sample.toml --seed 7", "To quote", "9.9.9", "sample.toml"] {
                assert!(page.contains(part) || part == "sample.toml", "{shape}: {part}");
            }
            let text = document_terminal(&document, 100);
            let pasted = |line: &str| line.contains("saratoga ");
            for line in text.lines() {
                let fits = line.chars().count() <= 100 || pasted(line);
                assert!(fits && line.trim_end() == line && line.is_ascii(), "{shape}: `{line}`");
            }
            assert!(!text.contains("NaN") && !text.contains("inf"), "{shape}: {text}");
            let answer = match shape {
                "a" | "b" => "hoarder is better than greedy",
                "same" => "Neither greedy nor scripts/greedy.rhai is better",
                "open" => "Undecided after ",
                "one game" => "One deal is too little for an answer",
                "played on" => "draw-one is better than canfield",
                "many" => "The best by cards",
                _ => "",
            };
            let long = shape == "b";
            assert!(long || text.contains(answer) || text.contains("is the best of"), "{shape}: {text}");
        });
    }
}

#[test]
fn files_and_data_agree() {
    for (shape, played) in shapes() {
        played.with(|report| {
            let json = compare_json(report).unwrap();
            let files = document_files(&compare_document(report), ("summary.json", &json)).unwrap();
            let (_, bytes) = files.iter().find(|(name, _)| name == "summary.json").unwrap();
            let data: serde_json::Value = serde_json::from_slice(bytes).unwrap();
            let entries = report.entries.len();
            assert_eq!(data["entries"].as_array().unwrap().len(), entries, "{shape}");
            assert_eq!(data["pairs"].as_array().unwrap().len(), entries * (entries - 1) / 2, "{shape}");
            assert_eq!(data["test"].is_null(), shape.starts_with("many"), "{shape}");
            for pair in data["pairs"].as_array().unwrap() {
                let deals = pair["card_differences"].as_array().unwrap().iter();
                let deals: u64 = deals.map(|it| it[1].as_u64().unwrap()).sum();
                assert_eq!(Some(deals), data["games"].as_u64(), "{shape}");
                let measured = match report.measure {
                    Measure::Cards => "cards",
                    Measure::Wins => "win_rate",
                    Measure::Money => "money",
                };
                let [own, all] = ["low", "high"].map(|side| {
                    [&pair[measured][side], &pair["adjusted"][side]].map(|limit| limit.as_f64().unwrap())
                });
                // The interval that holds for all pairs at once is the wider, and of one pair the same.
                assert!(own[1] <= own[0] && all[1] >= all[0], "{shape}");
                assert_eq!(own[0] == own[1], entries == 2, "{shape}");
            }
        });
    }
}
