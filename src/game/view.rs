//! What a person at the table could see and remember.

use crate::cards::{Card, Rank, Suit};
use crate::rules::{OnRedeal, ReserveFace, Rules, Spec, WasteFace};

use super::moves::{Move, Place};
use super::opponents::Opponents;
use super::stakes::Stakes;
use super::strategy_rng::StrategyRng;
use super::table::Table;
use super::termination::TerminationTracker;

/// A position as its player knows it. Hidden cards cannot be reached through it.
///
/// Piles and suits count from 0 here; scripts count from 1.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(super) table: &'a Table,
    pub(super) rules: &'a Rules,
    rng: &'a StrategyRng,
    stakes: &'a Stakes,
    opponents: Option<&'a Opponents>,
    /// What tells when the game goes nowhere, where the view is of a game under way.
    termination: Option<&'a TerminationTracker>,
    /// It is somebody else's table.
    others: bool,
    /// The same for views of the same reserves and piles; 0 where that is not known.
    pub(super) arrangement: u64,
}

/// The account of a player who buys nothing.
static NO_STAKES: Stakes = Stakes::NONE;

impl<'a> View<'a> {
    /// The player's view of a table.
    #[inline(always)]
    pub fn new(table: &'a Table, rules: &'a Rules, rng: &'a StrategyRng) -> View<'a> {
        View {
            table,
            rules,
            rng,
            stakes: &NO_STAKES,
            opponents: None,
            termination: None,
            others: false,
            arrangement: 0,
        }
    }

    /// The same, of a player who is not alone.
    pub fn with_opponents(self, opponents: &'a Opponents) -> View<'a> {
        View { opponents: Some(opponents), ..self }
    }

    /// The view of a player who has bought what this account says.
    pub fn with_stakes(self, stakes: &'a Stakes) -> View<'a> {
        View { stakes, ..self }
    }

    /// The same view with other randomness.
    pub fn with_rng<'b>(self, rng: &'b StrategyRng) -> View<'b>
    where
        'a: 'b,
    {
        View { rng, ..self }
    }

    /// The rules played.
    pub fn rules(&self) -> &'a Spec {
        self.rules.spec()
    }

    /// How many play; 1 where somebody plays alone.
    pub fn seats(&self) -> usize {
        self.opponents.map_or(1, |opponents| opponents.seats())
    }

    /// The seat whose view this is, from 0.
    pub fn seat(&self) -> usize {
        self.opponents.map_or(0, |opponents| opponents.seat)
    }

    /// The points of a seat so far, with what its deal is worth as it stands; 0 where somebody plays alone.
    pub fn score(&self, seat: usize) -> i64 {
        self.opponents.and_then(|opponents| opponents.scores.get(seat)).copied().unwrap_or(0)
    }

    /// What can be seen of the table of a seat: what lies open there, but not what its player may
    /// remember. `None` for a seat that is not there.
    pub fn other(&self, seat: usize) -> Option<View<'a>> {
        match self.opponents {
            Some(opponents) => {
                let table = opponents.tables.get(seat)?;
                Some(View { table, others: true, ..*self })
            }
            None => (seat == 0).then_some(View { others: true, ..*self }),
        }
    }

    /// What the others see of the player's own table.
    pub fn own_seat(&self) -> View<'a> {
        View { others: true, ..*self }
    }

    /// The same of a game under way.
    pub(super) fn with_termination(self, termination: Option<&'a TerminationTracker>) -> View<'a> {
        View { termination, ..self }
    }

    /// What tells when the game goes nowhere, for a copy of the view.
    pub(super) fn termination(&self) -> Option<&'a TerminationTracker> {
        self.termination
    }

    /// The opponents, for a copy of the view.
    pub(super) fn opponents(&self) -> Option<&'a Opponents> {
        self.opponents
    }

    /// The table seen, for a copy of the view.
    #[inline]
    pub(super) fn table(&self) -> &'a Table {
        self.table
    }

    /// The strategy's randomness, for a copy of the view.
    #[inline]
    pub(super) fn rng(&self) -> &'a StrategyRng {
        self.rng
    }

    /// What was bought, for a copy of the view.
    #[inline]
    pub(super) fn stakes(&self) -> &'a Stakes {
        self.stakes
    }

    /// The rules with their tables, for a copy of the view.
    #[inline(always)]
    pub(crate) fn compiled(&self) -> &'a Rules {
        self.rules
    }

    /// The base rank; `None` before it is chosen.
    #[inline]
    pub fn base(&self) -> Option<Rank> {
        self.table.base()
    }

    /// The dealt cards among which the base card is still to be chosen.
    pub fn offered(&self) -> &'a [Card] {
        self.table.offered()
    }

    /// Cards that this player has on the foundations.
    pub fn cards(&self) -> usize {
        self.table.cards()
    }

    /// Cards up in a suit, those of other players on shared foundations included.
    #[inline]
    pub fn foundation(&self, suit: Suit) -> usize {
        self.foundation_heights(suit).sum()
    }

    /// Cards on each foundation of a suit, the lowest-numbered first.
    pub fn foundation_heights(&self, suit: Suit) -> impl Iterator<Item = usize> + 'a {
        let shared = self.opponents.and_then(|opponents| opponents.shared.as_ref());
        let own = if shared.is_some() { 0 } else { self.rules.hot.packs };
        let own = self.table.foundations.iter().skip(suit.index()).step_by(4).take(own);
        own.map(|f| f.len as usize).chain(shared.into_iter().flat_map(move |shared| shared.heights(suit)))
    }

    /// Would the foundations take the card now?
    #[inline]
    pub fn wants(&self, card: Card) -> bool {
        self.table.want & card.bit() != 0
    }

    /// How many cards of its suit must go up before this one can; 0 if it is wanted now, and before
    /// the base is chosen.
    #[inline]
    pub fn steps(&self, card: Card) -> usize {
        let Some(base) = self.base() else { return 0 };
        let above = card.rank().steps_above(base);
        self.foundation_heights(card.suit()).filter_map(|height| above.checked_sub(height)).min().unwrap_or(0)
    }

    /// Reserve piles.
    pub fn reserves(&self) -> usize {
        self.rules.hot.reserves
    }

    /// Cards left in all reserves.
    #[inline(always)]
    pub fn reserve_left(&self) -> usize {
        self.table.reserve_left()
    }

    /// Cards of one reserve, face-down ones counted; 0 for a reserve that is not there.
    #[inline]
    pub fn reserve_len(&self, reserve: usize) -> usize {
        self.table.reserves.get(reserve).map_or(0, |stack| stack.len as usize)
    }

    /// The card `below` places under the top of a reserve, if it is face up.
    #[inline]
    pub fn reserve(&self, reserve: usize, below: usize) -> Option<Card> {
        let stack = self.table.reserves.get(reserve)?;
        let seen = match self.rules.hot.reserve_face {
            ReserveFace::Top => below == 0,
            ReserveFace::All => true,
            ReserveFace::Last => stack.len == 1,
        };
        (seen && below < stack.len as usize).then(|| self.table.descend(stack.top, below))
    }

    /// The top of the first reserve, if it is face up.
    #[inline]
    pub fn reserve_top(&self) -> Option<Card> {
        self.reserve(0, 0)
    }

    /// Tableau piles.
    #[inline]
    pub fn piles(&self) -> usize {
        self.rules.hot.piles
    }

    /// All cards of a pile, face-down ones counted; 0 for a pile that is not there.
    #[inline]
    pub fn pile_len(&self, pile: usize) -> usize {
        self.table.piles.get(pile).map_or(0, |p| p.len as usize)
    }

    /// The top card of a pile.
    #[inline]
    pub fn pile_top(&self, pile: usize) -> Option<Card> {
        self.pile(pile, 0)
    }

    /// The card `below` places under the top of a pile, if it is face up.
    #[inline]
    pub fn pile(&self, pile: usize, below: usize) -> Option<Card> {
        let p = self.table.piles.get(pile)?;
        if below >= p.len as usize {
            return None;
        }
        let card = self.table.lowest_of(pile, below + 1);
        (!self.table.is_face_down(card)).then_some(card)
    }

    /// Empty piles.
    #[inline]
    pub fn spaces(&self) -> usize {
        self.table.piles[..self.piles()].iter().filter(|p| p.len == 0).count()
    }

    /// Cards in the stock.
    #[inline]
    pub fn stock_left(&self) -> usize {
        (self.table.end - self.table.next) as usize
    }

    /// Cards in the waste.
    #[inline]
    pub fn waste_left(&self) -> usize {
        self.table.waste as usize
    }

    /// The top of the waste.
    #[inline]
    pub fn waste_top(&self) -> Option<Card> {
        self.table.waste().last().copied()
    }

    /// The card `below` places under the top of the waste; below the top only where it is fanned, or the card was bought.
    #[inline]
    pub fn waste(&self, below: usize) -> Option<Card> {
        let card = self.table.waste().iter().rev().nth(below).copied()?;
        let squared = self.rules.spec().stock.waste == WasteFace::Squared;
        (below == 0 || !squared || self.stakes.knows(card)).then_some(card)
    }

    /// The card that comes after `ahead` others in this pass, where an earlier pass showed it or it was
    /// bought.
    #[inline]
    pub fn coming(&self, ahead: usize) -> Option<Card> {
        let card = self.table.stock().get(ahead).copied()?;
        (self.knows_stock() || self.stakes.knows(card)).then_some(card)
    }

    /// Every card of the stock went by in an earlier pass, fanned, and its order was kept.
    #[inline]
    pub fn knows_stock(&self) -> bool {
        let stock = &self.rules.spec().stock;
        !self.others
            && self.table.redeals > 0
            && stock.waste == WasteFace::Fanned
            && stock.on_redeal == OnRedeal::Turn
    }

    /// Cents staked: the price of the deck, or, where it is bought in stages, what was paid so far.
    pub fn stake(&self) -> i64 {
        let casino = &self.rules.spec().casino;
        if casino.is_staged() { self.stakes.staked() } else { casino.stake }
    }

    /// The pass through the stock, from 1.
    #[inline]
    pub fn pass(&self) -> u32 {
        self.table.pass()
    }

    /// Redeals left; `None` where they are unlimited.
    #[inline]
    pub fn redeals_left(&self) -> Option<u32> {
        self.rules.spec().stock.redeals.map(|all| all - self.table.redeals)
    }

    /// Cards in the game.
    pub fn all_cards(&self) -> usize {
        self.rules.hot.cards
    }

    /// What the house pays at the end for so many cards on the foundations, cents; fees of redeals are not taken off.
    pub fn pay(&self, cards: usize) -> i64 {
        self.rules.pay(cards)
    }

    /// What the next redeal costs, cents.
    pub fn redeal_fee(&self) -> i64 {
        self.rules.spec().casino.redeal_fee(self.table.redeals)
    }

    /// Size of the next packet; 0 while a die will say.
    #[inline]
    pub fn draw(&self) -> usize {
        self.table.packet()
    }

    /// The lowest card a move moves; `None` for a draw, a redeal and a card not yet seen.
    #[inline]
    pub fn card(&self, m: Move) -> Option<Card> {
        match m.source() {
            _ if !m.is_play() => None,
            Place::Reserve(r) => self.reserve(r, 0),
            Place::Waste => self.waste_top(),
            Place::Stock => self.coming(0),
            Place::Pile(p) => Some(self.table.lowest_of(p, m.count())),
            Place::Foundation(f) => Some(self.table.foundations[f & 15].top),
            Place::Offered(i) => self.offered().get(i).copied(),
            Place::Foundations => None,
        }
    }

    /// The move is into a space.
    #[inline(always)]
    pub fn to_space(&self, m: Move) -> bool {
        m.to_tableau() & (self.table.piles[m.target_pile()].len == 0)
    }

    /// The move makes a space, before any refill.
    #[inline(always)]
    pub fn empties_pile(&self, m: Move) -> bool {
        m.from_tableau() & (self.table.piles[m.source_pile()].len as usize == m.count())
    }

    /// The move uncovers a hidden card, of the tableau or of a reserve.
    #[inline]
    pub fn turns_up(&self, m: Move) -> bool {
        match m.source() {
            Place::Pile(p) => self.pile_len(p) > m.count() && self.pile(p, m.count()).is_none(),
            Place::Reserve(r) => {
                self.rules.hot.reserve_face == ReserveFace::Top && self.table.reserves[r & 3].len > 1
            }
            _ => false,
        }
    }
}
