//! Contests: files that are shown and checked, and matches played from the command line.

use serde_json::Value;

use crate::common::program::{Lab, close, has, lines, list, number};

/// The shown text can be saved, changed and checked, written out in full or not, in any folder.
#[test]
fn what_is_shown_can_be_copied() {
    let lab = Lab::new();
    for (name, _) in saratoga::contest::shelf() {
        for all in ["", "--all"] {
            let text = lab.good(&format!("contest show {name} {all}"));
            assert!(all.is_empty() || text.contains("\n[[player]]\n"), "{text}");
            lab.write("mine.toml", text);
            assert_eq!(lab.good("contest check ./mine.toml"), "./mine.toml: good\n");
        }
        let shown = lab.json(&format!("contest show {name}"));
        assert_eq!((&shown["id"], &shown["files"][0]["name"]), (&(*name).into(), &(*name).into()));
    }
    let schema: Value = serde_json::from_str(&lab.good("contest schema")).unwrap();
    assert_eq!(schema["title"], "Saratoga contest");
}

#[test]
fn figures_as_data() {
    let lab = Lab::new();
    let entry = lab.json("contest racing-demon -n 40 --factors 0.25,4");
    assert!(lab.names().is_empty(), "no report was asked for");
    assert_eq!(
        (&entry["id"], &entry["seed"], &entry["matches"]),
        (&"racing-demon".into(), &1.into(), &40.into())
    );
    assert_eq!(entry["contest"]["match"]["deals"], 4);
    let sum = |of: &str| list(&entry["summary"][of]).iter().map(|one| number(&one["late"])).sum::<f64>();
    // Seats are other names for the same players.
    close(sum("players"), sum("seats"));
    // Sixteen times the speed is a large advantage.
    let [slow, fast] = [0, 1].map(|i| &entry["speeds"][i]);
    assert_eq!((number(&slow["factor"]), number(&fast["speed"])), (0.25, 4.0));
    assert!(number(&slow["win_rate"]["high"]) < number(&fast["win_rate"]["low"]), "{slow} {fast}");
}

/// A factor of 1 is the contest itself, and the first player at another speed is another contest.
#[test]
fn other_speeds_are_other_contests() {
    let lab = Lab::with(&[("own.toml", "rules = \"exorcism\"\nplayers = 2\n[match]\ndeals = 2\n")]);
    let both = lab.json("contest nerts -n 12 --factors 1,1.5");
    let alone = lab.json("contest nerts -n 12 --speed 1.5,1,1,1 --no-factors");
    let [same, fast] = [0, 1].map(|i| &both["speeds"][i]);
    assert_eq!(same["points"], both["summary"]["players"][0]["points"]);
    let player = &alone["summary"]["players"][0];
    assert_eq!((&fast["points"], &fast["win_rate"]), (&player["points"], &player["win_rate"]));
    assert_ne!(fast["points"], same["points"]);
    assert_eq!(alone["contest"]["player"][0]["speed"], 1.5);
    // Speed does not help to win a number of deals on separate foundations.
    for line in ["./own.toml -n 3", "nerts -n 1 --factors ''"] {
        assert_eq!(lab.json(&format!("contest {line}"))["speeds"], Value::Array(Vec::new()));
    }
    let asked = lab.json("contest ./own.toml -n 3 --factors 2,1");
    assert_eq!(asked["speeds"][0]["points"], asked["speeds"][1]["points"]);
}

/// The events of a match add up to its counts.
#[test]
fn a_match_is_told_as_it_happens() {
    let lab = Lab::new();
    for contest in ["racing-demon", "nerts"] {
        let summary = lab.json(&format!("contest {contest} -n 1 --seed 5 --no-factors"))["summary"].take();
        let line = format!("contest {contest} --seed 5 --match 0");
        let events = lines(&lab.good(&format!("{line} --json")));
        let (first, last) = (&events[0], &events[events.len() - 1]);
        assert_eq!((&first["event"], &last["event"]), (&"begins".into(), &"over".into()));
        let times: Vec<u64> = events[1..].iter().map(|event| event["micros"].as_u64().unwrap()).collect();
        assert!(times.is_sorted());
        let end = *times.last().unwrap() as f64 / 1e6;
        assert!((end - number(&summary["seconds"])).abs() < 0.002, "{end} {}", summary["seconds"]);
        for (i, player) in list(&summary["players"]).iter().enumerate() {
            let counted = events.iter().filter(|e| e["event"] == "counted" && e["player"] == player["name"]);
            let points: f64 = counted.map(|event| number(&event["points"])).sum();
            assert_eq!((points, points), (number(&last["players"][i]["points"]), number(&player["points"])));
        }
        let text = lab.good(&line);
        has(&text, &format!("{contest}, seed 5, match 0\n  Player 1 sits at seat 1 and plays greedy\n"));
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        let late = events.iter().filter(|event| event["event"] == "late").count();
        assert_eq!(text.lines().filter(|line| line.ends_with("  too late")).count(), late);
        assert_eq!(text.lines().count(), events.len() + 4 + 2 + 4, "{text}");
    }
    // In the next match everybody has moved on by one seat.
    has(&lab.good("contest nerts --seed 5 --match 1"), "\n  Player 4 sits at seat 1 and plays greedy\n");
}
