//! Whether to buy a stage of the stake: what the casino pays for stopping now, against what it pays on average for
//! going on, less what that costs.
//!
//! A player for cards or wins buys whatever the game goes on with. A player for money
//! - always buys the cards: who does not is not at the table, like one who does not pay for a deck;
//! - buys the first look if a deal, played by its policy and solved as far as it can be, pays more than that and the
//!   first draw cost, on average over deals that have nothing to do with the one on the table;
//! - buys the first draw, or a pass, if some number of passes more pays for them on average over its worlds, be it a
//!   number that is fixed now or as many as bring in what they cost;
//! - redeals for a fee as it buys a pass, and else brings up what it can and stops;
//! - never buys an unknown card, unless it is free.

use crate::cards::{Deck, Purpose, generator, shuffle};
use crate::game::{Move, MoveList, SeededChance, Table, View};
use crate::rules::StageAt;
use crate::strategy::StrategyError;

use super::options::Aim;
use super::prices::Prices;
use super::reach::{Course, Judge};
use super::{Search, WORLDS, solver_of};

/// Passes that may be bought, fixed in advance.
const MOST_PASSES: usize = 12;

/// So many times the usual worlds for a deal that was not seen, as one decision is made for all games; and the most of them.
/// The player is better than the policy that plays them: in more of them only the policy would be found to lose.
const UNSEEN: usize = 2;
const MOST_DEALS: usize = 256;

/// Standard errors by which a deal that was not seen must be poor: the player plays better than its policy.
const BEYOND_DOUBT: f64 = 2.0;

/// What is paid for going on, by the number of passes that are bought, and for buying as many as bring in what they cost.
struct Prospects<'a> {
    /// What passes cost.
    prices: Prices<'a>,
    /// Passes that are bought in any case.
    least: usize,
    worlds: i64,
    /// Sums over worlds, each with that of its squares; the last for buying sensibly.
    paid: [(i64, f64); MOST_PASSES + 2],
    /// Some course was found by one who knew all cards.
    foreseen: bool,
}

impl<'a> Prospects<'a> {
    fn new(view: &View<'a>, least: usize) -> Prospects<'a> {
        Prospects {
            prices: Prices::of(view),
            least,
            worlds: 0,
            paid: [(0, 0.0); MOST_PASSES + 2],
            foreseen: false,
        }
    }

    fn add(&mut self, course: &Course) {
        let sensibly = course.stops_after(self.least, self.prices);
        self.foreseen |= sensibly.is_none();
        self.worlds += 1;
        let fixed = (0..=MOST_PASSES).map(|passes| course.after(passes, self.prices));
        for (sum, paid) in self.paid.iter_mut().zip(fixed.chain(sensibly)) {
            *sum = (sum.0 + paid, sum.1 + (paid as f64).powi(2));
        }
    }

    /// The best of them on average, with its standard error.
    fn best(&self) -> (f64, f64) {
        let n = self.worlds.max(1) as f64;
        let told = self.paid.len() - usize::from(self.foreseen);
        let best = self.paid[self.least..told].iter().copied().max_by_key(|(sum, _)| *sum);
        let (sum, squares) = best.unwrap_or((0, 0.0));
        let mean = sum as f64 / n;
        (mean, ((squares / n - mean * mean).max(0.0) / n).sqrt())
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
        match m {
            None => self.buys_the_look(view, cost),
            Some(m) => self.buys_on(view, m, at, cost),
        }
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
        if free || self.buys_on(view, m, StageAt::Pass, fee)? {
            return Ok(Some(chosen));
        }
        let pays = casino.pay(view.cards() + 1, all) > casino.pay(view.cards(), all);
        Ok(legal.iter().position(|m| pays && m.to_foundation()))
    }

    /// Whether a deal that was not seen is worth a look.
    fn buys_the_look(&mut self, view: &View<'_>, cost: i64) -> Result<bool, StrategyError> {
        let rules = view.compiled();
        let mut rng = generator(WORLDS, 0, Purpose::Strategy);
        let mut cards = Deck::ordered(rules.deck_shape()).cards().to_vec();
        let mut deal = |number| {
            shuffle(&mut cards, &mut rng);
            Table::deal(rules, &cards, &mut SeededChance::new(WORLDS, number))
        };
        let first = deal(0);
        let seen = view.over(&first);
        let solver = solver_of(&seen, std::mem::take(&mut self.kept));
        let mut judge = Judge::new(&seen, &self.options, solver, &mut self.policy);
        let mut prospects = Prospects::new(&seen, 0);
        for number in 1..=(judge.budget.playouts * UNSEEN).min(MOST_DEALS) {
            let mut course = Course::default();
            judge.follow(&deal(number as u64), &[], number as u64, &mut course)?;
            prospects.add(&course);
        }
        self.kept = judge.keep();
        let draw = rules.spec().casino.stage(StageAt::FirstDraw).map_or(0, |stage| stage.cost);
        let (paid, error) = prospects.best();
        Ok(paid + BEYOND_DOUBT * error > (cost + draw) as f64)
    }

    /// Whether to go on with a move that costs something.
    fn buys_on(&mut self, view: &View<'_>, m: Move, at: StageAt, cost: i64) -> Result<bool, StrategyError> {
        let mut rng = generator(WORLDS, view.fingerprint(), Purpose::Strategy);
        let solver = solver_of(view, std::mem::take(&mut self.kept));
        let mut judge = Judge::new(view, &self.options, solver, &mut self.policy);
        let mut prospects = Prospects::new(view, usize::from(at == StageAt::Pass));
        for number in 0..judge.budget.playouts {
            let world = view.sample(&mut rng);
            let mut course = Course::default();
            judge.follow(&world, &[m], number as u64, &mut course)?;
            prospects.add(&course);
        }
        // A deck with one price is bought whole.
        let paid_for = !view.rules().casino.is_staged() || view.bought().stake().whole;
        let stopping = if paid_for { judge.pay(view.cards(), false) } else { 0 };
        self.kept = judge.keep();
        // What a pass costs is taken off already.
        let cost = if at == StageAt::Pass { 0 } else { cost };
        Ok(prospects.best().0 > (stopping + cost) as f64)
    }
}
