//! Generates the plays of a position, in the order of the engine.

use crate::cards::Card;
use crate::game::{Move, Place, StockPosition};
use crate::rules::{Filler, MoveUnit, filler_bit};

use super::super::key::{Key, ONE_PACK};
use super::super::pruner::{Pruner, needless};
use super::super::search::Next;
use super::super::successor::Successor;
use super::super::transposition_table::hash;
use super::position::Turned;
use super::{NONE, RunPosition, RunStates, each};

pub(super) type Out = Vec<Next<ONE_PACK, Successor>>;

/// What can be placed where in a position.
pub(super) struct Takes {
    pub want: u64,
    /// The tops of piles, and the kinds that some of them take.
    pub tops: u64,
    any: u64,
    /// The first space, and the kinds that may start one from each source.
    pub space: usize,
    from_reserve: u64,
    from_tableau: u64,
    pub from_waste: u64,
    /// Whether the next card of the stock may start one.
    pub from_stock: bool,
}

impl RunStates<'_> {
    /// Adds a play with its result and its rank.
    #[inline(always)]
    pub(super) fn push(
        &self,
        at: &RunPosition,
        key: &Key<ONE_PACK>,
        child: Successor,
        turned: Turned,
        out: &mut Out,
    ) {
        let key = self.after(key, at, &child, child.card.kind() as u8, turned);
        let onto = match child.m.target() {
            Place::Pile(q) => at.tops[q & 7] as usize,
            _ => child.card.kind(),
        };
        let rank = self.history.rank(child.rank, child.card.kind(), onto);
        out.push(Next { play: child, rank, key: Some(key), hash: hash(&key) });
    }

    /// Adds all plays worth searching in a position.
    #[inline(never)]
    pub(super) fn list(&self, at: &RunPosition, key: &Key<ONE_PACK>, out: &mut Out) {
        let first = out.len();
        let takes = self.takes(at);
        if self.list_forced(at, key, &takes, out) {
            return;
        }
        let turned = self.turned(at);
        let place = at.place;
        let reserve = self.reserve_top(at.reserve_left);
        let waste = turned.waste;
        let add = |m: Move, rank: u16, card: u8, out: &mut Out| {
            self.push(at, key, child(m, place, rank, card), turned, out);
        };
        let wants = |card: u8| takes.want >> card & 1 != 0;
        let up = |source| Move::new(source, Place::Foundations, 1);
        if takes.want & (takes.tops | 1 << reserve | 1 << waste) != 0 {
            let Pruner { safe, safe_top, safe_on_cards, .. } = self.pruner;
            let base = takes.want & self.first;
            let on_a_card = |p: usize| {
                let (top, under) = (at.tops[p & 7], at.under(at.tops[p & 7]));
                under != NONE && base & (1 << (top & 63) | 1 << under) == 0
            };
            let tops = (0..self.piles)
                .map(|p| (Place::Pile(p), at.tops[p & 7], safe || safe_on_cards && on_a_card(p)));
            let sources = [(Place::Reserve(0), reserve, safe), (Place::Waste, waste, safe && safe_top)];
            for (source, card, may) in sources.into_iter().chain(tops) {
                if wants(card) {
                    if may && self.is_safe(card, at.up, takes.want) {
                        out.truncate(first);
                        return add(up(source), 0, card, out);
                    }
                    add(up(source), 1, card, out);
                }
            }
        }
        if (takes.any | takes.from_reserve) >> reserve & 1 != 0 {
            self.targets(at, &takes, reserve, takes.from_reserve, |q, _| {
                add(Move::new(Place::Reserve(0), Place::Pile(q), 1), 2, reserve, out);
            });
        }
        for p in 0..self.piles {
            self.list_from_pile(at, &takes, p, |m, rank, card| add(m, rank, card, out));
        }
        let list_from_waste = |place, card, out: &mut Out| {
            self.targets(at, &takes, card, takes.from_waste, |q, space| {
                let m = Move::new(Place::Waste, Place::Pile(q), 1);
                let rank = if space { 7 } else { 5 };
                self.push(at, key, child(m, place, rank, card), Turned::NOTHING, out);
            });
        };
        let goes = takes.want | takes.any | takes.from_waste;
        if goes >> waste & 1 != 0 {
            list_from_waste(place, waste, out);
        }
        if takes.from_stock && turned.next != NONE {
            add(Move::new(Place::Stock, Place::Pile(takes.space), 1), 7, turned.next, out);
        }
        if self.asks_all() {
            let each_place = |place, turned| self.list_turned(at, key, &takes, place, turned, out);
            return self.turn(at, each_place);
        }
        let mut from_stock = |place: StockPosition, card: u8| {
            if wants(card) {
                let m = up(Place::Waste);
                if self.pruner.safe && self.pruner.safe_waste && self.is_safe(card, at.up, takes.want) {
                    out.truncate(first);
                    self.push(at, key, child(m, place, 0, card), Turned::NOTHING, out);
                    return true;
                }
                self.push(at, key, child(m, place, 1, card), Turned::NOTHING, out);
            }
            list_from_waste(place, card, out);
            false
        };
        if self.without_end(&place) {
            return self.turn_without_end(at, goes, from_stock);
        }
        self.turn(at, |place, turned| goes >> turned.waste & 1 != 0 && from_stock(place, turned.waste));
    }

    /// Turns the stock from position to position, until `visit` returns true.
    #[inline(always)]
    fn turn(&self, at: &RunPosition, mut visit: impl FnMut(StockPosition, Turned) -> bool) {
        // The unturned cards, and the number of turned ones.
        let (mut ahead, mut turned) = (at.left & !at.waste(), at.place.waste);
        for place in self.passes.places(at.place, self.rules) {
            if place.waste < turned {
                (ahead, turned) = (at.left, 0);
            }
            let mut top = 0;
            while turned < place.waste {
                top = ahead.trailing_zeros();
                ahead &= ahead - 1;
                turned += 1;
            }
            let card = |number: u32| self.order[number as usize & 63];
            let waste = if turned == 0 { NONE } else { card(top) };
            let next = if ahead == 0 { NONE } else { card(ahead.trailing_zeros()) };
            if visit(place, Turned { waste, next }) {
                return;
            }
        }
    }

    /// Returns whether passes are unlimited and alike.
    #[inline(always)]
    fn without_end(&self, place: &StockPosition) -> bool {
        !self.passes.limited && self.passes.constant(place.redeals) && place.packet > 0
    }

    /// Visits the cards of waste and stock that can go somewhere, in the order in which turning shows them. There are
    /// few of them, so it is cheaper to check whether each is shown than to look at every stock position. It ends when
    /// `add` says so.
    #[inline(always)]
    fn turn_without_end(&self, at: &RunPosition, goes: u64, mut add: impl FnMut(StockPosition, u8) -> bool) {
        let here = at.place;
        // Indexed by the number of cards in the waste: in this pass, and after the redeal.
        let mut shown = [0u64; 2];
        let mut tops = [NONE; 64];
        each(goes & self.stock & !(at.up | at.tableau), |kind| {
            let number = self.number[kind & 63] & 63;
            let waste = (at.left & ((2 << number) - 1)).count_ones() as u8;
            let last = waste == here.both;
            tops[waste as usize & 63] = kind as u8;
            if waste > here.waste && (last || (waste - here.waste).is_multiple_of(here.packet)) {
                shown[0] |= 1 << waste;
            } else if waste != here.waste && !last && waste.is_multiple_of(here.packet) {
                shown[1] |= 1 << waste;
            }
        });
        let draws = |cards: u8| u16::from(cards.div_ceil(here.packet));
        let to_end = draws(here.both - here.waste) + 1;
        for (redeals, mut shown) in shown.into_iter().enumerate() {
            while shown != 0 {
                let waste = shown.trailing_zeros() as u8;
                shown &= shown - 1;
                let turns = if redeals == 0 { draws(waste - here.waste) } else { to_end + draws(waste) };
                let place = StockPosition { turns, waste, redeals: here.redeals + redeals as u32, ..here };
                if add(place, tops[waste as usize & 63]) {
                    return;
                }
            }
        }
    }

    #[inline(always)]
    fn takes(&self, at: &RunPosition) -> Takes {
        let (mut any, mut tops) = (0, 0);
        let mut spaces = 0u32;
        for p in 0..self.piles {
            let top = at.tops[p & 7];
            any |= self.fits[top as usize & 63];
            tops |= 1 << (top & 63);
            spaces |= u32::from(top == NONE) << p;
        }
        let hot = &self.rules.hot;
        let fillers = if at.reserve_left > 0 { hot.while_reserve } else { hot.after_reserve };
        let starts = |filler| {
            if spaces != 0 && fillers & filler_bit(filler) != 0 { self.starts } else { 0 }
        };
        Takes {
            want: self.wanted(at.up),
            tops,
            any,
            space: spaces.trailing_zeros() as usize,
            from_reserve: starts(Filler::Reserve),
            from_tableau: starts(Filler::Tableau),
            from_waste: starts(Filler::Waste),
            from_stock: self.unseen && starts(Filler::Stock) != 0,
        }
    }

    /// Returns the piles that take a card, with only the first space, each with whether it is one.
    #[inline(always)]
    pub(super) fn targets(
        &self,
        at: &RunPosition,
        takes: &Takes,
        card: u8,
        starts: u64,
        mut add: impl FnMut(usize, bool),
    ) {
        for q in 0..self.piles {
            if self.fits[at.tops[q & 7] as usize & 63] >> card & 1 != 0 {
                add(q, false);
            } else if q == takes.space && starts >> card & 1 != 0 {
                add(q, true);
            }
        }
    }

    /// Adds plays of the cards of a pile.
    #[inline(always)]
    pub(super) fn list_from_pile(
        &self,
        at: &RunPosition,
        takes: &Takes,
        source: usize,
        mut add: impl FnMut(Move, u16, u8),
    ) {
        let (top, low, len) = (at.tops[source & 7], at.lows[source & 7], at.lens[source & 7]);
        let goes = takes.any | takes.from_tableau;
        let m = |q, count| Move::new(Place::Pile(source), Place::Pile(q), count);
        let unit = self.rules.hot.unit;
        if unit == MoveUnit::Sequence {
            return self.list_parts(at, takes, source, add);
        }
        let single = match unit {
            MoveUnit::Whole => len == 1,
            _ => true,
        };
        let whole = len > 1 && unit != MoveUnit::Single;
        if !(single && goes >> top & 1 != 0 || whole && goes >> low & 1 != 0) {
            return;
        }
        for q in (0..self.piles).filter(|&q| q != source) {
            let fits = self.fits[at.tops[q & 7] as usize & 63];
            // Moving a whole pile into a space is not a move.
            let starts = if q == takes.space && len > 1 { takes.from_tableau } else { 0 };
            if single && (fits | starts) >> top & 1 != 0 {
                add(m(q, 1), if len == 1 { 3 } else { 6 }, top);
            }
            if whole && fits >> low & 1 != 0 {
                add(m(q, len), 3, low);
            }
        }
    }

    /// Adds plays of any part of a run.
    #[inline(never)]
    fn list_parts(&self, at: &RunPosition, takes: &Takes, source: usize, mut add: impl FnMut(Move, u16, u8)) {
        let bases = takes.want & self.first != 0;
        let parts = self.pruner.parts && (self.pruner.hasty || !(self.pruner.in_a_ring && bases));
        let len = at.lens[source & 7];
        for q in (0..self.piles).filter(|&q| q != source) {
            let onto = at.tops[q & 7];
            let fits = self.fits[onto as usize & 63];
            let starts = if q == takes.space { takes.from_tableau } else { 0 };
            let mut card = at.tops[source & 7];
            for count in 1..=len {
                let freed = at.under(card);
                let takes_it = if count < len { fits | starts } else { fits };
                // A part that goes from a card to one that takes the same need not move, unless the first goes up.
                let needless = parts
                    && count < len
                    && onto != NONE
                    && takes.want >> freed & 1 == 0
                    && self.fits[freed as usize & 63] == fits;
                if takes_it >> card & 1 != 0 && !needless {
                    let rank = if count == len { 3 } else { 6 };
                    add(Move::new(Place::Pile(source), Place::Pile(q), count), rank, card);
                }
                card = freed;
            }
        }
    }

    /// Returns whether no card will ever need to be put on this card, so that it may go up.
    fn is_safe(&self, kind: u8, up: u64, want: u64) -> bool {
        needless(self.fits, kind as usize, want, &|x| up >> x & 1 != 0, 3)
    }
}

#[inline(always)]
pub(super) fn child(m: Move, place: StockPosition, rank: u16, card: u8) -> Successor {
    Successor { m, place, rank, card: Card::of_pack(0, card as usize % 52) }
}
