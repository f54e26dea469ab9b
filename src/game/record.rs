//! Records of finished games, one line of JSON each, and their replay.

use serde::{Deserialize, Serialize};

use crate::cards::{Card, Deck};
use crate::rules::{Casino, OnRedeal, Rules, StageAt};

use super::chance::{Chance, SeededChance};
use super::lookahead::add;
use super::moves::{Move, MoveList};
use super::outcome::{End, Outcome};
use super::play::{Game, Observer};
use super::table::Table;
use super::termination::{Cards, is_among};

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
struct Paid {
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
        let mut told = RecordedChance::new(&self.moves, seeded);
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

    /// Returns whether the player did not buy the deal, so that the game never began.
    fn stopped_unseen(&self, paid: Paid) -> bool {
        !paid.moved && self.stopped == Some(StageAt::Deal)
    }

    /// Checks `stopped` and `staked`, if the record has them, against its game.
    fn check_stake(&self, game: &Game<'_>, paid: Paid) -> Result<(), RecordFault> {
        let casino = &game.rules().spec().casino;
        if !casino.is_staged() && (self.staked.is_some() || self.stopped.is_some()) {
            let field = if self.staked.is_some() { "staked" } else { "stopped" };
            let message = "the record has a stake bought in stages, but the rules have no stages";
            return Err(RecordFault::of(field, message.into()));
        }
        if let Some(at) = self.stopped {
            self.check_stop(game, at, paid)?;
        }
        match self.staked {
            Some(staked) if !could_cost(casino, staked, self.stopped, paid) => {
                let message = format!("it says {staked} cents were staked, which its moves cannot have cost");
                Err(RecordFault::of("staked", message))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the stage was due where the moves end.
    fn check_stop(&self, game: &Game<'_>, at: StageAt, paid: Paid) -> Result<(), RecordFault> {
        // A move that would end the game as barren is not for sale, nor is one that the deal makes by itself.
        let legal = |wanted: fn(&Move) -> bool| {
            let sold = |m: Move| !game.would_be_barren(m) && !game.table().makes_by_itself(game.rules(), m);
            game.legal().iter().any(|m| wanted(m) && sold(*m))
        };
        let due = match at {
            StageAt::Deal => !paid.moved,
            StageAt::FirstLook => !paid.looked && legal(|_| true),
            StageAt::FirstDraw => !paid.drew && legal(|m| !m.is_play()),
            StageAt::Pass => legal(|m| m.is_redeal()),
            StageAt::UnknownCard => false,
        };
        let resigned = self.end == End::Resigned;
        if due && resigned && game.rules().spec().casino.stage(at).is_some() {
            return Ok(());
        }
        let message =
            format!("it says the player stopped at `{at}`, which was not asked where its moves end");
        Err(RecordFault::of("stopped", message))
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

/// Returns the byte offset of a key in a line.
pub fn key_at(line: &str, key: &str) -> Option<usize> {
    let word = format!("\"{key}\"");
    let is_key = |&(at, _): &(usize, &str)| line[at + word.len()..].trim_start().starts_with(':');
    line.match_indices(&word).find(is_key).map(|(at, _)| at)
}

/// Returns the byte offset of the value of a key in a line, if it is written there verbatim.
pub fn value_at(line: &str, key: &str, value: &str) -> Option<usize> {
    let after = key_at(line, key)? + key.len() + 2;
    let start = after + line[after..].find('"')? + 1;
    line[start..].starts_with(value).then_some(start)
}

/// Returns the byte offset of a word of the moves in a line, counted from 1.
pub fn word_at(line: &str, moves: &str, word: usize) -> Option<usize> {
    let start = value_at(line, "moves", moves)?;
    let word = moves.split_whitespace().nth(word - 1)?;
    Some(start + (word.as_ptr() as usize - moves.as_ptr() as usize))
}

/// Returns whether a game can have cost this many cents. Its moves determine all stages except unknown cards, of which
/// only those that have been the waste's top are sold.
fn could_cost(casino: &Casino, staked: i64, stopped: Option<StageAt>, paid: Paid) -> bool {
    let cost = |at, bought: bool| casino.stage(at).filter(|_| bought).map_or(0, |stage| stage.cost);
    let began = stopped != Some(StageAt::Deal);
    let passing = stopped == Some(StageAt::Pass);
    let fixed = cost(StageAt::Deal, began)
        + cost(StageAt::FirstLook, paid.looked || passing || stopped == Some(StageAt::FirstDraw))
        + cost(StageAt::FirstDraw, paid.drew || passing)
        + i64::from(paid.redeals) * cost(StageAt::Pass, true);
    let rest = staked.saturating_sub(fixed);
    match casino.stage(StageAt::UnknownCard).filter(|stage| began && stage.cost > 0) {
        _ if rest == 0 => true,
        Some(stage) if rest > 0 && rest % stage.cost == 0 => {
            let cards = rest / stage.cost;
            cards <= i64::from(paid.went_by) && (stage.limit == 0 || cards <= i64::from(stage.limit))
        }
        _ => false,
    }
}

/// Chance replayed from a record. A missing or wrong event is recorded as a fault and replaced by a legal one.
struct RecordedChance<'a> {
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

/// Where and how a record breaks the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", word.map_or(String::new(), |word| format!("word {word} of the moves: ")))]
pub struct RecordFault {
    /// Index of the faulty word of `moves`, from 1; `None` if no single word is at fault.
    pub word: Option<usize>,
    /// Name of the faulty field in the record.
    pub field: &'static str,
    /// What is wrong, and what would be legal.
    pub message: String,
}

impl RecordFault {
    /// Returns a fault of a field other than the moves.
    pub fn of(field: &'static str, message: String) -> RecordFault {
        RecordFault { word: None, field, message }
    }

    fn of_word(word: usize, message: String) -> RecordFault {
        RecordFault { word: Some(word), field: "moves", message }
    }
}
