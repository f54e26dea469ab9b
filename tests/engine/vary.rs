//! Rulesets with changed keys: rules can be changed, and nothing else.

use saratoga::diagnostic::Diagnostic;
use saratoga::rules::{self, Change, Draw, Filler, Loaded, Roll, Spec};

fn vary(base: &str, changes: &[(&str, &str)]) -> Result<Loaded, Vec<Diagnostic>> {
    let changes: Vec<Change> =
        changes.iter().map(|(key, value)| Change::new(key, value).expect("one value")).collect();
    rules::vary(&rules::load(base).expect("on the shelf"), &changes)
}

fn spec(base: &str, changes: &[(&str, &str)]) -> Spec {
    vary(base, changes).unwrap_or_else(|faults| panic!("{}", faults[0])).rules.spec().clone()
}

fn faults(base: &str, changes: &[(&str, &str)]) -> Vec<String> {
    let faults = vary(base, changes).map(|loaded| loaded.rules.spec().clone()).unwrap_err();
    faults.iter().map(Diagnostic::to_string).collect()
}

#[test]
fn values_are_taken_as_in_a_file() {
    let changed = spec(
        "canfield",
        &[
            ("stock.draw", "[3,2,1]"),
            ("stock.redeals", "2"),
            ("heel.size", " 10 "),
            ("tableau.build", "any"),
            ("spaces.after_reserve", "[waste, stock]"),
            ("stock.opening_draw", "true"),
            ("casino.stake", "39.5"),
        ],
    );
    // All other keys are unchanged, except for descriptive ones.
    let mut wanted = rules::load("canfield").unwrap().rules.spec().clone();
    wanted.stock.draw = Draw::ByPass(vec![3, 2, 1]);
    wanted.stock.redeals = Some(2);
    wanted.reserve.size = 10;
    wanted.tableau.build = rules::Build::Any;
    wanted.spaces.after_reserve = vec![Filler::Waste, Filler::Stock];
    wanted.stock.opening_draw = true;
    wanted.casino.stake = 3950;
    wanted.name = changed.name.clone();
    (wanted.also, wanted.about, wanted.source) = (vec![], String::new(), String::new());
    assert_eq!(changed, wanted);
}

#[test]
fn words_need_no_quotes_and_may_have_them() {
    for value in ["unlimited", "\"unlimited\"", "'unlimited'"] {
        assert_eq!(spec("draw-one", &[("stock.redeals", value)]).stock.redeals, None, "{value}");
    }
    let dice = ["{ die = 6, roll = pass }", "{die=6,roll=\"pass\"}"];
    for value in dice {
        let die = Draw::Die { faces: 6, roll: Roll::Pass };
        assert_eq!(spec("canfield", &[("stock.draw", value)]).stock.draw, die, "{value}");
    }
    let shown = Change::new("stock.redeals", "\"unlimited\"").unwrap();
    assert_eq!((shown.to_string(), shown.value()), ("stock.redeals=unlimited".into(), "\"unlimited\""));
}

#[test]
fn parts_of_a_die_change_one_by_one() {
    let die = |faces, roll| Draw::Die { faces, roll };
    let base = "exorcism-die-pass";
    assert_eq!(spec(base, &[("stock.draw.die", "8")]).stock.draw, die(8, Roll::Pass));
    assert_eq!(spec(base, &[("stock.draw.roll", "game")]).stock.draw, die(6, Roll::Game));
    let both = [("stock.draw.die", "4"), ("stock.draw.roll", "draw")];
    assert_eq!(spec(base, &both).stock.draw, die(4, Roll::Draw));
    assert_eq!(spec("canfield", &both).stock.draw, die(4, Roll::Draw));
    let told = faults("canfield", &both[..1]);
    assert!(told[0].contains("a die in `stock.draw` needs `roll`"), "{told:?}");
}

#[test]
fn every_fault_is_told_together() {
    let told = faults("canfield", &[("reserve.size", "41"), ("stock.draw", "0"), ("tableau.wrap", "ful")]);
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(
        told.iter().any(|t| t.contains("`reserve.size` cannot be 41; allowed: a whole number from 0 to 40"))
    );
    assert!(told.iter().any(|t| t.contains("`tableau.wrap` cannot be \"ful\"; did you mean \"full\"?")));
    // Rules that are impossible only in combination are rejected too.
    let told = faults("canfield", &[("reserve.piles", "2"), ("reserve.size", "30")]);
    assert!(told[0].contains("canfield with reserve.piles=2, reserve.size=30:"), "{told:?}");
    let told = faults("canfield", &[("foundation.base", "7")]);
    assert!(told[0].contains("the base rank is fixed at 7"), "{told:?}");
}

#[test]
fn unknown_keys_are_told_with_what_was_meant() {
    let told = |key: &str| Change::new(key, "1").unwrap_err().to_string();
    assert!(told("stock.drow").ends_with("did you mean `stock.draw`?"));
    assert!(told("xyzzy").contains("the keys are: deal.packs, "));
    assert!(told("redeals").contains("did you mean `stock.redeals`?"));
    assert!(told("stock.size").contains("did you mean `reserve.size`?"));
    assert!(told("drwa").contains("did you mean `stock.draw`?"));
    // Descriptive keys are not rules.
    assert!(told("name").starts_with("`name` is not a key of a ruleset that can be varied; the keys are: "));
    assert!(told("extends").contains("the keys are"));
}

#[test]
fn a_value_is_one_value() {
    for value in ["", "3 4", "3 # three", "3\nsize = 4", "[1,\n2]", "1]", "\"a", "a = 1", "{ die = 6", "€"]
    {
        let error = Change::new("stock.draw", value).unwrap_err().to_string();
        assert!(error.contains("is not one value"), "{value}: {error}");
    }
}

#[test]
fn the_price_follows_the_packs_and_a_change_comes_over_another() {
    assert_eq!(spec("canfield", &[("deal.packs", "2")]).casino.stake, 10400);
    assert_eq!(spec("demon-casino", &[("deal.packs", "2")]).casino.stake, 5200);
    assert_eq!(
        spec("canfield", &[("stock.draw", "1"), ("stock.draw", "2")]).stock.draw,
        Draw::ByPass(vec![2])
    );
    let once = vary("demon-casino", &[("stock.draw", "1"), ("stock.redeals", "0")]).unwrap();
    let twice = rules::vary(&once, &[Change::new("stock.redeals", "3").unwrap()]).unwrap();
    let spec = twice.rules.spec();
    assert_eq!((&spec.stock.draw, spec.stock.redeals), (&Draw::ByPass(vec![1]), Some(3)));
    assert_eq!(spec.tableau.unit, rules::MoveUnit::Whole);
}

/// The changes are a ruleset of its own that anyone can save and play.
#[test]
fn the_changes_are_a_ruleset_of_their_own() {
    let changed = vary("exorcism-die-pass", &[("reserve.size", "8"), ("stock.draw.die", "4")]).unwrap();
    let text = &changed.sources[0].text;
    let read = rules::parse_text("cell.toml", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read.rules.spec(), changed.rules.spec());
    assert_eq!(changed.id, "exorcism-die-pass reserve.size=8 stock.draw.die=4");
}

#[test]
fn every_key_of_a_file_can_be_changed() {
    let keys: Vec<&str> = rules::variable_keys().map(|(key, _)| key).collect();
    for key in ["score", "casino.stage", "end.barren_passes", "foundation.choice_from", "casino.currency"] {
        assert!(keys.contains(&key), "{key}");
    }
    let scores = spec("canfield", &[("score", "[{ name = points, won = 10 }]")]).scores;
    assert_eq!((scores.len(), scores[0].won), (1, 10));
    let staged = spec("canfield", &[("casino.stage", "[{ at = deal, cost = 20 }, { at = pass, cost = 4 }]")]);
    assert_eq!((staged.casino.stages.len(), staged.casino.stake), (2, 0));
}
