//! Everything that a person is shown of a game in progress, as plain data.

use serde::{Serialize, Serializer};

use crate::cards::{Card, Suit};
use crate::format::cents;
use crate::game::{End, Move, Outcome, View};
use crate::rules::Word;
use crate::rules::{Draw, Rules, Spec, StageAt};
use crate::stats::staked_and_net;

/// A card face up or face down. In JSON `"TH"`, or `null` for a card that is face down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown(Option<Card>);

impl Shown {
    /// Shows a card's face, or its back for `None`. The card's pack is not shown.
    pub fn of(card: Option<Card>) -> Shown {
        Shown(card.map(|card| Card::of_pack(0, card.kind())))
    }

    /// Returns the card, if it is face up.
    pub fn card(self) -> Option<Card> {
        self.0
    }
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(card) => serializer.collect_str(&card),
            None => serializer.serialize_none(),
        }
    }
}

/// One foundation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeenFoundation {
    /// Its suit: `C`, `D`, `H` or `S`.
    pub suit: char,
    /// Number of cards on it.
    pub height: usize,
    /// Its top card; `None` if it is empty.
    pub top: Option<Shown>,
    /// The card that follows; `None` before the base is chosen.
    #[serde(skip)]
    pub next: Option<Card>,
}

/// What a person sees and may remember of a position. It is built from a [`View`] alone.
///
/// Cards of a place are listed from the lowest up; `coming` starts with the next card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Seen {
    /// Whether the layout is visible: false while a stage of the stake before it is on offer, or after it was declined.
    pub dealt: bool,
    /// The base rank, one of `A23456789TJQK`; `None` before it is chosen.
    pub base: Option<char>,
    /// The dealt cards to choose the base card from.
    pub offered: Vec<Shown>,
    /// All foundations, grouped by suit in the order C, D, H, S.
    pub foundations: Vec<SeenFoundation>,
    /// The reserves.
    pub reserves: Vec<Vec<Shown>>,
    /// The tableau.
    pub piles: Vec<Vec<Shown>>,
    /// The waste. If it is squared, only its top is visible.
    pub waste: Vec<Shown>,
    /// The known part of the stock: cards seen in an earlier pass, or bought.
    pub coming: Vec<Shown>,
    /// Number of cards in the stock.
    pub stock_left: usize,
    /// Number of cards left in all reserves.
    pub reserve_left: usize,
    /// Number of cards on the foundations.
    pub cards: usize,
    /// Number of cards in the game.
    pub all_cards: usize,
    /// Number of the pass through the stock, from 1.
    pub pass: u32,
    /// Redeals left; `None` if unlimited.
    pub redeals_left: Option<u32>,
    /// Size of the next packet; 0 if a die will decide it.
    pub draw: usize,
}

impl Seen {
    /// Collects what a view shows.
    pub fn of(view: &View<'_>, dealt: bool) -> Seen {
        let base = view.base();
        let foundation = |suit: Suit, height: usize| {
            let at = |height| base.map(|base| Card::new(base.up(height, view.rules().pack), suit));
            let top = height.checked_sub(1).and_then(at).map(|card| Shown::of(Some(card)));
            SeenFoundation { suit: suit.letter(), height, top, next: at(height) }
        };
        let foundations = Suit::ALL
            .into_iter()
            .flat_map(|suit| view.foundation_heights(suit).map(move |height| foundation(suit, height)))
            .collect();
        let reserve =
            |r: usize| (0..view.reserve_len(r)).rev().map(|i| Shown::of(view.reserve(r, i))).collect();
        let pile = |p: usize| (0..view.pile_len(p)).rev().map(|i| Shown::of(view.pile(p, i))).collect();
        Seen {
            dealt,
            base: base.map(|base| base.letter()),
            offered: view.offered().iter().map(|&card| Shown::of(Some(card))).collect(),
            foundations,
            reserves: (0..view.reserves()).map(reserve).collect(),
            piles: (0..view.piles()).map(pile).collect(),
            waste: (0..view.waste_left()).rev().map(|i| Shown::of(view.waste(i))).collect(),
            coming: (0..view.stock_left()).map(|i| Shown::of(view.coming(i))).collect(),
            stock_left: view.stock_left(),
            reserve_left: view.reserve_left(),
            cards: view.cards(),
            all_cards: view.all_cards(),
            pass: view.pass(),
            redeals_left: view.redeals_left(),
            draw: view.draw(),
        }
    }
}

/// What the player has to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Asks {
    /// One of the legal moves.
    Move,
    /// Whether to buy a stage of the stake.
    Stage {
        /// The stage.
        at: StageAt,
        /// Its price in cents.
        cost: i64,
    },
    /// Nothing: the game is over.
    Nothing,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LegalMove {
    /// The move in notation, such as `T2>T1x3`.
    pub word: String,
    /// Where the cards come from: `R`, `R2`, `W`, `S`, `T3`, `FS`, `C1`.
    pub from: String,
    /// Where they go: `F`, `T3`; `W` for a draw, `S` for a redeal.
    pub to: String,
    /// Number of cards that move; 0 for a draw and a redeal.
    pub count: usize,
    /// The lowest card that moves, if it is visible.
    pub card: Shown,
    /// Whether the move fills a space.
    pub to_space: bool,
    /// How the game would end at once, if that can be foreseen and is not a win: `barren` or `repeated`.
    pub ends: Option<End>,
    /// The reason, in a sentence.
    pub why: Option<String>,
}

/// Something done by the player: a move, an answer to a stage of the stake, or giving up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Made {
    /// The move in notation, or `buy`, `decline`, `resign`.
    pub word: String,
    /// The lowest card that moved, if it was visible before.
    pub card: Shown,
    /// The stage that was bought or declined.
    pub stage: Option<StageAt>,
    /// The price of that stage in cents.
    pub cost: Option<i64>,
    /// The die roll after it.
    pub roll: Option<u8>,
    /// Whether the stock was shuffled after it.
    pub shuffled: bool,
    /// The strategy that chose it; `None` for the person.
    pub by: Option<String>,
    /// Whether it ended the game instead of being carried out.
    pub ended: bool,
}

impl Made {
    pub(super) fn of(word: String, card: Shown, by: Option<String>) -> Made {
        Made { word, card, stage: None, cost: None, roll: None, shuffled: false, by, ended: false }
    }
}

/// A die of the ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Die {
    /// Its faces, 1 and up.
    pub faces: u8,
    /// When it is rolled: `draw`, `pass` or `game`.
    pub rolled: &'static str,
    /// Its last roll.
    pub shows: Option<u8>,
}

/// The money of a game, in cents and as display text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Money {
    /// Whether anything is ever staked or paid.
    pub for_money: bool,
    /// Whether the stake is bought in stages.
    pub staged: bool,
    /// Amount paid by the player so far for the deck, or for its stages.
    pub staked: i64,
    /// Amount paid so far for redeals.
    pub fees: i64,
    /// What the casino would pay if the game ended here.
    pub pays: i64,
    /// The player's net gain in that case.
    pub net: i64,
    /// Pay for one more card on the foundations.
    pub next_card: i64,
    /// Price of the next redeal, including a stage of the stake due with it.
    pub next_redeal: i64,
    /// The same amounts as display text, in this order: staked, fees, pays, net, next card, next redeal.
    pub shown: [String; 6],
}

impl Money {
    /// Computes the money for an outcome, final or as if the game ended here.
    pub(super) fn of(spec: &Spec, outcome: &Outcome) -> Money {
        let casino = &spec.casino;
        let (staked, net) = staked_and_net(spec, outcome);
        let fees = casino.redeal_fees(outcome.redeals);
        let pays = staked.saturating_add(net).saturating_add(if casino.is_staged() { 0 } else { fees });
        let (cards, all) = (usize::from(outcome.cards), spec.cards());
        // Cards pay only once all stages of the hand are bought.
        let counts = !casino.is_staged() || outcome.stake.is_some_and(|stake| stake.whole);
        let next = casino.pay((cards + 1).min(all), all).saturating_sub(casino.pay(cards, all));
        let next_card = if counts && cards < all { next } else { 0 };
        let stage = casino.stage(StageAt::Pass).map_or(0, |stage| stage.cost);
        let next_redeal = casino.redeal_fee(outcome.redeals).saturating_add(stage);
        let shown = [staked, fees, pays, net, next_card, next_redeal].map(|amount| cents(amount, casino));
        let (for_money, staged) = (casino.is_for_money(), casino.is_staged());
        Money { for_money, staged, staked, fees, pays, net, next_card, next_redeal, shown }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Over {
    /// How it ended.
    pub end: End,
    /// The reason, in a sentence.
    pub why: String,
    /// Number of cards on the foundations.
    pub cards: u16,
    /// Number of moves made.
    pub moves: u32,
    /// Number of redeals made.
    pub redeals: u32,
}

impl Over {
    pub(super) fn of(spec: &Spec, outcome: &Outcome, made: &[Made]) -> Over {
        let Outcome { end, cards, moves, redeals, stake, .. } = *outcome;
        let last = made.last().filter(|made| made.ended).map_or("", |made| &made.word);
        let why = match (end, stake.and_then(|stake| stake.stopped)) {
            (_, Some(at)) => format!("The stage {at} was declined."),
            (End::Won, _) => "All cards are on the foundations.".into(),
            (End::Blocked, _) => "No move is legal.".into(),
            (End::Barren, _) if ["draw", "redeal"].contains(&last) => {
                format!("Another {last} {}.", spec.why_barren())
            }
            (End::Barren, _) => {
                format!("The game was given up where another redeal {}.", spec.why_barren())
            }
            (End::Repeated, _) => "The same position stood for the third time without progress.".into(),
            (End::Resigned, _) => "The game was given up.".into(),
            (End::Runaway, _) => format!("{moves} moves were made: the game is stopped as undecided."),
        };
        Over { end, why, cards, moves, redeals }
    }
}

/// Identifies the game. The seed and the game number are enough to deal it, and so reveal every card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TheDeal {
    /// The name of the rules in records.
    pub rules: String,
    /// The title given in the rules.
    pub title: String,
    /// The seed of the deal; `None` for a given deck.
    pub seed: Option<u64>,
    /// The number of the game under its seed.
    pub game: u64,
}

/// Everything that a person is shown. It contains no hidden card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct State {
    /// The game being played.
    pub deal: TheDeal,
    /// The position.
    pub seen: Seen,
    /// What the player has to decide.
    pub asks: Asks,
    /// Price of the stage of the stake on offer, as display text.
    pub stage_cost: Option<String>,
    /// The legal moves in the engine's order; empty while a stage is on offer, and after the end.
    pub moves: Vec<LegalMove>,
    /// The money.
    pub money: Money,
    /// The die, if the rules have one.
    pub die: Option<Die>,
    /// What the player has done so far, in order.
    pub made: Vec<Made>,
    /// Number of choices that can be undone.
    pub undo: usize,
    /// Number of choices that can be redone.
    pub redo: usize,
    /// The next choice to redo: a move in notation, or `buy`, `decline`, `resign`.
    pub again: Option<String>,
    /// How the game ended, once it has.
    pub over: Option<Over>,
}

/// Returns whether the layout is visible: false while a stage before it is on offer, or after it was declined.
pub(super) fn seen_layout(asks: Asks, view: &View<'_>) -> bool {
    let unseen = |at: StageAt| at == StageAt::Deal;
    match asks {
        Asks::Stage { at, .. } => !unseen(at),
        Asks::Move => true,
        Asks::Nothing => !view.purchases().stopped.is_some_and(unseen),
    }
}

pub(super) fn describe(m: Move, view: &View<'_>) -> LegalMove {
    let word = m.notation(view.reserves());
    let (from, to) = match word.split_once('>') {
        Some((from, to)) => (from, to.split('x').next().unwrap_or(to)),
        None if m.is_draw() => ("S", "W"),
        None => ("W", "S"),
    };
    LegalMove {
        from: from.to_string(),
        to: to.to_string(),
        count: m.count(),
        card: Shown::of(view.card(m)),
        to_space: view.to_space(m),
        ends: None,
        why: None,
        word,
    }
}

pub(super) fn die(rules: &Rules, dealt: Option<u8>, made: &[Made]) -> Option<Die> {
    let Draw::Die { faces, roll } = rules.spec().stock.draw else { return None };
    let last = made.iter().rev().find_map(|made| made.roll);
    Some(Die { faces, rolled: roll.word(), shows: last.or(dealt) })
}
