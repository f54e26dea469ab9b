//! Arbitrary text as the lines of records and answers.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use saratoga::cards::Deck;
use saratoga::game::{End, Outcome, Record};
use saratoga::lab::{GameRunner, SolveLine};
use saratoga::rules::Rules;
use saratoga::strategy::script::Script;
use saratoga::strategy::{Greedy, Random, Strategy};
use serde_json::Value;

use super::{CHOICES, Choices};
use crate::common;
use crate::engine::plain::judge::{judge, replay};

/// The rulesets of the shelf by name, and random ones, some with dice and shuffles.
static RULES: LazyLock<BTreeMap<String, Rules>> = LazyLock::new(|| {
    let shelf = common::shelf().into_iter().map(|(name, rules)| (name.to_string(), rules));
    let random = |number| Rules::new(common::specs::numbered(number)).expect("a valid ruleset");
    shelf.chain((0..30).map(|number| (format!("random {number}"), random(number)))).collect()
});

/// Maximum length of moves that the plain implementation judges, since it is slow.
const LONGEST: usize = 6_000;

/// Whatever `check` accepts is true, and what it refuses is wrong at that word: the plain implementation is the judge.
pub fn accepted_records_replay(bytes: &[u8]) {
    let text = match bytes {
        [CHOICES, choices @ ..] => mutated(&mut Choices::new(choices)),
        _ => super::text(bytes),
    };
    for line in text.lines().take(8) {
        accepted(line);
    }
}

/// Returns whether a line is accepted as a record or an answer under its rules; if so, it must be true.
pub fn accepted(line: &str) -> bool {
    if let Ok(record) = serde_json::from_str::<Record>(line)
        && let Some(rules) = RULES.get(&*record.rules)
    {
        let checked = record.check(rules);
        if record.moves.len() > LONGEST {
            return checked.is_ok();
        }
        if let Err(fault) = &checked {
            assert!(!fault.message.is_empty() && fault.to_string().contains(&fault.message), "{line}");
        }
        let told = checked.map(drop).map_err(|fault| fault.word);
        // Seeds and stakes may be wrong besides.
        if told.is_ok() || (record.seed, record.staked, record.stopped) == (None, None, None) {
            assert_eq!(told, judge(rules, &record), "{line}");
        }
        if let (Ok(()), Some(seed)) = (told, record.seed) {
            let deck = Deck::shuffled(rules.deck_shape(), seed, record.game).to_string();
            assert!(record.deck.split_whitespace().eq(deck.split(' ')), "not the deck of its seed: {line}");
        }
        return told.is_ok();
    }
    if let Ok(answer) = serde_json::from_str::<SolveLine>(line)
        && let Some(rules) = RULES.get(&*answer.record().rules)
    {
        let record = answer.record();
        let accepted = answer.check(rules).is_ok() && Deck::parse(&record.deck, rules.deck_shape()).is_ok();
        let told = serde_json::to_value(&answer).expect("what was read is written");
        assert!(!accepted || answered(&record, &told, rules), "accepted, but wrong: {line}");
        return accepted;
    }
    false
}

/// Returns whether an answer of the solver is true, given its moves.
fn answered(record: &Record, told: &Value, rules: &Rules) -> bool {
    let all = rules.spec().cards() as u64;
    let (cards, most) = (told["cards"].as_u64().unwrap_or(0), told["cards_at_most"].as_u64());
    let won = told["verdict"] == "won";
    if cards > all || most.is_some_and(|most| most < cards || most > all) {
        return false;
    }
    if record.moves.is_empty() {
        return !won;
    }
    replay(rules, record).is_ok_and(|(game, _, end)| {
        game.cards_on_foundations() as u64 == cards && won == (end == Some(End::Won))
    })
}

/// Gives up sometimes, and does not always buy what it could.
const GIVES_UP: &str = "fn choose(view) {
    if view.random(40) == 0 { () } else { view.moves[view.random(view.moves.len())] }
}
fn stage(view, at, cost) { view.random(5) > 0 }";

/// Returns a true record, slightly changed or not at all.
fn mutated(choices: &mut Choices<'_>) -> String {
    let names: Vec<&String> = RULES.keys().collect();
    let name = names[choices.below(names.len())];
    let rules = &RULES[name];
    let (seed, number) = (choices.below(9) as u64, choices.below(9) as u64);
    let deck = Deck::shuffled(rules.deck_shape(), seed, number);
    let gives_up = || Script::new("gives-up", &super::super::support::source(GIVES_UP)).expect("it is sound");
    let strategy: Box<dyn Strategy> = match choices.below(3) {
        0 => Box::new(Greedy),
        1 => Box::new(Random),
        _ => Box::new(gives_up()),
    };
    let mut player = GameRunner::new(name, rules, strategy);
    let mut record = player.record(&deck, seed, number).expect("these strategies have no faults");
    let outcome = player.play(seed, number).expect("these strategies have no faults");
    // Which unknown cards were offered is not part of a record.
    assert_eq!(record.check(rules), Ok(Outcome { stake: None, ..outcome }), "{record:?}");
    let line = serde_json::to_string(&record).expect("a record is written");
    assert_eq!(serde_json::from_str::<Record>(&line).ok().as_ref(), Some(&record), "{line}");
    if choices.below(2) == 1 {
        // With a seed, only its own deck is valid.
        record.seed = None;
    }
    for _ in 0..choices.below(4) {
        change(&mut record, choices, &names);
    }
    serde_json::to_string(&record).expect("a record is written")
}

const WORDS: [&str; 19] = [
    "draw", "redeal", "R>F", "W>F", "W>T1", "T1>T2x1", "T2>F", "roll:1", "roll:3", "roll:9", "shuffle:",
    "S>T1", "C1>F", "C3>F", "R2>F", "R4>T1", "FS>T1", "FS2>T1", "x",
];

fn change(record: &mut Record, choices: &mut Choices<'_>, names: &[&String]) {
    let kind = choices.below(12);
    let mut words: Vec<&str> = if kind == 5 { &record.deck } else { &record.moves }.split(' ').collect();
    let (at, other) = (choices.below(words.len()), choices.below(words.len()));
    match kind {
        0 => record.end = End::ALL[choices.below(End::ALL.len())],
        1 => record.cards = (choices.below(55) as u16).wrapping_sub(1),
        2 => record.seed = Some(choices.number()),
        3 => record.game = choices.number(),
        4 => record.rules = names[choices.below(names.len())].to_string(),
        6 => record.staked = Some(choices.number() as i64),
        5 | 7 => words.swap(at, other),
        8 => words.truncate(at),
        9 => drop(words.remove(at)),
        10 => words[at] = choices.pick(&WORDS),
        _ => words.insert(at, choices.pick(&WORDS)),
    }
    let text = words.join(" ");
    *if kind == 5 { &mut record.deck } else { &mut record.moves } = text;
}
