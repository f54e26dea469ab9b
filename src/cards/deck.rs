//! A deck: the cards of the packs in the order of dealing.

use std::fmt;

use super::{Card, Pack, Rank, Seed, seed};

/// Which cards a deck must hold: `packs` packs, except for one rank if the deal takes it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeckShape {
    /// The cards of each pack.
    pub pack: Pack,
    /// Number of packs, 1..4.
    pub packs: usize,
    /// A rank that is put up before the deal (one card per suit and pack) and is not in the deck.
    pub without: Option<Rank>,
}

impl DeckShape {
    /// Returns the number of cards in a deck of this shape.
    pub fn len(&self) -> usize {
        self.packs * (self.pack.cards() - if self.without.is_some() { self.pack.suits().len() } else { 0 })
    }

    /// Returns false: a deck has cards.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Returns its cards pack by pack, each in the order AC AD AH AS 2C .. KS.
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        (0..self.packs)
            .flat_map(|pack| self.pack.kinds().map(move |kind| Card::of_pack(pack, kind)))
            .filter(|card| Some(card.rank()) != self.without)
    }
}

/// The cards of a shape in some order; the first is dealt first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck {
    cards: Vec<Card>,
}

impl Deck {
    /// Returns the deck of game `game` of seed `seed`.
    pub fn shuffled(shape: DeckShape, seed: Seed, game: u64) -> Deck {
        let mut deck = Deck { cards: shape.cards().collect() };
        seed::shuffle(&mut deck.cards, &mut seed::generator(seed, game, seed::Purpose::Deal));
        deck
    }

    /// Like [`Deck::shuffled`], but reuses an existing deck without allocating.
    #[inline]
    pub fn shuffle_again(&mut self, ordered: &Deck, seed: Seed, game: u64) {
        self.cards.copy_from_slice(&ordered.cards);
        seed::shuffle(&mut self.cards, &mut seed::generator(seed, game, seed::Purpose::Deal));
    }

    /// Returns whether this is the deck of game `game` of seed `seed`, ignoring which pack a card is from.
    pub fn is_dealt_from(&self, shape: DeckShape, seed: Seed, game: u64) -> bool {
        let kinds = |deck: &Deck| deck.cards.iter().map(|card| card.kind()).collect::<Vec<_>>();
        kinds(self) == kinds(&Deck::shuffled(shape, seed, game))
    }

    /// Returns the unshuffled deck of a shape.
    pub fn ordered(shape: DeckShape) -> Deck {
        Deck { cards: shape.cards().collect() }
    }

    /// Returns the cards, the first to be dealt first.
    #[inline]
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// Parses cards separated by spaces and checks them against a shape.
    ///
    /// # Errors
    /// Returns every fault, each with its byte range in `text`.
    pub fn parse(text: &str, shape: DeckShape) -> Result<Deck, Vec<DeckError>> {
        let mut faults = Vec::new();
        // A text that much longer is not a deck, and each of its words would be a fault.
        let words = text.split_whitespace().count();
        if words > 2 * shape.len() {
            let message = format!("this has {words} words, and a deck {} cards", shape.len());
            return Err(vec![DeckError { span: 0..text.trim_end().len(), message }]);
        }
        let mut seen = [0usize; 52];
        let mut cards = Vec::new();
        for word in text.split_whitespace() {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            let span = start..start + word.len();
            let card: Card = match word.parse() {
                Ok(card) => card,
                Err(error) => {
                    faults.push(DeckError { span, message: error.to_string() });
                    continue;
                }
            };
            let pack = seen[card.kind()];
            seen[card.kind()] += 1;
            if Some(card.rank()) == shape.without {
                let message = format!("`{card}` is put up before the deal and cannot be in the deck");
                faults.push(DeckError { span, message });
            } else if !shape.pack.kinds().any(|kind| kind == card.kind()) {
                let suits: String = shape.pack.suits().iter().map(|suit| suit.letter()).collect();
                let highest = shape.pack.highest();
                let message =
                    format!("`{card}` is not in the pack, whose ranks are A to {highest} and suits {suits}");
                faults.push(DeckError { span, message });
            } else if pack >= shape.packs {
                let message = match shape.packs {
                    1 => format!("`{card}` is in the deck twice"),
                    n => format!("`{card}` is in the deck {} times, of {n} packs", pack + 1),
                };
                faults.push(DeckError { span, message });
            } else {
                cards.push(Card::of_pack(pack, card.kind()));
            }
        }
        let missing: Vec<String> = DeckShape { packs: 1, ..shape }
            .cards()
            .filter(|card| seen[card.kind()] < shape.packs)
            .map(|card| card.to_string())
            .collect();
        if !missing.is_empty() {
            let mut named = missing.iter().take(6).cloned().collect::<Vec<_>>().join(" ");
            if missing.len() > 6 {
                named += &format!(" and {} more", missing.len() - 6);
            }
            let message = format!("the deck has {} of {} cards; missing: {named}", cards.len(), shape.len());
            faults.push(DeckError { span: 0..text.trim_end().len(), message });
        }
        if faults.is_empty() { Ok(Deck { cards }) } else { Err(faults) }
    }
}

impl fmt::Display for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, card) in self.cards.iter().enumerate() {
            write!(f, "{}{card}", if i > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

/// One fault of a deck's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckError {
    /// The offending bytes.
    pub span: std::ops::Range<usize>,
    /// What is wrong.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: DeckShape = DeckShape { pack: Pack::FULL, packs: 1, without: None };

    /// Golden decks: these never change, on any machine and in any release.
    #[test]
    fn golden_decks() {
        for (seed, game, deck) in include!("golden_decks.in") {
            assert_eq!(Deck::shuffled(ONE, seed, game).to_string(), deck, "seed {seed} game {game}");
        }
    }

    #[test]
    fn parse_reports_every_fault() {
        let deck = Deck::shuffled(ONE, 1, 1);
        assert_eq!(Deck::parse(&deck.to_string(), ONE), Ok(deck.clone()));
        let text = deck.to_string().replace("AS", "AC").replace("7D", "7X");
        let faults = Deck::parse(&text, ONE).unwrap_err();
        let mut found: Vec<&str> = faults[..2].iter().map(|fault| &text[fault.span.clone()]).collect();
        found.sort_unstable();
        assert_eq!((faults.len(), found), (3, vec!["7X", "AC"]));
        assert!(faults[2].message.ends_with("50 of 52 cards; missing: AS 7D"), "{faults:?}");
    }

    #[test]
    fn decks_of_several_packs_and_fewer_ranks() {
        for (pack, cards) in [(Pack::FULL, 96), (Pack { ranks: 5, suits: 3 }, 24)] {
            let shape = DeckShape { pack, packs: 2, without: Some(Rank::from_index(1)) };
            let deck = Deck::shuffled(shape, 7, 0);
            assert_eq!((deck.cards().len(), shape.len()), (cards, cards));
            let read = Deck::parse(&deck.to_string(), shape).unwrap();
            assert_eq!(read.to_string(), deck.to_string());
        }
        let small = DeckShape { pack: Pack { ranks: 4, suits: 2 }, ..ONE };
        let faults = Deck::parse("AC AD 2C 2D 3C 3D 4C 5D AH", small).unwrap_err();
        assert_eq!(faults.len(), 3, "{faults:?}");
    }
}
