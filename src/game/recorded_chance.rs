//! Chance replayed from the record of a game.

use crate::cards::Card;

use super::chance::{Chance, SeededChance};
use super::fault::RecordFault;

/// Chance replayed from a record. A missing or wrong event is recorded as a fault and replaced by a legal one.
pub(super) struct RecordedChance<'a> {
    pub words: std::iter::Peekable<std::iter::Enumerate<std::str::SplitWhitespace<'a>>>,
    pub fault: Option<RecordFault>,
    seeded: Option<SeededChance>,
}

impl<'a> RecordedChance<'a> {
    /// Reads the events of these moves; if the seed of the chance is known, they must agree with it.
    pub fn new(moves: &'a str, seeded: Option<SeededChance>) -> RecordedChance<'a> {
        RecordedChance { words: moves.split_whitespace().enumerate().peekable(), fault: None, seeded }
    }

    fn event(&mut self, kind: &str) -> Option<(usize, &'a str)> {
        let next = self.words.peek().copied();
        if let Some((i, word)) = next
            && let Some(told) = word.strip_prefix(kind)
        {
            self.words.next();
            return Some((i + 1, told));
        }
        let found = next.map_or("the end of the record".to_string(), |(_, word)| format!("`{word}`"));
        self.note(next.map(|(i, _)| i + 1), format!("`{kind}..` is missing here; found {found}"));
        None
    }

    fn note(&mut self, word: Option<usize>, message: String) {
        self.fault.get_or_insert(RecordFault { word, field: "moves", message });
    }
}

impl Chance for RecordedChance<'_> {
    fn roll(&mut self, faces: u8) -> u8 {
        let Some((word, told)) = self.event("roll:") else { return 1 };
        let rolled = self.seeded.as_mut().map(|seeded| seeded.roll(faces));
        match told.parse() {
            Ok(face) if (1..=faces).contains(&face) => {
                if let Some(rolled) = rolled.filter(|&rolled| rolled != face) {
                    self.note(
                        Some(word),
                        format!("`roll:{face}` is not what the seed rolls, which is {rolled}"),
                    );
                }
                face
            }
            _ => {
                self.note(Some(word), format!("`roll:{told}` is no roll of a die with faces 1 to {faces}"));
                1
            }
        }
    }

    fn shuffle(&mut self, stock: &mut [Card]) {
        let Some((word, told)) = self.event("shuffle:") else { return };
        let named: Vec<Option<Card>> = told.split(',').map(|card| card.parse().ok()).collect();
        // Cards of equal face are interchangeable, so each name takes the first remaining match.
        let mut left = stock.to_vec();
        let mut order = Vec::new();
        for card in named.into_iter().flatten() {
            if let Some(i) = left.iter().position(|c| c.kind() == card.kind()) {
                order.push(left.remove(i));
            }
        }
        let whole = left.is_empty() && order.len() == told.split(',').count();
        let seeded = self.seeded.as_mut().map(|seeded| {
            let mut shuffled = stock.to_vec();
            seeded.shuffle(&mut shuffled);
            shuffled
        });
        if whole {
            let same =
                |seeded: &Vec<Card>| seeded.iter().map(|c| c.kind()).eq(order.iter().map(|c| c.kind()));
            if !seeded.as_ref().is_none_or(same) {
                self.note(Some(word), format!("`shuffle:{told}` is not how the seed shuffles the stock"));
            }
            stock.copy_from_slice(&order);
        } else {
            self.note(
                Some(word),
                format!("`shuffle:{told}` is not an order of the stock's {} cards", stock.len()),
            );
        }
    }
}
