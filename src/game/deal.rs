//! The deal: from a deck to the opening position.

use crate::cards::Card;
use crate::rules::{Base, ChoiceFrom, Draw, Part, Roll, Rules, Start, TableauFace};

use super::chance::Chance;
use super::table::{Pile, Stack, Table};

impl Table {
    /// Deals a deck (of the rules' shape) in the rules' order.
    pub fn deal(rules: &Rules, deck: &[Card], chance: &mut impl Chance) -> Table {
        let mut table = Table::BARE;
        table.deal_again(rules, deck, chance);
        table
    }

    /// Deals a game of a seed, under rules without dice.
    #[cfg(test)]
    pub(crate) fn of_seed(rules: &Rules, seed: u64, game: u64) -> Table {
        let deck = crate::cards::Deck::shuffled(rules.deck_shape(), seed, game);
        Table::deal(rules, deck.cards(), &mut super::chance::NoChance)
    }

    /// Like [`Table::deal`], but reuses an existing table.
    pub fn deal_again(&mut self, rules: &Rules, deck: &[Card], chance: &mut impl Chance) {
        self.clear();
        let spec = rules.spec();
        match spec.foundation.base {
            Base::Rank(base) => self.base = base,
            Base::Choice(_) => self.choosing = true,
            Base::Dealt => {}
        }
        let mut next = deck;
        let mut offered: &[Card] = &[];
        for part in &spec.deal.order {
            match part {
                Part::Reserve => self.deal_reserves(rules, &mut next),
                Part::Tableau => match spec.foundation.base {
                    Base::Choice(ChoiceFrom::Dealt(cards)) => (offered, next) = next.split_at(cards as usize),
                    _ => self.deal_tableau(rules, &mut next),
                },
                Part::Foundation if spec.foundation.start == Start::One => {
                    if let Some((&card, rest)) = next.split_first() {
                        self.base = card.rank();
                        self.put_up(card, card.suit().index());
                        next = rest;
                    }
                }
                Part::Foundation => {}
            }
        }
        self.end = next.len() as u8;
        self.pack[..next.len()].copy_from_slice(next);
        self.pack[next.len()..][..offered.len()].copy_from_slice(offered);
        self.offered = offered.len() as u8;
        self.open_foundations(rules);
        self.recount_all(rules);
        self.packet = rules.packet(1);
        if let Draw::Die { faces, roll: Roll::Pass | Roll::Game } = spec.stock.draw {
            self.packet = chance.roll(faces);
        }
        if spec.stock.opening_draw {
            self.draw(rules, chance);
        }
    }

    /// Resets only the parts that the deal does not overwrite.
    fn clear(&mut self) {
        self.waste = 0;
        self.next = 0;
        self.reserve_left = 0;
        self.cards = 0;
        self.redeals = 0;
        self.choosing = false;
        self.offered = 0;
        self.face_down = [0; 4];
        self.piles = [Pile::EMPTY; super::table::MAX_PILES];
        self.reserves = [Stack::EMPTY; 4];
        self.foundations = [Stack::EMPTY; 16];
        // No pile or foundation takes a number that is not a kind.
        self.takes[..64].fill(0);
    }

    fn deal_reserves(&mut self, rules: &Rules, next: &mut &[Card]) {
        for reserve in 0..rules.hot.reserves {
            let (dealt, rest) = next.split_at(rules.spec().reserve.size as usize);
            let mut below = Card::NONE;
            for &card in dealt {
                self.below[card.0 as usize] = below;
                below = card;
            }
            self.reserves[reserve] = Stack { top: below, len: dealt.len() as u8 };
            self.reserve_left += dealt.len() as u8;
            *next = rest;
        }
    }

    fn deal_tableau(&mut self, rules: &Rules, next: &mut &[Card]) {
        let face = rules.spec().tableau.face;
        for (pile, &len) in rules.spec().tableau.deal.iter().enumerate() {
            let (dealt, rest) = next.split_at(len as usize);
            let mut below = Card::NONE;
            for (i, &card) in dealt.iter().enumerate() {
                self.below[card.0 as usize] = below;
                below = card;
                let from_top = dealt.len() - 1 - i;
                let up = match face {
                    TableauFace::All => true,
                    TableauFace::Top => from_top == 0,
                    TableauFace::Alternate => from_top % 2 == 0,
                };
                if !up {
                    self.face_down[card.pack()] |= card.bit();
                }
            }
            let one = u8::from(len == 1);
            self.piles[pile] =
                Pile { top: below, len, up: one, run: one, run_base: below, whole: Card::NONE };
            *next = rest;
        }
    }

    /// Puts up the base cards that are taken out of the pack, and computes what the foundations want.
    fn open_foundations(&mut self, rules: &Rules) {
        if rules.spec().foundation.start == Start::All {
            for pack in 0..rules.hot.packs {
                for &suit in rules.hot.pack.suits() {
                    let kind = Card::new(self.base, suit).kind();
                    self.put_up(Card::of_pack(pack, kind), suit.index() + 4 * pack);
                }
            }
        }
        self.want = 0;
        if !self.choosing {
            self.want_now(self.wanted_in_all(rules), rules);
        }
    }

    /// Recounts all runs. The base decides where the ring of ranks is cut, and some rules set it after the tableau is
    /// dealt.
    fn recount_all(&mut self, rules: &Rules) {
        for pile in 0..rules.hot.piles {
            for kind in rules.lists(self.base)[self.piles[pile].top.kind()] {
                self.takes[kind as usize] |= 1 << (pile & 3);
            }
            if self.piles[pile].len > 1 {
                self.recount(pile, rules);
            }
        }
    }

    /// Sets the base card; the other offered cards become the tableau.
    pub(super) fn choose_base(&mut self, card: Card, rules: &Rules) {
        self.base = card.rank();
        self.choosing = false;
        let (end, offered) = (self.end as usize, self.offered as usize);
        let mut pile = 0;
        for i in end..end + offered {
            let other = self.pack[i];
            if other != card {
                self.below[other.0 as usize] = Card::NONE;
                self.piles[pile] =
                    Pile { top: other, len: 1, up: 1, run: 1, run_base: other, whole: Card::NONE };
                pile += 1;
            }
        }
        self.offered = 0;
        self.put_up(card, card.suit().index());
        self.want = self.wanted_in_all(rules);
        self.recount_all(rules);
    }

    /// Adds a card to a foundation, without updating what the foundations want.
    pub(super) fn put_up(&mut self, card: Card, foundation: usize) {
        let stack = &mut self.foundations[foundation];
        self.below[card.0 as usize] = stack.top;
        *stack = Stack { top: card, len: stack.len + 1 };
        self.cards += 1;
    }

    /// Returns the bit of the kind that a foundation takes next; 0 once it is complete.
    #[inline(always)]
    pub(super) fn wanted_by(&self, foundation: usize, rules: &Rules) -> u64 {
        let (len, ranks) = (self.foundations[foundation & 15].len as usize, rules.hot.pack.ranks as usize);
        if len == ranks {
            return 0;
        }
        // The sum wraps at most once, and a subtraction is cheaper than a division.
        let up = self.base.index() + len;
        let rank = if up >= ranks { up - ranks } else { up };
        1 << (rank * 4 + (foundation & 3))
    }

    /// Returns the bits of the kinds that the foundations of a suit take next.
    pub(super) fn wanted_in(&self, suit: usize, rules: &Rules) -> u64 {
        (0..rules.hot.packs).fold(0, |want, k| want | self.wanted_by(suit + 4 * k, rules))
    }

    fn wanted_in_all(&self, rules: &Rules) -> u64 {
        rules.hot.pack.suits().iter().fold(0, |want, suit| want | self.wanted_in(suit.index(), rules))
    }
}
