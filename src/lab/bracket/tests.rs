//! Brackets of games that are solved at once.

use super::*;
use crate::rules::{Loaded, load, parse_text};
use crate::stats::Brackets;
use crate::strategy::{Strategy, StrategySource};

/// One pass of a game with a stock of eight cards: small enough for every deal to be solved.
fn small() -> Loaded {
    let text = "extends = \"single-pass\"\n[reserve]\nsize = 23\n[tableau]\ndeal = [5, 5, 5, 5]\n";
    parse_text("small.toml", text).unwrap()
}

struct Asked<'a> {
    rules: &'a Rules,
    players: &'a [&'a str],
    choosing: u64,
    games: u64,
    threads: usize,
}

fn sources(names: &[&str]) -> Vec<StrategySource> {
    names.iter().map(|name| crate::players::load(name).unwrap()).collect()
}

fn find(asked: &Asked<'_>, stop: &AtomicBool) -> Result<BracketFinished, BracketError> {
    let sources = sources(asked.players);
    let makers: Vec<_> =
        sources.iter().map(|source| move || -> Box<dyn Strategy> { source.instantiate() }).collect();
    let entries = makers.iter().map(|make| Pairing { id: "small", rules: asked.rules, strategy: make });
    let batch = BracketBatch {
        entries: entries.collect(),
        seed: 7,
        choosing: asked.choosing,
        games: asked.games,
        nodes: 200_000,
        workers: Workers::new(asked.threads),
    };
    bracket(&batch, stop, &mut |_| {})
}

fn found(rules: &Rules, players: &[&str], choosing: u64, games: u64, threads: usize) -> BracketFinished {
    find(&Asked { rules, players, choosing, games, threads }, &AtomicBool::new(false)).unwrap()
}

#[test]
fn nobody_exceeds_the_upper_bound() {
    let loaded = small();
    let rules = &loaded.rules;
    let players = ["random", "greedy", "patient", "search:level=1"];
    let found = found(rules, &players, 20, 60, 2);
    assert!(found.refused.is_none() && !found.interrupted);
    assert_eq!((found.deals(), found.tallies.len()), (60, 4));
    assert!(found.tallies.iter().all(|tally| tally.games() == 60));
    assert!(found.choosing.iter().all(|tally| tally.games() == 20));
    let proven = found.bounds.list().iter().filter(|bound| bound.is_proven()).count();
    assert_eq!(proven, 60, "every deal of a small game is solved");
    let summaries = found.summaries(rules);
    let brackets = Brackets::new(rules.spec(), found.chosen.map(|i| &summaries[i]), &found.bounds, false);
    for bracket in [brackets.cards, brackets.wins, brackets.net] {
        assert!(bracket.lower.value <= bracket.upper.value);
        assert_eq!(bracket.width.undecided, 0.0);
    }
    for summary in &summaries {
        assert!(summary.cards.value <= brackets.cards.upper.value);
    }
    // The searching player is worth its while, and random play is not.
    assert!(summaries[0].cards.value < brackets.cards.lower.value);
}

#[test]
fn threads_do_not_change_it() {
    let loaded = small();
    let one = found(&loaded.rules, &["patient", "search:level=1"], 5, 21, 1);
    let three = found(&loaded.rules, &["patient", "search:level=1"], 5, 21, 3);
    assert_eq!((&one.choosing, &one.tallies), (&three.choosing, &three.tallies));
    assert_eq!((&one.bounds, one.chosen), (&three.bounds, three.chosen));
}

#[test]
fn the_best_is_chosen_on_deals_of_its_own() {
    let loaded = load("canfield").unwrap();
    let spec = loaded.rules.spec();
    let players = ["random", "greedy", "patient", "hoarder", "reserve-first"];
    let few = found(&loaded.rules, &players, 8, 4, 1);
    let more = found(&loaded.rules, &players, 8, 12, 1);
    // More deals to judge by change nothing about the choice, which is that of the games it was made by.
    assert_eq!((&few.choosing, few.chosen), (&more.choosing, more.chosen));
    let sources = sources(&players);
    for (source, tally) in sources.iter().zip(&few.choosing) {
        let mut player = Player::new("canfield", &loaded.rules, source.instantiate());
        let mut alone = Tally::new(spec);
        (FIRST_CHOOSING..FIRST_CHOOSING + 8).for_each(|game| alone.add(&player.play(7, game).unwrap()));
        assert_eq!(&alone, tally);
    }
    let summaries: Vec<Summary> =
        few.choosing.iter().map(|tally| summarize(tally, spec, Vec::new())).collect();
    let most = summaries.iter().map(|s| s.cards.value).fold(0.0, f64::max);
    assert_eq!(summaries[few.chosen[0]].cards.value, most);
    assert_eq!(
        summaries[few.chosen[2]].net.value,
        summaries.iter().map(|s| s.net.value).fold(-1e9, f64::max)
    );
}

#[test]
fn where_chance_decides_only_the_rules_bound() {
    let loaded = load("exorcism-die-draw").unwrap();
    let found = found(&loaded.rules, &["greedy"], 1, 6, 1);
    assert!(found.refused.is_some());
    let all = loaded.rules.hot.cards as u16;
    assert!(found.bounds.list().iter().all(|bound| bound.most == all && bound.winnable != Some(false)));
    let reached: u64 = found.bounds.list().iter().map(|bound| u64::from(bound.least)).sum();
    let cards: f64 = found.summaries(&loaded.rules)[0].cards.value;
    assert!((reached as f64 - cards * 6.0).abs() < 1e-6);
}

#[test]
fn what_was_asked_to_stop_has_no_deals() {
    let loaded = small();
    let asked = Asked { rules: &loaded.rules, players: &["greedy"], choosing: 4, games: 8, threads: 1 };
    let found = find(&asked, &AtomicBool::new(true)).unwrap();
    assert!(found.interrupted && found.deals() == 0);
}
