//! Records of finished games: one JSON line each, and their replay.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::cards::{Card, Deck};
use crate::rules::{Rules, StageAt};

use super::chance::Chance;
use super::moves::{Move, MoveList};
use super::outcome::{End, Outcome};
use super::play::{Game, Observer};
use super::receipt::Paid;
use super::table::Table;

/// A finished game. `moves` holds moves and the events of chance in notation, separated by spaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Name of the ruleset.
    pub rules: String,
    /// Seed of the run, where the deal came from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Index of the game.
    #[serde(default)]
    pub game: u64,
    /// The deck, first card to leave the pack first.
    pub deck: String,
    /// Name of the strategy.
    pub strategy: String,
    /// Moves and events.
    pub moves: String,
    /// How it ended.
    pub end: End,
    /// Cards on the foundations.
    pub cards: u16,
    /// Cents paid for the game, where the stake is bought in steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub staked: Option<i64>,
    /// The step of the stake that the player stopped at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<StageAt>,
}

/// Writes down a game as it is played.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    words: Vec<String>,
    reserves: usize,
}

impl Recorder {
    /// A recorder of a game of these rules.
    pub fn new(rules: &Rules) -> Recorder {
        Recorder { words: Vec::new(), reserves: rules.spec().reserve.piles as usize }
    }

    /// Moves and events so far, separated by spaces.
    pub fn moves(&self) -> String {
        self.words.join(" ")
    }
}

impl Observer for Recorder {
    fn rolled(&mut self, face: u8) {
        self.words.push(format!("roll:{face}"));
    }

    fn shuffled(&mut self, stock: &[Card]) {
        let cards: Vec<String> = stock.iter().map(Card::to_string).collect();
        self.words.push(format!("shuffle:{}", cards.join(",")));
    }

    fn moving(&mut self, _table: &Table, _legal: &MoveList, chosen: Move) {
        self.words.push(chosen.notation(self.reserves));
    }
}

/// Where and how a record breaks the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFault {
    /// The word of `moves` at fault, from 1; `None` where it is not one word's.
    pub word: Option<usize>,
    /// What is wrong, and what would be legal.
    pub message: String,
}

impl fmt::Display for RecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.word {
            Some(word) => write!(f, "word {word} of the moves: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for RecordFault {}

/// Chance as a record tells it. A missing or wrong event is noted, and something legal happens.
struct Told<'a> {
    words: std::iter::Peekable<std::iter::Enumerate<std::str::SplitWhitespace<'a>>>,
    fault: Option<RecordFault>,
}

impl<'a> Told<'a> {
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
        self.fault.get_or_insert(RecordFault { word, message });
    }
}

impl Chance for Told<'_> {
    fn roll(&mut self, faces: u8) -> u8 {
        let Some((word, told)) = self.event("roll:") else { return 1 };
        match told.parse() {
            Ok(face) if (1..=faces).contains(&face) => face,
            _ => {
                self.note(Some(word), format!("`roll:{told}` is no roll of a die with faces 1 to {faces}"));
                1
            }
        }
    }

    fn shuffle(&mut self, stock: &mut [Card]) {
        let Some((word, told)) = self.event("shuffle:") else { return };
        let named: Vec<Option<Card>> = told.split(',').map(|card| card.parse().ok()).collect();
        // Cards of equal face are interchangeable, so each name takes the first that is left.
        let mut left = stock.to_vec();
        let mut order = Vec::new();
        for card in named.into_iter().flatten() {
            if let Some(i) = left.iter().position(|c| c.kind() == card.kind()) {
                order.push(left.remove(i));
            }
        }
        if left.is_empty() && order.len() == told.split(',').count() {
            stock.copy_from_slice(&order);
        } else {
            self.note(
                Some(word),
                format!("`shuffle:{told}` is not an order of the stock's {} cards", stock.len()),
            );
        }
    }
}

impl Record {
    /// Replays the record under a ruleset and checks every move, the end, the cards and, where it is told, what
    /// was staked. The outcome says nothing of the stake: which cards were bought is not part of a record.
    ///
    /// # Errors
    /// The first fault of the record.
    pub fn check(&self, rules: &Rules) -> Result<Outcome, RecordFault> {
        self.replay(rules, &mut ())
    }

    /// The same as [`Record::check`], telling an observer of each move before it is made.
    ///
    /// # Errors
    /// The first fault of the record.
    pub fn replay(&self, rules: &Rules, observer: &mut impl Observer) -> Result<Outcome, RecordFault> {
        let whole = |message: String| RecordFault { word: None, message };
        let (mut game, paid) = self.follow(rules, observer)?;
        self.check_stake(&game, paid).map_err(whole)?;
        self.check_end(&mut game, paid).map_err(whole)
    }

    /// Replays the moves and checks that so many cards are up after them. It is not asked how the game ended: a line
    /// of play that shows how many cards can come up need not be a whole game.
    ///
    /// # Errors
    /// The first fault of the moves, or of the cards.
    pub fn check_reached(&self, rules: &Rules) -> Result<(), RecordFault> {
        let (game, _) = self.follow(rules, &mut ())?;
        self.check_cards(game.outcome().cards).map_err(|message| RecordFault { word: None, message })
    }

    /// The game after all of the moves, and what was paid for.
    fn follow<'r>(
        &self,
        rules: &'r Rules,
        observer: &mut impl Observer,
    ) -> Result<(Game<'r>, Paid), RecordFault> {
        let whole = |message: String| RecordFault { word: None, message };
        let deck = Deck::parse(&self.deck, rules.deck_shape()).map_err(|faults| {
            let faults: Vec<String> = faults.into_iter().map(|fault| fault.message).collect();
            whole(format!("the deck: {}", faults.join("; ")))
        })?;
        let words = self.moves.split_whitespace().enumerate().peekable();
        let mut told = Told { words, fault: None };
        let mut game = Game::new(rules);
        game.deal(deck.cards(), &mut told);
        let mut paid = Paid::default();
        while told.fault.is_none() {
            let Some((i, word)) = told.words.next() else { break };
            let m = find_move(&game, word).map_err(|message| RecordFault { word: Some(i + 1), message })?;
            observer.moving(game.table(), game.legal(), m);
            if !game.make(m, &mut told) {
                let message = format!("`{word}` is not made: the game had ended barren before it");
                return Err(RecordFault { word: Some(i + 1), message });
            }
            paid.moved = true;
            paid.drew |= m.is_draw();
            paid.redeals += u32::from(m.is_redeal());
        }
        if let Some(fault) = told.fault {
            return Err(fault);
        }
        Ok((game, paid))
    }

    fn check_end(&self, game: &mut Game<'_>, paid: Paid) -> Result<Outcome, String> {
        match (game.end(), self.end) {
            (Some(end), claimed) if end == claimed => {}
            (Some(_), End::Resigned) if self.stopped_unseen(paid) => game.resign(),
            (None, End::Resigned) => game.resign(),
            (None, End::Barren) if game.legal().iter().any(|&m| game.would_be_barren(m)) => {}
            (Some(end), claimed) => {
                return Err(format!("it says `{claimed}`, but the game is `{end}`"));
            }
            (None, claimed) => {
                let legal = list(game);
                return Err(format!("it says `{claimed}`, but the game goes on; legal: {legal}"));
            }
        }
        let outcome = Outcome { end: self.end, ..game.outcome() };
        self.check_cards(outcome.cards)?;
        Ok(outcome)
    }

    fn check_cards(&self, cards: u16) -> Result<(), String> {
        match cards == self.cards {
            true => Ok(()),
            false => Err(format!("it says {} cards, but there are {cards}", self.cards)),
        }
    }
}

fn list(game: &Game<'_>) -> String {
    let reserves = game.rules().spec().reserve.piles as usize;
    let moves: Vec<String> = game.legal().iter().map(|m| m.notation(reserves)).collect();
    moves.join(" ")
}

/// The legal move that a word names.
fn find_move(game: &Game<'_>, word: &str) -> Result<Move, String> {
    let reserves = game.rules().spec().reserve.piles as usize;
    if let Some(end) = game.end() {
        return Err(format!("`{word}` after the game is over ({end})"));
    }
    let found = game.legal().iter().copied().find(|m| m.notation(reserves) == word);
    found.ok_or_else(|| format!("`{word}` is not legal here; legal: {}", list(game)))
}
