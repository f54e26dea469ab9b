//! Arbitrary text as the lines of records and answers.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use saratoga::cards::{Card, Deck};
use saratoga::game::{Chance, End, Game, Move, Observer, Record, Recorder};
use saratoga::lab::GameRunner;
use saratoga::lab::SolveLine;
use saratoga::rules::Rules;
use saratoga::strategy::script::Script;
use saratoga::strategy::{Greedy, Random, Strategy};
use serde_json::Value;

use super::{CHOICES, Choices};

/// The rulesets of the shelf by name.
static SHELF: LazyLock<BTreeMap<&'static str, Rules>> =
    LazyLock::new(|| crate::common::shelf().into_iter().collect());

/// Whatever `check` accepts is true: it is replayed here independently, by the words of its moves alone.
pub fn accepted_records_replay(bytes: &[u8]) {
    let text = match bytes {
        [CHOICES, choices @ ..] => mutated(&mut Choices::new(choices)),
        _ => super::text(bytes),
    };
    for line in text.lines().take(8) {
        accepted(line);
    }
}

/// Returns whether a line is accepted as a record or an answer under its rules of the shelf; if so, it must be true.
pub fn accepted(line: &str) -> bool {
    if let Ok(record) = serde_json::from_str::<Record>(line)
        && let Some(rules) = SHELF.get(&*record.rules)
    {
        let accepted = record.check(rules).is_ok();
        if accepted && let Err(wrong) = replayed(&record, rules) {
            panic!("accepted, but {wrong}\n{line}");
        }
        return accepted;
    }
    if let Ok(answer) = serde_json::from_str::<SolveLine>(line)
        && let Some(rules) = SHELF.get(&*answer.record().rules)
    {
        let accepted =
            answer.check(rules).is_ok() && Deck::parse(&answer.record().deck, rules.deck_shape()).is_ok();
        let told = serde_json::to_value(&answer).expect("what was read is written");
        if accepted && let Err(wrong) = answered(&answer.record(), &told, rules) {
            panic!("accepted, but {wrong}\n{line}");
        }
        return accepted;
    }
    false
}

/// The words of a record as chance and as the choices of a player.
struct Words<'a> {
    words: Vec<&'a str>,
    at: usize,
    wrong: Option<String>,
}

impl<'a> Words<'a> {
    fn new(moves: &'a str) -> Words<'a> {
        Words { words: moves.split_whitespace().collect(), at: 0, wrong: None }
    }

    fn event(&mut self, kind: &str) -> Option<&'a str> {
        let told = self.words.get(self.at).and_then(|word| word.strip_prefix(kind));
        self.at += 1;
        if told.is_none() {
            self.wrong.get_or_insert(format!("word {} is no `{kind}`", self.at));
        }
        told
    }
}

impl Chance for Words<'_> {
    fn roll(&mut self, faces: u8) -> u8 {
        let face =
            self.event("roll:").and_then(|face| face.parse().ok()).filter(|face| (1..=faces).contains(face));
        face.unwrap_or(1)
    }

    fn shuffle(&mut self, stock: &mut [Card]) {
        let Some(told) = self.event("shuffle:") else { return };
        let mut left = stock.to_vec();
        for (place, name) in stock.iter_mut().zip(told.split(',')) {
            if let Some(i) = left.iter().position(|card| card.to_string() == name) {
                *place = left.remove(i);
            }
        }
    }
}

/// Replays the words of a record in the game itself; returns the moves as they would be written down, whether the game
/// is over, and the cards.
fn play<'r>(record: &Record, rules: &'r Rules) -> Result<(Game<'r>, String), String> {
    let deck = Deck::parse(&record.deck, rules.deck_shape()).map_err(|_| "its deck is none".to_string())?;
    let mut words = Words::new(&record.moves);
    let mut recorder = Recorder::new(rules);
    let mut game = Game::new(rules);
    game.deal_watched(deck.cards(), &mut words, &mut recorder);
    let reserves = rules.spec().reserve.piles.into();
    while words.wrong.is_none() && words.at < words.words.len() {
        if let Some(end) = game.end() {
            return Err(format!("the game is over ({end}) before word {}", words.at + 1));
        }
        let word = words.words[words.at];
        words.at += 1;
        let legal: Vec<Move> = game.legal().iter().copied().collect();
        let Some(chosen) = legal.into_iter().find(|m| m.notation(reserves) == word) else {
            return Err(format!("`{word}` is not legal"));
        };
        recorder.moving(game.table(), game.legal(), chosen);
        if !game.make(chosen, &mut Both { words: &mut words, recorder: &mut recorder }) {
            return Err(format!("`{word}` is not made"));
        }
    }
    words.wrong.map_or(Ok((game, recorder.moves())), Err)
}

/// Chance that is recorded as it occurs.
struct Both<'a, 'w> {
    words: &'a mut Words<'w>,
    recorder: &'a mut Recorder,
}

impl Chance for Both<'_, '_> {
    fn roll(&mut self, faces: u8) -> u8 {
        let face = self.words.roll(faces);
        self.recorder.rolled(face);
        face
    }

    fn shuffle(&mut self, stock: &mut [Card]) {
        self.words.shuffle(stock);
        self.recorder.shuffled(stock);
    }
}

/// Checks that a record is true.
fn replayed(record: &Record, rules: &Rules) -> Result<(), String> {
    let (game, moves) = play(record, rules)?;
    let words = |moves: &str| moves.split_whitespace().collect::<Vec<_>>().join(" ");
    if words(&record.moves) != moves {
        return Err(format!("its moves are written `{moves}`"));
    }
    if let Some(seed) = record.seed
        && Deck::shuffled(rules.deck_shape(), seed, record.game).to_string() != words(&record.deck)
    {
        return Err("its deck is not that of its seed and game".into());
    }
    let outcome = game.outcome();
    if outcome.cards != record.cards {
        return Err(format!("{} cards are up", outcome.cards));
    }
    if record.stopped.is_some() {
        return Ok(());
    }
    let turns: Vec<bool> = game.legal().iter().map(|&m| game.would_be_barren(m)).collect();
    let ends = match game.end() {
        Some(end) => end == record.end,
        // Every choice ends the game in this way; if no choice ends it, the player gave up.
        None if !turns.is_empty() && turns.iter().all(|&barren| barren) => record.end == End::Barren,
        None if turns.iter().any(|&barren| barren) => matches!(record.end, End::Barren | End::Resigned),
        None => record.end == End::Resigned,
    };
    if ends { Ok(()) } else { Err(format!("it ends {:?}, not {}", game.end(), record.end)) }
}

/// Checks that an answer of the solver is true, given its moves.
fn answered(record: &Record, told: &Value, rules: &Rules) -> Result<(), String> {
    let all = u64::from(game_cards(rules));
    let (cards, most) = (told["cards"].as_u64().unwrap_or(0), told["cards_at_most"].as_u64());
    if most.is_some_and(|most| most < cards || most > all) || cards > all {
        return Err(format!("{cards} cards and at most {most:?}, of {all}"));
    }
    let won = told["verdict"] == "won";
    if record.moves.is_empty() {
        return if won { Err("it is won without a move".into()) } else { Ok(()) };
    }
    let (game, _) = play(record, rules)?;
    if u64::from(game.outcome().cards) != cards {
        return Err(format!("{} cards are up", game.outcome().cards));
    }
    match (won, game.end() == Some(End::Won)) {
        (true, false) => Err("its moves do not win".into()),
        (false, true) => Err("its moves win".into()),
        _ => Ok(()),
    }
}

/// Returns the cards of a won game.
fn game_cards(rules: &Rules) -> u16 {
    52 * u16::from(rules.spec().deal.packs)
}

/// Gives up sometimes, and does not always buy what it could.
const GIVES_UP: &str = "fn choose(view) {
    if view.random(40) == 0 { () } else { view.moves[view.random(view.moves.len())] }
}
fn stage(view, at, cost) { view.random(5) > 0 }";

/// Returns a true record, slightly changed or not at all.
fn mutated(choices: &mut Choices<'_>) -> String {
    let names: Vec<&&str> = SHELF.keys().collect();
    let rules = names[choices.below(names.len())];
    let (seed, number) = (choices.below(9) as u64, choices.below(9) as u64);
    let deck = Deck::shuffled(SHELF[*rules].deck_shape(), seed, number);
    let strategy: Box<dyn Strategy> = match choices.below(3) {
        0 => Box::new(Greedy),
        1 => Box::new(Random),
        _ => {
            Box::new(Script::new("gives-up", &super::super::support::source(GIVES_UP)).expect("it is sound"))
        }
    };
    let mut player = GameRunner::new(rules, &SHELF[*rules], strategy);
    let mut record = player.record(&deck, seed, number).expect("these strategies have no faults");
    assert_eq!(record.check(&SHELF[*rules]).map(|outcome| outcome.end), Ok(record.end), "{record:?}");
    for _ in 0..choices.below(4) {
        change(&mut record, choices, &names);
    }
    serde_json::to_string(&record).expect("a record is written")
}

fn change(record: &mut Record, choices: &mut Choices<'_>, names: &[&&str]) {
    let mut words: Vec<&str> = record.moves.split(' ').collect();
    let at = choices.below(words.len());
    match choices.below(12) {
        0 => record.end = End::ALL[choices.below(End::ALL.len())],
        1 => record.cards = (choices.below(55) as u16).wrapping_sub(1),
        2 => record.seed = Some(choices.number()),
        3 => record.game = choices.number(),
        4 => record.seed = None,
        5 => {
            let mut cards: Vec<&str> = record.deck.split(' ').collect();
            let (a, b) = (choices.below(cards.len()), choices.below(cards.len()));
            cards.swap(a, b);
            record.deck = cards.join(" ");
        }
        6 => record.rules = names[choices.below(names.len())].to_string(),
        7 => record.staked = Some(choices.number() as i64),
        8 => {
            words.truncate(at);
            record.moves = words.join(" ");
        }
        9 => {
            words.remove(at);
            record.moves = words.join(" ");
        }
        10 => {
            let word = choices.pick(&[
                "draw", "redeal", "R>F", "W>F", "W>T1", "T1>T2x1", "roll:1", "roll:9", "shuffle:", "S>T1",
            ]);
            words.insert(at, word);
            record.moves = words.join(" ");
        }
        _ => {
            let other = choices.below(words.len());
            words.swap(at, other);
            record.moves = words.join(" ");
        }
    }
}
