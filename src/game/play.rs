//! One game from the deal to its end: asks for decisions, makes moves, and detects the end.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::cards::Card;
use crate::rules::Rules;

use super::chance::Chance;
use super::moves::{Move, MoveList};
use super::outcome::End;
use super::outcome::Outcome;
use super::player_state::PlayerState;
use super::table::Table;
use super::termination::TerminationTracker;
use super::view::View;

/// Watches a game without influencing it.
pub trait Observer {
    /// Returns whether it needs to be called at all.
    fn watches(&self) -> bool {
        true
    }
    /// Called when a die was rolled.
    fn rolled(&mut self, _face: u8) {}
    /// Called when the stock was shuffled, with its new order, next card first.
    fn shuffled(&mut self, _stock: &[Card]) {}
    /// Called before a move is made on `table`, chosen from `legal`.
    fn moving(&mut self, _table: &Table, _legal: &MoveList, _chosen: Move) {}
}

/// Ignores everything.
impl Observer for () {
    fn watches(&self) -> bool {
        false
    }
}

/// Of all observers but none, one copy of the game's code suffices.
impl Observer for &mut dyn Observer {
    fn watches(&self) -> bool {
        (**self).watches()
    }

    fn rolled(&mut self, face: u8) {
        (**self).rolled(face);
    }

    fn shuffled(&mut self, stock: &[Card]) {
        (**self).shuffled(stock);
    }

    fn moving(&mut self, table: &Table, legal: &MoveList, chosen: Move) {
        (**self).moving(table, legal, chosen);
    }
}

/// A player as called by the game.
pub trait Agent<'r, E> {
    /// Returns the index of one of the legal moves, or `None` to resign.
    ///
    /// # Errors
    /// Returns those of the player.
    fn decide(&mut self, game: &Game<'r>) -> Result<Option<usize>, E>;

    /// Returns whether, after a decision to draw, the engine repeats the draw without asking until the legal moves
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

/// A game in progress. Each thread creates one and deals it repeatedly.
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
    /// Creates a game of these rules, not dealt yet.
    pub fn new(rules: &'r Rules) -> Game<'r> {
        let (table, legal, termination) = (Table::BARE, MoveList::new(), TerminationTracker::new(rules));
        Game { rules, table, legal, termination, end: None, arrangement: Game::new_arrangement() }
    }

    /// Returns an arrangement number for the first position of a reusable game: neither it nor the next million million
    /// numbers, one for each play, are used elsewhere.
    pub(super) fn new_arrangement() -> u64 {
        static GAMES: AtomicU64 = AtomicU64::new(1);
        GAMES.fetch_add(1, Ordering::Relaxed) << 40
    }

    /// Resumes a game at the position that `deal` sets up on a bare table. `legal` is any list to reuse, and the
    /// successors of `arrangement` must be unused.
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

    /// Returns the list of moves for reuse, and the next unused arrangement number.
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

    /// Like [`Game::deal`], reporting dice rolled as part of the deal to an observer.
    #[inline]
    pub fn deal_watched(&mut self, deck: &[Card], chance: &mut impl Chance, observer: &mut impl Observer) {
        self.deal(deck, &mut Watched { chance, observer });
    }

    /// Returns the rules.
    pub fn rules(&self) -> &'r Rules {
        self.rules
    }

    /// Returns the position.
    #[inline(always)]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the player's view.
    #[inline(always)]
    pub fn view<'a>(&'a self, rng: &'a PlayerState) -> View<'a> {
        let mut view = View::new(&self.table, self.rules, rng);
        view.arrangement = self.arrangement;
        view.with_termination(Some(&self.termination))
    }

    /// Returns the legal moves of the position, in the engine's order.
    #[inline(always)]
    pub fn legal(&self) -> &MoveList {
        &self.legal
    }

    /// Returns how the game ended, once it has.
    #[inline(always)]
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Returns whether choosing this draw or redeal would end the game as barren instead of being made.
    #[inline(always)]
    pub fn would_be_barren(&self, m: Move) -> bool {
        !m.is_play() && self.termination.goes_nowhere(m, &self.table)
    }

    /// Makes one of the legal moves. If it would end or continue a pass that leads nowhere, the game ends instead.
    /// Returns true if the move was made.
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

    /// Updates the kinds that shared foundations take, after another player changed them. A game that went nowhere or
    /// was given up continues; one that is won or was stopped as a runaway does not.
    pub(crate) fn on_foundations_changed(&mut self, wanted: u64) {
        self.table.want_now(wanted, self.rules);
        if matches!(self.end, Some(End::Won | End::Runaway)) {
            return;
        }
        self.end = None;
        self.termination.on_foundations_changed(self.table.waste_top());
        self.look();
    }

    /// Ends the game because the player gives up.
    pub fn resign(&mut self) {
        self.end = Some(End::Resigned);
    }

    /// Returns whether ending or continuing the current pass would lead nowhere.
    pub(super) fn goes_nowhere(&self) -> bool {
        self.legal.iter().any(|&m| self.would_be_barren(m))
    }

    /// Ends the game because the player chose nothing. If turning the stock would end the game as barren, it is barren,
    /// not resigned, so that a game's moves alone determine how it ended.
    pub(super) fn give_up(&mut self) {
        self.end = Some(if self.goes_nowhere() { End::Barren } else { End::Resigned });
    }

    /// Draws until the list of legal moves changes. No draw ends the game as barren, and no die rolls.
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

    /// Returns the number of moves made.
    #[inline]
    pub(super) fn moves(&self) -> u32 {
        self.termination.moves()
    }

    /// Returns the counts of the game so far, with its end, or the end it would have if the player gave up here.
    pub fn outcome(&self) -> Outcome {
        Outcome {
            end: self.end.unwrap_or(End::Resigned),
            cards: self.table.cards,
            moves: self.termination.moves(),
            redeals: self.table.redeals(),
            reserve_left: self.table.reserve_left() as u16,
            complete_suits: self.table.complete_suits(self.rules) as u16,
            stake: None,
        }
    }

    /// Plays on to the end. `decide` gives the index of one of the legal moves, or `None` to resign.
    ///
    /// # Errors
    /// Returns those of `decide`; the game remains at the position of that decision.
    #[inline]
    pub fn play_out<E>(
        &mut self,
        chance: &mut impl Chance,
        observer: &mut impl Observer,
        mut decide: impl FnMut(&Game<'r>) -> Result<Option<usize>, E>,
    ) -> Result<Outcome, E> {
        self.play_on(chance, observer, &mut decide)
    }

    /// Like [`Game::play_out`], for a player who may draw repeatedly without being asked.
    ///
    /// # Errors
    /// Returns those of the player; the game remains at the position of that decision.
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

/// Reports chance events to an observer.
pub struct Watched<'a, C, O> {
    /// The source of chance.
    pub chance: &'a mut C,
    /// The observer.
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
