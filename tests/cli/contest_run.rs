//! Contests played from the command line: output, files, and faults.

use std::fs;
use std::path::Path;

use crate::cli::run::{good, names, run, words};
use serde_json::Value;
use tempfile::tempdir;

/// Returns the JSON printed by a command line.
fn json(line: &str, folder: &Path) -> Value {
    serde_json::from_str(&good(&words(line), folder)).unwrap()
}

#[test]
fn figures_as_data() {
    let dir = tempdir().unwrap();
    let entry = json("contest racing-demon -n 40 --factors 0.25,4 --json", dir.path());
    assert!(names(dir.path()).is_empty(), "no report was asked for");
    assert_eq!((&entry["id"], &entry["rules"][0]["id"]), (&"racing-demon".into(), &"racing-demon".into()));
    assert_eq!((&entry["seed"], &entry["matches"]), (&1.into(), &40.into()));
    assert_eq!(
        (&entry["contest"]["match"]["deals"], &entry["contest"]["deal_ends"]),
        (&4.into(), &"all-up".into())
    );
    assert_eq!(entry["contest"]["player"].as_array().unwrap().len(), 4);
    let summary = &entry["summary"];
    let sum = |list: &str, key: &str| {
        let list = summary[list].as_array().unwrap();
        list.iter().map(|one| one[key].as_f64().unwrap()).sum::<f64>()
    };
    let count = |key: &str| summary[key].as_f64().unwrap();
    // Every match is won by one side, tied or undecided, and every deal ended in one way.
    let wins = count("matches") - count("tied") - count("undecided");
    assert_eq!((sum("players", "wins"), sum("seats", "wins"), sum("sides", "wins")), (wins, wins, wins));
    assert_eq!(count("deals_out") + count("deals_stuck"), 160.0);
    // Seats are other names for the same players.
    assert!((sum("players", "actions") - sum("seats", "actions")).abs() < 1e-6);
    assert!((sum("players", "late") - sum("seats", "late")).abs() < 1e-6);
    // Sixteen times the speed is a large advantage.
    let speeds = entry["speeds"].as_array().unwrap();
    let [slow, fast] = &speeds[..] else { panic!("two speeds: {speeds:?}") };
    assert_eq!((slow["factor"].as_f64(), fast["speed"].as_f64()), (Some(0.25), Some(4.0)));
    assert!(slow["win_rate"]["high"].as_f64() < fast["win_rate"]["low"].as_f64(), "{speeds:?}");
}

/// A factor of 1 is the contest itself, and the first player at another speed is another contest.
#[test]
fn other_speeds_are_other_contests() {
    let dir = tempdir().unwrap();
    let both = json("contest nerts -n 12 --factors 1,1.5 --json", dir.path());
    let alone = json("contest nerts -n 12 --speed 1.5,1,1,1 --no-factors --json", dir.path());
    let [same, fast] = [0, 1].map(|i| &both["speeds"][i]);
    assert_eq!(same["points"], both["summary"]["players"][0]["points"]);
    assert_eq!(fast["points"], alone["summary"]["players"][0]["points"]);
    assert_eq!(fast["win_rate"], alone["summary"]["players"][0]["win_rate"]);
    assert_ne!(fast["points"], same["points"]);
    assert_eq!(alone["contest"]["player"][0]["speed"], 1.5);
    assert_eq!(alone["speeds"], Value::Array(vec![]));
    // Speed does not help to win a number of deals on separate foundations.
    fs::write(dir.path().join("own.toml"), "rules = \"exorcism\"\nplayers = 2\n[match]\ndeals = 2\n")
        .unwrap();
    let own = json("contest ./own.toml -n 3 --json", dir.path());
    assert_eq!(own["speeds"], Value::Array(vec![]));
    let none = good(&["contest", "nerts", "-n", "1", "--factors", "", "--json"], dir.path());
    assert!(none.contains("\"speeds\": []"), "{none}");
    let asked = json("contest ./own.toml -n 3 --factors 2,1 --json", dir.path());
    assert_eq!(asked["speeds"][0]["points"], asked["speeds"][1]["points"]);
}

#[test]
fn players_are_changed_on_the_command_line() {
    let dir = tempdir().unwrap();
    let entry =
        json("contest racing-demon --players 2 -s patient -s random -n 2 --no-factors --json", dir.path());
    let player = |i: usize, key: &str| entry["contest"]["player"][i][key].clone();
    assert_eq!([player(0, "strategy"), player(1, "strategy")], ["patient", "random"]);
    assert_eq!(
        [player(0, "name"), player(1, "name"), player(2, "name")],
        ["Player 1".into(), "Player 2".into(), Value::Null]
    );
    assert!(entry["strategies"][0]["text"].as_str().unwrap().contains("fn score"));
    let all = json("contest exorcism-teams -s random --speed 2 -n 1 --no-factors --json", dir.path());
    let players = all["contest"]["player"].as_array().unwrap();
    assert!(players.iter().all(|one| one["strategy"] == "random" && one["speed"] == 2.0), "{players:?}");
    assert_eq!(all["summary"]["sides"].as_array().unwrap().len(), 2);
}

/// The events of a match add up to its counts.
#[test]
fn a_match_is_told_as_it_happens() {
    let dir = tempdir().unwrap();
    for contest in ["racing-demon", "nerts"] {
        let summary =
            &json(&format!("contest {contest} -n 1 --seed 5 --no-factors --json"), dir.path())["summary"];
        let line = format!("contest {contest} --seed 5 --match 0");
        let log = good(&words(&format!("{line} --json")), dir.path());
        let events: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (first, last) = (&events[0], &events[events.len() - 1]);
        assert_eq!((&first["event"], &last["event"]), (&"begins".into(), &"over".into()));
        let mut at = 0;
        for event in &events[1..] {
            let next = event["micros"].as_u64().unwrap();
            assert!(next >= at, "{event}");
            at = next;
        }
        let seconds = summary["seconds"]["value"].as_f64().unwrap();
        assert!((at as f64 / 1e6 - seconds).abs() < 0.002, "{at} {seconds}");
        for (i, player) in summary["players"].as_array().unwrap().iter().enumerate() {
            let name = &player["name"];
            let of = |word: &str| {
                events.iter().filter(|e| e["event"] == word && e["player"] == *name).count() as f64
            };
            assert_eq!(
                (of("made") + of("late"), of("late")),
                (player["actions"].as_f64().unwrap(), player["late"].as_f64().unwrap())
            );
            assert_eq!(of("counted"), player["deals"].as_f64().unwrap());
            let points: i64 = (events.iter().filter(|e| e["event"] == "counted" && e["player"] == *name))
                .map(|e| e["points"].as_i64().unwrap())
                .sum();
            assert_eq!(Some(points), last["players"][i]["points"].as_i64());
            assert_eq!(player["points"]["value"].as_f64(), Some(points as f64));
        }
        let text = good(&words(&line), dir.path());
        assert!(text.starts_with(&format!(
            "{contest}, seed 5, match 0\n  Player 1 sits at seat 1 and plays greedy\n"
        )));
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        let late = events.iter().filter(|event| event["event"] == "late").count();
        assert_eq!(text.lines().filter(|line| line.ends_with("  too late")).count(), late);
        assert_eq!(text.lines().count(), events.len() + 4 + 2 + 4, "{text}");
    }
    // In the next match everybody has moved on by one seat.
    let text = good(&words("contest nerts --seed 5 --match 1"), dir.path());
    assert!(text.contains("\n  Player 4 sits at seat 1 and plays greedy\n"), "{text}");
}

#[test]
fn undecided_matches_are_told() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    fs::write(path.join("quit.rhai"), "// Gives up at once.\nfn score(view, m) { -1 }\n").unwrap();
    let text = "extends = \"exorcism-competition\"\n[match]\nmax_rounds = 3\n";
    fs::write(path.join("short.toml"), text).unwrap();
    let line = "contest ./short.toml -s ./quit.rhai -n 20 --factors 1 --out out";
    let out = good(&words(line), path);
    for part in
        ["Most matches are undecided: 100% of 20 matches", "undecided             20 (100% of matches"]
    {
        assert!(out.contains(part), "{part}: {out}");
    }
    let told = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("20 matches (100%) went on for 3 deals without a side reaching 200 points"),
        "{out}"
    );
    let entry: Value = serde_json::from_slice(&fs::read(path.join("out/summary.json")).unwrap()).unwrap();
    let player = &entry["summary"]["players"][0];
    assert_eq!((&entry["summary"]["undecided"], &player["wins"]), (&20.into(), &0.into()));
    // They count both ways.
    assert_eq!((&player["win_rate"]["low"], &player["win_rate"]["high"]), (&0.0.into(), &1.0.into()));
    assert_eq!(player["seconds_to_win"], Value::Null);
    let page = fs::read_to_string(path.join("out/index.html")).unwrap();
    assert!(page.contains("nobody won them") && !page.contains("NaN"), "{page}");
}

#[test]
fn a_faulty_script_is_told_with_the_match_that_shows_it() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    // Plays like greedy, until a second redeal is due or somebody is far ahead.
    let script = "fn score(view, m) {\n    if view.pass > 2 { return view.waste_top.rank + view.reserve_top.rank; }\n    \
                  if m.to_foundation { 3 } else if m.is_draw { 2 } else { 1 }\n}\n";
    fs::write(path.join("bad one.rhai"), script).unwrap();
    let shown = |args: &[&str]| {
        let ran = run(args, path);
        assert_eq!(ran.code, Some(1), "{args:?}: {}", ran.err);
        assert!(ran.err.contains("bad one.rhai:2:"), "{}", ran.err);
        let last = ran.err.lines().last().unwrap().to_string();
        let (player, command) = last.split_once(" plays it; the match that shows it: ").unwrap();
        assert_eq!(player, "Player 2");
        command.to_string()
    };
    let base =
        ["contest", "racing-demon", "-s", "greedy", "-s", "bad one.rhai", "-s", "greedy", "-s", "greedy"];
    let line = [&base[..], &["--seed", "7", "-n", "40", "--no-report"]].concat();
    let command = shown(&line);
    let told =
        "saratoga contest racing-demon -s greedy -s 'bad one.rhai' -s greedy -s greedy --seed 7 --match ";
    assert!(command.starts_with(told), "{command}");
    let number = command.strip_prefix(told).unwrap();
    // The command shows it, with what came before it.
    let one = [&base[..], &["--seed", "7", "--match", number]].concat();
    assert_eq!(shown(&one), command);
    assert!(run(&one, path).out.contains("deals round 1\n"));
    // Nothing remains of a report that could not be made.
    assert_eq!(run(&[&base[..], &["-n", "40"]].concat(), path).code, Some(1));
    assert_eq!(names(path), ["bad one.rhai"]);
}
