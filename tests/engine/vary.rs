//! Rulesets with changed keys: rules can be changed, and nothing else.

use saratoga::diagnostic::Diagnostic;
use saratoga::rules::{self, Change, Draw, Filler, Loaded, Roll, Spec};

type Changes<'a> = &'a [(&'a str, &'a str)];

fn vary(base: &str, changes: Changes<'_>) -> Result<Loaded, Vec<Diagnostic>> {
    let changes: Vec<Change> =
        changes.iter().map(|(key, value)| Change::new(key, value).expect("one value")).collect();
    rules::vary(&rules::load(base).expect("on the shelf"), &changes)
}

fn spec(base: &str, changes: Changes<'_>) -> Spec {
    vary(base, changes).unwrap_or_else(|faults| panic!("{}", faults[0])).rules.spec().clone()
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

/// A base, changes, and the draw and redeals that follow from them.
#[test]
fn words_need_no_quotes_and_parts_of_a_die_change_one_by_one() {
    let die = |faces, roll| Draw::Die { faces, roll };
    let (pass, passes) = ("exorcism-die-pass", |sizes: &[u8]| Draw::ByPass(sizes.to_vec()));
    let cases: [(&str, Changes<'_>, Draw, Option<u32>); 9] = [
        ("draw-one", &[("stock.redeals", "0"), ("stock.redeals", "unlimited")], passes(&[1]), None),
        ("draw-one", &[("stock.redeals", "\"unlimited\"")], passes(&[1]), None),
        ("draw-one", &[("stock.draw", "2"), ("stock.redeals", "'unlimited'")], passes(&[2]), None),
        ("canfield", &[("stock.draw", "{ die = 6, roll = pass }")], die(6, Roll::Pass), None),
        ("canfield", &[("stock.draw", "{die=6,roll=\"pass\"}")], die(6, Roll::Pass), None),
        (pass, &[("stock.draw.die", "8")], die(8, Roll::Pass), None),
        (pass, &[("stock.draw.roll", "game")], die(6, Roll::Game), None),
        (pass, &[("stock.draw.die", "4"), ("stock.draw.roll", "draw")], die(4, Roll::Draw), None),
        ("canfield", &[("stock.draw.die", "4"), ("stock.draw.roll", "draw")], die(4, Roll::Draw), None),
    ];
    for (base, changes, draw, redeals) in cases {
        let stock = spec(base, changes).stock;
        assert_eq!((stock.draw, stock.redeals), (draw, redeals), "{base} {changes:?}");
    }
    let shown = Change::new("stock.redeals", "\"unlimited\"").unwrap();
    assert_eq!((shown.to_string(), shown.value()), ("stock.redeals=unlimited".into(), "\"unlimited\""));
    // The price follows the packs, unless it is given; and changes come over others.
    let packs = ["canfield", "demon-casino"].map(|base| spec(base, &[("deal.packs", "2")]).casino.stake);
    assert_eq!(packs, [10400, 5200]);
    let few = spec("canfield", &[("pack.ranks", "6"), ("pack.suits", "3"), ("reserve.size", "4")]);
    assert_eq!((few.casino.stake, few.cards(), few.foundations()), (1800, 18, 3));
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

/// Tables that stand more than once in a file are changed as a whole.
#[test]
fn lists_of_tables_can_be_changed() {
    let scores = spec("canfield", &[("score", "[{ name = points, won = 10 }]")]).scores;
    assert_eq!((scores.len(), scores[0].won), (1, 10));
    let staged = spec("canfield", &[("casino.stage", "[{ at = deal, cost = 20 }, { at = pass, cost = 4 }]")]);
    assert_eq!((staged.casino.stages.len(), staged.casino.stake), (2, 0));
}
