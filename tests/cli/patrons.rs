//! Patrons as a mix of strategies, from the command line and from a file.

use std::fs;
use std::path::Path;

use crate::cli::run::good;
use serde_json::Value;

const GUESTS: &str = "\
about = \"A night in a club.\"

[[patron]]
name = \"tourist\"
strategy = \"greedy\"
slip = 35
share = 60

[[patron]]
name = \"regular\"
strategy = \"./mine.rhai\"
share = 40
decks_each = 4
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("guests.toml"), GUESTS).unwrap();
    fs::write(folder.path().join("mine.rhai"), include_str!("../../scripts/patient.rhai")).unwrap();
    folder
}

fn json(line: &str, folder: &Path) -> Value {
    let words: Vec<&str> = line.split_whitespace().chain(["--json", "-q"]).collect();
    serde_json::from_str(&good(&words, folder)).unwrap()
}

/// Returns the words of the command in a report, without the program.
fn again(command: &Value) -> String {
    let command = command.as_str().unwrap();
    assert!(!command.contains('\'') && !command.contains('"'), "{command}");
    command.strip_prefix("saratoga ").unwrap().to_string()
}

#[test]
fn a_mix_is_a_player_like_any_other() {
    let folder = folder();
    let line = "simulate canfield -n 4000 --patrons greedy:40%,patient:60% -s greedy -s patient";
    let played = json(line, folder.path());
    let of = |i: usize, key: &str| played["entries"][i]["summary"][key]["value"].as_f64().unwrap();
    assert_eq!(played["entries"][2]["strategy"], "greedy:40%,patient:60%");
    let mixed = 0.4 * of(0, "house_edge") + 0.6 * of(1, "house_edge");
    // The games are the same, so only who played which can differ.
    assert!((of(2, "house_edge") - mixed).abs() < 0.05, "{} {mixed}", of(2, "house_edge"));
    assert!(played["strategies"][2]["text"].as_str().unwrap().starts_with("// patient\n"));
    for line in [
        line,
        "compare -n 2000 -s greedy --patrons greedy:40%,patient:60% --show 1",
        "compare --rules canfield,superior -n 2000 --patrons greedy:40%,patient:60%",
        "price canfield -n 2000 --patrons greedy:40%,patient:60% --variant-games 0",
        "price canfield -n 2000 --patrons ./guests.toml --variant-games 0",
        "sweep canfield -n 500 --vary stock.redeals=3..4 --patrons guests.toml",
        "sweep canfield -n 500 --vary stock.redeals=3..4 -s greedy --patrons greedy:40%,patient:60%",
    ] {
        let first = json(line, folder.path());
        assert_eq!(json(&again(&first["command"]), folder.path()), first, "{line}");
    }
    // Each game equals that of one of them playing alone.
    let games = |player: &str| -> Vec<Value> {
        let shown = good(&["replay", "canfield", "-s", player, "--game", "0..40", "--json"], folder.path());
        shown.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["moves"].clone()).collect()
    };
    let [mix, greedy, patient] = ["greedy:40%,patient:60%", "greedy", "patient"].map(games);
    assert!((0..40).all(|i| mix[i] == greedy[i] || mix[i] == patient[i]));
    assert!(mix != greedy && mix != patient);
}

#[test]
fn a_file_says_who_comes() {
    let folder = folder();
    let line = "bankroll canfield --at 60 --patrons guests.toml -n 2000 --bootstrap 100 --decks 20";
    let found = json(line, folder.path());
    assert_eq!(json(&again(&found["command"]), folder.path()), found);
    let told = |i: usize| {
        let it = &found["patrons"][i];
        (it["name"].as_str().unwrap(), it["strategy"].as_str().unwrap(), it["decks_each"].as_u64().unwrap())
    };
    assert_eq!(told(0), ("tourist", "greedy:slip=35", 1));
    assert_eq!((told(1).0, told(1).2), ("regular", 4));
    let apart = fs::read_to_string(folder.path().join("guests.toml")).unwrap().replace("decks_each = 4", "");
    fs::write(folder.path().join("apart.toml"), apart).unwrap();
    let apart = json(&line.replace("guests", "apart"), folder.path());
    let of = |found: &Value, key: &str| found["bankroll"][key]["value"].as_f64().unwrap();
    for same in ["deck_profit", "deck_sd"] {
        assert!((of(&found, same) - of(&apart, same)).abs() < 1e-6, "{same}");
    }
    for more in ["sd", "n0", "volatility_index"] {
        assert!(of(&found, more) > of(&apart, more), "{more}");
    }
    let text = good(
        &"bankroll canfield --patrons guests.toml -n 1000 --bootstrap 100 --decks 20 --no-report -q"
            .split(' ')
            .collect::<Vec<_>>(),
        folder.path(),
    );
    for said in [
        "in the long run they would buy 60% and 40%",
        "share of this night",
        "decks each",
        "many decks, divided by the root",
    ] {
        let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(plain.contains(said), "{said}: {text}");
    }
    let of_night = |i: usize| found["patrons"][i]["share_of_night"].as_f64().unwrap();
    assert!(of_night(0) > 0.605 && (of_night(0) + of_night(1) - 1.0).abs() < 1e-9, "{}", of_night(0));
    fs::write(folder.path().join("night.csv"), "cards\n5\n9\n").unwrap();
    let line = "estimate night.csv --at 60 --patrons guests.toml -n 1000 --no-report -q";
    let text = good(&line.split(' ').collect::<Vec<_>>(), folder.path());
    assert!(text.contains("`decks_each` is not used"), "{text}");
    let plan = "plan canfield --patrons guests.toml --best patient -n 2000 --search-games 1000 --bootstrap 100 --clairvoyant 0 --decks 20";
    let plan = json(plan, folder.path());
    assert_eq!(json(&again(&plan["command"]), folder.path()), plan);
    assert_eq!(plan["rulesets"][0]["players"][1]["decks_each"], 4);
}
