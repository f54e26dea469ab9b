//! An upper bound on the number of cards that can still go up, computed from a single position.
//!
//! The rules are relaxed: a card that is accessible once stays accessible forever, one that can be put somewhere is
//! both there and where it was, any number of cards lie on one card, and all of waste and stock is accessible, except
//! for what lies under other cards in a waste that cannot be turned over any more. Whatever legal moves reach can be
//! reached in this way: each of them needs what it needs in the relaxed game, where nothing is ever taken away. So a
//! card that does not go up in the relaxed game never does. (In planning this is known as the delete relaxation.)
//!
//! What remains of the rules is the order in which cards become free. A card of the tableau leaves the one under it by
//! going up, alone (if single cards move, or any part of a run), with what lies on it (any part of a run), or as the
//! lowest face-up card of its pile with all of it (whole piles); in all cases but the first it needs another card that
//! takes it, or a space that takes cards of the tableau. A space arises when the lowest card of a pile leaves. Cards of
//! a reserve leave one after the other.
//!
//! One thing is counted. If a reserve fills spaces at once and nothing else does before it is exhausted, the lowest
//! cards of piles are, until then, the initial ones and cards of the reserve that filled a space. Each of them leaves
//! its pile once, as it is never again the lowest of one, and each time a card of the reserve fills the space. A card
//! of the reserve that can go elsewhere makes as many spaces as it takes, whether none or one. So of the cards that
//! cannot, no more come out of the reserve than initial lowest cards leave, and there is a space for other cards only
//! once the reserve is exhausted and one more of those has left.

use crate::cards::{Card, Rank};
use crate::game::Table;
use crate::rules::{
    DealSpec, Filler, FoundationSpec, MoveRules, MoveUnit, ReserveSpec, Returns, Rules, SpacesSpec,
    StockSpec, TableauSpec, filler_bit,
};

use super::key::each;

/// Number of positions between checks that rarely succeed.
const SELDOM: u32 = 16;

/// Number of checks of which at least one must succeed.
const ENOUGH: u32 = 4;

/// Number of checks after which their success is assessed.
const TRIAL: u32 = 1024;

/// Bounds how many cards can still go up, in the positions of one search.
pub(super) struct RelaxedBound {
    /// Whether the bound is computed at all: only for one pack.
    told: bool,
    /// Consequences of the base rank: of the known one, or of each while it is still to be chosen.
    bases: Vec<Base>,
    /// The cards of waste and stock at the start.
    stock: u64,
    /// Whether cards return from the foundations.
    returns: bool,
    unit: MoveUnit,
    /// Sources that spaces take cards from at any time, as bits of `Filler`.
    fillers: u8,
    /// Whether the single reserve fills spaces at once while it has cards, and nothing else does.
    feeds: bool,
    glances: Glances,
}

/// Consequences of a base rank.
struct Base {
    fits: [u64; 64],
    /// The kinds that each kind fits on.
    takers: [u64; 64],
    /// For each suit, the kinds of its first cards that are up, by their number.
    suits: [[u64; 14]; 4],
}

impl Base {
    fn new(base: Rank, rules: &Rules) -> Base {
        let fits = *rules.fits(base);
        let mut takers = [0; 64];
        for (on, &fits) in fits.iter().enumerate() {
            each(fits, |kind| takers[kind] |= 1 << on);
        }
        let (mut suits, pack) = ([[0; 14]; 4], rules.hot.pack);
        for &suit in pack.suits() {
            let heights = &mut suits[suit.index()];
            for height in 1..=usize::from(pack.ranks) {
                heights[height] = heights[height - 1] | Card::new(base.up(height - 1, pack), suit).bit();
            }
        }
        Base { fits, takers, suits }
    }

    /// Makes these cards available to put others on.
    #[inline(always)]
    fn open(&self, kinds: u64, now: &mut Facts) {
        each(kinds & !now.open, |kind| now.onto |= self.fits[kind]);
        now.open |= kinds;
    }
}

/// Controls how often the bound is computed: rarely if that rarely helps.
#[derive(Clone, Copy, Default)]
pub(super) struct Glances {
    /// Recent checks, and those that succeeded.
    looks: u32,
    helped: u32,
    skipped: u32,
}

impl Glances {
    /// Returns whether to check this position.
    #[inline(always)]
    pub fn asks(&mut self) -> bool {
        if self.looks >= TRIAL && self.helped * ENOUGH < self.looks {
            self.skipped += 1;
            return self.skipped.is_multiple_of(SELDOM);
        }
        true
    }

    /// Records whether the check succeeded.
    #[inline(always)]
    pub fn told(&mut self, helped: bool) -> bool {
        if self.looks >= 2 * TRIAL {
            (self.looks, self.helped) = (self.looks / 2, self.helped / 2);
        }
        self.looks += 1;
        self.helped += u32::from(helped);
        helped
    }
}

impl RelaxedBound {
    /// Prepares the bound for the positions reachable from this one.
    pub fn new(table: &Table, rules: &Rules) -> RelaxedBound {
        // The relaxed game must allow everything that these rules allow.
        let MoveRules {
            deal: DealSpec { packs, order: _ },
            // A reserve that cannot be played from is bounded as if it could, and a limit of height is ignored.
            reserve: ReserveSpec { piles: reserves, size: _, face: _ },
            // The build rules enter as masks of what fits.
            tableau: TableauSpec { deal: _, face: _, build: _, direction: _, wrap: _, unit, max_height: _ },
            // Any rank may start a space here.
            spaces: SpacesSpec { auto, while_reserve, after_reserve, rank: _ },
            // A card that must go up is treated as one that may.
            foundation: FoundationSpec { base: _, start: _, returns, base_play: _ },
            // All of waste and stock is accessible, except in a last pass.
            stock: StockSpec { draw: _, redeals: _, on_redeal: _, waste: _, opening_draw: _ },
        } = rules.spec().move_rules();
        let bases = match table.base() {
            Some(base) => vec![Base::new(base, rules)],
            None => rules.hot.pack.ranks().map(|base| Base::new(base, rules)).collect(),
        };
        let stock = table.waste().iter().chain(table.stock()).fold(0, |stock, card| stock | card.bit());
        let fillers = while_reserve.iter().chain(after_reserve).chain(auto);
        RelaxedBound {
            told: *packs == 1,
            bases,
            stock,
            returns: *returns != Returns::Never,
            unit: *unit,
            fillers: fillers.fold(0, |set, &filler| set | filler_bit(filler)),
            feeds: *reserves == 1
                && auto.first() == Some(&Filler::Reserve)
                && while_reserve.iter().all(|filler| *filler == Filler::Reserve),
            glances: Glances::default(),
        }
    }

    /// Returns whether this many cards can never be up after a position. It skips positions if the check rarely helps.
    #[inline]
    pub fn falls_short(&mut self, table: &Table, rules: &Rules, cards: usize) -> bool {
        self.told && self.glances.asks() && {
            let short = self.most(table, rules) < cards;
            self.glances.told(short)
        }
    }

    /// Returns an upper bound on the number of cards up after a position.
    pub fn most(&self, table: &Table, rules: &Rules) -> usize {
        let Some(rank) = table.base().filter(|_| self.told) else { return rules.hot.cards };
        let base = &self.bases[if self.bases.len() == 1 { 0 } else { rank.index() }];
        let takes = |filler| self.fillers & filler_bit(filler) != 0;
        let mut up = (0..4).fold(0, |up, suit| up | base.suits[suit][table.height(suit) % 14]);
        let mut held = 0;
        let mut piles = [Lying::default(); 52];
        let mut len = 0;
        for p in 0..rules.hot.piles {
            let mut card = table.top_of_pile(p);
            let mut top = true;
            while card != Card::NONE {
                held |= card.bit();
                let under = table.under(card);
                let lowest = under == Card::NONE;
                let moves = match self.unit {
                    MoveUnit::Single => false,
                    MoveUnit::Sequence => true,
                    MoveUnit::Whole | MoveUnit::SingleOrWhole => lowest || table.is_face_down(under),
                };
                let others = base.takers[card.kind()] & !under.bit();
                piles[len % 52] = Lying { bit: card.bit(), others, top, lowest, moves };
                len += 1;
                top = false;
                card = under;
            }
        }
        let piles = &piles[..len.min(52)];
        // If no redeal is left, turned cards are accessible from the top of the waste down.
        let last_pass = table.redeals() >= rules.hot.redeals;
        let (waste, at_hand) = if last_pass {
            (table.waste(), table.stock().iter().fold(0, |stock, card| stock | card.bit()))
        } else {
            (&[][..], self.stock & !(up | held))
        };
        let mut stock = at_hand;
        let spaces = (0..rules.hot.piles).filter(|&p| table.pile_len(p) == 0).count() as u32;
        let mut now = Facts { want: table.wanted(), free: stock, open: 0, onto: 0, left: 0, spaces: false };
        loop {
            let before = now;
            let filled = now.spaces && (takes(Filler::Waste) || takes(Filler::Stock));
            for card in waste.iter().rev() {
                stock |= card.bit();
                if card.bit() & (now.onto | up) == 0 && !filled {
                    break;
                }
            }
            now.free |= stock;
            self.leave_piles(base, piles, up, takes(Filler::Tableau), &mut now);
            // A card that goes nowhere else takes a space.
            let mut left = spaces + now.left;
            let mut gone = true;
            for r in 0..rules.hot.reserves {
                for card in table.reserve(r) {
                    now.free |= card.bit();
                    let goes_on = card.bit() & now.onto != 0;
                    let fills = left > 0 && (self.feeds || takes(Filler::Reserve));
                    if goes_on || fills {
                        base.open(card.bit(), &mut now);
                    }
                    if goes_on || card.bit() & up != 0 {
                        continue;
                    }
                    if !fills {
                        gone = false;
                        break;
                    }
                    left -= u32::from(self.feeds);
                }
            }
            now.spaces = (!self.feeds || gone) && left > 0;
            let filled = now.spaces && (takes(Filler::Waste) || takes(Filler::Stock));
            base.open(stock & if filled { rules.hot.ring.all } else { now.onto }, &mut now);
            if self.returns {
                let filled = now.spaces && takes(Filler::Foundation);
                base.open(up & if filled { rules.hot.ring.all } else { now.onto }, &mut now);
            }
            let mut goes = now.free & now.want & !up;
            while goes != 0 {
                up |= goes;
                now.want |= rules.hot.ring.up(goes);
                goes = now.free & now.want & !up;
            }
            if up == rules.hot.ring.all || before == now {
                return up.count_ones() as usize;
            }
        }
    }

    /// Finds which cards of the piles leave them, from the tops down.
    #[inline(always)]
    fn leave_piles(&self, base: &Base, piles: &[Lying], up: u64, to_spaces: bool, now: &mut Facts) {
        let alone = self.unit != MoveUnit::Whole;
        let mut free = true;
        now.left = 0;
        for card in piles {
            free |= card.top;
            if free {
                now.free |= card.bit;
                base.open(card.bit, now);
            }
            let elsewhere = card.others & now.open != 0 || now.spaces && to_spaces && !card.lowest;
            free = card.bit & up != 0 || elsewhere && (card.moves || free && alone);
            now.left += u32::from(card.lowest && free);
        }
    }
}

/// A card of the tableau.
#[derive(Clone, Copy, Default)]
struct Lying {
    bit: u64,
    /// The kinds that it fits on, except for the one that it lies on.
    others: u64,
    top: bool,
    lowest: bool,
    /// Whether it can move with what lies on it.
    moves: bool,
}

/// What is possible in the relaxed game.
#[derive(Clone, Copy, PartialEq)]
struct Facts {
    /// Kinds that the foundations take.
    want: u64,
    /// Accessible cards.
    free: u64,
    /// Cards of the tableau with nothing on them.
    open: u64,
    /// Kinds that fit on one of those.
    onto: u64,
    /// Number of piles whose lowest card leaves.
    left: u32,
    /// Whether there are spaces that take more than the cards of the reserve.
    spaces: bool,
}

/// Returns an upper bound on the cards up in any reachable position; tightening it further requires solving.
pub fn most_cards(table: &Table, rules: &Rules) -> usize {
    RelaxedBound::new(table, rules).most(table, rules)
}
