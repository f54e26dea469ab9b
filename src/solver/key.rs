//! Positions as keys: equal exactly where all that can still happen is equal but for the order of piles.
//!
//! A key says of every card where it is, told by where it was when the search began: still there, on the
//! foundations, the lowest of a pile, or on a card of one suit and pack (whose rank follows from the
//! direction of building). So piles have no numbers, and a move changes what is said of one card, or of two
//! where a space is filled at once. Besides, a key holds how far the stock is turned, the redeals made where
//! they are counted, and the base rank. Nothing is told relative to the base rank.
//!
//! Equal cards of several packs are told apart: that costs time, and says nothing wrong.

use crate::cards::Card;
use crate::game::{Move, Place, Table};
use crate::rules::{Draw, Rules};

/// The words of a key of one pack.
pub(super) const ONE_PACK: usize = 4;
/// The words of a key of up to four packs.
pub(super) const MORE_PACKS: usize = 19;

/// Below these bits of the last word is the rest of the key; the table of positions has the others.
pub(super) const LAST_WORD: u64 = (1 << 47) - 1;

const UP: u64 = 1;
const LOWEST: u64 = 2;
const ON: u64 = 3;

/// A position in so many words.
pub(super) type Key<const N: usize> = [u64; N];

/// How positions of one search become keys.
pub(super) struct Keys {
    /// For each card whether it lay in the tableau as the search began, on what, and whether that was face down.
    home: [Option<(Card, bool)>; 256],
    /// The redeals that had been made.
    redeals: u32,
    /// Redeals are limited.
    limited: bool,
    /// From this pass on all passes have the same packets.
    constant_from: u32,
    /// Places of the stock between which nothing but turning goes are one.
    turns_freely: bool,
}

impl Keys {
    /// The keys of what can be reached from a position.
    pub fn new(table: &Table, rules: &Rules) -> Keys {
        let mut home = [None; 256];
        for pile in 0..rules.hot.piles {
            for (card, _) in table.pile(pile) {
                let under = table.under(card);
                let down = under != Card::NONE && table.lies_face_down(under);
                home[card.0 as usize] = Some((under, down));
            }
        }
        let constant_from = match &rules.spec().stock.draw {
            Draw::ByPass(sizes) => {
                let last = sizes.last().copied();
                sizes.len() - sizes.iter().rev().take_while(|&&size| Some(size) == last).count() + 1
            }
            Draw::Die { .. } => 1,
        };
        let limited = rules.spec().stock.redeals.is_some();
        Keys {
            home,
            redeals: table.redeals(),
            limited,
            constant_from: constant_from as u32,
            turns_freely: !limited && !rules.hot.forced_base,
        }
    }

    /// From this pass on all passes have the same packets.
    pub fn constant(&self, table: &Table) -> bool {
        table.pass() >= self.constant_from
    }

    /// The pass shows the same cards from here on as from its beginning.
    pub fn aligned(table: &Table) -> bool {
        table.stock_len() == 0 || table.packet() > 0 && table.waste_len().is_multiple_of(table.packet())
    }

    /// The key of a position, from nothing.
    pub fn of<const N: usize>(&self, table: &Table, rules: &Rules) -> Key<N> {
        let mut key = [0; N];
        for pile in 0..rules.hot.piles {
            for (card, _) in table.pile(pile) {
                set(&mut key, card, self.in_pile(table, card));
            }
        }
        for foundation in 0..4 * rules.hot.packs {
            for card in table.foundation(foundation) {
                set(&mut key, card, UP);
            }
        }
        key[N - 1] = self.rest(table);
        key
    }

    /// The key after a play, given the one before it, the lowest card it moved and the table as it is now.
    #[inline]
    pub fn after<const N: usize>(
        &self,
        before: &Key<N>,
        table: &Table,
        m: Move,
        lowest: Card,
        rules: &Rules,
    ) -> Key<N> {
        let mut key = *before;
        match (m.source(), m.target()) {
            // The other cards become the tableau.
            (Place::Offered(_), _) => return self.of(table, rules),
            (_, Place::Pile(_)) => set(&mut key, lowest, self.in_pile(table, lowest)),
            _ => set(&mut key, lowest, UP),
        }
        if let Place::Pile(p) = m.source()
            && table.pile_len(p) == 1
        {
            // It may be new there, in a space filled at once.
            let card = table.top_of_pile(p);
            set(&mut key, card, self.in_pile(table, card));
        }
        key[N - 1] = self.rest(table);
        key
    }

    #[inline(always)]
    fn in_pile(&self, table: &Table, card: Card) -> u64 {
        let under = table.under(card);
        if let Some((home, down)) = self.home[card.0 as usize]
            && home == under
            && (under == Card::NONE || table.lies_face_down(under) == down)
        {
            0
        } else if under == Card::NONE {
            LOWEST
        } else {
            ON + under.suit().index() as u64 + 4 * under.pack() as u64
        }
    }

    /// All that is not said card by card.
    ///
    /// Where redeals are not limited, all passes to come are alike and nothing is forced, a draw can be taken
    /// back: the places from which the pass shows what it shows from its beginning can be reached from each
    /// other by turning alone, so that whatever can be reached from one can be reached from all.
    #[inline(always)]
    fn rest(&self, table: &Table) -> u64 {
        let constant = self.constant(table);
        let place =
            if self.turns_freely && constant && Keys::aligned(table) { 0 } else { table.waste_len() as u64 };
        let redeals = match (self.limited, constant) {
            (true, _) => table.redeals() - self.redeals,
            (false, true) => self.constant_from,
            (false, false) => table.redeals(),
        };
        let base = table.base().map_or(15, |base| base.index() as u64);
        place | base << 8 | u64::from(redeals) << 12
    }
}

/// Says where a card is.
#[inline(always)]
fn set<const N: usize>(key: &mut Key<N>, card: Card, place: u64) {
    let (word, shift, mask) = if N == ONE_PACK {
        let kind = card.kind();
        (kind / 21, kind % 21 * 3, 7)
    } else {
        let number = card.pack() * 52 + card.kind();
        (number / 12, number % 12 * 5, 31)
    };
    key[word] = key[word] & !(mask << shift) | place << shift;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Deck, Purpose, below, generator};
    use crate::game::{MoveList, NoChance};
    use crate::rules::load;

    /// The key of a move's outcome is the same from the key before as from nothing.
    #[test]
    fn keys_follow_moves() {
        for name in
            ["canfield", "klondike", "gate", "superior", "dutchess", "single-pass", "rainfall", "duke"]
        {
            let rules = load(name).unwrap().rules;
            for seed in 0..40 {
                let deck = Deck::shuffled(rules.deck_shape(), seed, 0);
                let mut table = Table::deal(&rules, deck.cards(), &mut NoChance);
                let keys = Keys::new(&table, &rules);
                let mut key: Key<MORE_PACKS> = keys.of(&table, &rules);
                let mut rng = generator(seed, 0, Purpose::Strategy);
                let mut legal = MoveList::new();
                for _ in 0..150 {
                    table.legal_moves(&rules, &mut legal);
                    if legal.is_empty() {
                        break;
                    }
                    let m = legal[below(&mut rng, legal.len() as u32) as usize];
                    let lowest = table.lowest_moved(m);
                    table.apply(&rules, m, &mut NoChance);
                    let whole = keys.of(&table, &rules);
                    key = if m.is_play() { keys.after(&key, &table, m, lowest, &rules) } else { whole };
                    assert_eq!(key, whole, "{name} {seed} {m}");
                }
            }
        }
    }
}
