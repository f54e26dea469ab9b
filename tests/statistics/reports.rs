//! Reports of made-up and of small real results: charts are well formed and drawn, pages are self-contained, figures
//! computed by hand are told, files and data agree, and nothing panics.

use proptest::prelude::*;
use saratoga::chart::Theme;
use saratoga::contest;
use saratoga::diagnostic::SourceText;
use saratoga::game::End;
use saratoga::lab::{
    ContestResult, Contesting, Solutions, SolveDeals, SolveLimits, Solved, Solving, Workers, at_speed,
    contest_at_speeds,
};
use saratoga::report::{
    Document, Run, RunRules, compare_document, contest_document, document_html, document_terminal,
    solve_document,
};
use saratoga::rules::{self, Casino, Loaded, Spec};
use saratoga::solver::{Goal, Limit, Verdict};
use saratoga::stats::{Estimate, Measure, Night, RunningPoint, SequentialTest};
use saratoga::strategy;
use serde_json::Value;

use super::compare::{PLAN, Plan, played};
use super::samples::{Sample, game, report, run, sample, sets, stakes};
use crate::common::play::Sides;
use crate::common::program::{has, number, one_line, stands_alone};

/// Checks every chart of a document; each must have `part` in its texts.
fn charts(document: &Document<'_>, part: &str) {
    for chart in document.charts() {
        let name = chart.name();
        let inline = chart.inline_svg().unwrap();
        assert!(!inline.contains("=\"#"), "{name}: a colour that the page cannot change");
        for svg in [chart.svg(Theme::Dark).unwrap(), inline] {
            let xml = roxmltree::Document::parse(&svg).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
            assert!(!svg.contains(" id="), "{name}: several charts stand in one page");
            assert_eq!(xml.root_element().attribute("role"), Some("img"), "{name}");
            let title = xml.root_element().children().find(|it| it.tag_name().name() == "title");
            assert_eq!(title.and_then(|it| it.text()), Some(&*chart.title().replace('\u{a0}', " ")));
            assert!(xml.descendants().filter_map(|node| node.text()).any(|it| it.contains(part)), "{name}");
        }
    }
}

/// Checks the page of a document, and returns it.
fn page(document: &Document<'_>) -> String {
    let page = document_html(document).unwrap();
    stands_alone(&page);
    has(&page, "prefers-color-scheme:dark|@media print");
    page
}

/// Checks the summary of a document for a terminal, and returns it.
fn terminal(document: &Document<'_>) -> String {
    let text = document_terminal(document, 100);
    for line in text.lines() {
        let fits = line.chars().count() <= 100 || line.contains("saratoga ");
        assert!(fits && line.trim_end() == line && line.is_ascii(), "`{line}`");
    }
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    text
}

fn names<'a>(document: &'a Document<'_>) -> Vec<&'a str> {
    document.charts().map(|chart| chart.name()).collect()
}

#[test]
fn pages_of_simulations_stand_alone() {
    for samples in sets() {
        let report = report(samples);
        charts(&report.document(), "");
        terminal(&report.document());
        let page = page(&report.document());
        has(&page, &report.run.command);
        assert_eq!(page.matches(" id=\"").count(), report.found.entries.len());
    }
    // 1,000 games of 10 cards, for which $50 of $52 are paid back.
    let ten: [u64; 53] = std::array::from_fn(|cards| if cards == 10 { 1_000 } else { 0 });
    let told = terminal(&report(vec![Sample::of(Spec::default(), "clock", &ten)]).document());
    for part in [
        "keeps 3.8% of the price of each deck sold|mean cards of 52 10.00|how games ended barren 1,000 (100%)",
        "net a deck -$2.00|hold of 100 decks $200.00|11 cards give|fair price $50.00|price for a 5% edge $52.63",
    ] {
        has(&one_line(&told), part);
    }
    // Without a price there is no edge.
    let mut free = sample("canfield", "greedy", 7.0, 0.04, 1000).sold_at(0);
    free.night = None;
    let report = report(vec![free]);
    assert_eq!(names(&report.document()), ["win-rates", "cards"]);
    has(&page(&report.document()), "there is no house edge");
}

#[test]
fn names_are_shown_as_written_and_give_files_their_own() {
    let twice = || sample("canfield", "greedy", 7.0, 0.04, 5000);
    let named = report(vec![sample("a <b> & \"c\"", "d'e\u{7}", 7.0, 0.04, 1000)]);
    charts(&named.document(), "a <b> & \"c\", ");
    let html = page(&named.document());
    assert!(html.contains("a &lt;b&gt; &amp; &quot;c&quot;") && !html.contains("a <b>"));
    let report = report(vec![twice(), twice(), sample("♠♠", "♥", 7.0, 0.04, 5000)]);
    let document = report.document();
    let mut all = names(&document);
    all.sort_unstable();
    all.dedup();
    assert_eq!((all.len(), document.charts().count()), (14, 14), "{all:?}");
    let files = document.charts().next().unwrap().files(&[]).unwrap();
    let files: Vec<&str> = files.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(files, ["win-rates.svg", "win-rates.png", "win-rates-dark.svg", "win-rates-dark.png"]);
}

fn odd() -> impl Strategy<Value = f64> {
    let strange = [0.0, -0.0, 1e-300, 1e300, -1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    prop_oneof![4 => -1e6..1e6f64, 1 => prop::sample::select(strange.to_vec())]
}

fn odd_estimate() -> impl Strategy<Value = Estimate> {
    (odd(), odd(), odd()).prop_map(|(value, low, high)| Estimate { value, low, high })
}

prop_compose! {
    fn odd_sample()(
        name in ".{0,60}",
        strategy in ".{0,60}",
        currency in ".{0,4}",
        stake in prop::sample::select(vec![0, 1, 100, 5200, 1_000_000_000_000]),
        pays_per_card in prop::sample::select(vec![0, 1, 500, 10_000_000_000]),
        pays_for_win in prop::sample::select(vec![0, 10_000]),
        histogram in (prop::sample::select(vec![53usize, 105, 157, 209]), 0..5u64).prop_flat_map(|(n, most)| {
            prop::collection::vec(prop_oneof![6 => Just(0), 1 => 0..=most.pow(9)], n)
        }),
        night in prop::option::of(prop::collection::vec((any::<u32>(), prop::array::uniform5(odd())), 0..6)),
        losing_probability in odd(),
        spoil in prop::option::of((odd_estimate(), odd_estimate(), odd_estimate(), any::<bool>())),
        running in prop::option::of(prop::collection::vec((any::<u64>(), odd_estimate()), 0..5)),
    ) -> Sample {
        let casino = Casino { stake, pays_per_card, pays_for_win, currency, ..Spec::default().casino };
        let mut sample = Sample::of(Spec { name, casino, ..Spec::default() }, &strategy, &histogram);
        if let Some((edge, rate, fair, in_steps)) = spoil {
            sample.summary.house_edge = Some(edge);
            sample.summary.win_rate = rate;
            sample.summary.fair_price = (!in_steps).then_some(fair);
            sample.summary.stakes = in_steps.then(|| stakes(fair, rate));
        }
        if let Some(running) = running {
            sample.summary.running = running.into_iter().map(|(games, edge)| RunningPoint { games, edge }).collect();
        }
        sample.night = night.map(|points| {
            let (decks, quantiles) = points.into_iter().unzip();
            Night { decks, quantiles, losing_probability, normal_from: None }
        });
        sample
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_figures_all_is_drawn(samples in prop::collection::vec(odd_sample(), 1..4), pick in any::<prop::sample::Index>()) {
        let report = report(samples);
        let document = report.document();
        let charts: Vec<_> = document.charts().collect();
        for chart in &charts {
            let svg = chart.svg(Theme::Light).unwrap();
            prop_assert!(roxmltree::Document::parse(&svg).is_ok(), "{}", svg);
            prop_assert!(!svg.contains("NaN") || report.found.entries.iter().any(|it| it.rules.contains("NaN")));
        }
        prop_assert!(document_html(&document).is_ok());
        let png = charts[pick.index(charts.len())].png(Theme::Dark).unwrap();
        prop_assert!(png.len() > 1000);
    }
}

/// Plays a contest at several speeds of its first player.
fn contested(id: &str, text: &str, matches: u64, factors: &[u32]) -> (Run, ContestResult) {
    let loaded = contest::parse_text(id, text).unwrap_or_else(|error| panic!("{error}"));
    let others: Vec<_> = factors.iter().map(|&factor| at_speed(&loaded.spec, 0, factor)).collect();
    let asked = Contesting { loaded: &loaded, others: &others, seed: 7, matches, workers: Workers::new(2) };
    let found = contest_at_speeds(&asked, &mut |_, _, _| {}).unwrap_or_else(|(_, error)| panic!("{error}"));
    let players: Vec<&str> = loaded.strategies.iter().map(|source| source.name()).collect();
    (run("saratoga contest sample.toml -n 8 --seed 7", vec![RunRules::new(&loaded.rules)], &players), found)
}

const SHARED: &str = "extends = \"nerts\"\nname = \"A <sample> & more\"\n[match]\ndeals = 1\n";

/// Two to eight players, long names, teams, undecided matches, one match, one other speed and many.
#[test]
fn whatever_the_contest_all_is_told() {
    let long = "[[player]]\nname = \"Somebody with a name that is <far> too long for any column or chart\"\n\
                strategy = \"patient\"\nspeed = 12.345\n[[player]]\nname = \"B\"\ncount = 7\n";
    let teams = "extends = \"exorcism-teams\"\n[match]\ntarget = 1000\nmax_rounds = 2\n";
    let uneven = "[[player]]\nname = \"Alone\"\nteam = \"one\"\n[[player]]\nname = \"Ann\"\nteam = \"two\"\ncount = 3\n";
    let factors: Vec<u32> = (1..=30).map(|i| i * 100).collect();
    for (shape, (run, found)) in [
        ("two", contested("sample.toml", &format!("players = 2\n{SHARED}"), 24, &[500, 1000, 2000])),
        ("eight", contested("sample.toml", &format!("{SHARED}{long}"), 8, &[500])),
        ("uneven", contested("sample.toml", &format!("{SHARED}{uneven}"), 10, &[])),
        ("undecided", contested("sample.toml", teams, 8, &[1000, 1001])),
        ("one", contested("sample.toml", SHARED, 1, &factors)),
    ] {
        let document = contest_document(&run, &found, None);
        let wanted = ["matches-won", "points", "speed"];
        assert_eq!(names(&document), wanted[..if found.speeds.is_empty() { 2 } else { 3 }], "{shape}");
        charts(&document, "seed 7");
        let page = page(&document);
        has(&page, "so time is modelled|saratoga contest sample.toml -n 8 --seed 7|95% interval|9.9.9");
        for player in &found.contest.players {
            has(&page, &player.name.replace('<', "&lt;").replace('>', "&gt;"));
        }
        assert_eq!(page.contains("The script patient"), shape == "eight");
        assert_eq!(page.contains("<h3>Teams</h3>"), ["uneven", "undecided"].contains(&shape), "{shape}");
        assert_eq!(page.contains("undecided: 8 matches (100%)"), shape == "undecided");
        terminal(&document);
    }
}

/// Every answer, every measure, one game, players that never differ, long names, many entries, stages of a stake.
#[test]
fn whatever_the_comparison_all_is_told() {
    use Measure::{Cards, Money, Wins};
    let test = |difference, reach| Some(SequentialTest { difference, alpha: 0.05, beta: 0.1, reach });
    let two = [("canfield", "hoarder"), ("canfield", "greedy")];
    let same = [("canfield", "greedy"), ("canfield", "scripts/greedy.rhai")];
    let rules = [("draw-one", "greedy"), ("canfield", "greedy")];
    let staged = [("bsd", "cautious"), ("bsd", "greedy")];
    let many: Vec<_> = ["greedy", "random", "hoarder", "reserve-first", "scripts/greedy.rhai", "racer"]
        .map(|name| ("canfield", name))
        .to_vec();
    let long = "my scripts/a-player-with-a-name-that-is-<far>-too-\"long\"-for-any-&-column";
    let called =
        [("the-house-variant-<&\"1\">", long), ("the-house-variant-<&\"1\">", "b"), ("canfield", "greedy")];
    let text = SourceText { name: "sample.toml".into(), text: "extends = \"canfield\"\n".into() };
    let own = RunRules { id: "sample".into(), name: "Sample".into(), files: vec![text.into()] };
    let run = run("saratoga compare sample.toml --seed 7", vec![own], &["mine"]);
    for (pairs, called, measure, test, budget, answer) in [
        (&two[..], &two[..], Cards, test(0.4, 52), 20_000, "hoarder is better than greedy"),
        (&two, &called[..2], Money, test(1.0, 26_000), 5_500, "Undecided after "),
        (&same, &same, Wins, test(0.01, 1), 20_000, "Neither greedy nor scripts/greedy.rhai is better"),
        (&same, &same, Money, test(50.0, 26_000), 1, ""),
        (&two, &two, Cards, test(0.1, 52), 1, "One deal is too little for an answer"),
        (&rules, &rules, Wins, test(0.005, 1), 2_001, "draw-one is better than canfield"),
        (&staged, &staged, Money, test(50.0, 40_000), 3_000, ""),
        (&many, &many, Cards, None, 2_000, "The best by cards"),
        (&many[..3], &many[..3], Money, None, 1, ""),
        (&many[2..5], &called, Cards, None, 500, ""),
        (&many[..4], &many[..4], Wins, None, 1_500, ""),
    ] {
        let plan = Plan { seed: 7, budget, measure, test, play_all: budget == 2_001, ..PLAN };
        let compared = played(&Sides::new(pairs), called, plan, Workers::new(plan.threads), &mut |_, _| {});
        let document = compare_document(&run, &compared);
        let wanted: &[&str] = if test.is_some() {
            &["test", "running-difference", "differences"]
        } else {
            &["ranking", "pairs"]
        };
        assert_eq!(names(&document), wanted, "{called:?}");
        charts(&document, "seed 7");
        has(&page(&document), "saratoga compare sample.toml --seed 7|To quote|9.9.9|sample.toml");
        let told = terminal(&document);
        assert!(told.contains(answer) || told.contains("is the best of"), "{called:?}: {told}");
        let data: Value = serde_json::from_str(&run.json(&compared).unwrap()).unwrap();
        let entries = compared.entries.len();
        assert_eq!(data["entries"].as_array().unwrap().len(), entries);
        assert_eq!(data["test"].is_null(), entries > 2);
        for pair in data["pairs"].as_array().unwrap() {
            // The simultaneous interval for all pairs is the wider one, and for one pair the same.
            let measured = ["cards", "win_rate", "money"][measure as usize];
            let [own, all] =
                [measured, "adjusted"].map(|of| [&pair[of]["low"], &pair[of]["high"]].map(number));
            assert!(all[0] <= own[0] && all[1] >= own[1] && (own == all) == (entries == 2), "{pair}");
        }
    }
}

const NAMES: [&str; 2] = ["greedy", "my/<very> patient & lucky.rhai"];

/// Two strategies on the same five deals, each played this many times.
fn solved<T>(loaded: &Loaded, times: usize, goal: Goal, see: impl FnOnce(&Run, &Solutions) -> T) -> T {
    let all = loaded.rules.spec().cards();
    let unknown = Verdict::Unknown(Limit::Nodes);
    let five = [
        (Verdict::Won, (all, all), 100),
        (Verdict::Lost, (10, 10), 400),
        (unknown, (20, all), 5000),
        (unknown, (4, 30), 5000),
        (Verdict::Won, (all, all), 900),
    ];
    let answer = |(number, (verdict, (cards, cards_at_most), nodes)): (u64, _)| {
        let (id, seconds) = (format!("deal {number}, of \"mine\""), nodes as f64 / 1e6);
        let (face, bytes, moves) = (None, 1 << 20, String::new());
        Solved { number, id, face, verdict, cards, cards_at_most, nodes, bytes, moves, seconds }
    };
    let answers: Vec<Solved> = (0..).zip(five.into_iter().cycle().take(5 * times)).map(answer).collect();
    let games = |first, low: [usize; 4]| {
        let five: Vec<_> = [first].into_iter().chain(low.map(|cards| game(End::Barren, cards))).collect();
        five.into_iter().cycle().take(answers.len()).collect::<Vec<_>>()
    };
    let games = vec![games(game(End::Barren, 7), [10, 12, 1, 30]), games(game(End::Won, all), [9, 20, 4, 2])];
    let count = answers.len() as u64;
    let deals = SolveDeals { rules: &loaded.rules, seed: 7, given: None, count, rolled: false };
    let names = if goal == Goal::Cards { &NAMES[..] } else { &[] };
    let players: Vec<_> = names.iter().map(|name| strategy::load("greedy").unwrap().called(name)).collect();
    let asked = Solving {
        named: "mine",
        deals: &deals,
        goal,
        limits: SolveLimits { nodes: Some(5000), seconds: None, memory_bytes: 1 << 30 },
        players: &players,
        threads: 1,
        workers: Workers::new(1),
    };
    let run = run("saratoga solve mine.toml -s greedy", vec![RunRules::new(loaded)], &NAMES);
    let games = if goal == Goal::Cards && times > 0 { games } else { vec![Vec::new(); players.len()] };
    see(&run, &Solutions::new(&asked, answers, games).unwrap())
}

/// Canfield under another name, with more rules.
fn mine(more: &str) -> Loaded {
    rules::parse_text("mine", &format!("name = \"Mine <of> all\"\nextends = \"canfield\" # <&>\n{more}"))
        .unwrap()
}

#[test]
fn answers_counted_by_hand_are_told() {
    let text =
        solved(&mine(""), 20, Goal::Cards, |run, found| one_line(&terminal(&solve_document(run, found))));
    for part in [
        // 2 of 5 for certain, 3 if the open one with all cards in reach is won; the other cannot be.
        "40% to 60% of the deals can be won",
        "100 deals of seed 7; limit a deal: 5,000 positions",
        // 52, 10, 20, 4, 52 and 52, 10, 52, 30, 52.
        "most cards, mean 27.6 to 39.2",
        // (52 - 5 x 27.6) / 52 and (52 - 5 x 39.2) / 52.
        "house edge against clairvoyance -277% to -165%",
        "deals with the most cards undecided 40 (40.0%)",
        "most memory 1.0 MiB",
        // 45, 0, 8, 3, 22 and 45, 0, 40, 29, 22.
        "greedy leaves 15.6 to 27.2 cards a game on the table",
        "worth $78.00 to $136.00",
        // 0, 1, 0, 0, 50 and 0, 1, 32, 26, 50.
        "lucky leaves 10.2 to 21.8 cards a game on the table",
    ] {
        has(&text, part);
    }
    // Wins alone are told without cards.
    solved(&mine(""), 1, Goal::Win, |run, found| {
        let text = terminal(&solve_document(run, found));
        assert!(!text.contains("most cards") && !text.contains("edge"), "{text}");
        assert!(!run.json(found).unwrap().contains("most_cards"));
    });
}

#[test]
fn whatever_the_answers_all_is_drawn() {
    for (rules, times) in [
        (mine(""), 0),
        (mine(""), 1),
        (mine(""), 200),
        (mine("[casino]\nstake = 0\npays_per_card = 0\n"), 3),
        (rules::load("bsd").unwrap(), 3),
        (mine("[deal]\npacks = 4\n"), 5),
    ] {
        for goal in [Goal::Win, Goal::Cards] {
            solved(&rules, times, goal, |run, found| {
                let document = solve_document(run, found);
                charts(&document, "");
                let page = page(&document);
                assert!(!page.contains("<of>") && !page.contains("<very>"), "{times}");
                assert!(times > 0 || terminal(&document).contains("0 deals"));
            });
        }
    }
}
