//! Positions as keys: equal exactly where all that can still happen is equal but for the order of piles.
//!
//! A key says of every card where it is, told by where it was when the search began: still there, on the
//! foundations, the lowest of a pile, or on a card of one suit and pack (whose rank follows from the
//! direction of building). So piles have no numbers, and a move changes what is said of one card, or of two
//! where a space is filled at once. Where it does not matter on which of the cards that take it a card lies, that is
//! not told. Besides, a key holds how far the stock is turned, the redeals made where
//! they are counted, and the base rank. Nothing is told relative to the base rank.
//!
//! Equal cards of several packs are told apart: that costs time, and says nothing wrong.

use crate::cards::Card;
use crate::game::{Place, Table, Turned};
use crate::rules::{Draw, Filler, MoveUnit, Rules};

use super::engine::Child;

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
    /// It is not told on which of the cards that take it a card lies.
    pub twins: bool,
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
        let twins = twins_are_alike(table, rules);
        let mut home = [None; 256];
        for pile in 0..rules.hot.piles {
            for (card, _) in table.pile(pile) {
                let under = table.under(card);
                let down = under != Card::NONE && table.lies_face_down(under);
                if !twins || under == Card::NONE || down {
                    home[card.0 as usize] = Some((under, down));
                }
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
            twins,
            home,
            redeals: table.redeals(),
            limited,
            constant_from: constant_from as u32,
            turns_freely: !limited && !rules.hot.forced_base,
        }
    }

    /// After so many redeals, this pass and all to come have the same packets.
    pub fn constant(&self, redeals: u32) -> bool {
        redeals + 1 >= self.constant_from
    }

    /// The pass shows the same cards from here on as from its beginning.
    pub fn aligned(place: &Turned) -> bool {
        place.waste == place.both || place.packet > 0 && place.waste.is_multiple_of(place.packet)
    }

    /// The key of a position, from nothing.
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
        key[N - 1] = self.rest(table, &table.turned());
        key
    }

    /// The key after a play, given the one before it. None where it is to be found from nothing.
    #[inline]
    pub fn after<const N: usize>(
        &self,
        before: &Key<N>,
        table: &Table,
        child: &Child,
        rules: &Rules,
    ) -> Option<Key<N>> {
        let m = child.m;
        let mut key = *before;
        let mut place = child.place;
        let card = match m.source() {
            // The other cards become the tableau, and there is a base rank.
            Place::Offered(_) => return None,
            _ if table.base().is_none() => return None,
            Place::Stock => return None,
            Place::Waste => {
                let card = table.turned_top(place.waste);
                place.waste -= 1;
                place.both -= 1;
                card
            }
            Place::Pile(_) => {
                let card = match child.freeing {
                    Some(freeing) => table.under(table.lowest_moved(freeing)),
                    None => table.lowest_moved(m),
                };
                if table.under(card) == Card::NONE {
                    // The space may be filled at once.
                    if rules.auto.iter().any(|filler| *filler != Filler::Reserve) {
                        return None;
                    }
                    let filling = table.fullest_top(rules);
                    if filling != Card::NONE && !rules.auto.is_empty() {
                        set(&mut key, filling, LOWEST);
                    }
                }
                card
            }
            _ => table.lowest_moved(m),
        };
        let lies = match m.target() {
            Place::Pile(q) => self.lying_on(card, table.top_of_pile(q), table),
            _ => UP,
        };
        set(&mut key, card, lies);
        key[N - 1] = self.rest(table, &place);
        Some(key)
    }

    #[inline(always)]
    fn lying_on(&self, card: Card, under: Card, table: &Table) -> u64 {
        if let Some((home, down)) = self.home[card.0 as usize]
            && home == under
            && (under == Card::NONE || table.lies_face_down(under) == down)
        {
            0
        } else if under == Card::NONE {
            LOWEST
        } else if self.twins {
            ON
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
    fn rest(&self, table: &Table, place: &Turned) -> u64 {
        let constant = self.constant(place.redeals);
        let waste =
            if self.turns_freely && constant && Keys::aligned(place) { 0 } else { place.waste as u64 };
        let redeals = match (self.limited, constant) {
            (true, _) => place.redeals - self.redeals,
            (false, true) => self.constant_from,
            (false, false) => place.redeals,
        };
        let base = table.base().map_or(15, |base| base.index() as u64);
        waste | base << 8 | u64::from(redeals) << 12
    }
}

/// Whether it does not matter on which of several cards another one lies, if it fits on each of them.
///
/// It must hold that any part of a run moves, that cards which take one card in common take the same cards, that
/// none can come to lie on a card which fits on it (no ring of ranks), that all that is face up in a pile is one
/// run, and that piles of any height can be built and nothing is forced or filled from the stock.
///
/// Take two positions with the same cards up, in the reserve, in waste and stock, and face down, whose piles have
/// the same lowest face-up cards; the other cards of the tableau then lie on cards that they fit on, and only on
/// which of several is not the same. Whatever is played in one can be played in the other, and leads to two such
/// positions again:
///
/// - As many of the cards that take a card are covered in one as in the other, by the cards that fit on them. So
///   if a card may be put on one of them in one position, it may be put on one of them in the other.
/// - If a card goes up, or goes elsewhere alone, nothing lies on it. If there is something on it in the other
///   position, then there nothing lies on one of those that take the same: the run on it moves over there first.
/// - A part of a run that goes from a card to one that takes the same changes nothing that is told apart.
/// - A part of a run that goes to a space is there in the other position, with what lies on it there.
/// - A whole run, with what lies on it, may be put on the same cards, as none of those is in it.
fn twins_are_alike(table: &Table, rules: &Rules) -> bool {
    let hot = &rules.hot;
    let Some(base) = table.base() else { return false };
    let fits = rules.fits(base);
    let alike = (0..52).all(|a| (0..52).all(|b| fits[a] == fits[b] || fits[a] & fits[b] == 0));
    // Cards on which nothing more can lie, from the tops down.
    let mut bare = 0u64;
    for _ in 0..13 {
        bare = (0..52).filter(|&kind| fits[kind] & !bare == 0).fold(0, |bare, kind| bare | 1 << kind);
    }
    let no_ring = bare.count_ones() == 52;
    let runs = (0..hot.piles).all(|p| {
        let up = table.pile(p).take_while(|&(_, up)| up).count();
        up == table.run_len(p) && table.pile(p).skip(up).all(|(_, up)| !up)
    });
    hot.unit == MoveUnit::Sequence
        && hot.max_height == 255
        && !hot.forced_base
        && rules.auto.iter().all(|filler| *filler == Filler::Reserve)
        && alike
        && no_ring
        && runs
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

    use super::super::engine::Engine;
    use super::super::pruner::Pruner;

    #[test]
    fn twins_are_alike_only_where_that_is_proven() {
        let alike = |name: &str| {
            let rules = load(name).unwrap().rules;
            let deck = Deck::shuffled(rules.deck_shape(), 1, 0);
            twins_are_alike(&Table::deal(&rules, deck.cards(), &mut NoChance), &rules)
        };
        for name in ["thoughtful", "klondike", "candike", "nerts"] {
            assert!(alike(name), "{name}");
        }
        // Single cards and whole piles; a ring of ranks; spaces filled from the waste; face-down cards between.
        for name in ["canfield", "thoughtful-strict", "chameleon", "gate", "minerva"] {
            assert!(!alike(name), "{name}");
        }
    }

    /// The key foreseen of a move's outcome is the one it has from nothing.
    #[test]
    fn keys_follow_moves() {
        let mut followed = 0;
        for name in [
            "canfield",
            "klondike",
            "gate",
            "superior",
            "dutchess",
            "single-pass",
            "rainfall",
            "duke",
            "thoughtful",
            "exorcism",
            "american-toad",
            "canfield-rush",
        ] {
            let rules = load(name).unwrap().rules;
            let mut engine = Engine::new(&rules);
            let pruner = Pruner::new(&rules);
            for seed in 0..40 {
                let deck = Deck::shuffled(rules.deck_shape(), seed, 0);
                let mut table = Table::deal(&rules, deck.cards(), &mut NoChance);
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
                        engine.moves(&table, child, &mut moves);
                        let mut one_by_one = table;
                        let mut legal = MoveList::new();
                        for &m in &moves {
                            one_by_one.legal_moves(&rules, &mut legal);
                            assert!(legal.contains(&m), "{name} {seed} {m}");
                            one_by_one.apply(&rules, m, &mut NoChance);
                        }
                        let mut after = table;
                        engine.make(&mut after, child);
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
                        many => engine.make(&mut chosen, &children[below(&mut rng, many) as usize]),
                    }
                    table = chosen;
                }
            }
        }
        assert!(followed > 10_000, "{followed}");
    }
}
