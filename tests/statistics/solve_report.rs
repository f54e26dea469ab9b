//! Reports of made-up answers: figures by hand, files that say the same, pictures of whatever comes.

use std::path::Path;

use saratoga::game::{End, Outcome};
use saratoga::lab::GivenGame;
use saratoga::report::{
    SolveFigures, SolveLimits, SolvePlayer, SolveReport, Source, document_files, document_terminal,
    solve_csv, solve_document, solve_summary_json,
};
use saratoga::rules::{Casino, Spec};
use saratoga::solver::{Goal, Limit, Verdict};
use saratoga::stats::{ClairvoyantBound, ClairvoyantBounds, GameWorth, ShortfallTally, Tally, summarize};
use serde_json::Value;

fn answer(number: u64, verdict: Verdict, (cards, cards_at_most): (usize, usize), nodes: u64) -> SolveFigures {
    let (id, seconds) = (format!("deal {number}, of \"mine\""), nodes as f64 / 1e6);
    SolveFigures { number, id, face: None, verdict, cards, cards_at_most, nodes, seconds, bytes: 1 << 20 }
}

fn game(end: End, cards: u16) -> GivenGame {
    let outcome =
        Outcome { end, cards, moves: 9, redeals: 0, reserve_left: 0, complete_suits: 0, stake: None };
    GivenGame { outcome, face: None }
}

fn bounds(all: usize, answers: &[SolveFigures]) -> ClairvoyantBounds {
    let mut bounds = ClairvoyantBounds::new(all, 1);
    for it in answers {
        let winnable = match it.verdict {
            Verdict::Won => Some(true),
            Verdict::Lost => Some(false),
            Verdict::Unknown(_) => None,
        };
        bounds.push(ClairvoyantBound { least: it.cards as u16, most: it.cards_at_most as u16, winnable });
    }
    bounds
}

fn player<'a>(
    strategy: &'a str,
    rules: &Spec,
    games: Vec<GivenGame>,
    bounds: &ClairvoyantBounds,
) -> SolvePlayer<'a> {
    let (mut tally, mut left) = (Tally::new(rules), ShortfallTally::new(rules));
    for (game, &bound) in games.iter().zip(bounds.list()) {
        tally.add(&game.outcome);
        left.add(bound, &GameWorth::of(rules, &game.outcome));
    }
    let (summary, left) = (summarize(&tally, rules, Vec::new()), left.summary());
    SolvePlayer { strategy, script: Some("fn score(view, m) { 1 }"), games, summary, left }
}

/// Two strategies on the same five deals, played so many times.
fn with<T>(rules: &Spec, times: usize, goal: Goal, see: impl FnOnce(&SolveReport<'_>) -> T) -> T {
    let all = rules.cards();
    let unknown = Verdict::Unknown(Limit::Nodes);
    let five = [
        (Verdict::Won, (all, all), 100),
        (Verdict::Lost, (10, 10), 400),
        (unknown, (20, all), 5000),
        (unknown, (4, 30), 5000),
        (Verdict::Won, (all, all), 900),
    ];
    let answers: Vec<SolveFigures> = five
        .into_iter()
        .cycle()
        .take(5 * times)
        .enumerate()
        .map(|(i, (verdict, cards, nodes))| answer(i as u64, verdict, cards, nodes))
        .collect();
    let bounds = bounds(all, &answers);
    let won = game(End::Won, all as u16);
    let many = |games: [GivenGame; 5]| games.into_iter().cycle().take(answers.len()).collect::<Vec<_>>();
    let low = |cards| game(End::Barren, cards);
    let players = vec![
        player("greedy", rules, many([low(7), low(10), low(12), low(1), low(30)]), &bounds),
        player(
            "my/<very> patient & lucky.rhai",
            rules,
            many([won, low(9), low(20), low(4), low(2)]),
            &bounds,
        ),
    ];
    see(&SolveReport {
        command: "saratoga solve mine.toml -s greedy".into(),
        version: "9.9.9",
        id: "mine",
        rules,
        sources: vec![Source { name: "mine.toml", text: "extends = \"canfield\" # <&>\n" }],
        seed: 7,
        file: None,
        goal,
        limits: SolveLimits { nodes: Some(5000), seconds: None, memory: 1 << 30 },
        players: if goal == Goal::Cards { players } else { Vec::new() },
        answers,
        bounds,
    })
}

fn canfield() -> Spec {
    Spec { name: "Mine <of> all".into(), ..Spec::default() }
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn figures_by_hand_are_told() {
    let text = with(&canfield(), 20, Goal::Cards, |report| document_terminal(&solve_document(report), 100));
    let text = in_one_line(&text);
    for part in [
        // 2 of 5 for certain, 3 if the open one with all cards in reach is won; the other cannot be.
        "40% to 60% of the deals can be won",
        "100 deals of seed 7; limit a deal: 5,000 positions",
        // 52, 10, 20, 4, 52 and 52, 10, 52, 30, 52.
        "most cards, mean 27.6 to 39.2",
        // (52 - 5 x 27.6) / 52 and (52 - 5 x 39.2) / 52.
        "house edge against clairvoyance -277% to -165%",
        "deals with the most cards undecided 40 (40.0%)",
        "undecided 40 (40.0%) (limit: nodes 40)",
        "most memory 1.0 MiB",
        // 45, 0, 8, 3, 22 and 45, 0, 40, 29, 22.
        "greedy leaves 15.6 to 27.2 cards a game on the table",
        "worth $78.00 to $136.00",
        "won 0%",
        // 0, 1, 0, 0, 50 and 0, 1, 32, 26, 50.
        "lucky leaves 10.2 to 21.8 cards a game on the table",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    for line in text.lines() {
        assert!(!line.contains("NaN") && !line.contains("inf"), "{line}");
    }
}

#[test]
fn wins_alone_are_told_without_cards() {
    with(&canfield(), 1, Goal::Win, |report| {
        let text = document_terminal(&solve_document(report), 100);
        assert!(!text.contains("most cards") && !text.contains("edge"), "{text}");
        let summary: Value = serde_json::from_str(&solve_summary_json(report).unwrap()).unwrap();
        assert!(summary.get("most_cards").is_none());
        assert_eq!(summary["players"], Value::Array(Vec::new()));
    });
}

#[test]
fn json_and_csv_hold_the_same_figures() {
    with(&canfield(), 1, Goal::Cards, |report| {
        let summary: Value = serde_json::from_str(&solve_summary_json(report).unwrap()).unwrap();
        let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
        assert_eq!(
            keys(&summary),
            "command deals effort faces file goal limits most_cards open peak_memory_bytes players rules saratoga seed \
             winnable"
        );
        assert_eq!(
            keys(&summary["most_cards"]),
            "cards histogram_least histogram_most histogram_proven house_edge net proven"
        );
        assert_eq!(keys(&summary["most_cards"]["cards"]), "high least low most");
        assert_eq!(
            keys(&summary["players"][0]["left"]),
            "cards ceiling games money nothing_left of_winnable won"
        );
        assert_eq!(summary["players"][0]["left"]["cards"]["least"], 15.6);
        assert_eq!(summary["players"][1]["left"]["nothing_left"]["least"], 0.2);
        assert_eq!(summary["players"][1]["left"]["nothing_left"]["most"], 0.6);
        assert_eq!(summary["effort"][1]["answers"], "decided");
        let csv = solve_csv(report);
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(
            lines[..2],
            [
                "deal,face,verdict,limit,cards,cards_at_most,nodes,seconds,greedy cards,greedy end,\
                 <very> patient & lucky cards,<very> patient & lucky end",
                "\"deal 0, of \"\"mine\"\"\",,won,,52,52,100,0.000100,7,barren,52,won",
            ]
        );
        assert!(lines[4].contains(",unknown,nodes,4,30,5000,"), "{}", lines[4]);
    });
}

#[test]
fn whatever_comes_is_drawn() {
    let free = Casino { stake: 0, pays_per_card: 0, ..Spec::default().casino };
    let staged = saratoga::rules::load("bsd").unwrap().rules.spec().clone();
    let mut four = canfield();
    four.deal.packs = 4;
    let cases = [
        ("one", canfield(), 1),
        ("many", canfield(), 200),
        ("free", Spec { casino: free, ..canfield() }, 3),
        ("staged", staged, 3),
        ("four packs", four, 5),
    ];
    for (name, rules, times) in cases {
        for goal in [Goal::Win, Goal::Cards] {
            with(&rules, times, goal, |report| {
                let document = solve_document(report);
                for chart in document.charts() {
                    let svg = chart.inline_svg().unwrap();
                    let xml = roxmltree::Document::parse(&svg);
                    assert!(xml.is_ok() && !svg.contains("NaN"), "{name}: {}", chart.name());
                    assert!(!svg.contains("=\"#"), "a colour that the page cannot change: {}", chart.name());
                }
                let files = document_files(&document, ("summary.json", "{}")).unwrap();
                let page = files.iter().find(|(name, _)| name == "index.html").unwrap();
                let page = String::from_utf8(page.1.clone()).unwrap();
                assert!(!page.contains("<of>") && !page.contains("<very>") && !page.contains("NaN"));
                if std::env::var_os("WRITE_SAMPLES").is_some() {
                    let folder =
                        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("solve {name} {goal:?}"));
                    std::fs::create_dir_all(folder.join("charts")).unwrap();
                    for (file, bytes) in files {
                        std::fs::write(folder.join(file), bytes).unwrap();
                    }
                }
            });
        }
    }
}

#[test]
fn no_deal_at_all_is_told_too() {
    let rules = canfield();
    with(&rules, 1, Goal::Cards, |full| {
        let report = SolveReport {
            answers: Vec::new(),
            bounds: ClairvoyantBounds::new(52, 1),
            players: Vec::new(),
            sources: Vec::new(),
            ..full.clone()
        };
        let text = document_terminal(&solve_document(&report), 100);
        assert!(text.contains("0 deals") && !text.contains("NaN"), "{text}");
        assert!(document_files(&solve_document(&report), ("summary.json", "{}")).is_ok());
    });
}
