//! All that a person is shown of a game under way, as plain data.

use serde::Serialize;

use crate::format::cents;
use crate::game::{End, Outcome};
use crate::rules::{Spec, StageAt};
use crate::stats::staked_and_net;

use super::seen::{Seen, Shown};

/// What is asked of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Asks {
    /// One of the legal moves.
    Move,
    /// Whether to buy a stage of the stake.
    Stage {
        /// Which.
        at: StageAt,
        /// What it costs, cents.
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
    /// Where they go: `F`, `T3`; of a draw `W`, of a redeal `S`.
    pub to: String,
    /// How many cards move; 0 for a draw and a redeal.
    pub count: usize,
    /// The lowest card that moves, where it is seen.
    pub card: Shown,
    /// The move is into a space.
    pub to_space: bool,
    /// How the game would end at once, where that can be foreseen and is no win: `barren` or `repeated`.
    pub ends: Option<End>,
    /// Why, in a sentence.
    pub why: Option<String>,
}

/// What was done: a move, an answer to a stage of the stake, or giving up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Made {
    /// The move in notation, or `buy`, `decline`, `resign`.
    pub word: String,
    /// The lowest card that moved, where it was seen before.
    pub card: Shown,
    /// The stage that was bought or declined.
    pub stage: Option<StageAt>,
    /// What that stage costs, cents.
    pub cost: Option<i64>,
    /// What the die showed after it.
    pub roll: Option<u8>,
    /// The stock was shuffled after it.
    pub shuffled: bool,
    /// The strategy that chose it; `None` for the person.
    pub by: Option<String>,
    /// It ended the game instead of being made.
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
    /// What it showed last.
    pub shows: Option<u8>,
}

/// The money of a game, in cents and as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Money {
    /// Whether anything is ever staked or paid.
    pub for_money: bool,
    /// The stake is bought in stages.
    pub staged: bool,
    /// Paid by the player so far for the deck, or for its stages.
    pub staked: i64,
    /// Paid so far for redeals.
    pub fees: i64,
    /// What the casino would pay, were the game over now.
    pub pays: i64,
    /// What the player would have gained then.
    pub net: i64,
    /// What one more card on the foundations would bring.
    pub next_card: i64,
    /// What the next redeal costs, a stage of the stake for it included.
    pub next_redeal: i64,
    /// The same amounts as they are shown, in this order: staked, fees, pays, net, next card, next redeal.
    pub shown: [String; 6],
}

impl Money {
    /// The money of a game that came to this, or would if it ended now.
    pub(super) fn of(spec: &Spec, outcome: &Outcome) -> Money {
        let casino = &spec.casino;
        let (staked, net) = staked_and_net(spec, outcome);
        let fees = casino.redeal_fees(outcome.redeals);
        let pays = staked.saturating_add(net).saturating_add(if casino.is_staged() { 0 } else { fees });
        let (cards, all) = (usize::from(outcome.cards), spec.cards());
        // Cards are paid for once the hand is bought whole.
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
    /// Why, in a sentence.
    pub why: String,
    /// Cards on the foundations.
    pub cards: u16,
    /// Moves made.
    pub moves: u32,
    /// Redeals made.
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

/// Which game is played. Who knows the seed and the game can deal it, and so knows every card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TheDeal {
    /// What records call the rules.
    pub rules: String,
    /// The name that the rules give themselves.
    pub title: String,
    /// The seed of the deal; `None` for a deck that was given.
    pub seed: Option<u64>,
    /// The game of the seed.
    pub game: u64,
}

/// All that a person is shown. No hidden card is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct State {
    /// Which game it is.
    pub deal: TheDeal,
    /// The position.
    pub seen: Seen,
    /// What is asked.
    pub asks: Asks,
    /// What the stage of the stake that is asked for costs, as it is shown.
    pub stage_cost: Option<String>,
    /// The legal moves in the engine's order; none while a stage is asked for, and after the end.
    pub moves: Vec<LegalMove>,
    /// The money.
    pub money: Money,
    /// The die, of rules that have one.
    pub die: Option<Die>,
    /// What was done so far, in order.
    pub made: Vec<Made>,
    /// How many choices can be taken back.
    pub undo: usize,
    /// How many can be made again.
    pub redo: usize,
    /// The next of those: a move in notation, or `buy`, `decline`, `resign`.
    pub again: Option<String>,
    /// How the game ended, once it has.
    pub over: Option<Over>,
}
