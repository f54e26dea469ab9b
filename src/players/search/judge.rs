//! Evaluates ways by following each in the same worlds.

use rand::Rng;

use crate::game::Move;
use crate::strategy::{MoveValue, StrategyError};

use super::options::Aim;
use super::reach::{Judge, Reached};

/// Number of standard errors by which a way must be better than that of the policy.
const BEYOND_DOUBT: f64 = 2.5;

/// Result of a way in some worlds.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    worlds: u32,
    wins: u32,
    cards: u64,
    pay: i64,
}

impl Score {
    fn add(&mut self, reached: &Reached) {
        self.worlds += 1;
        self.wins += u32::from(reached.won);
        self.cards += reached.cards as u64;
        self.pay += reached.pay;
    }

    fn add_all(&mut self, other: &Score) {
        self.worlds += other.worlds;
        self.wins += other.wins;
        self.cards += other.cards;
        self.pay += other.pay;
    }
}

impl Judge<'_, '_> {
    /// Returns the ways with their results, best first.
    ///
    /// # Errors
    /// Returns the error of the policy, or that the program is stopping.
    pub fn weigh(
        &mut self,
        ways: Vec<Vec<Move>>,
        rng: &mut impl Rng,
    ) -> Result<Vec<MoveValue>, StrategyError> {
        let mut left: Vec<usize> = (0..ways.len()).collect();
        let mut out = Vec::new();
        let mut scores = vec![Score::default(); ways.len()];
        let rounds = (ways.len().max(1) as f64).log2().ceil().max(1.0) as usize;
        let news = !self.solves() || self.view.stock_is_news(self.view.own_table());
        let judged = if news { self.budget.playouts } else { self.budget.judged };
        let each = judged.div_ceil(rounds);
        while left.len() > 1 {
            for _ in 0..each {
                let world = self.view.sample(rng);
                let chance = rng.next_u64();
                let reached = self.values(&world, &ways, &left, chance)?;
                for (&way, reached) in left.iter().zip(&reached) {
                    scores[way].add(reached);
                }
            }
            // The sort is stable: ties keep the order in which ways were found.
            left.sort_by_key(|&way| std::cmp::Reverse(self.worth(&scores[way])));
            out.extend(left.split_off(left.len().div_ceil(2)).into_iter().rev());
            // In long games a way that wins in every world so far is good enough.
            let best = &scores[left[0]];
            if self.budget.content && best.wins == best.worlds {
                out.extend(left.split_off(1).into_iter().rev());
            }
        }
        let order = left.into_iter().chain(out.into_iter().rev());
        let mut ways: Vec<Option<Vec<Move>>> = ways.into_iter().map(Some).collect();
        let weighed = order.filter_map(|way| {
            let Score { worlds, wins, cards, pay } = scores[way];
            Some(MoveValue { moves: ways[way].take()?, worlds, wins, cards, paid: pay })
        });
        Ok(weighed.collect())
    }

    /// Like [`Judge::weigh`] for positions that cannot be solved. The first way is that of the policy. Another one is
    /// preferred only if it is significantly better: delaying looks as good as acting, until it is too late.
    ///
    /// # Errors
    /// As with [`Judge::weigh`].
    pub fn weigh_against_first(
        &mut self,
        ways: Vec<Vec<Move>>,
        rng: &mut impl Rng,
    ) -> Result<Vec<MoveValue>, StrategyError> {
        let mut scores = vec![Score::default(); ways.len()];
        // The advantage of each way over the first, and its square, summed over worlds.
        let mut better = vec![(0.0, 0.0); ways.len()];
        let worlds = if ways.len() > 1 { self.budget.playouts } else { 0 };
        let mut left: Vec<usize> = (0..ways.len()).collect();
        for world in 0..worlds {
            let (sampled, chance) = (self.view.sample(rng), rng.next_u64());
            let mut first = None;
            if world == worlds / 4 {
                // A way without any advantage so far is unlikely to become significantly better.
                left.retain(|&way| way == 0 || better[way].0 > 0.0);
            }
            if left.len() <= 1 {
                break;
            }
            for &way in &left {
                let mut one = Score::default();
                one.add(&self.value(&sampled, &ways[way], chance)?);
                let worth = self.worth(&one).0 as f64;
                let by = worth - *first.get_or_insert(worth);
                better[way] = (better[way].0 + by, better[way].1 + by * by);
                scores[way].add_all(&one);
            }
        }
        // The paired difference in standard errors.
        let doubt = |way: usize| {
            let (sum, squares) = better[way];
            let n = f64::from(scores[way].worlds);
            let spread = (squares - sum * sum / n).max(0.0);
            if sum > 0.0 && n > 1.0 { sum / (spread * n / (n - 1.0)).sqrt().max(1e-9) } else { 0.0 }
        };
        let best = (0..ways.len()).filter(|&way| doubt(way) > BEYOND_DOUBT);
        let best = best.max_by_key(|&way| self.worth(&scores[way])).unwrap_or(0);
        let weighed = |(way, moves): (usize, Vec<Move>)| {
            let Score { worlds, wins, cards, pay } = scores[way];
            (way != best, MoveValue { moves, worlds, wins, cards, paid: pay })
        };
        let mut weighed: Vec<(bool, MoveValue)> = ways.into_iter().enumerate().map(weighed).collect();
        weighed.sort_by_key(|(others, _)| *others);
        Ok(weighed.into_iter().map(|(_, weighed)| weighed).collect())
    }

    /// Returns the values to be compared.
    fn worth(&self, score: &Score) -> (i64, i64) {
        let (wins, cards) = (i64::from(score.wins), score.cards as i64);
        match self.aim {
            Aim::Win => (wins, cards),
            Aim::Cards => (cards, wins),
            Aim::Money => (score.pay, cards),
        }
    }
}
