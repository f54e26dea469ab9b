//! The setup of a game: rules, a deck, and the chance inside the game, from its seed or from a record without one.

use std::fmt;
use std::sync::Arc;

use crate::cards::{Card, Deck, Seed};
use crate::game::{Chance, Record, RecordFault, SeededChance};
use crate::rules::Rules;

/// The rules and the deck of a game. Cheap to clone.
#[derive(Clone)]
pub struct Dealt {
    /// The name of the rules in records.
    pub name: Arc<str>,
    /// The rules.
    pub rules: Arc<Rules>,
    /// The deck, which reveals every card.
    pub deck: Arc<Deck>,
    /// The seed of the deal, or of the chance inside the game if the deck was given.
    pub seed: Seed,
    /// The number of the game under its seed.
    pub game: u64,
    /// Whether the seed deals this deck; otherwise the deck was given.
    pub of_seed: bool,
    /// Chance events of a record without a seed, such as `roll:4` and `shuffle:7H,TC`.
    told: Option<Arc<[String]>>,
}

impl Dealt {
    /// Deals game `game` of seed `seed`. `name` identifies the rules in records and reports: a shelf name or a path.
    pub fn of_seed(name: &str, rules: impl Into<Arc<Rules>>, seed: Seed, game: u64) -> Dealt {
        let rules = rules.into();
        let deck = Deck::shuffled(rules.deck_shape(), seed, game).into();
        Dealt { name: name.into(), deck, rules, seed, game, of_seed: true, told: None }
    }

    /// Uses a given deck of the rules' shape, with the chance of game `game` of seed `seed`.
    pub fn given(name: &str, rules: impl Into<Arc<Rules>>, deck: Deck, seed: Seed, game: u64) -> Dealt {
        let rules = rules.into();
        let of_seed = deck.is_dealt_from(rules.deck_shape(), seed, game);
        Dealt { name: name.into(), deck: deck.into(), rules, seed, game, of_seed, told: None }
    }

    /// Restores the deal of a record, whose deck must fit the rules.
    pub(super) fn of_record(rules: Arc<Rules>, record: &Record) -> Result<Dealt, RecordFault> {
        let deck = Deck::parse(&record.deck, rules.deck_shape()).map_err(|faults| {
            let faults: Vec<String> = faults.into_iter().map(|fault| fault.message).collect();
            RecordFault::of("deck", format!("the deck: {}", faults.join("; ")))
        })?;
        let seed = record.seed.or(record.chance);
        let told =
            || record.moves.split_whitespace().filter(|word| is_event(word)).map(String::from).collect();
        Ok(Dealt {
            name: record.rules.as_str().into(),
            deck: deck.into(),
            rules,
            seed: seed.unwrap_or(0),
            game: record.game,
            of_seed: record.seed.is_some(),
            told: seed.is_none().then(told),
        })
    }

    /// Returns the seeds as records store them: of the deal, or of the chance alone.
    pub(super) fn seeds(&self) -> (Option<Seed>, Option<Seed>) {
        let seed = Some(self.seed).filter(|_| self.told.is_none());
        if self.of_seed { (seed, None) } else { (None, seed) }
    }

    pub(super) fn chance(&self) -> TableChance {
        let seeded = SeededChance::new(self.seed, self.game);
        TableChance { told: self.told.clone(), next: 0, seeded }
    }
}

impl fmt::Debug for Dealt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, seed {}, game {}", self.name, self.seed, self.game)
    }
}

const ROLL: &str = "roll:";
const SHUFFLE: &str = "shuffle:";

/// Returns whether a word of a record is an event of chance rather than a move.
pub(super) fn is_event(word: &str) -> bool {
    word.starts_with(ROLL) || word.starts_with(SHUFFLE)
}

/// Replays the recorded events first, then draws from the seed.
pub(super) struct TableChance {
    told: Option<Arc<[String]>>,
    next: usize,
    seeded: SeededChance,
}

impl TableChance {
    fn event(&mut self, kind: &str) -> Option<String> {
        let word = self.told.as_ref()?.get(self.next)?.strip_prefix(kind)?.to_string();
        self.next += 1;
        Some(word)
    }
}

impl Chance for TableChance {
    fn roll(&mut self, faces: u8) -> u8 {
        let told = self.event(ROLL).and_then(|word| word.parse().ok());
        told.filter(|face| (1..=faces).contains(face)).unwrap_or_else(|| self.seeded.roll(faces))
    }

    fn shuffle(&mut self, stock: &mut [Card]) {
        let Some(told) = self.event(SHUFFLE) else { return self.seeded.shuffle(stock) };
        // Cards of equal face are interchangeable, so each name takes the first remaining match.
        let mut left = stock.to_vec();
        let mut order = Vec::with_capacity(left.len());
        for card in told.split(',').filter_map(|card| card.parse::<Card>().ok()) {
            if let Some(i) = left.iter().position(|other| other.kind() == card.kind()) {
                order.push(left.remove(i));
            }
        }
        // A line of play other than the recorded one may have other cards in the stock.
        order.extend(left);
        stock.copy_from_slice(&order);
    }
}
