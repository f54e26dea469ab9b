//! Strategies compared with a clairvoyant player: `solve -s` and `simulate --clairvoyant`.

use std::fs;
use std::path::Path;

use crate::cli::run::{good, names};
use serde_json::Value;

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Returns a function that gives columns by name.
fn columns(csv: &str) -> impl Fn(&str) -> Vec<String> {
    let rows: Vec<Vec<String>> =
        csv.lines().map(|line| line.split(',').map(str::to_string).collect()).collect();
    move |name| {
        let place = rows[0].iter().position(|head| head == name).unwrap_or_else(|| panic!("no {name}"));
        rows[1..].iter().map(|row| row[place].clone()).collect()
    }
}

const SOLVE: [&str; 14] = [
    "solve",
    "demon-casino",
    "-s",
    "greedy",
    "-s",
    "patient",
    "-n",
    "40",
    "--seed",
    "5",
    "--nodes",
    "10",
    "--memory",
    "16MiB",
];

#[test]
fn a_report_holds_what_is_left_game_by_game() {
    let folder = tempfile::tempdir().unwrap();
    let text = good(&[&SOLVE[..], &["--out", "made"]].concat(), folder.path());
    for part in ["greedy leaves", "Left on the table, a game", "clairvoyant", "Report: made/index.html"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let made = folder.path().join("made");
    assert_eq!(names(&made), ["charts", "deals.csv", "index.html", "run.blocks", "summary.json", "tables"]);
    let charts = names(&made.join("charts"));
    assert_eq!(charts.len(), 16, "{charts:?}");
    let csv = fs::read_to_string(made.join("deals.csv")).unwrap();
    let column = columns(&csv);
    let cards = |name: &str| -> Vec<f64> { column(name).iter().map(|it| it.parse().unwrap()).collect() };

    // The games are the same as everywhere else.
    let replayed = good(
        &["replay", "demon-casino", "-s", "patient", "--seed", "5", "--game", "0..40", "--json"],
        folder.path(),
    );
    let replayed: Vec<f64> =
        replayed.lines().map(|line| number(&serde_json::from_str::<Value>(line).unwrap()["cards"])).collect();
    let (greedy, patient) = (cards("greedy cards"), cards("patient cards"));
    assert_eq!(patient, replayed);

    // Recomputes every value from the rows.
    let summary = json(&made.join("summary.json"));
    let (least, most) = (cards("cards"), cards("cards_at_most"));
    let n = least.len() as f64;
    let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / n;
    let close = |a: &Value, b: f64| assert!((number(a) - b).abs() < 1e-9, "{a} is not {b}");
    let known: Vec<f64> = (0..least.len()).map(|i| least[i].max(greedy[i]).max(patient[i])).collect();
    assert!(known != most, "some deals must be open for this test");
    let cards_most = &summary["most_cards"]["cards"];
    close(&cards_most["least"], mean(&mut known.iter().copied()));
    close(&cards_most["most"], mean(&mut most.iter().copied()));
    for (player, own) in [(0, &greedy), (1, &patient)] {
        let left = &summary["players"][player]["left"];
        close(&left["cards"]["least"], mean(&mut known.iter().zip(own).map(|(known, own)| known - own)));
        close(&left["cards"]["most"], mean(&mut most.iter().zip(own).map(|(most, own)| most - own)));
        // $5 a card.
        close(&left["money"]["least"], 500.0 * number(&left["cards"]["least"]));
        assert!(number(&left["cards"]["low"]) <= number(&left["cards"]["least"]));
        assert!(number(&left["cards"]["most"]) <= number(&left["cards"]["high"]));
    }
    let edge = &summary["most_cards"]["house_edge"];
    close(&edge["most"], 1.0 - 5.0 * mean(&mut known.iter().copied()) / 52.0);
    // What a strategy won can be won, even if the solver left it open.
    let verdicts = column("verdict");
    let ends = [column("greedy end"), column("patient end")];
    let by_play = |&i: &usize| ends.iter().any(|ends| ends[i] == "won");
    let won = (0..verdicts.len()).filter(|i| verdicts[*i] == "won" || by_play(i)).count();
    let open: Vec<usize> = (0..verdicts.len()).filter(|&i| verdicts[i] == "unknown").collect();
    let shown = open.iter().filter(|i| by_play(i)).count();
    assert!(shown > 0, "a strategy must win an open deal for this test");
    assert_eq!(summary["winnable"]["won"], won);
    assert_eq!(summary["open"]["nodes"], open.len());
    assert_eq!(summary["winnable"]["unknown"], open.len() - shown);
    assert!(number(&summary["peak_memory_bytes"]) > 0.0);
    let keys: Vec<&String> = summary["effort"][0]["nodes"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["mean", "median", "most", "p90", "p99"]);
    assert_eq!(
        summary["command"],
        "saratoga solve demon-casino -s greedy -s patient -n 40 --nodes 10 --memory 16MiB --seed 5"
    );
}

#[test]
fn the_same_decks_from_a_file_are_played_alike() {
    let folder = tempfile::tempdir().unwrap();
    let decks = good(&["deal", "demon-casino", "--seed", "1", "--game", "0..9", "--json"], folder.path());
    let decks: Vec<String> = decks
        .lines()
        .map(|line| {
            let deal: Value = serde_json::from_str(line).unwrap();
            format!("deal-{}\t{}\n", deal["game"], deal["deck"].as_str().unwrap())
        })
        .collect();
    fs::write(folder.path().join("decks.txt"), decks.concat()).unwrap();
    let rows = |from: &[&str], out: &str| {
        let args =
            ["solve", "demon-casino", "-s", "patient", "--nodes", "500", "--memory", "8MiB", "--out", out];
        good(&[&args[..], from].concat(), folder.path());
        let csv = fs::read_to_string(folder.path().join(out).join("deals.csv")).unwrap();
        let column = columns(&csv);
        ["verdict", "cards", "cards_at_most", "nodes", "patient cards", "patient end"].map(column)
    };
    assert_eq!(rows(&["--deals", "decks.txt"], "file"), rows(&["-n", "9"], "seed"));
    let page = fs::read_to_string(folder.path().join("file/index.html")).unwrap();
    assert!(page.contains("9 deals of decks.txt"), "the page says where its deals come from");
}

#[test]
fn a_die_for_the_game_is_the_one_that_fell() {
    let folder = tempfile::tempdir().unwrap();
    let args =
        ["solve", "exorcism-die-game", "-s", "greedy", "-n", "6", "--nodes", "200", "--memory", "8MiB"];
    good(&[&args[..], &["--out", "made"]].concat(), folder.path());
    let csv = fs::read_to_string(folder.path().join("made/deals.csv")).unwrap();
    let column = columns(&csv);
    let (faces, cards, deals) = (column("face"), column("greedy cards"), column("deal"));
    assert_eq!((faces.len(), &faces[..6]), (36, &["1", "2", "3", "4", "5", "6"].map(String::from)[..]));
    for deal in 0..6 {
        let records =
            good(&["replay", "exorcism-die-game", "--game", &deal.to_string(), "--json"], folder.path());
        let record: Value = serde_json::from_str(records.lines().next().unwrap()).unwrap();
        let rolled = record["moves"].as_str().unwrap().split(' ').next().unwrap();
        let played: Vec<usize> =
            (0..36).filter(|&i| deals[i] == deal.to_string() && !cards[i].is_empty()).collect();
        assert_eq!(played.len(), 1, "one game a deal");
        assert_eq!(format!("roll:{}", faces[played[0]]), rolled);
        assert_eq!(cards[played[0]], record["cards"].to_string());
    }
}

/// A small run of two rulesets and two strategies.
const SIMULATE: [&str; 10] =
    ["simulate", "demon-casino", "single-pass", "-s", "greedy", "-s", "random", "-n", "300", "--seed"];

#[test]
fn simulate_adds_a_line_for_each_ruleset() {
    let folder = tempfile::tempdir().unwrap();
    let args = |more: &[&'static str]| [&SIMULATE[..], &["3"], more].concat();
    let asked = ["--clairvoyant=25", "--clairvoyant-nodes", "2000"];
    let text = good(&args(&[&asked[..], &["--out", "with"]].concat()), folder.path());
    assert_eq!(text.matches("clairvoyant, 25 deals").count(), 2, "{text}");
    for part in ["With every card known", "2,000", "undecided"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let page = fs::read_to_string(folder.path().join("with/index.html")).unwrap();
    for part in
        ["clairvoyant, 25 deals", "With every card known", "--clairvoyant=25 --clairvoyant-nodes 2000"]
    {
        assert!(page.contains(part), "{part} is not in the page");
    }
    assert!(names(&folder.path().join("with/charts")).contains(&"mean-cards.svg".to_string()));
    let summary = json(&folder.path().join("with/summary.json"));
    let known: Vec<&Value> = (0..4).map(|i| &summary["entries"][i]["clairvoyant"]).collect();
    assert!(known[0] == known[1] && known[2] == known[3] && known[0] != known[2]);
    assert_eq!((&known[0]["deals"], &known[0]["nodes"]), (&25.into(), &2000.into()));

    // Agrees with the solver's answers for these deals, at any number of threads.
    let solved = ["solve", "demon-casino", "--goal", "cards", "-n", "25", "--seed", "3", "--nodes", "2000"];
    good(&[&solved[..], &["--out", "solved"]].concat(), folder.path());
    let solved = json(&folder.path().join("solved/summary.json"));
    assert_eq!(solved["most_cards"], known[0]["most_cards"]);
    assert_eq!(solved["winnable"], known[0]["winnable"]);
    let threads = |n| args(&[&asked[..], &["--json", "--threads", n]].concat());
    assert_eq!(good(&threads("1"), folder.path()), good(&threads("2"), folder.path()));

    // Without the option it is not mentioned.
    let without = good(&args(&["--json"]), folder.path());
    assert!(!without.contains("clairvoyant"));
}

#[test]
fn fewer_games_are_fewer_deals() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["simulate", "single-pass", "-n", "7", "--clairvoyant", "--clairvoyant-nodes", "50", "--json"];
    let found: Value = serde_json::from_str(&good(&args, folder.path())).unwrap();
    assert_eq!(found["entries"][0]["clairvoyant"]["winnable"]["answers"], 7);
}
