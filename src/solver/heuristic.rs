//! How promising a position is: beam searches keep the best. It need not be sound, since beams prove nothing.

use crate::cards::Card;
use crate::game::Table;
use crate::rules::Rules;

/// What is looked at besides what both look at: the cards that are up, and those in the way of cards that go up before
/// them. Where one finds no win the other one often does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeuristicKind {
    /// Nothing.
    Order,
    /// How deep the cards lie that go up next: finds more wins under rules of a single pass, and fewer under some others.
    Depth,
}

/// Weights are in so many parts.
const PART: i32 = 64;

/// A card that lies on top of one that goes up after so many others of its suit: three fifths of the one before.
const DEPTH: [i32; 13] = [64, 38, 23, 14, 8, 5, 3, 2, 1, 1, 0, 0, 0];

/// The weights of a card.
struct Weights {
    up: i32,
    /// Left in a reserve.
    reserve: i32,
    /// In a pile, or in the waste of a last pass, on one that goes up before it.
    blocks: i32,
    /// In the waste of a last pass; half of it in passes before.
    waste: i32,
    /// On one in a pile that goes up next, in halves; and in a reserve.
    over_in_pile: i32,
    /// The same in the waste of a last pass.
    over_in_waste: i32,
}

impl HeuristicKind {
    /// Weights that did well under many rules.
    const fn weights(self) -> Weights {
        let order = Weights { up: 8, reserve: 12, blocks: 8, waste: 2, over_in_pile: 0, over_in_waste: 0 };
        match self {
            HeuristicKind::Order => order,
            HeuristicKind::Depth => Weights { waste: 6, over_in_pile: 3, over_in_waste: 4, ..order },
        }
    }
}

/// The more, the better.
pub(super) fn heuristic(table: &Table, rules: &Rules, kind: HeuristicKind) -> i32 {
    let weights = kind.weights();
    let steps = |card: Card| table.base().map_or(0, |base| card.rank().steps_above(base));
    let blocking = |lowest_first: &mut dyn Iterator<Item = Card>| {
        let mut least = usize::MAX;
        let mut blocking = 0;
        for card in lowest_first {
            blocking += i32::from(steps(card) > least);
            least = least.min(steps(card));
        }
        blocking
    };
    let next = if kind == HeuristicKind::Depth { next(table, rules) } else { [0; 4] };
    let over = |top_first: &mut dyn Iterator<Item = Card>| {
        let of = |(above, card): (usize, Card)| {
            let wait = steps(card).checked_sub(next[card.suit().index()]);
            above as i32 * wait.map_or(0, |wait| DEPTH[wait])
        };
        top_first.enumerate().map(of).sum::<i32>()
    };
    let mut whole = weights.up * table.cards() as i32 - weights.reserve * table.reserve_left() as i32;
    let mut halves = 0;
    for pile in 0..rules.hot.piles {
        let mut cards = [Card::NONE; 64];
        let mut len = 0;
        for ((card, _), place) in table.pile(pile).zip(&mut cards) {
            *place = card;
            len += 1;
        }
        whole -= weights.blocks * blocking(&mut cards[..len].iter().rev().copied());
        if kind == HeuristicKind::Depth {
            halves -= weights.over_in_pile * over(&mut cards[..len].iter().copied());
        }
    }
    if kind == HeuristicKind::Depth {
        for reserve in 0..rules.spec().reserve.piles.into() {
            halves -= weights.over_in_pile * over(&mut table.reserve(reserve));
        }
    }
    if rules.hot.redeals != u32::MAX {
        let last_pass = table.redeals() >= rules.hot.redeals;
        let waste = table.waste();
        whole -= 8 * table.redeals() as i32;
        halves -= PART * weights.waste * waste.len() as i32 * if last_pass { 2 } else { 1 };
        if last_pass {
            whole -= weights.blocks * blocking(&mut waste.iter().copied());
            if kind == HeuristicKind::Depth {
                halves -= weights.over_in_waste * over(&mut waste.iter().rev().copied());
            }
        }
    }
    2 * PART * whole + halves
}

/// Of each suit, how many cards are up where the fewest are.
fn next(table: &Table, rules: &Rules) -> [usize; 4] {
    let mut begun = [0; 4];
    let mut fewest = [usize::MAX; 4];
    for foundation in 0..4 * rules.hot.packs {
        let mut cards = table.foundation(foundation);
        if let Some(top) = cards.next() {
            let suit = top.suit().index();
            begun[suit] += 1;
            fewest[suit] = fewest[suit].min(1 + cards.count());
        }
    }
    std::array::from_fn(|suit| if begun[suit] < rules.hot.packs { 0 } else { fewest[suit] })
}
