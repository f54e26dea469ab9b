//! Parts of a position in the form shown to a person.

use crate::game::{Move, View};
use crate::rules::{Draw, Roll, Rules, StageAt};

use super::seen::Shown;
use super::state::{Asks, Die, LegalMove, Made};

/// Returns whether the layout is visible: false while a stage before it is on offer, or after it was declined.
pub(super) fn seen_layout(asks: Asks, view: &View<'_>) -> bool {
    let unseen = |at: StageAt| at == StageAt::Deal;
    match asks {
        Asks::Stage { at, .. } => !unseen(at),
        Asks::Move => true,
        Asks::Nothing => !view.bought().stake().stopped.is_some_and(unseen),
    }
}

/// Describes a legal move.
pub(super) fn describe(m: Move, view: &View<'_>) -> LegalMove {
    let word = m.notation(view.reserves());
    let (from, to) = match word.split_once('>') {
        Some((from, to)) => (from, to.split('x').next().unwrap_or(to)),
        None if m.is_draw() => ("S", "W"),
        None => ("W", "S"),
    };
    LegalMove {
        from: from.to_string(),
        to: to.to_string(),
        count: m.count(),
        card: Shown::of(view.card(m)),
        to_space: view.to_space(m),
        ends: None,
        why: None,
        word,
    }
}

/// Describes the die of the rules, with its last roll.
pub(super) fn die(rules: &Rules, dealt: Option<u8>, made: &[Made]) -> Option<Die> {
    let Draw::Die { faces, roll } = rules.spec().stock.draw else { return None };
    let rolled = match roll {
        Roll::Draw => "draw",
        Roll::Pass => "pass",
        Roll::Game => "game",
    };
    let last = made.iter().rev().find_map(|made| made.roll);
    Some(Die { faces, rolled, shows: last.or(dealt) })
}
