//! Records replay to the recorded game, and a record that was tampered with is rejected where it breaks the rules. The
//! plain implementation is the judge.

use std::cell::Cell;

use crate::engine::plain::ends::PlainEnds;
use crate::engine::plain::{ChanceAnswer, ChanceRequest, PCard, PlainGame};
use crate::engine::support::layout::{Layout, bare};
use crate::engine::support::specs::numbered;
use crate::engine::support::{Whim, shelf};
use saratoga::cards::{Card, Deck};
use saratoga::game::{End, MoveList, Outcome, Record, View};
use saratoga::lab::GameRunner;
use saratoga::rules::{Draw, OnRedeal, Rules};
use saratoga::strategy::{Greedy, Random, Strategy, StrategyError};

/// Returns where the plain implementation finds a record at fault: at a word, counted from 1, or as a whole.
fn judge(rules: &Rules, record: &Record) -> Result<(), Option<usize>> {
    let spec = rules.spec();
    let deck = Deck::parse(&record.deck, rules.deck_shape()).map_err(|_| None)?;
    let words: Vec<&str> = record.moves.split_whitespace().collect();
    let next = Cell::new(0);
    let fault: Cell<Option<Option<usize>>> = Cell::new(None);
    let note = |word: Option<usize>| fault.set(fault.get().or(Some(word)));
    let mut chance = |request: ChanceRequest| {
        let (kind, harmless) = match &request {
            ChanceRequest::Roll { .. } => ("roll:", ChanceAnswer::Roll(1)),
            ChanceRequest::Shuffle { cards } => ("shuffle:", ChanceAnswer::Order(cards.clone())),
        };
        let at = next.get();
        let Some(told) = words.get(at).and_then(|word| word.strip_prefix(kind)) else {
            note(words.get(at).map(|_| at + 1));
            return harmless;
        };
        next.set(at + 1);
        let answer = match request {
            ChanceRequest::Roll { faces } => {
                let face = told.parse().ok().filter(|face| (1..=faces).contains(face));
                face.map(ChanceAnswer::Roll)
            }
            ChanceRequest::Shuffle { cards } => {
                // A record does not distinguish packs.
                let mut left = cards;
                let mut take = |word: &str| {
                    let told = PCard::from(word.parse::<Card>().ok()?);
                    let at = left.iter().position(|card| (card.rank, card.suit) == (told.rank, told.suit))?;
                    Some(left.remove(at))
                };
                let order: Option<Vec<PCard>> = told.split(',').map(&mut take).collect();
                order.filter(|_| left.is_empty()).map(ChanceAnswer::Order)
            }
        };
        answer.unwrap_or_else(|| {
            note(Some(at + 1));
            harmless
        })
    };
    let mut game = PlainGame::deal(spec, deck.cards(), &mut chance);
    let mut ends = PlainEnds::begin(spec, &game);
    let mut end = PlainEnds::stands(spec, &game);
    while let (None, Some(word)) = (fault.get(), words.get(next.get())) {
        next.set(next.get() + 1);
        let legal = end.is_none() && game.legal(spec).iter().any(|m| m == word);
        if !legal || !word.contains('>') && ends.goes_nowhere(spec, word, &game) {
            return Err(Some(next.get()));
        }
        let before = game.clone();
        game.play(spec, word, &mut chance);
        end = ends.follow(spec, word, &before, &game);
    }
    if let Some(word) = fault.get() {
        return Err(word);
    }
    let barren = || game.legal(spec).iter().any(|m| !m.contains('>') && ends.goes_nowhere(spec, m, &game));
    let as_told = match (end, record.end) {
        (Some(end), told) => end == told,
        (None, End::Resigned) => !barren(),
        (None, told) => told == End::Barren && barren(),
    };
    if as_told && game.cards_on_foundations() == usize::from(record.cards) { Ok(()) } else { Err(None) }
}

/// Asserts that record and judge agree; returns whether the record is valid.
fn agree(rules: &Rules, record: &Record) -> bool {
    let checked = record.check(rules);
    if let Err(fault) = &checked {
        assert!(!fault.message.is_empty());
        assert_eq!(fault.to_string().contains("word"), fault.word.is_some(), "{fault}");
    }
    let found = checked.map(drop).map_err(|fault| fault.word);
    assert_eq!(found, judge(rules, record), "{:?}\n{record:?}", record.check(rules));
    found.is_ok()
}

fn games(rules: &Rules, seeds: std::ops::Range<u64>) -> Vec<Record> {
    let mut records = Vec::new();
    let strategies: [Box<dyn Strategy>; 2] = [Box::new(Greedy), Box::new(Random)];
    for strategy in strategies {
        let mut player = GameRunner::new("here", rules, strategy);
        for seed in seeds.clone() {
            let deck = Deck::shuffled(rules.deck_shape(), seed, 3);
            records.push(player.record(&deck, seed, 3).unwrap());
            let outcome = player.play(seed, 3).unwrap();
            // Which unknown cards were offered is not part of a record.
            let told = Outcome { stake: None, ..outcome };
            assert_eq!(records.last().unwrap().check(rules), Ok(told));
        }
    }
    // The plain judge is slow, so it gets only games that it reads quickly.
    records.retain(|record| record.moves.len() < 6000);
    records
}

/// Every ruleset of the shelf, and some with dice and shuffles.
fn rulesets() -> Vec<Rules> {
    let numbered = (0..30).map(|number| Rules::new(numbered(number)).unwrap());
    shelf().into_iter().map(|(_, rules)| rules).chain(numbered).collect()
}

#[test]
fn records_are_sound_and_survive_json() {
    for rules in rulesets() {
        for record in games(&rules, 0..4) {
            assert!(agree(&rules, &record), "{record:?}");
            let line = serde_json::to_string(&record).unwrap();
            assert!(!line.contains('\n'));
            let read: Record = serde_json::from_str(&line).unwrap();
            assert_eq!(read, record);
        }
    }
}

#[test]
fn a_tampered_record_is_refused_where_it_breaks_the_rules() {
    let (mut refused, mut sound) = (0, 0);
    for (number, rules) in rulesets().into_iter().enumerate() {
        let mut whim = Whim::new(number as u64, 0, 0);
        for record in games(&rules, 0..1) {
            let words: Vec<String> = record.moves.split_whitespace().map(String::from).collect();
            for kind in 0..30 {
                let mut words = words.clone();
                // Without a seed, since otherwise only its own deck would be valid.
                let mut forged = Record { seed: None, ..record.clone() };
                let at = if words.is_empty() { 0 } else { whim.below(words.len()) };
                let any = [
                    "draw", "redeal", "W>F", "R>F", "T1>T2x1", "T2>F", "roll:2", "T9>F", "W>T1", "x", "C1>F",
                    "C3>F", "R2>F", "R4>T1", "FS2>T1", "FS>T1",
                ][whim.below(16)];
                match kind % 10 {
                    0 if at < words.len() => words[at] = any.into(),
                    1 if at < words.len() => drop(words.remove(at)),
                    2 if at + 1 < words.len() => words.swap(at, at + 1),
                    3 => words.push(any.into()),
                    4 => words.insert(at, any.into()),
                    5 => words.truncate(at),
                    6 => forged.end = End::ALL[whim.below(6)],
                    7 => forged.cards += 1,
                    8 => {
                        let mut cards: Vec<&str> = record.deck.split(' ').collect();
                        let (a, b) = (whim.below(cards.len()), whim.below(cards.len()));
                        cards.swap(a, b);
                        forged.deck = cards.join(" ");
                    }
                    _ => {
                        let rolls: Vec<usize> =
                            (0..words.len()).filter(|&i| words[i].starts_with("roll")).collect();
                        if !rolls.is_empty() {
                            words[rolls[whim.below(rolls.len())]] =
                                ["roll:9", "roll:3"][kind / 10 % 2].into();
                        }
                    }
                }
                forged.moves = words.join(" ");
                let ok = agree(&rules, &forged);
                assert!(!ok || forged.cards == record.cards || kind % 10 != 7);
                *if ok { &mut sound } else { &mut refused } += 1;
            }
        }
    }
    // Some changes give another valid game, such as two swapped plays.
    assert!(refused > 3 * sound && sound > 0, "{refused} refused, {sound} sound");
}

/// Moves cards around between draws and redeals.
struct Dither {
    turned: bool,
}

impl Strategy for Dither {
    fn name(&self) -> &str {
        "dither"
    }

    fn decide(&mut self, _: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.turned = !self.turned;
        Ok(Some(if self.turned && legal.plays() > 0 { 0 } else { legal.len() - 1 }))
    }
}

/// A record cannot say which of two equal cards a shuffle put first, so it must not matter.
#[test]
fn a_shuffle_of_equal_cards_replays() {
    let spec = bare(|spec| {
        spec.deal.packs = 2;
        (spec.stock.draw, spec.stock.on_redeal) = (Draw::ByPass(vec![1]), OnRedeal::Shuffle);
        spec.spaces.after_reserve = vec![];
    });
    let mut left = "7H 7H 9S TH TD".to_string();
    let all = (0..104).map(|i| Card::of_pack(0, i % 52).to_string());
    let rest: Vec<String> = all
        .filter(|card| {
            let at = left.find(card.as_str());
            at.inspect(|&at| left.replace_range(at..at + 2, "--")).is_none()
        })
        .collect();
    let piles = format!("{} 9S, {} TH, {} TD", rest[..49].join(" "), rest[49..98].join(" "), rest[98]);
    let layout = Layout::new(spec, &format!("piles: {piles}; stock: 7H 7H"));
    let deck = layout.deck.iter().map(Card::to_string).collect::<Vec<_>>().join(" ");
    let deck = Deck::parse(&deck, layout.rules.deck_shape()).unwrap();
    let mut player = GameRunner::new("here", &layout.rules, Box::new(Dither { turned: false }));
    for seed in 0..20 {
        let record = player.record(&deck, seed, 0).unwrap();
        assert_eq!(record.end, End::Repeated);
        assert!(agree(&layout.rules, &record), "{record:?}");
    }
}

/// Returns the record of a greedy game on a ruleset of the shelf.
fn one(name: &str) -> (Rules, Record) {
    let rules = shelf().into_iter().find(|(known, _)| *known == name).unwrap().1;
    let record = games(&rules, 5..6).remove(0);
    (rules, record)
}

/// Returns the fault of a record whose words were changed.
fn fault(name: &str, change: impl FnOnce(&mut Vec<String>)) -> (usize, String) {
    let (rules, mut record) = one(name);
    record.seed = None;
    let mut words: Vec<String> = record.moves.split(' ').map(String::from).collect();
    change(&mut words);
    record.moves = words.join(" ");
    let fault = record.check(&rules).unwrap_err();
    (fault.word.unwrap(), fault.message)
}

#[test]
fn faults_name_the_word_and_what_is_allowed() {
    let (word, message) = fault("canfield", |words| words[4] = "T9>F".into());
    assert_eq!(word, 5);
    assert!(message.starts_with("`T9>F` is not legal here; legal: "), "{message}");
    assert!(message.ends_with("draw"), "{message}");

    let (word, message) = fault("exorcism-die-pass", |words| words[0] = "roll:9".into());
    assert_eq!((word, message.as_str()), (1, "`roll:9` is no roll of a die with faces 1 to 6"));
    let (word, message) = fault("exorcism-die-game", |words| drop(words.remove(0)));
    assert_eq!(word, 1);
    assert!(message.starts_with("`roll:..` is missing here; found `"), "{message}");

    let (rules, record) = one("canfield");
    assert_eq!(record.end, End::Barren);
    let mut last = 0;
    let (word, message) = fault("canfield", |words| {
        words.push("redeal".into());
        last = words.len();
    });
    assert_eq!((word, message.as_str()), (last, "`redeal` is not made: the game had ended barren before it"));

    let told = |change: &dyn Fn(&mut Record)| {
        let mut record = record.clone();
        change(&mut record);
        record.check(&rules).unwrap_err().to_string()
    };
    let cards = record.cards;
    let message = format!("it says {} cards, but there are {cards}", cards + 1);
    assert_eq!(told(&|record| record.cards += 1), message);
    assert!(
        told(&|record| record.end = End::Won).starts_with("it says `won`, but the game goes on; legal: ")
    );
    let message = told(&|record| record.deck = record.deck.replacen("AS", "AX", 1));
    assert!(message.starts_with("the deck: ") && message.contains("`AX`"), "{message}");
}

#[test]
fn records_with_unknown_or_missing_fields_are_refused() {
    let (_, record) = one("canfield");
    let line = serde_json::to_string(&record).unwrap();
    let read = |line: &str| serde_json::from_str::<Record>(line);
    assert!(read(&line.replacen("\"moves\"", "\"move\"", 1)).is_err());
    assert!(read(&line.replacen("\"barren\"", "\"lost\"", 1)).is_err());
    assert!(read(&line.replacen('{', "{\"more\":1,", 1)).is_err());
    // A handwritten record need not have a seed.
    let by_hand = read(&line.replacen("\"seed\":5,\"game\":3,", "", 1)).unwrap();
    assert_eq!((by_hand.seed, by_hand.chance, by_hand.game), (None, None, 0));
}
