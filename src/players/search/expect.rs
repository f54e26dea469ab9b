//! Evaluates each legal move, for people who ask for the evaluations.

use crate::cards::{Purpose, generator};
use crate::game::{MoveList, View};
use crate::strategy::{LoadError, MoveValue, StrategyError, StrategySource};

use super::maker::{SearchMaker, settings};
use super::playout::Policy;
use super::reach::Judge;
use super::{Kept, WORLDS, solver_of};

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
    let news = !judge.solves() || view.stock_is_news(view.own_table());
    let worlds = if news { judge.budget.playouts } else { judge.budget.judged };
    let mut rng = generator(WORLDS, view.fingerprint(), Purpose::Strategy);
    let nothing = |&m: &_| MoveValue { moves: vec![m], worlds: 0, wins: 0, cards: 0, paid: 0 };
    let mut weighed: Vec<MoveValue> = legal.iter().map(nothing).collect();
    for _ in 0..worlds {
        let (world, chance) = (view.sample(&mut rng), rand::Rng::next_u64(&mut rng));
        for it in &mut weighed {
            let reached = match judge.value(&world, &it.moves, chance) {
                Ok(reached) => reached,
                Err(error) => return Some(Err(error)),
            };
            it.worlds += 1;
            it.wins += u32::from(reached.won);
            it.cards += reached.cards as u64;
            it.paid += reached.pay;
        }
    }
    Some(Ok(weighed))
}
