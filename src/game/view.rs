//! What a person at the table could see and remember.

use crate::cards::{Card, Purpose, Rank, Suit, below, generator};
use crate::rules::{OnRedeal, ReserveFace, Rules, Spec, WasteFace};

use super::moves::{Move, Place};
use super::opponents::Opponents;
use super::outcome::Stake;
use super::player_state::PlayerState;
use super::stakes::Stakes;
use super::table::Table;
use super::termination::TerminationTracker;

/// What a player knows of the hidden cards beside what it sees, to measure what that knowledge is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Knowledge {
    /// The cards that went by in earlier passes, as a person remembers them.
    #[default]
    Memory,
    /// Nothing: earlier passes are forgotten.
    Forgets,
    /// The stock and the waste, from the deal on.
    Stock,
    /// The hidden cards of reserve and tableau, from the deal on.
    Table,
}

/// A position as its player knows it. Hidden cards cannot be reached through it, unless the program itself gives a player
/// more [`Knowledge`] to measure its worth.
///
/// Piles and suits count from 0 here; scripts count from 1.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(super) table: &'a Table,
    pub(super) rules: &'a Rules,
    pub(super) rng: &'a PlayerState,
    pub(super) stakes: &'a Stakes,
    pub(super) opponents: Option<&'a Opponents>,
    /// The termination tracker, for a view of a game in progress.
    pub(super) termination: Option<&'a TerminationTracker>,
    /// Whether it is another player's table.
    others: bool,
    /// What the player knows beside what it sees.
    pub(super) knowledge: Knowledge,
    /// Equal only for views of the same reserves and piles; 0 if unknown.
    pub(super) arrangement: u64,
}

/// The account of a player who buys nothing.
static NO_STAKES: Stakes = Stakes::NONE;

impl<'a> View<'a> {
    /// Returns the player's view of a table.
    #[inline(always)]
    pub fn new(table: &'a Table, rules: &'a Rules, rng: &'a PlayerState) -> View<'a> {
        View {
            table,
            rules,
            rng,
            stakes: &NO_STAKES,
            opponents: None,
            termination: None,
            others: false,
            knowledge: Knowledge::Memory,
            arrangement: 0,
        }
    }

    /// Adds the opponents of a player in a game for several.
    pub fn with_opponents(self, opponents: &'a Opponents) -> View<'a> {
        View { opponents: Some(opponents), ..self }
    }

    /// Adds the account of a player who buys stages.
    pub fn with_stakes(self, stakes: &'a Stakes) -> View<'a> {
        View { stakes, ..self }
    }

    /// Changes what the player knows beside what it sees.
    pub(crate) fn knowing(self, knowledge: Knowledge) -> View<'a> {
        View { knowledge, ..self }
    }

    /// Returns what the player knows beside what it sees.
    pub(crate) fn knowledge(&self) -> Knowledge {
        self.knowledge
    }

    /// Replaces the random numbers.
    pub fn with_rng<'b>(self, rng: &'b PlayerState) -> View<'b>
    where
        'a: 'b,
    {
        View { rng, ..self }
    }

    /// Returns the rules.
    pub fn rules(&self) -> &'a Spec {
        self.rules.spec()
    }

    /// Returns the number of players; 1 if one plays alone.
    pub fn seats(&self) -> usize {
        self.opponents.map_or(1, |opponents| opponents.seats())
    }

    /// Returns the seat whose view this is, from 0.
    pub fn seat(&self) -> usize {
        self.opponents.map_or(0, |opponents| opponents.seat)
    }

    /// Returns the score of a seat so far, including the current value of its deal; 0 if one plays alone.
    pub fn score(&self, seat: usize) -> i64 {
        self.opponents.and_then(|opponents| opponents.scores.get(seat)).copied().unwrap_or(0)
    }

    /// Returns the view of the table at a seat: its open cards, but not what its player may remember. `None` if there
    /// is no such seat.
    pub fn other(&self, seat: usize) -> Option<View<'a>> {
        match self.opponents {
            Some(opponents) => {
                let table = opponents.tables.get(seat)?;
                Some(View { table, others: true, ..*self })
            }
            None => (seat == 0).then_some(View { others: true, ..*self }),
        }
    }

    /// Returns what the others see of the player's own table.
    pub fn own_seat(&self) -> View<'a> {
        View { others: true, ..*self }
    }

    /// Adds the termination tracker of a game in progress.
    pub(super) fn with_termination(self, termination: Option<&'a TerminationTracker>) -> View<'a> {
        View { termination, ..self }
    }

    /// Returns the compiled rules, for a copy of the view.
    #[inline(always)]
    pub(crate) fn compiled(&self) -> &'a Rules {
        self.rules
    }

    /// Returns the base rank; `None` before it is chosen.
    #[inline]
    pub fn base(&self) -> Option<Rank> {
        self.table.base()
    }

    /// Returns the dealt cards to choose the base card from.
    pub fn offered(&self) -> &'a [Card] {
        self.table.offered()
    }

    /// Returns the number of cards that this player has on the foundations.
    pub fn cards(&self) -> usize {
        self.table.cards()
    }

    /// Returns the number of cards up in a suit, including those of other players on shared foundations.
    #[inline]
    pub fn foundation(&self, suit: Suit) -> usize {
        self.foundation_heights(suit).sum()
    }

    /// Returns the number of cards on each foundation of a suit, lowest-numbered first.
    pub fn foundation_heights(&self, suit: Suit) -> impl Iterator<Item = usize> + 'a {
        let shared = self.opponents.and_then(|opponents| opponents.shared.as_ref());
        let has = suit.index() < self.rules.hot.pack.suits.into();
        let own = if shared.is_some() || !has { 0 } else { self.rules.hot.packs };
        let own = self.table.foundations.iter().skip(suit.index()).step_by(4).take(own);
        own.map(|f| f.len as usize).chain(shared.into_iter().flat_map(move |shared| shared.heights(suit)))
    }

    /// Returns whether the foundations would take the card in this position.
    #[inline]
    pub fn wants(&self, card: Card) -> bool {
        self.table.want & card.bit() != 0
    }

    /// Returns how many cards of its suit must go up before this one can; 0 if it is wanted at once, and before the
    /// base is chosen.
    #[inline]
    pub fn steps(&self, card: Card) -> usize {
        let Some(base) = self.base() else { return 0 };
        let above = card.rank().steps_above(base, self.rules.hot.pack);
        self.foundation_heights(card.suit()).filter_map(|height| above.checked_sub(height)).min().unwrap_or(0)
    }

    /// Returns the number of reserve piles.
    pub fn reserves(&self) -> usize {
        self.rules.hot.reserves
    }

    /// Returns the number of cards left in all reserves.
    #[inline(always)]
    pub fn reserve_left(&self) -> usize {
        self.table.reserve_left()
    }

    /// Returns the number of cards of one reserve, including face-down ones; 0 if there is no such reserve.
    #[inline]
    pub fn reserve_len(&self, reserve: usize) -> usize {
        self.table.reserves.get(reserve).map_or(0, |stack| stack.len as usize)
    }

    /// Returns the card `below` places under the top of a reserve, if it is face up.
    #[inline]
    pub fn reserve(&self, reserve: usize, below: usize) -> Option<Card> {
        let stack = self.table.reserves.get(reserve)?;
        let seen = match self.rules.hot.reserve_face {
            ReserveFace::Top => below == 0,
            ReserveFace::All => true,
            ReserveFace::Last => stack.len == 1,
        } || self.knowledge == Knowledge::Table;
        (seen && below < stack.len as usize).then(|| self.table.descend(stack.top, below))
    }

    /// Returns the top of the first reserve, if it is face up.
    #[inline]
    pub fn reserve_top(&self) -> Option<Card> {
        self.reserve(0, 0)
    }

    /// Returns the number of tableau piles.
    #[inline]
    pub fn piles(&self) -> usize {
        self.rules.hot.piles
    }

    /// Returns the number of cards of a pile, including face-down ones; 0 if there is no such pile.
    #[inline]
    pub fn pile_len(&self, pile: usize) -> usize {
        self.table.piles.get(pile).map_or(0, |p| p.len as usize)
    }

    /// Returns the top card of a pile.
    #[inline]
    pub fn pile_top(&self, pile: usize) -> Option<Card> {
        self.pile(pile, 0)
    }

    /// Returns the card `below` places under the top of a pile, if it is face up.
    #[inline]
    pub fn pile(&self, pile: usize, below: usize) -> Option<Card> {
        let p = self.table.piles.get(pile)?;
        if below >= p.len as usize {
            return None;
        }
        let card = self.table.lowest_of(pile, below + 1);
        (!self.table.is_face_down(card) || self.knowledge == Knowledge::Table).then_some(card)
    }

    /// Returns the number of empty piles.
    #[inline]
    pub fn spaces(&self) -> usize {
        self.table.piles[..self.piles()].iter().filter(|p| p.len == 0).count()
    }

    /// Returns the number of cards in the stock.
    #[inline]
    pub fn stock_left(&self) -> usize {
        (self.table.end - self.table.next) as usize
    }

    /// Returns the number of cards in the waste.
    #[inline]
    pub fn waste_left(&self) -> usize {
        self.table.waste as usize
    }

    /// Returns the top of the waste.
    #[inline]
    pub fn waste_top(&self) -> Option<Card> {
        self.table.waste().last().copied()
    }

    /// Returns the card `below` places under the top of the waste; below the top only if it is fanned, or the card was
    /// bought.
    #[inline]
    pub fn waste(&self, below: usize) -> Option<Card> {
        let card = self.table.waste().iter().rev().nth(below).copied()?;
        let squared = self.rules.spec().stock.waste == WasteFace::Squared;
        let seen = below == 0 || !squared || self.knowledge == Knowledge::Stock;
        (seen || self.stakes.knows(card)).then_some(card)
    }

    /// Returns the card that comes after `ahead` others in this pass, if an earlier pass showed it or it was bought.
    #[inline]
    pub fn coming(&self, ahead: usize) -> Option<Card> {
        let card = self.table.stock().get(ahead).copied()?;
        (self.knows_stock() || self.stakes.knows(card)).then_some(card)
    }

    /// Returns whether every card of the stock is known: it was shown by an earlier pass, with a fanned waste and the order
    /// kept.
    #[inline]
    pub fn knows_stock(&self) -> bool {
        let stock = &self.rules.spec().stock;
        let remembered = !self.others
            && self.table.redeals > 0
            && stock.waste == WasteFace::Fanned
            && stock.on_redeal == OnRedeal::Turn;
        match self.knowledge {
            Knowledge::Memory | Knowledge::Table => remembered,
            Knowledge::Forgets => false,
            Knowledge::Stock => true,
        }
    }

    /// Returns what was paid for so far, and whether the player stopped.
    pub fn purchases(&self) -> Stake {
        self.stakes.stake()
    }

    /// Returns the cents staked: the price of the deck, or, if it is bought in stages, what was paid so far.
    pub fn stake(&self) -> i64 {
        let casino = &self.rules.spec().casino;
        if casino.is_staged() { self.stakes.staked() } else { casino.stake }
    }

    /// Returns the number of the pass through the stock, from 1.
    #[inline]
    pub fn pass(&self) -> u32 {
        self.table.pass()
    }

    /// Returns the number of redeals left; `None` if they are unlimited.
    #[inline]
    pub fn redeals_left(&self) -> Option<u32> {
        self.rules.spec().stock.redeals.map(|all| all - self.table.redeals)
    }

    /// Returns the number of cards in the game.
    pub fn all_cards(&self) -> usize {
        self.rules.hot.cards
    }

    /// Returns what the house pays at the end for this many cards on the foundations, in cents, before fees of redeals.
    pub fn pay(&self, cards: usize) -> i64 {
        self.rules.pay(cards)
    }

    /// Returns the price of the next redeal, in cents.
    pub fn redeal_fee(&self) -> i64 {
        self.rules.spec().casino.redeal_fee(self.table.redeals)
    }

    /// Returns the size of the next packet; 0 if a die will decide it.
    #[inline]
    pub fn draw(&self) -> usize {
        self.table.packet()
    }

    /// Returns the lowest card that a move moves; `None` for a draw, a redeal and a card not yet seen.
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

    /// Returns whether the move fills a space.
    #[inline(always)]
    pub fn to_space(&self, m: Move) -> bool {
        m.to_tableau() & (self.table.piles[m.target_pile()].len == 0)
    }

    /// Returns whether the move makes a space, before any refill.
    #[inline(always)]
    pub fn empties_pile(&self, m: Move) -> bool {
        m.from_tableau() & (self.table.piles[m.source_pile()].len as usize == m.count())
    }

    /// Returns whether the move uncovers a hidden card, of the tableau or of a reserve.
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

/// A strategy's random numbers and memory.
impl View<'_> {
    /// Returns a whole number in `0..n` from the game's own stream for strategies. `n` must not be 0.
    pub fn random(&self, n: u32) -> u32 {
        let mut rng = self.rng.stream.borrow_mut();
        let (seed, game) = (self.rng.seed, self.rng.game);
        below(rng.get_or_insert_with(|| generator(seed, game, Purpose::Strategy)), n)
    }

    /// Returns a number that the strategy kept in this game, 0 if it was never set; `None` if the index is out of
    /// range.
    #[inline]
    pub fn remembered(&self, place: i64) -> Option<i64> {
        self.rng.remembered(place)
    }

    /// Keeps a number until the game ends; `None` if the index is out of range.
    pub fn remember(&self, place: i64, number: i64) -> Option<()> {
        self.rng.remember(place, number)
    }

    /// Returns a whole number in `0..n` that stays the same for the whole game, from its own stream: a mix of
    /// strategies uses it to pick the one that plays. `n` must be positive, and the same each time.
    pub fn drawn(&self, n: u32) -> u32 {
        self.rng.drawn(n)
    }
}

/// Bulk access, for code that asks for many cards repeatedly.
impl<'a> View<'a> {
    /// Returns a number that is equal only for views of the same reserves and piles; 0 if unknown.
    #[inline(always)]
    pub(crate) fn arrangement(&self) -> u64 {
        self.arrangement
    }

    /// Returns the kinds that the foundations take next.
    #[inline(always)]
    pub(crate) fn wanted(&self) -> u64 {
        self.table.want
    }

    /// Returns the waste, lowest card first, if it is fanned; empty otherwise.
    #[inline(always)]
    pub(crate) fn fanned(&self) -> &'a [Card] {
        let fanned = self.rules.hot.fanned;
        if fanned { self.table.waste() } else { &[] }
    }

    /// Returns the stock, next card first, if an earlier pass showed all of it; empty otherwise.
    #[inline(always)]
    pub(crate) fn known_stock(&self) -> &'a [Card] {
        if self.knows_stock() { self.table.stock() } else { &[] }
    }
}
