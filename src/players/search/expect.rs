//! What each legal move is worth: for people who ask what the player thinks of all of them.

use crate::cards::{Purpose, generator};
use crate::game::{MoveList, View};
use crate::strategy::{LoadError, StrategyError, StrategySource, Weighed};

use super::maker::{SearchMaker, settings};
use super::playout::Policy;
use super::reach::Judge;
use super::{Kept, WORLDS, solver_of};

/// What every legal move came to, in the same sampled deals and in the order of the moves: from the position after it, what
/// the solver finds, or, while the stock is not known, what the policy reaches until it is. `None` where `name` is not
/// that of the player `search`, or is wrong.
///
/// The values are those of a player who from there on knows more than anybody does. They are too high; moves are compared
/// by them all the same.
///
/// # Errors
/// The fault of the policy, or that the program is to stop.
pub(in crate::players) fn weigh_moves(
    name: &str,
    load: impl Fn(&str) -> Result<StrategySource, LoadError>,
    view: &View<'_>,
    legal: &MoveList,
) -> Option<Result<Vec<Weighed>, StrategyError>> {
    let told: Vec<_> = settings(name)?.into_iter().filter(|(key, _)| key != "slip").collect();
    let maker = SearchMaker::read(&told, load).ok()?;
    let mut policy = Policy::new(&maker.policies);
    let solver = solver_of(view, Kept::default());
    let mut judge = Judge::new(view, &maker.options, solver, &mut policy);
    let news = !judge.solves() || view.stock_is_news(view.own_table());
    let worlds = if news { judge.budget.playouts } else { judge.budget.judged };
    let mut rng = generator(WORLDS, view.fingerprint(), Purpose::Strategy);
    let nothing = |&m: &_| Weighed { moves: vec![m], worlds: 0, wins: 0, cards: 0, paid: 0 };
    let mut weighed: Vec<Weighed> = legal.iter().map(nothing).collect();
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
