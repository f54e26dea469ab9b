//! A view that stands on its own, for strategies that cannot borrow one.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use crate::rules::Rules;

use super::ahead::Ahead;
use super::ahead_sample::{Policy, Spare};
use super::moves::{Move, MoveList};
use super::opponents::Opponents;
use super::stakes::Stakes;
use super::strategy_rng::StrategyRng;
use super::table::Table;
use super::termination::TerminationTracker;
use super::view::View;

/// A copy of a position with the moves that are legal in it. What can be asked of it is what its
/// [`View`] shows, so it hides what a view hides.
pub struct Snapshot {
    table: Table,
    rules: Option<Rc<Rules>>,
    rng: StrategyRng,
    stakes: Stakes,
    moves: Vec<Move>,
    opponents: Opponents,
    with_opponents: bool,
    termination: Option<TerminationTracker>,
    /// The position, for thinking ahead from it.
    origin: OnceCell<Rc<Ahead>>,
    pool: RefCell<Pool>,
    spare: RefCell<Option<Spare>>,
}

/// Positions after moves, to be used again as soon as nobody thinks of them any more.
#[derive(Default)]
struct Pool {
    positions: Vec<Rc<Ahead>>,
    /// Where one was found last.
    last: usize,
    /// Where moves are listed.
    legal: MoveList,
}

/// Positions in the pool, at most: more that are thought of at the same time are made anew.
const POOL: usize = 16;

impl Pool {
    /// The position after a move, in the place of one that is free.
    #[inline]
    fn after(&mut self, from: &Ahead, m: Move, face: u8) -> Rc<Ahead> {
        let legal = &mut self.legal;
        for _ in 0..2 {
            let Some(position) = self.positions.get_mut(self.last) else { break };
            if let Some(free) = Rc::get_mut(position) {
                from.after_into(m, face, legal, free);
                return position.clone();
            }
            self.last = (self.last + 1) % POOL;
        }
        let position = Rc::new(from.after(m, face, legal));
        match self.positions.get_mut(self.last) {
            Some(kept) => *kept = position.clone(),
            None => self.positions.push(position.clone()),
        }
        position
    }
}

impl Default for Snapshot {
    fn default() -> Snapshot {
        Snapshot {
            table: Table::BARE,
            rules: None,
            rng: StrategyRng::new(0, 0),
            stakes: Stakes::NONE,
            moves: Vec::new(),
            opponents: Opponents::default(),
            with_opponents: false,
            termination: None,
            origin: OnceCell::new(),
            pool: RefCell::default(),
            spare: RefCell::default(),
        }
    }
}

impl Snapshot {
    /// Copies a position, and the place where its randomness stands.
    #[inline]
    pub fn take(&mut self, view: &View<'_>, legal: &[Move]) {
        self.table = *view.table();
        if self.rules.as_ref().is_none_or(|rules| rules.id() != view.compiled().id()) {
            self.rules = Some(Rc::new(view.compiled().clone()));
        }
        self.rng.copy_from(view.rng());
        self.stakes = *view.stakes();
        self.with_opponents = view.opponents().is_some();
        if let Some(opponents) = view.opponents() {
            self.opponents.copy_from(opponents);
        }
        self.termination = view.termination().cloned();
        self.origin = OnceCell::new();
        self.moves.clear();
        self.moves.extend_from_slice(legal);
    }

    /// Copies the place where the position's randomness stands, and nothing else.
    #[inline]
    pub fn take_rng(&mut self, view: &View<'_>) {
        self.rng.copy_from(view.rng());
    }

    /// Makes the view's randomness stand where the copy's does, so that numbers drawn since are drawn again.
    pub fn restore_rng(&self, view: &View<'_>) {
        view.rng().rewind_to(&self.rng);
    }

    /// Makes what was drawn from the copy's randomness drawn from the view's own.
    #[inline]
    pub fn keep_rng(&mut self, view: &View<'_>) {
        view.rng().follow(&mut self.rng);
    }

    /// The view of the copy; `None` before the first [`Snapshot::take`].
    #[inline]
    pub fn view(&self) -> Option<View<'_>> {
        self.rules.as_ref().map(|rules| {
            let view = View::new(&self.table, rules, &self.rng).with_stakes(&self.stakes);
            let view = view.with_termination(self.termination.as_ref());
            if self.with_opponents { view.with_opponents(&self.opponents) } else { view }
        })
    }

    /// The legal moves, in the engine's order.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The strategy's randomness and memory, as far as the copy has them.
    pub fn rng(&self) -> &StrategyRng {
        &self.rng
    }

    /// The position as one to think ahead from; `None` before the first [`Snapshot::take`].
    pub fn origin(&self) -> Option<Rc<Ahead>> {
        let (view, rules) = (self.view()?, self.rules.as_ref()?);
        let origin = || {
            let mut origin = Ahead::of(&view, rules, &self.moves);
            origin.list(&mut self.pool.borrow_mut().legal);
            Rc::new(origin)
        };
        Some(self.origin.get_or_init(origin).clone())
    }

    /// The position of a sampled deal that is played on, as its player sees it.
    pub fn seen_by(&self, view: &View<'_>, legal: &[Move]) -> Option<Ahead> {
        self.rules.as_ref().map(|rules| Ahead::of(view, rules, legal))
    }

    /// The position after a move of it; `face` is what the die shows where one is rolled.
    #[inline]
    pub fn after(&self, from: &Ahead, m: Move, face: u8) -> Rc<Ahead> {
        self.pool.borrow_mut().after(from, m, face)
    }

    /// The `k`-th sampled deal of a position.
    pub fn sample(&self, from: &Rc<Ahead>, k: u64) -> Ahead {
        let mut sample = from.sample(k, self.rng.game, &mut self.pool.borrow_mut().legal);
        sample.sampled_of = Some(from.clone());
        sample
    }

    /// Plays the `k`-th sampled deal of a position on with a policy; cards that come up in the end, and moves made.
    ///
    /// # Errors
    /// Those of the policy.
    pub fn play_on<P: Policy>(&self, from: &Ahead, k: u64, policy: &mut P) -> Result<(usize, u32), P::Error> {
        self.play(from, k, |_| {}, policy)
    }

    /// The same with a policy that uses the strategy's own randomness and memory: it has numbers of the sampled deal, and
    /// what it remembers is forgotten.
    ///
    /// # Errors
    /// Those of the policy.
    pub fn play_apart<P: Policy>(
        &self,
        from: &Ahead,
        k: u64,
        policy: &mut P,
    ) -> Result<(usize, u32), P::Error> {
        let kept = self.rng.clone();
        let played = self.play(from, k, |number| self.rng.begin_sample(number), policy);
        self.rng.rewind_to(&kept);
        played
    }

    /// The move that a policy would choose in a position, if it would not resign.
    ///
    /// # Errors
    /// Those of the policy.
    pub fn choice<P: Policy>(&self, from: &Ahead, policy: &mut P) -> Result<Option<Move>, P::Error> {
        let mut spare = self.spare.take().unwrap_or_default();
        let chosen = from.choice(self.rng.game, &mut spare, |_| {}, policy);
        self.spare.replace(Some(spare));
        chosen
    }

    /// The same with a policy that uses the strategy's own randomness and memory, as in [`Snapshot::play_apart`].
    ///
    /// # Errors
    /// Those of the policy.
    pub fn choice_apart<P: Policy>(&self, from: &Ahead, policy: &mut P) -> Result<Option<Move>, P::Error> {
        let (kept, mut spare) = (self.rng.clone(), self.spare.take().unwrap_or_default());
        let chosen = from.choice(self.rng.game, &mut spare, |number| self.rng.begin_sample(number), policy);
        self.spare.replace(Some(spare));
        self.rng.rewind_to(&kept);
        chosen
    }

    fn play<P: Policy>(
        &self,
        from: &Ahead,
        k: u64,
        begin: impl FnOnce(u64),
        policy: &mut P,
    ) -> Result<(usize, u32), P::Error> {
        // In use already where the policy plays deals on, too.
        let Ok(mut spare) = self.spare.try_borrow_mut() else {
            return from.play_sample((k, self.rng.game), &mut Spare::default(), begin, policy);
        };
        from.play_sample((k, self.rng.game), spare.get_or_insert_default(), begin, policy)
    }
}
