//! Replays a record word by word.

use saratoga::cards::{Card, Deck};
use saratoga::game::{Chance, End, Record};
use saratoga::rules::Rules;

use super::PlainGame;
use super::ends::PlainEnds;

/// The words of a record, some of which tell of chance.
struct Words<'a> {
    words: Vec<&'a str>,
    next: usize,
    /// The first word that is not as it should be, counted from 1; `None` for one that is missing.
    fault: Option<Option<usize>>,
}

impl<'a> Words<'a> {
    fn told(&mut self, kind: &str) -> Option<&'a str> {
        let told = self.words.get(self.next).and_then(|word| word.strip_prefix(kind));
        match told {
            Some(_) => self.next += 1,
            None => self.wrong(self.words.get(self.next).map(|_| self.next + 1)),
        }
        told
    }

    fn wrong(&mut self, word: Option<usize>) {
        self.fault.get_or_insert(word);
    }
}

impl Chance for Words<'_> {
    fn roll(&mut self, faces: u8) -> u8 {
        let Some(told) = self.told("roll:") else { return 1 };
        let face = (1..=faces).find(|face| face.to_string() == told);
        face.unwrap_or_else(|| {
            self.wrong(Some(self.next));
            1
        })
    }

    fn shuffle(&mut self, stock: &mut [Card]) {
        let Some(told) = self.told("shuffle:") else { return };
        // A record does not distinguish packs.
        let mut left = stock.to_vec();
        let mut take = |word: &str| {
            let kind = word.parse::<Card>().ok()?.kind();
            let at = left.iter().position(|card| card.kind() == kind)?;
            Some(left.remove(at))
        };
        let order: Option<Vec<Card>> = told.split(',').map(&mut take).collect();
        match order.filter(|_| left.is_empty()) {
            Some(order) => stock.copy_from_slice(&order),
            None => self.wrong(Some(self.next)),
        }
    }
}

/// Replays a record; returns the game, its history and its end, or the faulty word, counted from 1; `None` stands for the
/// record as a whole.
pub fn replay(rules: &Rules, record: &Record) -> Result<(PlainGame, PlainEnds, Option<End>), Option<usize>> {
    let spec = rules.spec();
    let deck = Deck::parse(&record.deck, rules.deck_shape()).map_err(|_| None)?;
    let mut words = Words { words: record.moves.split_whitespace().collect(), next: 0, fault: None };
    let mut game = PlainGame::deal(spec, deck.cards(), &mut words);
    let mut ends = PlainEnds::begin(spec, &game);
    let mut end = PlainEnds::stands(spec, &game);
    while let (None, Some(&word)) = (words.fault, words.words.get(words.next)) {
        words.next += 1;
        let legal = end.is_none() && game.legal(spec).iter().any(|m| m == word);
        if !legal || !word.contains('>') && ends.goes_nowhere(spec, word, &game) {
            return Err(Some(words.next));
        }
        let before = game.clone();
        game.play(spec, word, &mut words);
        end = ends.follow(spec, word, &before, &game);
    }
    match words.fault {
        Some(word) => Err(word),
        None => Ok((game, ends, end)),
    }
}

/// Judges a record by its moves alone, neither by its seed nor by its stakes: like [`replay`].
pub fn judge(rules: &Rules, record: &Record) -> Result<(), Option<usize>> {
    let spec = rules.spec();
    let (game, ends, end) = replay(rules, record)?;
    let barren = || game.legal(spec).iter().any(|m| !m.contains('>') && ends.goes_nowhere(spec, m, &game));
    let as_told = match (end, record.end) {
        (Some(end), told) => end == told,
        (None, End::Resigned) => record.stopped.is_some() || !barren(),
        (None, told) => told == End::Barren && barren(),
    };
    if as_told && game.cards_on_foundations() == usize::from(record.cards) { Ok(()) } else { Err(None) }
}
