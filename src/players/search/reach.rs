//! Finds what can be reached in a world after a way: the policy plays until nothing of the stock is hidden, and the
//! solver continues from there.

use crate::game::{Move, NoChance, SeededChance, Table, View};
use crate::interrupt;
use crate::rules::{Casino, Rules, StageAt};
use crate::solver::{Effort, Found, Goal, Kept, Solver};
use crate::strategy::StrategyError;

use super::options::{Aim, Budget, Options};
use super::playout::Policy;

/// A strategy for money looks for wins first if a win pays more than this number of cards.
const WORTH_A_WIN: i64 = 10;

/// Returns the goal of a solve. With few passes wins are rare, so cards are the goal unless a win is what pays.
fn goal(rules: &Rules, aim: Aim) -> Goal {
    let spec = rules.spec();
    let (casino, all) = (&spec.casino, rules.hot.cards);
    let wins = match aim {
        Aim::Win => true,
        Aim::Cards => false,
        Aim::Money => {
            let before = casino.pay(all - 1, all);
            let last = casino.pay(all, all).saturating_sub(before);
            last > (WORTH_A_WIN + 1).saturating_mul(before / (all as i64 - 1))
        }
    };
    if wins || spec.stock.redeals.is_none() { Goal::Win } else { Goal::Cards }
}

/// Evaluates ways by what can be reached after them.
pub(super) struct Judge<'v, 'a> {
    pub view: &'v View<'a>,
    pub rules: &'a Rules,
    pub aim: Aim,
    pub budget: Budget,
    pub solver: Option<Solver<'a>>,
    pub policy: &'v mut Policy,
    /// Prices of further passes, if they matter.
    pub prices: Option<Prices<'a>>,
    /// The goal of a solve.
    pub goal: Goal,
}

/// Result in a world.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reached {
    pub won: bool,
    pub cards: usize,
    /// What the casino pays for it, less the price of later passes.
    pub pay: i64,
}

/// Pay along the way to the end of a game, if passes cost something.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    /// What the casino would have paid when each redeal was due.
    pub at_redeals: Vec<i64>,
    /// What it pays at the end.
    pub at_end: i64,
    /// Whether the further passes were found with knowledge of all cards.
    pub foreseen: bool,
}

impl Course {
    /// Returns the pay minus the price of passes after this many paid redeals, or at the end if there are fewer.
    pub fn after(&self, redeals: usize, prices: Prices<'_>) -> i64 {
        let made = redeals.min(self.at_redeals.len());
        self.at_redeals.get(redeals).copied().unwrap_or(self.at_end) - prices.of_next(made)
    }

    /// Returns the net pay of a player who stops after a pass that earned no more than it cost, but makes at least
    /// `least` redeals if possible; `None` if the course was foreseen.
    pub fn stops_after(&self, least: usize, prices: Prices<'_>) -> Option<i64> {
        let poor =
            |&redeals: &usize| self.after(redeals, prices) <= self.after(redeals.saturating_sub(1), prices);
        let stops = (least.max(1)..=self.at_redeals.len()).find(poor).unwrap_or(self.at_redeals.len());
        (!self.foreseen).then(|| self.after(stops, prices))
    }

    /// Returns the net pay of a player who stops sensibly: one who foresees the course stops at the best time.
    fn stopped(&self, prices: Prices<'_>) -> i64 {
        let best = || (0..=self.at_redeals.len()).map(|redeals| self.after(redeals, prices)).max();
        match self.stops_after(0, prices) {
            Some(paid) => paid.max(self.after(0, prices)),
            None => best().unwrap_or(self.at_end),
        }
    }
}

impl<'v, 'a> Judge<'v, 'a> {
    pub fn new(
        view: &'v View<'a>,
        options: &Options,
        solver: Option<Solver<'a>>,
        policy: &'v mut Policy,
    ) -> Judge<'v, 'a> {
        let (rules, budget) = (view.compiled(), Budget::of(options, view));
        let prices = Some(Prices::of(view)).filter(|prices| options.aim == Aim::Money && prices.any());
        let goal = goal(rules, options.aim);
        Judge { view, rules, aim: options.aim, budget, solver, policy, prices, goal }
    }

    /// Returns the memory of the solver, for the next decision.
    pub fn keep(self) -> Kept {
        self.solver.map_or(Kept::default(), Solver::keep)
    }

    /// Returns whether worlds can be solved, at once or when the stock is known.
    pub fn solves(&self) -> bool {
        self.solver.is_some()
    }

    /// Returns the solver's line in a world: a winning one, or the best one found.
    pub fn line(&mut self, world: &Table) -> Vec<Move> {
        let moves = self.solve(world, true).moves;
        self.learn_from(world, &moves);
        moves
    }

    /// Returns what the solver finds in a position, within the budget of a solve.
    pub fn solve(&mut self, table: &Table, moves: bool) -> Found {
        let effort = Effort { goal: self.goal, nodes: self.budget.nodes, moves };
        self.solver.as_mut().map_or_else(Found::default, |solver| solver.solve_small(table, &effort))
    }

    /// Returns the result of this many cards up, if passes cost nothing.
    pub fn reached(&self, won: bool, cards: usize) -> Reached {
        Reached { won, cards, pay: self.pay(cards, won) }
    }

    /// Returns what the casino pays for cards.
    pub fn pay(&self, cards: usize, won: bool) -> i64 {
        let casino = &self.view.rules().casino;
        let all = self.rules.hot.cards;
        casino.pay(if won { all } else { cards }, all)
    }

    /// Returns what can be reached in a world after a way.
    ///
    /// # Errors
    /// Returns the error of the policy, or that the program is stopping.
    pub fn value(&mut self, world: &Table, way: &[Move], chance: u64) -> Result<Reached, StrategyError> {
        let mut course = Course::default();
        let (won, cards) = self.follow(world, way, chance, &mut course)?;
        Ok(match self.prices {
            None => self.reached(won, cards),
            Some(prices) => Reached { won, cards, pay: course.stopped(prices) },
        })
    }

    /// Like [`Judge::value`], with the pay along the way if passes cost something.
    ///
    /// # Errors
    /// As with [`Judge::value`].
    pub fn follow(
        &mut self,
        world: &Table,
        way: &[Move],
        chance: u64,
        course: &mut Course,
    ) -> Result<(bool, usize), StrategyError> {
        if interrupt::requested() {
            return Err(StrategyError::Interrupted);
        }
        let mut table = *world;
        let mut chance = SeededChance::new(chance, 0);
        for &m in way {
            self.note(course, &table, m);
            table.apply(self.rules, m, &mut chance);
        }
        let (solved, view, rules) = (self.solver.is_some(), self.view, self.rules);
        let known = |table: &Table| solved && !view.stock_is_news(table);
        let all = rules.hot.cards;
        if !known(&table) {
            let mut redeals = Vec::new();
            self.policy.play_out(view, &mut table, &mut chance, |table, m| {
                if m.is_redeal() {
                    redeals.push(table.cards());
                }
                known(table)
            })?;
            course.at_redeals.extend(redeals.into_iter().map(|cards| self.pay(cards, false)));
        }
        let mut reached = (table.cards() == all, table.cards());
        if known(&table) {
            let found = self.solve(&table, self.prices.is_some());
            reached = (found.won, found.cards);
            course.foreseen = true;
            if self.prices.is_some() {
                for m in found.moves {
                    self.note(course, &table, m);
                    table.apply(rules, m, &mut NoChance);
                }
            }
        }
        course.at_end = self.pay(reached.1, reached.0);
        Ok(reached)
    }

    /// Records what would be paid if a redeal is due.
    fn note(&self, course: &mut Course, table: &Table, m: Move) {
        if m.is_redeal() && self.prices.is_some() {
            course.at_redeals.push(self.pay(table.cards(), false));
        }
    }
}

/// Price of each further redeal: a stage or its fee, which may differ between redeals.
#[derive(Clone, Copy)]
pub(super) struct Prices<'a> {
    casino: &'a Casino,
    /// Number of redeals made.
    made: u32,
}

impl<'a> Prices<'a> {
    /// Returns the prices from the position of a view on.
    pub fn of(view: &View<'a>) -> Prices<'a> {
        Prices { casino: &view.compiled().spec().casino, made: view.own_table().redeals() }
    }

    /// Returns whether any of them costs something.
    pub fn any(&self) -> bool {
        match self.casino.stage(StageAt::Pass) {
            Some(stage) => stage.cost != 0,
            None => (self.made..)
                .take(self.casino.redeal_fees.len())
                .any(|redeal| self.casino.redeal_fee(redeal) != 0),
        }
    }

    /// Returns the total price of the next `redeals`, in cents.
    pub fn of_next(&self, redeals: usize) -> i64 {
        let redeals = redeals as u32;
        match self.casino.stage(StageAt::Pass) {
            Some(stage) => stage.cost * i64::from(redeals),
            None => self.casino.redeal_fees(self.made + redeals) - self.casino.redeal_fees(self.made),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Deck;
    use crate::game::{PlayerState, SeededChance, Table};
    use crate::rules::parse_text;

    #[test]
    fn fees_and_stages_are_added_up() {
        let told = |text: &str| {
            let rules = parse_text("fees.toml", &format!("extends = \"canfield\"\n{text}")).unwrap().rules;
            let deck = Deck::shuffled(rules.deck_shape(), 1, 0);
            let table = Table::deal(&rules, deck.cards(), &mut SeededChance::new(1, 0));
            let rng = PlayerState::new(1, 0);
            let prices = Prices::of(&View::new(&table, &rules, &rng));
            (prices.any(), [0, 1, 2, 3].map(|redeals| prices.of_next(redeals)))
        };
        assert_eq!(told(""), (false, [0, 0, 0, 0]));
        assert_eq!(told("[casino]\nredeal_fee = 2\n"), (true, [0, 200, 400, 600]));
        assert_eq!(told("[casino]\nredeal_fee = [0, 5]\n"), (true, [0, 0, 500, 1000]));
        assert_eq!(told("[casino]\nredeal_fee = [6, 0]\n"), (true, [0, 600, 600, 600]));
        let stages =
            "[[casino.stage]]\nat = \"deal\"\ncost = 20\n[[casino.stage]]\nat = \"pass\"\ncost = 3\n";
        assert_eq!(told(stages), (true, [0, 300, 600, 900]));
    }
}
