//! Chance inside a game: drawn from its seed, or replayed from a record that has no seed.

use std::sync::Arc;

use crate::cards::{Card, Seed};
use crate::game::{Chance, SeededChance};

/// Outcomes of chance listed in a record without a seed: words such as `roll:4` and `shuffle:7H,TC`.
#[derive(Clone, Debug)]
pub(super) struct Told(Arc<[String]>);

impl Told {
    /// Extracts the chance events from the words of a record's moves.
    pub fn of(moves: &str) -> Told {
        let event = |word: &&str| word.starts_with(ROLL) || word.starts_with(SHUFFLE);
        Told(moves.split_whitespace().filter(event).map(String::from).collect())
    }
}

pub(super) const ROLL: &str = "roll:";
pub(super) const SHUFFLE: &str = "shuffle:";

/// Replays the recorded events first, then draws from the seed.
pub(super) struct TableChance {
    told: Option<Told>,
    next: usize,
    seeded: SeededChance,
}

impl TableChance {
    pub fn new(told: Option<&Told>, seed: Seed, game: u64) -> TableChance {
        TableChance { told: told.cloned(), next: 0, seeded: SeededChance::new(seed, game) }
    }

    /// Takes the next recorded event if it is of this kind.
    fn event(&mut self, kind: &str) -> Option<String> {
        let word = self.told.as_ref()?.0.get(self.next)?.strip_prefix(kind)?.to_string();
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
