//! Reports of made-up answers: results checked by hand, files that agree, charts of any data.

use crate::statistics::looks;
use saratoga::game::{End, Outcome};
use saratoga::lab::{GivenGame, Solutions, SolveDeals, SolveLimits, Solved, Solving, Workers};
use saratoga::report::{Run, RunRules, RunStrategy, document_terminal, solve_csv, solve_document};
use saratoga::rules::{self, Loaded};
use saratoga::solver::{Goal, Limit, Verdict};
use saratoga::strategy::{Greedy, Strategy};
use serde_json::Value;

fn answer(number: u64, verdict: Verdict, (cards, cards_at_most): (usize, usize), nodes: u64) -> Solved {
    let (id, seconds) = (format!("deal {number}, of \"mine\""), nodes as f64 / 1e6);
    let (face, bytes, moves) = (None, 1 << 20, String::new());
    Solved { number, id, face, verdict, cards, cards_at_most, nodes, bytes, moves, seconds }
}

fn game(end: End, cards: u16) -> GivenGame {
    let outcome =
        Outcome { end, cards, moves: 9, redeals: 0, reserve_left: 0, complete_suits: 0, stake: None };
    GivenGame { outcome, face: None }
}

fn greedy() -> Box<dyn Strategy> {
    Box::new(Greedy)
}

const NAMES: [&str; 2] = ["greedy", "my/<very> patient & lucky.rhai"];

/// Two strategies on the same five deals, each played this many times.
fn with<T>(loaded: &Loaded, times: usize, goal: Goal, see: impl FnOnce(&Run, &Solutions) -> T) -> T {
    let all = loaded.rules.spec().cards();
    let unknown = Verdict::Unknown(Limit::Nodes);
    let five = [
        (Verdict::Won, (all, all), 100),
        (Verdict::Lost, (10, 10), 400),
        (unknown, (20, all), 5000),
        (unknown, (4, 30), 5000),
        (Verdict::Won, (all, all), 900),
    ];
    let answers: Vec<Solved> = five
        .into_iter()
        .cycle()
        .take(5 * times)
        .enumerate()
        .map(|(i, (verdict, cards, nodes))| answer(i as u64, verdict, cards, nodes))
        .collect();
    let won = game(End::Won, all as u16);
    let many = |games: [GivenGame; 5]| games.into_iter().cycle().take(answers.len()).collect::<Vec<_>>();
    let low = |cards| game(End::Barren, cards);
    let games =
        vec![many([low(7), low(10), low(12), low(1), low(30)]), many([won, low(9), low(20), low(4), low(2)])];
    let deals = SolveDeals { rules: &loaded.rules, seed: 7, given: None, count: answers.len() as u64 };
    let players = if goal == Goal::Cards { &NAMES[..] } else { &[] };
    let asked = Solving {
        named: "mine",
        deals: &deals,
        goal,
        limits: SolveLimits { nodes: Some(5000), seconds: None, memory_bytes: 1 << 30 },
        players: players.iter().map(|&name| (name, &greedy as _)).collect(),
        threads: 1,
        workers: Workers::new(1),
    };
    let run = Run {
        version: "9.9.9",
        command: "saratoga solve mine.toml -s greedy".into(),
        seed: 7,
        deals: None,
        rules: vec![RunRules::new(loaded)],
        strategies: NAMES
            .map(|name| RunStrategy { name: name.into(), text: Some("fn score(view, m) { 1 }".into()) })
            .to_vec(),
        interrupted: None,
    };
    let games = if goal == Goal::Cards { games } else { Vec::new() };
    see(&run, &Solutions::new(&asked, answers, games).unwrap())
}

/// Canfield under another name, with more rules.
fn mine(more: &str) -> Loaded {
    rules::parse_text("mine", &format!("name = \"Mine <of> all\"\nextends = \"canfield\" # <&>\n{more}"))
        .unwrap()
}

#[test]
fn figures_by_hand_are_told() {
    let text = with(&mine(""), 20, Goal::Cards, |run, found| looks::terminal(&solve_document(run, found)));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
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
}

#[test]
fn wins_alone_are_told_without_cards() {
    with(&mine(""), 1, Goal::Win, |run, found| {
        let text = document_terminal(&solve_document(run, found), 100);
        assert!(!text.contains("most cards") && !text.contains("edge"), "{text}");
        let summary: Value = serde_json::from_str(&run.json(found).unwrap()).unwrap();
        assert!(summary.get("most_cards").is_none());
        assert_eq!(summary["players"], Value::Array(Vec::new()));
    });
}

#[test]
fn json_and_csv_hold_the_same_figures() {
    with(&mine(""), 1, Goal::Cards, |run, found| {
        let summary: Value = serde_json::from_str(&run.json(found).unwrap()).unwrap();
        let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
        assert_eq!(
            keys(&summary),
            "command effort faces goal limits most_cards open peak_memory_bytes players rules saratoga seed solved strategies \
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
        let csv = solve_csv(found);
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
    let cases = [
        ("one", mine(""), 1),
        ("many", mine(""), 200),
        ("free", mine("[casino]\nstake = 0\npays_per_card = 0\n"), 3),
        ("staged", rules::load("bsd").unwrap(), 3),
        ("four packs", mine("[deal]\npacks = 4\n"), 5),
    ];
    for (name, rules, times) in cases {
        for goal in [Goal::Win, Goal::Cards] {
            with(&rules, times, goal, |run, found| {
                let document = solve_document(run, found);
                looks::charts(&document, "");
                let page = looks::page(&document);
                assert!(!page.contains("<of>") && !page.contains("<very>"), "{name}");
            });
        }
    }
}

#[test]
fn no_deal_at_all_is_told_too() {
    let loaded = mine("");
    let deals = SolveDeals { rules: &loaded.rules, seed: 7, given: None, count: 0 };
    let asked = Solving {
        named: "mine",
        deals: &deals,
        goal: Goal::Cards,
        limits: SolveLimits { nodes: None, seconds: None, memory_bytes: 1 << 30 },
        players: Vec::new(),
        threads: 1,
        workers: Workers::new(1),
    };
    let none = Solutions::new(&asked, Vec::new(), Vec::new()).unwrap();
    with(&loaded, 1, Goal::Cards, |run, _| {
        let document = solve_document(run, &none);
        assert!(looks::terminal(&document).contains("0 deals"));
        looks::page(&document);
    });
}
