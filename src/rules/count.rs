//! How many cards a ruleset deals to what, and other numbers that follow from its keys.

use super::spec::{Base, ChoiceFrom, Returns, Spec, Start};

impl Spec {
    /// Cards in the packs, whether dealt or put up before the deal.
    pub fn cards(&self) -> usize {
        52 * self.deal.packs as usize
    }

    /// Tableau piles.
    pub fn piles(&self) -> usize {
        self.tableau.deal.len()
    }

    /// Cards dealt to all reserves.
    pub fn reserve_cards(&self) -> usize {
        self.reserve.piles as usize * self.reserve.size as usize
    }

    /// Cards dealt to the tableau, the one among them that is to be chosen for a base included.
    pub fn tableau_cards(&self) -> usize {
        match self.foundation.base {
            Base::Choice(ChoiceFrom::Dealt(offered)) => offered as usize,
            _ => self.tableau.deal.iter().map(|&cards| cards as usize).sum(),
        }
    }

    /// Base cards that are on the foundations once all is dealt.
    pub fn put_up_cards(&self) -> usize {
        match self.foundation.start {
            Start::None => 0,
            Start::One => 1,
            Start::All => 4 * self.deal.packs as usize,
        }
    }

    /// Cards that every game ends with on the foundations at least: those that the deal puts up, unless they may leave.
    pub fn fewest_cards(&self) -> usize {
        if self.foundation.returns == Returns::Top { 0 } else { self.put_up_cards() }
    }

    /// Cards that the deal leaves for the stock, before any opening draw.
    pub fn stock_cards(&self) -> usize {
        let laid_out = self.reserve_cards() + self.tableau_cards() + self.put_up_cards();
        self.cards().saturating_sub(laid_out)
    }

    /// Why a redeal or a draw ends a game as barren: what follows "another redeal".
    pub(crate) fn why_barren(&self) -> String {
        match self.idle_redeals {
            Some(redeals) => format!("would be number {redeals} in a row without a play"),
            None => "would only show the same cards again".into(),
        }
    }

    /// `end.idle_redeals` or `end.barren_passes`, with the default of 2 where the file is silent. Where passes do not
    /// repeat (a die for each pass or draw, a shuffle) only what the file gives is a limit.
    pub fn barren_passes(&self) -> u32 {
        self.idle_redeals.or(self.barren_passes).unwrap_or(2)
    }
}
