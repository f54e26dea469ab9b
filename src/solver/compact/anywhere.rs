//! Plays that depend on how far the stock is turned, and not only on the visible card: under rules where waste or stock
//! fill spaces, or base cards must go up.

use crate::game::{Move, Place, StockPosition};
use crate::rules::Filler;

use super::plays::{Out, Takes, child};
use super::position::Turned;
use super::{Key, NONE, ONE_PACK, RunPosition, RunStates, each};

impl RunStates<'_> {
    /// Returns whether more than the visible card matters when the stock is turned.
    #[inline(always)]
    pub(super) fn asks_all(&self) -> bool {
        self.forced || self.unseen || !self.fills_then.is_empty()
    }

    /// Returns the cards accessible at a position's stock position.
    #[inline(always)]
    pub(super) fn turned(&self, at: &RunPosition) -> Turned {
        Turned { waste: self.waste_top(at), next: self.next_card(at.left, at.turned) }
    }

    /// Returns the first unturned card, if those below a number are turned.
    #[inline(always)]
    fn next_card(&self, left: u64, turned: u8) -> u8 {
        let ahead = left & !((1 << turned) - 1);
        if ahead == 0 { NONE } else { self.order[ahead.trailing_zeros() as usize & 63] }
    }

    /// Turns the stock to a position before a play.
    #[inline(always)]
    pub(super) fn turn_to(&self, at: &mut RunPosition, place: &StockPosition) {
        if place.turns == 0 {
            return;
        }
        let mut ahead = at.left;
        (1..place.waste).for_each(|_| ahead &= ahead - 1);
        at.turned = if place.waste == 0 { 0 } else { ahead.trailing_zeros() as u8 + 1 };
        at.place = StockPosition { turns: 0, ..*place };
    }

    /// Returns what fills a new space at once, and from where.
    #[inline(always)]
    pub(super) fn filling(&self, reserve_left: u8, turned: Turned) -> Option<(Place, u8)> {
        if self.fills && reserve_left > 0 {
            return Some((Place::Reserve(0), self.reserve_top(reserve_left)));
        }
        self.fills_then.iter().find_map(|filler| match filler {
            Filler::Waste if turned.waste != NONE => Some((Place::Waste, turned.waste)),
            Filler::Stock if turned.next != NONE => Some((Place::Stock, turned.next)),
            _ => None,
        })
    }

    /// Fills a pile that became a space, if anything does at once.
    #[inline(always)]
    pub(super) fn fill_space(&self, at: &mut RunPosition, pile: usize) {
        let turned = if self.fills_then.is_empty() { Turned::NOTHING } else { self.turned(at) };
        let Some((from, card)) = self.filling(at.reserve_left, turned) else { return };
        self.take(at, from, card);
        at.tableau |= 1 << (card & 63);
        at.put(pile, card, card, 1);
    }

    /// Removes the accessible card from reserve, waste or stock.
    #[inline(always)]
    pub(super) fn take(&self, at: &mut RunPosition, from: Place, card: u8) {
        if let Place::Reserve(_) = from {
            at.reserve_left -= 1;
            return;
        }
        let number = self.number[card as usize & 63];
        at.left &= !(1 << (number & 63));
        at.place.both -= 1;
        if from == Place::Waste {
            at.turned = number;
            at.place.waste -= 1;
        }
    }

    /// Returns the stock positions at which a base card stops the turning, as [`StockCycle::turned`] needs them, given the
    /// cards left (by number) and those in the tableau.
    ///
    /// [`StockCycle::turned`]: super::super::stock_cycle::StockCycle::turned
    #[inline(always)]
    pub(super) fn stops(&self, left: u64, tableau: u64) -> u64 {
        if self.forced && tableau & self.first != 0 {
            return !0;
        }
        let mut stops = 0;
        each(left & self.bases, |number| stops |= 1 << (left & ((2 << number) - 1)).count_ones());
        stops
    }

    /// Returns whether a card must go up.
    #[inline(always)]
    pub(super) fn must_go_up(&self, card: u8, want: u64) -> bool {
        self.forced && (want & self.first) >> card & 1 != 0
    }

    /// Adds the base cards that must go up. Returns true if there are any: then nothing else may be played.
    pub(super) fn list_forced(
        &self,
        at: &RunPosition,
        key: &Key<ONE_PACK>,
        takes: &Takes,
        out: &mut Out,
    ) -> bool {
        if !self.forced {
            return false;
        }
        let forced = takes.want & self.first;
        let turned = self.turned(at);
        let reserve = self.reserve_top(at.reserve_left);
        if forced & (takes.tops | 1 << reserve | 1 << turned.waste) == 0 {
            return false;
        }
        let tops = (0..self.piles).map(|p| (Place::Pile(p), at.tops[p & 7]));
        for (source, card) in
            [(Place::Reserve(0), reserve), (Place::Waste, turned.waste)].into_iter().chain(tops)
        {
            if forced >> card & 1 != 0 {
                let m = Move::new(source, Place::Foundations, 1);
                self.push(at, key, child(m, at.place, 1, card), turned, out);
            }
        }
        true
    }

    /// Adds the plays that depend on the stock position, from one such position. Returns true if nothing behind it
    /// needs to be searched.
    pub(super) fn list_turned(
        &self,
        at: &RunPosition,
        key: &Key<ONE_PACK>,
        takes: &Takes,
        place: StockPosition,
        turned: Turned,
        out: &mut Out,
    ) -> bool {
        let mut add = |m: Move, rank: u16, card: u8| {
            self.push(at, key, child(m, place, rank, card), turned, out);
        };
        let up = |source| Move::new(source, Place::Foundations, 1);
        if takes.want >> turned.waste & 1 != 0 {
            add(up(Place::Waste), 1, turned.waste);
            if self.must_go_up(turned.waste, takes.want) {
                return true;
            }
        }
        if !self.fills_then.is_empty() {
            for p in 0..self.piles {
                let top = at.tops[p & 7];
                if takes.want >> top & 1 != 0 && self.asks_the_stock(at, p, 1, top, takes.want) {
                    add(up(Place::Pile(p)), 1, top);
                }
            }
            for p in 0..self.piles {
                self.list_from_pile(at, takes, p, |m, rank, card| {
                    if self.asks_the_stock(at, p, m.count() as u8, card, takes.want) {
                        add(m, rank, card);
                    }
                });
            }
        }
        self.targets(at, takes, turned.waste, takes.from_waste, |q, space| {
            add(Move::new(Place::Waste, Place::Pile(q), 1), if space { 7 } else { 5 }, turned.waste);
        });
        if takes.from_stock && turned.next != NONE {
            add(Move::new(Place::Stock, Place::Pile(takes.space), 1), 7, turned.next);
        }
        false
    }

    /// Returns whether a play of a pile depends on how far the stock is turned. A base card that it uncovers, or that
    /// fills a space, goes up before the stock is turned again, and may empty a pile.
    #[inline(always)]
    fn asks_the_stock(&self, at: &RunPosition, pile: usize, count: u8, lowest: u8, want: u64) -> bool {
        if count == at.lens[pile & 7] {
            !(self.fills && at.reserve_left >= self.reserve_stays)
        } else {
            self.must_go_up(at.under(lowest), want)
        }
    }
}
