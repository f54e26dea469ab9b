//! Applies moves to the table.

use crate::cards::Card;
use crate::rules::{Draw, Filler, OnRedeal, Roll, Rules};

use super::chance::Chance;
use super::moves::{Move, MoveList, Place};
use super::table::{ONE_PACK, Pile, Stack, Table, UP};

/// Maximum size of a stock whose packets of three are all examined at once.
const MOST_LOOKED_AT: u8 = 48;

/// Effects of a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Applied {
    /// The lowest card moved.
    pub card: Card,
    /// What it lay on, if it came from a pile or a foundation; no card if it was the lowest there.
    pub from: Card,
    /// The hidden tableau card that was turned up, or no card.
    pub turned_up: Card,
    /// Whether a space was filled at once from reserve, waste or stock.
    pub refilled: bool,
}

impl Table {
    /// Makes a legal move; an illegal move leaves the table in an undefined state.
    #[inline]
    pub fn apply(&mut self, rules: &Rules, m: Move, chance: &mut impl Chance) {
        if m.is_play() {
            self.apply_play(rules, m);
        } else {
            self.turn(rules, m, chance);
        }
    }

    /// Draws or redeals.
    #[inline(always)]
    pub(super) fn turn(&mut self, rules: &Rules, m: Move, chance: &mut impl Chance) {
        if m.is_draw() {
            self.draw(rules, chance);
        } else {
            self.redeal(rules, chance);
        }
    }

    /// Makes a play.
    #[inline(always)]
    pub(super) fn apply_play(&mut self, rules: &Rules, m: Move) -> Applied {
        let (mut from, mut turned_up, mut refilled) = (Card::NONE, Card::NONE, false);
        let (lowest, top) = match m.source() {
            Place::Pile(p) => {
                let top = self.piles[p & 15].top;
                let lowest = self.lowest_of(p, m.count());
                from = self.below[lowest.0 as usize];
                turned_up = self.cut(p, lowest, m.count() as u8, rules);
                (lowest, top)
            }
            Place::Reserve(r) => single(self.take_reserve(r)),
            Place::Foundation(f) => {
                let card = self.take_foundation(f, rules);
                from = self.below[card.0 as usize];
                single(card)
            }
            Place::Stock => single(self.take_stock()),
            Place::Offered(i) => single(self.pack[self.end as usize + i]),
            Place::Waste | Place::Foundations => single(self.take_waste()),
        };
        match m.target() {
            Place::Pile(q) => self.put_on(q, lowest, top, m.count() as u8, rules),
            _ if rules.hot.plain_foundations => self.put_on_foundation(lowest, rules),
            _ => self.put_on_one_of_several(lowest, rules),
        }
        if let Place::Pile(p) = m.source()
            && self.piles[p & 15].len == 0
        {
            refilled = self.refill(p, rules);
        }
        Applied { card: lowest, from, turned_up, refilled }
    }

    #[inline(always)]
    fn take_stock(&mut self) -> Card {
        let card = self.pack[self.next as usize];
        self.next += 1;
        card
    }

    #[inline(always)]
    fn take_waste(&mut self) -> Card {
        self.waste -= 1;
        self.pack[self.waste as usize]
    }

    #[inline(always)]
    fn take_reserve(&mut self, reserve: usize) -> Card {
        let stack = &mut self.reserves[reserve & 3];
        let card = stack.top;
        *stack = Stack { top: self.below[card.0 as usize], len: stack.len - 1 };
        self.reserve_left -= 1;
        card
    }

    fn take_foundation(&mut self, foundation: usize, rules: &Rules) -> Card {
        let suit = foundation & 3;
        self.want &= !self.wanted_in(suit, rules);
        let stack = &mut self.foundations[foundation & 15];
        let card = stack.top;
        *stack = Stack { top: self.below[card.0 as usize], len: stack.len - 1 };
        self.cards -= 1;
        self.want |= self.wanted_in(suit, rules);
        card
    }

    /// Removes the top `count` cards of a pile, of which `lowest` is the lowest. Returns the card turned up.
    #[inline(always)]
    fn cut(&mut self, pile: usize, lowest: Card, count: u8, rules: &Rules) -> Card {
        let p = &mut self.piles[pile & 15];
        let top = self.below[lowest.0 as usize];
        let old = p.top;
        p.top = top;
        p.len -= count;
        self.retop(pile, old, top, rules);
        let p = &mut self.piles[pile & 15];
        if p.run > count {
            p.run -= count;
            p.up -= count;
            p.count_whole();
        } else if p.len == 0 {
            *p = Pile::EMPTY;
        } else {
            let turned_up = if self.is_face_down(top) { top } else { Card::NONE };
            self.face_down[top.pack()] &= !top.bit();
            self.recount(pile, rules);
            return turned_up;
        }
        Card::NONE
    }

    #[inline(always)]
    fn put_on(&mut self, pile: usize, lowest: Card, top: Card, count: u8, rules: &Rules) {
        let p = &mut self.piles[pile & 15];
        self.below[lowest.0 as usize] = p.top;
        if p.len == 0 {
            p.run_base = lowest;
        }
        // A card placed on a pile continues its run; in a space it starts a new one.
        p.run += count;
        p.up += count;
        p.len += count;
        p.count_whole();
        let old = p.top;
        p.top = top;
        self.retop(pile, old, top, rules);
    }

    #[inline(always)]
    fn put_on_foundation(&mut self, card: Card, rules: &Rules) {
        let foundation = card.suit().index();
        let stack = &mut self.foundations[foundation];
        self.below[card.0 as usize] = stack.top;
        *stack = Stack { top: card, len: stack.len + 1 };
        self.cards += 1;
        let wanted = self.wanted_by(foundation, rules);
        self.want = self.want & !card.bit() | wanted;
        if rules.hot.plain {
            self.takes[card.0 as usize] &= !UP;
            if wanted != 0 {
                self.takes[wanted.trailing_zeros() as usize & 63] |= UP;
            }
        }
    }

    /// Puts the card on the lowest-numbered foundation of its suit that takes it. The first card of all may choose the
    /// base.
    #[inline(never)]
    fn put_on_one_of_several(&mut self, card: Card, rules: &Rules) {
        if self.choosing {
            return self.choose_base(card, rules);
        }
        let suit = card.suit().index();
        self.want &= !self.wanted_in(suit, rules);
        let mut foundations = (0..rules.hot.packs).map(|k| suit + 4 * k);
        let takes = foundations.find(|&f| self.wanted_by(f, rules) == card.bit());
        self.put_up(card, takes.unwrap_or(suit));
        self.want |= self.wanted_in(suit, rules);
    }

    /// Fills a space from the first source that has cards.
    #[inline(always)]
    fn refill(&mut self, pile: usize, rules: &Rules) -> bool {
        for filler in &rules.auto {
            let card = match filler {
                Filler::Reserve if self.reserve_left > 0 => self.take_reserve(self.fullest_reserve(rules)),
                Filler::Waste if self.waste > 0 => self.take_waste(),
                Filler::Stock if self.next < self.end => self.take_stock(),
                _ => continue,
            };
            self.put_on(pile, card, card, 1, rules);
            return true;
        }
        false
    }

    /// Returns the fullest reserve; the first of several.
    #[inline(always)]
    pub(super) fn fullest_reserve(&self, rules: &Rules) -> usize {
        (1..rules.hot.reserves)
            .fold(0, |best, r| if self.reserves[r & 3].len > self.reserves[best].len { r & 3 } else { best })
    }

    /// Turns one packet, card by card, onto the waste.
    #[inline(always)]
    pub(super) fn draw(&mut self, rules: &Rules, chance: &mut impl Chance) {
        let packet = if self.packet == 0 { self.roll(rules, chance) } else { self.packet };
        self.turn_packet(packet);
    }

    /// Turns up to `packet` cards, one by one.
    #[inline(always)]
    pub(super) fn turn_packet(&mut self, packet: u8) {
        let (mut waste, mut next) = (self.waste, self.next);
        for _ in 0..packet.min(self.end - next) {
            self.pack[waste as usize] = self.pack[next as usize];
            waste += 1;
            next += 1;
        }
        self.waste = waste;
        self.next = next;
    }

    /// Returns whether another draw is legal and the list of moves is unchanged after a draw.
    #[inline(always)]
    pub(super) fn draws_again(&self, list: &MoveList) -> bool {
        self.next < self.end && !self.adds(self.waste_top(), list)
    }

    /// Draws at least once, and again while the list of moves stays the same, up to `most` times; returns the number of
    /// draws. The size of the packet must be known.
    #[inline(always)]
    pub(super) fn draw_alike(&mut self, rules: &Rules, list: &MoveList, most: u32) -> u32 {
        let few = self.end - self.next <= MOST_LOOKED_AT && most > u32::from(MOST_LOOKED_AT);
        if rules.hot.plain && self.packet == 3 && list.waste_adds() == 0 && few {
            return self.draw_threes();
        }
        let mut draws = 1;
        self.turn_packet(self.packet);
        while draws < most && self.draws_again(list) {
            self.turn_packet(self.packet);
            draws += 1;
        }
        draws
    }

    /// Like [`Table::draw_alike`] for packets of three under plain rules. The number of draws is hard for the processor
    /// to predict, so all packets of the stock are examined, eight at a time, and the whole stock moves down to the
    /// waste.
    #[inline(always)]
    fn draw_threes(&mut self) -> u32 {
        let stock: [Card; ONE_PACK] = std::array::from_fn(|i| self.pack[self.next as usize + i]);
        let left = self.end - self.next;
        // What takes the tops of eight packets, one byte each.
        let taken = |first: usize| {
            let mut taken = 0;
            for i in 0..8 {
                let top = self.pack[self.next as usize + 3 * (first + i) + 2];
                taken |= u64::from(self.takes[top.0 as usize]) << (8 * i);
            }
            taken
        };
        let mut stop = taken(0).trailing_zeros() / 8;
        if stop == 8 {
            stop += taken(8).trailing_zeros() / 8;
        }
        // The packet that empties the stock is the last one.
        let draws = (stop + 1).min(u32::from(left).div_ceil(3));
        self.pack[self.waste as usize..][..ONE_PACK].copy_from_slice(&stock);
        let turned = left.min(3 * draws as u8);
        self.end = self.waste + left;
        self.waste += turned;
        self.next = self.waste;
        draws
    }

    fn roll(&self, rules: &Rules, chance: &mut impl Chance) -> u8 {
        match rules.spec().stock.draw {
            Draw::Die { faces, .. } => chance.roll(faces),
            Draw::ByPass(_) => 0,
        }
    }

    /// Turns the waste over as the stock again: the card drawn first is next.
    fn redeal(&mut self, rules: &Rules, chance: &mut impl Chance) {
        self.next = 0;
        self.end = self.waste;
        self.waste = 0;
        self.redeals += 1;
        if rules.hot.on_redeal == OnRedeal::Shuffle {
            let stock = &mut self.pack[..self.end as usize];
            if rules.hot.packs == 1 {
                chance.shuffle(stock);
            } else {
                shuffle_kinds(stock, chance);
            }
        }
        match rules.spec().stock.draw {
            Draw::Die { roll: Roll::Game | Roll::Draw, .. } => {}
            Draw::Die { roll: Roll::Pass, .. } => self.packet = self.roll(rules, chance),
            Draw::ByPass(_) => self.packet = rules.packet(self.redeals + 1),
        }
    }
}

/// Shuffles so that equal cards of several packs keep their order: a record does not name packs, and so cannot say
/// which of two equal cards came first.
fn shuffle_kinds(stock: &mut [Card], chance: &mut impl Chance) {
    let mut before = [Card::NONE; 256];
    before[..stock.len()].copy_from_slice(stock);
    chance.shuffle(stock);
    let mut searched = [0; 52];
    for card in stock {
        let from = searched[card.kind()];
        if let Some(found) = before[from..].iter().position(|other| other.kind() == card.kind()) {
            *card = before[from + found];
            searched[card.kind()] = from + found + 1;
        }
    }
}

#[inline(always)]
fn single(card: Card) -> (Card, Card) {
    (card, card)
}
