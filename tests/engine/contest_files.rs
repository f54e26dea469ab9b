//! Contest files: every fault is found and located, and the shelf agrees with its sources.

use crate::engine::support::files::{files, stems};
use saratoga::contest::{self, ContestSpec, DealEnd, Foundations, Goal, LoadedContest, PlayerSpec};
use saratoga::rules::{self, LoadError, Score};

fn load(name: &str) -> LoadedContest {
    contest::load(name).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn faults_are_told() {
    crate::engine::support::files::faults_are_told("tests/data/contests-bad", |path| {
        contest::load(path).map(|loaded| loaded.warnings)
    });
}

/// The files of `contests-good` and the shelf load without messages, and read the same once written out.
#[test]
fn sound_files_load() {
    for dir in ["tests/data/contests-good", "rulesets/contests"] {
        for path in files(dir) {
            let loaded = load(&path);
            assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
            assert_eq!([loaded.id.as_str()], *stems(&[path]));
            assert_eq!(loaded.spec.faults(loaded.rules.rules.spec()), []);
            let written = loaded.spec.to_toml();
            let again =
                contest::parse_text("again.toml", &written).unwrap_or_else(|e| panic!("{e}\n{written}"));
            assert_eq!(again.spec, loaded.spec);
            assert_eq!(again.spec.to_toml(), written);
            let names = |loaded: &LoadedContest| -> Vec<String> {
                loaded.strategies.iter().map(|source| source.name().to_string()).collect()
            };
            let strategies: Vec<&str> = loaded.spec.players.iter().map(|p| &*p.strategy).collect();
            assert_eq!((names(&loaded), names(&again)), (names(&again), names(&loaded)));
            assert_eq!(names(&loaded), strategies);
        }
    }
}

fn player(name: &str, strategy: &str, speed: u32, jitter: u32, team: Option<&str>) -> PlayerSpec {
    let (name, strategy, team) = (name.to_string(), strategy.to_string(), team.map(str::to_string));
    PlayerSpec { name, strategy, speed, jitter, team }
}

#[test]
fn every_form_is_read() {
    let dir = "tests/data/contests-good";
    let spec = load(&format!("{dir}/every-form.toml")).spec;
    let (a, b) = (Some("A"), Some("B"));
    let wanted = ContestSpec {
        name: "Every form \"quoted\"".into(),
        also: vec!["One".into(), "Two".into()],
        about: "Lines.\nMore.".into(),
        source: String::new(),
        rules: format!("{dir}/part-layout.toml"),
        foundations: Foundations::Shared,
        score: "second".into(),
        deal_ends: DealEnd::Reserve,
        goal: Goal::Target { points: 1000, max_rounds: 7 },
        gather: 500,
        players: vec![
            player("Ann", &format!("{dir}/part-own.rhai"), 1250, 0, a),
            player("Player 2", "scripts/greedy.rhai", 10, 990, b),
            player("Player 3", "scripts/greedy.rhai", 10, 990, b),
            player("Pair 1", "greedy", 1_000_000, 0, a),
            player("Pair 2", "greedy", 1_000_000, 0, a),
        ],
    };
    assert_eq!(spec, wanted);

    // A contest can replace parts of the one it extends: the players, the end of the match, and what depends on them.
    let extended = load(&format!("{dir}/extends.toml"));
    assert_eq!(extended.sources.len(), 2);
    let (first, second) =
        (player("Player 1", "greedy", 1250, 0, None), player("Player 2", "greedy", 1250, 0, None));
    let wanted = ContestSpec {
        name: "extends".into(),
        also: vec![],
        about: String::new(),
        foundations: Foundations::Own,
        deal_ends: DealEnd::AllUp,
        score: "first".into(),
        goal: Goal::Deals(3),
        players: vec![first, second],
        ..wanted
    };
    assert_eq!(extended.spec, wanted);

    let least = load(&format!("{dir}/least.toml")).spec;
    assert_eq!((least.name.as_str(), least.gather, least.score.as_str()), ("least", 30_000, "points"));
    let players =
        [player("Player 1", "greedy", 1000, 200, None), player("Player 2", "greedy", 1000, 200, None)];
    assert_eq!(
        (least.foundations, least.goal, &least.players[..]),
        (Foundations::Own, Goal::Deals(1), &players[..])
    );
}

#[test]
fn the_shelf_is_the_directory() {
    let shelf: Vec<&str> = contest::shelf().iter().map(|(name, _)| *name).collect();
    assert_eq!(shelf, stems(&files("rulesets/contests")));
    for name in shelf {
        let on_shelf = load(name);
        assert_eq!(on_shelf.spec, load(&format!("rulesets/contests/{name}.toml")).spec);
        let spec = on_shelf.spec;
        assert!(!spec.name.is_empty() && !spec.about.is_empty() && !spec.source.is_empty(), "{name}");
        assert_ne!(spec.name, name, "{name} has a name of its own");
        // Subcommands are not used as names.
        assert!(!["list", "show", "check", "schema", "run", "help"].contains(&name), "{name}");
    }
}

/// The facts stated by the sources of each contest: rules, foundations, the end of a deal and of the match, the teams.
#[test]
fn the_shelf_plays_what_its_sources_say() {
    let (own, shared) = (Foundations::Own, Foundations::Shared);
    let (all_up, reserve) = (DealEnd::AllUp, DealEnd::Reserve);
    let target = |points| Goal::Target { points, max_rounds: 1000 };
    let facts = [
        ("racing-demon", "racing-demon", shared, all_up, Goal::Deals(4), [0, 0, 0, 0]),
        ("nerts", "nerts", shared, reserve, target(100), [0, 0, 0, 0]),
        ("exorcism-competition", "exorcism", own, all_up, target(200), [0, 0, 0, 0]),
        ("exorcism-teams", "exorcism", own, all_up, target(400), [1, 1, 2, 2]),
    ];
    assert_eq!(facts.len(), contest::shelf().len());
    for (name, rules, foundations, ends, goal, teams) in facts {
        let loaded = load(name);
        let spec = &loaded.spec;
        assert_eq!((spec.rules.as_str(), spec.foundations), (rules, foundations), "{name}");
        assert_eq!((spec.deal_ends, spec.goal), (ends, goal), "{name}");
        let mut seen: Vec<&str> = Vec::new();
        let mut number = |team: &'static str| {
            if !seen.contains(&team) {
                seen.push(team);
            }
            seen.iter().position(|known| *known == team).unwrap() + 1
        };
        let players = spec.players.iter().map(|player| player.team.clone());
        let numbers: Vec<usize> =
            players.map(|team| team.map_or(0, |team| number(String::leak(team)))).collect();
        assert_eq!(numbers, teams, "{name}");
        // Players of the shelf's contests are equal: none is favoured by speed.
        assert!(spec.players.iter().all(|player| (player.speed, player.jitter) == (1000, 200)), "{name}");
        let score = spec.score(loaded.rules.rules.spec()).unwrap();
        assert_eq!(score.foundation_card, 1, "{name}");
        assert_eq!(score.out_first, if name == "racing-demon" { 10 } else { 0 }, "{name}");
        assert_eq!(
            score.reserve_left,
            [0, -2, -1, -1][facts.iter().position(|f| f.0 == name).unwrap()],
            "{name}"
        );
    }
}

#[test]
fn names_are_looked_up_on_the_shelf() {
    match contest::load("nrets") {
        Err(LoadError::Unknown { shelf, name, suggestion }) => {
            assert_eq!((shelf.what, &*name, suggestion), ("contest", "nrets", Some("nerts")));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(contest::load("no-such-file.toml"), Err(LoadError::Unreadable { .. })));
    let message = contest::load("canfield").unwrap_err().to_string();
    assert!(message.contains("there is no contest \"canfield\"") && message.contains("nerts"), "{message}");
    // And a contest's ruleset on the other shelf.
    let text = "rules = \"exorcsim\"\nplayers = 2\n[match]\ndeals = 1\n";
    let message = contest::parse_text("new.toml", text).unwrap_err().to_string();
    assert!(
        message.starts_with("new.toml:1:9: there is no ruleset \"exorcsim\" on the shelf; did you"),
        "{message}"
    );
}

/// A contest built by a program is checked too, and a valid one can be written and read.
#[test]
fn a_program_is_told_the_faults_of_its_contest() {
    let sound = load("racing-demon");
    let rules = sound.rules.rules.spec();
    let keys = |contest: &ContestSpec, rules: &rules::Spec| -> Vec<&str> {
        contest.faults(rules).iter().map(|fault| fault.keys[0]).collect()
    };
    assert_eq!(keys(&sound.spec, rules), [""; 0]);
    let mut contest = sound.spec.clone();
    contest.goal = Goal::Target { points: -1, max_rounds: 0 };
    contest.gather = u32::MAX;
    contest.foundations = Foundations::Own;
    contest.deal_ends = DealEnd::Reserve;
    contest.players[0].speed = 9;
    contest.players[1].jitter = 1000;
    contest.players[2].name = " ".into();
    contest.players[3].team = Some("alone".into());
    contest.score = "none".into();
    let wanted = [
        "match.target",
        "match.max_rounds",
        "clock.gather",
        "deal_ends",
        "player.speed",
        "player.jitter",
        "player",
        "player",
        "player",
        "player",
        "deal_ends",
        "score",
    ];
    assert_eq!(keys(&contest, rules), wanted);

    // On shared piles no suit and no win belongs to a player.
    let mut scored = rules.clone();
    scored.scores = vec![Score { name: "points".into(), complete_suit: 1, won: 1, ..Score::default() }];
    assert_eq!(keys(&sound.spec, &scored), ["score", "score"]);
    scored.scores[0].complete_suit = 0;
    assert_eq!(keys(&sound.spec, &scored), ["score"]);
    scored.deal.packs = 2;
    assert_eq!(keys(&sound.spec, &scored), ["foundations", "score"]);
}
