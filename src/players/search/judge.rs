//! Evaluates ways by following each in the same worlds.

use rand::Rng;

use crate::cards::{Purpose, generator};
use crate::game::{Move, MoveList, View};
use crate::strategy::{LoadError, MoveValue, StrategyError, StrategySource};

use super::maker::{SearchMaker, settings};
use super::options::Aim;
use super::playout::Policy;
use super::reach::{Judge, Reached};
use super::{Kept, WORLDS, solver_of};

/// Number of standard errors by which a way must be better than that of the policy.
const BEYOND_DOUBT: f64 = 2.5;

/// Returns the value of a way that was not judged yet.
fn unjudged(moves: Vec<Move>) -> MoveValue {
    MoveValue { moves, worlds: 0, wins: 0, cards: 0, paid: 0 }
}

/// Adds the result in one world.
fn add(value: &mut MoveValue, reached: &Reached) {
    value.worlds += 1;
    value.wins += u32::from(reached.won);
    value.cards += reached.cards as u64;
    value.paid += reached.pay;
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
        let rounds = (ways.len().max(1) as f64).log2().ceil().max(1.0) as usize;
        let mut ways: Vec<MoveValue> = ways.into_iter().map(unjudged).collect();
        let each = self.worlds().div_ceil(rounds);
        while left.len() > 1 {
            for _ in 0..each {
                let world = self.view.sample(rng);
                let chance = rng.next_u64();
                let reached = self.values(&world, &ways, &left, chance)?;
                left.iter().zip(&reached).for_each(|(&way, reached)| add(&mut ways[way], reached));
            }
            // The sort is stable: ties keep the order in which ways were found.
            left.sort_by_key(|&way| std::cmp::Reverse(self.worth(&ways[way])));
            out.extend(left.split_off(left.len().div_ceil(2)).into_iter().rev());
            // In long games a way that wins in every world so far is good enough.
            let best = &ways[left[0]];
            if self.budget.content && best.wins == best.worlds {
                out.extend(left.split_off(1).into_iter().rev());
            }
        }
        let order = left.into_iter().chain(out.into_iter().rev());
        Ok(order.map(|way| std::mem::replace(&mut ways[way], unjudged(Vec::new()))).collect())
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
        let mut ways: Vec<MoveValue> = ways.into_iter().map(unjudged).collect();
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
                let reached = self.value(&sampled, &ways[way].moves, chance)?;
                let mut alone = unjudged(Vec::new());
                add(&mut alone, &reached);
                let worth = self.worth(&alone).0 as f64;
                let by = worth - *first.get_or_insert(worth);
                better[way] = (better[way].0 + by, better[way].1 + by * by);
                add(&mut ways[way], &reached);
            }
        }
        // The paired difference in standard errors.
        let doubt = |way: usize| {
            let (sum, squares) = better[way];
            let n = f64::from(ways[way].worlds);
            let spread = (squares - sum * sum / n).max(0.0);
            if sum > 0.0 && n > 1.0 { sum / (spread * n / (n - 1.0)).sqrt().max(1e-9) } else { 0.0 }
        };
        let best = (0..ways.len()).filter(|&way| doubt(way) > BEYOND_DOUBT);
        if let Some(best) = best.max_by_key(|&way| self.worth(&ways[way])) {
            ways[..=best].rotate_right(1);
        }
        Ok(ways)
    }

    /// Returns the number of worlds in which ways are judged.
    fn worlds(&self) -> usize {
        let news = !self.solves() || self.view.stock_is_news(self.view.own_table());
        if news { self.budget.playouts } else { self.budget.judged }
    }

    /// Returns the values to be compared.
    fn worth(&self, value: &MoveValue) -> (i64, i64) {
        let (wins, cards) = (i64::from(value.wins), value.cards as i64);
        match self.aim {
            Aim::Win => (wins, cards),
            Aim::Cards => (cards, wins),
            Aim::Money => (value.paid, cards),
        }
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
pub(in crate::players) fn evaluate_moves(
    name: &str,
    load: impl Fn(&str) -> Result<StrategySource, LoadError>,
    view: &View<'_>,
    legal: &MoveList,
) -> Option<Result<Vec<MoveValue>, StrategyError>> {
    let told: Vec<_> = settings(name)?.into_iter().filter(|(key, _)| key != "slip").collect();
    let maker = SearchMaker::read(&told, load).ok()?;
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
