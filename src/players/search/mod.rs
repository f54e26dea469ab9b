//! A player that searches, and sees no more than a person does.
//!
//! What a player does not know is the order of some cards. A *world* is a deal that agrees with all that was seen, the
//! unknown cards in one order; all orders are equally likely. In a world everything is known, so that the solver can
//! look far ahead. The player does not decide move by move: between two *reveals* (a card is seen that was unknown, a
//! die is rolled) nothing happens that it does not foresee, so that a choice is a *way* to the next reveal. At each
//! reveal it thinks again:
//!
//! 1. `ways`: candidates are the solver's lines in some worlds, cut at their first reveal, with and without the plays
//!    that this reveal does not need; the shortest way to each kind of reveal; and what the policy would do.
//! 2. `judge`: each is followed in the same worlds, and what can be reached from there is counted: what the solver finds
//!    within its budget, or, where the stock is still unknown, what the policy reaches until it is known. The worse
//!    half is left out and the others are judged in more worlds, until one is left.
//!
//! What the solver reaches in a world is more than a player can reach who does not know the world, so that values are too
//! high, and the more so the more is unknown; candidates are compared by them all the same, as they are all too high.
//!
//! Where few cards are left and few of them unknown, `endgame` plays optimally, as [`exact`](crate::players::exact) does.
//!
//! Decisions depend on what the view shows and on nothing else: worlds are drawn from a generator whose key is made of
//! what is seen. A way that was chosen is followed as long as the view is the one it foresaw.
//!
//! # How well it plays
//!
//! On canfield, deals of seed 90210, of which nothing was tuned on any, with seconds of a core that plays 600,000 games of
//! native `greedy` in one: level 1 won 39.2% of 2,000 games (37.0% to 41.3%) in 0.003 seconds each, level 2 55.8% of 2,000
//! (53.6% to 58.0%) in 0.05, level 3 62.5% of 2,000 (60.3% to 64.6%) in 0.25, level 4 72.3% of 2,000 (70.2% to 74.3%) in 2.2,
//! level 5 73.4% of 289 (67.8% to 78.4%) in 6.
//! With four passes level 3 with 24 judged worlds of 6,000 positions brings up 15.9 cards (14.2 to 18.0, 300 games) in 0.7 to
//! 0.9 seconds.
//!
//! # What was tried
//!
//! On canfield, wins in points, on deals other than those of the published figures:
//!
//! - More positions a solve is what pays most: 500 to 4,000 (4 worlds, 8 judged) brought 53.8% to 57.7% of wins.
//! - Small solves by several short walks, each in its own order, instead of one long walk: 49.5% to 53.8%, in less time.
//! - One world instead of four for candidates: 49.5% to 48.2%; 24 judged worlds of 100 positions in place of 8 of 500:
//!   44.5%. Playing for wins and playing for cards came to the same (49.5%).
//! - Where passes are few, more worlds at fewer positions each: two passes 5.66 cards with 8 judged worlds, 6.02 with 30,
//!   6.1 with 100 to 200. One pass 3.86 with 30 and 3.87 with 300, of 3.85 of the policy alone.
//! - While the stock is not known, the policy going on in other manners too (no card from waste to tableau; no play at
//!   all), the best of which counted: two passes 6.03 to 6.02 without, at three times the cost. It was taken out.
//! - Solves by best-first search, with the weights that beams use: 49.5% of deals won within 1,500 positions, 53.2%
//!   after a walk of 300; walks alone 52.5%. It was taken out.
//! - Where nothing is unknown and a small solve finds no win, a long one (`outright`): on `superior` level 2 won 92.7% of 300
//!   games instead of 80.0%, in 20 milliseconds instead of 4; on canfield and draw-one as many as before.
//! - With dice, where nothing can be solved, halving as elsewhere: it put off what it could do until the game was barren
//!   (28.1 cards on `exorcism-die-draw`, greedy 31.6). Going another way than the policy only beyond doubt mended that.
//! - Counts cut for several packs and long passes (`budget`), paired with the best script of the shelf on 40 deals each:
//!   two to four packs +2.9 to +12.4 cards at a fifth of the time or less, canfield played as before. `gate` (38 draws)
//!   came to 50.9 cards, the script 52.0 (±2.2): not told apart.
//! - A squared waste is not remembered: solving what a redeal brings back put off what could be done (`bsd`, 4.2 cards less
//!   than the best script). Playouts only: 0.7 cards more than `patient` (±0.9, 500 games) when playing for cards.
//! - Contests, with playouts in which opponents are idle: 41.7% of 60 matches of `racing-demon` won against three greedy
//!   players, where `racer` won 61.7%. So the policy plays them by itself.
//! - Stages by what they bring (`stages`): on `bsd` $15.50 a game more than `cautious` ($8.13 to $22.61, 500 games).
//! - `hoarder` as policy instead of `patient` where passes end: no difference in 600 games of one pass (0.00 ± 0.01
//!   cards) and of two (0.00 ± 0.07), 200 of three (+0.19 ± 0.60). On `bsd`, for money, it is what makes playing pay.
//! - What the policy does as the first of ways that come to the same, where passes end (`ways`): `storehouse` +0.15 ± 0.19
//!   cards (500 games; it had put off what could be done, and lost 25 cards and more in four of them), `american-toad`
//!   +0.97 ± 2.14 (100), `canfield-rush` +0.33 ± 0.79 (500), `eagle-wing` −0.28 ± 0.78 (400), but `dutchess` −0.79 ± 0.84 (500)
//!   and again −0.77 ± 0.94 (400, another seed), `rainfall` −0.67 ± 1.12 (400). It is done where piles are in suit.
//! - There, lines with all their plays before the same lines without the needless ones: no game was different in seven
//!   of nine rulesets; `storehouse` −0.06 ± 0.12 and `canfield-rush` −0.04 ± 0.07 cards. It was taken out.
//! - Four passes, 300 games: 16 judged worlds of 2,000 positions 13.6 cards in 0.19 s a game; 16 of 6,000 13.8 in 0.59 s; 8 of
//!   8,000 13.9 in 0.38 s: not told apart, each with some ± 1.6.
//! - In suits, what goes on in suit or up played at once (`certain`): `storehouse` had been 0.07 ± 0.07 cards below `patient`, 20
//!   games of 4,000 worse and none better; since then the same in each of 2,000 games, and in 500 others. Going another way
//!   than the policy only beyond doubt there left 6 of 4,000 worse, and cost `eagle-wing` 0.95 cards (500 games). It was taken out.
//! - Against the best of `greedy`, `patient`, `hoarder` and `reserve-first` on the same 500 deals (seed 31337), level 2 won more
//!   money on 40 of 41 rulesets, and as much on `storehouse`.
//! - The first reveal after a way played on without knowing the world, by the solver's line in another world that looks the
//!   same, so that hindsight begins one reveal later: level 3 won 55.3% of 300 games instead of 54.0% in 1.6 times the time, level
//!   4 with 8,000 positions 59.2% of 250 instead of 63.6%. Two such reveals: 52.7% of 300. It was taken out.
//! - Lines that win in a world, tried after the other ways of that world before they are solved (`together`, `replay`), and plays of
//!   such lines tried first by later solves of the decision: level 2 won 55.2% of 2,000 games instead of 53.5% (+1.7 ± 1.4)
//!   and, on another seed, 53.75% instead of 53.7% (+0.05 ± 1.4); level 3 60.5% of 600 instead of 58.0% (+2.5 ± 2.3), in the
//!   same time. How far such plays move up (by 1, 2, 4 or 6 ranks), and wider chance among plays of near ranks, made no difference.
//! - A solve of the world before any way was followed, ways being judged only where that wins: −8.5 ± 3.9 points with as many
//!   positions, −3.3 ± 3.5 with four times as many, +0.8 ± 3.6 with eight times and 2.4 times the time (400 games).
//! - Half of the positions for all ways first, and one and a half times or four times as many where one of them won: −1.4 ± 1.9
//!   and −1.3 ± 2.0 points (1,000 games); at level 3, as many again where one won: −3.5 ± 2.4 (600) in three quarters of the time.
//! - Short walks before the usual ones, each in an order of its own, seven of 100 to 400 positions or four of 150 to 300: −1.0 ±
//!   1.8 and −1.1 ± 1.7 points (1,500 games).
//! - The choice at the next reveal made for all worlds that look the same there, not for each (alpha-mu with two choices), for the
//!   last three ways: level 3 −1.7 ± 2.3 points with 32 worlds, −1.5 ± 2.2 with the shortest ways among the choices, at more than
//!   twice the time (600 games).
//! - Level 3 with 4,000 positions a solve instead of 2,000: +1.7 ± 2.5; with 32 judged worlds besides +2.2 ± 2.6; with 32
//!   judged worlds alone −0.8 ± 2.3 (600 games). With these lines and 4,000 positions level 3 won 62.5% of 2,000 games where it
//!   had won 58.3% (+4.3 ± 1.5), in 0.22 seconds instead of 0.12.
//! - Other orders of plays in the solver's walks, by a search over twenty weights: 2% more of the deals won at 500
//!   positions, 4% more at 1,500. It is not built in.

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
use crate::strategy::{Strategy, StrategyError, Weighed};

pub(super) use expect::weigh_moves;
pub(super) use maker::{SearchMaker, settings};
pub use options::{Aim, OptionError, Options, SETTINGS};
use playout::Policy;
use prices::Prices;
use reach::Judge;
use ways::Ways;

/// Bytes that the positions of a solve take at most.
const MEMORY: usize = 4 << 20;

/// A key of generators: other uses of the generator of strategies have seeds of runs.
const WORLDS: u64 = 0x7361_7261_746f_6761;

/// The player `search`.
pub struct Search {
    name: String,
    options: Arc<Options>,
    policy: Policy,
    plan: Plan,
    /// What was weighed for the last decision.
    weighed: Vec<Weighed>,
    /// The memory of the solver, between decisions.
    kept: Kept,
    /// That of long solves.
    kept_long: Kept,
}

/// What was decided before, for the positions that it foresaw.
#[derive(Default)]
struct Plan {
    /// The seeded game that it is for.
    game: (u64, u64),
    /// What the view is like before the next move.
    expected: u64,
    /// The moves left, the next one last.
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
            // Playouts with idle opponents lose to the policy itself: see what was tried.
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

    fn weighed(&self) -> &[Weighed] {
        &self.weighed
    }
}

/// The solver for worlds of a view, where chance leaves something to solve, the stock comes to be known, and nobody else
/// builds on the foundations.
fn solver_of<'a>(view: &View<'a>, kept: Kept) -> Option<Solver<'a>> {
    let stock = &view.rules().stock;
    let forgotten = stock.waste == WasteFace::Squared && stock.redeals.is_none();
    let solver = Solver::new(view.compiled(), MEMORY).ok().filter(|_| view.seats() == 1 && !forgotten);
    solver.map(|solver| solver.with_kept(kept))
}

impl Search {
    /// The next move, whatever a redeal costs.
    fn choose(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        if let Some(turn) = self.looks(view, legal) {
            return Ok(Some(turn));
        }
        let gives_up_a_card = |m: &Move| matches!(m.source(), Place::Foundation(_));
        let goes_to_and_fro = |m: &Move| m.from_tableau() && m.to_tableau();
        if legal.len() == 1 && !legal.iter().any(|m| gives_up_a_card(m) || goes_to_and_fro(m)) {
            // There is nothing to choose; a plan goes on after it.
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

    /// Where passes do not end, the first one is only looked at: nothing is lost by it, and then all but the order of
    /// the reserve is known.
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

    /// The policy plays, as nothing better is known.
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

    /// The next move, where the view is the one that was foreseen.
    fn follow(&mut self, view: &View<'_>, legal: &MoveList) -> Option<usize> {
        let next = *self.moves.last()?;
        if self.game != view.game() || self.expected != view.fingerprint() {
            self.moves.clear();
            return None;
        }
        let index = legal.iter().position(|&m| m == next)?;
        self.moves.pop();
        if !self.moves.is_empty() {
            // What comes between two reveals is foreseen, whatever lies where nothing is seen.
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
