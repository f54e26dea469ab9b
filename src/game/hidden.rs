//! Tables that look the same to their player, for the tests that nobody sees a hidden card.

use crate::cards::Card;
use crate::rules::Rules;

use super::table::Table;
use super::view::{Luck, View};

impl Table {
    /// A table that looks the same to its player: the hidden cards in an order of the caller's
    /// choice. `order` is given all of them and may permute them.
    pub fn with_hidden(&self, rules: &Rules, order: impl FnOnce(&mut [Card])) -> Table {
        let luck = Luck::new(0, 0);
        let view = View::new(self, rules, &luck);
        let mut table = *self;
        let mut hidden = Vec::new();
        table.for_hidden(&view, |card| hidden.push(*card));
        order(&mut hidden);
        // Face-down marks belong to places, cards to no place yet: take the marks off, place, mark.
        let marks: Vec<Card> = (0..rules.hot.piles)
            .flat_map(|p| self.pile(p).filter(|(_, up)| !up).map(|(card, _)| card).collect::<Vec<_>>())
            .collect();
        let mut next = hidden.iter().copied();
        table.for_hidden(&view, |card| *card = next.next().unwrap_or(*card));
        table.face_down = [0; 4];
        let mut marked = hidden.iter().take(marks.len());
        for card in marked.by_ref() {
            table.face_down[card.pack()] |= card.bit();
        }
        table
    }

    /// Visits every hidden card: face-down tableau cards first, then reserves, then the stock
    /// (and the waste below its top where it is squared).
    fn for_hidden(&mut self, view: &View<'_>, mut visit: impl FnMut(&mut Card)) {
        for p in 0..view.piles() {
            let cards: Vec<Card> = self.pile(p).map(|(card, _)| card).collect();
            let hidden: Vec<bool> = (0..cards.len()).map(|i| view.pile(p, i).is_none()).collect();
            let top = self.relink(cards, &hidden, &mut visit);
            self.piles[p].top = top;
        }
        for r in 0..view.rules().reserve.piles as usize {
            let cards: Vec<Card> = self.reserve(r).collect();
            let hidden: Vec<bool> = (0..cards.len()).map(|i| view.reserve(r, i).is_none()).collect();
            let top = self.relink(cards, &hidden, &mut visit);
            self.reserves[r].top = top;
        }
        let (next, end) = (self.next as usize, self.end as usize);
        for i in next..end {
            if view.coming(i - next).is_none() {
                visit(&mut self.pack[i]);
            }
        }
        let waste = self.waste as usize;
        for i in 0..waste {
            if view.waste(waste - 1 - i).is_none() {
                visit(&mut self.pack[i]);
            }
        }
    }

    /// Lets `visit` change the hidden cards of a chain, top first, and chains the result; its top.
    fn relink(&mut self, mut cards: Vec<Card>, hidden: &[bool], visit: &mut impl FnMut(&mut Card)) -> Card {
        for (card, hidden) in cards.iter_mut().zip(hidden) {
            if *hidden {
                visit(card);
            }
        }
        for (i, card) in cards.iter().enumerate() {
            self.below[card.0 as usize] = cards.get(i + 1).copied().unwrap_or(Card::NONE);
        }
        cards.first().copied().unwrap_or(Card::NONE)
    }
}
