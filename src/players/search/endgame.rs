//! Optimal endgames: with few unknown cards and few cards left, no worlds need to be sampled.

use rand::Rng;

use crate::game::{Move, View};
use crate::players::exact::{Tree, allowed};

use super::options::Aim;

/// Maximum number of cards with unknown places: they have at most 120 orders.
const UNKNOWN: usize = 5;

/// Maximum number of cards that are not up. With more there are too many positions.
const LEFT: usize = 20;

/// Returns the moves of optimal play up to the next reveal, expanding at most `positions`; empty if it is best to stop.
///
/// Returns `None` if there are too many positions, or if money is paid and taken for more than cards.
pub(super) fn optimal(view: &View<'_>, aim: Aim, positions: u64, rng: &mut impl Rng) -> Option<Vec<Move>> {
    let rules = view.compiled();
    let casino = &view.rules().casino;
    let plain = !casino.has_redeal_fees() && !casino.is_staged();
    let few = view.unknown() <= UNKNOWN && view.all_cards() - view.cards() <= LEFT;
    if !(few && plain && view.base().is_some() && view.seats() == 1 && allowed(rules)) {
        return None;
    }
    let table = view.sample(rng);
    let all = table.all_kinds(rules);
    // Cards break ties.
    let scale = (view.all_cards() + 1) as f64;
    let worth = |cards: usize| match aim {
        Aim::Cards => cards as f64,
        Aim::Win => f64::from(u8::from(cards == view.all_cards())) * scale * scale + cards as f64,
        Aim::Money => view.pay(cards) as f64 * scale + cards as f64,
    };
    let mut tree = Tree::new(rules, (all, worth), positions);
    tree.line(&table, table.open_kinds(rules)).map(|(moves, _)| moves)
}
