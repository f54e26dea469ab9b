//! What a deck costs and pays, the jackpot, and a stake that is bought in stages.
//!
//! With `[[casino.stage]]` a player does not pay for a deck, but for one stage after the other, and may stop at each.
//! The stages, in the order in which they occur:
//!
//! | `at` | asked | a player who declines |
//! |---|---|---|
//! | `deal` | before anything is dealt | does not play |
//! | `first-look` | when a move is chosen for the first time, with the deal in view | stops |
//! | `first-draw` | when a draw is chosen for the first time | stops |
//! | `pass` | whenever a redeal is chosen, for the pass that it begins | stops |
//! | `unknown-card` | when a draw or a redeal is chosen, before the other stages | plays on without |
//!
//! Moves that a deal makes by itself cost nothing: a base card that must go up, an opening draw, and a draw that
//! follows it because every card of the waste was played.
//!
//! A player who stops ends the game as `resigned` and loses what was paid. The cards on the foundations pay only once
//! the hand is fully bought, that is with `deal`, `first-look` and `first-draw`, if the ruleset has them: until then a
//! player holds an option on the hand, and a casino that paid for the cards put up by the deal alone would get nothing
//! in return. The program that this scheme comes from does the same.
//!
//! `unknown-card` sells memory, for a squared waste that hides cards: the cards of waste and stock that have been the
//! waste's top, each once, all the unknown ones at a time. Once bought, their places are known until a redeal shuffles;
//! the player then chooses again, since information is meant for choosing. The offer is made once per position.

use serde::{Deserialize, Serialize};

/// `[casino]`: what a deck costs and pays, in whole cents.
#[derive(Clone, Debug, PartialEq)]
pub struct Casino {
    /// Price of the deck in cents; 0 if it is bought in stages.
    pub stake: i64,
    /// `[[casino.stage]]`: the stages of a staged stake.
    pub stages: Vec<Stage>,
    /// Paid for each card on the foundations at the end, in cents.
    pub pays_per_card: i64,
    /// Paid in addition for a win, in cents.
    pub pays_for_win: i64,
    /// `[[casino.step]]`: changes of the pay from a number of cards on.
    pub steps: Vec<PayStep>,
    /// `casino.redeal_fee`: the price of each redeal in cents; the last repeats. Empty if redeals are free.
    pub redeal_fees: Vec<i64>,
    /// `[casino.jackpot]`: a meter that grows with every deck until it is won.
    pub jackpot: Option<Jackpot>,
    /// Symbol or name of the currency.
    pub currency: String,
}

/// When a stage of the stake is bought.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::Display,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum StageAt {
    /// Before anything is dealt.
    #[default]
    Deal,
    /// When a move is first chosen.
    FirstLook,
    /// When a draw is first chosen.
    FirstDraw,
    /// When a redeal is chosen.
    Pass,
    /// For cards that were seen in a squared waste and are not known.
    UnknownCard,
}

impl StageAt {
    /// All stages, in the order in which they occur.
    pub const ALL: [StageAt; 5] =
        [StageAt::Deal, StageAt::FirstLook, StageAt::FirstDraw, StageAt::Pass, StageAt::UnknownCard];

    /// Returns the word used in ruleset files, scripts and reports.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Returns whether it is part of the price of the hand: bought once, and cards pay only when all of these are
    /// bought.
    pub const fn of_the_hand(self) -> bool {
        matches!(self, StageAt::Deal | StageAt::FirstLook | StageAt::FirstDraw)
    }

    /// Returns whether the game ends for a player who declines.
    pub const fn stops(self) -> bool {
        !matches!(self, StageAt::UnknownCard)
    }
}

/// `[[casino.stage]]`: one stage of the stake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// When it is bought.
    pub at: StageAt,
    /// Its price in cents, for unknown cards the price of each.
    pub cost: i64,
    /// Maximum number of cards that it sells in a game; 0 for no limit.
    pub limit: u32,
}

/// `[[casino.step]]`: a change of the pay from a number of cards on. A negative amount is a fee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PayStep {
    /// The number of cards on the foundations.
    pub from: u16,
    /// New pay for each further card, in cents.
    pub pays_per_card: Option<i64>,
    /// Paid once when this number is reached, in cents.
    pub bonus: i64,
}

/// How a jackpot is won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WonBy {
    /// With all cards up.
    #[default]
    Win,
    /// With at least this many cards up.
    Cards(u16),
}

/// `[casino.jackpot]`: a meter that the house sets to `start`, that grows with each deck sold, and that is paid out
/// completely to the winner. All of it is the house's money: in the long run the house pays the growth of every deck,
/// and the start each time the jackpot is won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jackpot {
    /// The initial meter, and after each win, in cents.
    pub start: i64,
    /// The share of each stake that is added to the meter, in thousandths.
    pub share: u16,
    /// How it is won.
    pub won_by: WonBy,
}

impl Jackpot {
    /// Returns whether a game with `cards` of `all` up wins it.
    pub fn is_won(&self, cards: usize, all: usize) -> bool {
        match self.won_by {
            WonBy::Win => cards == all,
            WonBy::Cards(least) => cards >= usize::from(least),
        }
    }

    /// Returns what one deck at a price adds to the meter, in whole cents.
    pub fn growth(&self, stake: i64) -> i64 {
        (stake.saturating_mul(self.share.into()).saturating_add(500)) / 1000
    }
}

impl Casino {
    /// Returns what the player is paid at the end for `cards` of `all`, in cents: for the cards, the steps and the win,
    /// and the initial jackpot. Fees of redeals are not subtracted.
    pub fn pay(&self, cards: usize, all: usize) -> i64 {
        let win = if cards == all { self.pays_for_win } else { 0 };
        let jackpot = self.jackpot.filter(|jackpot| jackpot.is_won(cards, all)).map_or(0, |it| it.start);
        self.pay_in_steps(cards).saturating_add(win).saturating_add(jackpot)
    }

    fn pay_in_steps(&self, cards: usize) -> i64 {
        let (mut paid, mut rate, mut from) = (0i64, self.pays_per_card, 0);
        for step in self.steps.iter().filter(|step| usize::from(step.from) <= cards) {
            let before = usize::from(step.from) - from;
            paid = paid.saturating_add(rate.saturating_mul(before as i64)).saturating_add(step.bonus);
            (from, rate) = (step.from.into(), step.pays_per_card.unwrap_or(rate));
        }
        paid.saturating_add(rate.saturating_mul((cards - from) as i64))
    }

    /// Returns the step that starts at this number of cards, if there is one.
    pub fn step_from(&self, cards: u16) -> Option<&PayStep> {
        self.steps.iter().find(|step| step.from == cards)
    }

    /// Returns what a deck adds to the jackpot's meter, in whole cents: part of the house's payments, whoever wins it.
    pub fn meter_growth(&self) -> i64 {
        self.jackpot.map_or(0, |jackpot| jackpot.growth(self.stake))
    }

    /// Returns the price of the redeal after `redeals` others, in cents.
    pub fn redeal_fee(&self, redeals: u32) -> i64 {
        let last = self.redeal_fees.len().saturating_sub(1);
        self.redeal_fees.get((redeals as usize).min(last)).copied().unwrap_or(0)
    }

    /// Returns the total price of `redeals` redeals, in cents.
    pub fn redeal_fees(&self, redeals: u32) -> i64 {
        let Some((&last, others)) = self.redeal_fees.split_last() else { return 0 };
        let listed: i64 = others.iter().take(redeals as usize).sum();
        listed.saturating_add(last.saturating_mul(i64::from(redeals.saturating_sub(others.len() as u32))))
    }

    /// Returns whether redeals cost something.
    pub fn has_redeal_fees(&self) -> bool {
        self.redeal_fees.iter().any(|&fee| fee != 0)
    }

    /// Returns whether the number of cards alone decides if a player loses on a deck of `all` cards, and more cards
    /// never turn a deck that earned its price back into a loss.
    pub fn is_settled_by_cards(&self, all: usize) -> bool {
        let even = |cards: usize| self.pay(cards, all) >= self.stake;
        !self.is_staged() && !self.has_redeal_fees() && (0..all).all(|cards| !even(cards) || even(cards + 1))
    }

    /// Returns whether anything is ever staked or paid.
    pub fn is_for_money(&self) -> bool {
        let steps = || {
            self.steps.iter().any(|step| step.bonus != 0 || step.pays_per_card.is_some_and(|pay| pay != 0))
        };
        self.stake != 0
            || self.pays_per_card != 0
            || self.pays_for_win != 0
            || self.is_staged()
            || self.has_redeal_fees()
            || self.jackpot.is_some_and(|jackpot| jackpot.start != 0)
            || steps()
    }

    /// Returns whether the stake is bought in stages.
    #[inline]
    pub fn is_staged(&self) -> bool {
        !self.stages.is_empty()
    }

    /// Returns the stage of a kind, if the stake has one.
    pub fn stage(&self, at: StageAt) -> Option<&Stage> {
        self.stages.iter().find(|stage| stage.at == at)
    }
}
