//! Records of finished games, one line of JSON each, and their replay.

use serde::{Deserialize, Serialize};

use crate::cards::{Card, Deck};
use crate::rules::{OnRedeal, Rules, StageAt};

use super::ahead::add;
use super::chance::SeededChance;
use super::end::End;
use super::fault::RecordFault;
use super::moves::{Move, MoveList};
use super::outcome::Outcome;
use super::play::{Game, Observer};
use super::table::Table;
use super::termination::{Cards, is_among};
use super::told::Told;

/// A finished game. `moves` holds moves and chance events in notation, separated by spaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Id of the deal in its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Name of the ruleset.
    pub rules: String,
    /// Seed of the run, if it dealt the deck; it then also decides dice and shuffles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Seed of the chance inside the game only, if the deck was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<u64>,
    /// Index of the game under that seed.
    #[serde(default)]
    pub game: u64,
    /// The deck, first card to leave the pack first.
    pub deck: String,
    /// Name of the strategy.
    pub strategy: String,
    /// Moves and chance events.
    pub moves: String,
    /// How it ended.
    pub end: End,
    /// Number of cards on the foundations.
    pub cards: u16,
    /// Cents paid for the game, if the stake is bought in stages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub staked: Option<i64>,
    /// The stage of the stake at which the player stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<StageAt>,
}

/// Records a game as it is played.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    words: Vec<String>,
    reserves: usize,
}

impl Recorder {
    /// Creates a recorder for a game of these rules.
    pub fn new(rules: &Rules) -> Recorder {
        Recorder { words: Vec::new(), reserves: rules.spec().reserve.piles as usize }
    }

    /// Returns the moves and events so far, separated by spaces.
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

/// Those facts about a record's moves that determine what they cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Paid {
    /// A move was made, other than those that the deal makes by itself.
    pub looked: bool,
    /// A draw or a redeal was made.
    pub drew: bool,
    /// Number of redeals made.
    pub redeals: u32,
    /// A move was made.
    pub moved: bool,
    /// The largest number of cards that were up.
    pub most_cards: u16,
    /// Number of cards that have been the waste's top, counted again after a shuffle.
    pub went_by: u32,
}

impl Record {
    /// Replays the record under a ruleset and checks every move, the end, the cards and, if recorded, the stake. The
    /// outcome does not contain the stake: a record does not say which cards were bought.
    ///
    /// # Errors
    /// Returns the first fault of the record.
    pub fn check(&self, rules: &Rules) -> Result<Outcome, RecordFault> {
        self.replay(rules, &mut ())
    }

    /// Like [`Record::check`], notifying an observer before each move.
    ///
    /// # Errors
    /// Returns the first fault of the record.
    pub fn replay(&self, rules: &Rules, observer: &mut impl Observer) -> Result<Outcome, RecordFault> {
        let (mut game, paid) = self.follow(rules, observer)?;
        self.check_stake(&game, paid)?;
        self.check_end(&mut game, paid)
    }

    /// Replays the moves and checks the number of cards that are up after them. The end is not checked: a line of play
    /// that shows how many cards are possible need not be a complete game.
    ///
    /// # Errors
    /// Returns the first fault of the moves, or of the cards.
    pub fn check_reached(&self, rules: &Rules) -> Result<(), RecordFault> {
        let (game, paid) = self.follow(rules, &mut ())?;
        self.check_cards(game.outcome().cards)?;
        match paid.most_cards {
            most if most > self.cards => Err(RecordFault::of(
                "cards",
                format!("it says {} cards at most, but {most} were up", self.cards),
            )),
            _ => Ok(()),
        }
    }

    /// Returns the game after all moves, and what was paid for.
    fn follow<'r>(
        &self,
        rules: &'r Rules,
        observer: &mut impl Observer,
    ) -> Result<(Game<'r>, Paid), RecordFault> {
        let deck = Deck::parse(&self.deck, rules.deck_shape()).map_err(|faults| {
            let faults: Vec<String> = faults.into_iter().map(|fault| fault.message).collect();
            RecordFault::of("deck", format!("the deck: {}", faults.join("; ")))
        })?;
        self.check_seed(&deck, rules)?;
        let seeded = self.seed.or(self.chance).map(|seed| SeededChance::new(seed, self.game));
        let mut told = Told::new(&self.moves, seeded);
        let mut game = Game::new(rules);
        game.deal(deck.cards(), &mut told);
        let mut paid = Paid::default();
        let mut went_by = Cards::default();
        while told.fault.is_none() {
            paid.most_cards = paid.most_cards.max(game.table().cards() as u16);
            let top = game.table().waste_top();
            if top != Card::NONE && !is_among(&went_by, top) {
                add(&mut went_by, top);
                paid.went_by += 1;
            }
            let Some((i, word)) = told.words.next() else { break };
            let m = find_move(&game, word).map_err(|message| RecordFault::of_word(i + 1, message))?;
            observer.moving(game.table(), game.legal(), m);
            let chosen = !game.table().makes_by_itself(rules, m);
            if !game.make(m, &mut told) {
                let message = format!("`{word}` is not made: the game had ended barren before it");
                return Err(RecordFault::of_word(i + 1, message));
            }
            paid.moved = true;
            paid.looked |= chosen;
            paid.drew |= chosen && !m.is_play();
            paid.redeals += u32::from(m.is_redeal());
            if m.is_redeal() && rules.spec().stock.on_redeal == OnRedeal::Shuffle {
                went_by = Cards::default();
            }
        }
        if let Some(fault) = told.fault {
            return Err(fault);
        }
        Ok((game, paid))
    }

    /// Checks that a recorded seed deals the recorded deck, and that no separate seed of the chance is given with it.
    fn check_seed(&self, deck: &Deck, rules: &Rules) -> Result<(), RecordFault> {
        let Some(seed) = self.seed else { return Ok(()) };
        if self.chance.is_some() {
            let message = "it has a `seed` and a `chance`: the one is for a deck that the seed deals, the other \
                           for a deck that was given";
            return Err(RecordFault::of("chance", message.into()));
        }
        if deck.is_dealt_from(rules.deck_shape(), seed, self.game) {
            return Ok(());
        }
        let message = format!("the deck is not the one that seed {seed} deals as game {}", self.game);
        Err(RecordFault::of("deck", message))
    }

    fn check_end(&self, game: &mut Game<'_>, paid: Paid) -> Result<Outcome, RecordFault> {
        let wrong = |message: String| Err(RecordFault::of("end", message));
        let claimed = self.end;
        match (game.end(), claimed) {
            (Some(end), _) if end == claimed => {}
            (_, End::Resigned) if self.stopped_unseen(paid) => game.resign(),
            (Some(end), _) => return wrong(format!("it says `{claimed}`, but the game is `{end}`")),
            (None, End::Barren) if game.goes_nowhere() => {}
            (None, End::Resigned) if game.goes_nowhere() => {
                let turns = game.legal().iter().find(|&&m| game.would_be_barren(m));
                let turns = turns.map_or(String::new(), |m| m.notation(0));
                let why = game.rules().spec().why_barren();
                return wrong(format!("it says `resigned`, but the game is `barren`: `{turns}` {why}"));
            }
            (None, End::Resigned) => game.resign(),
            (None, _) => {
                let legal = list(game);
                return wrong(format!("it says `{claimed}`, but the game goes on; legal: {legal}"));
            }
        }
        let outcome = Outcome { end: self.end, ..game.outcome() };
        self.check_cards(outcome.cards)?;
        Ok(outcome)
    }

    fn check_cards(&self, cards: u16) -> Result<(), RecordFault> {
        match cards == self.cards {
            true => Ok(()),
            false => {
                let message = format!("it says {} cards, but there are {cards}", self.cards);
                Err(RecordFault::of("cards", message))
            }
        }
    }
}

fn list(game: &Game<'_>) -> String {
    let reserves = game.rules().spec().reserve.piles as usize;
    let moves: Vec<String> = game.legal().iter().map(|m| m.notation(reserves)).collect();
    moves.join(" ")
}

/// Finds the legal move that a word denotes.
fn find_move(game: &Game<'_>, word: &str) -> Result<Move, String> {
    let reserves = game.rules().spec().reserve.piles as usize;
    if let Some(end) = game.end() {
        return Err(format!("`{word}` after the game is over ({end})"));
    }
    let found = game.legal().iter().copied().find(|m| m.notation(reserves) == word);
    found.ok_or_else(|| format!("`{word}` is not legal here; legal: {}", list(game)))
}
