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
//! With few cards left and few of them unknown, it plays optimally, as [`exact`](crate::players::exact) does.
//!
//! Decisions depend only on what the view shows: worlds are drawn from a generator seeded by what is seen. A chosen way
//! is followed while the view is as foreseen.
//!
//! # Buying
//!
//! Whether to buy a stage of the stake is decided by comparing what the casino pays for stopping here with the mean pay
//! for playing on, less the cost. A strategy for cards or wins buys whatever lets the game continue. A strategy for money
//! - always buys the cards: whoever does not is not at the table, like a person who does not pay for a deck;
//! - buys the first look if playing on pays more than that and the first draw cost;
//! - buys the first draw, or a pass, if some number of further passes pays for them on average over its worlds, with
//!   the number either fixed in advance or as many as earn what they cost;
//! - redeals for a fee by the same criterion as for a pass, and otherwise brings up what it can and stops;
//! - never buys an unknown card, unless it is free.
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
//! 3 won 51.7% of 10,000 games (50.6% to 52.7%) in 0.36 seconds each, level 4 55.9% of 4,000 (54.3% to 57.5%) in 1.9.
//!
//! `reports/notebook.md` has what was tried, and what it gained.

mod judge;
mod options;
#[cfg(test)]
mod tests;
mod ways;

use std::sync::Arc;

use crate::cards::{Purpose, generator};
use crate::game::{Knowledge, Move, MoveList, NoChance, Place, Table, View};
use crate::interrupt;
use crate::rules::{Draw, OnRedeal, Stage, StageAt, WasteFace};
use crate::solver::{Effort, Goal, Kept, Limits, Solver, Verdict};
use crate::strategy::script::{Parameter, ParameterKind};
use crate::strategy::settings::{self, SEARCH};
use crate::strategy::{LoadError, Maker, MoveValue, Setting, Strategy, StrategyError, StrategySource};

use judge::{Course, Judge, Policies, Policy, Prices, USUAL, add, unjudged};
use options::MOST;
pub use options::{Aim, Options, SETTINGS};
use ways::{Ways, certain_play, optimal};

/// Maximum memory for the positions of a solve, in bytes.
const MEMORY: usize = 4 << 20;

/// Maximum memory for the positions of a long solve, in bytes; its lists take at most 32 MiB more.
const LONG_MEMORY: usize = 64 << 20;

/// Factor from the usual number of positions to that of a small solve.
const SMALL: u64 = 40;

/// Factor from a small solve to a long one, which is made if the small one neither finds nor excludes a win, and the
/// maximum number of positions in all.
const LONG: u64 = 4;
const MOST_LONG: u64 = 500_000;

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

    fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, StrategyError> {
        let Stage { at, cost, .. } = *stage;
        if !at.stops() {
            return Ok(cost <= 0);
        }
        if at == StageAt::Deal || cost <= 0 || self.options.aim != Aim::Money {
            return Ok(true);
        }
        let m = match at {
            StageAt::FirstDraw => legal.iter().copied().find(|m| !m.is_play()),
            StageAt::Pass => legal.iter().copied().find(|m| m.is_redeal()),
            StageAt::Deal | StageAt::FirstLook | StageAt::UnknownCard => None,
        };
        self.buys_on(view, m, at, cost)
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
            && let Some(certain) = certain_play(view, legal)
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
            && let Some(moves) = optimal(view, self.options.aim, self.options.nodes / 2, &mut rng)
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
        let found = Ways::new(view, judge.budget).gather(&mut judge, &mut rng)?;
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

    /// Returns a winning line, or else the best one found.
    fn outright(&mut self, mut solver: Solver<'_>, world: &Table) -> Result<Vec<Move>, StrategyError> {
        let nodes = self.options.nodes * SMALL;
        let small = solver.solve_small(world, &Effort { goal: Goal::Win, nodes, moves: true });
        let rules = solver.rules();
        self.kept = solver.keep();
        let heeded = interrupt::heeded();
        let stop = heeded.as_deref().unwrap_or(&interrupt::FLAG);
        let limits =
            Limits { nodes: Some((nodes * LONG).min(MOST_LONG)), stop: Some(stop), ..Limits::default() };
        let long = match small.proven {
            true => None,
            false => Solver::new(rules, LONG_MEMORY).ok(),
        };
        let answer = long.map(|solver| {
            let mut solver = solver.with_kept(std::mem::take(&mut self.kept_long));
            let answer = solver.solve(world, Goal::Win, &limits);
            self.kept_long = solver.keep();
            answer
        });
        if interrupt::requested() {
            return Err(StrategyError::Interrupted);
        }
        Ok(match answer {
            Some(answer) if answer.verdict == Verdict::Won => answer.moves,
            _ => small.moves,
        })
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
            after.apply(view.compiled(), next, &mut NoChance);
            self.expected = view.over(&after).fingerprint();
        }
        Some(index)
    }

    fn coasts(&self, view: &View<'_>) -> bool {
        self.coasting && self.game == view.game() && self.expected == view.unknown() as u64
    }
}

/// Factory of searching strategies.
#[derive(Debug)]
pub(super) struct SearchMaker {
    options: Arc<Options>,
    policies: Arc<Policies>,
}

/// Parses the settings of a name, if it is that of this strategy: `search`, or `search:` and settings. The value of
/// `policy=` ends at the next comma, unless a colon comes first: then the rest are the settings of the policy. Text
/// that is not a setting gets no value.
pub(super) fn settings(name: &str) -> Option<Vec<Setting>> {
    if name == SEARCH {
        return Some(Vec::new());
    }
    let mut rest = name.strip_prefix(SEARCH)?.strip_prefix(':')?;
    let mut settings = Vec::new();
    loop {
        let comma = rest.find(',').unwrap_or(rest.len());
        let whole = rest.starts_with("policy=") && rest[..comma].contains(':');
        let end = if whole { rest.len() } else { comma };
        let (setting, after) = rest.split_at(end);
        let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
        settings.push((key.into(), value.into()));
        match after.strip_prefix(',') {
            Some(more) => rest = more,
            None => return Some(settings),
        }
    }
}

impl SearchMaker {
    /// Parses settings; `load` loads the policy.
    ///
    /// # Errors
    /// Returns what is wrong with them, or with the policy.
    pub fn read(
        settings: &[Setting],
        load: impl Fn(&str) -> Result<StrategySource, LoadError>,
    ) -> Result<SearchMaker, LoadError> {
        let fault = |reason: String| LoadError::Player { name: SEARCH.into(), reason };
        let options = Options::read(settings).map_err(fault)?;
        let load = |policy: &str| match self::settings(policy) {
            Some(_) => Err(fault("its policy cannot be `search`; a policy plays thousands of games".into())),
            None if settings::meant(policy).is_some() => Err(fault(format!(
                "its policy cannot be a kind of patrons, as `{policy}` is; name a strategy"
            ))),
            None => load(policy).map_err(|error| match error {
                // Faults are shown with the script's text, which identifies it.
                LoadError::Faults(_) => error,
                _ => fault(format!("its policy: {error}")),
            }),
        };
        let policies = match &options.policy {
            Some(policy) => {
                let policy = load(policy)?;
                std::array::from_fn(|_| policy.clone())
            }
            None => {
                let [unlimited, limited, contest] = USUAL.map(load);
                [unlimited?, limited?, contest?]
            }
        };
        Ok(SearchMaker { options: Arc::new(options), policies: Arc::new(policies) })
    }
}

impl Maker for SearchMaker {
    fn make(&self, name: &str) -> Box<dyn Strategy> {
        Box::new(Search {
            name: name.into(),
            options: self.options.clone(),
            policy: Policy::new(&self.policies),
            plan: Plan::default(),
            weighed: Vec::new(),
            kept: Kept::default(),
            kept_long: Kept::default(),
        })
    }

    /// Returns the text of the requested policy.
    fn text(&self) -> Option<&str> {
        self.options.policy.as_ref().and_then(|_| self.policies[0].text())
    }

    fn parameters(&self) -> Vec<Parameter> {
        let parameter = |place: usize, (name, most): (&str, u64)| Parameter {
            name: name.into(),
            kind: ParameterKind::Number(1, most as i64),
            default: self.options.count(name) as i64,
            place: place..place,
        };
        MOST.into_iter().enumerate().map(|(place, most)| parameter(place, most)).collect()
    }

    /// Offers ranges from a quarter to twice the current values: more is better and slower, so an unlimited search
    /// would only find the maximum.
    fn tuned(&self) -> Vec<Parameter> {
        let narrower = |parameter: Parameter| {
            let (least, most) = parameter.bounds();
            let kind = ParameterKind::Number(
                (parameter.default / 4).max(least),
                parameter.default.saturating_mul(2).min(most),
            );
            Parameter { kind, ..parameter }
        };
        self.parameters().into_iter().map(narrower).collect()
    }

    fn with_values(&self, name: &str, values: &[(&Parameter, i64)]) -> Option<(String, Arc<dyn Maker>)> {
        let mut told = settings(name)?;
        let mut options = (*self.options).clone();
        for (parameter, value) in values {
            options.set_count(&parameter.name, u64::try_from(*value).ok()?);
            told.retain(|(other, _)| *other != parameter.name);
            told.push((parameter.name.clone(), value.to_string()));
        }
        // The policy comes last, because it may have settings of its own.
        told.sort_by_key(|(name, _)| name == "policy");
        let maker = SearchMaker { options: Arc::new(options), policies: self.policies.clone() };
        Some((settings::join(SEARCH, &told), Arc::new(maker)))
    }
}

/// Maximum number of passes bought, fixed in advance.
const MOST_PASSES: usize = 12;

/// Pay for playing on, by the number of passes bought, and for buying as many as earn what they cost.
struct Prospects<'a> {
    /// Prices of the passes.
    prices: Prices<'a>,
    /// Number of passes that are bought in any case.
    least: usize,
    worlds: i64,
    /// Sums over worlds; the last entry is for buying sensibly.
    paid: [i64; MOST_PASSES + 2],
    /// Whether some course was found with knowledge of all cards.
    foreseen: bool,
}

impl<'a> Prospects<'a> {
    fn new(view: &View<'a>, least: usize) -> Prospects<'a> {
        Prospects { prices: Prices::of(view), least, worlds: 0, paid: [0; MOST_PASSES + 2], foreseen: false }
    }

    fn add(&mut self, course: &Course) {
        let sensibly = course.stops_after(self.least, self.prices);
        self.foreseen |= sensibly.is_none();
        self.worlds += 1;
        let fixed = (0..=MOST_PASSES).map(|passes| course.after(passes, self.prices));
        for (sum, paid) in self.paid.iter_mut().zip(fixed.chain(sensibly)) {
            *sum += paid;
        }
    }

    /// Returns the best mean of them.
    fn best(&self) -> f64 {
        let told = self.paid.len() - usize::from(self.foreseen);
        let best = self.paid[self.least..told].iter().copied().max().unwrap_or(0);
        best as f64 / self.worlds.max(1) as f64
    }
}

impl Search {
    /// Returns the chosen redeal, if it is worth its fee; otherwise a card that goes up and is paid for, and finally
    /// nothing.
    fn redeals_for(
        &mut self,
        view: &View<'_>,
        legal: &MoveList,
        chosen: usize,
    ) -> Result<Option<usize>, StrategyError> {
        let (casino, all) = (&view.rules().casino, view.compiled().hot.cards);
        let fee = view.redeal_fee();
        let m = legal[chosen];
        let free = !m.is_redeal() || fee <= 0 || self.options.aim != Aim::Money;
        if free || self.buys_on(view, Some(m), StageAt::Pass, fee)? {
            return Ok(Some(chosen));
        }
        let pays = casino.pay(view.cards() + 1, all) > casino.pay(view.cards(), all);
        Ok(legal.iter().position(|m| pays && m.to_foundation()))
    }

    /// Returns whether to play on, with a move that costs something if that is the question.
    fn buys_on(
        &mut self,
        view: &View<'_>,
        m: Option<Move>,
        at: StageAt,
        cost: i64,
    ) -> Result<bool, StrategyError> {
        let mut rng = generator(WORLDS, view.fingerprint(), Purpose::Strategy);
        let solver = solver_of(view, std::mem::take(&mut self.kept));
        let mut judge = Judge::new(view, &self.options, solver, &mut self.policy);
        let mut prospects = Prospects::new(view, usize::from(at == StageAt::Pass));
        for number in 0..judge.budget.playouts {
            let world = view.sample(&mut rng);
            let mut course = Course::default();
            judge.follow(&world, m.as_slice(), number as u64, &mut course)?;
            prospects.add(&course);
        }
        // A deck with a single price is bought whole.
        let casino = &view.rules().casino;
        let paid_for = !casino.is_staged() || view.purchases().whole;
        let stopping = if paid_for { judge.pay(view.cards(), false) } else { 0 };
        self.kept = judge.keep();
        let cost = match at {
            // The price of a pass is already subtracted.
            StageAt::Pass => 0,
            StageAt::FirstLook => cost + casino.stage(StageAt::FirstDraw).map_or(0, |stage| stage.cost),
            _ => cost,
        };
        Ok(prospects.best() > (stopping + cost) as f64)
    }
}

/// Evaluates every legal move, in order, on the same sampled deals: from the position after it, by the solver, or by
/// the policy while the stock is unknown. Returns `None` if `name` is not that of the strategy `search`, or is invalid.
///
/// From there on the evaluation uses more knowledge than any player has. The values are therefore too high, but still
/// serve to compare moves.
///
/// # Errors
/// Returns the error of the policy, or that the program is stopping.
pub fn evaluate_moves(
    name: &str,
    view: &View<'_>,
    legal: &MoveList,
) -> Option<Result<Vec<MoveValue>, StrategyError>> {
    let told: Vec<_> = settings(name)?.into_iter().filter(|(key, _)| key != "slip").collect();
    let maker = SearchMaker::read(&told, crate::strategy::load).ok()?;
    let mut policy = Policy::new(&maker.policies);
    let solver = solver_of(view, Kept::default());
    let mut judge = Judge::new(view, &maker.options, solver, &mut policy);
    let mut rng = generator(WORLDS, view.fingerprint(), Purpose::Strategy);
    let mut weighed: Vec<MoveValue> = legal.iter().map(|&m| unjudged(vec![m])).collect();
    for _ in 0..judge.worlds() {
        let (world, chance) = (view.sample(&mut rng), rand::Rng::next_u64(&mut rng));
        for it in &mut weighed {
            match judge.value(&world, &it.moves, chance) {
                Ok(reached) => add(it, &reached),
                Err(error) => return Some(Err(error)),
            }
        }
    }
    Some(Ok(weighed))
}
