//! Ruleset files: every fault is found and located, and the shelf agrees with its sources.

use std::fs;

use crate::engine::support::files::{files, stems};
use saratoga::diagnostic;
use saratoga::rules::{self, LoadError};

#[test]
fn faults_are_told() {
    crate::engine::support::files::faults_are_told("tests/data/rules-bad", |path| {
        rules::load(path).map(|loaded| loaded.warnings)
    });
}

#[test]
fn a_drawn_fault_shows_the_line() {
    let Err(LoadError::Faults(faults)) = rules::load("tests/data/rules-bad/misspelt.toml") else { panic!() };
    let drawn = diagnostic::render(&faults, false);
    assert!(drawn.contains("--> tests/data/rules-bad/misspelt.toml:"), "{drawn}");
    assert!(drawn.contains("^^^") && drawn.contains("help: did you mean"), "{drawn}");
}

/// The files of `rules-good` and the reference rulesets load without messages, and read the same once written out.
#[test]
fn sound_files_load() {
    for dir in ["tests/data/rules-good", "tests/data/rules", "rulesets"] {
        for path in files(dir) {
            let loaded = rules::load(&path).unwrap_or_else(|e| panic!("{e}"));
            assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
            assert_eq!([loaded.id.as_str()], *stems(&[path]));
            let spec = loaded.rules.spec();
            let again = rules::parse_text("again.toml", &spec.to_toml()).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(again.rules.spec(), spec);
            assert_eq!(again.rules.spec().to_toml(), spec.to_toml());
        }
    }
}

#[test]
fn the_shelf_is_the_directory() {
    let shelf: Vec<&str> = rules::shelf().iter().map(|(name, _)| *name).collect();
    assert_eq!(shelf, stems(&files("rulesets")));
    for name in shelf {
        let on_shelf = rules::load(name).unwrap_or_else(|e| panic!("{e}"));
        let as_file = rules::load(&format!("rulesets/{name}.toml")).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(on_shelf.rules.spec(), as_file.rules.spec());
        let spec = on_shelf.rules.spec();
        assert!(!spec.name.is_empty() && !spec.about.is_empty() && !spec.source.is_empty(), "{name}");
        assert_ne!(spec.name, name, "{name} has a name of its own");
    }
}

/// The facts stated by the sources about the order of the deal, ends and points. Layouts, stocks and moves are compared
/// game by game elsewhere.
#[test]
fn the_shelf_deals_ends_and_scores_as_its_sources_say() {
    use rules::Part;
    let spec = |name: &str| rules::load(name).unwrap_or_else(|e| panic!("{e}")).rules.spec().clone();
    let order = |name: &str| spec(name).deal.order;
    assert_eq!(order("canfield"), [Part::Reserve, Part::Foundation, Part::Tableau]);
    assert_eq!(order("demon-casino"), [Part::Reserve, Part::Tableau, Part::Foundation]);
    assert_eq!(order("demon-1900"), [Part::Tableau, Part::Reserve, Part::Foundation]);
    for (name, _) in rules::shelf() {
        // A cap on barren passes is not a default if each draw has a die.
        let passes = match *name {
            "demon-casino" => Some(2),
            _ => None,
        };
        assert_eq!(spec(name).barren_passes, passes, "{name}");
        assert_eq!(spec(name).idle_redeals, name.starts_with("bsd").then_some(4), "{name}");
        let scores = spec(name).scores;
        let points = |score: &rules::Score| {
            assert_eq!((score.constant, score.redeal), (0, 0), "{name}");
            (score.complete_suit, score.won, score.foundation_card, score.reserve_left, score.out_first)
        };
        let points: Vec<_> = scores.iter().map(points).collect();
        match *name {
            exorcism if exorcism.starts_with("exorcism") => {
                assert_eq!(points, [(50, 100, 1, -1, 0)], "{name}")
            }
            "racing-demon" => assert_eq!(points, [(0, 0, 1, 0, 10)]),
            "nerts" => assert_eq!(points, [(0, 0, 1, -2, 0)]),
            _ => assert_eq!(points, [], "{name}"),
        }
    }
}

/// `canfield` is the default of every key, and a template for designers: it omits no key.
#[test]
fn canfield_writes_out_every_key() {
    let canfield = rules::load("canfield").unwrap_or_else(|e| panic!("{e}"));
    let mut spec = canfield.rules.spec().clone();
    let plain = rules::Spec::default();
    (spec.name, spec.also, spec.about, spec.source) = Default::default();
    assert_eq!(spec, plain);
    let text = &canfield.sources[0].text;
    for line in plain.to_toml().lines().filter(|line| line.contains(" = ") || line.starts_with('[')) {
        let key = line.split_once(" = ").map_or(line.to_string(), |(key, _)| format!("{key} = "));
        assert!(text.lines().any(|l| l.starts_with(&key) || l.starts_with(&format!("# {key}"))), "{key}");
    }
    assert!(text.contains("# barren_passes = "));
}

#[test]
fn names_are_looked_up_on_the_shelf() {
    match rules::load("canfeild") {
        Err(LoadError::Unknown { name, suggestion, .. }) => {
            assert_eq!((name.as_str(), suggestion), ("canfeild", Some("canfield")));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(rules::load("no-such-file.toml"), Err(LoadError::Unreadable { .. })));
    assert!(matches!(rules::load("rulesets/"), Err(LoadError::Unreadable { .. })));
    let message = rules::load("qqqq").unwrap_err().to_string();
    assert!(message.contains("exorcism-die-draw") && !message.contains("did you mean"), "{message}");
}

#[test]
fn a_file_extends_files_beside_it() {
    let loaded = rules::load("tests/data/rules-good/extends-path.toml").unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<&str> = loaded.sources.iter().map(|source| source.name.as_str()).collect();
    let dir = "tests/data/rules-good";
    assert_eq!(
        names,
        [
            format!("{dir}/extends-path.toml"),
            format!("{dir}/part-base.toml"),
            "rainbow".into(),
            "canfield".into()
        ]
    );
    let spec = loaded.rules.spec();
    assert_eq!(spec.name, "extends-path", "a name is not inherited");
    assert_eq!((spec.also.len(), spec.about.as_str(), spec.source.as_str()), (0, "", ""));
    assert_eq!(spec.tableau.build, rules::Build::Any, "from the shelf");
    assert_eq!(spec.reserve.size, 11, "from the file it extends");
    assert_eq!(spec.reserve.face, rules::ReserveFace::All, "its own [heel] merges into [reserve]");
    assert_eq!(spec.casino.pays_per_card, 475);
    assert_eq!(
        spec.scores.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(),
        ["mine"],
        "[[score]] is replaced"
    );
}

#[test]
fn bytes_that_are_no_text_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bytes.toml");
    fs::write(&path, b"name = \"x\"\nabout = \"\xff\xfe\"\n").unwrap();
    let Err(LoadError::Faults(faults)) = rules::load(path.to_str().unwrap()) else { panic!() };
    assert_eq!(faults[0].position(), (2, 10));
    assert!(diagnostic::render(&faults, false).contains("not UTF-8"));
    fs::write(&path, vec![b'#'; (1 << 18) + 1]).unwrap();
    assert!(matches!(rules::load(path.to_str().unwrap()), Err(LoadError::Unreadable { .. })));
}

#[test]
fn a_long_chain_is_a_fault_and_not_a_crash() {
    let dir = tempfile::tempdir().unwrap();
    for i in 0..100 {
        fs::write(dir.path().join(format!("{i}.toml")), format!("extends = \"{}.toml\"\n", i + 1)).unwrap();
    }
    fs::write(dir.path().join("100.toml"), "").unwrap();
    let load = |i: usize| rules::load(dir.path().join(format!("{i}.toml")).to_str().unwrap());
    let message = load(0).unwrap_err().to_string();
    assert!(message.contains("more than 32 files extend one another"), "{message}");
    assert_eq!(load(69).unwrap().sources.len(), 32);
}

#[test]
fn a_program_is_told_the_faults_of_its_rules() {
    assert!(rules::Rules::new(rules::Spec::default()).is_ok());
    let mut spec = rules::Spec::default();
    spec.reserve.size = 50;
    spec.casino.stake = -1;
    spec.stock.draw = rules::Draw::ByPass(vec![]);
    let faults = rules::Rules::new(spec).unwrap_err();
    let keys: Vec<&str> = faults.iter().map(|fault| fault.keys[0]).collect();
    assert_eq!(keys, ["reserve.size", "stock.draw", "tableau.deal", "casino.stake"]);
    assert_eq!(faults[0].to_string(), "reserve.size: `reserve.size` cannot be 50; allowed: 0 to 40");
}

/// The messages are limited, however long the text.
#[test]
fn a_text_full_of_faults_is_cut_short() {
    let text: String = (0..10_000).map(|i| format!("k{i} = 1\n")).collect();
    let Err(LoadError::Faults(faults)) = rules::parse_text("long.toml", &text) else { panic!() };
    assert_eq!(faults.len(), 10_000);
    let drawn = diagnostic::render(&faults, false);
    assert_eq!(drawn.matches("error: ").count(), 20);
    assert!(drawn.ends_with("\nand 9980 more\n"), "{drawn}");
    let told = LoadError::Faults(faults).to_string();
    assert_eq!((told.lines().count(), told.lines().last()), (21, Some("and 9980 more")));
}

#[test]
fn a_deck_of_several_packs_costs_their_price() {
    let stake = |text: &str| rules::parse_text("test.toml", text).unwrap().rules.spec().casino.stake;
    assert_eq!([stake("deal.packs = 1"), stake("deal.packs = 3")], [5200, 15600]);
    assert_eq!(stake("deal.packs = 3\ncasino.stake = 52"), 5200);
}
