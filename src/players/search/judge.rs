//! What ways are worth: each is followed in the same worlds.

use rand::Rng;

use crate::game::{Move, SeededChance, Table, View};
use crate::interrupt;
use crate::rules::Rules;
use crate::solver::{Effort, Goal, Kept, Solver};
use crate::strategy::{StrategyError, Weighed};

use super::options::{Aim, Options};
use super::playout::Policy;

/// So many worlds are looked at instead of one while the stock is not known.
const PLAYOUTS: usize = 8;

/// And a solve may expand so many times fewer positions.
const FEWER: u64 = 8;

/// Standard errors by which a way must be better than what the policy does.
const BEYOND_DOUBT: f64 = 2.5;

/// Judges ways by what can be reached after them.
pub(super) struct Judge<'v, 'a> {
    view: &'v View<'a>,
    rules: &'a Rules,
    options: &'v Options,
    solver: Option<Solver<'a>>,
    pub policy: &'v mut Policy,
}

/// What a way came to in some worlds.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    worlds: u32,
    wins: u32,
    cards: u64,
}

impl<'v, 'a> Judge<'v, 'a> {
    pub fn new(
        view: &'v View<'a>,
        options: &'v Options,
        solver: Option<Solver<'a>>,
        policy: &'v mut Policy,
    ) -> Judge<'v, 'a> {
        Judge { view, rules: view.compiled(), options, solver, policy }
    }

    /// The memory of the solver, for the next decision.
    pub fn keep(self) -> Kept {
        self.solver.map_or(Kept::default(), Solver::keep)
    }

    /// The solver's line in a world: one that wins, or the best one found.
    pub fn line(&mut self, world: &Table) -> Vec<Move> {
        let effort = self.effort(true);
        self.solver.as_mut().map_or(Vec::new(), |solver| solver.solve_small(world, &effort).moves)
    }

    /// What a solve is asked. Where passes are few, wins are rare and cards are what is played for.
    fn effort(&self, moves: bool) -> Effort {
        let goal = if self.rules.spec().stock.redeals.is_none() { Goal::Win } else { Goal::Cards };
        let news = self.view.stock_is_news(self.view.own_table());
        let nodes = if news { (self.options.nodes / FEWER).max(1) } else { self.options.nodes };
        Effort { goal, nodes, moves }
    }

    /// The ways with what they came to, the best first.
    ///
    /// # Errors
    /// The fault of the policy, or that the program is to stop.
    pub fn weigh(&mut self, ways: Vec<Vec<Move>>, rng: &mut impl Rng) -> Result<Vec<Weighed>, StrategyError> {
        let mut left: Vec<usize> = (0..ways.len()).collect();
        let mut out = Vec::new();
        let mut scores = vec![Score::default(); ways.len()];
        let rounds = (ways.len().max(1) as f64).log2().ceil().max(1.0) as usize;
        // Playouts are much cheaper than solves, and say less each.
        let news = self.solver.is_none() || self.view.stock_is_news(self.view.own_table());
        let judged = self.options.judged * if news { PLAYOUTS } else { 1 };
        let each = judged.div_ceil(rounds);
        while left.len() > 1 {
            for _ in 0..each {
                if interrupt::requested() {
                    return Err(StrategyError::Interrupted);
                }
                let world = self.view.sample(rng);
                let chance = rng.next_u64();
                for &way in &left {
                    scores[way].worlds += 1;
                    let (won, cards) = self.value(&world, &ways[way], chance)?;
                    scores[way].wins += u32::from(won);
                    scores[way].cards += cards as u64;
                }
            }
            // Ties stay in the order in which ways were found.
            left.sort_by_key(|&way| std::cmp::Reverse(self.worth(&scores[way])));
            out.extend(left.split_off(left.len().div_ceil(2)).into_iter().rev());
        }
        let order = left.into_iter().chain(out.into_iter().rev());
        let mut ways: Vec<Option<Vec<Move>>> = ways.into_iter().map(Some).collect();
        let weighed = order.filter_map(|way| {
            let Score { worlds, wins, cards } = scores[way];
            Some(Weighed { moves: ways[way].take()?, worlds, wins, cards })
        });
        Ok(weighed.collect())
    }

    /// The same where nothing can be solved. The first way is what the policy does. It is gone another way only where
    /// that is better beyond doubt: what is put off looks as good as what is done, until it is too late.
    ///
    /// # Errors
    /// As with [`Judge::weigh`].
    pub fn weigh_against_first(
        &mut self,
        ways: Vec<Vec<Move>>,
        rng: &mut impl Rng,
    ) -> Result<Vec<Weighed>, StrategyError> {
        let mut scores = vec![Score::default(); ways.len()];
        // By how much each is better than the first, and its square, summed over worlds.
        let mut better = vec![(0.0, 0.0); ways.len()];
        let worlds = if ways.len() > 1 { self.options.judged * PLAYOUTS } else { 0 };
        for _ in 0..worlds {
            if interrupt::requested() {
                return Err(StrategyError::Interrupted);
            }
            let (world, chance) = (self.view.sample(rng), rng.next_u64());
            let mut first = None;
            for (way, moves) in ways.iter().enumerate() {
                let (won, cards) = self.value(&world, moves, chance)?;
                let one = Score { worlds: 1, wins: u32::from(won), cards: cards as u64 };
                let worth = self.worth(&one).0 as f64;
                let by = worth - *first.get_or_insert(worth);
                better[way] = (better[way].0 + by, better[way].1 + by * by);
                scores[way].worlds += 1;
                scores[way].wins += one.wins;
                scores[way].cards += one.cards;
            }
        }
        // How many standard errors of a paired difference.
        let doubt = |way: usize| {
            let (sum, squares) = better[way];
            let n = worlds as f64;
            let spread = (squares - sum * sum / n).max(0.0);
            if sum > 0.0 && n > 1.0 { sum / (spread * n / (n - 1.0)).sqrt().max(1e-9) } else { 0.0 }
        };
        let best = (0..ways.len()).filter(|&way| doubt(way) > BEYOND_DOUBT);
        let best = best.max_by_key(|&way| self.worth(&scores[way])).unwrap_or(0);
        let weighed = |(way, moves): (usize, Vec<Move>)| {
            let Score { worlds, wins, cards } = scores[way];
            (way != best, Weighed { moves, worlds, wins, cards })
        };
        let mut weighed: Vec<(bool, Weighed)> = ways.into_iter().enumerate().map(weighed).collect();
        weighed.sort_by_key(|(others, _)| *others);
        Ok(weighed.into_iter().map(|(_, weighed)| weighed).collect())
    }

    /// Whether worlds can be solved.
    pub fn solves(&self) -> bool {
        self.solver.is_some()
    }

    /// What is compared.
    fn worth(&self, score: &Score) -> (i64, i64) {
        let casino = &self.view.rules().casino;
        let (wins, cards) = (i64::from(score.wins), score.cards as i64);
        match self.options.aim {
            Aim::Win => (wins, cards),
            Aim::Cards => (cards, wins),
            Aim::Money => (cards * casino.pays_per_card + wins * casino.pays_for_win, cards),
        }
    }

    /// What can be reached in a world after a way.
    fn value(&mut self, world: &Table, way: &[Move], chance: u64) -> Result<(bool, usize), StrategyError> {
        let mut table = *world;
        let mut chance = SeededChance::new(chance, 0);
        for &m in way {
            table.apply(self.rules, m, &mut chance);
        }
        let solved = self.solver.is_some();
        let view = self.view;
        if !solved || view.stock_is_news(&table) {
            self.policy
                .play_out(view, &mut table, &mut chance, |table| solved && !view.stock_is_news(table))?;
            if !solved || view.stock_is_news(&table) {
                return Ok((table.cards() == self.rules.hot.cards, table.cards()));
            }
        }
        let effort = self.effort(false);
        let Some(solver) = &mut self.solver else { return Ok((false, table.cards())) };
        let found = solver.solve_small(&table, &effort);
        Ok((found.won, found.cards))
    }
}
