//! Numbers derived from a ruleset, such as how many cards are dealt where.

use super::spec::{Base, ChoiceFrom, Returns, Spec, Start};

impl Spec {
    /// Returns the number of cards in the packs, whether dealt or put up before the deal.
    pub fn cards(&self) -> usize {
        52 * self.deal.packs as usize
    }

    /// Returns the number of tableau piles.
    pub fn piles(&self) -> usize {
        self.tableau.deal.len()
    }

    /// Returns the number of cards dealt to all reserves.
    pub fn reserve_cards(&self) -> usize {
        self.reserve.piles as usize * self.reserve.size as usize
    }

    /// Returns the number of cards dealt to the tableau, including the one among them that is to be chosen as a base.
    pub fn tableau_cards(&self) -> usize {
        match self.foundation.base {
            Base::Choice(ChoiceFrom::Dealt(offered)) => offered as usize,
            _ => self.tableau.deal.iter().map(|&cards| cards as usize).sum(),
        }
    }

    /// Returns the number of base cards on the foundations after the deal.
    pub fn put_up_cards(&self) -> usize {
        match self.foundation.start {
            Start::None => 0,
            Start::One => 1,
            Start::All => 4 * self.deal.packs as usize,
        }
    }

    /// Returns the minimum number of cards on the foundations at the end of any game: those that the deal puts up,
    /// unless they may leave.
    pub fn fewest_cards(&self) -> usize {
        if self.foundation.returns == Returns::Top { 0 } else { self.put_up_cards() }
    }

    /// Returns the number of cards that the deal leaves for the stock, before any opening draw.
    pub fn stock_cards(&self) -> usize {
        let laid_out = self.reserve_cards() + self.tableau_cards() + self.put_up_cards();
        self.cards().saturating_sub(laid_out)
    }

    /// Explains why a redeal or a draw ends a game as barren: the text after "another redeal".
    pub(crate) fn why_barren(&self) -> String {
        match self.idle_redeals {
            Some(redeals) => format!("would be number {redeals} in a row without a play"),
            None => "would only show the same cards again".into(),
        }
    }

    /// Returns `end.idle_redeals` or `end.barren_passes`, or the default of 2. If passes do not repeat (a die for each
    /// pass or draw, a shuffle), only an explicit value is a limit.
    pub fn barren_passes(&self) -> u32 {
        self.idle_redeals.or(self.barren_passes).unwrap_or(2)
    }
}
