//! A self-contained copy of a view, for strategies that cannot borrow one.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use crate::rules::Rules;

use super::lookahead::Lookahead;
use super::lookahead::{Policy, Spare};
use super::moves::{Move, MoveList};
use super::opponents::Opponents;
use super::player_state::PlayerState;
use super::stakes::Stakes;
use super::table::Table;
use super::termination::TerminationTracker;
use super::view::View;

/// A copy of a position with its legal moves. It answers what its [`View`] shows, so it hides what a view hides.
pub struct Snapshot {
    table: Table,
    rules: Option<Rc<Rules>>,
    rng: PlayerState,
    stakes: Stakes,
    moves: Vec<Move>,
    opponents: Opponents,
    with_opponents: bool,
    termination: Option<TerminationTracker>,
    /// The root of the lookahead from this position.
    origin: OnceCell<Rc<Lookahead>>,
    pool: RefCell<Pool>,
    spare: RefCell<Option<Spare>>,
}

/// A pool of lookahead positions, reused as soon as they are dropped.
#[derive(Default)]
struct Pool {
    positions: Vec<Rc<Lookahead>>,
    /// Index at which a free one was found last.
    last: usize,
    /// Buffer for listing moves.
    legal: MoveList,
}

/// Maximum number of positions in the pool; when all are in use, more are allocated.
const POOL: usize = 16;

impl Pool {
    /// Returns the position after a move, in a free slot.
    #[inline]
    fn after(&mut self, from: &Lookahead, m: Move, face: u8) -> Rc<Lookahead> {
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
            rng: PlayerState::new(0, 0),
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
    /// Copies a position, with the state of its random numbers.
    #[inline]
    pub fn take(&mut self, view: &View<'_>, legal: &[Move]) {
        self.table = *view.table;
        if self.rules.as_ref().is_none_or(|rules| rules.id() != view.compiled().id()) {
            self.rules = Some(Rc::new(view.compiled().clone()));
        }
        self.rng.copy_from(view.rng);
        self.stakes = *view.stakes;
        self.with_opponents = view.opponents.is_some();
        if let Some(opponents) = view.opponents {
            self.opponents.copy_from(opponents);
        }
        self.termination = view.termination.cloned();
        self.origin = OnceCell::new();
        self.moves.clear();
        self.moves.extend_from_slice(legal);
    }

    /// Copies only the state of the position's random numbers.
    #[inline]
    pub fn take_rng(&mut self, view: &View<'_>) {
        self.rng.copy_from(view.rng);
    }

    /// Resets the view's random numbers to the state of the copy, so that numbers drawn since are drawn again.
    pub fn restore_rng(&self, view: &View<'_>) {
        view.rng.rewind_to(&self.rng);
    }

    /// Advances the view's random numbers by what was drawn from the copy's.
    #[inline]
    pub fn keep_rng(&mut self, view: &View<'_>) {
        view.rng.follow(&mut self.rng);
    }

    /// Returns the view of the copy; `None` before the first [`Snapshot::take`].
    #[inline]
    pub fn view(&self) -> Option<View<'_>> {
        self.rules.as_ref().map(|rules| {
            let view = View::new(&self.table, rules, &self.rng).with_stakes(&self.stakes);
            let view = view.with_termination(self.termination.as_ref());
            if self.with_opponents { view.with_opponents(&self.opponents) } else { view }
        })
    }

    /// Returns the legal moves, in the engine's order.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the strategy's random numbers and memory, if the copy has them.
    pub fn rng(&self) -> &PlayerState {
        &self.rng
    }

    /// Returns the position as the root of a lookahead; `None` before the first [`Snapshot::take`].
    pub fn origin(&self) -> Option<Rc<Lookahead>> {
        let (view, rules) = (self.view()?, self.rules.as_ref()?);
        let origin = || {
            let mut origin = Lookahead::of(&view, rules, &self.moves);
            origin.list(&mut self.pool.borrow_mut().legal);
            Rc::new(origin)
        };
        Some(self.origin.get_or_init(origin).clone())
    }

    /// Returns the position after one of its moves; `face` is the result if a die is rolled.
    #[inline]
    pub fn after(&self, from: &Lookahead, m: Move, face: u8) -> Rc<Lookahead> {
        self.pool.borrow_mut().after(from, m, face)
    }

    /// Returns the `k`-th sampled deal of a position.
    pub fn sample(&self, from: &Rc<Lookahead>, k: u64) -> Lookahead {
        let mut sample = from.sample(k, self.rng.game, &mut self.pool.borrow_mut().legal);
        sample.sampled_of = Some(from.clone());
        sample
    }

    /// Plays the `k`-th sampled deal of a position to its end with a policy; returns the final number of cards up, and
    /// the moves made. If `apart` is set, the policy uses the strategy's own random numbers and memory: the numbers are
    /// those of the sampled deal, and what the policy remembers is discarded.
    ///
    /// # Errors
    /// Returns those of the policy.
    pub fn play<P: Policy>(
        &self,
        from: &Lookahead,
        k: u64,
        apart: bool,
        policy: &mut P,
    ) -> Result<(usize, u32), P::Error> {
        self.with_spare(apart, |spare, begin| from.play_sample((k, self.rng.game), spare, begin, policy))
    }

    /// Returns the move that a policy would choose in a position, unless it would resign; `apart` as in
    /// [`Snapshot::play`].
    ///
    /// # Errors
    /// Returns those of the policy.
    pub fn choose<P: Policy>(
        &self,
        from: &Lookahead,
        apart: bool,
        policy: &mut P,
    ) -> Result<Option<Move>, P::Error> {
        self.with_spare(apart, |spare, begin| from.choice(self.rng.game, spare, begin, policy))
    }

    /// Calls `ask` with the buffers, and what is to be called with the number of a sampled deal. If the policy itself plays
    /// out deals, those get buffers of their own.
    fn with_spare<T>(&self, apart: bool, ask: impl FnOnce(&mut Spare, &dyn Fn(u64)) -> T) -> T {
        let kept = apart.then(|| self.rng.clone());
        let mut spare = self.spare.take().unwrap_or_default();
        let asked = ask(&mut spare, &|number| {
            if apart {
                self.rng.begin_sample(number);
            }
        });
        self.spare.replace(Some(spare));
        kept.iter().for_each(|kept| self.rng.rewind_to(kept));
        asked
    }
}
