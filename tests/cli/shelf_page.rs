//! `saratoga rules page`: every ruleset of the shelf, the same at any number of threads.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::cli::run::{good, names};
use saratoga::{contest, rules};
use serde_json::Value;
use tempfile::tempdir;

const GAMES: [&str; 6] = ["-n", "20", "--patient-games", "3", "--matches", "2"];

/// Makes the page in its own folder, with this many threads.
fn page(dir: &Path, threads: &str) -> String {
    let folder = dir.join(threads);
    fs::create_dir(&folder).unwrap();
    let line = [&["rules", "page"][..], &GAMES, &["--seed", "7", "--threads", threads]].concat();
    good(&line, &folder)
}

fn read(dir: &Path, threads: &str, file: &str) -> String {
    fs::read_to_string(dir.join(threads).join("reports/shelf").join(file)).unwrap()
}

#[test]
fn the_page_has_the_whole_shelf_and_is_the_same_at_any_number_of_threads() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let [one, two] = ["1", "2"].map(|threads| page(path, threads));
    assert_eq!(one, two);
    let files = ["charts", "contests.csv", "index.html", "shelf.csv", "shelf.json", "tables"];
    assert_eq!(names(&path.join("1/reports/shelf")), files);
    let charts = ["win-rates-dark.png", "win-rates-dark.svg", "win-rates.png", "win-rates.svg"];
    assert_eq!(names(&path.join("2/reports/shelf/charts")), charts);
    for file in &files[1..5] {
        assert_eq!(read(path, "1", file), read(path, "2", file), "{file}");
    }
    let shelf: Vec<&str> = rules::shelf().iter().map(|(name, _)| *name).collect();
    assert!(one.ends_with("\nPage: reports/shelf/index.html\n"), "{one}");
    for name in &shelf {
        assert!(one.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}: {one}");
    }
    all_in_html(&read(path, "1", "index.html"), &shelf);
    let document: Value = serde_json::from_str(&read(path, "1", "shelf.json")).unwrap();
    let rulesets = document["rulesets"].as_array().unwrap();
    let ids: Vec<&str> = rulesets.iter().map(|ruleset| ruleset["id"].as_str().unwrap()).collect();
    assert_eq!((ids, &document["seed"]), (shelf.clone(), &Value::from(7)));
    for ruleset in rulesets {
        let players: Vec<_> = ruleset["players"].as_array().unwrap().iter().collect();
        let games: Vec<_> = players.iter().map(|p| (p["strategy"].as_str(), p["games"].as_u64())).collect();
        assert_eq!(games, [(Some("greedy"), Some(20)), (Some("patient"), Some(3))]);
    }
    all_in_csv(&read(path, "1", "shelf.csv"), rulesets);
    let contests: Vec<&str> = contest::shelf().iter().map(|(name, _)| *name).collect();
    let html = read(path, "1", "index.html");
    for (i, name) in contests.iter().enumerate() {
        assert!(html.contains(&format!("<tr id=\"contest-{name}\">")), "{name}");
        let among = document["contests"][i]["among"].as_array().unwrap();
        let played: Vec<_> = among.iter().map(|a| (a["strategy"].as_str(), a["matches"].as_u64())).collect();
        assert_eq!(played, [(Some("greedy"), Some(2)), (Some("patient"), Some(2))], "{name}");
    }
    assert_eq!(read(path, "1", "contests.csv").lines().count(), 1 + 2 * contests.len());
}

fn all_in_html(page: &str, shelf: &[&str]) {
    for name in shelf {
        let loaded = rules::load(name).unwrap();
        let spec = loaded.rules.spec();
        let row =
            page.split_once(&format!("<tr id=\"{name}\"><th")).and_then(|(_, row)| row.split_once("</th>"));
        assert!(row.is_some_and(|(head, _)| head.contains(&format!(">{}", spec.name))), "{name}: {row:?}");
        for also in &spec.also {
            let names = page.split_once("Other names").unwrap().1;
            let listed = names.split("<dt>").find(|part| part.starts_with(&format!("{also}</dt>")));
            assert!(listed.is_some_and(|part| part.contains(&format!("<a href=\"#{name}\">"))), "{also}");
        }
    }
    assert!(page.contains("saratoga rules page -n 20 --patient-games 3 --matches 2 --seed 7<"));
    let ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "<script", "src=", "<link", "@import", "url(", "NaN"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

fn all_in_csv(csv: &str, rulesets: &[Value]) {
    let mut rows = csv.lines();
    let header: Vec<&str> = rows.next().unwrap().split(',').collect();
    let rows: Vec<&str> = rows.collect();
    assert_eq!(rows.len(), 2 * rulesets.len());
    for (i, row) in rows.iter().enumerate() {
        // The name of a ruleset may contain a comma, and is then quoted.
        let start = row.split(',').next().unwrap();
        let end: Vec<&str> = row.rsplitn(header.len() - 10, ',').collect();
        let ruleset = &rulesets[i / 2];
        let player = &ruleset["players"][i % 2];
        assert_eq!(start, ruleset["id"].as_str().unwrap());
        let cell = |name: &str| {
            let from_end = header.len() - 1 - header.iter().position(|known| *known == name).unwrap();
            end[from_end].to_string()
        };
        assert_eq!(cell("games"), player["games"].to_string());
        // Reading JSON may lose the last digit.
        let same = |name: &str, value: &Value| {
            let (csv, json) = (cell(name).parse::<f64>().unwrap(), value.as_f64().unwrap());
            assert!((csv - json).abs() < 1e-12, "{start}: {name} {csv} {json}");
        };
        same("win_rate", &player["win_rate"]["value"]);
        same("house_edge_low", &player["house_edge"]["low"]);
    }
}

#[test]
fn the_figures_are_those_of_the_same_games_simulated() {
    let dir = tempdir().unwrap();
    let shelf = [&["rules", "page"][..], &GAMES, &["--json"]].concat();
    let shelf: Value = serde_json::from_str(&good(&shelf, dir.path())).unwrap();
    assert!(names(dir.path()).is_empty(), "no page was asked for");
    for (name, strategy, games) in [("rainbow", "greedy", "20"), ("dutchess", "patient", "3")] {
        let line = ["simulate", name, "-s", strategy, "-n", games, "--json"];
        let alone: Value = serde_json::from_str(&good(&line, dir.path())).unwrap();
        let rulesets = shelf["rulesets"].as_array().unwrap();
        let ruleset = rulesets.iter().find(|ruleset| ruleset["id"] == name).unwrap();
        let player =
            ruleset["players"].as_array().unwrap().iter().find(|p| p["strategy"] == strategy).unwrap();
        for figure in ["games", "wins", "win_rate", "cards", "house_edge", "ends"] {
            assert_eq!(player[figure], alone["entries"][0]["summary"][figure], "{name}: {figure}");
        }
    }
    let line = "contest nerts -s patient -s greedy -s greedy -s greedy -n 2 --no-factors --json";
    let line: Vec<&str> = line.split(' ').collect();
    let alone: Value = serde_json::from_str(&good(&line, dir.path())).unwrap();
    let contests = shelf["contests"].as_array().unwrap();
    let nerts = contests.iter().find(|contest| contest["id"] == "nerts").unwrap();
    for figure in ["wins", "win_rate", "points"] {
        assert_eq!(nerts["among"][1][figure], alone["summary"]["players"][0][figure], "{figure}");
    }
}

/// The searching strategy beside the best script: the values are those of comparing the same games.
#[test]
fn the_searching_player_is_beside_the_best_script() {
    let dir = tempdir().unwrap();
    let line = [&["rules", "page"][..], &GAMES, &["--search-games", "2", "--out", "out"]].concat();
    let told = good(&line, dir.path());
    assert!(told.contains("The searching player and the best script"), "{told}");
    let read = |file: &str| fs::read_to_string(dir.path().join("out").join(file)).unwrap();
    let shelf: Value = serde_json::from_str(&read("shelf.json")).unwrap();
    let html = read("index.html");
    assert!(html.contains("--patient-games 3 --search-games 2 --matches 2 --seed 1<"), "the command is told");
    assert_eq!(read("shelf.csv").matches(",search:level=2,").count(), rules::shelf().len());
    let scripts = ["greedy", "patient", "hoarder", "reserve-first", "cautious", "racer", "tunable"];
    for ruleset in shelf["rulesets"].as_array().unwrap() {
        let (player, beside) = (&ruleset["players"][2], &ruleset["beside"]);
        assert_eq!(player["strategy"], "search:level=2");
        let deals = if ruleset["packs"] == 1 { 2 } else { 1 };
        assert_eq!(
            (&player["games"], &beside["difference"]["games"]),
            (&Value::from(deals), &Value::from(deals))
        );
        let Some(name) = ruleset["id"].as_str().filter(|id| ["single-pass", "bsd"].contains(id)) else {
            continue;
        };
        let best = beside["best_script"].as_str().unwrap();
        let mut nets = Vec::new();
        for script in scripts {
            let line = format!(
                "compare {name} -s search:level=2 -s {script} -n 2 --measure money --all-games --json --no-report"
            );
            let compared: Value =
                serde_json::from_str(&good(&line.split(' ').collect::<Vec<_>>(), dir.path())).unwrap();
            let money = compared["pairs"][0]["money"].clone();
            if script == best {
                assert_eq!(beside["difference"]["money"], money, "{name} {script}");
                assert_eq!(beside["difference"]["cards"], compared["pairs"][0]["cards"], "{name} {script}");
            }
            nets.push(money["value"].as_f64().unwrap());
        }
        let least = nets.iter().copied().fold(f64::MAX, f64::min);
        assert_eq!(
            beside["difference"]["money"]["value"].as_f64(),
            Some(least),
            "{name}: {best} of {nets:?}"
        );
    }
}

/// The scripts that look ahead, on rulesets of one pack: the values are those of simulating the same games.
#[test]
fn the_scripts_that_look_ahead_have_a_table() {
    let dir = tempdir().unwrap();
    let line = [&["rules", "page"][..], &GAMES, &["--ahead-games", "1", "--out", "out"]].concat();
    let told = good(&line, dir.path());
    assert!(told.contains("The scripts that look ahead"), "{told}");
    // Lines are wrapped at the width.
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("1 game of each of one pack by foresight, chooser and sampler"), "{told}");
    let read = |file: &str| fs::read_to_string(dir.path().join("out").join(file)).unwrap();
    assert!(
        read("index.html").contains("--patient-games 3 --ahead-games 1 --matches 2 --seed 1"),
        "the command is told"
    );
    let shelf: Value = serde_json::from_str(&read("shelf.json")).unwrap();
    let mut played = 0;
    for ruleset in shelf["rulesets"].as_array().unwrap() {
        let players = ruleset["ahead"].as_array().map_or(&[][..], Vec::as_slice);
        let ahead: Vec<_> = players.iter().map(|p| (p["strategy"].as_str(), &p["games"])).collect();
        if ruleset["packs"] != 1 {
            assert!(ahead.is_empty(), "{}", ruleset["id"]);
            continue;
        }
        let one = Value::from(1);
        assert_eq!(
            ahead,
            [(Some("foresight"), &one), (Some("chooser"), &one), (Some("sampler"), &one)],
            "{}",
            ruleset["id"]
        );
        played += 1;
        if ruleset["id"] == "single-pass" {
            let line = ["simulate", "single-pass", "-s", "sampler", "-n", "1", "--json", "--no-report"];
            let alone: Value = serde_json::from_str(&good(&line, dir.path())).unwrap();
            assert_eq!(players[2]["cards"], alone["entries"][0]["summary"]["cards"]);
        }
    }
    assert_eq!(read("shelf.csv").matches(",sampler,").count(), played);
}
