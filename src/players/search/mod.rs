//! A strategy that searches, with no more knowledge than a person has.
//!
//! What a player does not know is the order of some cards. A *world* is a deal consistent with everything seen, with
//! the unknown cards in one order; all orders are equally likely. In a world everything is known, so the solver can
//! look far ahead. The strategy does not decide move by move: between two *reveals* (an unknown card is seen, or a die
//! is rolled) everything is foreseeable, so a choice is a *way* to the next reveal. At each reveal it thinks again:
//!
//! 1. `ways` finds candidates: the solver's lines in some worlds, cut at their first reveal, with and without the plays
//!    that this reveal does not need; the shortest way to each kind of reveal; and the policy's way.
//! 2. `judge` follows each in the same worlds and counts what can be reached from there: what the solver finds
//!    within its budget, or, while the stock is still unknown, what the policy reaches until it is known. The worse
//!    half is dropped and the others are judged in more worlds, until one is left.
//!
//! The solver reaches more in a world than a player can who does not know the world. The values are therefore too high,
//! the more so the more is unknown, but candidates can still be compared by them.
//!
//! With few cards left and few of them unknown, `certain` plays optimally, as [`exact`](crate::players::exact) does.
//!
//! Decisions depend only on what the view shows: worlds are drawn from a generator seeded by what is seen. A chosen way
//! is followed while the view is as foreseen.
//!
//! # Strength
//!
//! On canfield, with deals of seed 90210 that were not used for tuning, and times in seconds of a core that plays
//! 600,000 games per second of native `greedy`: level 1 won 39.2% of 2,000 games (37.0% to 41.3%) in 0.003 seconds
//! each, level 2 55.8% of 2,000 (53.6% to 58.0%) in 0.05, level 3 62.5% of 2,000 (60.3% to 64.6%) in 0.25, level 4
//! 72.3% of 2,000 (70.2% to 74.3%) in 2.2, level 5 73.4% of 289 (67.8% to 78.4%) in 6. With four passes, level 3 with
//! 24 judged worlds of 6,000 positions brings up 15.9 cards (14.2 to 18.0, 300 games) in 0.7 to 0.9 seconds.
//!
//! Where piles hide cards, a level samples more worlds and searches fewer positions in each. On klondike-worry-back level
//! 3 won 51.6% of 796 games (48.0% to 55.2%).
//!
//! `reports/notebook.md` has what was tried, and what it gained.

mod certain;
mod judge;
mod maker;
mod options;
mod playout;
mod reach;
mod stages;
#[cfg(test)]
mod tests;
mod together;
mod ways;

use std::sync::Arc;

use crate::cards::{Purpose, generator};
use crate::game::{Knowledge, Move, MoveList, Place, Table, View};
use crate::rules::{Draw, OnRedeal, StageAt, WasteFace};
use crate::solver::{Kept, Solver};
use crate::strategy::{MoveValue, Strategy, StrategyError};

pub(super) use judge::evaluate_moves;
pub(super) use maker::{SearchMaker, settings};
pub use options::{Aim, OptionError, Options, SETTINGS};
use playout::Policy;
use reach::{Judge, Prices};
use ways::Ways;

/// Maximum memory for the positions of a solve, in bytes.
const MEMORY: usize = 4 << 20;

/// Key of the generators of worlds, distinct from seeds of runs.
const WORLDS: u64 = 0x7361_7261_746f_6761;

/// The searching strategy, `search`.
pub struct Search {
    name: String,
    options: Arc<Options>,
    policy: Policy,
    plan: Plan,
    /// Ways evaluated for the last decision.
    weighed: Vec<MoveValue>,
    /// Memory of the solver, kept between decisions.
    kept: Kept,
    /// Memory of long solves.
    kept_long: Kept,
}

/// An earlier decision, for the positions that it foresaw.
#[derive(Default)]
struct Plan {
    /// The seeded game that it belongs to.
    game: (u64, u64),
    /// Fingerprint of the view before the next move.
    expected: u64,
    /// The remaining moves, the next one last.
    moves: Vec<Move>,
    /// Nothing more can be gained: the policy plays on.
    coasting: bool,
    /// It is best to stop.
    ends: bool,
}

impl Strategy for Search {
    fn name(&self) -> &str {
        &self.name
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.weighed.clear();
        if view.seats() > 1 {
            // Playouts with idle opponents lose to the policy itself: see the experiments.
            return self.policy.decide(view, legal);
        }
        match self.choose(view, legal)? {
            Some(chosen) => self.redeals_for(view, legal, chosen),
            None => Ok(None),
        }
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn stage(
        &mut self,
        view: &View<'_>,
        legal: &MoveList,
        at: StageAt,
        cost: i64,
    ) -> Result<bool, StrategyError> {
        let m = match at {
            StageAt::FirstDraw => legal.iter().copied().find(|m| !m.is_play()),
            StageAt::Pass => legal.iter().copied().find(|m| m.is_redeal()),
            StageAt::Deal | StageAt::FirstLook | StageAt::UnknownCard => None,
        };
        self.buys(view, m, at, cost)
    }

    fn weighed(&self) -> &[MoveValue] {
        &self.weighed
    }
}

/// Returns a solver for worlds of a view, if chance leaves something to solve, the stock becomes known, and nobody else
/// builds on the foundations.
fn solver_of<'a>(view: &View<'a>, kept: Kept) -> Option<Solver<'a>> {
    let stock = &view.rules().stock;
    let forgotten = stock.waste == WasteFace::Squared && stock.redeals.is_none();
    let solver = Solver::new(view.compiled(), MEMORY).ok().filter(|_| view.seats() == 1 && !forgotten);
    solver.map(|solver| solver.with_kept(kept))
}

impl Search {
    /// Chooses the next move, regardless of what a redeal costs.
    fn choose(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        if let Some(turn) = self.looks(view, legal) {
            return Ok(Some(turn));
        }
        let gives_up_a_card = |m: &Move| matches!(m.source(), Place::Foundation(_));
        let goes_to_and_fro = |m: &Move| m.from_tableau() && m.to_tableau();
        if legal.len() == 1 && !legal.iter().any(|m| gives_up_a_card(m) || goes_to_and_fro(m)) {
            // There is only one choice; a plan continues after it.
            self.plan.follow(view, legal);
            return Ok(Some(0));
        }
        if let Some(next) = self.plan.follow(view, legal) {
            return Ok(Some(next));
        }
        if view.knowledge() == Knowledge::Memory
            && let Some(certain) = certain::play(view, legal)
        {
            return Ok(legal.iter().position(|&m| m == certain));
        }
        if self.plan.coasts(view) {
            return self.coast(view, legal);
        }
        self.think(view)?;
        match self.plan.follow(view, legal) {
            Some(next) => Ok(Some(next)),
            None if self.plan.ends => Ok(None),
            None => self.coast(view, legal),
        }
    }

    /// Returns the draw or redeal that merely inspects the stock: with unlimited passes the first one loses nothing,
    /// and then all but the order of the reserve is known.
    fn looks(&self, view: &View<'_>, legal: &MoveList) -> Option<usize> {
        let rules = view.rules();
        let stock = &rules.stock;
        let shown = stock.waste == WasteFace::Fanned
            && stock.on_redeal == OnRedeal::Turn
            && matches!(stock.draw, Draw::ByPass(_))
            && view.knowledge() != Knowledge::Forgets;
        let looks = view.pass() == 1
            && stock.redeals.is_none()
            && (self.options.aim != Aim::Money || !Prices::of(view).any())
            && shown
            && rules.barren_passes() > 1
            && view.base().is_some()
            && view.seats() == 1;
        let turn = if looks { legal.iter().position(|m| !m.is_play()) } else { None };
        turn.filter(|&turn| legal.nth(turn).is_some_and(|m| m.is_draw() || view.stock_left() == 0))
    }

    /// Makes a plan.
    fn think(&mut self, view: &View<'_>) -> Result<(), StrategyError> {
        let mut rng = generator(WORLDS, view.fingerprint(), Purpose::Strategy);
        let unknown = view.unknown();
        self.plan = Plan { game: view.game(), ..Plan::default() };
        if unknown > 1
            && view.knowledge() == Knowledge::Memory
            && let Some(moves) = certain::optimal(view, self.options.aim, self.options.nodes / 2, &mut rng)
        {
            self.plan.ends = moves.is_empty();
            self.plan.set(view, moves);
            return Ok(());
        }
        let mut solver = solver_of(view, std::mem::take(&mut self.kept));
        if unknown <= 1
            && let Some(solver) = solver.take()
        {
            let moves = self.outright(solver, &view.sample(&mut rng))?;
            self.plan.set(view, moves);
            return Ok(());
        }
        let mut judge = Judge::new(view, &self.options, solver, &mut self.policy);
        let mut ways = Ways::new(view, judge.budget);
        ways.gather(&mut judge, &mut rng)?;
        let found = ways.found();
        // Who forgets could put off every play: nothing ever looks lost by it.
        let weighed = match judge.solves() && view.knowledge() != Knowledge::Forgets {
            true => judge.weigh(found, &mut rng),
            false => judge.weigh_against_first(found, &mut rng),
        };
        self.kept = judge.keep();
        self.weighed = weighed?;
        if let Some(best) = self.weighed.first() {
            self.plan.set(view, best.moves.clone());
        }
        Ok(())
    }

    /// Lets the policy play, as nothing better is known.
    fn coast(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.plan.coasting = true;
        self.plan.expected = view.unknown() as u64;
        self.policy.decide(view, legal)
    }
}

impl Plan {
    fn set(&mut self, view: &View<'_>, mut moves: Vec<Move>) {
        moves.reverse();
        self.moves = moves;
        self.expected = view.fingerprint();
    }

    /// Returns the next move of the plan, if the view is as foreseen.
    fn follow(&mut self, view: &View<'_>, legal: &MoveList) -> Option<usize> {
        let next = *self.moves.last()?;
        if self.game != view.game() || self.expected != view.fingerprint() {
            self.moves.clear();
            return None;
        }
        let index = legal.iter().position(|&m| m == next)?;
        self.moves.pop();
        if !self.moves.is_empty() {
            // Everything up to the next reveal is foreseen, whatever the hidden cards are.
            let mut after: Table = *view.own_table();
            after.apply(view.compiled(), next, &mut crate::game::NoChance);
            self.expected = view.over(&after).fingerprint();
        }
        Some(index)
    }

    fn coasts(&self, view: &View<'_>) -> bool {
        self.coasting && self.game == view.game() && self.expected == view.unknown() as u64
    }
}
