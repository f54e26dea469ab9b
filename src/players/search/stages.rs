//! Decides whether to buy a stage of the stake, by comparing what the casino pays for stopping here with the mean pay
//! for playing on, less the cost.
//!
//! A strategy for cards or wins buys whatever lets the game continue. A strategy for money
//! - always buys the cards: whoever does not is not at the table, like a person who does not pay for a deck;
//! - buys the first look if playing on pays more than that and the first draw cost;
//! - buys the first draw, or a pass, if some number of further passes pays for them on average over its worlds, with
//!   the number either fixed in advance or as many as earn what they cost;
//! - redeals for a fee by the same criterion as for a pass, and otherwise brings up what it can and stops;
//! - never buys an unknown card, unless it is free.

use crate::cards::{Purpose, generator};
use crate::game::{Move, MoveList, View};
use crate::rules::StageAt;
use crate::strategy::StrategyError;

use super::options::Aim;
use super::reach::{Course, Judge, Prices};
use super::{Search, WORLDS, solver_of};

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
    /// Returns whether to buy a stage; `m` is the move that triggers it, if there is one.
    ///
    /// # Errors
    /// Returns the error of the policy, or that the program is stopping.
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

    /// Returns the chosen redeal, if it is worth its fee; otherwise a card that goes up and is paid for, and finally
    /// nothing.
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
        let paid_for = !casino.is_staged() || view.bought().stake().whole;
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
