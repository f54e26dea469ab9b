//! One game from the deal to its end: asks for decisions, makes moves, knows when it is over.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::cards::Card;
use crate::rules::Rules;

use super::chance::Chance;
use super::end::End;
use super::moves::{Move, MoveList};
use super::outcome::Outcome;
use super::strategy_rng::StrategyRng;
use super::table::Table;
use super::termination::TerminationTracker;
use super::view::View;

/// Watches a game without deciding anything.
pub trait Observer {
    /// Whether it looks at all.
    fn watches(&self) -> bool {
        true
    }
    /// A die was rolled.
    fn rolled(&mut self, _face: u8) {}
    /// The stock was shuffled; its new order, next card first.
    fn shuffled(&mut self, _stock: &[Card]) {}
    /// A move is about to be made on `table`, chosen from `legal`.
    fn moving(&mut self, _table: &Table, _legal: &MoveList, _chosen: Move) {}
}

/// Watches nothing.
impl Observer for () {
    fn watches(&self) -> bool {
        false
    }
}

/// A player, as the game asks one.
pub trait Agent<'r, E> {
    /// The index of one of the legal moves, or `None` to resign.
    ///
    /// # Errors
    /// Those of the player.
    fn decide(&mut self, game: &Game<'r>) -> Result<Option<usize>, E>;

    /// After a decision to draw: if true, the engine repeats the draw without asking until the legal moves
    /// change.
    fn repeats_draw(&self) -> bool {
        false
    }
}

impl<'r, E, F: FnMut(&Game<'r>) -> Result<Option<usize>, E>> Agent<'r, E> for F {
    #[inline(always)]
    fn decide(&mut self, game: &Game<'r>) -> Result<Option<usize>, E> {
        self(game)
    }
}

/// A game under way. Made once for each thread and dealt again and again.
pub struct Game<'r> {
    rules: &'r Rules,
    table: Table,
    legal: MoveList,
    termination: TerminationTracker,
    end: Option<End>,
    /// A number that no other deal and no other play of any game has.
    arrangement: u64,
}

impl<'r> Game<'r> {
    /// A game of these rules, not dealt yet.
    pub fn new(rules: &'r Rules) -> Game<'r> {
        let (table, legal, termination) = (Table::BARE, MoveList::new(), TerminationTracker::new(rules));
        Game { rules, table, legal, termination, end: None, arrangement: Game::new_arrangement() }
    }

    /// A number for the first position of a game that is played again and again: no other has it, nor any that comes up
    /// to a million million plays after it.
    pub(super) fn new_arrangement() -> u64 {
        static GAMES: AtomicU64 = AtomicU64::new(1);
        GAMES.fetch_add(1, Ordering::Relaxed) << 40
    }

    /// A game that goes on from the position that `deal` makes of a bare table. `legal` is any list, and `arrangement` a number
    /// whose successors are free.
    #[inline(always)]
    pub(super) fn resume(
        rules: &'r Rules,
        deal: impl FnOnce(&mut Table),
        termination: &TerminationTracker,
        legal: MoveList,
        arrangement: u64,
    ) -> Game<'r> {
        let (table, termination) = (Table::BARE, termination.clone());
        let mut game = Game { rules, table, legal, termination, end: None, arrangement: arrangement + 1 };
        deal(&mut game.table);
        game.look();
        game
    }

    #[cfg(test)]
    pub(super) fn termination_for_tests(&self) -> TerminationTracker {
        self.termination.clone()
    }

    /// The list of moves, for the next game, and the number that is free after this one.
    pub(super) fn into_spare(self) -> (MoveList, u64) {
        (self.legal, self.arrangement)
    }

    /// Deals a deck of the rules' shape.
    #[inline]
    pub fn deal(&mut self, deck: &[Card], chance: &mut impl Chance) {
        self.table.deal_again(self.rules, deck, chance);
        self.termination.begin(&self.table);
        self.end = None;
        self.arrangement += 1;
        self.look();
    }

    /// Deals a deck of few ranks and suits, the others being up.
    #[cfg(test)]
    pub(crate) fn deal_raised(&mut self, deck: &[Card], heights: [usize; 4]) {
        self.table = Table::deal(self.rules, deck, &mut super::chance::NoChance);
        self.table.raise(heights, self.rules);
        self.termination.begin(&self.table);
        self.end = None;
        self.arrangement += 1;
        self.look();
    }

    /// The same as [`Game::deal`], telling an observer of dice rolled as part of the deal.
    #[inline]
    pub fn deal_watched(&mut self, deck: &[Card], chance: &mut impl Chance, observer: &mut impl Observer) {
        self.deal(deck, &mut Watched { chance, observer });
    }

    /// The rules played.
    pub fn rules(&self) -> &'r Rules {
        self.rules
    }

    /// The position.
    #[inline(always)]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What its player sees.
    #[inline(always)]
    pub fn view<'a>(&'a self, rng: &'a StrategyRng) -> View<'a> {
        let mut view = View::new(&self.table, self.rules, rng);
        view.arrangement = self.arrangement;
        view.with_termination(Some(&self.termination))
    }

    /// The legal moves of the position, in the engine's order.
    #[inline(always)]
    pub fn legal(&self) -> &MoveList {
        &self.legal
    }

    /// How the game ended, once it has.
    #[inline(always)]
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Whether choosing this draw or redeal would end the game as barren instead of being made.
    #[inline(always)]
    pub fn would_be_barren(&self, m: Move) -> bool {
        !m.is_play() && self.termination.goes_nowhere(m, &self.table)
    }

    /// Makes one of the legal moves, unless the pass it would end or go on with goes nowhere:
    /// then the game ends and the move is not made. True if it was made.
    #[inline(always)]
    pub fn make(&mut self, m: Move, chance: &mut impl Chance) -> bool {
        if self.would_be_barren(m) {
            self.end = Some(End::Barren);
            return false;
        }
        self.advance(m, chance);
        true
    }

    #[inline(always)]
    fn advance(&mut self, m: Move, chance: &mut impl Chance) {
        if m.is_play() {
            let applied = self.table.apply_play(self.rules, m);
            self.arrangement += 1;
            self.end = self.termination.after_play(m, applied, &self.table, self.table.waste_top());
            self.look();
        } else {
            self.termination.before_turning(m, &self.table, &[0; 4]);
            self.table.turn(self.rules, m, chance);
            self.end = self.termination.after_turning(self.table.waste_top());
            self.table.legal_moves_after_turning(self.rules, &mut self.legal);
            self.look_on();
        }
    }

    /// Foundations that others build on too now take these kinds. A game that went nowhere, or was given
    /// up, goes on; one that is won, or was stopped as a runaway, does not.
    pub(crate) fn on_foundations_changed(&mut self, wanted: u64) {
        self.table.want_now(wanted, self.rules);
        if matches!(self.end, Some(End::Won | End::Runaway)) {
            return;
        }
        self.end = None;
        self.termination.on_foundations_changed(self.table.waste_top());
        self.look();
    }

    /// The player gives up.
    pub fn resign(&mut self) {
        self.end = Some(End::Resigned);
    }

    /// Whether the pass that could be ended or gone on with goes nowhere.
    pub(super) fn goes_nowhere(&self) -> bool {
        self.legal.iter().any(|&m| self.would_be_barren(m))
    }

    /// The player chooses nothing. Where turning the stock would end the game as barren, giving up says no more
    /// than that: the game is barren, so that a game's moves alone say how it ended.
    pub(super) fn give_up(&mut self) {
        self.end = Some(if self.goes_nowhere() { End::Barren } else { End::Resigned });
    }

    /// Draws until the list of legal moves is another one. No draw ends the game as barren, and no die rolls.
    #[inline(always)]
    fn repeat_draw(&mut self, observer: &mut impl Observer) {
        let mut draws = 0;
        if observer.watches() {
            while draws == 0 || draws < self.termination.left() && self.table.draws_again(&self.legal) {
                observer.moving(&self.table, &self.legal, Move::DRAW);
                self.table.turn_packet(self.table.packet);
                draws += 1;
            }
        } else {
            draws = self.table.draw_alike(self.rules, &self.legal, self.termination.left());
        }
        self.end = self.termination.after_like_draws(draws);
        self.table.legal_moves_after_turning(self.rules, &mut self.legal);
        self.look_on();
    }

    /// Lists the legal moves, and ends the game if it is won or has none.
    #[inline(always)]
    fn look(&mut self) {
        if self.table.cards() == self.rules.hot.cards {
            self.end = Some(End::Won);
            self.legal.clear();
            return;
        }
        self.table.legal_moves(self.rules, &mut self.legal);
        self.look_on();
    }

    #[inline(always)]
    fn look_on(&mut self) {
        self.termination.legal_plays(self.legal.plays());
        if self.legal.is_empty() {
            self.end = Some(End::Blocked);
        }
    }

    /// Moves made.
    #[inline]
    pub(super) fn moves(&self) -> u32 {
        self.termination.moves()
    }

    /// What is counted of the game so far, with the end it has (or would have if given up now).
    pub fn outcome(&self) -> Outcome {
        Outcome {
            end: self.end.unwrap_or(End::Resigned),
            cards: self.table.cards,
            moves: self.termination.moves(),
            redeals: self.table.redeals(),
            reserve_left: self.table.reserve_left() as u16,
            complete_suits: self.table.complete_suits() as u16,
            stake: None,
        }
    }

    /// Plays on to the end. `decide` gives the index of one of the legal moves, or `None` to resign.
    ///
    /// # Errors
    /// Those of `decide`; the game stands where it was asked.
    #[inline]
    pub fn play_out<E>(
        &mut self,
        chance: &mut impl Chance,
        observer: &mut impl Observer,
        mut decide: impl FnMut(&Game<'r>) -> Result<Option<usize>, E>,
    ) -> Result<Outcome, E> {
        self.play_on(chance, observer, &mut decide)
    }

    /// The same for a player who may draw on without being asked.
    ///
    /// # Errors
    /// Those of the player; the game stands where it was asked.
    #[inline]
    pub fn play_on<E>(
        &mut self,
        chance: &mut impl Chance,
        observer: &mut impl Observer,
        player: &mut impl Agent<'r, E>,
    ) -> Result<Outcome, E> {
        while self.end.is_none() {
            let Some(chosen) = player.decide(self)?.and_then(|i| self.legal.nth(i)) else {
                self.give_up();
                break;
            };
            if self.would_be_barren(chosen) {
                self.end = Some(End::Barren);
                break;
            }
            if chosen.is_draw()
                && self.termination.draws_are_alike()
                && self.table.packet != 0
                && player.repeats_draw()
            {
                self.repeat_draw(observer);
                continue;
            }
            observer.moving(&self.table, &self.legal, chosen);
            self.advance(chosen, &mut Watched { chance, observer });
        }
        Ok(self.outcome())
    }
}

/// Tells an observer what chance decides.
pub struct Watched<'a, C, O> {
    /// Who decides.
    pub chance: &'a mut C,
    /// Who is told.
    pub observer: &'a mut O,
}

impl<C: Chance, O: Observer> Chance for Watched<'_, C, O> {
    fn roll(&mut self, faces: u8) -> u8 {
        let face = self.chance.roll(faces);
        self.observer.rolled(face);
        face
    }

    fn shuffle(&mut self, stock: &mut [Card]) {
        self.chance.shuffle(stock);
        self.observer.shuffled(stock);
    }
}
