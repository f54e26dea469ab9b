//! What a deck costs and pays, a meter that grows until it is won, and a stake that is bought in stages.
//!
//! With `[[casino.stage]]` a player does not pay for a deck, but for one stage after the other, and may
//! stop at each. The stages, in the order they come:
//!
//! | `at` | asked | a player who declines |
//! |---|---|---|
//! | `deal` | before anything is dealt | does not play |
//! | `first-look` | when a move is chosen for the first time, the deal in view | stops |
//! | `first-draw` | when a draw is chosen for the first time | stops |
//! | `pass` | whenever a redeal is chosen, for the pass that it begins | stops |
//! | `unknown-card` | when a draw or a redeal is chosen, before the other stages | goes on without |
//!
//! What a deal does by itself costs nothing: a base card that must go up, an opening draw, and a draw that follows it
//! because every card of the waste was played.
//!
//! Who stops ends the game as `resigned`, and has lost what was paid. The cards on the foundations are
//! paid for once the hand is bought whole, that is with `deal`, `first-look` and `first-draw`, as far as the
//! ruleset has them: until then a player holds an option on the hand, and a casino that paid for the
//! cards that the deal alone puts up would pay for nothing. So does the program that this comes from.
//!
//! `unknown-card` sells memory, where a squared waste forgets what went by: the cards of waste and stock that have
//! been the waste's top, each once, all that are not known at a time. Bought, their places are known until a redeal
//! shuffles; then the player chooses anew, as information is for choosing. In one position the offer is made once.

use serde::{Deserialize, Serialize};

/// `[casino]`: what a deck costs and pays, in whole cents.
#[derive(Clone, Debug, PartialEq)]
pub struct Casino {
    /// Price of the deck; 0 where it is bought in stages.
    pub stake: i64,
    /// `[[casino.stage]]`: the stages of a stake that is not paid at once.
    pub stages: Vec<Stage>,
    /// Paid for each card on the foundations at the end.
    pub pays_per_card: i64,
    /// Paid besides for a win.
    pub pays_for_win: i64,
    /// `[[casino.step]]`: what changes from a number of cards on.
    pub steps: Vec<PayStep>,
    /// `casino.redeal_fee`: what each redeal costs; the last repeats. Empty where redeals are free.
    pub redeal_fees: Vec<i64>,
    /// `[casino.jackpot]`: a meter that grows with every deck until it is won.
    pub jackpot: Option<Jackpot>,
    /// Sign or name of the money.
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
    /// For the cards that went by in a squared waste and are not known any more.
    UnknownCard,
}

impl StageAt {
    /// All of them, in the order they come in a game.
    pub const ALL: [StageAt; 5] =
        [StageAt::Deal, StageAt::FirstLook, StageAt::FirstDraw, StageAt::Pass, StageAt::UnknownCard];

    /// The word of ruleset files, scripts and reports.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Part of the price of the hand: bought once, and cards are paid for when all of these are.
    pub const fn of_the_hand(self) -> bool {
        matches!(self, StageAt::Deal | StageAt::FirstLook | StageAt::FirstDraw)
    }

    /// Whether the game ends for a player who declines.
    pub const fn stops(self) -> bool {
        !matches!(self, StageAt::UnknownCard)
    }
}

/// `[[casino.stage]]`: one stage of the stake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// When it is bought.
    pub at: StageAt,
    /// What it costs, of an unknown card each, cents.
    pub cost: i64,
    /// The most cards that it sells in a game; 0 for no limit.
    pub limit: u32,
}

/// `[[casino.step]]`: what is paid from a number of cards on. A negative amount is a fee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PayStep {
    /// So many cards on the foundations.
    pub from: u16,
    /// Paid for each card after these, in place of what was paid for a card before, cents.
    pub pays_per_card: Option<i64>,
    /// Paid once when so many are reached, cents.
    pub bonus: i64,
}

/// What wins a jackpot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WonBy {
    /// All cards up.
    #[default]
    Win,
    /// So many cards up, or more.
    Cards(u16),
}

/// `[casino.jackpot]`: a meter that the house sets to `start`, that grows with each deck sold, and that is paid out whole
/// to who wins it. All of it is the house's money: in the long run it pays the growth of every deck, and the start as often
/// as the jackpot is won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jackpot {
    /// What the meter begins with, each time, cents.
    pub start: i64,
    /// The share of each stake that goes to the meter, thousandths.
    pub share: u16,
    /// What wins it.
    pub won_by: WonBy,
}

impl Jackpot {
    /// Whether a game with `cards` of `all` up wins it.
    pub fn is_won(&self, cards: usize, all: usize) -> bool {
        match self.won_by {
            WonBy::Win => cards == all,
            WonBy::Cards(least) => cards >= usize::from(least),
        }
    }

    /// What one deck adds to the meter at a price, in whole cents.
    pub fn growth(&self, stake: i64) -> i64 {
        (stake.saturating_mul(self.share.into()).saturating_add(500)) / 1000
    }
}

impl Casino {
    /// What the player is paid at the end for `cards` of `all`, cents: for the cards, the steps and the win, and the
    /// jackpot as it starts. Fees of redeals are not taken off.
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

    /// The step from so many cards on, if there is one.
    pub fn step_from(&self, cards: u16) -> Option<&PayStep> {
        self.steps.iter().find(|step| step.from == cards)
    }

    /// What a deck costs the jackpot's meter, in whole cents: part of what the house pays, whoever wins it.
    pub fn meter_growth(&self) -> i64 {
        self.jackpot.map_or(0, |jackpot| jackpot.growth(self.stake))
    }

    /// What the redeal after `redeals` others costs, cents.
    pub fn redeal_fee(&self, redeals: u32) -> i64 {
        let last = self.redeal_fees.len().saturating_sub(1);
        self.redeal_fees.get((redeals as usize).min(last)).copied().unwrap_or(0)
    }

    /// What so many redeals cost together, cents.
    pub fn redeal_fees(&self, redeals: u32) -> i64 {
        let Some((&last, others)) = self.redeal_fees.split_last() else { return 0 };
        let listed: i64 = others.iter().take(redeals as usize).sum();
        listed.saturating_add(last.saturating_mul(i64::from(redeals.saturating_sub(others.len() as u32))))
    }

    /// Whether redeals cost something.
    pub fn has_redeal_fees(&self) -> bool {
        self.redeal_fees.iter().any(|&fee| fee != 0)
    }

    /// Whether the number of cards alone says whether a player loses by a deck of `all` cards, and more cards never turn a
    /// deck that gave its price back into a loss.
    pub fn is_settled_by_cards(&self, all: usize) -> bool {
        let even = |cards: usize| self.pay(cards, all) >= self.stake;
        !self.is_staged() && !self.has_redeal_fees() && (0..all).all(|cards| !even(cards) || even(cards + 1))
    }

    /// Whether anything is ever staked or paid.
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

    /// Whether the stake is bought in stages.
    #[inline]
    pub fn is_staged(&self) -> bool {
        !self.stages.is_empty()
    }

    /// The stage of a kind, if the stake has one.
    pub fn stage(&self, at: StageAt) -> Option<&Stage> {
        self.stages.iter().find(|stage| stage.at == at)
    }
}
