//! Decks that people wrote: one on the command line, or a file of them, one a line.

use std::sync::Arc;

use crate::cards::{Deck, DeckError, DeckShape};
use crate::diagnostic::{Diagnostic, SourceText};

/// One deal a command is about.
pub struct NamedDeal {
    /// Its id in a deals file.
    pub id: Option<String>,
    /// The game whose seeded chance goes with it.
    pub game: u64,
    /// The deck.
    pub deck: Deck,
}

impl NamedDeal {
    /// The deal of a game of a seed.
    pub fn of_seed(shape: DeckShape, seed: u64, game: u64) -> NamedDeal {
        NamedDeal { id: None, game, deck: Deck::shuffled(shape, seed, game) }
    }
}

/// Reads the deck that is all of a text.
///
/// # Errors
/// All that is wrong with it.
pub fn read_deck(source: SourceText, shape: DeckShape) -> Result<Deck, Vec<Diagnostic>> {
    let source = Arc::new(source);
    Deck::parse(&source.text, shape)
        .map_err(|faults| faults.into_iter().map(|it| diagnostic(&source, 0, it)).collect())
}

fn diagnostic(source: &Arc<SourceText>, start: usize, fault: DeckError) -> Diagnostic {
    let span = start + fault.span.start..start + fault.span.end;
    Diagnostic::error(source, span, fault.message)
        .help("a deck lists its cards in the order they leave the pack, such as `TH 7C AS ...`")
}

/// A deals file with more faults than this is read no further: it is surely something else.
const MOST_FAULTS: usize = 1000;

/// Reads the decks of a file, one a line: the cards, or an id, a tab and the cards. `#` begins a comment.
///
/// # Errors
/// The faults of all of them.
pub fn read_deals(source: SourceText, shape: DeckShape) -> Result<Vec<NamedDeal>, Vec<Diagnostic>> {
    let source = Arc::new(source);
    let (mut deals, mut faults) = (Vec::new(), Vec::new());
    let mut start = 0;
    for line in source.text.split_inclusive('\n') {
        let content = line.trim_end();
        if !content.is_empty() && !content.starts_with('#') {
            let (id, deck_at) = match content.find('\t') {
                Some(tab) => (Some(content[..tab].to_string()), tab + 1),
                None => (None, 0),
            };
            match Deck::parse(&content[deck_at..], shape) {
                Ok(deck) => deals.push(NamedDeal { id, game: deals.len() as u64, deck }),
                Err(found) => {
                    faults.extend(found.into_iter().map(|it| diagnostic(&source, start + deck_at, it)));
                }
            }
        }
        start += line.len();
        if faults.len() > MOST_FAULTS {
            break;
        }
    }
    if faults.is_empty() { Ok(deals) } else { Err(faults) }
}
