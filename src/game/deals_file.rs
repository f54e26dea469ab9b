//! Decks that people wrote: one on the command line, or a file of them, one a line.

use std::sync::Arc;

use serde::Deserialize;

use crate::cards::{Deck, DeckError, DeckShape};
use crate::diagnostic::{Diagnostic, SourceText};

/// One deal a command is about.
#[derive(Clone, Debug)]
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

/// What of a line of JSON is read, such as those of `deal --json`.
#[derive(Deserialize)]
struct JsonLine {
    id: Option<String>,
    game: Option<u64>,
    deck: String,
}

/// The id and the deck of a line, and where the deck begins.
fn parts(line: &str) -> Result<(Option<String>, usize), String> {
    if !line.starts_with('{') {
        let tab = line.find('\t');
        return Ok((tab.map(|tab| line[..tab].to_string()), tab.map_or(0, |tab| tab + 1)));
    }
    let JsonLine { id, game, deck } = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let at = line.find(&deck).ok_or("the deck is not written in plain letters")?;
    Ok((id.or_else(|| game.map(|game| game.to_string())), at))
}

/// Reads the decks of a file, one a line: the cards; an id, a tab and the cards; or an object of JSON with a `deck`, as
/// `deal --json` writes it. `#` begins a comment.
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
            match parts(content) {
                Ok((id, deck_at)) => {
                    // Only in JSON does something follow.
                    let end = match content.starts_with('{') {
                        true => content[deck_at..].find('"').map_or(content.len(), |quote| deck_at + quote),
                        false => content.len(),
                    };
                    match Deck::parse(&content[deck_at..end], shape) {
                        Ok(deck) => deals.push(NamedDeal { id, game: deals.len() as u64, deck }),
                        Err(found) => {
                            faults
                                .extend(found.into_iter().map(|it| diagnostic(&source, start + deck_at, it)));
                        }
                    }
                }
                Err(why) => {
                    let message = format!("this line of JSON has no deck: {why}");
                    faults.push(Diagnostic::error(&source, start..start + content.len(), message).help(
                        "a line is a deck, an id, a tab and a deck, or an object such as {\"deck\": \"TH 7C AS ...\"}",
                    ));
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
