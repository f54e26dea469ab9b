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
//! With few cards left and few of them unknown, `endgame` plays optimally, as [`exact`](crate::players::exact) does.
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
//! # Experiments
//!
//! On canfield, wins in percentage points, on deals other than those of the published figures:
//!
//! - More positions per solve pay off most: 500 to 4,000 (4 worlds, 8 judged) raised wins from 53.8% to 57.7%.
//! - Small solves by several short walks, each in its own order, instead of one long walk: 49.5% to 53.8%, in less
//!   time.
//! - One world instead of four for candidates: 49.5% to 48.2%; 24 judged worlds of 100 positions instead of 8 of 500:
//!   44.5%. Playing for wins and playing for cards gave the same result (49.5%).
//! - Where passes are few, more worlds at fewer positions each: two passes 5.66 cards with 8 judged worlds, 6.02 with
//!   30, 6.1 with 100 to 200. One pass 3.86 with 30 and 3.87 with 300, of 3.85 of the policy alone.
//! - While the stock is unknown, also continuing the policy in other styles (no card from waste to tableau; no play at
//!   all) and counting the best: two passes 6.03 against 6.02 without, at three times the cost. Removed.
//! - Solves by best-first search, with the weights that beams use: 49.5% of deals won within 1,500 positions, 53.2%
//!   after a walk of 300; walks alone 52.5%. Removed.
//! - A long solve if nothing is unknown and a small solve finds no win (`outright`): on `superior` level 2 won 92.7% of
//!   300 games instead of 80.0%, in 20 milliseconds instead of 4; on canfield and draw-one the same number as before.
//! - With dice, which rule out solving, halving as elsewhere: it delayed plays until the game was barren (28.1 cards on
//!   `exorcism-die-draw`, greedy 31.6). Deviating from the policy only for a significant gain fixed that.
//! - Counts reduced for several packs and long passes (`budget`), paired with the best script of the shelf on 40 deals
//!   each: two to four packs +2.9 to +12.4 cards in a fifth of the time or less, canfield unchanged. `gate` (38 draws)
//!   reached 50.9 cards, the script 52.0 (±2.2): no significant difference.
//! - A squared waste is not remembered: solving what a redeal brings back delayed plays (`bsd`, 4.2 cards less than the
//!   best script). Playouts only: 0.7 cards more than `patient` (±0.9, 500 games) when playing for cards.
//! - Contests, with playouts in which opponents are idle: 41.7% of 60 matches of `racing-demon` won against three
//!   greedy players, while `racer` won 61.7%. So the policy plays contests alone.
//! - Buying stages for their expected return (`stages`): on `bsd` $15.50 per game more than `cautious` ($8.13 to
//!   $22.61, 500 games).
//! - `hoarder` as policy instead of `patient` where passes end: no difference in 600 games of one pass (0.00 ± 0.01
//!   cards) and of two (0.00 ± 0.07), 200 of three (+0.19 ± 0.60). On `bsd`, for money, it is what makes playing pay.
//! - The policy's way listed first among equivalent ways, if passes are limited (`ways`): `storehouse` +0.15 ± 0.19
//!   cards (500 games; without it, plays were delayed and 25 or more cards lost in four of them), `american-toad` +0.97
//!   ± 2.14 (100), `canfield-rush` +0.33 ± 0.79 (500), `eagle-wing` −0.28 ± 0.78 (400), but `dutchess` −0.79 ± 0.84
//!   (500) and again −0.77 ± 0.94 (400, another seed), `rainfall` −0.67 ± 1.12 (400). It is used if piles are built in
//!   suit.
//! - For those rules, lines with all their plays before the same lines without the needless ones: no game differed in
//!   seven of nine rulesets; `storehouse` −0.06 ± 0.12 and `canfield-rush` −0.04 ± 0.07 cards. Removed.
//! - Four passes, 300 games: 16 judged worlds of 2,000 positions 13.6 cards in 0.19 s a game; 16 of 6,000 13.8 in 0.59
//!   s; 8 of 8,000 13.9 in 0.38 s: no significant differences, each with about ± 1.6.
//! - With piles in suit, cards that can continue a pile in suit or go up are played at once (`certain`): `storehouse`
//!   had been 0.07 ± 0.07 cards below `patient`, 20 games of 4,000 worse and none better; with it each of 2,000 games
//!   is equal, and each of 500 others. Deviating from the policy only for a significant gain left 6 of 4,000 worse, and
//!   cost `eagle-wing` 0.95 cards (500 games). Removed.
//! - Against the best of `greedy`, `patient`, `hoarder` and `reserve-first` on the same 500 deals (seed 31337), level 2
//!   won more money on 40 of 41 rulesets, and the same on `storehouse`.
//! - Playing the first reveal after a way without knowledge of the world, by the solver's line in another world that
//!   looks the same, so that hindsight begins one reveal later: level 3 won 55.3% of 300 games instead of 54.0% in 1.6
//!   times the time, level 4 with 8,000 positions 59.2% of 250 instead of 63.6%. Two such reveals: 52.7% of 300.
//!   Removed.
//! - Trying lines that win in a world after the other ways of that world before solving them (`together`, `replay`),
//!   and trying plays of such lines first in later solves of the decision: level 2 won 55.2% of 2,000 games instead of
//!   53.5% (+1.7 ± 1.4) and, on another seed, 53.75% instead of 53.7% (+0.05 ± 1.4); level 3 60.5% of 600 instead of
//!   58.0% (+2.5 ± 2.3), in the same time. How far such plays move up (by 1, 2, 4 or 6 ranks), and wider chance among
//!   plays of near ranks, made no difference.
//! - Solving the world before following any way, and judging ways only if that wins: −8.5 ± 3.9 points with the same
//!   number of positions, −3.3 ± 3.5 with four times as many, +0.8 ± 3.6 with eight times and 2.4 times the time (400
//!   games).
//! - Half of the positions for all ways first, and one and a half times or four times as many if one of them won: −1.4
//!   ± 1.9 and −1.3 ± 2.0 points (1,000 games); at level 3, the same number again if one won: −3.5 ± 2.4 (600) in three
//!   quarters of the time.
//! - Short walks before the usual ones, each in an order of its own, seven of 100 to 400 positions or four of 150 to
//!   300: −1.0 ± 1.8 and −1.1 ± 1.7 points (1,500 games).
//! - Making the choice at the next reveal for all worlds that look the same there, not for each (alpha-mu with two
//!   choices), for the last three ways: level 3 −1.7 ± 2.3 points with 32 worlds, −1.5 ± 2.2 with the shortest ways
//!   among the choices, at more than twice the time (600 games).
//! - Level 3 with 4,000 positions per solve instead of 2,000: +1.7 ± 2.5; also with 32 judged worlds +2.2 ± 2.6; with
//!   only the 32 judged worlds −0.8 ± 2.3 (600 games). With shared winning lines and 4,000 positions, level 3 won 62.5%
//!   of 2,000 games instead of 58.3% (+4.3 ± 1.5), in 0.22 seconds instead of 0.12.
//! - Other orders of plays in the solver's walks, found by a search over twenty weights: 2% more of the deals won at
//!   500 positions, 4% more at 1,500. Not adopted.

mod budget;
mod certain;
mod endgame;
mod expect;
mod judge;
mod maker;
mod options;
mod outright;
mod playout;
mod prices;
mod reach;
mod replay;
mod stages;
#[cfg(test)]
mod tests;
mod together;
mod ways;

use std::sync::Arc;

use crate::cards::{Purpose, generator};
use crate::game::{Move, MoveList, Place, Table, View};
use crate::rules::{Draw, OnRedeal, StageAt, WasteFace};
use crate::solver::{Kept, Solver};
use crate::strategy::{MoveValue, Strategy, StrategyError};

pub(super) use expect::evaluate_moves;
pub(super) use maker::{SearchMaker, settings};
pub use options::{Aim, OptionError, Options, SETTINGS};
use playout::Policy;
use prices::Prices;
use reach::Judge;
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
        if let Some(certain) = certain::play(view, legal) {
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
            && matches!(stock.draw, Draw::ByPass(_));
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
            && let Some(moves) = endgame::optimal(view, self.options.aim, self.options.nodes / 2, &mut rng)
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
        let weighed = match judge.solves() {
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
