//! Keys of positions: two keys are equal if and only if the positions have the same possible futures, up to the order
//! of the piles.
//!
//! A key encodes the place of each card relative to the start of the search: still there, on the foundations, the
//! lowest of a pile, or on a card of one suit and pack (whose rank follows from the direction of building). So piles
//! have no numbers, and a move changes the entry of one card, or of two if a space is filled at once. A key also
//! contains how far the stock is turned, the redeals made if they are limited, and the base rank. Nothing is relative
//! to the base rank.
//!
//! Equal cards of several packs are distinguished: that costs time, but is never wrong.

use crate::cards::Card;
use crate::game::{Place, StockPosition, Table};
use crate::rules::{Filler, Rules};

use super::stock_cycle::StockCycle;
use super::successor::Successor;

/// Number of words in a key of one pack.
pub(super) const ONE_PACK: usize = 4;
/// Number of words in a key of up to four packs.
pub(super) const MORE_PACKS: usize = 19;

/// The bits of the last word used by the key; the transposition table uses the others.
pub(super) const LAST_WORD: u64 = (1 << 50) - 1;
/// Places of a card: on the foundations, the lowest of its pile, or on a card of some suit.
pub(super) const UP: u64 = 1;
pub(super) const LOWEST: u64 = 2;
pub(super) const ON: u64 = 3;

/// The key of a position.
pub(super) type Key<const N: usize> = [u64; N];

/// Computes keys of the positions of one search.
pub(super) struct Keys {
    /// For each card that lay in the tableau at the start of the search, the card below it and whether that was face
    /// down.
    home: [Option<(Card, bool)>; 256],
    pub passes: StockCycle,
}

impl Keys {
    /// Prepares keys for what can be reached from a position.
    pub fn new(table: &Table, rules: &Rules) -> Keys {
        let mut home = [None; 256];
        for pile in 0..rules.hot.piles {
            for (card, _) in table.pile(pile) {
                let under = table.under(card);
                let down = under != Card::NONE && table.is_face_down(under);
                home[card.0 as usize] = Some((under, down));
            }
        }
        Keys { home, passes: StockCycle::new(table, rules) }
    }

    /// Computes the key of a position from scratch.
    pub fn of<const N: usize>(&self, table: &Table, rules: &Rules) -> Key<N> {
        let mut key = [0; N];
        for pile in 0..rules.hot.piles {
            for (card, _) in table.pile(pile) {
                set(&mut key, card, self.lying_on(card, table.under(card), table));
            }
        }
        for foundation in 0..4 * rules.hot.packs {
            for card in table.foundation(foundation) {
                set(&mut key, card, UP);
            }
        }
        let place = table.stock_position();
        let stops = if rules.hot.forced_base { stops(table, &place, rules) } else { 0 };
        key[N - 1] = self.rest(table, &place, stops);
        key
    }

    /// Updates a key after a play; returns `None` if it must be computed from scratch.
    #[inline]
    pub fn after<const N: usize>(
        &self,
        before: &Key<N>,
        table: &Table,
        child: &Successor,
        rules: &Rules,
    ) -> Option<Key<N>> {
        let m = child.m;
        let mut key = *before;
        let mut place = child.place;
        let card = match m.source() {
            // The other cards become the tableau, and the base rank is set.
            Place::Offered(_) => return None,
            _ if table.base().is_none() => return None,
            // Whether a base card stops the turning must be computed from scratch.
            _ if rules.hot.forced_base => return None,
            Place::Stock => return None,
            Place::Waste => {
                let card = table.turned_top(place.waste);
                place.waste -= 1;
                place.both -= 1;
                card
            }
            Place::Pile(_) => {
                let card = table.lowest_moved(m);
                if table.under(card) == Card::NONE {
                    // The space may be filled at once.
                    let from_reserve =
                        table.reserve_left() > 0 && rules.auto.first() == Some(&Filler::Reserve);
                    if !from_reserve && rules.auto.iter().any(|filler| *filler != Filler::Reserve) {
                        return None;
                    }
                    let filling = table.fullest_top(rules);
                    if filling != Card::NONE && !rules.auto.is_empty() {
                        set(&mut key, filling, LOWEST);
                    }
                }
                card
            }
            Place::Reserve(_) | Place::Foundation(_) | Place::Foundations => table.lowest_moved(m),
        };
        let lies = match m.target() {
            Place::Pile(q) => self.lying_on(card, table.top_of_pile(q), table),
            _ => UP,
        };
        set(&mut key, card, lies);
        key[N - 1] = self.rest(table, &place, 0);
        Some(key)
    }

    #[inline(always)]
    fn lying_on(&self, card: Card, under: Card, table: &Table) -> u64 {
        if let Some((home, down)) = self.home[card.0 as usize]
            && home == under
            && (under == Card::NONE || table.is_face_down(under) == down)
        {
            0
        } else if under == Card::NONE {
            LOWEST
        } else {
            ON + under.suit().index() as u64 + 4 * under.pack() as u64
        }
    }

    /// Returns the part of the key that does not concern single cards.
    #[inline(always)]
    fn rest(&self, table: &Table, place: &StockPosition, stops: u64) -> u64 {
        let base = table.base().map_or(15, |base| base.index() as u64);
        let (turned, waste) = self.passes.turned(place, stops);
        turned | waste << 10 | base << 18 | u64::from(self.passes.redeals(place)) << 22
    }
}

/// Returns the positions of the stock at which a base card stops the turning, as [`StockCycle::turned`] needs them: those
/// that show one, or all if one lies in the tableau. If there are too many positions for 64 bits and one of the last
/// shows a base card, all are set as well.
fn stops(table: &Table, place: &StockPosition, rules: &Rules) -> u64 {
    let stops = |card: Card| table.must_go_up(card);
    if table.base().is_none() {
        return 0;
    }
    if (0..rules.hot.piles).any(|pile| table.pile(pile).any(|(card, _)| stops(card))) {
        return !0;
    }
    let places = (1..=place.both).filter(|&waste| stops(table.turned_top(waste)));
    places.fold(0, |stops, waste| stops | 1u64.checked_shl(waste.into()).unwrap_or(!0))
}

/// Visits each of some kinds.
#[inline(always)]
pub(super) fn each(mut kinds: u64, mut f: impl FnMut(usize)) {
    while kinds != 0 {
        f(kinds.trailing_zeros() as usize & 63);
        kinds &= kinds - 1;
    }
}

/// Sets the place of a card.
#[inline(always)]
pub(super) fn set<const N: usize>(key: &mut Key<N>, card: Card, place: u64) {
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
    use crate::cards::{Purpose, below, generator};
    use crate::game::{MoveList, NoChance};
    use crate::rules::load;

    use super::super::engine::Engine;
    use super::super::pruner::Pruner;

    /// The key updated for a move equals the one computed from scratch.
    #[test]
    fn keys_follow_moves() {
        let mut followed = 0;
        let names = "canfield klondike gate superior dutchess single-pass rainfall duke thoughtful \
                     exorcism american-toad canfield-rush";
        for name in names.split(' ') {
            let rules = load(name).unwrap().rules;
            let mut engine = Engine::new(&rules);
            let pruner = Pruner::new(&rules);
            for seed in 0..40 {
                let mut table = Table::of_seed(&rules, seed, 0);
                let keys = Keys::new(&table, &rules);
                let mut rng = generator(seed, 0, Purpose::Strategy);
                let mut children = Vec::new();
                for _ in 0..60 {
                    let key: Key<MORE_PACKS> = keys.of(&table, &rules);
                    children.clear();
                    engine.expand(&table, &keys, &pruner, &mut children);
                    let mut chosen = table;
                    for child in &children {
                        let mut moves = Vec::new();
                        child.moves(&table, &rules, &mut moves);
                        let mut one_by_one = table;
                        let mut legal = MoveList::new();
                        for &m in &moves {
                            one_by_one.legal_moves(&rules, &mut legal);
                            assert!(legal.contains(&m), "{name} {seed} {m}");
                            one_by_one.apply(&rules, m, &mut NoChance);
                        }
                        let mut after = table;
                        child.make(&mut after, &rules);
                        let whole: Key<MORE_PACKS> = keys.of(&after, &rules);
                        assert_eq!(whole, keys.of(&one_by_one, &rules), "{name} {seed} {child:?}");
                        assert_eq!(after.waste(), one_by_one.waste(), "{name} {seed} {child:?}");
                        assert_eq!(after.stock(), one_by_one.stock(), "{name} {seed} {child:?}");
                        if let Some(foreseen) = keys.after(&key, &table, child, &rules) {
                            assert_eq!(foreseen, whole, "{name} {seed} {child:?}");
                            followed += 1;
                        }
                    }
                    match children.len() as u32 {
                        0 => break,
                        many => children[below(&mut rng, many) as usize].make(&mut chosen, &rules),
                    }
                    table = chosen;
                }
            }
        }
        assert!(followed > 10_000, "{followed}");
    }
}
