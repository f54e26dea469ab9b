//! Positions as classes, where it does not matter on which of several cards another one lies.
//!
//! Where any part of a run moves, the cards of the tableau can be put from one of the cards that take them to another,
//! and back. Of a position it is then enough to know of each card that it is up, first of its pile, on some card that
//! takes it, or still where it was dealt; a few words of bits say so, and what can be played follows from counts. A
//! game so told is searched several times as fast, and has fewer positions.
//!
//! When it does not matter, it must hold that any part of a run moves, that cards which take one card in common take
//! the same cards, that none can come to lie on a card which fits on it (no ring of ranks), that all that is face up
//! in a pile is one run, and that piles of any height can be built and nothing is forced or filled from the stock.
//!
//! Take two positions with the same cards up, in the reserve, in waste and stock, and face down, whose piles have
//! the same lowest face-up cards; the other cards of the tableau then lie on cards that they fit on, and only on
//! which of several is not the same. Whatever is played in one can be played in the other, and leads to two such
//! positions again:
//!
//! - As many of the cards that take a card are covered in one as in the other, by the cards that fit on them. So
//!   if a card may be put on one of them in one position, it may be put on one of them in the other.
//! - If a card goes up, or goes elsewhere alone, nothing lies on it. If there is something on it in the other
//!   position, then there nothing lies on one of those that take the same: the run on it moves over there first.
//! - A part of a run that goes from a card to one that takes the same changes nothing that is told apart.
//! - A part of a run that goes to a space is there in the other position, with what lies on it there.
//! - A whole run, with what lies on it, may be put on the same cards, as none of those is in it.

mod concrete;
mod layout;
mod plays;
mod relaxed_bound;
mod stock;

use std::ops::Range;

use crate::cards::Card;
use crate::game::{Move, Table};
use crate::rules::{
    BasePlay, DealSpec, Filler, FoundationSpec, MoveUnit, ReserveFace, ReserveSpec, Returns, Rules,
    RulesOfPlay, SpacesSpec, StockSpec, TableauSpec,
};

use super::heuristic::HeuristicKind;
use super::key::Key;
use super::passes::{Passes, depends_on_the_stock};
use super::pruner::Pruner;
use super::relaxed_bound::Glances;
use super::search::{Next, States, Try};

pub(super) use plays::ClassPlay;

use layout::Layout;
use plays::{From, To};
use stock::{Stock, Turning};

/// The words of a key of a class.
pub(super) const WORDS: usize = 2;

/// No kind of card.
const NONE: u8 = 63;

/// All kinds.
const ALL: u64 = (1 << 52) - 1;

/// A class of positions.
#[derive(Clone, Copy)]
pub(super) struct ClassPosition {
    layout: Layout,
    stock: Stock,
}

/// The classes of the positions that can be reached from one, and what can be played in them.
pub(super) struct Classes<'r> {
    rules: &'r Rules,
    pruner: Pruner,
    /// The kinds that fit on each kind.
    fits: [u64; 64],
    /// One kind for all those that take the same as a kind; itself where nothing fits on it.
    mate: [u8; 64],
    /// The kinds of which this is said to be the one.
    mates: [u64; 64],
    /// The one kind for all those that take a kind, or [`NONE`].
    taker: [u8; 64],
    /// The kinds that the foundations begin with.
    first: u64,
    /// The kinds that may start a space.
    starts: u64,
    /// The face-down card under each card, or [`NONE`].
    bed: [u8; 64],
    /// The reserve, from its bottom.
    reserve: [u8; 52],
    /// The kinds of waste and stock as the search began.
    stock: u64,
    turning: Turning,
    glances: Glances,
}

impl<'r> Classes<'r> {
    /// The classes, and that of a position; `None` where the rules or the position do not allow them, or need more
    /// than is provided for here: one pack, at most one reserve, and passes without end, alike, in packets of at most three.
    pub fn new(table: &Table, rules: &'r Rules) -> Option<(Classes<'r>, ClassPosition)> {
        let hot = &rules.hot;
        let fits = *rules.fits(table.base()?);
        let passes = Passes::new(table, rules);
        let packet = table.stock_position().packet;
        let turns = passes.constant(table.redeals()) && !passes.limited && (1..=3).contains(&packet);
        let provided = hot.packs == 1 && hot.reserves <= 1 && hot.unit == MoveUnit::Sequence && turns;
        if !(provided && allowed(table, rules, &fits)) {
            return None;
        }
        let mut classes = Classes {
            rules,
            pruner: Pruner::new(rules),
            fits,
            mate: std::array::from_fn(|kind| kind as u8),
            mates: std::array::from_fn(|kind| 1 << kind),
            taker: [NONE; 64],
            first: 0b1111 << (table.base()?.index() * 4),
            starts: rules.starts(table.base()?),
            bed: [NONE; 64],
            reserve: [NONE; 52],
            stock: 0,
            turning: Turning::new(packet),
            glances: Glances::default(),
        };
        for kind in (0..52).filter(|&kind| fits[kind] != 0) {
            let mates = same_rank(kind)
                .filter(|&other| fits[other] == fits[kind])
                .fold(0, |mates, other| mates | 1u64 << other);
            let one = mates.trailing_zeros();
            classes.mate[kind] = one as u8;
            classes.mates[one as usize] = mates;
            each(fits[kind], |card| classes.taker[card] = one as u8);
        }
        for pile in 0..hot.piles {
            for (card, _) in table.pile(pile) {
                let under = table.under(card);
                if under != Card::NONE && table.lies_face_down(under) {
                    classes.bed[card.kind()] = under.kind() as u8;
                }
            }
        }
        if hot.reserves > 0 {
            for (i, card) in table.reserve(0).enumerate() {
                classes.reserve[table.reserve_left() - 1 - i] = card.kind() as u8;
            }
        }
        classes.stock = table.waste().iter().chain(table.stock()).fold(0, |stock, card| stock | card.bit());
        let position = classes.of(table);
        Some((classes, position))
    }

    /// Leaves out no play that a proof says is not needed.
    #[cfg(test)]
    pub fn unpruned(mut self) -> Classes<'r> {
        self.pruner = Pruner::NOTHING;
        self
    }

    /// The class of a position that can be reached.
    pub fn of(&self, table: &Table) -> ClassPosition {
        let mut layout = Layout::default();
        for pile in 0..self.rules.hot.piles {
            layout.spaces += u8::from(table.pile_len(pile) == 0);
            for (card, _) in table.pile(pile).take_while(|&(_, up)| up) {
                let under = table.under(card);
                if under == Card::NONE {
                    layout.low |= card.bit();
                } else if table.lies_face_down(under) {
                    layout.home |= card.bit();
                } else {
                    layout.on |= card.bit();
                }
            }
        }
        for foundation in 0..4 {
            layout.up |= table.foundation(foundation).fold(0, |up, card| up | card.bit());
        }
        layout.reserve_left = table.reserve_left() as u8;
        each(layout.on | layout.low | layout.home, |kind| layout.opens(self.mate[kind]));
        each(layout.on, |kind| layout.closes(self.taker[kind]));
        ClassPosition { layout, stock: Stock::of(table) }
    }

    /// The key of a class: two bits for each card, and how far the stock is turned.
    #[inline(always)]
    fn key_of(&self, layout: &Layout, turned: u64) -> Key<WORDS> {
        // On another card: both bits. Still where it was dealt, in the reserve or in the stock: none.
        let (first, second) = (layout.on | layout.low, layout.on | layout.up);
        [first | second << 52, second >> 12 << 10 | turned]
    }
}

impl States<WORDS> for Classes<'_> {
    type Position = ClassPosition;
    type Play = ClassPlay;
    // Looks at every third position take as long, for fewer positions.
    const GLANCES: usize = 6;
    // Walks decide nearly all such deals. A beam wins some of those that are left, but the walk begins again after it.
    const TRIES: &'static [Try] = &[
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(6_000_000),
        Try::Beam(5_000, HeuristicKind::Order),
    ];

    #[inline(always)]
    fn cards(&self, at: &ClassPosition) -> usize {
        at.layout.up.count_ones() as usize
    }

    fn key(&self, at: &ClassPosition) -> Key<WORDS> {
        let stock = &at.stock;
        self.key_of(&at.layout, self.turning.key(stock.waste, stock.both))
    }

    #[inline]
    fn expand(&mut self, at: &ClassPosition, _: &Key<WORDS>, out: &mut Vec<Next<WORDS, ClassPlay>>) {
        self.list(at, out);
    }

    #[inline(always)]
    fn make(&self, at: &mut ClassPosition, play: &ClassPlay) {
        at.layout = self.after(&at.layout, play);
        if play.from == From::Stock {
            at.stock.take(play.waste);
        }
    }

    #[inline(always)]
    fn goes_up(play: &ClassPlay) -> bool {
        play.to == To::Up
    }

    fn heuristic(&self, at: &ClassPosition, _: HeuristicKind) -> i32 {
        let up = at.layout.up.count_ones() as i32;
        let [tableau, reserve, both] =
            [at.layout.tableau().count_ones() as u8, at.layout.reserve_left, at.stock.both].map(i32::from);
        let face_down = 52 - up - tableau - reserve - both;
        8 * up - 12 * (reserve + face_down)
    }

    #[inline]
    fn falls_short(&mut self, at: &ClassPosition, cards: usize) -> bool {
        self.glances.asks() && {
            let short = self.most(&at.layout) < cards;
            self.glances.told(short)
        }
    }

    fn tell(&self, root: &Table, line: &[ClassPlay]) -> Vec<Move> {
        concrete::tell(self.rules, root, line)
    }
}

/// Whether the rules and a position allow classes, as the head of this module says.
fn allowed(table: &Table, rules: &Rules, fits: &[u64; 64]) -> bool {
    let RulesOfPlay {
        // `Classes::new` asks for one pack and at most one reserve.
        deal: DealSpec { packs: _, order: _ },
        // What can be played from the reserve is told by `playable`.
        reserve: ReserveSpec { piles: _, size: _, face: _ },
        // What is built and dealt is judged by its result: the masks of what fits, and the piles as they lie.
        tableau: TableauSpec { deal: _, face: _, build: _, direction: _, wrap: _, unit, max_height },
        spaces: SpacesSpec { auto, while_reserve, after_reserve, rank: _ },
        // Cards that come back are listed by `returns`.
        foundation: FoundationSpec { base: _, start: _, returns: _, base_play },
        // `Classes::new` asks for passes without end that are alike.
        stock: StockSpec { draw: _, redeals: _, on_redeal: _, waste: _, opening_draw: _ },
    } = rules.spec().rules_of_play();
    let alike = (0..52).all(|a| same_rank(a).all(|b| fits[a] == fits[b] || fits[a] & fits[b] == 0));
    // How many take the same is counted in two bits.
    let few = (0..52).all(|a| fits[a] == 0 || same_rank(a).filter(|&b| fits[b] == fits[a]).count() <= 3);
    // Cards on which nothing more can lie, from the tops down.
    let mut bare = 0u64;
    for _ in 0..13 {
        bare = (0..52).filter(|&kind| fits[kind] & !bare == 0).fold(0, |bare, kind| bare | 1 << kind);
    }
    let no_ring = bare == ALL;
    let runs = (0..rules.hot.piles).all(|p| {
        let up = table.pile(p).take_while(|&(_, up)| up).count();
        up == table.run_len(p) && table.pile(p).skip(up).all(|(_, up)| !up)
    });
    *unit == MoveUnit::Sequence
        && *max_height == 0
        && *base_play == BasePlay::Optional
        && auto.iter().all(|filler| *filler == Filler::Reserve)
        && !while_reserve.iter().chain(after_reserve).any(|&filler| depends_on_the_stock(filler))
        && alike
        && few
        && no_ring
        && runs
}

/// The kinds of the rank of a kind: others take cards of another rank, or none.
fn same_rank(kind: usize) -> Range<usize> {
    kind & !3..(kind | 3) + 1
}

/// Whether the top of the reserve may be played.
fn playable(rules: &Rules, left: u8) -> bool {
    match rules.hot.reserve_face {
        ReserveFace::Top | ReserveFace::All => left >= 1,
        ReserveFace::Last => left == 1,
    }
}

/// Whether cards come back from the foundations; the base card too?
fn returns(rules: &Rules) -> Option<bool> {
    match rules.hot.returns {
        Returns::Never => None,
        Returns::TopExceptBase => Some(false),
        Returns::Top => Some(true),
    }
}

#[inline(always)]
fn each(mut kinds: u64, mut f: impl FnMut(usize)) {
    while kinds != 0 {
        f(kinds.trailing_zeros() as usize & 63);
        kinds &= kinds - 1;
    }
}

#[cfg(test)]
mod tests;
