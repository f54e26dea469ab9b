//! The class of a position, and what all classes of one search share.

use std::ops::Range;

use crate::cards::Card;
use crate::game::Table;
use crate::rules::{
    BasePlay, DealSpec, Filler, FoundationSpec, MoveRules, MoveUnit, ReserveFace, ReserveSpec, Returns,
    Rules, SpacesSpec, StockSpec, TableauSpec,
};

use super::super::key::{Key, each};
use super::super::pruner::Pruner;
use super::super::relaxed_bound::Glances;
use super::super::stock_cycle::{StockCycle, depends_on_the_stock};
use super::layout::{Layout, RESERVES, Stock, Turning};
use super::play::{ClassPlay, From, To};

/// Number of words in a key of a class.
pub(in crate::solver) const WORDS: usize = 2;

/// No kind of card.
pub(super) const NONE: u8 = 63;

/// A class of positions.
#[derive(Clone, Copy)]
pub(in crate::solver) struct ClassPosition {
    pub(super) layout: Layout,
    pub(super) stock: Stock,
    /// One more than the kind of the card just put down from the stock, if such cards are put down only for what is put
    /// on them next; otherwise 0.
    pub(super) pending: u8,
}

/// The classes of the positions reachable from one, and what can be played in them.
pub(in crate::solver) struct Classes<'r> {
    pub(super) rules: &'r Rules,
    /// The rules used to convert lines to moves.
    pub(super) told_by: &'r Rules,
    pub(super) pruner: Pruner,
    /// The kinds that fit on each kind.
    pub(super) fits: [u64; 64],
    /// A representative for all kinds that take the same cards as a kind; itself if nothing fits on it.
    pub(super) mate: [u8; 64],
    /// The kinds that each kind represents.
    pub(super) mates: [u64; 64],
    /// The representative of all kinds that take a kind, or [`NONE`].
    pub(super) taker: [u8; 64],
    /// The kinds that the foundations begin with.
    pub(super) first: u64,
    /// The kinds that may start a space.
    pub(super) starts: u64,
    /// The face-down card under each card, or [`NONE`].
    pub(super) bed: [u8; 64],
    /// The reserves, each from the bottom up.
    pub(super) reserve: [[u8; 64]; RESERVES],
    /// Sources that may fill a space while reserve cards are left, and after, as bits of [`Filler`].
    pub(super) while_reserve: u8,
    pub(super) after_reserve: u8,
    /// Whether cards of the stock are put down only for what is put on them next: see [`Classes::relaxed`].
    pub(super) delays: bool,
    /// Whether redeals are limited and keys use the ordered encoding of the stock.
    pub(super) in_order: bool,
    /// The kinds of waste and stock at the start of the search.
    pub(super) stock: u64,
    pub(super) turning: Turning,
    pub(super) glances: Glances,
}

impl<'r> Classes<'r> {
    /// Creates the classes and that of a position; `None` if the rules or the position do not allow them, or exceed
    /// what is implemented: one pack, at most one reserve, and unlimited, equal passes, in packets of at most three.
    pub fn new(table: &Table, rules: &'r Rules) -> Option<(Classes<'r>, ClassPosition)> {
        let hot = &rules.hot;
        let fits = *rules.fits(table.base()?);
        let turns = hot.redeals == u32::MAX;
        let provided = hot.reserves <= 1 && hot.unit == MoveUnit::Sequence && turns;
        if !(provided && allowed(rules, &fits)) {
            return None;
        }
        let (mut classes, root) = Classes::relaxed(table, rules, rules)?;
        classes.delays = false;
        Some((classes, root))
    }

    /// Creates classes that may have more plays than there are legal moves: whatever legal moves reach can be reached.
    pub fn relaxed(
        table: &Table,
        rules: &'r Rules,
        told_by: &'r Rules,
    ) -> Option<(Classes<'r>, ClassPosition)> {
        let hot = &rules.hot;
        let fits = *rules.fits(table.base()?);
        let passes = StockCycle::new(table, rules);
        let packet = table.stock_position().packet;
        let turns = passes.constant(table.redeals())
            && (!passes.limited || passes.in_order)
            && (1..=3).contains(&packet);
        let provided = hot.packs == 1 && hot.reserves <= RESERVES && turns;
        if !(provided && relaxes(table, rules, &fits)) {
            return None;
        }
        let pruner = Pruner::new(rules);
        let mut classes = Classes {
            rules,
            told_by,

            fits,
            mate: std::array::from_fn(|kind| kind as u8),
            mates: std::array::from_fn(|kind| 1 << kind),
            taker: [NONE; 64],
            first: hot.ring.of_rank(table.base()?),
            starts: rules.starts(table.base()?),
            bed: [NONE; 64],
            reserve: [[NONE; 64]; RESERVES],
            while_reserve: hot.while_reserve,
            after_reserve: hot.after_reserve,
            delays: pruner.safe && pruner.safe_waste,
            in_order: passes.limited,
            pruner,
            stock: 0,
            turning: Turning::new(
                packet,
                passes.limited.then_some(passes),
                hot.redeals.saturating_sub(table.redeals()).min(3) as u8,
            ),
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
                if under != Card::NONE && table.is_face_down(under) {
                    classes.bed[card.kind()] = under.kind() as u8;
                }
            }
        }
        for (reserve, kinds) in classes.reserve.iter_mut().enumerate().take(hot.reserves) {
            let left = table.reserve(reserve).count();
            for (i, card) in table.reserve(reserve).enumerate() {
                kinds[(left - 1 - i) & 63] = card.kind() as u8;
            }
        }
        classes.stock = table.waste().iter().chain(table.stock()).fold(0, |stock, card| stock | card.bit());
        let position = classes.of(table);
        Some((classes, position))
    }

    /// Disables pruning.
    #[cfg(test)]
    pub fn unpruned(mut self) -> Classes<'r> {
        self.pruner = Pruner::default();
        self.delays = false;
        self
    }

    /// Returns the class of a reachable position.
    pub fn of(&self, table: &Table) -> ClassPosition {
        let mut layout = Layout::default();
        for pile in 0..self.rules.hot.piles {
            layout.spaces += u8::from(table.pile_len(pile) == 0);
            for (card, _) in table.pile(pile).take_while(|&(_, up)| up) {
                let under = table.under(card);
                if under == Card::NONE {
                    layout.low |= card.bit();
                } else if table.is_face_down(under) {
                    layout.home |= card.bit();
                } else {
                    layout.on |= card.bit();
                }
            }
        }
        for foundation in 0..4 {
            layout.up |= table.foundation(foundation).fold(0, |up, card| up | card.bit());
        }
        for (reserve, left) in layout.reserve_left.iter_mut().enumerate().take(self.rules.hot.reserves) {
            *left = table.reserve(reserve).count() as u8;
        }
        each(layout.on | layout.low | layout.home, |kind| layout.opens(self.mate[kind]));
        each(layout.on, |kind| layout.closes(self.taker[kind]));
        ClassPosition { layout, stock: Stock::of(table), pending: 0 }
    }

    /// Returns what a play leaves pending.
    #[inline(always)]
    pub(super) fn pending(&self, play: &ClassPlay) -> u8 {
        if self.delays && play.from == From::Stock && play.to != To::Up { play.kind + 1 } else { 0 }
    }

    /// Returns the last bits of a key.
    pub(super) fn last_bits_of(&self, at: &ClassPosition) -> u64 {
        let stock = &at.stock;
        if self.delays { at.pending.into() } else { self.turning.key(stock.waste, stock.both, stock.redeals) }
    }

    /// Returns the key of a class: two bits for each card, and the stock position.
    #[inline(always)]
    pub(super) fn key_of(&self, layout: &Layout, turned: u64) -> Key<WORDS> {
        // Both bits are set for a card on another one; neither for one that is where it was dealt, in the reserve or in
        // the stock.
        let (first, second) = (layout.on | layout.low, layout.on | layout.up);
        [first | second << 52, second >> 12 << 10 | turned]
    }
}

impl Classes<'_> {
    /// Returns the kinds that the foundations take.
    #[inline(always)]
    pub(super) fn wanted(&self, up: u64) -> u64 {
        (self.rules.hot.ring.up(up) | self.first) & !up
    }

    /// Returns the kinds on top of the foundations.
    #[inline(always)]
    pub(super) fn tops(&self, up: u64) -> u64 {
        // The last card of a suit is followed by its first.
        let next_is_up = up & !self.first;
        up & !self.rules.hot.ring.down(next_is_up)
    }

    /// Returns the places of the cards after a play.
    #[inline(always)]
    pub(super) fn after(&self, before: &Layout, play: &ClassPlay) -> Layout {
        let mut now = *before;
        let kind = play.kind as usize & 63;
        let (bit, mate, taker) = (1u64 << kind, self.mate[kind], self.taker[kind]);
        let mut left = false;
        match play.from {
            From::Tableau => {
                if play.to == To::Up {
                    now.closes(mate);
                }
                if now.on & bit != 0 {
                    now.on ^= bit;
                    now.opens(taker);
                } else if now.low & bit != 0 {
                    now.low ^= bit;
                    left = true;
                } else {
                    now.home ^= bit;
                    self.turn_up(self.bed[kind], &mut now);
                }
            }
            from => {
                if play.to != To::Up {
                    now.opens(mate);
                }
                if let From::Reserve(reserve) = from {
                    now.reserve_left[reserve as usize % RESERVES] -= 1;
                }
                now.up &= !bit;
            }
        }
        match play.to {
            To::Up => now.up |= bit,
            To::On => {
                now.on |= bit;
                now.closes(taker);
            }
            To::Space => {
                now.low |= bit;
                now.spaces -= 1;
            }
        }
        if left {
            if now.in_reserves() > 0 && !self.rules.auto.is_empty() {
                // The fullest, or the first of equal ones.
                let fullest = usize::from(now.reserve_left[1] > now.reserve_left[0]);
                now.reserve_left[fullest] -= 1;
                let fills = self.reserve[fullest][now.reserve_left[fullest] as usize & 63];
                now.low |= 1 << fills;
                now.opens(self.mate[fills as usize & 63]);
            } else {
                now.spaces += 1;
            }
        }
        now
    }

    /// Turns up a face-down card.
    #[inline(always)]
    fn turn_up(&self, kind: u8, now: &mut Layout) {
        let bit = 1 << kind;
        if self.bed[kind as usize & 63] == NONE {
            now.low |= bit
        } else {
            now.home |= bit
        }
        now.opens(self.mate[kind as usize & 63]);
    }
}

/// Returns whether the rules and a position allow classes, by the conditions at the head of this module.
fn allowed(rules: &Rules, fits: &[u64; 64]) -> bool {
    let MoveRules {
        // `Classes::new` requires one pack and at most one reserve.
        deal: DealSpec { packs: _, order: _ },
        // `playable` decides what can be played from the reserve.
        reserve: ReserveSpec { piles: _, size: _, face: _ },
        // Building and dealing are judged by their results: the masks of what fits, and the piles as they lie.
        tableau: TableauSpec { deal: _, face: _, build: _, direction: _, wrap: _, unit, max_height },
        spaces: SpacesSpec { auto, while_reserve, after_reserve, rank: _ },
        // `returns` covers cards that come back.
        foundation: FoundationSpec { base: _, start: _, returns: _, base_play },
        // `Classes::new` requires unlimited passes that are all alike.
        stock: StockSpec { draw: _, redeals: _, on_redeal: _, waste: _, opening_draw: _ },
    } = rules.spec().move_rules();
    // Cards on which nothing more can lie, from the tops down.
    let mut bare = 0u64;
    for _ in 0..13 {
        bare = (0..52).filter(|&kind| fits[kind] & !bare == 0).fold(0, |bare, kind| bare | 1 << kind);
    }
    let no_ring = bare == (1 << 52) - 1;
    *unit == MoveUnit::Sequence
        && *max_height == 0
        && *base_play == BasePlay::Optional
        && auto.iter().all(|filler| *filler == Filler::Reserve)
        && !while_reserve.iter().chain(after_reserve).any(|&filler| depends_on_the_stock(filler))
        && no_ring
}

/// Returns whether classes have at least the plays that legal moves have.
fn relaxes(table: &Table, rules: &Rules, fits: &[u64; 64]) -> bool {
    let alike = (0..52).all(|a| same_rank(a).all(|b| fits[a] == fits[b] || fits[a] & fits[b] == 0));
    // No card lies on a card of its own rank.
    let steps = (0..52).all(|a| same_rank(a).all(|b| fits[a] >> b & 1 == 0));
    let runs = (0..rules.hot.piles).all(|p| {
        let up = table.pile(p).take_while(|&(_, up)| up).count();
        up == table.run_len(p) && table.pile(p).skip(up).all(|(_, up)| !up)
    });
    alike && steps && runs && rules.auto.first().is_none_or(|first| *first == Filler::Reserve)
}

/// Returns the kinds of the same rank as a kind: others take cards of another rank, or none.
fn same_rank(kind: usize) -> Range<usize> {
    kind & !3..(kind | 3) + 1
}

/// Returns whether the top of the reserve may be played.
pub(super) fn playable(rules: &Rules, left: u8) -> bool {
    match rules.hot.reserve_face {
        ReserveFace::Top | ReserveFace::All => left >= 1,
        ReserveFace::Last => left == 1,
    }
}

/// Returns whether cards return from the foundations, and if so whether the base card does too.
pub(super) fn returns(rules: &Rules) -> Option<bool> {
    match rules.hot.returns {
        Returns::Never => None,
        Returns::TopExceptBase => Some(false),
        Returns::Top => Some(true),
    }
}
