//! What a player does not know, and sampled tables consistent with all that a player knows.

use rand::Rng;

use crate::cards::{Card, Suit, shuffle};
use crate::rules::{Draw, OnRedeal, ReserveFace, Roll, Rules, WasteFace};

use super::moves::Move;
use super::stakes::Stakes;
use super::table::Table;
use super::termination::{Cards, is_among};
use super::view::{Knowledge, View};

/// The stages' contribution to a fingerprint if none was bought: an arbitrary number.
const NOTHING_BOUGHT: u64 = 5_200;

/// An upper bound on the purchases of a stage in a typical game.
const MOST_BOUGHT: u64 = 1_000;

impl<'a> View<'a> {
    /// Returns the same view of another table, after the same purchases.
    pub(crate) fn over<'b>(&'b self, table: &'b Table) -> View<'b> {
        let view = View::new(table, self.compiled(), self.rng).with_stakes(self.stakes);
        view.with_termination(self.termination).knowing(self.knowledge)
    }

    /// Returns the number of cards whose place the player does not know.
    pub fn unknown(&self) -> usize {
        self.unknown_of(self.table)
    }

    /// Like [`View::unknown`] for another table after the same purchases. It depends on how many cards lie where, not
    /// on which.
    pub(crate) fn unknown_of(&self, table: &Table) -> usize {
        let rules = self.compiled();
        let reserve = |len: u8| match (rules.hot.reserve_face, len) {
            (_, 0) | (ReserveFace::All, _) => 0,
            (ReserveFace::Top, len) => len as usize - 1,
            (ReserveFace::Last, len) => {
                if len > 1 {
                    len as usize
                } else {
                    0
                }
            }
        };
        let reserves: usize =
            table.reserves[..rules.hot.reserves].iter().map(|stack| reserve(stack.len)).sum();
        let face_down: usize = table.face_down.iter().map(|kinds| kinds.count_ones() as usize).sum();
        let apart = if self.knowledge == Knowledge::Table { 0 } else { reserves + face_down };
        let bought = |cards: &[Card]| cards.iter().filter(|&&card| self.stakes.knows(card)).count();
        let stock =
            if self.over(table).knows_stock() { 0 } else { table.stock().len() - bought(table.stock()) };
        let waste = match table.waste() {
            [under @ .., _] if self.forgets_waste() => under.len() - bought(under),
            _ => 0,
        };
        apart + stock + waste
    }

    /// Returns whether a move on this table gives its player information or involves chance: a card is seen that was
    /// unknown before, a die is rolled or cards are shuffled.
    pub fn reveals(&self, before: &Table, m: Move, after: &Table) -> bool {
        let stock = &self.rules().stock;
        if m.is_draw() {
            let known = before.stock().iter().take(before.packet()).all(|&card| self.stakes.knows(card));
            return !(self.over(before).knows_stock() || known) || before.packet() == 0;
        }
        if m.is_redeal() {
            return stock.on_redeal == OnRedeal::Shuffle
                || matches!(stock.draw, Draw::Die { roll: Roll::Pass, .. });
        }
        let uncovered = self.forgets_waste() && before.waste().len() > 1 && m.from_waste();
        uncovered || self.unknown_of(after) < self.unknown_of(before)
    }

    /// Returns the table, for callers that only ever turn it into one that looks the same.
    pub(crate) fn own_table(&self) -> &'a Table {
        self.table
    }

    /// Returns whether turning the stock of this table shows something unknown, or involves chance.
    pub fn stock_is_news(&self, table: &Table) -> bool {
        let stock = &self.rules().stock;
        let dice = matches!(stock.draw, Draw::Die { roll: Roll::Draw | Roll::Pass, .. });
        let known =
            self.over(table).knows_stock() || table.stock().iter().all(|&card| self.stakes.knows(card));
        // A redeal brings back cards that were not all seen, or puts them in another order.
        let forgotten = self.forgets_waste() && stock.redeals.is_none_or(|all| table.redeals < all);
        dice || !known || forgotten || stock.on_redeal == OnRedeal::Shuffle && stock.redeals != Some(0)
    }

    /// Returns whether the player sees no more of the waste than its top.
    fn forgets_waste(&self) -> bool {
        self.rules().stock.waste == WasteFace::Squared && self.knowledge != Knowledge::Stock
    }

    /// Returns whether the card was seen in the waste: if its place is unknown, it then lies there or in the stock.
    fn went_by(&self, card: Card) -> bool {
        self.knowledge != Knowledge::Forgets
            && (self.termination.is_some_and(|game| is_among(game.went_by(), card))
                || is_among(self.stakes.shuffled(), card))
    }

    /// Sorts unknown cards so that their order carries no hidden information, such as which of two packs a card is
    /// from.
    pub(super) fn sort(&self, cards: &mut [Card]) {
        cards.sort_unstable_by_key(|&card| (card.kind(), !self.went_by(card), card.pack()));
    }

    /// Moves cards seen in the waste out of the first places, which are those apart from stock and waste. Returns
    /// whether any were moved.
    pub(super) fn part(&self, cards: &mut [Card], apart: usize) -> bool {
        let (apart, turned) = cards.split_at_mut(apart);
        let wrong = apart.iter_mut().filter(|card| self.went_by(**card));
        let right = turned.iter_mut().filter(|card| !self.went_by(**card));
        wrong.zip(right).map(|(a, b)| std::mem::swap(a, b)).count() > 0
    }

    /// Returns a table that looks the same to its player and is consistent with the cards seen in the waste. All such
    /// orders of the unknown cards are equally likely, and the result does not depend on the real one.
    pub fn sample(&self, rng: &mut impl Rng) -> Table {
        self.with_unknown(|cards, apart| {
            self.sort(cards);
            shuffle(cards, rng);
            if self.part(cards, apart) {
                shuffle(&mut cards[apart..], rng);
            }
        })
    }

    /// Returns a table that looks the same to its player, with the unknown cards reordered. `order` receives all of
    /// them, and how many of them (the first ones) lie apart from stock and waste, and may permute them.
    pub(crate) fn with_unknown(&self, order: impl FnOnce(&mut [Card], usize)) -> Table {
        let from = self.table;
        let mut places: Vec<Card> = Vec::new();
        for p in 0..self.piles() {
            let unknown = from.pile(p).enumerate().filter(|(i, _)| self.pile(p, *i).is_none());
            places.extend(unknown.map(|(_, (card, _))| card));
        }
        for r in 0..self.reserves() {
            let unknown = from.reserve(r).enumerate().filter(|(i, _)| self.reserve(r, *i).is_none());
            places.extend(unknown.map(|(_, card)| card));
        }
        let apart = places.len();
        let stock = from.stock().iter().enumerate().filter(|(i, _)| self.coming(*i).is_none());
        places.extend(stock.map(|(_, card)| card));
        let waste = from.waste().iter().rev().enumerate().filter(|(i, _)| self.waste(*i).is_none());
        places.extend(waste.map(|(_, card)| card));
        let mut cards = places.clone();
        order(&mut cards, apart);
        from.exchanged((&places, &cards), self.rules)
    }

    /// Returns a number that is equal for views that show the same, whatever the cards and stages cost: a price must
    /// not change the game of a player who does not use it.
    pub fn fingerprint(&self) -> u64 {
        let mut mix = Mix(0xcbf2_9ce4_8422_2325);
        let card = |card: Option<Card>| card.map_or(255, |card| card.kind() as u64);
        mix.add(self.base().map_or(13, |base| base.index() as u64));
        self.offered().iter().for_each(|&offered| mix.add(card(Some(offered))));
        for suit in Suit::ALL {
            self.foundation_heights(suit).for_each(|height| mix.add(height as u64));
        }
        mix.add(self.table.want);
        for reserve in 0..self.reserves() {
            mix.add(self.reserve_len(reserve) as u64);
            (0..self.reserve_len(reserve)).for_each(|i| mix.add(card(self.reserve(reserve, i))));
        }
        for pile in 0..self.piles() {
            mix.add(self.pile_len(pile) as u64);
            (0..self.pile_len(pile)).for_each(|i| mix.add(card(self.pile(pile, i))));
        }
        mix.add(self.waste_left() as u64);
        (0..self.waste_left()).for_each(|i| mix.add(card(self.waste(i))));
        mix.add(self.stock_left() as u64);
        (0..self.stock_left()).for_each(|i| mix.add(card(self.coming(i))));
        mix.add(u64::from(self.pass()));
        mix.add(self.draw() as u64);
        let bought = self.stakes.stake().bought;
        let times =
            bought.iter().fold(0u64, |times, &more| times.wrapping_mul(MOST_BOUGHT) + u64::from(more));
        mix.add(times.wrapping_add(NOTHING_BOUGHT));
        mix.0
    }

    /// Returns the seed and the number of the game that is viewed.
    pub(crate) fn game(&self) -> (u64, u64) {
        (self.rng.seed, self.rng.game)
    }

    /// Returns the purchases that the view shows.
    pub(crate) fn bought(&self) -> &'a Stakes {
        self.stakes
    }
}

impl View<'_> {
    /// Returns whether a die is rolled with this move.
    pub fn rolls(&self, m: Move) -> bool {
        match self.rules().stock.draw {
            Draw::Die { roll: Roll::Draw, .. } => m.is_draw(),
            Draw::Die { roll: Roll::Pass, .. } => m.is_redeal(),
            _ => false,
        }
    }

    /// Returns the number of faces of the die that decides how many cards are drawn; 0 if there is none.
    pub fn faces(&self) -> usize {
        if let Draw::Die { faces, .. } = self.rules().stock.draw { faces.into() } else { 0 }
    }
}

impl Table {
    /// Returns a number that is equal for tables whose face-up cards are the same up to the order of the piles, and
    /// whose hidden cards are as many.
    pub fn outcome_key(&self, piles: usize) -> u64 {
        let mut piles_key = 0u64;
        for pile in 0..piles {
            let mut mix = Mix(0x9e37_79b9_7f4a_7c15);
            self.pile(pile).for_each(|(card, up)| mix.add(if up { card.kind() as u64 } else { 254 }));
            piles_key = piles_key.wrapping_add(mix.0);
        }
        let mut mix = Mix(piles_key);
        self.foundations.iter().for_each(|foundation| mix.add(u64::from(foundation.len)));
        self.reserves.iter().for_each(|reserve| mix.add(u64::from(reserve.len)));
        self.waste().iter().for_each(|card| mix.add(card.kind() as u64));
        mix.add(self.stock().len() as u64);
        mix.add(u64::from(self.redeals));
        mix.add(if self.choosing { 13 } else { self.base.index() as u64 });
        mix.0
    }
}

impl Table {
    /// Returns the table with these cards exchanged: each of the first becomes the one of the second at its index.
    pub(crate) fn exchanged(&self, cards: (&[Card], &[Card]), rules: &Rules) -> Table {
        let mut table = *self;
        table.relabel(self, cards, rules);
        table
    }

    /// Exchanges cards in a copy of the table `from`: see [`Table::exchanged`].
    pub(super) fn relabel(&mut self, from: &Table, (places, cards): (&[Card], &[Card]), rules: &Rules) {
        let mut map: [Card; 256] = std::array::from_fn(|i| Card(i as u8));
        places.iter().zip(cards).for_each(|(from, to)| map[from.0 as usize] = *to);
        let map = &map;
        let to = |card: Card| map[card.0 as usize];
        let end = usize::from(from.end) + usize::from(from.offered);
        self.pack[..end].iter_mut().for_each(|card| *card = to(*card));
        for r in 0..rules.hot.reserves {
            self.relabel_chain(from, from.reserves[r].top, from.reserves[r].len, map);
            self.reserves[r].top = to(from.reserves[r].top);
        }
        self.face_down = [0; 4];
        for card in cards_of(&from.face_down) {
            self.face_down[to(card).pack()] |= to(card).bit();
        }
        for p in 0..rules.hot.piles {
            let (old, len) = (from.piles[p].top, from.piles[p].len);
            let changed = self.relabel_chain(from, old, len, map);
            if old != to(old) {
                self.piles[p].top = to(old);
                self.retop(p, old, to(old), rules);
            }
            // The cards under the top may have changed too, and with them the run.
            if changed {
                self.recount(p, rules);
            }
        }
    }

    /// Relabels the cards of a pile or reserve; returns whether any of them changed.
    fn relabel_chain(&mut self, from: &Table, top: Card, len: u8, map: &[Card; 256]) -> bool {
        let (mut card, mut changed) = (top, false);
        for _ in 0..len {
            let (new, below) = (map[card.0 as usize], from.below[card.0 as usize]);
            self.below[new.0 as usize] = map[below.0 as usize];
            changed |= new != card;
            card = below;
        }
        changed
    }
}

/// Returns the cards of masks of kinds, by their numbers.
fn cards_of(masks: &Cards) -> impl Iterator<Item = Card> + '_ {
    masks.iter().enumerate().flat_map(|(pack, &mask)| {
        let mut left = mask;
        std::iter::from_fn(move || {
            let kind = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(Card::of_pack(pack, kind))
        })
    })
}

/// Hashes numbers: FNV-1a by words, with a final step that spreads high bits.
struct Mix(u64);

impl Mix {
    #[inline(always)]
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }
}
