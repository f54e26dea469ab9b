//! A staged stake in one game: which stage is due when, what was paid, and which cards are known for it.

use crate::cards::Card;
use crate::rules::{OnRedeal, Rules, Stage, StageAt, WasteFace};

use super::moves::Move;
use super::outcome::Stake;
use super::table::Table;
use super::termination::{Cards, is_among};

/// A player's account in a game in progress: what was bought, and which cards are known for it.
#[derive(Clone, Copy, Debug)]
pub struct Stakes {
    stake: Stake,
    /// Bought cards, a mask of kinds for each pack.
    known: [u64; 4],
    /// Those of one pack that were shuffled since: unless visible, they are in the stock or the waste.
    shuffled: [u64; 4],
    /// Whether cards were already offered in this position.
    offered: bool,
}

impl Stakes {
    /// The account of a player who buys nothing.
    pub(super) const NONE: Stakes =
        Stakes { stake: Stake::NONE, known: [0; 4], shuffled: [0; 4], offered: false };

    /// Returns the initial account.
    pub(super) fn new(rules: &Rules) -> Stakes {
        let mut stakes = Stakes::NONE;
        stakes.count_the_hand(rules);
        stakes
    }

    /// Returns the account so far.
    pub fn stake(&self) -> Stake {
        self.stake
    }

    /// Returns what was paid so far, in cents.
    pub fn staked(&self) -> i64 {
        self.stake.staked
    }

    /// Returns whether the card was bought and its place is still known.
    #[inline]
    pub fn knows(&self, card: Card) -> bool {
        self.known[card.pack()] & card.bit() != 0
    }

    /// Returns the bought cards whose places were lost in a shuffle.
    pub(super) fn shuffled(&self) -> &[u64; 4] {
        &self.shuffled
    }

    /// Records the answer to a stage, offered for `times` cards if it sells cards. Returns whether the game continues:
    /// it does if the stage is bought, or sells cards.
    pub(super) fn answer(&mut self, rules: &Rules, stage: &Stage, times: u32, buys: bool) -> bool {
        let kind = stage.at as usize;
        self.stake.asked[kind] += times;
        if buys {
            self.stake.bought[kind] += times;
            self.stake.staked += stage.cost * i64::from(times);
        } else if stage.at.stops() {
            self.stake.stopped = Some(stage.at);
        }
        self.count_the_hand(rules);
        buys || !stage.at.stops()
    }

    /// Checks whether all stages of the hand are bought.
    fn count_the_hand(&mut self, rules: &Rules) {
        let mut of_the_hand = rules.spec().casino.stages.iter().filter(|stage| stage.at.of_the_hand());
        self.stake.whole = of_the_hand.all(|stage| self.stake.bought[stage.at as usize] > 0);
    }

    /// Returns the stages that are due before this move is made, in their order.
    pub(super) fn due(&self, rules: &Rules, table: &Table, m: Move) -> [Option<Stage>; 3] {
        let unpaid = |at: StageAt| self.stake.bought[at as usize] == 0 && !table.makes_by_itself(rules, m);
        let due = [
            (StageAt::FirstLook, unpaid(StageAt::FirstLook)),
            (StageAt::FirstDraw, unpaid(StageAt::FirstDraw) && !m.is_play()),
            (StageAt::Pass, m.is_redeal()),
        ];
        due.map(|(at, due)| rules.spec().casino.stage(at).copied().filter(|_| due))
    }

    /// Returns the cards of stock and waste that can be bought in this position, next cards first, and the stage that
    /// sells them. `went_by` holds those that have been the waste's top since the last shuffle.
    pub(super) fn for_sale(
        &self,
        rules: &Rules,
        table: &Table,
        went_by: &Cards,
    ) -> Option<(Stage, Vec<Card>)> {
        let stage = *rules.spec().casino.stage(StageAt::UnknownCard)?;
        if self.offered || rules.spec().stock.waste == WasteFace::Fanned {
            return None;
        }
        let left = match stage.limit {
            0 => usize::MAX,
            limit => limit.saturating_sub(self.stake.bought[stage.at as usize]) as usize,
        };
        let cards = table.stock().iter().chain(table.waste()).copied();
        let cards: Vec<Card> =
            cards.filter(|&card| is_among(went_by, card) && !self.knows(card)).take(left).collect();
        (!cards.is_empty()).then_some((stage, cards))
    }

    /// Marks the card as known.
    pub(super) fn show(&mut self, card: Card) {
        self.known[card.pack()] |= card.bit();
    }

    /// Offers no more cards in this position.
    pub(super) fn offered(&mut self) {
        self.offered = true;
    }

    /// Updates the account after a move.
    pub(super) fn moved(&mut self, rules: &Rules, m: Move) {
        self.offered = false;
        if m.is_redeal() && rules.spec().stock.on_redeal == OnRedeal::Shuffle {
            if rules.hot.packs == 1 {
                self.shuffled[0] |= self.known[0];
            }
            self.known = [0; 4];
        }
    }
}

impl Table {
    /// Returns whether a deal makes this legal move by itself, so that it costs nothing: a base card that must go up,
    /// or a draw onto a waste that was played out, if a first draw is part of the deal.
    pub(super) fn makes_by_itself(&self, rules: &Rules, m: Move) -> bool {
        let forced = m.to_foundation() && rules.hot.forced_base && self.forces_base(rules);
        forced || m.is_draw() && rules.spec().stock.opening_draw && self.waste().is_empty()
    }
}
