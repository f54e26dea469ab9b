//! Decks written by people: one on the command line, or a file with one per line.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use crate::cards::{Card, Deck, DeckError, DeckShape};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::rules::find::stem;
use crate::text::one_line;

/// One deal for a command to work on.
#[derive(Clone, Debug)]
pub struct NamedDeal {
    /// Its id in a deals file, if it has one.
    pub id: Option<String>,
    /// The game whose seeded chance it uses.
    pub game: u64,
    /// The deck.
    pub deck: Deck,
}

impl NamedDeal {
    /// Deals a game of a seed.
    pub fn of_seed(shape: DeckShape, seed: u64, game: u64) -> NamedDeal {
        NamedDeal { id: None, game, deck: Deck::shuffled(shape, seed, game) }
    }
}

/// Parses a text that holds one deck.
///
/// # Errors
/// Returns all faults of the text.
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

/// A deals file with more faults than this is not read further: it is certainly something else.
const MOST_FAULTS: usize = 1000;

const COUNTS: &str = "every line is a game: a deck counts as often as it is listed";
const OTHER_GAME: &str = "the same cards make another game under other rules; name the rules that they were dealt for to play that one";

/// The fields read from a line of JSON, such as those of `deal --json`.
#[derive(Deserialize)]
struct JsonLine {
    id: Option<String>,
    game: Option<u64>,
    deck: String,
    #[serde(default)]
    rules: Value,
}

/// The contents of a line.
struct Line {
    id: Option<String>,
    /// The ruleset that it was dealt for, if it names one.
    rules: Option<String>,
    /// Byte offset of the deck.
    deck_at: usize,
}

impl Line {
    fn of(line: &str) -> Result<Line, String> {
        if !line.starts_with('{') {
            let tab = line.find('\t');
            let id = tab.map(|tab| line[..tab].to_string());
            return Ok(Line { id, rules: None, deck_at: tab.map_or(0, |tab| tab + 1) });
        }
        let JsonLine { id, game, deck, rules } =
            serde_json::from_str(line).map_err(|error| error.to_string())?;
        let deck_at = line.find(&deck).ok_or("the deck is not written in plain letters")?;
        let id = id.or_else(|| game.map(|game| game.to_string()));
        Ok(Line { id, rules: rules.as_str().map(String::from), deck_at })
    }
}

/// Count of suspicious lines, of which the first is shown.
#[derive(Default)]
struct Doubtful {
    lines: u64,
    first: Option<Diagnostic>,
}

impl Doubtful {
    fn add(&mut self, warning: impl FnOnce() -> Diagnostic) {
        self.lines += 1;
        self.first.get_or_insert_with(warning);
    }

    fn warning(self) -> Option<Diagnostic> {
        let mut first = self.first?;
        if self.lines > 1 {
            first.message.push_str(&format!(" (the first of {} such lines)", self.lines));
        }
        Some(first)
    }
}

/// Reads the decks of a file, one per line: the cards; an id, a tab and the cards; or a JSON object with a `deck`, as
/// `deal --json` writes it. `#` starts a comment. Also returns warnings for lines that repeat a deck or name a ruleset
/// other than those of `played`.
///
/// # Errors
/// Returns the faults of all lines.
pub fn read_deals(
    source: SourceText,
    shape: DeckShape,
    played: &[&str],
) -> Result<(Vec<NamedDeal>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let source = Arc::new(source);
    let (mut deals, mut faults) = (Vec::new(), Vec::new());
    let mut lines: HashMap<Vec<Card>, usize> = HashMap::new();
    let (mut repeats, mut of_others) = (Doubtful::default(), Doubtful::default());
    let mut start = 0;
    for (number, line) in source.text.split_inclusive('\n').enumerate() {
        let content = line.trim_end();
        if !content.is_empty() && !content.starts_with('#') {
            match Line::of(content) {
                Ok(Line { id, rules, deck_at }) => {
                    // Only JSON has text after the deck.
                    let end = match content.starts_with('{') {
                        true => content[deck_at..].find('"').map_or(content.len(), |quote| deck_at + quote),
                        false => content.len(),
                    };
                    match Deck::parse(&content[deck_at..end], shape) {
                        Ok(deck) => {
                            let warning = |said: String, help: &str| {
                                Diagnostic::warning(&source, start + deck_at..start + end, said).help(help)
                            };
                            let first = *lines.entry(deck.cards().to_vec()).or_insert(number);
                            if first < number {
                                let said = format!("this deck stands in line {} already", first + 1);
                                repeats.add(|| warning(said, COUNTS));
                            }
                            if let Some(found) = rules.filter(|found| !played.contains(&&*stem(found))) {
                                let (found, played) = (one_line(&found), played.join(" or "));
                                let said = format!("this deck was dealt for {found}, not for {played}");
                                of_others.add(|| warning(said, OTHER_GAME));
                            }
                            deals.push(NamedDeal { id, game: deals.len() as u64, deck });
                        }
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
    if faults.is_empty() {
        Ok((deals, [repeats, of_others].into_iter().filter_map(Doubtful::warning).collect()))
    } else {
        Err(faults)
    }
}
