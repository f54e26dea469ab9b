//! Whether to buy a stage of the stake: what the casino pays for stopping now, against what it pays on average for
//! going on, less what that costs.
//!
//! A player for cards or wins buys whatever the game goes on with. A player for money
//! - always buys the cards: who does not is not at the table, like one who does not pay for a deck;
//! - buys the first look if going on pays more than that and the first draw cost;
//! - buys the first draw, or a pass, if some number of passes more pays for them on average over its worlds, be it a
//!   number that is fixed now or as many as bring in what they cost;
//! - redeals for a fee as it buys a pass, and else brings up what it can and stops;
//! - never buys an unknown card, unless it is free.

use crate::cards::{Purpose, generator};
use crate::game::{Move, MoveList, View};
use crate::rules::StageAt;
use crate::strategy::StrategyError;

use super::options::Aim;
use super::prices::Prices;
use super::reach::{Course, Judge};
use super::{Search, WORLDS, solver_of};

/// Passes that may be bought, fixed in advance.
const MOST_PASSES: usize = 12;

/// What is paid for going on, by the number of passes that are bought, and for buying as many as bring in what they cost.
struct Prospects<'a> {
    /// What passes cost.
    prices: Prices<'a>,
    /// Passes that are bought in any case.
    least: usize,
    worlds: i64,
    /// Sums over worlds; the last for buying sensibly.
    paid: [i64; MOST_PASSES + 2],
    /// Some course was found by one who knew all cards.
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

    /// The best of them on average.
    fn best(&self) -> f64 {
        let told = self.paid.len() - usize::from(self.foreseen);
        let best = self.paid[self.least..told].iter().copied().max().unwrap_or(0);
        best as f64 / self.worlds.max(1) as f64
    }
}

impl Search {
    /// Whether to buy a stage; `m` is the move that it is asked for, if it is one.
    ///
    /// # Errors
    /// The fault of the policy, or that the program is to stop.
    pub(super) fn buys(
        &mut self,
        view: &View<'_>,
        m: Option<Move>,
        at: StageAt,
        cost: i64,
    ) -> Result<bool, StrategyError> {
        if !at.stops() {
            return Ok(cost <= 0);
        }
        if at == StageAt::Deal || cost <= 0 || self.options.aim != Aim::Money {
            return Ok(true);
        }
        self.buys_on(view, m, at, cost)
    }

    /// The redeal that was chosen, if it is worth its fee; else a card that goes up and is paid for, and at last nothing.
    ///
    /// # Errors
    /// As with [`Search::buys`].
    pub(super) fn redeals_for(
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

    /// Whether to go on, with a move that costs something where that is what is asked.
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
        // A deck with one price is bought whole.
        let casino = &view.rules().casino;
        let paid_for = !casino.is_staged() || view.bought().stake().whole;
        let stopping = if paid_for { judge.pay(view.cards(), false) } else { 0 };
        self.kept = judge.keep();
        let cost = match at {
            // What a pass costs is taken off already.
            StageAt::Pass => 0,
            StageAt::FirstLook => cost + casino.stage(StageAt::FirstDraw).map_or(0, |stage| stage.cost),
            _ => cost,
        };
        Ok(prospects.best() > (stopping + cost) as f64)
    }
}
