//! Compact positions all of whose piles are runs: the representation for most rules of one pack.
//!
//! A whole table takes a kilobyte, copied for each position; here it is a sixth of that, and sets of cards are words of
//! bits. Otherwise nothing differs: the same plays are found in the same order, and positions have the same keys, as
//! with tables (`table_states`). A test compares the two. On tables a deal of `canfield` or `draw-one` takes 1.4 times as
//! long, one of `superior` 1.2 times.
//!
//! The conditions are that there is one pack and at most one reserve, whose top can be played; that no card returns
//! from the foundations; that piles may have any height; and that if spaces are filled at once, the reserve comes
//! first. All cards of the tableau lie face up, each pile a run: it stays a run forever, as what is put on a pile fits
//! its top.

mod anywhere;
mod plays;
mod position;
mod relaxed_bound;
#[cfg(test)]
mod tests;

use crate::cards::Card;
use crate::game::{Move, Place, StockPosition, Table};
use crate::rules::{
    BasePlay, Build, DealSpec, Direction, Filler, FoundationSpec, MoveRules, ReserveFace, ReserveSpec,
    Returns, Ring, Rules, SpaceRank, SpacesSpec, StockSpec, TableauSpec, filler_bit,
};

use super::heuristic::HeuristicKind;
use super::history::History;
use super::key::{Key, ONE_PACK, each};
use super::novelty::Facts;
use super::pruner::Pruner;
use super::relaxed_bound::Glances;
use super::search::{Next, States, Try};
use super::stock_cycle::StockCycle;
use super::successor::{self, Successor};
use super::table_states::TRIES;
use super::transposition_table::LastBits;

pub(super) use position::RunPosition;

/// No kind of card.
const NONE: u8 = 63;
/// Maximum number of piles.
const PILES: usize = 8;
/// Marks cards that did not lie in the tableau at the start of the search.
const NOT_THERE: u8 = 255;

/// The positions reachable from one, and what can be played in them.
pub(super) struct RunStates<'r> {
    rules: &'r Rules,
    pruner: Pruner,
    history: &'r History,
    passes: StockCycle,
    glances: Glances,
    ring: Ring,
    /// The kinds that fit on each kind, and on sets of them.
    fits: &'r [u64; 64],
    onto: Onto,
    piles: usize,
    /// The kinds that the foundations begin with.
    first: u64,
    /// The kinds that may start a space.
    starts: u64,
    /// What each card of the tableau lay on at the start of the search.
    home: [u8; 64],
    /// The reserve, from the bottom up.
    reserve: [u8; 64],
    /// Waste and stock at the start of the search, in the order in which they are shown, and as kinds.
    order: [u8; 64],
    stock: u64,
    number: [u8; 64],
    /// Whether the reserve, while it has cards, fills spaces at once.
    fills: bool,
    /// What fills them once it is exhausted.
    fills_then: &'r [Filler],
    /// Whether the player may fill spaces with the unseen top of the stock.
    unseen: bool,
    /// Whether base cards must go up at once.
    forced: bool,
    /// The base cards of waste and stock, by number, if they must go up at once.
    bases: u64,
    /// Smallest number of cards left in the reserve that includes one which need not go up at once.
    reserve_stays: u8,
}

/// Returns whether the rules allow this representation.
pub(super) fn allowed(rules: &Rules) -> bool {
    let MoveRules {
        deal: DealSpec { packs, order: _ },
        reserve: ReserveSpec { piles: reserves, size: _, face },
        // The piles are judged as they lie, and the build rules enter as masks of what fits.
        tableau: TableauSpec { deal: _, face: _, build: _, direction: _, wrap: _, unit: _, max_height },
        spaces: SpacesSpec { auto, while_reserve: _, after_reserve: _, rank: _ },
        foundation: FoundationSpec { base: _, start: _, returns, base_play: _ },
        // `StockCycle` handles every way of turning it.
        stock: StockSpec { draw: _, redeals: _, on_redeal: _, waste: _, opening_draw: _ },
    } = rules.spec().move_rules();
    *packs == 1
        && *reserves <= 1
        && *face != ReserveFace::Last
        && *max_height == 0
        && *returns == Returns::Never
        && auto.first().is_none_or(|first| *first == Filler::Reserve)
        && rules.hot.piles <= PILES
}

impl<'r> RunStates<'r> {
    /// Prepares the search from a position; `None` if the rules or the position do not allow it.
    pub fn new(
        table: &Table,
        rules: &'r Rules,
        pruner: &'r Pruner,
        history: &'r History,
    ) -> Option<(RunStates<'r>, RunPosition)> {
        let base = table.base()?;
        let runs = |p| table.run_len(p) == table.pile_len(p);
        if !(0..rules.hot.piles).all(runs) {
            return None;
        }
        let spaces = &rules.spec().spaces;
        let mut states = RunStates {
            rules,
            pruner: *pruner,
            history,
            passes: StockCycle::new(table, rules),
            glances: Glances::default(),
            ring: rules.hot.ring,
            fits: rules.fits(base),
            onto: Onto::new(rules.fits(base), rules),
            piles: rules.hot.piles,
            first: rules.hot.ring.of_rank(base),
            starts: rules.starts(base),
            home: [NOT_THERE; 64],
            reserve: [NONE; 64],
            order: [NONE; 64],
            number: [NONE; 64],
            stock: 0,
            fills: !rules.auto.is_empty() && rules.hot.reserves > 0,
            fills_then: rules.auto.get(1..).unwrap_or_default(),
            unseen: spaces.rank == SpaceRank::Any
                && (rules.hot.while_reserve | rules.hot.after_reserve) & filler_bit(Filler::Stock) != 0,
            forced: rules.spec().foundation.base_play != BasePlay::Optional,
            bases: 0,
            reserve_stays: 1,
        };
        for (i, card) in table.waste().iter().chain(table.stock()).enumerate() {
            states.order[i & 63] = card.kind() as u8;
            states.number[card.kind() & 63] = i as u8;
            states.stock |= card.bit();
            let is_forced = states.forced && states.first & card.bit() != 0;
            states.bases |= u64::from(is_forced) << i;
        }
        let position = states.of(table);
        for pile in 0..states.piles {
            let mut card = position.tops[pile];
            while card != NONE {
                states.home[card as usize & 63] = position.under(card);
                card = position.under(card);
            }
        }
        if rules.hot.reserves > 0 {
            for (i, card) in table.reserve(0).enumerate() {
                states.reserve[(table.reserve_left() - 1 - i) & 63] = card.kind() as u8;
            }
        }
        let reserve = &states.reserve[..table.reserve_left().min(64)];
        let stays = |&kind: &u8| !(states.forced && states.first >> kind & 1 != 0);
        states.reserve_stays = reserve.iter().position(stays).map_or(u8::MAX, |lowest| lowest as u8 + 1);
        Some((states, position))
    }

    /// Converts a table to its compact form.
    fn of(&self, table: &Table) -> RunPosition {
        let mut at = RunPosition {
            up: 0,
            tableau: 0,
            below: [NONE; 56],
            tops: [NONE; PILES],
            lows: [NONE; PILES],
            lens: [0; PILES],
            left: 0,
            turned: 0,
            reserve_left: table.reserve_left() as u8,
            place: table.stock_position(),
        };
        for pile in 0..self.piles {
            at.tops[pile] = table.top_of_pile(pile).kind() as u8;
            at.lens[pile] = table.pile_len(pile) as u8;
            let mut card = table.top_of_pile(pile);
            while card != Card::NONE {
                at.tableau |= card.bit();
                at.lows[pile] = card.kind() as u8;
                at.below[card.kind() % 56] = table.under(card).kind() as u8;
                card = table.under(card);
            }
        }
        at.up = (0..4).flat_map(|suit| table.foundation(suit)).fold(0, |up, card| up | card.bit());
        for card in table.waste().iter().chain(table.stock()) {
            at.left |= 1 << self.number[card.kind() & 63];
        }
        at.turned = table.waste().last().map_or(0, |top| self.number[top.kind() & 63] + 1);
        at
    }

    /// Returns the kinds that the foundations take.
    #[inline(always)]
    fn wanted(&self, up: u64) -> u64 {
        (self.ring.up(up) | self.first) & !up
    }

    /// Returns the top of the reserve.
    #[inline(always)]
    fn reserve_top(&self, left: u8) -> u8 {
        if left == 0 { NONE } else { self.reserve[(left as usize - 1) & 63] }
    }

    /// Returns the top of the waste.
    #[inline(always)]
    fn waste_top(&self, at: &RunPosition) -> u8 {
        let waste = at.waste();
        if waste == 0 { NONE } else { self.order[waste.ilog2() as usize & 63] }
    }
}

impl States<ONE_PACK> for RunStates<'_> {
    type Position = RunPosition;
    type Play = Successor;
    const GLANCES: usize = 2;
    const TRIES: &'static [Try] = TRIES;

    #[inline(always)]
    fn cards(&self, at: &RunPosition) -> usize {
        at.up.count_ones() as usize
    }

    fn in_reserves(&self, at: &RunPosition) -> usize {
        at.reserve_left.into()
    }

    fn key(&self, at: &RunPosition) -> Key<ONE_PACK> {
        self.key_of(at)
    }

    fn is_sure(&self) -> bool {
        self.pruner.is_sure()
    }

    fn hurry(&mut self, hasty: bool) {
        self.pruner.hasty = hasty;
    }

    fn facts(key: &Key<ONE_PACK>) -> Facts {
        Facts::of_cards(key)
    }

    fn last_bits(&self) -> LastBits {
        if self.passes.in_order { LastBits::InOrder } else { LastBits::Turned }
    }

    #[inline]
    fn expand(&mut self, at: &RunPosition, key: &Key<ONE_PACK>, out: &mut Vec<Next<ONE_PACK, Successor>>) {
        self.list(at, key, out);
    }

    #[inline(always)]
    fn make(&self, at: &mut RunPosition, play: &Successor) {
        let m = play.m;
        let mut top = NONE;
        let lowest;
        match m.source() {
            Place::Pile(p) => {
                self.turn_to(at, &play.place);
                let p = p & 7;
                top = at.tops[p];
                lowest = at.lowest(p, m.count());
                at.tops[p] = at.under(lowest);
                at.lens[p] -= m.count() as u8;
            }
            Place::Reserve(_) => {
                lowest = self.reserve_top(at.reserve_left);
                at.reserve_left -= 1;
            }
            Place::Stock => {
                self.turn_to(at, &play.place);
                lowest = play.card.kind() as u8;
                self.take(at, Place::Stock, lowest);
            }
            // There are no other sources.
            _ => {
                at.place = StockPosition { turns: 0, ..play.place };
                lowest = play.card.kind() as u8;
                self.take(at, Place::Waste, lowest);
            }
        }
        if top == NONE {
            top = lowest;
        }
        let bit = 1 << (lowest & 63);
        match m.target() {
            Place::Pile(q) => {
                at.tableau |= bit;
                at.put(q, lowest, top, m.count() as u8);
            }
            _ => {
                at.up |= bit;
                at.tableau &= !bit;
            }
        }
        if let Place::Pile(p) = m.source()
            && at.tops[p & 7] == NONE
        {
            at.lows[p & 7] = NONE;
            self.fill_space(at, p);
        }
    }

    #[inline(always)]
    fn goes_up(play: &Successor) -> bool {
        play.m.to_foundation()
    }

    fn heuristic(&self, at: &RunPosition, kind: HeuristicKind) -> i32 {
        self.judge(at, kind)
    }

    #[inline]
    fn falls_short(&mut self, at: &RunPosition, cards: usize) -> bool {
        self.pruner.looks_ahead && self.glances.asks() && {
            let short = self.is_short(at, cards);
            self.glances.told(short)
        }
    }

    fn tell(&self, root: &Table, line: &[Successor]) -> Vec<Move> {
        successor::tell(self.rules, root, line)
    }
}

/// Computes what fits on sets of kinds, if that can be done by shifting bits.
#[derive(Clone, Copy, Debug)]
struct Onto {
    /// The kinds on which something fits.
    takers: u64,
    build: Build,
    direction: Direction,
    ring: Ring,
}

/// The first suit of every rank.
const SUIT: u64 = 0x1_1111_1111_1111;

impl Onto {
    pub fn new(fits: &[u64; 64], rules: &Rules) -> Onto {
        let takers = (0..52).filter(|&kind| fits[kind] != 0).fold(0, |takers, kind| takers | 1 << kind);
        let tableau = &rules.spec().tableau;
        Onto { takers, build: tableau.build, direction: tableau.direction, ring: rules.hot.ring }
    }

    /// Returns the kinds that fit on some of these.
    #[inline(always)]
    pub fn of(&self, open: u64) -> u64 {
        let open = open & self.takers;
        let red = || (open >> 1 | open >> 2) & SUIT;
        let black = || (open | open >> 3) & SUIT;
        let suits = match self.build {
            Build::AlternateColor => (black() * 0b0110) | (red() * 0b1001),
            Build::SameColor => (red() * 0b0110) | (black() * 0b1001),
            Build::SameSuit => open,
            Build::Any => (red() | black()) * 0b1111,
        };
        match self.direction {
            Direction::Down => self.ring.down(suits),
            Direction::Up => self.ring.up(suits),
            Direction::Same => suits,
        }
    }
}
