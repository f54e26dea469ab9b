//! The value of optimal play lies between the limits of `bracket`, for every value of a swept key.

use std::fs;

use crate::cli::run::{good, names};
use serde_json::Value;

/// A game of one pass with a stock of eight cards, whose deals are all solved at once.
const SMALL: &str = "extends = \"single-pass\"\n[reserve]\nsize = 23\n[tableau]\ndeal = [5, 5, 5, 5]\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.toml"), SMALL).unwrap();
    folder
}

fn json(args: &[&str]) -> Value {
    let folder = folder();
    let text = good(&[&["bracket"], args, &["--json", "-q"]].concat(), folder.path());
    assert_eq!(names(folder.path()), ["small.toml"], "no report is asked for");
    serde_json::from_str(&text).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Checks that the bracket contains its values, and that its width is the sum of its parts.
fn sound(bracket: &Value, falls: bool) {
    let at = |end: &str, of: &str| number(&bracket[end][of]);
    let (lower, upper) = (at("lower", "value"), at("upper", "value"));
    assert!(at("lower", "low") <= lower && lower <= at("lower", "high"), "{bracket}");
    assert!(at("upper", "low") <= upper && upper <= at("upper", "high"), "{bracket}");
    assert!(lower <= upper, "{bracket}");
    let width = |part: &str| number(&bracket["width"][part]);
    let sum = width("sampling") + width("undecided") + width("hidden");
    assert!((sum - width("total")).abs() < 1e-9 * width("total").abs().max(1.0), "{bracket}");
    let whole = at("upper", "high") - at("lower", "low");
    assert!((whole - width("total")).abs() < 1e-9 * whole.abs().max(1.0), "{bracket}");
    let proven = number(&bracket["proven"]);
    let open = if falls { proven - lower } else { upper - proven };
    assert!((open - width("undecided")).abs() < 1e-9 * open.abs().max(1.0), "{bracket}");
}

#[test]
fn optimal_play_lies_between_players_and_the_clairvoyant() {
    let found = json(&["./small.toml", "-n", "80", "--choose", "20"]);
    let names: Vec<&str> =
        found["strategies"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["random", "greedy", "patient", "hoarder", "search:level=2"]);
    let point = &found["points"][0];
    assert_eq!((&point["deals"], &point["complete"]), (&80.into(), &true.into()));
    assert_eq!(point["upper_bound"]["of"], "clairvoyant");
    assert_eq!(point["upper_bound"]["undecided"], 0);
    for measure in ["cards", "wins", "net"] {
        sound(&point[measure], false);
        assert_eq!(number(&point[measure]["width"]["undecided"]), 0.0);
    }
    sound(&point["house_edge"], true);
    let top = number(&point["cards"]["upper"]["value"]);
    let players = point["players"].as_array().unwrap();
    for player in players {
        assert_eq!((&player["judged"]["games"], &player["choosing"]["games"]), (&80.into(), &20.into()));
        assert!(number(&player["judged"]["cards"]["value"]) <= top);
    }
    // The lower bound is that of the player who was best on the other deals.
    let best =
        players.iter().find(|it| it["chosen_for"].as_array().unwrap().contains(&"cards".into())).unwrap();
    assert_eq!(point["cards"]["lower"], best["judged"]["cards"]);
    let choosing = |it: &Value| number(&it["choosing"]["cards"]["value"]);
    assert!(players.iter().all(|it| choosing(it) <= choosing(best)));
    // $5 a card for $52: so few cards go up that the house gains, whoever plays.
    assert_eq!(point["gain"], "house");
}

#[test]
fn a_swept_key_has_a_bracket_for_each_value() {
    let args = ["--vary", "stock.redeals=0,1", "-s", "greedy", "-s", "patient", "-n", "12", "--nodes", "200"];
    let found = json(&args);
    assert_eq!((&found["varied"], &found["choosing_games"]), (&"stock.redeals".into(), &3.into()));
    let points = found["points"].as_array().unwrap();
    let values: Vec<&str> = points.iter().map(|it| it["change"]["value"].as_str().unwrap()).collect();
    assert_eq!(values, ["0", "1"]);
    for point in points {
        sound(&point["cards"], false);
        sound(&point["house_edge"], true);
    }
    // With so few positions, deals of two passes stay open and count at their maximum.
    let open = &points[1];
    assert!(open["upper_bound"]["undecided"].as_u64().unwrap() > 0);
    assert!(number(&open["cards"]["width"]["undecided"]) > 0.0);
}

#[test]
fn rules_that_chance_decides_have_no_bound_but_their_own() {
    let found = json(&["exorcism-die-draw", "-s", "greedy", "-n", "5"]);
    let point = &found["points"][0];
    assert_eq!(point["upper_bound"]["of"], "rules");
    assert!(point["upper_bound"]["why"].as_str().unwrap().contains("die"));
    assert_eq!(number(&point["wins"]["upper"]["value"]), 1.0);
    assert_eq!(point["cards"]["upper"]["low"], point["cards"]["upper"]["high"]);
    assert_ne!(point["gain"], "house");
    let text = good(
        &["bracket", "exorcism-die-draw", "-s", "greedy", "-n", "5", "-q", "--no-report"],
        folder().path(),
    );
    assert!(text.contains("the solver refuses these rules"), "{text}");
    // More work on the deals would not help.
    assert_eq!(number(&point["cards"]["width"]["undecided"]), 0.0);
    assert!(number(&point["cards"]["width"]["hidden"]) > 0.0);
    assert!(!text.contains("--nodes"), "{text}");
}

/// The best player is chosen on separate deals, where another one may look better than on those that count.
#[test]
fn a_better_player_than_the_chosen_one_is_named() {
    let args =
        ["bracket", "exorcism-die-pass", "-s", "greedy", "-s", "patient", "-n", "100", "-q", "--no-report"];
    let text = good(&args, folder().path());
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("On these deals patient does better; greedy was chosen"), "{text}");
}

#[test]
fn tables_have_money_in_dollars() {
    let folder = folder();
    good(
        &["bracket", "single-pass", "-s", "greedy", "-n", "20", "--nodes", "500", "-q", "-o", "out"],
        folder.path(),
    );
    let column = |table: &str, column: usize| {
        let text = fs::read_to_string(folder.path().join("out/tables").join(table)).unwrap();
        let net = text.lines().find(|line| line.contains("player's net")).unwrap();
        net.split(',').nth(column).unwrap().parse::<f64>().unwrap()
    };
    let [low, high] = [2, 6].map(|i| column("optimal-play-lies-between.csv", i));
    let width = column("what-the-width-is-made-of.csv", 1);
    assert!((width - (high - low)).abs() < 0.02, "{low} {high} {width}");
}

#[test]
fn what_makes_a_bracket_narrower_is_told_by_what_makes_it_wide() {
    let told = |args: &[&str]| {
        let text = good(&[&["bracket", "-s", "greedy", "-q", "--no-report"], args].concat(), folder().path());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // So few positions decide no deal.
    let open = told(&["canfield", "-n", "12", "--nodes", "20"]);
    for part in [
        "so more positions a deal (--nodes) come first",
        "more positions a deal (--nodes) make it narrower",
        "The players, the weakest first, and the upper bound",
    ] {
        assert!(open.contains(part), "{part}: {open}");
    }
    let solved = told(&["./small.toml", "-s", "random", "-n", "200"]);
    assert!(!solved.contains("--nodes) make it narrower"), "{solved}");
}
