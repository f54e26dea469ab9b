//! The table: the place of every card.

use crate::cards::{Card, Rank};
use crate::rules::{Draw, FEW_PILES, MOST_PILES, ReserveFace, Rules};

use super::moves::{Move, Place};

/// Maximum number of tableau piles.
pub(super) const MAX_PILES: usize = MOST_PILES;

/// At least the cards of one pack, rounded up to whole machine words.
pub(super) const ONE_PACK: usize = 64;

/// The bit of the foundations in [`Table::takes`].
pub(super) const UP: u8 = 1 << 4;

/// A whole position with every card, seen or not. Cheap to copy: a few hundred bytes, no allocation.
///
/// Tableau piles, reserves and foundations are chains through `below`, with one entry per card. The waste and the stock
/// share one array: the waste is `pack[..waste]`, the stock `pack[next..end]`. Neither play nor redeal moves more cards
/// than leave the stock. Cards to choose the base from lie at `pack[end..end + offered]`.
///
/// The order of the fields keeps what is copied for one pack in few cache lines.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Table {
    pub(super) below: [Card; 256],
    /// Longer than the number of cards, so that the cards of one pack can be copied at once from anywhere.
    pub(super) pack: [Card; 320],
    /// Under plain rules, what takes each card: bit `p` for pile `p`, and [`UP`] for the foundations; at
    /// [`SPACE`](crate::rules::SPACE) the piles that are spaces. An absent card is taken by nothing.
    pub(super) takes: [u8; 256],
    /// Face-down tableau cards, a mask of kinds for each pack.
    pub(super) face_down: [u64; 4],
    pub(super) foundations: [Stack; 16],
    pub(super) waste: u8,
    pub(super) next: u8,
    pub(super) end: u8,
    /// Meaningless while it is still to be chosen.
    pub(super) base: Rank,
    /// Whether the base rank is still to be chosen.
    pub(super) choosing: bool,
    pub(super) offered: u8,
    /// Size of the next packet; 0 if a die will decide it.
    pub(super) packet: u8,
    pub(super) reserve_left: u8,
    pub(super) reserves: [Stack; 4],
    /// The kinds that the foundations take next.
    pub(super) want: u64,
    pub(super) redeals: u32,
    pub(super) cards: u16,
    pub(super) piles: [Pile; MAX_PILES],
}

/// A chain of cards of which only the top is playable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stack {
    pub top: Card,
    pub len: u8,
}

impl Stack {
    pub const EMPTY: Stack = Stack { top: Card::NONE, len: 0 };
}

/// A tableau pile.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub(super) struct Pile {
    pub top: Card,
    /// Number of cards.
    pub len: u8,
    /// Number of face-up cards from the top to the first face-down one.
    pub up: u8,
    /// Number of cards of the run at the top.
    pub run: u8,
    /// The lowest card of that run.
    pub run_base: Card,
    /// The same card if that run is all that is face up and has several cards, else no card.
    pub whole: Card,
}

impl Pile {
    pub const EMPTY: Pile =
        Pile { top: Card::NONE, len: 0, up: 0, run: 0, run_base: Card::NONE, whole: Card::NONE };

    /// Recomputes `whole`.
    #[inline(always)]
    pub fn count_whole(&mut self) {
        self.whole = if self.run == self.up && self.run > 1 { self.run_base } else { Card::NONE };
    }
}

/// Copies the first elements, without a call.
#[inline(always)]
fn copy_first<T: Copy, const N: usize>(to: &mut [T], from: &[T]) {
    if let (Some(to), Some(from)) = (to.first_chunk_mut::<N>(), from.first_chunk()) {
        *to = *from;
    }
}

impl Table {
    pub(crate) const BARE: Table = Table {
        below: [Card::NONE; 256],
        pack: [Card::NONE; 320],
        waste: 0,
        next: 0,
        end: 0,
        base: Rank::ACE,
        choosing: false,
        offered: 0,
        packet: 0,
        reserve_left: 0,
        piles: [Pile::EMPTY; MAX_PILES],
        takes: [0; 256],
        reserves: [Stack::EMPTY; 4],
        foundations: [Stack::EMPTY; 16],
        want: 0,
        face_down: [0; 4],
        cards: 0,
        redeals: 0,
    };

    /// Copies a table of the same rules. With one pack and few piles, only the places that can hold its cards are
    /// copied: the others are equal on all such tables.
    ///
    /// A new part of a position is also considered where positions are told apart: in the solver's keys (`solver::key`,
    /// `solver::classes`), and in what a player knows (`fingerprint`, `told_key` and `outcome_key`).
    #[inline(always)]
    pub(super) fn become_like(&mut self, from: &Table, rules: &Rules) {
        if !rules.hot.small {
            *self = *from;
            return;
        }
        // Every part is named, so that a new one does not compile before it is copied here.
        #[rustfmt::skip]
        let Table {
            below, pack, takes, face_down, foundations, waste, next, end, base, choosing, offered, packet, reserve_left,
            reserves, want, redeals, cards, piles,
        } = from;
        copy_first::<_, ONE_PACK>(&mut self.below, below);
        copy_first::<_, ONE_PACK>(&mut self.pack, pack);
        copy_first::<_, ONE_PACK>(&mut self.takes, takes);
        copy_first::<_, FEW_PILES>(&mut self.piles, piles);
        (self.waste, self.next, self.end, self.base) = (*waste, *next, *end, *base);
        (self.choosing, self.offered, self.packet, self.reserve_left) =
            (*choosing, *offered, *packet, *reserve_left);
        (self.reserves, self.want, self.cards, self.redeals) = (*reserves, *want, *cards, *redeals);
        copy_first::<_, 4>(&mut self.foundations, foundations);
        self.face_down[0] = face_down[0];
    }

    /// Returns the number of cards on the foundations, including those of the deal.
    #[inline(always)]
    pub fn cards(&self) -> usize {
        self.cards as usize
    }

    /// Returns the rank that the foundations start with; `None` while it is still to be chosen.
    #[inline(always)]
    pub fn base(&self) -> Option<Rank> {
        if self.choosing { None } else { Some(self.base) }
    }

    /// Returns the dealt cards to choose the base card from, in the order of the deal.
    pub fn offered(&self) -> &[Card] {
        &self.pack[self.end as usize..][..self.offered as usize]
    }

    /// Returns the number of cards left in all reserves.
    #[inline(always)]
    pub fn reserve_left(&self) -> usize {
        self.reserve_left as usize
    }

    /// Returns the number of redeals made.
    #[inline(always)]
    pub fn redeals(&self) -> u32 {
        self.redeals
    }

    /// Returns the number of the pass through the stock, from 1.
    #[inline(always)]
    pub fn pass(&self) -> u32 {
        self.redeals + 1
    }

    /// Returns the size of the next packet; 0 if a die will decide it.
    #[inline(always)]
    pub fn packet(&self) -> usize {
        self.packet as usize
    }

    /// Returns the number of foundations that hold a whole suit.
    pub fn complete_suits(&self, rules: &Rules) -> usize {
        self.foundations.iter().filter(|f| f.len == rules.hot.pack.ranks).count()
    }

    /// Returns the waste, lowest card first.
    pub fn waste(&self) -> &[Card] {
        &self.pack[..self.waste as usize]
    }

    /// Returns the stock, next card first.
    pub fn stock(&self) -> &[Card] {
        &self.pack[self.next as usize..self.end as usize]
    }

    /// Returns the cards of a tableau pile, top first, each with whether it is face up.
    pub fn pile(&self, pile: usize) -> impl Iterator<Item = (Card, bool)> + '_ {
        self.chain(self.piles[pile].top, self.piles[pile].len).map(|c| (c, !self.is_face_down(c)))
    }

    /// Returns the cards of a reserve, top first.
    pub fn reserve(&self, reserve: usize) -> impl Iterator<Item = Card> + '_ {
        self.chain(self.reserves[reserve].top, self.reserves[reserve].len)
    }

    /// Returns the cards of a foundation (`suit + 4 * k`), top first.
    pub fn foundation(&self, foundation: usize) -> impl Iterator<Item = Card> + '_ {
        self.chain(self.foundations[foundation].top, self.foundations[foundation].len)
    }

    /// Returns the foundation topped by a card; the first of its suit if there is none.
    #[inline]
    pub(super) fn foundation_of(&self, card: Card) -> usize {
        let suit = card.suit().index();
        (suit..16).step_by(4).find(|&f| self.foundations[f].top == card).unwrap_or(suit)
    }

    /// Returns the top of the waste.
    #[inline(always)]
    pub(super) fn waste_top(&self) -> Card {
        // For an empty waste the index wraps to 255, where no card ever lies.
        self.pack[self.waste.wrapping_sub(1) as usize]
    }

    /// Returns the top of a reserve, if it may be played.
    #[inline(always)]
    pub(super) fn playable_reserve(&self, reserve: usize, face: ReserveFace) -> Card {
        let stack = &self.reserves[reserve];
        if face == ReserveFace::Last && stack.len > 1 { Card::NONE } else { stack.top }
    }

    #[inline(always)]
    pub(crate) fn is_face_down(&self, card: Card) -> bool {
        self.face_down[card.pack()] & card.bit() != 0
    }

    fn chain(&self, top: Card, len: u8) -> impl Iterator<Item = Card> + '_ {
        let mut card = top;
        (0..len).map(move |_| {
            let this = card;
            card = self.below[this.0 as usize];
            this
        })
    }

    /// Returns the card `down` places below `card` in its pile.
    #[inline]
    pub(super) fn descend(&self, mut card: Card, down: usize) -> Card {
        for _ in 0..down {
            card = self.below[card.0 as usize];
        }
        card
    }

    /// Updates what takes each card for a new top of a pile, or for a pile that became empty.
    #[inline(always)]
    pub(super) fn retop(&mut self, pile: usize, old: Card, new: Card, rules: &Rules) {
        if rules.hot.plain {
            let (lists, bit) = (rules.lists(self.base), 1 << (pile & 3));
            for fit in [lists[old.kind()], lists[new.kind()]] {
                for kind in fit {
                    self.takes[kind as usize] ^= bit;
                }
            }
        }
    }

    /// Updates what the foundations want.
    #[inline(always)]
    pub(super) fn want_now(&mut self, want: u64, rules: &Rules) {
        if rules.hot.plain {
            let mut changed = self.want ^ want;
            while changed != 0 {
                self.takes[changed.trailing_zeros() as usize & 63] ^= UP;
                changed &= changed - 1;
            }
        }
        self.want = want;
    }

    /// Returns the lowest of the top `count` cards of a pile.
    #[inline(always)]
    pub(super) fn lowest_of(&self, pile: usize, count: usize) -> Card {
        let p = &self.piles[pile & 15];
        if count == 1 {
            p.top
        } else if count == p.run as usize {
            p.run_base
        } else {
            self.descend(p.top, count - 1)
        }
    }

    /// Recounts the face-up cards and the run at the top of a pile.
    pub(super) fn recount(&mut self, pile: usize, rules: &Rules) {
        let fits = rules.fits(self.base);
        let p = self.piles[pile];
        let (mut up, mut run, mut run_base, mut in_run) = (0, 0, Card::NONE, true);
        let mut card = p.top;
        while up < p.len && !self.is_face_down(card) {
            if in_run && (run == 0 || fits[card.kind()] & run_base.bit() != 0) {
                run += 1;
                run_base = card;
            } else {
                in_run = false;
            }
            up += 1;
            card = self.below[card.0 as usize];
        }
        self.piles[pile] = Pile { up, run, run_base, ..p };
        self.piles[pile].count_whole();
    }
}

impl Table {
    /// Returns what a card of the tableau lies on; no card if it is the lowest of its pile.
    #[inline(always)]
    pub(crate) fn under(&self, card: Card) -> Card {
        self.below[card.0 as usize]
    }

    /// Returns the kinds that the foundations take next.
    #[inline(always)]
    pub(crate) fn wanted(&self) -> u64 {
        self.want
    }

    /// Returns whether a card must go up as soon as it can be played, under rules that require it.
    #[inline(always)]
    pub(crate) fn must_go_up(&self, card: Card) -> bool {
        card.bit() & self.want & self.base_kinds() != 0
    }

    /// Returns whether base cards are still to come up.
    #[inline(always)]
    pub(crate) fn wants_bases(&self) -> bool {
        self.want & self.base_kinds() != 0
    }

    /// Returns the top of a pile, or no card.
    #[inline(always)]
    pub(crate) fn top_of_pile(&self, pile: usize) -> Card {
        self.piles[pile & 15].top
    }

    /// Returns the number of cards of a pile.
    #[inline(always)]
    pub(crate) fn pile_len(&self, pile: usize) -> usize {
        self.piles[pile & 15].len as usize
    }

    /// Returns the number of cards of the run at the top of a pile.
    #[inline(always)]
    pub(crate) fn run_len(&self, pile: usize) -> usize {
        self.piles[pile & 15].run as usize
    }

    /// Returns the number of cards on a foundation (`suit + 4 * k`).
    #[inline(always)]
    pub(crate) fn height(&self, foundation: usize) -> usize {
        self.foundations[foundation & 15].len as usize
    }

    /// Returns the top of the reserve that spaces are filled from, or no card.
    #[inline(always)]
    pub(crate) fn fullest_top(&self, rules: &Rules) -> Card {
        if self.reserve_left == 0 { Card::NONE } else { self.reserves[self.fullest_reserve(rules) & 3].top }
    }

    /// Returns the lowest card that a legal play moves.
    #[inline(always)]
    pub(crate) fn lowest_moved(&self, m: Move) -> Card {
        match m.source() {
            Place::Pile(p) => self.lowest_of(p, m.count()),
            Place::Reserve(r) => self.reserves[r & 3].top,
            Place::Foundation(f) => self.foundations[f & 15].top,
            Place::Stock => self.pack[self.next as usize],
            Place::Offered(i) => self.pack[self.end as usize + i],
            Place::Waste | Place::Foundations => self.waste_top(),
        }
    }

    /// Returns how far the stock is turned.
    #[inline(always)]
    pub(crate) fn stock_position(&self) -> StockPosition {
        let both = self.waste + (self.end - self.next);
        StockPosition { turns: 0, waste: self.waste, both, packet: self.packet, redeals: self.redeals }
    }

    /// Returns the top of the waste after this many cards of waste and stock, at least one, are turned.
    #[inline(always)]
    pub(crate) fn turned_top(&self, waste: u8) -> Card {
        let gap = if waste <= self.waste { 0 } else { self.next - self.waste };
        self.pack[(waste + gap).wrapping_sub(1) as usize]
    }

    /// Turns the stock to a position that draws and redeals lead to.
    #[inline(always)]
    pub(crate) fn turn_to(&mut self, place: &StockPosition) {
        let (waste, next) = (self.waste as usize, self.next as usize);
        let turned = if place.redeals == self.redeals { place.waste } else { place.both } - self.waste;
        if waste < next {
            self.pack.copy_within(next..next + turned as usize, waste);
        }
        if place.redeals == self.redeals {
            self.next += turned;
        } else {
            self.next = place.waste;
            self.end = place.both;
        }
        self.waste = place.waste;
        self.redeals = place.redeals;
        self.packet = place.packet;
    }
}

/// Position of the stock after some draws and redeals, with no die and no shuffle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StockPosition {
    /// Number of draws and redeals.
    pub turns: u16,
    /// Number of cards in the waste.
    pub waste: u8,
    /// Number of cards in waste and stock.
    pub both: u8,
    /// Size of the next packet.
    pub packet: u8,
    /// Number of redeals made.
    pub redeals: u32,
}

impl StockPosition {
    /// Returns the draw or the redeal that is legal if no base card is forced up.
    #[inline(always)]
    pub fn turning(&self, rules: &Rules) -> Option<Move> {
        if self.waste < self.both {
            Some(Move::DRAW)
        } else if self.waste > 0 && self.redeals < rules.hot.redeals {
            Some(Move::REDEAL)
        } else {
            None
        }
    }

    /// Draws or redeals. Returns false if neither is legal.
    #[inline(always)]
    pub fn turn(&mut self, rules: &Rules) -> bool {
        match self.turning(rules) {
            None => return false,
            Some(Move::DRAW) => self.waste = self.waste.saturating_add(self.packet).min(self.both),
            Some(_) => {
                self.waste = 0;
                self.redeals += 1;
                if let Draw::ByPass(_) = rules.spec().stock.draw {
                    self.packet = rules.packet(self.redeals + 1);
                }
            }
        }
        self.turns += 1;
        true
    }
}
